"""What programs do: tables, and a function for each program of which the words must be looked at."""

from collections.abc import Callable

from memctl.summarize.wording import file_name

Words = tuple[str, ...]

_TABLE = {
    "read": """cat head tail less more bat batcat nl tac xxd hexdump od strings file stat jq yq column open
        goto set_cursors scroll_down scroll_up zcat md5sum sha256sum shasum view cut awk gawk sort uniq wc
        objdump readelf nm disassemble decompile diff cmp comm exiftool pdftotext identify sed gsed zipinfo
        tar unzip base64 sqlite3""",
    "list": "ls dir tree exa eza ll du df lsof ps env printenv which whereis lsblk free ss netstat pgrep",
    "search": "grep egrep fgrep zgrep rg ag ack find fd fdfind locate search_dir search_file find_file",
    "edit": """patch apply_patch applypatch edit insert rm rmdir mv cp ln chmod chown truncate rename unlink
        trash gofmt gofumpt goimports rustfmt black isort prettier autopep8 yapf str_replace_editor
        file_editor rsync""",
    "write": "create tee mkdir touch",
    "test": """pytest py.test unittest nosetests nose2 tox nox jest vitest mocha ava karma cypress rspec
        phpunit ctest busted bats gotestsum trial nextest tap playwright ginkgo doctest""",
    "build": """make gmake cmake ninja gcc g++ cc c++ clang clang++ rustc javac tsc tsgo tsup esbuild vite
        webpack rollup swc babel eslint biome oxlint stylelint golangci-lint staticcheck ruff flake8 pylint
        mypy pyright basedpyright ty pyre bandit shellcheck hadolint actionlint markdownlint pip pip3 pipx
        conda mamba micromamba apt apt-get brew apk yum dnf pacman gem bundle bundler composer msbuild
        xcodebuild bazel meson scons ant mvn mvnw gradle gradlew sbt lerna nx turbo pre-commit pod swiftlint
        ktlint rubocop luacheck cabal stack ghc nix ld latexmk pdflatex xelatex pycodestyle pyflakes
        py_compile compileall build venv ensurepip configure next vue-tsc""",
    "web": "curl wget http https xh lynx w3m aria2c links",
    "vcs": "git gh hg svn jj glab hub git-lfs",
    "other": "submit exit_forfeit exit_cost exit_context",
    "": """cd pushd popd echo printf export set unset source . sleep true false pwd exit clear wait trap alias
        ulimit umask date return break continue local read shift test [ : whoami hostname uname nproc id
        declare typeset shopt type hash history jobs fg bg kill pkill killall seq yes""",
}
KIND_OF: dict[str, str] = {program: kind for kind, names in _TABLE.items() for program in names.split()}
FILTERS = frozenset(
    "head tail sort uniq wc cut awk tee jq tr column less more cat grep sed rev xargs nl paste".split()
)

# Options that take the next word as their value, by program: that word is no operand.
_GREP = frozenset(
    "-A -B -C -m -e -f --include --exclude --exclude-dir --max-count --context -g --glob -t --type -T "
    "-d".split()
)
_VALUED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"), _GREP),
    "head": frozenset(["-n", "-c"]),
    "tail": frozenset(["-n", "-c"]),
    "awk": frozenset(["-F", "-v", "-f"]),
    "sed": frozenset(["-e", "-f"]),
    "gsed": frozenset(["-e", "-f"]),
    "cut": frozenset(["-d", "-f", "-c", "-b"]),
    "sort": frozenset(["-k", "-t", "-o"]),
    "du": frozenset(["-d"]),
    "tree": frozenset(["-L", "-I", "-P"]),
    "jq": frozenset(["--arg", "--argjson"]),
    "xxd": frozenset(["-l", "-s", "-c"]),
    "tar": frozenset(["-C"]),
    "make": frozenset(["-C", "-f", "-j"]),
    "curl": frozenset(
        """-X -H -d -F -o -u -A -e -b -c -T -m -w --data --data-raw --data-binary --data-urlencode --header
        --request --output --max-time --connect-timeout --user --form --cookie --user-agent --retry""".split()
    ),
    "wget": frozenset(["-O", "-o", "-P", "--header", "--post-data"]),
    "git": frozenset(
        ["-C", "-c", "--git-dir", "--work-tree", "-m", "-F", "-n", "-b", "-B", "--format", "--author"]
    ),
    "pytest": frozenset("-k -m -n -p -c -o -W --maxfail --rootdir --timeout --durations".split()),
    "go": frozenset(["-run", "-bench", "-timeout", "-o", "-tags", "-count", "-C"]),
    "cargo": frozenset(["-p", "--package", "--features", "--bin", "--manifest-path", "-j"]),
    "docker": frozenset(["-t", "-f", "-p", "-v", "-e", "--name", "-w", "-u", "--network"]),
    "gh": frozenset(
        ["-R", "--repo", "--json", "-q", "--jq", "-L", "--limit", "-t", "--title", "-b", "--body", "-H", "-f"]
    ),
    "find_file": frozenset(),
}
_RUNNERS = {
    "npx": 1,
    "bunx": 1,
    "pnpx": 1,
    "uvx": 1,
    "xargs": 1,
    "watch": 1,
    "tsx-run": 1,
    "time": 1,
    "parallel": 1,
}
_RUN_WORDS = frozenset(
    tuple(pair.split())
    for pair in """uv run/poetry run/pipenv run/pdm run/hatch run/rye run/bundle exec/pnpm exec/pnpm
        dlx/yarn dlx/yarn exec npm exec/mise exec/conda run/coverage run/docker exec/pipx run/pixi run/bun
        x/rtk proxy""".replace("\n", "/").split("/")
)
_RUNNER_VALUED = frozenset(
    "-n -I -P -L -d --with --python --extra --group -c -w -e -u --user --env -s -S --source -p".split()
)
SCRIPT_RUNNERS = frozenset(
    "npm pnpm yarn bun mise make just task rake gradle gradlew mvn mvnw composer nx turbo lerna deno "
    "poe invoke hatch pdm".split()
)
_SCRIPT_NOISE = frozenset("run run-script exec x workspaces workspace --".split())
_TESTED = frozenset("test tests spec specs e2e integration coverage verify itest unittest".split())
_BUILT = frozenset(
    """build compile lint typecheck tsc install ci add package vet clippy check assemble bundle i uninstall
    update sync fix generate clean dist all types typecheck checks up outdated audit ls dev-install""".split()
)
_FORMATTED = frozenset("fmt format prettier".split())


def judge(words: Words) -> tuple[str, Words]:
    """Return the kind of a simple command ("" when it only prepares others) and its words without runners."""
    words = bare(words)
    program = words[0]
    if program.startswith(("python", "pypy")) and program.removeprefix("python").removeprefix("pypy").replace(
        ".", ""
    ).isdigit() | (program in ("python", "pypy")):
        return _python(words)
    if program in _JUDGES:
        return _JUDGES[program](words), words
    if program in SCRIPT_RUNNERS:
        return _script(words), words
    kind = KIND_OF.get(program)
    if kind is None:
        kind = "test" if is_test_file(program) else "run"
    return kind, words


def bare(words: Words) -> Words:
    """Take runners away: `npx -y jest a` is `jest a`, `uv run pytest` is `pytest`."""
    for _ in range(4):
        skip = 2 if words[:2] in _RUN_WORDS else _RUNNERS.get(words[0], 0)
        rest = words[skip:]
        while skip and rest and rest[0].startswith("-"):
            rest = rest[2:] if rest[0] in _RUNNER_VALUED else rest[1:]
        if words[:2] == ("docker", "exec"):
            rest = rest[1:]  # the container
        if not skip or not rest:
            return words
        words = (file_name(rest[0]) if "/" in rest[0] else rest[0].partition("@")[0] or rest[0], *rest[1:])
    return words


def operands(words: Words) -> list[str]:
    """Return the words of a command that are neither options nor values of options."""
    valued = _VALUED.get(words[0], frozenset())
    found, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in valued:
            skip = True
        elif word and not word.startswith("-") and word not in ("{}", ";", "+"):
            found.append(word)
    return found


def option(words: Words, *names: str) -> str:
    """Return the value of the first of these options that is given, else ""."""
    for name in names:
        if name in words[:-1]:
            return words[words.index(name) + 1]
    return ""


def is_test_file(path: str) -> bool:
    """Say whether a file's name says that it is a test: `test_a.py`, `a.spec.ts`, `run_tests.sh`."""
    name = file_name(path).lower()
    stem, dot, _ = name.partition(".") if name.count(".") == 1 else name.rpartition(".")
    words = stem.replace("-", "_").replace(".", "_").split("_")
    return bool(dot) and any(word in ("test", "tests", "runtests", "spec") for word in words)


def _python(words: Words) -> tuple[str, Words]:
    rest = list(words[1:])
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c", "-"):
        rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
    if len(rest) > 1 and rest[0] == "-m":
        inner = bare((rest[1], *rest[2:]))
        kind = KIND_OF.get(inner[0])
        if kind is not None and kind != "read":
            return kind, inner
        return ("test" if "test" in rest[2:3] else "run"), words
    first = rest[0] if rest else ""
    if first.endswith(("setup.py", "manage.py")):
        return ("test" if "test" in rest[1:2] else "build" if first.endswith("setup.py") else "run"), words
    return ("test" if first and is_test_file(first) else "run"), words


def _script(words: Words) -> str:
    """Judge a script by its name: `npm run test:unit`, `mise run lint`, `make check`."""
    for word in [word for word in words[1:] if not word.startswith("-") and word not in _SCRIPT_NOISE][:3]:
        pieces = word.lower().replace(":", "-").replace("_", "-").replace("/", "-").split("-")
        if (
            word in ("t", "tst")
            or not _TESTED.isdisjoint(pieces)
            or (word == "check" and words[0] in ("make", "gradle", "gradlew", "just"))
        ):
            return "build" if "lint" in pieces else "test"
        if not _FORMATTED.isdisjoint(pieces) and "check" not in pieces:
            return "edit"
        if not _BUILT.isdisjoint(pieces):
            return "build"
    return KIND_OF.get(
        words[0], "build" if words[0] in ("yarn", "bun", "pnpm", "npm") and len(words) == 1 else "run"
    )


def _verb(kinds: dict[str, str], otherwise: str) -> Callable[[Words], str]:
    """Make a judge that looks at the first word that is no option: `go test`, `cargo build`."""

    def judged(words: Words) -> str:
        return kinds.get(next(iter(operands(words)), ""), otherwise)

    return judged


def _sed(words: Words) -> str:
    return (
        "edit"
        if any(word.startswith(("-i", "--in-place")) or word in ("-ni", "-Ei") for word in words[1:])
        else "read"
    )


def _perl(words: Words) -> str:
    return (
        "edit" if any(word[:1] == "-" and "i" in word and word[:2] != "--" for word in words[1:3]) else "run"
    )


def _node(words: Words) -> str:
    return "test" if "--test" in words or any(map(is_test_file, words[1:2])) else "run"


def _editor(words: Words) -> str:
    return {"view": "read", "create": "write"}.get(next(iter(operands(words)), ""), "edit")


def _checked_edit(words: Words) -> str:
    """Judge a formatter: it edits, unless it only looks."""
    looks = any(word in ("-l", "-d", "--check", "--diff", "--list-different", "-c") for word in words[1:])
    return "build" if looks else "edit"


def _archive(words: Words) -> str:
    return "read" if any("t" in word or word == "-l" for word in words[1:2]) else "run"


_JUDGES: dict[str, Callable[[Words], str]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("tar", "unzip"), _archive),
    **dict.fromkeys(
        ("gofmt", "gofumpt", "goimports", "rustfmt", "black", "isort", "prettier", "autopep8", "yapf"),
        _checked_edit,
    ),
    **dict.fromkeys(("str_replace_editor", "file_editor"), _editor),
    **dict.fromkeys(("node", "tsx", "ts-node", "bun"), _node),
    **dict.fromkeys(
        ("docker", "docker-compose", "podman"),
        _verb({"build": "build", "ps": "list", "images": "list", "logs": "read"}, "run"),
    ),
    **dict.fromkeys(
        ("dotnet", "swift", "zig", "mix", "sbt", "stack", "cabal"),
        _verb({"run": "run", "test": "test", "exec": "run"}, "build"),
    ),
    "perl": _perl,
    "find": lambda words: "edit" if "-delete" in words else "search",
    "go": _verb(
        {
            "test": "test",
            "run": "run",
            "fmt": "edit",
            "doc": "read",
            "env": "list",
            "list": "list",
            "version": "run",
            "tool": "run",
        },
        "build",
    ),
    "cargo": _verb(
        {"test": "test", "nextest": "test", "run": "run", "fmt": "edit", "bench": "test"}, "build"
    ),
    "uv": _verb({"run": "run"}, "build"),
    "poetry": _verb({"run": "run"}, "build"),
    "ruff": _verb({"format": "edit"}, "build"),
    "bun": _verb({"test": "test", "run": "run", "install": "build", "add": "build", "build": "build"}, "run"),
}
