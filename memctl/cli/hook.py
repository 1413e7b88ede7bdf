"""`memctl hook claude-code|codex|install`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from memctl import files, store as stores
from memctl.cli import output, program
from memctl.cli.app import TYPER
from memctl.engine import hooks, installing
from memctl.errors import UsageError

app = typer.Typer(help="Let a running agent's memory grow while it works.", no_args_is_help=True, **TYPER)  # type: ignore[arg-type]  # one dict

EXAMPLES = (
    ("memctl -C ~/memory hook install claude-code --user", "Remember every session from now on."),
    (
        "memctl hook install claude-code --project --dry-run",
        "See what would change in .claude/settings.json.",
    ),
)


@app.command("claude-code")
def claude_code() -> None:
    """Serve a hook of Claude Code: its event comes on stdin.

    What is new in the transcript is taken in; a session that starts is given persona, scenes and the task at
    hand. Never takes longer than a second and never fails: trouble goes to .memctl/hook.log. Taking in is the work
    of one process behind the hooks, which ends when none has called for half a minute; a hook waits for it a moment.
    """
    hooks.run("claude-code", output.settings.directory, None)


@app.command()
def codex(
    event: Annotated[
        str | None,
        typer.Argument(metavar="[JSON]", help="The event, as Codex's notify gives it; else stdin."),
    ] = None,
) -> None:
    """Serve Codex's notify: set `notify = ["memctl", "-C", "DIR", "hook", "codex"]` in its config.toml.

    The transcript is found by the thread's id under ~/.codex/sessions (or $CODEX_HOME).
    """
    hooks.run("codex", output.settings.directory, event)


@app.command()
def install(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="claude-code.")],
    project: Annotated[
        bool, typer.Option("--project", help="In .claude/settings.json of this folder.")
    ] = False,
    user: Annotated[
        bool, typer.Option("--user", help="In the user's own settings, for all projects.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
) -> None:
    """Write the hooks into Claude Code's settings.json; everything else in it stays.

    A second time changes nothing; with another -C the hooks follow the directory.
    """
    if agent != "claude-code":
        hint = '; put notify = ["memctl", "hook", "codex"] into config.toml' if agent == "codex" else ""
        raise UsageError(f"no installer for {agent!r}{hint}; there is one for claude-code")
    if project == user:
        raise UsageError("say whose settings: --project or --user")
    home = Path(os.path.abspath(stores.find(output.settings.directory)))
    path = installing.settings_path(user=user)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    after = installing.installed(before, installing.command_for(program.path(), str(home)), str(path))
    shown = output.shown(path)
    if before == after:
        output.write(f"{shown}: the hooks are in place")
        return
    if dry_run:
        output.write(installing.diff(before, after, shown))
        return
    if stores.create(home):
        output.note(f"made the memory directory {output.shown(home)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_beside(path, after.encode())
    output.write(f"{shown}: hooks for {', '.join(installing.EVENTS)}")
    output.write(f"memory: {output.shown(home)}")
