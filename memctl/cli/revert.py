"""`memctl revert`."""

from typing import Annotated

import typer

from memctl import files
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.history import PathArgument
from memctl.cli.named import the_page
from memctl.passes import versions

app = typer_app()


@app.command()
def revert(
    path: PathArgument,
    version: Annotated[
        str,
        typer.Argument(
            metavar="VERSION", help="The version's number in `memctl history`, or a part of its name."
        ),
    ],
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Restore an earlier version of a scene or the persona, byte for byte; the current version is kept.

    The next extract rewrites memctl's own block: to change what it says, correct or forget the atom.
    """
    output.settings.format = form
    store = output.store()
    with files.locked(store.home, wait):
        found = the_page(store, path)
        batch = files.Batch(store.home)
        restored = versions.restore(store, batch, found, version, None)
        batch.commit()
    if form is output.Format.TEXT:
        output.write(f"{output.shown(found)} was restored to {restored.name}")
    else:
        data = {"path": output.shown(found), "version": restored.name}
        output.document("revert", data) if form is output.Format.JSON else output.records([data])
    output.detail("the next extract rewrites memctl's own block")
