"""`memctl trash list|restore|empty`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from memctl import files
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.status import human
from memctl.errors import UsageError
from memctl.model import Json
from memctl.passes import trash as passes
from memctl.passes.trash import Trashed
from memctl.text.numbers import how_many

app = typer_app(help="List, restore or delete what compact moved away.", no_args_is_help=True)

EXAMPLES = (
    ("memctl trash list", "List what was moved away, and when."),
    ("memctl trash restore 2026-11-29T22-00-00Z", "Restore what one run of compact moved away."),
    ("memctl trash empty --older-than 30 --yes", "Permanently delete what has been there for a month."),
)

DryOption = Annotated[bool, typer.Option("--dry-run", help="Print what would be done; change nothing.")]


@app.command("list")
def list_trash(
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List what is in the trash, oldest first: when it was moved there, its size, its path."""
    output.settings.format = form
    rows = map(_data, passes.listed(output.store()))
    output.answer("trash", rows, text=_line, fields=fields or ("id" if nul else ""), nul=nul)


@app.command()
def restore(
    things: Annotated[
        list[str],
        typer.Argument(
            metavar="THING...", help="Ids, paths or file names; a folder or a time restores everything in it."
        ),
    ],
    dry_run: DryOption = False,
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Restore files to where they were.

    The next compact moves files that nothing points to away again.
    """
    output.settings.format = form
    store = output.store()
    with files.locked(store.home, wait):
        known = passes.listed(store)
        found = list(dict.fromkeys(one for given in things for one in passes.chosen(known, given)))
        for one in () if dry_run else found:
            passes.restore(store, one)
    output.answer("restored", map(_data, found), text=_line)


@app.command()
def empty(
    older: Annotated[
        int,
        typer.Option(
            "--older-than", metavar="DAYS", min=0, help="Only files that have been there longer than this."
        ),
    ] = 0,
    dry_run: DryOption = False,
    yes: output.YesOption = False,
    now: Annotated[
        str, typer.Option("--now", metavar="TIME", help="Decide as if it were this time (ISO 8601).")
    ] = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Delete the files in the trash permanently. Asks first on a terminal; elsewhere --yes is needed."""
    output.settings.format = form
    store = output.store()
    things = passes.older_than(passes.listed(store), output.now(now), older)
    size = human(sum(one.size for one in things))
    if things and not dry_run:
        if not output.confirmed(f"Permanently delete {len(things):,} in the trash ({size})?", yes=yes):
            raise UsageError("nothing was deleted")
        with files.locked(store.home, wait):
            passes.empty(store, things)
    output.answer("deleted", map(_data, things), text=_line)
    many = f"{how_many(len(things), 'file')} ({size})"
    output.note(f"{'would delete' if dry_run else 'deleted'} {many}")


def _data(thing: Trashed) -> dict[str, Json]:
    return {"id": thing.id, "path": thing.path, "trashed": thing.when, "bytes": thing.size}


def _line(row: Mapping[str, Json]) -> str:
    return f"{row['trashed']}  {human(row['bytes']):>7}  {row['path']}"
