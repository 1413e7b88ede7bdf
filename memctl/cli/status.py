"""`memctl status`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import typer

from memctl import git
from memctl.ask.status import CanvasLine, Status, by_need, status as look
from memctl.canvas.archiving import before, stated
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.model import Json
from memctl.store import Store

app = typer_app()

_SHOWN = 8  # canvases on the one screen
_SETTLE = "check --fix"
_END_OF_A_MERGE = "git commit"


@app.command()
def status(
    porcelain: Annotated[
        bool,
        typer.Option(
            "--porcelain",
            help="For scripts: one fact per line, fields separated by tabs, in a stable format.",
        ),
    ] = False,
    nul: output.NulOption = False,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Show what the directory holds, how much space the history takes, and what to run next.

    Open canvases are listed first, archived ones last.

    --porcelain begins with `version 1`; then `name value` lines, and a line `canvas NUMBER STATUS PROGRESS NODES
    UPDATED PATH GOAL` for each canvas. Later versions only add lines.
    """
    output.settings.format = form
    store = output.store()
    found = look(store)
    if porcelain:
        _porcelain(_data(found), nul=nul)
        return
    if form is not output.Format.TEXT:
        data = {**_data(found), "engine": _models(store)}
        output.document("status", data) if form is output.Format.JSON else output.records([data])
        return
    messages = found.messages
    output.write(
        f"memory     {output.shown(store.root)}{f'   newest {found.last_time}' if found.last_time else ''}"
    )
    output.write(
        f"sessions   {found.sessions}: {messages['user']} user, {messages['assistant']} assistant, "
        f"{messages['tool']} tool messages"
    )
    errors, missing = found.by_status["error"], found.by_status["missing"]
    output.write(
        f"calls      {found.calls}: {found.by_status['ok']} ok, {errors} failed, {missing} without a result"
    )
    output.write(f"canvases   {len(found.canvases)}: {_states(found)}")
    output.write(f"on disk    {', '.join(f'{name} {human(size)}' for name, size in found.sizes.items())}")
    if found.result_tokens:
        results, drawn = f"{found.result_tokens:,}", f"{found.canvas_tokens:,}"
        share = 100 * found.canvas_tokens // found.result_tokens
        output.write(f"tokens     tool results {results}, canvases {drawn} ({share:,}% of them)")
    output.write(f"recall     {f'words only: {found.recall}' if found.recall else 'words and vectors'}")
    way = git.way_seen(store.home)
    settle = f"{output.command()} {_SETTLE}"
    if way == _END_OF_A_MERGE:
        output.write(f"merge      under way; `{settle} --commit` resolves the memory's part and concludes it")
    elif way:
        output.write(
            f"git        has stopped; `{settle}` resolves the memory's part, then continue with `{way}`"
        )
    models = _models(store)
    for model, spent in models.items():
        output.write(f"engine     {_spent(model, spent)}")
    if found.canvases:
        output.write("")
    wanted = by_need(found.canvases)
    width = state_width(wanted[:_SHOWN])
    for line in wanted[:_SHOWN]:
        output.write(canvas_line(line, states=width))
    if len(wanted) > _SHOWN:
        output.write(f"     ... and {len(wanted) - _SHOWN} more: {output.command()} canvas list")
    for path in found.unreadable:
        output.note(f"{output.shown(path)} cannot be read; `memctl validate {output.shown(path)}` says why")
    output.write("")
    output.write(f"next       {output.command()} {_settling(way) or _next(found, wanted)}")


def _settling(way: str) -> str:
    """Give the commands that go on where git has stopped."""
    if way == _END_OF_A_MERGE:
        return f"{_SETTLE} --commit"
    return f"{_SETTLE} && {way}" if way else ""


def _models(store: Store) -> dict[str, Json]:
    """Give what models were asked here and what it cost, by model."""
    from memctl.engine.ledger import usage

    models = usage(store).get("models")
    return {str(name): spent for name, spent in models.items()} if isinstance(models, dict) else {}


def _spent(model: str, spent: Mapping[str, Json]) -> str:
    asked = int(spent.get("taken") or 0) + int(spent.get("by_rules") or 0)
    text = f"{model}: {spent.get('taken') or 0:,} of {asked:,} answers accepted"
    return f"{text}, {spent.get('tokens_in') or 0:,} tokens in, {spent.get('tokens_out') or 0:,} out"


def _porcelain(data: Mapping[str, Json], *, nul: bool) -> None:
    """Write status for scripts: numbers by name, then the canvases in order of number."""
    rows: list[tuple[Json, ...]] = [("version", 1), *_flat(data, "")]
    names = ("number", "status", "progress", "nodes", "updated", "path", "goal")
    rows += [("canvas", *(canvas[name] for name in names)) for canvas in data["canvases"]]
    for row in rows:
        output.tabbed(row, nul=nul)


def _flat(data: Mapping[str, Json], prefix: str) -> Iterator[tuple[Json, ...]]:
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif not isinstance(value, list):
            yield f"{prefix}{name}", value


def state_width(lines: Iterable[CanvasLine]) -> int:
    """Give the columns that the states of canvases take in a list."""
    return max((len(stated(line.canvas)) for line in lines), default=0)


def canvas_line(line: CanvasLine, indent: int = 0, states: int = 0) -> str:
    """Write a canvas in one line: number, day, status, progress, steps, goal.

    states: the columns of the status, 9 at the least.
    """
    canvas = line.canvas
    day = (canvas.updated or "")[:10] or "no date"
    head = f"{canvas.number:03d}  {day:<10}  {stated(canvas):<{max(states, 9)}} {canvas.progress:>3}% of {line.nodes:<3}  "
    return head + output.fit(canvas.goal, len(head) + indent)


def human(size: int) -> str:
    """Write a size in bytes for people."""
    number = float(size)
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if number >= 10 or unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def _states(found: Status) -> str:
    names = ("active", "paused", "completed", "cancelled", "archived")
    counted = [(name, sum(line.canvas.status == name for line in found.canvases)) for name in names]
    unfinished = sum(before(line.canvas) in ("active", "paused") for line in found.canvases)
    told = ", ".join(f"{number} {name}" for name, number in counted if number) or "none"
    return f"{told} ({unfinished} unfinished)" if unfinished else told


def _next(found: Status, wanted: list[CanvasLine]) -> str:
    if not found.sessions:
        return "ingest PATH   (a transcript, or a folder such as ~/.claude/projects)"
    if not wanted:
        return "session list   (no tool calls, so there are no canvases)"
    return f"canvas show {wanted[0].canvas.number}"


def _data(found: Status) -> dict[str, Json]:
    return {
        "sessions": found.sessions,
        "messages": dict(sorted(found.messages.items())),
        "calls": found.calls,
        "calls_by_status": dict(sorted(found.by_status.items())),
        "canvases": [canvas_data(line) for line in found.canvases],
        "unreadable": [output.shown(path) for path in found.unreadable],
        "tasks": found.tasks,
        "refs": found.refs,
        "bytes": found.sizes,
        "tokens": {"results": found.result_tokens, "canvases": found.canvas_tokens},
        "newest": found.last_time,
        "recall": {"signals": ["words"] if found.recall else ["words", "vectors"], "why": found.recall},
    }


def canvas_data(line: CanvasLine) -> dict[str, Json]:
    """Give a canvas's facts as JSON values."""
    canvas = line.canvas
    return {
        "number": canvas.number,
        "id": line.id,
        "status": canvas.status,
        "before": before(canvas),
        "progress": canvas.progress,
        "nodes": line.nodes,
        "drawn": len(canvas.nodes),
        "goal": canvas.goal,
        "session": canvas.session,
        "created": canvas.created,
        "updated": canvas.updated,
        "path": output.shown(line.path),
    }
