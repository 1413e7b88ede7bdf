"""`memctl export --tdai DIR`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.tdai.export import export as write

app = typer_app()

EXAMPLES = (("memctl export --tdai theirs", "Write a directory that TencentDB Agent Memory reads."),)


@app.command()
def export(
    tdai: Annotated[
        str, typer.Option("--tdai", metavar="DIR", help="The folder to create for TencentDB Agent Memory.")
    ],
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Write the memory in the form of TencentDB Agent Memory: entries, refs, canvases, shards, scenes, persona.

    What was forgotten or superseded is left out. The memory directory is not changed.
    """
    output.settings.format = form
    done = asdict(write(output.store(), Path(tdai)))
    if form is output.Format.TEXT:
        told = ", ".join(f"{number:,} {name}" for name, number in done.items() if number)
        output.write(f"{tdai}: {told or 'nothing to write'}")
    else:
        output.document("export", done) if form is output.Format.JSON else output.records([done])
