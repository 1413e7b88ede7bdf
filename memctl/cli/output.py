"""What reaches the terminal: the answer on stdout, everything else on stderr (DESIGN 3, "manners")."""

import contextlib
import enum
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memctl import __version__, files
from memctl.errors import ExitCode, MemctlError, UsageError
from memctl.text.widths import cut_to_width, printable

if TYPE_CHECKING:  # `memctl --version` needs none of these
    from memctl.model import Json
    from memctl.store import Store

SCHEMA_VERSION = 1

Line = tuple[tuple[str, str], ...]  # of (text, style name), as `canvas.view` gives them


class Format(enum.StrEnum):
    """How an answer is printed."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


class When(enum.StrEnum):
    """When colour is used."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass
class Settings:
    """What the options shared by all commands say; the last given wins."""

    directory: str | None = None
    team: str | None = None
    agent: str | None = None
    user: str | None = None
    quiet: bool = False
    verbose: bool = False
    color: When = When.AUTO
    format: Format = Format.TEXT


settings = Settings()

# --------------------------------------------------------------------------- options

FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="text (for people), json (one document) or jsonl (one record per line).",
    ),
]
PrintOption = Annotated[
    str, typer.Option("--print", metavar="FIELD,...", help="Print only these fields, separated by tabs.")
]
NulOption = Annotated[
    bool, typer.Option("-z", "--null", help="End each record with NUL instead of a newline.")
]
WaitOption = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="How long to wait while another process is writing."
    ),
]


NowOption = Annotated[
    str,
    typer.Option("--now", metavar="TIME", help="Use this time (ISO 8601) instead of the clock."),
]


def now(given: str) -> str:
    """Give the time to stamp what a person does with: *given*, else now, in UTC (DESIGN 2.1, "same bytes").

    Raises UsageError for what is no time.
    """
    from datetime import UTC, datetime

    from memctl.text.names import normal_time

    if not given:
        return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    try:
        return normal_time(given)[0]
    except ValueError:
        raise UsageError(f"invalid --now {given!r}: expected a time such as 2026-03-01T09:00:00Z") from None


YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]


def confirmed(question: str, *, yes: bool) -> bool:
    """Ask on a terminal before something is deleted for good; *yes* answers beforehand.

    Raises UsageError where there is nobody to ask.
    """
    if yes:
        return True
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("this deletes permanently; pass --yes when not running in a terminal")
    sys.stdout.flush()
    sys.stderr.write(f"memctl: {printable(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def store() -> "Store":
    """Open the memory directory that the options, the environment or the current folder name."""
    from memctl.store import find, open_store

    return open_store(find(settings.directory), scope())


def is_inside(path: Path) -> bool:
    """Tell whether a file stands in the memory directory, where all is private."""
    from memctl.store import find

    return path.resolve().is_relative_to(find(settings.directory).resolve())


def scope() -> tuple[str | None, str | None, str | None]:
    """Give the team, agent and user that the options name; None for what the settings decide."""
    return settings.team, settings.agent, settings.user


# --------------------------------------------------------------------------- streams


def write(text: str, *, end: str = "\n") -> None:
    """Print a piece of the answer; what a transcript said can send no escape code."""
    sys.stdout.write(printable(text) + end)


def write_bytes(data: bytes) -> None:
    """Print bytes as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def command() -> str:
    """Give the words that begin a command for this directory and scope, to be pasted into a shell."""
    from memctl.text.names import quoted  # start-up is a feature

    options = {
        "-C": settings.directory,
        "--team": settings.team,
        "--agent": settings.agent,
        "--user": settings.user,
    }
    return " ".join(["memctl", *(f"{name} {quoted(value)}" for name, value in options.items() if value)])


def _pasteable(text: str) -> str:
    """Let the commands that a message names work on this directory and scope: in backquotes, or on a line."""
    if (begin := command()) == "memctl":
        return text
    import re

    return re.sub(r"(?m)(`|^ {2,})memctl (?=[a-z])", lambda match: f"{match[1]}{begin} ", text)


def note(text: str) -> None:
    """Print a note on stderr unless --quiet."""
    if not settings.quiet:
        sys.stdout.flush()
        sys.stderr.write(f"memctl: {printable(_pasteable(text))}\n")


def detail(text: str) -> None:
    """Print a note on stderr only with --verbose."""
    if settings.verbose:
        note(text)


def error(problem: MemctlError) -> None:
    """Print an error on stderr; one JSON line with --format json."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    if settings.format is Format.TEXT:
        sys.stderr.write(f"memctl: error: {printable(_pasteable(str(problem)))}\n")
    else:
        document = {"schema_version": SCHEMA_VERSION, "kind": "error", "data": _error_data(problem)}
        sys.stderr.write(files.encode(document).decode() + "\n")


def bug(name: str, told: str) -> None:
    """Show a bug on stderr: the name of its exception, and the traceback."""
    lines = "\n".join(map(printable, told.rstrip("\n").split("\n")))
    sys.stderr.write(
        f"{lines}\nmemctl: error: internal error in memctl {__version__}: {name}; "
        "please report it with the traceback above (stored data is safe)\n"
    )


def end_in_bugs(found: Sequence[tuple[str, str]]) -> None:
    """Show what nobody foresaw (`Report.bugs`) and end with 70, now that all else is done; go on without any."""
    if found:
        sys.stdout.flush()
        for name, told in found:
            bug(name, told)
        finish(ExitCode.BUG)


def _error_data(problem: MemctlError) -> "Json":
    return {"code": int(problem.code), "name": type(problem).__name__, "message": _pasteable(str(problem))}


# --------------------------------------------------------------------------- answers


def document(kind: str, data: "Json") -> None:
    """Print one JSON document: the envelope every command shares."""
    write_bytes(files.encode({"schema_version": SCHEMA_VERSION, "kind": kind, "data": data}) + b"\n")


def records(rows: Iterable["Json"]) -> None:
    """Print bare records, one JSON line each, as they come."""
    for row in rows:
        write_bytes(files.encode(row) + b"\n")


def answer(
    kind: str,
    rows: Iterable[Mapping[str, "Json"]],
    *,
    text: Callable[[Mapping[str, "Json"]], str],
    fields: str = "",
    nul: bool = False,
) -> int:
    """Print rows as --format, --print and -z ask; give their number.

    *text* writes a row for people. *fields* are the names for --print.
    """
    names = [name.strip() for name in fields.split(",") if name.strip()]
    count = 0
    if settings.format is Format.JSON and not names:
        listed = list(rows)
        document(kind, listed)
        return len(listed)
    for count, row in enumerate(rows, 1):  # noqa: B007 - the count is the answer
        if names:
            fields_of = _fields(row, names, nul=nul)
            if fields_of != b"\0":  # an empty argument would end up as a file name
                write_bytes(fields_of)
        elif settings.format is Format.JSONL:
            write_bytes(files.encode(row) + b"\n")
        else:
            write(text(row), end="\0" if nul else "\n")
    return count


def tabbed(values: Iterable["Json"], *, nul: bool) -> None:
    """Print values as a line of fields, tab-separated."""
    write_bytes(_tabbed(values, nul=nul))


def _tabbed(values: Iterable["Json"], *, nul: bool) -> bytes:
    text = "\t".join(map(_plain, values))
    return text.encode("utf-8", "surrogateescape" if nul else "backslashreplace") + (b"\0" if nul else b"\n")


def _fields(row: Mapping[str, "Json"], names: Sequence[str], *, nul: bool) -> bytes:
    unknown = [name for name in names if name not in row]
    if unknown:
        raise UsageError(f"--print: no field {unknown[0]!r}; choose from {', '.join(row)}")
    return _tabbed((row[name] for name in names), nul=nul)


def _plain(value: "Json") -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value).replace("\t", " ").replace("\n", " ")
    return files.encode(value).decode()


def shown(path: Path) -> str:
    """Write a path relative to the current folder."""
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive on Windows
        return str(path)


# --------------------------------------------------------------------------- colour

_STYLES = {
    "goal": "bold",
    "id": "cyan",
    "title": "bold",
    "kind": "dim",
    "time": "dim",
    "label": "italic",
    "uses": "dim",
    "note": "dim",
    "rail": "dim",
    "bar": "green",
    "bar.rest": "dim",
    "status.done": "green",
    "status.ok": "green",
    "status.completed": "green",
    "status.doing": "yellow",
    "status.active": "yellow",
    "status.blocked": "red",
    "status.error": "red",
    "status.missing": "magenta",
    "status.paused": "magenta",
    "status.todo": "blue",
}


def colored() -> bool:
    """Tell whether stdout takes colour: a terminal, unless NO_COLOR, TERM=dumb or --color say otherwise."""
    if settings.color is not When.AUTO:
        return settings.color is When.ALWAYS
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def lines(view: Iterable[Line]) -> None:
    """Print the lines of a view, coloured where that is wanted."""
    if not colored():
        for line in view:
            write("".join(text for text, _ in line).rstrip())
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(force_terminal=True, highlight=False, soft_wrap=True)
    for line in view:
        styled = Text()
        for text, style in line:
            styled.append(printable(text), _STYLES.get(style, ""))
        console.print(styled)


def width() -> int:
    """Give the width to write for: the terminal's, $COLUMNS, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given[:9]) > 0:  # longer numbers are as good as endless
        return int(given[:9])
    if sys.stdout.isatty():
        with contextlib.suppress(OSError, ValueError):
            return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    return 80


def room(used: int = 0) -> int:
    """Give the columns of a terminal's line behind *used*; a line of a pipe has no end."""
    if not (sys.stdout.isatty() or os.environ.get("COLUMNS")):
        return sys.maxsize
    return width() - used


def fit(text: str, used: int, *, least: int = 30) -> str:
    """Make a text one line; cut it to what is left of a terminal's width, never in a pipe."""
    return cut_to_width(" ".join(printable(text).split()), max(room(used), least))


def cut(line: str) -> str:
    """Cut a line, its columns kept, to a terminal's width; never in a pipe."""
    return cut_to_width(printable(line).replace("\n", " "), room())


def ascii_only() -> bool:
    """Tell whether the terminal at hand cannot be trusted with more than ASCII."""
    return os.environ.get("TERM") == "dumb"


_LONG_WORK = 1_000_000  # bytes to read below which a bar is over before it is seen


@contextlib.contextmanager
def progress(total: int) -> Iterator[Callable[[str, int], None]]:
    """Show a bar of *total* bytes on a terminal's stderr; the function given takes (what, bytes done)."""
    if settings.quiet or total < _LONG_WORK or not sys.stderr.isatty():
        yield lambda _what, _size: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=total)

        def step(what: str, size: int) -> None:
            bar.update(task, advance=size, description=printable(what)[-40:])

        yield step


def finish(code: ExitCode) -> None:
    """End the command with an exit code other than 0."""
    raise typer.Exit(int(code))
