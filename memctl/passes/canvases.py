"""Canvases: what grew in a session becomes numbered files under mmds/, each with a task file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from memctl import files
from memctl.canvas import stating
from memctl.canvas.cards import later
from memctl.canvas.fold import draw, fold
from memctl.canvas.gist import ranges, worst
from memctl.canvas.goals import label
from memctl.canvas.grow import Growth, TaskGrowth
from memctl.canvas.header import CANVAS_STATUSES, read_header, write_header
from memctl.canvas.mmd import parse_canvas, write_canvas
from memctl.canvas.nodetext import one_line
from memctl.model import Canvas, Node, node_id
from memctl.passes import tracking
from memctl.store import Store, cleared, entries, number_of
from memctl.text.names import short_hash

JUDGED = "judged"  # header field: what a model judged of the task (goal, status, calls it knew)

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
        self._store = store
        self._last: int | None = None  # a session that goes on needs none

    def take(self) -> int:
        """Give the next number."""
        self._last = 1 + (self._highest() if self._last is None else self._last)
        return self._last

    def _highest(self) -> int:
        names = [path.name for path in self._store.canvases()]
        for path in self._store.offloads():  # an entry may name a canvas that is not there yet, or no longer
            names += entries.canvas_names(path)
        known = [number_of(Path(name)) for name in names]
        return max((*known, *cleared.load(self._store).numbers), default=0)


def named(
    growth: Growth, placed: dict[str, str], numbers: Numbers, known: Mapping[int, str]
) -> dict[int, Place]:
    """Give each task its canvas: the one that the first of its entries names, else a new one.

    known: the canvases of tasks whose first entries are not looked at again.
    """
    places = {ordinal: Place(number_of(Path(name)), name) for ordinal, name in known.items()}
    for key, (ordinal, _) in growth.places.items():
        file_name = placed.get(key, "")
        if ordinal not in places and _CANVAS_NAME.fullmatch(file_name):
            places[ordinal] = Place(number_of(Path(file_name)), file_name)
    for task in growth.tasks:
        if task.ordinal not in places:
            number = numbers.take()
            places[task.ordinal] = Place(number, f"{number:03d}-{label(task.name)}.mmd")
    return places


def is_of(store: Store, file_name: str, session: str) -> bool:
    """Tell whether a canvas file is there and names a session as its own."""
    if not _CANVAS_NAME.fullmatch(file_name):
        return False
    path = store.canvas(file_name)
    if not path.is_file():
        return False
    return read_header(files.read_bytes(path).decode("utf-8", "replace"))[0].session == session


def write(
    store: Store,
    batch: files.Batch,
    task: TaskGrowth,
    place: Place,
    session: str,
    upto: int,
    *,
    newest: int = 0,
    theirs: frozenset[int] = frozenset(),
) -> bool:
    """Write a task's canvas and its task file, unless nothing changes; say whether anything did.

    upto: seq of the session's last message; newest: of the last one that holds a call or result of the task.
    theirs: nodes on which entries of the original stand, that stay whatever grows.
    An archived canvas stays archived until a call or result comes in that it does not know.
    """
    path = store.canvas(place.file_name)
    before = files.read_bytes(path) if path.is_file() else None
    known = parse_canvas(before.decode("utf-8", "replace"), place.number)[0] if before is not None else None
    spoiled = known is None
    if known is not None and known.session not in ("", session):
        known = None  # two clones gave the name to two sessions; the other one has moved
    edited = stating.edited_to(known, before.decode("utf-8", "replace")) if known and before else None
    by = "rules"
    if known and before is not None and by_others(known, before) and not _was_exported(known, task, theirs):
        by = _author(known, before)
        task = _added_to(known, task, theirs)
    if known is not None:
        task = _as_judged(known, task)
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
    if redrawn and before is not None and (by != "rules" or spoiled):
        keep_version(store, batch, place.file_name, before)
    if not edited:
        archived = canvas.status == "archived"
        changed = tracking.put(store, batch, task, session, tracked, archived=archived)
    return changed or redrawn


# --------------------------------------------------------------------------- hands of others


def _was_exported(known: Canvas, task: TaskGrowth, theirs: frozenset[int]) -> bool:
    """Tell whether a canvas is what the rules drew of this task before, exported and taken in again."""
    spans = [(node.number, node.number) for node in task.nodes] + [
        one for node in task.nodes for one in node.folded
    ]
    grown = all(any(first <= number <= last for first, last in spans) for number in theirs)
    return known.by == "rules" and known.upto < 0 and bool(known.session) and grown


def stamped(canvas: Canvas) -> str:
    """Write a canvas with a hash in its header, which tells later whether a person edited it."""
    status = str(canvas.extra.get("before")) if canvas.status == "archived" else canvas.status
    return write_canvas(
        replace(canvas, extra={**canvas.extra, "body": stating.stamp(status, write_canvas(canvas))})
    )


def moved(canvas: Canvas, known: Canvas, data: bytes) -> str:
    """Write a canvas under another number or with more former ones; what others wrote in *known* stays theirs."""
    text = data.decode("utf-8", "replace")
    said = stating.edited_to(known, text)
    status = stating.written_as(known, text) if said else known.status
    by = _author(known, data) if by_others(known, data) else known.by
    written = stamped(replace(canvas, by=by, status=status or known.status))
    if not said:
        return written
    # Left as one that somebody wrote into the header, for the pass to say it of the task.
    header, _, rows = read_header(written)
    return "\n".join([write_header(replace(header, status=said)), *written.split("\n")[rows:]])


def by_others(known: Canvas, data: bytes) -> bool:
    """Tell whether a canvas was last written by a person or a model."""
    return known.by != "rules" or not _is_as_written(known, data)


def _is_as_written(known: Canvas, data: bytes) -> bool:
    return stating.written_as(known, data.decode("utf-8", "replace")) is not None


def _author(known: Canvas, data: bytes) -> str:
    """Say whose words a canvas by others has: a person's as soon as one has edited it."""
    whole = "body" not in known.extra or _is_as_written(known, data)  # the original's canvases have no hash
    return known.by if known.by != "rules" and whole else "human"


def is_a_persons(known: Canvas, data: bytes) -> bool:
    """Tell whether a person wrote or edited a canvas last; no model writes over that."""
    return by_others(known, data) and _author(known, data) == "human"


def _added_to(known: Canvas, task: TaskGrowth, kept: frozenset[int]) -> TaskGrowth:
    """Add what is new to a canvas by others: their nodes, folds, words and edges stay (DESIGN 4.2).

    Only what the session has decided since is told anew: a step that is no longer at work, and the status of
    one that got more calls; of a model's node then its summary, too.
    """
    stays = known.by == "human"
    left = {node.number: node for node in task.nodes}
    nodes: list[Node] = []
    owner: dict[int, int] = {}
    theirs: set[int] = set()
    for node in known.nodes:
        spans = ((node.number, node.number), *node.folded)
        members = [one for one in left.values() if any(first <= one.number <= last for first, last in spans)]
        if not members and node.number in kept:
            nodes.append(node)
            theirs.add(node.number)
            owner[node.number] = node.number
        if not members:
            continue
        for one in members:
            del left[one.number]
        nodes.append(_with_words_of(node, members, stays=stays))
        theirs.add(nodes[-1].number)
        owner |= {one.number: nodes[-1].number for one in members}
        owner[node.number] = nodes[-1].number
    owner |= {number: number for number in left}
    nodes = sorted((*nodes, *left.values()), key=lambda node: node.number)
    edges = [edge for edge in known.edges if {edge.source, edge.target} <= theirs]
    for edge in task.edges:
        pair = owner.get(edge.source), owner.get(edge.target)
        if {edge.source, edge.target} & left.keys() and None not in pair and pair[0] != pair[1]:
            edges.append(edge._replace(source=pair[0] or 0, target=pair[1] or 0))
    return replace(task, goal=known.goal, nodes=tuple(nodes), edges=tuple(dict.fromkeys(edges)))


def _with_words_of(theirs: Node, members: list[Node], *, stays: bool) -> Node:
    """Give the node that stands for *members* with the words others gave it, unless they are out of date."""
    first = members[0]
    numbers = [(one.number, one.number) for one in members[1:]]
    folded = ranges([*numbers, *(span for one in members for span in one.folded)])
    timestamp = None
    for one in members:
        timestamp = later(timestamp, one.timestamp)
    grown = timestamp != theirs.timestamp and later(timestamp, theirs.timestamp) == timestamp
    over = theirs.status == "doing" and all(one.status != "doing" for one in members)
    status = theirs.status
    if grown or over:
        status = reduce(worst, (one.status for one in members if over or one.timestamp == timestamp))
    summary = first.summary if grown and not stays and len(members) == 1 else theirs.summary
    return Node(first.number, theirs.title, status, summary, timestamp, theirs.shape, folded)


def _as_judged(known: Canvas, task: TaskGrowth) -> TaskGrowth:
    """Keep what a model judged of a task: its goal, and its status until the task has another call."""
    judged = known.extra.get(JUDGED)
    if not isinstance(judged, dict):
        return task
    if isinstance(judged.get("goal"), str) and judged["goal"].strip():
        task = replace(task, goal=one_line(judged["goal"]))
    status = CANVAS_STATUSES.get(str(judged.get("status")))
    if status is not None and judged.get("calls") == task.calls:
        task = replace(task, status=status)
    return task


def keep_version(store: Store, batch: files.Batch, file_name: str, before: bytes) -> None:
    """Keep a canvas as it was before something of others changed."""
    digest = short_hash(8, before.decode("utf-8", "surrogateescape"))
    path = store.versions(store.folder("mmds") / file_name) / f"{digest}.mmd"
    if not path.exists():
        batch.write(path, [before])
