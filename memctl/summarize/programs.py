"""What a simple command does: its kind, from its program and, where that is not enough, its words."""

from collections.abc import Callable

from memctl.summarize.patterns import regex
from memctl.summarize.program_tables import (
    BUILT,
    FORMATTED,
    KIND_OF,
    RUN_WORDS,
    RUNNER_VALUED,
    RUNNERS,
    SCRIPT_NOISE,
    SCRIPT_RUNNERS,
    TESTED,
    VALUED,
    Words,
)
from memctl.summarize.wording import file_name

_PYTHON = regex(r"(?:python|pypy)[\d.]*")
_FIRST_WORDS = {"test": "test", "build": "build", "compile": "build", "lint": "build", "analyze": "build"}


def judge(words: Words) -> tuple[str, Words]:
    """Return the kind of a simple command ("" when it only prepares others) and its words without runners."""
    words = bare(words)
    program = words[0]
    if _PYTHON.fullmatch(program):
        return _python(words)
    if program in _JUDGES:
        return _JUDGES[program](words), words
    if program in SCRIPT_RUNNERS:
        return _script(words), words
    kind = KIND_OF.get(program)
    if kind in (None, "build"):
        named = operands(words)[:2]  # `flutter test`, `php artisan test`, `xcodebuild test`
        kind = next((_FIRST_WORDS[word] for word in named if word in _FIRST_WORDS), kind)
    if kind is None:
        kind = "test" if is_test_file(program) or any(map(is_test_file, words[1:2])) else "run"
    return kind, words


def bare(words: Words) -> Words:
    """Take runners away: `npx -y jest a` is `jest a`, `uv run pytest` is `pytest`."""
    for _ in range(4):
        skip = 2 if words[:2] in RUN_WORDS else int(words[0] in RUNNERS)
        rest = words[skip:]
        while skip and rest and rest[0].startswith("-"):
            rest = rest[2:] if rest[0] in RUNNER_VALUED else rest[1:]
        if words[:2] == ("docker", "exec"):
            rest = rest[1:]  # the container
        if not skip or not rest:
            return words
        words = (file_name(rest[0]) if "/" in rest[0] else rest[0].partition("@")[0] or rest[0], *rest[1:])
    return words


def operands(words: Words) -> list[str]:
    """Return the words of a command that are neither options nor values of options."""
    valued = VALUED.get(words[0], frozenset())
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
    for word in [word for word in words[1:] if not word.startswith("-") and word not in SCRIPT_NOISE][:3]:
        pieces = word.lower().replace(":", "-").replace("_", "-").replace("/", "-").split("-")
        if (
            word in ("t", "tst")
            or not TESTED.isdisjoint(pieces)
            or (word == "check" and words[0] in ("make", "gradle", "gradlew", "just"))
        ):
            return "build" if "lint" in pieces else "test"
        if not FORMATTED.isdisjoint(pieces) and "check" not in pieces:
            return "edit"
        if not BUILT.isdisjoint(pieces):
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


def _cargo(words: Words) -> str:
    if "--check" in words:
        return "build"
    return _CARGO.get(next(iter(operands(words)), ""), "build")


def _archive(words: Words) -> str:
    return "read" if any("t" in word or word == "-l" for word in words[1:2]) else "run"


_CARGO = {"test": "test", "nextest": "test", "run": "run", "fmt": "edit", "bench": "test"}
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
    "cargo": _cargo,
    "uv": _verb({"run": "run"}, "build"),
    "poetry": _verb({"run": "run"}, "build"),
    "ruff": _verb({"format": "edit"}, "build"),
    "bun": _verb({"test": "test", "run": "run", "install": "build", "add": "build", "build": "build"}, "run"),
}
