"""`memctl hook claude-code|codex|install`."""

import os
import shutil
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
    hand. Never takes longer than a second where the machine keeps up ($MEMCTL_HOOK_SECONDS can give it more), and
    never fails: trouble goes to .memctl/hook.log, and so does that a session had to begin without. Taking in is the
    work of one process behind the hooks of all agents, which the first of them starts; a hook waits for it a moment.
    It ends when none has called for half a minute ($MEMCTL_HOOK_LINGER seconds), or when the directory is gone; `ps`
    shows it as a Python with `memctl.engine.hooks` and the directory. Killed at any moment it loses nothing.
    """
    hooks.run("claude-code", output.settings.directory, None, scoped=any(output.scope()))


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
    hooks.run("codex", output.settings.directory, event, scoped=any(output.scope()))


@app.command()
def install(
    named: Annotated[str, typer.Argument(metavar="AGENT", help="claude-code.")],
    project: Annotated[
        bool, typer.Option("--project", help="In .claude/settings.json of this folder, which a team commits.")
    ] = False,
    local: Annotated[
        bool, typer.Option("--local", help="In .claude/settings.local.json of this folder, for this machine.")
    ] = False,
    user: Annotated[
        bool, typer.Option("--user", help="In the user's own settings, for all projects.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
) -> None:
    """Write the hooks into Claude Code's settings.json; everything else in it stays.

    With --project they call the `memctl` on the PATH, on a directory inside the project wherever the project is, so
    that the settings serve a whole team; with --local and --user they name both by their full paths here. A second
    time changes nothing; with another -C the hooks follow the directory.
    """
    if named != "claude-code":
        hint = '; put notify = ["memctl", "hook", "codex"] into config.toml' if named == "codex" else ""
        raise UsageError(f"no installer for {named!r}{hint}; there is one for claude-code")
    whose = [name for name, given in (("project", project), ("local", local), ("user", user)) if given]
    if len(whose) != 1:
        raise UsageError("say whose settings: --project, --local or --user")
    if any(output.scope()):
        raise UsageError(hooks.SCOPED)
    home = Path(os.path.abspath(stores.find(output.settings.directory)))
    path = installing.settings_path(whose[0])
    if project:
        command = installing.shared_command(str(home), os.getcwd())
        if shutil.which("memctl") is None:
            output.note("there is no memctl on the PATH here, where these hooks look for it")
    else:
        command = installing.command_for(program.path(), str(home))
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    after = installing.installed(before, command, str(path))
    shown = output.shown(path)
    if before == after:
        output.write(f"{shown}: the hooks are in place")
        return
    if dry_run:
        output.write(installing.diff(before, after, shown))
        return
    if stores.create(home):
        output.note(f"made the memory directory {output.shown(home)}")
    files.make_folder(path.parent, private=user)
    files.write_beside(path.resolve(), after.encode(), private=user)  # a link among dotfiles stays one
    output.write(f"{shown}: hooks for {', '.join(installing.EVENTS)}")
    output.write(f"memory: {output.shown(home)}")
