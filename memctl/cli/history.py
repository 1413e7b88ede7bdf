"""`memctl history`."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

import typer

from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_page
from memctl.model import Json
from memctl.passes import versions

app = typer_app()

EXAMPLES = (
    ("memctl history persona", "Show how the persona changed."),
    ("memctl revert persona 1", "Undo the last change."),
)

PathArgument = Annotated[str, typer.Argument(metavar="PATH", help="A scene's file or name, or persona.md.")]


@app.command()
def history(
    path: PathArgument,
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List the earlier versions of a scene or the persona, newest first: number, time, author, size.

    1 is the version just before the current one; `memctl revert PATH 1` restores it. The name begins with the
    time of the newest evidence in it; the time after it is when the version was replaced, in UTC.
    """
    output.settings.format = form
    store = output.store()
    found = the_page(store, path)
    rows = [
        {
            "number": one.number,
            "version": one.name,
            "kept": datetime.fromtimestamp(one.kept, UTC)
            .isoformat(timespec="seconds")
            .replace("+00:00", "Z"),
            "by": one.by,
            "bytes": one.size,
            "path": output.shown(one.path),
        }
        for one in reversed(versions.listed(store, found))
    ]
    if not output.answer("versions", rows, text=_line, fields=fields or ("path" if nul else ""), nul=nul):
        output.note(f"{store.relative(found)} has no earlier versions")


def _line(row: Mapping[str, Json]) -> str:
    kept = str(row["kept"]).replace("T", " ").removesuffix("Z")
    return (
        f"{row['number']:>3}  {row['version']}  {kept}  {row['by']:<6} {row['bytes']:>8} bytes  {row['path']}"
    )
