"""`memctl index`."""

import time

from memctl.ask.index import Index, look
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.status import human
from memctl.errors import ExitCode
from memctl.index import refresh
from memctl.model import Json

app = typer_app(no_args_is_help=True)


@app.callback()
def index() -> None:
    """Build the search index or show its state.

    `memctl recall` builds the index and keeps it up to date by itself. It lives in the user's cache directory
    and can be deleted at any time.
    """


@app.command()
def build(form: output.FormatOption = output.Format.TEXT) -> None:
    """Rebuild the index from the files."""
    output.settings.format = form
    store = output.store()
    start = time.monotonic()
    refresh.opened(store, output.note, output.progress, afresh=True)
    found = look(store)
    if form is output.Format.TEXT:
        total = sum(found.documents.values())
        took = time.monotonic() - start
        output.write(f"indexed {total:,} documents in {took:.1f} s: {_layers(found)}; {_signals(found)}")
    else:
        _data(found, form)


@app.command()
def status(form: output.FormatOption = output.Format.TEXT) -> None:
    """Show what is indexed, with which embedder, its size and age, and what changed since."""
    output.settings.format = form
    found = look(output.store())
    if form is not output.Format.TEXT:
        _data(found, form)
    elif found.problem:
        output.write(f"index      unusable: {found.problem}")
    elif not found.documents:
        output.write("index      none yet; `memctl recall` or `memctl index build` creates it")
    else:
        output.write(f"index      {found.folder}   {human(found.size)}, built {found.built}")
        output.write(f"documents  {sum(found.documents.values()):,}: {_layers(found)}")
        output.write(f"signals    {_signals(found)}")
        output.write(f"drift      {_drift(found)}")
    if not found.documents:
        output.finish(ExitCode.NO)


def _layers(found: Index) -> str:
    return ", ".join(f"{number:,} {layer}" for layer, number in found.documents.items() if number) or "none"


def _signals(found: Index) -> str:
    if found.vectors:
        return f"words and vectors ({found.embedder}, {found.dimension} dimensions)"
    return f"words only: {found.why}"


def _drift(found: Index) -> str:
    parts = [
        f"{len(names)} {what}"
        for what, names in (
            ("new", found.drift.new),
            ("changed", found.drift.changed),
            ("gone", found.drift.gone),
        )
        if names
    ]
    return f"files {', '.join(parts)}; the next recall indexes them" if parts else "none"


def _data(found: Index, form: output.Format) -> None:
    data: dict[str, Json] = {
        "folder": found.folder,
        "bytes": found.size,
        "built": found.built,
        "documents": dict(found.documents),
        "signals": ["words", "vectors"] if found.vectors else ["words"],
        "embedder": found.embedder,
        "dimension": found.dimension,
        "why": found.why,
        "problem": found.problem,
        "drift": {
            "new": list(found.drift.new),
            "changed": list(found.drift.changed),
            "gone": list(found.drift.gone),
        },
    }
    if form is output.Format.JSON:
        output.document("index", data)
    else:
        output.records([data])
