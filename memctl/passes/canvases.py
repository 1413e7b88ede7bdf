"""Canvases: what grew in a session becomes numbered files under mmds/, and a task file each."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from memctl import files
from memctl.canvas import stating
from memctl.canvas.fold import draw, fold
from memctl.canvas.goals import label
from memctl.canvas.grow import Growth, TaskGrowth
from memctl.canvas.mmd import parse_canvas, write_canvas
from memctl.model import Canvas, Edge, Node, node_id
from memctl.passes import tracking
from memctl.store import Store, entries, number_of
from memctl.text.names import short_hash

_CANVAS_NAME = re.compile(r"[0-9]{1,9}(-[^/\\\0]{0,200})?\.mmd")
_NO_HASH = "00000000"  # as long as the hash that takes its place
_NO_LIMIT = 1 << 40


@dataclass(frozen=True, slots=True)
class Place:
    """Where a task is drawn: its canvas's number and file name."""

    number: int
    file_name: str

    def node_id(self, node: int) -> str:
        """Write the id of a node of this canvas."""
        return node_id(self.number, node)


class Numbers:
    """Hands out canvas numbers: the highest on disk + 1, then on (DESIGN 2.1)."""

    def __init__(self, store: Store) -> None:
        names = [path.name for path in store.canvases()]
        for path in store.offloads():  # an entry may name a canvas that is not there yet, or no longer
            names += entries.canvas_names(path)
        self._next = 1 + max((number_of(Path(name)) for name in names), default=0)

    def take(self) -> int:
        """Give the next number."""
        self._next += 1
        return self._next - 1


def named(growth: Growth, placed: dict[str, str], numbers: Numbers) -> dict[int, Place]:
    """Give each task its canvas: the one that the first of its entries names, else a new one."""
    places: dict[int, Place] = {}
    for key, (ordinal, _) in growth.places.items():
        file_name = placed.get(key, "")
        if ordinal not in places and _CANVAS_NAME.fullmatch(file_name):
            places[ordinal] = Place(number_of(Path(file_name)), file_name)
    for task in growth.tasks:
        if task.ordinal not in places:
            number = numbers.take()
            places[task.ordinal] = Place(number, f"{number:03d}-{label(task.name)}.mmd")
    return places


def write(
    store: Store,
    batch: files.Batch,
    task: TaskGrowth,
    place: Place,
    session: str,
    upto: int,
    *,
    newest: int = 0,
) -> bool:
    """Write a task's canvas and its task file, unless nothing changes; say whether anything did.

    upto: seq of the session's last message; newest: of the last one that holds a call or result of the task.
    An archived canvas stays archived until a call or result comes in that it does not know.
    """
    path = store.canvas(place.file_name)
    before = files.read_bytes(path) if path.is_file() else None
    known = parse_canvas(before.decode("utf-8", "replace"), place.number)[0] if before is not None else None
    edited = stating.edited_to(known, before.decode("utf-8", "replace")) if known and before else None
    by = "rules"
    if known is not None and before is not None and _by_others(known, before):
        by = known.by if known.by != "rules" else "human"
        task = _with_words_of(known, task)
    tracked, status = tracking.follow(store, task, place.file_name, session, edited)
    task = replace(task, status=status)
    # What somebody wrote into the header is in the task before the header is written anew: a kill between
    # the two loses nothing.
    changed = tracking.put(store, batch, task, session, tracked) if edited else False
    drawn = draw(task, place.number, session, upto, _NO_LIMIT)
    extra = {**(known.extra if known else {}), "body": _NO_HASH}
    if known is not None and known.status == "archived" and not 0 <= known.upto < newest:
        drawn = replace(drawn, status="archived")
        extra["before"] = task.status
    else:
        extra.pop("before", None)
    canvas = fold(replace(drawn, by=by, extra=extra), store.config.max_chars)
    text = stamped(canvas).encode()
    redrawn = batch.write_if_changed(path, [text])
    if redrawn and by != "rules" and before is not None:
        _keep_version(store, batch, place, before)
    if not edited:
        changed = tracking.put(store, batch, task, session, tracked)
    return changed or redrawn


# --------------------------------------------------------------------------- hands of others


def stamped(canvas: Canvas) -> str:
    """Write a canvas with a hash in its header, which tells later whether a person edited it."""
    status = str(canvas.extra.get("before")) if canvas.status == "archived" else canvas.status
    return write_canvas(
        replace(canvas, extra={**canvas.extra, "body": stating.stamp(status, write_canvas(canvas))})
    )


def _by_others(known: Canvas, data: bytes) -> bool:
    """Tell whether a canvas was last written by a person or a model."""
    return known.by != "rules" or stating.written_as(known, data.decode("utf-8", "replace")) is None


def _with_words_of(known: Canvas, task: TaskGrowth) -> TaskGrowth:
    """Keep the words, statuses and edges that others gave to nodes; what is new stands beside them."""
    theirs = {node.number: node for node in known.nodes}

    def kept(node: Node) -> Node:
        other = theirs.get(node.number)
        if other is None or other.folded:
            return node
        return replace(node, title=other.title, status=other.status, summary=other.summary, shape=other.shape)

    ends: set[tuple[int, int]] = {(edge.source, edge.target) for edge in task.edges}
    numbers = {node.number for node in task.nodes}
    more: list[Edge] = [
        edge
        for edge in known.edges
        if (edge.source, edge.target) not in ends and {edge.source, edge.target} <= numbers
    ]
    return replace(task, goal=known.goal, nodes=tuple(map(kept, task.nodes)), edges=(*task.edges, *more))


def _keep_version(store: Store, batch: files.Batch, place: Place, before: bytes) -> None:
    digest = short_hash(8, before.decode("utf-8", "surrogateescape"))
    path = store.root / "versions" / "mmds" / place.file_name / f"{digest}.mmd"
    if not path.exists():
        batch.write(path, [before])
