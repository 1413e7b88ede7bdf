"""`memctl init`."""

from pathlib import Path
from typing import Annotated

import typer

from memctl import store
from memctl.cli import output
from memctl.cli.app import TYPER
from memctl.errors import NoDirectoryError

app = typer.Typer(**TYPER)  # type: ignore[arg-type]  # one dict for every app


@app.command()
def init(
    directory: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="Where; else -C DIR, else ./memory.")
    ] = None,
) -> None:
    """Make a memory directory: settings, .gitignore and .gitattributes.

    Files that are there already stay as they are. `memctl ingest` makes the directory by itself, too.
    """
    home = Path(directory) if directory else store.find(output.settings.directory)
    if home.is_file():
        raise NoDirectoryError(f"{home} is a file; name a folder for the memory directory")
    made = store.create(home, among_others=True)
    output.note(
        f"{'made' if made else 'nothing to do:'} {home}{'' if made else ' is a memory directory already'}"
    )
