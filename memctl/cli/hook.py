"""`memctl hook claude-code|codex|install`."""

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from memctl import files, store as stores
from memctl.cli import output, program
from memctl.cli.app import typer_app
from memctl.engine import hooks, installing
from memctl.errors import UsageError

app = typer_app(help="Let the memory grow while an agent works.", no_args_is_help=True)

EXAMPLES = (
    ("memctl -C ~/memory hook install claude-code --user", "Record every session from now on."),
    (
        "memctl hook install claude-code --project --dry-run",
        "Show what would change in .claude/settings.json.",
    ),
)


@app.command("claude-code")
def claude_code() -> None:
    """Serve a hook of Claude Code; the event is read from stdin.

    A hook imports what is new in the transcript; a session that starts is given the persona, the scenes and the
    current task. It takes no longer than a second unless the machine is overloaded ($MEMCTL_HOOK_SECONDS allows
    more), and it never fails: problems are logged in .memctl/hook.log, and so is a session that had to start
    without its memories. The import is done by one background process for the hooks of all agents; the first hook
    starts it, and a hook waits for it only briefly. It exits when no hook has called for half a minute
    ($MEMCTL_HOOK_LINGER seconds) or when the directory is gone; `ps` shows it as Python with `memctl.engine.hooks`
    and the directory. It can be killed at any moment without losing anything.
    """
    hooks.run("claude-code", output.settings.directory, None, scoped=any(output.scope()))


@app.command()
def codex(
    event: Annotated[
        str | None,
        typer.Argument(
            metavar="[JSON]", help="The event as Codex's notify passes it; read from stdin if missing."
        ),
    ] = None,
) -> None:
    """Serve Codex's notify; set `notify = ["memctl", "-C", "DIR", "hook", "codex"]` in its config.toml.

    The transcript is found by the thread's id under ~/.codex/sessions (or $CODEX_HOME).
    """
    hooks.run("codex", output.settings.directory, event, scoped=any(output.scope()))


@app.command()
def install(
    named: Annotated[str, typer.Argument(metavar="AGENT", help="claude-code.")],
    project: Annotated[
        bool,
        typer.Option("--project", help="Write .claude/settings.json in this folder, which a team commits."),
    ] = False,
    local: Annotated[
        bool,
        typer.Option("--local", help="Write .claude/settings.local.json in this folder, for this machine."),
    ] = False,
    user: Annotated[
        bool, typer.Option("--user", help="Write the user's own settings, for all projects.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
) -> None:
    """Write the hooks into Claude Code's settings.json; everything else in it stays.

    With --project the hooks call the `memctl` on PATH, with a directory relative to the project, so the settings
    work for a whole team; with --local and --user they name both by their full paths. Running it again changes
    nothing; with another -C the hooks switch to that directory.
    """
    if named != "claude-code":
        hint = '; put notify = ["memctl", "hook", "codex"] into config.toml' if named == "codex" else ""
        raise UsageError(f"no installer for {named!r}{hint}; only claude-code has one")
    whose = [name for name, given in (("project", project), ("local", local), ("user", user)) if given]
    if len(whose) != 1:
        raise UsageError("choose the settings to write: --project, --local or --user")
    if any(output.scope()):
        raise UsageError(hooks.SCOPED)
    home = Path(os.path.abspath(stores.find(output.settings.directory)))
    path = installing.settings_path(whose[0])
    if project:
        command = installing.shared_command(str(home), os.getcwd())
        if shutil.which("memctl") is None:
            output.note("warning: `memctl` is not on PATH, but these hooks need it there")
    else:
        command = installing.command_for(program.path(), str(home))
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    after = installing.installed(before, command, str(path))
    shown = output.shown(path)
    if before == after:
        output.write(f"{shown}: the hooks are already installed")
        return
    if dry_run:
        output.write(installing.diff(before, after, shown))
        return
    if stores.create(home):
        output.note(f"created the memory directory {output.shown(home)}")
    files.make_folder(path.parent, private=user)
    files.write_beside(path.resolve(), after.encode(), private=user)  # a link among dotfiles stays one
    output.write(f"{shown}: hooks for {', '.join(installing.EVENTS)}")
    output.write(f"memory: {output.shown(home)}")
