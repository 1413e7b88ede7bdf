"""`memctl init`."""

from pathlib import Path
from typing import Annotated

import typer

from memctl import store
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.errors import NoDirectoryError

app = typer_app()


@app.command()
def init(
    directory: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="Where to create it; by default -C DIR, else ./memory."),
    ] = None,
) -> None:
    """Create a memory directory: settings, .gitignore and .gitattributes.

    Existing files stay as they are. `memctl ingest` also creates the directory when it is missing.
    """
    home = Path(directory) if directory else store.find(output.settings.directory)
    if home.is_file():
        raise NoDirectoryError(f"{home} is a file; name a folder for the memory directory")
    made = store.create(home, among_others=True)
    output.note(
        f"{'created' if made else 'nothing to do:'} {home}{'' if made else ' is already a memory directory'}"
    )
