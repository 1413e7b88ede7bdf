"""The program: its table of commands, and the one place that maps errors to exit codes."""

import contextlib
import functools
import importlib
import os
import signal
import sys
import traceback
from typing import Annotated, Any, NamedTuple

import typer
import typer.core
import typer.main

from memctl import __version__
from memctl.cli import output, streams
from memctl.errors import ExitCode, MemctlError, StoreError, UsageError


def typer_app(**settings: Any) -> typer.Typer:
    """Make an app as all of memctl's are: plain help, errors of our own, completion of our own."""
    return typer.Typer(
        rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, **settings
    )


class Command(NamedTuple):
    """A command: its module under memctl.cli (which has `app`), its one line of help, whether it writes.

    reads: the commands below one that writes which only read.
    """

    module: str
    help: str
    writes: bool = False
    reads: tuple[str, ...] = ()


# In the order of a user's day. A command is one module and one line here.
COMMANDS = {
    "ingest": Command("ingest", "Import transcripts into the memory directory.", writes=True),
    "status": Command("status", "Show what the directory holds and what to run next."),
    "canvas": Command(
        "canvas", "List, show and archive the canvases (tasks drawn as flowcharts).", True, ("list", "show")
    ),
    "render": Command("render", "Draw a canvas in the terminal, as a web page, or as a picture."),
    "recall": Command("recall", "Find the memories a question is about."),
    "context": Command("context", "Print the messages to give an agent now, within a window."),
    "grep": Command("grep", "Find tool calls by their summary, call, tool or node."),
    "drill": Command("drill", "Follow any id down to the original bytes."),
    "session": Command("session", "List, show, export and trace sessions."),
    "extract": Command("extract", "Distil conversations into atoms, scenes and the persona.", writes=True),
    "atom": Command("atom", "List, show, forget and correct what is remembered.", True, ("list", "show")),
    "task": Command(
        "task",
        "Keep the working memory chain: begin, pause and resume tasks.",
        True,
        ("list", "show", "current"),
    ),
    "compact": Command("compact", "Archive, merge and tidy up; meant for cron.", writes=True),
    "trash": Command("trash", "List, restore or delete what compact moved away.", True, ("list",)),
    "prompt": Command("prompt", "Print a prompt for any model: summaries, canvas, atoms, ..."),
    "apply": Command("apply", "Apply a model's answer, as a whole or not at all.", writes=True),
    "clear": Command("clear", "Delete sessions, layers or a whole scope permanently.", writes=True),
    "graph": Command(
        "graph", "Keep facts as triples, find them, and set the agent's role.", True, ("recall",)
    ),
    "hook": Command("hook", "Let the memory grow while an agent works.", writes=True),
    "history": Command("history", "List the earlier versions of a scene or the persona."),
    "revert": Command("revert", "Restore an earlier version of a scene or the persona.", writes=True),
    "validate": Command("validate", "Check Mermaid flowcharts for anything that would not draw."),
    "diff": Command("diff", "Show what the memory learned between two git commits."),
    "check": Command("check", "Follow every reference both ways and report what is broken."),
    "git": Command("git", "Install a merge driver into this clone.", writes=True),
    "index": Command("index", "Build the search index or show its state.", True, ("status",)),
    "export": Command("export", "Write the memory in the form of TencentDB Agent Memory.", writes=True),
    "help": Command("manual", "Show the manual of a command."),
    "completion": Command("completion", "Print a Tab completion script for bash, zsh or fish."),
    "init": Command("init", "Create a memory directory.", writes=True),
}


class Program(typer.core.TyperGroup):
    """A group whose commands are imported when they are asked for: start-up is a feature."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is typer's
        """List the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature is typer's
        """Load a command's module and give it the options that all commands share."""
        known = COMMANDS.get(cmd_name)
        if known is None:
            return None
        module = importlib.import_module(f"memctl.cli.{known.module}")
        command = typer.main.get_command(module.app)
        command.name = cmd_name
        if not known.writes:
            _die_of_broken_pipes()
        for name in known.reads:
            below = command.commands[name]  # type: ignore[attr-defined]  # a group has commands
            below.callback = _dying_of_broken_pipes(below.callback)
        _share_options(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the signature is typer's
        """Write the list of commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


def _die_of_broken_pipes() -> None:
    """Let `| head -1` end a reading command as it ends any filter."""
    if _as_program and hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def _dying_of_broken_pipes(callback: Any) -> Any:
    @functools.wraps(callback)
    def called(*arguments: Any, **named: Any) -> Any:
        _die_of_broken_pipes()
        return callback(*arguments, **named)

    return called


_as_program = False

# --------------------------------------------------------------------------- shared options


def _set(name: str) -> Any:
    def remember(value: Any) -> Any:
        if value not in (None, False):
            setattr(output.settings, name, value)
        return value

    return remember


_shared = typer_app()


@_shared.command()
def _options(
    directory: Annotated[
        str | None,
        typer.Option(
            "-C", "--directory", metavar="DIR", help="The memory directory.", callback=_set("directory")
        ),
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "-q",
            "--quiet",
            help="Print only answers and errors: no notes, no report of what was done.",
            callback=_set("quiet"),
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print more notes on stderr.", callback=_set("verbose"))
    ] = False,
    team: Annotated[
        str | None,
        typer.Option("--team", metavar="NAME", help="The team whose memory to use.", callback=_set("team")),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", metavar="NAME", help="The agent whose memory to use.", callback=_set("agent")
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option("--user", metavar="NAME", help="The user whose memory to use.", callback=_set("user")),
    ] = None,
    color: Annotated[
        output.When | None,
        typer.Option(
            "--color",
            metavar="WHEN",
            help="When to use colour: auto, always or never.",
            callback=_set("color"),
        ),
    ] = None,
) -> None:
    """Hold the options that the program and every command share."""


def _share_options(command: Any) -> None:
    """Add the shared options to a command and all below it; what they say goes to `output.settings`."""
    for below in getattr(command, "commands", {}).values():
        _share_options(below)
    taken = {flag for param in command.params for flag in param.opts}
    for param in typer.main.get_command(_shared).params:
        param.expose_value = False
        if not taken & set(param.opts):
            command.params.append(param)


# --------------------------------------------------------------------------- the program

app = typer_app(cls=Program, no_args_is_help=True)


def _version(value: bool) -> None:
    if value:
        output.write(f"memctl {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Git for an agent's memory: transcripts in, a plain-file memory directory out.

    A typical day: memctl ingest ~/.claude/projects; memctl status; memctl canvas show 3; memctl drill 003-N4.
    """


def command() -> Any:
    """Give the program as typer's command object, with the shared options."""
    made = typer.main.get_command(app)
    _share_options(made)
    return made


def run(arguments: list[str], *, as_program: bool = False) -> int:
    """Run one command line and give its exit code; every error is printed here and nowhere else."""
    global _as_program  # noqa: PLW0603 - signals belong to the process, not to a value
    _as_program = as_program
    code = _ran(arguments)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    lost = streams.lost()
    if lost is None or code not in (ExitCode.OK, ExitCode.NO):
        return code
    return int(ExitCode.BROKEN_PIPE) if streams.is_broken_pipe(lost) else _cannot_write(lost)


def _ran(arguments: list[str]) -> int:
    output.settings.__init__()  # type: ignore[misc]  # fresh for each run in one process
    try:
        code = command().main(args=arguments, prog_name="memctl", standalone_mode=False)
        sys.stdout.flush()
    except MemctlError as problem:
        output.error(problem)
        return int(problem.code)
    except KeyboardInterrupt:
        output.note("interrupted; everything reported as done is stored, run the command again for the rest")
        return int(ExitCode.INTERRUPTED)
    except (BrokenPipeError, SystemExit) as problem:
        # typer makes an exit of a broken pipe; any other exit is a library's, and no answer of ours.
        cause = problem.__context__ if isinstance(problem, SystemExit) else problem
        if streams.never_raises() or not isinstance(cause, BrokenPipeError):
            return _unexpected(problem)
        _let_go_of_stdout()
        return int(ExitCode.BROKEN_PIPE)
    except UnicodeEncodeError as problem:
        if sys.getfilesystemencoding().lower() in ("utf-8", "utf8"):  # not the locale's fault, but ours
            return _unexpected(problem)
        output.error(StoreError("this locale cannot represent the file names; set LC_ALL=C.UTF-8"))
        return int(ExitCode.FAILED)
    except OSError as problem:
        code = _cannot_write(problem)
        _let_go_of_stdout()
        return code
    except Exception as problem:  # noqa: BLE001 - the one place where anything unexpected ends
        return _unexpected(problem)
    return code if isinstance(code, int) else 0


def _cannot_write(problem: OSError) -> int:
    where = f"{problem.filename}: " if problem.filename else "cannot write the answer: "
    with contextlib.suppress(OSError):
        output.error(StoreError(f"{where}{(problem.strerror or str(problem)).lower()}"))
    return int(ExitCode.FAILED)


def _unexpected(problem: BaseException) -> int:
    if hasattr(problem, "format_message"):  # typer's own usage errors, whatever their class is called
        message = str(problem.format_message())
        if message.startswith("Usage:"):  # no command at all: the help
            sys.stderr.write(message + "\n")
            return int(ExitCode.USAGE)
        context = getattr(problem, "ctx", None)
        hint = f" (try `{context.command_path} --help`)" if context else ""
        output.error(UsageError(f"{message.rstrip('.')}{_meant(message, context)}{hint}"))
        return int(ExitCode.USAGE)
    if type(problem).__name__ == "Abort":
        if not isinstance(problem.__cause__, EOFError):
            return int(ExitCode.INTERRUPTED)
        problem = problem.__cause__  # typer takes any end of a file for that of a terminal
    with contextlib.suppress(OSError):
        output.bug(type(problem).__name__, "".join(traceback.format_exception(problem)))
    return int(ExitCode.BUG)


def _meant(message: str, context: Any) -> str:
    """Say what may have been meant by a command that is none, or by a session's id that no option takes."""
    if context is None:
        return ""
    if message.startswith("No such command") and "Did you mean" not in message:  # typer looks below a group
        from difflib import get_close_matches

        near = get_close_matches(message.partition("'")[2].rpartition("'")[0], COMMANDS, 1)
        return f"; did you mean {near[0]!r}?" if near else ""
    flags = {flag for param in context.command.params for flag in param.opts}
    if message.startswith("Got unexpected extra argument") and "--session" in flags:
        return "; use --session ID to name a session"
    return ""


def _let_go_of_stdout() -> None:
    """Point stdout nowhere, so that Python's last flush does not complain again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
