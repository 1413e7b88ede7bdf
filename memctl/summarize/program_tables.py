"""Tables of programs: what each is for, which options take a value, what runs others. Data only."""

Words = tuple[str, ...]

_TABLE = {
    "read": """cat head tail less more bat batcat nl tac xxd hexdump od strings file stat jq yq column open
        goto set_cursors scroll_down scroll_up zcat md5sum sha256sum shasum view cut awk gawk sort uniq wc
        objdump readelf nm disassemble decompile diff cmp comm exiftool pdftotext identify sed gsed zipinfo
        tar unzip base64 Get-Content""",
    "list": """Get-ChildItem ls dir tree exa eza ll du df lsof ps env printenv which whereis lsblk free ss
        netstat pgrep""",
    "search": """findstr Select-String grep egrep fgrep zgrep rg ag ack find fd fdfind locate search_dir
        search_file find_file""",
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
VALUED: dict[str, frozenset[str]] = {
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
    "perl": frozenset("-e -pe -ne -pie -lpe -lne -i.bak".split()),
}
RUNNERS = frozenset("npx bunx pnpx uvx xargs watch time parallel".split())
RUN_WORDS = frozenset(
    tuple(pair.split())
    for pair in (
        "uv run", "poetry run", "pipenv run", "pdm run", "hatch run", "rye run", "pixi run", "pipx run",
        "coverage run", "conda run", "bundle exec", "pnpm exec", "pnpm dlx", "yarn dlx", "yarn exec",
        "npm exec", "bun x", "mise exec", "docker exec",
    )
)  # fmt: skip
RUNNER_VALUED = frozenset(
    "-n -I -P -L -d --with --python --extra --group -c -w -e -u --user --env -s -S --source -p -a".split()
)
SCRIPT_RUNNERS = frozenset(
    """npm pnpm yarn bun mise make just task rake gradle gradlew mvn mvnw composer nx turbo lerna deno poe
    invoke hatch pdm""".split()
)
SCRIPT_NOISE = frozenset("run run-script exec x workspaces workspace --".split())
TESTED = frozenset("test tests spec specs e2e integration coverage verify itest unittest".split())
BUILT = frozenset(
    """build compile lint typecheck tsc install ci add package vet clippy check assemble bundle i uninstall
    update sync fix generate clean dist all types checks up outdated audit""".split()
)
FORMATTED = frozenset("fmt format prettier".split())
