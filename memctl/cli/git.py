"""`memctl git`: an optional merge driver for a repository of memory."""

from pathlib import Path
from typing import Annotated

import typer

from memctl import files, git as room
from memctl.cli import output, program
from memctl.cli.app import typer_app
from memctl.errors import ExitCode
from memctl.git import driver

app = typer_app(no_args_is_help=True)

EXAMPLES = (
    ("memctl git install", "Let git merge canvases, tasks, scenes and the persona without stopping."),
    ("memctl git install --dry-run", "Show what would be written, and where."),
)


@app.callback()
def git() -> None:
    """Install an optional merge driver for memory in this clone."""


@app.command()
def install(
    remove: Annotated[bool, typer.Option("--remove", help="Remove the driver again.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be written; write nothing.")
    ] = False,
) -> None:
    """Register memctl as the merge driver for canvases, tasks, scenes and the persona in this clone.

    This writes the repository's own config and .git/info/attributes; nothing is committed. Without the driver a
    merge may stop, and `memctl check --fix` resolves it; the driver only avoids the stop. Run
    `memctl check --fix --commit` after a merge in either case.
    """
    home = output.store().home
    write = driver.plan if dry_run else driver.remove if remove else driver.install
    wanted = write(home, program.path())
    sign = "-" if remove else "+"
    for name, value in wanted.config:
        output.write(f"{sign} git config {name} {value!r}")
    for line in wanted.lines:
        output.write(f"{sign} {output.shown(wanted.attributes)}: {line}")
    if dry_run:
        output.note("nothing was written")


@app.command(name="merge-driver", hidden=True)
def merge_driver(base: str, ours: str, theirs: str, path: str) -> None:
    """Settle one file for git: `%O %A %B %P`. What cannot be settled alone is left for `check --fix`."""
    from memctl.check.fix import inside_scope
    from memctl.check.sides import settled

    read = [Path(name).read_bytes() for name in (base, ours, theirs)]
    top = room.top(Path.cwd()) or Path.cwd()
    found = settled(top, inside_scope(path), read[0] or None, read[1], read[2])
    if found.beside or found.kept:
        output.finish(ExitCode.NO)  # git stops here, and `check --fix` has the index to read
    files.write_beside(Path(ours), found.data)
