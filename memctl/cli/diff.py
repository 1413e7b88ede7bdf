"""`memctl diff`."""

from typing import Annotated

import typer

from memctl import git
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.diff import Diff, diff as compare
from memctl.diff.told import lines
from memctl.errors import ExitCode, UsageError
from memctl.model import Json

app = typer_app()

EXAMPLES = (
    ("memctl diff", "Show what is not committed yet."),
    ("memctl diff HEAD~7 HEAD", "Show what the memory learned in the last seven commits."),
    (
        "memctl diff --exit-code >/dev/null || memctl extract --commit",
        "Run a command only if there are differences.",
    ),
)


@app.command()
def diff(
    revisions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[REV [REV]]", help="Git commits; by default HEAD and the current files."),
    ] = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if there are differences.")
    ] = False,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Show what the memory learned: sessions, nodes with their status before and after, atoms, tasks, files.

    Without REV, show what is not committed yet; with one REV, the changes from that commit to the current files;
    with two, or with `REV..REV`, those from one commit to the other. Forgotten atoms are named by their id only.
    """
    output.settings.format = form
    given = revisions or []
    if len(given) == 1 and ".." in given[0] and "..." not in given[0]:
        given = [side or "HEAD" for side in given[0].split("..", 1)]
    if len(given) > 2:
        raise UsageError("diff takes at most two revisions")
    store = output.store()
    git.need(store.home)
    old = given[0] if given else ("HEAD" if git.has_commit(store.home) else None)
    found = compare(store, old, given[1] if len(given) == 2 else None)
    if form is output.Format.JSON:
        output.document("diff", found.data())
    elif form is output.Format.JSONL:
        output.records(_records(found))
    else:
        for line in lines(found):
            output.write(output.cut(line))
    if found and exit_code:
        output.finish(ExitCode.NO)


def _records(found: Diff) -> list[Json]:
    """Give each change as a record of its own, with what it is of."""
    kinds = {"sessions": "session", "canvases": "canvas", "atoms": "atom", "tasks": "task", "files": "file"}
    data = found.data()
    return [{"of": kind, **row} for name, kind in kinds.items() for row in data[name]]
