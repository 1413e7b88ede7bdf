"""What a command line is for: its kind and its essence, from the programs it runs."""

from collections.abc import Callable
from dataclasses import dataclass

from memctl.summarize.shell import Simple
from memctl.summarize.wording import TARGET_LIMIT, clip, file_name, joined, short_address, short_path

_READ = "cat head tail less more bat batcat nl tac xxd hexdump od strings file stat jq yq column open goto scroll_down scroll_up zcat md5sum sha256sum view cut awk sort uniq wc objdump readelf nm disassemble decompile diff cmp exiftool pdftotext identify"
_LIST = "ls dir tree exa eza ll du df lsof ps env printenv which whereis type lsblk"
_SEARCH = "grep egrep fgrep zgrep rg ag ack find fd fdfind locate search_dir search_file find_file"
_EDIT = "patch apply_patch applypatch edit insert rm rmdir mv cp ln chmod chown truncate rename unlink trash install touch gofmt gofumpt black isort prettier goimports rustfmt autopep8 str_replace_editor"
_WRITE = "create tee"
_TEST = "pytest py.test unittest nosetests tox nox jest vitest mocha ava karma cypress rspec phpunit ctest busted bats gotestsum trial runtests.py runtests.sh pytest-3 nextest tap playwright ginkgo minitest doctest test.sh run_tests.sh runtests"
_BUILD = "make cmake ninja gcc g++ cc c++ clang clang++ rustc javac tsc tsgo tsup esbuild vite webpack rollup swc babel eslint biome oxlint stylelint golangci-lint staticcheck ruff flake8 pylint mypy pyright basedpyright ty pyre bandit shellcheck hadolint pip pip3 pipx conda mamba micromamba apt apt-get brew apk yum dnf pacman gem bundle composer msbuild xcodebuild bazel buck2 meson scons ant mvn mvnw gradle gradlew sbt lerna nx turbo pre-commit pod swiftlint ktlint rubocop luacheck clippy cabal stack ghc nix pipdeptree ld ar latexmk pdflatex xelatex"
_WEB = "curl wget http https xh lynx w3m aria2c links"
_VCS = "git gh hg svn jj glab hub git-lfs"
_NOISE = "cd pushd popd echo printf export set unset source . sleep true false pwd mkdir exit clear wait trap alias ulimit umask date return break continue local read shift test [ : whoami hostname uname nproc id declare shopt type hash touch"
_RUN = "python python3 node deno bun ruby perl php java go cargo dotnet npm npx pnpm yarn uv poetry docker kubectl"

KIND_OF: dict[str, str] = {
    program: kind
    for kind, programs in (
        ("read", _READ),
        ("list", _LIST),
        ("search", _SEARCH),
        ("edit", _EDIT),
        ("write", _WRITE),
        ("test", _TEST),
        ("build", _BUILD),
        ("web", _WEB),
        ("vcs", _VCS),
        ("", _NOISE),
    )
    for program in programs.split()
}
# Of several commands in one line the one of the highest rank is what the line is for.
_RANK = {
    "test": 9,
    "build": 8,
    "vcs": 6,
    "edit": 7,
    "write": 7,
    "run": 6,
    "web": 6,
    "search": 4,
    "read": 3,
    "list": 2,
    "": 0,
}
_CHANGES = frozenset(
    "commit push merge rebase cherry-pick revert reset checkout switch stash tag apply am pull clone restore".split()
)
_RUNNERS = {"npx": 1, "bunx": 1, "pnpx": 1, "uvx": 1, "pipx": 2, "xargs": 1, "watch": 1}
_RUN_WORDS = {
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("pdm", "run"),
    ("hatch", "run"),
    ("rye", "run"),
    ("bundle", "exec"),
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("yarn", "exec"),
    ("npm", "exec"),
    ("mise", "exec"),
    ("conda", "run"),
    ("coverage", "run"),
    ("docker", "exec"),
    ("docker-compose", "exec"),
}
_SCRIPT_RUNNERS = frozenset(
    "npm pnpm yarn bun mise make just task rake gradle gradlew mvn mvnw composer nx turbo lerna deno poe invoke ant hatch pdm".split()
)
_PYTHONS = ("python", "pypy")
_TEST_WORDS = ("test", "tests", "spec", "e2e", "check", "verify", "coverage", "itest")
_BUILD_WORDS = (
    "build",
    "compile",
    "lint",
    "typecheck",
    "type-check",
    "tsc",
    "install",
    "ci",
    "add",
    "package",
    "vet",
    "clippy",
    "check",
    "assemble",
    "bundle",
    "fmt",
    "format",
    "i",
    "uninstall",
    "update",
    "sync",
    "fix",
    "generate",
    "clean",
    "dist",
    "all",
)


@dataclass(frozen=True, slots=True)
class Line:
    """What a command line is for: its *kind*, its *target* and the simple command that says so."""

    kind: str
    target: str
    main: Simple | None


def read_line(parts: tuple[Simple, ...], whole: str) -> Line:
    """Find the command that a line is for, and name it.

    whole: the line as written, for a line in which no command is known.
    """
    judged = [(simple, *_judge(simple)) for simple in parts]
    best: tuple[Simple, str, tuple[str, ...]] | None = None
    for position, (simple, kind, words) in enumerate(judged):
        if (
            simple.piped
            and kind not in ("test", "edit", "run", "write")
            and not _feeds(judged[position - 1][1])
        ):
            continue
        if (
            simple.piped
            and simple.program
            in ("tee", "sort", "uniq", "wc", "cut", "awk", "python", "python3", "node", "jq")
            and not _feeds(judged[position - 1][1])
        ):
            continue
        if best is None or _RANK[kind] > _RANK[best[1]]:
            best = (simple, kind, words)
    if best is None:
        return Line("run", clip(whole, TARGET_LIMIT), None)
    simple, kind, words = best
    return Line(kind or "run", _target(simple, kind, words, judged), simple)


def _feeds(kind: str) -> bool:
    """Say whether a command of *kind* only feeds the filter after it."""
    return kind == ""


def _judge(simple: Simple) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a simple command and its words without runners (`npx`, `uv run`)."""
    words = _bare(simple.words)
    program = words[0]
    kind = KIND_OF.get(program, "run")
    if program in _SPECIAL:
        kind = _SPECIAL[program](words)
    elif program.startswith(_PYTHONS):
        kind, words = _python(words)
    elif program in _SCRIPT_RUNNERS:
        kind = _script(words)
    elif program in _SUBCOMMANDS:
        kind = _SUBCOMMANDS[program](words)
    elif kind == "run" and _is_test_file(program):
        kind = "test"
    if simple.outputs and kind in ("", "read"):
        kind = "write"
    return kind, words


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take runners away: `npx -y jest a` is `jest a`, `uv run pytest` is `pytest`."""
    for _ in range(4):
        skip = 2 if words[:2] in _RUN_WORDS else _RUNNERS.get(words[0], 0)
        if not skip:
            break
        rest = words[skip:]
        while rest and rest[0].startswith("-"):
            rest = (
                rest[2:]
                if rest[0] in ("-n", "-I", "-P", "-p", "-L", "--with", "--python", "--extra", "--group", "-c")
                else rest[1:]
            )
        if words[:2] in (("conda", "run"), ("docker", "exec")) and len(rest) > 1 and words[0] == "docker":
            rest = rest[1:]
        if not rest:
            break
        words = (file_name(rest[0]) if "/" in rest[0] else rest[0], *rest[1:])
    return words


def _python(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    rest = list(words[1:])
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c", "-"):
        rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
    if len(rest) > 1 and rest[0] == "-m":
        module = rest[1]
        inner = (module, *rest[2:])
        kind = KIND_OF.get(module, "run")
        if module in (
            "pip",
            "build",
            "compileall",
            "py_compile",
            "venv",
            "ensurepip",
            "pyflakes",
            "pycodestyle",
        ):
            kind = "build"
        return kind, inner if kind != "run" else words
    if rest and rest[0] == "setup.py" or "manage.py" in rest[:1]:
        return ("test" if "test" in rest else "build" if rest[0] == "setup.py" else "run"), words
    if rest and _is_test_file(rest[0]):
        return "test", words
    return "run", words


def _is_test_file(path: str) -> bool:
    name = file_name(path).lower()
    stem = name.rpartition(".")[0] or name
    return name in ("runtests.py", "run_tests.py", "test.py", "tests.py") or (
        "." in name and (stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec")))
    )


def _script(words: tuple[str, ...]) -> str:
    """Judge a script runner by the script's name: `npm run test:unit`, `mise run lint`, `make check`."""
    named = [
        word
        for word in words[1:]
        if not word.startswith("-")
        and word not in ("run", "run-script", "exec", "x", "workspaces", "workspace")
    ]
    if words[0] == "make" and not named:
        return "build"
    for word in named[:4]:
        pieces = word.lower().replace(":", "-").replace("_", "-").split("-")
        if word in ("t", "tst") or any(
            piece in ("test", "tests", "spec", "e2e", "check", "verify", "coverage") for piece in pieces
        ):
            return "build" if "type" in word or "lint" in word else "test"
        if any(piece in _BUILD_WORDS for piece in pieces):
            return "build"
    return "build" if words[0] in ("make", "mvn", "mvnw", "gradle", "gradlew", "ant") else "run"


def _go(words: tuple[str, ...]) -> str:
    return {
        "test": "test",
        "build": "build",
        "vet": "build",
        "install": "build",
        "mod": "build",
        "get": "build",
        "fmt": "edit",
        "generate": "build",
    }.get(_word(words, 1), "run")


def _cargo(words: tuple[str, ...]) -> str:
    word = _word(words, 1)
    return {"test": "test", "nextest": "test", "run": "run", "fmt": "edit"}.get(word, "build")


def _dotnet(words: tuple[str, ...]) -> str:
    return {"test": "test", "build": "build", "restore": "build", "publish": "build"}.get(
        _word(words, 1), "run"
    )


def _docker(words: tuple[str, ...]) -> str:
    return "build" if "build" in words[1:3] else "run"


def _sed(words: tuple[str, ...]) -> str:
    return (
        "edit"
        if any(word.startswith(("-i", "--in-place")) or word in ("-ni", "-Ei") for word in words[1:])
        else "read"
    )


def _perl(words: tuple[str, ...]) -> str:
    return (
        "edit"
        if any(word.startswith("-") and "i" in word and not word.startswith("--") for word in words[1:3])
        else "run"
    )


def _uv(words: tuple[str, ...]) -> str:
    return (
        "build"
        if _word(words, 1)
        in ("pip", "sync", "add", "lock", "build", "remove", "tool", "install", "update", "venv")
        else "run"
    )


def _node(words: tuple[str, ...]) -> str:
    return "test" if "--test" in words or any(_is_test_file(word) for word in words[1:2]) else "run"


def _editor(words: tuple[str, ...]) -> str:
    return {"view": "read", "create": "write"}.get(_word(words, 1), "edit")


def _find(words: tuple[str, ...]) -> str:
    return "edit" if "-delete" in words else "search"


def _word(words: tuple[str, ...], position: int) -> str:
    return next((word for word in words[position:] if not word.startswith(("-", "+"))), "")


_SPECIAL: dict[str, Callable[[tuple[str, ...]], str]] = {
    "sed": _sed,
    "gsed": _sed,
    "perl": _perl,
    "str_replace_editor": _editor,
    "find": _find,
    "touch": lambda _words: "",
}
_SUBCOMMANDS: dict[str, Callable[[tuple[str, ...]], str]] = {
    "go": _go,
    "cargo": _cargo,
    "dotnet": _dotnet,
    "swift": _dotnet,
    "zig": _dotnet,
    "mix": _dotnet,
    "sbt": _dotnet,
    "docker": _docker,
    "uv": _uv,
    "poetry": _uv,
    "node": _node,
}


def operands(words: tuple[str, ...]) -> list[str]:
    """Return the words of a command that are no options."""
    return [word for word in words[1:] if word and not word.startswith(("-", "+"))]


def _target(
    simple: Simple, kind: str, words: tuple[str, ...], judged: list[tuple[Simple, str, tuple[str, ...]]]
) -> str:
    program = words[0]
    named = operands(words)
    if kind == "write" and simple.outputs:
        return joined(map(short_path, simple.outputs), TARGET_LIMIT)
    if kind == "search":
        return _searched(program, words, named)
    if kind in ("read", "edit", "write", "list"):
        same = [each for each in judged if each[1] == kind and not each[0].piped]
        paths = list(dict.fromkeys(path for each in same for path in files_of(each[2])))
        if paths:
            shown = joined(map(short_path, paths), TARGET_LIMIT - 12)
            return f"{program} {shown}" if program in ("rm", "mv", "cp", "diff", "wc", "chmod") else shown
    if kind == "web":
        address = next((word for word in named if "://" in word or "." in word), "")
        return short_address(address) if address else clip(" ".join(words), TARGET_LIMIT)
    if kind == "vcs":
        return _versioned(words)
    return essence(words)


def _searched(program: str, words: tuple[str, ...], named: list[str]) -> str:
    if program in ("find", "fd", "fdfind"):
        for option in ("-name", "-iname", "-path", "-ipath", "-regex"):
            if option in words[:-1]:
                return clip(words[words.index(option) + 1], TARGET_LIMIT)
    for option in ("-e", "--regexp"):
        if option in words[:-1]:
            return clip(words[words.index(option) + 1], TARGET_LIMIT)
    return clip(named[0], TARGET_LIMIT) if named else program


def _versioned(words: tuple[str, ...]) -> str:
    rest = list(words[1:])
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in ("-C", "-c", "--git-dir", "--work-tree") else rest[1:]
    verb = rest[0] if rest else ""
    after = [word for word in rest[1:] if not word.startswith("-")]
    if verb in ("commit", "merge", "tag"):
        after = []
    if words[0] == "gh" and after:
        verb = f"{verb} {after.pop(0)}"
    shown = joined((short_path(word) if "/" in word else word for word in after), 50, " ")
    return clip(f"{words[0]} {verb} {shown}", TARGET_LIMIT)


def essence(words: tuple[str, ...]) -> str:
    """Write a command short: program, operands and the options that matter, long values cut."""
    kept: list[str] = []
    for word in words:
        if (
            word.startswith("-")
            and word in ("-v", "-vv", "-s", "--no-header", "-x", "-q", "--tb=short", "-count=1", "-i")
            and word != "-q"
        ):
            continue
        kept.append(short_path(word, 3) if word.startswith("/") and word.count("/") > 3 else clip(word, 60))
    return clip(" ".join(kept), TARGET_LIMIT)


def files_of(words: tuple[str, ...]) -> list[str]:
    """Return the files a reading or changing command names; scripts, counts and patterns left out."""
    program = words[0]
    named = operands(words)
    if program in ("sed", "gsed", "awk", "perl", "jq", "yq", "cut") and not any(
        word in ("-e", "-f", "--expression") for word in words
    ):
        named = named[1:]
    if program == "chmod":
        named = named[1:]
    if program in ("str_replace_editor",):
        named = named[1:2]
    if program in ("edit", "insert", "goto", "scroll_down", "scroll_up"):
        return []
    return [word for word in named if not word.isdigit() and not word.startswith(("s/", "s|"))]


def program_of(words: tuple[str, ...]) -> str:
    """Return the program that a command comes to, runners taken away."""
    kind_words = _judge(Simple(words))[1]
    return kind_words[0]
