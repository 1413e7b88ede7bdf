"""`memctl render`."""

import enum
import sys
from pathlib import Path
from typing import Annotated

import typer

from memctl import files
from memctl.ask import canvas_files
from memctl.canvas.mmd import parse_canvas
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_canvas
from memctl.errors import InputError, MemctlError, UsageError
from memctl.model import Canvas
from memctl.store import Store, number_of, refs

app = typer_app()

EXAMPLES = (
    ("memctl render 3", "Draw canvas 3 in the terminal."),
    (
        "memctl render 3 --to html -o task.html",
        "Write one page whose steps open to calls, and calls to results.",
    ),
    ("memctl render docs/flow.mmd --to svg > flow.svg", "Draw any Mermaid flowchart, offline."),
)


class Target(enum.StrEnum):
    """What a canvas is drawn as."""

    TERMINAL = "terminal"
    MERMAID = "mermaid"
    HTML = "html"
    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    INK = "mermaid-ink"


@app.command()
def render(
    canvas: Annotated[
        str,
        typer.Argument(metavar="CANVAS", help="A number, words of the goal, a Mermaid file, or -."),
    ],
    to: Annotated[
        Target,
        typer.Option("--to", metavar="KIND", help="terminal, mermaid, html, svg, png, pdf or mermaid-ink."),
    ] = Target.TERMINAL,
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of stdout.")
    ] = "",
    width: Annotated[
        int, typer.Option("--width", metavar="N", min=0, help="Width in columns, or in pixels for pictures.")
    ] = 0,
    ascii_view: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
    server: Annotated[
        str,
        typer.Option("--server", metavar="URL", help="Send the diagram's source to this Mermaid Ink server."),
    ] = "",
) -> None:
    """Draw a canvas, or any Mermaid flowchart, in the terminal, as a web page, or as a picture.

    Everything is drawn locally, without network access; pictures need the extra `render`. Only mermaid-ink sends
    the diagram's source to a server, the one you name.
    """
    text, drawn, store = _source(canvas)
    if to is Target.TERMINAL:
        _show(text, drawn, width or output.width(), ascii_view=ascii_view or output.ascii_only())
        return
    data = _drawn(text, drawn, store, to, width or None, server)
    if out and out != "-":
        files.write_beside(Path(out), data, private=output.is_inside(Path(out)))
        return
    if to in (Target.PNG, Target.PDF) and sys.stdout.isatty():
        raise UsageError(f"{to.value} output would garble the terminal; use -o FILE or a pipe")
    output.write_bytes(data)


def _source(given: str) -> tuple[str, Canvas | None, Store | None]:
    """Give the Mermaid text, the canvas it is (if it is one), and the directory it stands in."""
    if given == "-":
        text = files.read_standard_input().decode("utf-8", "surrogateescape")
        return text, parse_canvas(text)[0], None
    if Path(given).is_file():
        try:
            text = Path(given).read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise InputError(f"{given}: {error.strerror or error}") from error
        number = number_of(Path(given)) or None
        return text, parse_canvas(text, number)[0] if number else None, None
    store = output.store()
    path = the_canvas(store, given)
    return files.read_bytes(path).decode("utf-8", "replace"), canvas_files.canvas_at(path), store


def _show(text: str, drawn: Canvas | None, width: int, *, ascii_view: bool) -> None:
    if drawn is not None and drawn.nodes:
        from memctl.canvas.view import view_canvas

        output.lines(view_canvas(drawn, width, ascii=ascii_view))
        return
    from memctl.canvas.chartview import view_flowchart

    output.lines(view_flowchart(text, width, ascii=ascii_view))


def _drawn(
    text: str, drawn: Canvas | None, store: Store | None, to: Target, width: int | None, server: str
) -> bytes:
    from memctl.canvas import pictures

    if to is Target.MERMAID:
        return (pictures.to_mermaid(drawn) if drawn is not None else text).encode("utf-8", "surrogateescape")
    if to is Target.HTML:
        if drawn is None or store is None:
            raise UsageError(
                "an HTML page shows calls and results, so it needs a canvas of a memory directory"
            )
        return _page(drawn, store).encode("utf-8", "replace")
    if to is Target.INK:
        if not server:
            raise UsageError("mermaid-ink sends the diagram's source to a server; name it with --server URL")
        return pictures.draw_with_ink(text, "svg", server)
    forms: dict[Target, pictures.Format] = {Target.SVG: "svg", Target.PNG: "png", Target.PDF: "pdf"}
    return pictures.draw(pictures.to_mermaid(drawn) if drawn is not None else text, forms[to], width=width)


def _page(drawn: Canvas, store: Store) -> str:
    from memctl.canvas.webpage import web_page

    held = [found.entry for found in canvas_files.session_entries(store, drawn.session)]
    mine = [entry for entry in held if canvas_files.node_number(entry, drawn.number) is not None]
    texts: dict[str, str] = {}
    for entry in mine:
        if entry.result_ref and entry.result_ref not in texts:
            try:
                texts[entry.result_ref] = refs.text(store.root, entry.result_ref)
            except MemctlError as problem:
                output.note(str(problem))
    return web_page(drawn, mine, texts)
