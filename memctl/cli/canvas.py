"""`memctl canvas list|show|archive|reopen|fmt`."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, get_args

import typer

from memctl import files
from memctl.ask import canvas_files, drill, find
from memctl.ask.status import CanvasLine, listed
from memctl.canvas.mmd import parse_canvas, write_canvas
from memctl.canvas.view import view_canvas
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_canvas
from memctl.cli.status import canvas_data, canvas_line, state_width
from memctl.errors import ExitCode, InputError, UsageError
from memctl.model import Canvas, CanvasStatus, Json
from memctl.passes import archive as passes
from memctl.store import Store, entries, number_of

app = typer_app(help="List, show, archive and format the canvases.", no_args_is_help=True)
_STATUSES: tuple[str, ...] = get_args(CanvasStatus)


@app.command("list")
def list_canvases(
    status: Annotated[
        str,
        typer.Option(
            "--status", metavar="STATUS,...", help="Only canvases of this status: active, paused, ..."
        ),
    ] = "",
    form: output.FormatOption = output.Format.TEXT,
    fields: output.PrintOption = "",
    nul: output.NulOption = False,
) -> None:
    """List the canvases by number: status, share done, nodes, goal.

    An archived canvas shows its earlier status: `active (archived)` is unfinished. --status takes active,
    paused, completed, cancelled and archived.
    """
    output.settings.format = form
    lines, unreadable = listed(output.store())
    wanted = {word for word in status.split(",") if word}
    if unknown := sorted(wanted - set(_STATUSES)):
        raise UsageError(f"no status {unknown[0]!r}; choose from {', '.join(_STATUSES)}")
    kept = {line.id: line for line in lines if not wanted or line.canvas.status in wanted}
    width = state_width(kept.values())

    def text(row: Mapping[str, Json]) -> str:
        return canvas_line(kept[row["id"]], states=width)

    rows = [canvas_data(line) for line in kept.values()]
    output.answer("canvases", rows, text=text, fields=fields or ("path" if nul else ""), nul=nul)
    for path in unreadable:
        output.note(_unreadable(path))


def _unreadable(path: Path) -> str:
    name = output.shown(path)
    return f"{name} cannot be read as a canvas; `memctl validate {name}` says why"


@app.command()
def show(
    canvas: Annotated[
        list[str],
        typer.Argument(metavar="CANVAS...", help="A number, a node's id, a file, or words of the goal."),
    ],
    form: output.FormatOption = output.Format.TEXT,
    level: Annotated[
        int,
        typer.Option("--level", metavar="N", min=0, max=3, help="0 one line, 1 canvas, 2 calls, 3 results."),
    ] = 1,
    source: Annotated[bool, typer.Option("--mermaid", help="Print the Mermaid source instead.")] = False,
    ascii_view: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
    width: Annotated[
        int, typer.Option("--width", metavar="N", min=0, help="Format for this many columns.")
    ] = 0,
) -> None:
    """Show a canvas: the goal, the progress, every step with what it found, and how the steps are connected.

    Several numbers show one canvas after another; any other words are taken together as words of one goal.
    """
    output.settings.format = form
    store = output.store()
    several = len(canvas) > 1 and all(find.is_number(given) for given in canvas)
    if several and form is output.Format.JSON:
        raise UsageError("--format json shows one canvas; --format jsonl shows several")
    paths = [the_canvas(store, given) for given in (canvas if several else [" ".join(canvas)])]
    if source:
        for path in paths:
            output.write_bytes(files.read_bytes(path))
        return
    rows: list[dict[str, Json]] = []
    for number, path in enumerate(paths):
        found = canvas_files.canvas_at(path)
        if found is None:
            raise InputError(_unreadable(path))
        if level == 0 and form is output.Format.TEXT:
            output.write(canvas_line(CanvasLine(path.stem, path, found)))
        elif level == 0:
            rows.append(metadata(path, found))
        elif form is output.Format.TEXT:
            if number:
                output.write("")
            output.lines(view_canvas(found, width or output.width(), ascii=ascii_view or output.ascii_only()))
            if level >= 2:
                _show_calls(store, found, results=level == 3)
        else:
            rows.append(_data(path, found))
            if level >= 2:
                listed = canvas_files.canvas_entries(store, found)
                rows[-1]["calls"] = [entries.to_fields(entry) for entry in listed]
    if form is output.Format.JSON:
        output.document("canvas" if level else "metadata", rows[0])
    elif rows:
        output.records(rows)


def metadata(path: Path, canvas: Canvas) -> dict[str, Json]:
    """Give the one line that stands for a folded task, with the field names of the original."""
    return {
        "taskGoal": canvas.goal,
        "status": canvas.status,
        "nodeCount": CanvasLine(path.stem, path, canvas).nodes,
        "updatedTime": canvas.updated,
        "mmdFilePath": output.shown(path),
    }


def _show_calls(store: Store, canvas: Canvas, *, results: bool) -> None:
    """Print the calls of a canvas node by node, and with *results* what came back, in full."""
    node = None
    for entry in canvas_files.canvas_entries(store, canvas):
        if entry.node_id != node:
            node = entry.node_id
            output.write(f"\n{node}")
        output.write(f"  > {entry.tool_call}")
        output.write(f"  < {entry.status}  {entry.summary}")
        if results and entry.status != "missing":
            output.write(drill.result_bytes(store, entry).decode("utf-8", "replace"))


def _data(path: Path, canvas: Canvas) -> Json:
    nodes = [
        {
            "id": f"{canvas.number:03d}-N{node.number}",
            "title": node.title,
            "status": node.status,
            "summary": node.summary,
            "time": node.timestamp,
            "shape": node.shape,
            "folded": [list(pair) for pair in node.folded],
        }
        for node in canvas.nodes
    ]
    edges = [
        {
            "from": f"{canvas.number:03d}-N{edge.source}",
            "to": f"{canvas.number:03d}-N{edge.target}",
            "label": edge.label,
            "uses": edge.dotted,
        }
        for edge in canvas.edges
    ]
    return canvas_data(CanvasLine(path.stem, path, canvas)) | {"steps": nodes, "edges": edges}


CanvasArguments = Annotated[
    list[str],
    typer.Argument(
        metavar="CANVAS...", help="Numbers, node ids, files, or words of a goal, one goal per argument."
    ),
]


@app.command()
def archive(
    canvases: CanvasArguments, wait: output.WaitOption = 10.0, form: output.FormatOption = output.Format.TEXT
) -> None:
    """Archive canvases: their status becomes archived, and nothing else changes.

    Ids and words still find them. `memctl canvas reopen` reopens them, and so does new work on the task.
    """
    output.settings.format = form
    _change(canvases, wait, passes.archive, "already archived")


@app.command()
def reopen(
    canvases: CanvasArguments, wait: output.WaitOption = 10.0, form: output.FormatOption = output.Format.TEXT
) -> None:
    """Reopen archived canvases: they get back the status they had before."""
    output.settings.format = form
    _change(canvases, wait, passes.reopen, "not archived")


def _change(
    canvases: list[str], wait: float, change: Callable[[Store, files.Batch, Path], bool], otherwise: str
) -> None:
    """Change canvases, all or none, and list them as they are now."""
    store = output.store()
    with files.locked(store.home, wait):
        paths = list(dict.fromkeys(_stored(store, given) for given in canvases))
        batch = store.batch()
        unchanged = [path for path in paths if not change(store, batch, path)]
        batch.commit()
    lines = {
        path.stem: CanvasLine(path.stem, path, canvas)
        for path in paths
        if (canvas := canvas_files.canvas_at(path))
    }
    width = state_width(lines.values())
    output.answer(
        "canvases",
        map(canvas_data, lines.values()),
        text=lambda row: canvas_line(lines[str(row["id"])], states=width),
    )
    for path in unchanged:
        output.note(f"{output.shown(path)} was {otherwise}")


def _stored(store: Store, given: str) -> Path:
    path = the_canvas(store, given)
    if path.parent.resolve() != store.folder("mmds").resolve():
        raise UsageError(f"{output.shown(path)} is not a canvas in {output.shown(store.root)}")
    return store.canvas(path.name)


@app.command()
def fmt(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Canvas files, or - to read stdin and write stdout."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when a file would change.")
    ] = False,
) -> None:
    """Rewrite canvas files in memctl's own form: spacing, escaping, order of the header.

    A file whose meaning would change is left alone and reported.
    """
    changed = False
    for name in paths:
        data = files.read_standard_input() if name == "-" else _read(name)
        text = _formatted(name, data.decode("utf-8", "surrogateescape"))
        new = text.encode("utf-8", "surrogateescape")
        if name == "-" and not check:
            output.write_bytes(new)
        elif new != data:
            changed = True
            output.write(f"{'would format' if check else 'formatted'} {name}")
            if not check:
                path = Path(name)
                files.write_beside(path, new)
    if check and changed:
        output.finish(ExitCode.NO)


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error


def _formatted(name: str, text: str) -> str:
    number = number_of(Path(name)) or None
    canvas, problems = parse_canvas(text, number)
    broken = [problem for problem in problems if problem.severity == "error"]
    if canvas is None or broken:
        reason = f"{name}:{broken[0].line}: {broken[0].message}" if broken else f"{name}: not a canvas"
        raise InputError(f"{reason}; `memctl validate {name}` gives details; nothing was changed")
    written = write_canvas(canvas)
    again, _ = parse_canvas(written, number)
    if again is None or (again.nodes, again.edges, again.goal) != (canvas.nodes, canvas.edges, canvas.goal):
        raise InputError(f"{name}: formatting would change its meaning; nothing was changed")
    return written
