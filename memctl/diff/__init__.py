"""Diff: what memory learned between two states of a directory (DESIGN 9)."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.diff.sides import Pair, Side, pair
from memctl.layers import forgetting
from memctl.model import Atom, Canvas, Json, Task, node_id
from memctl.store import Store, atoms, number_of
from memctl.tasks import taskfile


@dataclass(frozen=True, slots=True)
class SessionChange:
    """A session that is new, grew, or is gone; its messages before and after."""

    id: str
    change: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A node that is new (no status before), changed its status, or is drawn no more (none after)."""

    id: str
    title: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class CanvasChange:
    """A canvas that is new, changed or gone; status and progress before and after."""

    id: str
    goal: str
    change: str
    status: tuple[str | None, str | None]
    progress: tuple[int | None, int | None]
    nodes: tuple[NodeChange, ...]


@dataclass(frozen=True, slots=True)
class AtomChange:
    """An atom that is new, corrected, updated, superseded or forgotten; *before* what it said."""

    id: str
    change: str
    type: str
    content: str
    before: str
    by: str


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task that is new, moved to another state, or is gone."""

    id: str
    description: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """A scene, the persona, or the settings: `new`, `changed` or `gone`."""

    path: str
    change: str


@dataclass(slots=True)
class Diff:
    """What differs, each kind in order of its ids. *triples* and *refs*: how many are new."""

    sessions: list[SessionChange] = field(default_factory=list)
    canvases: list[CanvasChange] = field(default_factory=list)
    atoms: list[AtomChange] = field(default_factory=list)
    tasks: list[TaskChange] = field(default_factory=list)
    files: list[FileChange] = field(default_factory=list)
    triples: int = 0
    refs: int = 0
    others: int = 0

    def __bool__(self) -> bool:
        lists = (self.sessions, self.canvases, self.atoms, self.tasks, self.files)
        return any(map(bool, lists)) or bool(self.triples or self.refs or self.others)

    def data(self) -> dict[str, Json]:
        """Give it as JSON values."""
        return asdict(self)


def diff(store: Store, old: str | None, new: str | None = None) -> Diff:
    """Compare a revision (None: nothing yet) with another, or with the files as they are.

    What was forgotten since is not told. Raises UsageError for a revision that names no commit.
    """
    two = pair(store, old, new)
    found = Diff()
    by_kind: dict[str, list[str]] = {}
    for name in two.changed:
        by_kind.setdefault(_kind_of(name), []).append(name)
    found.sessions = _sessions(two, by_kind.get("conversations", []))
    found.canvases = _canvases(two, by_kind.get("mmds", []))
    if "records" in by_kind:
        found.atoms = _atoms(store, two)
    found.tasks = _tasks(two, by_kind.get("tasks", []))
    found.files = [FileChange(name, _change(two, name)) for name in by_kind.get("texts", [])]
    found.triples = _added_lines(two, by_kind.get("graph", []))
    found.refs = sum(name not in two.before.names for name in by_kind.get("refs", []))
    if not found:  # entries alone, or what no list tells of
        found.others = len(two.changed)
    return found


def _kind_of(name: str) -> str:
    first, slash, _ = name.partition("/")
    if slash:
        return "texts" if first == "scene_blocks" else first
    if name in ("persona.md", "memctl.yaml"):
        return "texts"
    return "graph" if name == "graph.jsonl" else "entries"


def _change(two: Pair, name: str) -> str:
    if name not in two.before.names:
        return "new"
    return "changed" if name in two.after.names else "gone"


# --------------------------------------------------------------------------- L0 and graph


def _sessions(two: Pair, names: list[str]) -> list[SessionChange]:
    before, after = (_talks(side, names) for side in (two.before, two.after))
    found = []
    for session in sorted(before.keys() | after.keys()):
        one, other = before.get(session, 0), after.get(session, 0)
        change = "new" if session not in before else "gone" if session not in after else "changed"
        change = "grown" if change == "changed" and other > one else change
        found.append(SessionChange(session, change, one, other))
    return found


def _talks(side: Side, names: Iterable[str]) -> dict[str, int]:
    """Count the messages of the sessions in some files."""
    found: dict[str, int] = {}
    for _, data in side.read(names):
        for fields in _records(data):
            session = fields.get("sessionId") or fields.get("sessionKey")
            if isinstance(session, str):
                found[session] = found.get(session, 0) + (fields.get("role") != "session")
    return found


def _records(data: bytes) -> Iterable[Mapping[str, Json]]:
    for line in data.split(b"\n"):
        try:
            fields = files.decode(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(fields, dict):
            yield fields


def _added_lines(two: Pair, names: list[str]) -> int:
    before = {line for _, data in two.before.read(names) for line in data.split(b"\n")}
    after = {line for _, data in two.after.read(names) for line in data.split(b"\n")}
    return len(after - before)


# --------------------------------------------------------------------------- canvases


def _canvases(two: Pair, names: list[str]) -> list[CanvasChange]:
    found = []
    for old, new in _pairs(*(_drawn(side, names) for side in (two.before, two.after))):
        some = new or old
        if some is None or old == new:
            continue
        change = "new" if old is None else "gone" if new is None else "changed"
        found.append(
            CanvasChange(
                f"{some.number:03d}",
                some.goal,
                change,
                (old.status if old else None, new.status if new else None),
                (old.progress if old else None, new.progress if new else None),
                tuple(_nodes(old, new)),
            )
        )
    return sorted(found, key=lambda one: (one.id, one.goal))


def _drawn(side: Side, names: Iterable[str]) -> dict[str, Canvas]:
    found = {}
    for name, data in side.read(names):
        canvas = parse_canvas(data.decode("utf-8", "replace"), number_of(Path(name)))[0]
        if canvas is not None:
            found[name] = canvas
    return found


def _pairs(
    before: dict[str, Canvas], after: dict[str, Canvas]
) -> Iterable[tuple[Canvas | None, Canvas | None]]:
    """Set each canvas against itself: by its file, and where it was renumbered by session and beginning."""
    moved = {
        (one.session, one.created): name for name, one in after.items() if name not in before and one.session
    }
    met = set()
    for name, old in before.items():
        other = after.get(name)
        if other is not None and other.session == old.session:
            met.add(name)
            yield old, other
        elif (place := moved.get((old.session, old.created))) and place not in met:
            met.add(place)
            yield old, after[place]
        else:
            yield old, None
    yield from ((None, one) for name, one in after.items() if name not in met)


def _nodes(old: Canvas | None, new: Canvas | None) -> Iterable[NodeChange]:
    """Give the nodes that changed; those folded into another one are still there."""
    before = {node.number: node for node in old.nodes} if old else {}
    after = {node.number: node for node in new.nodes} if new else {}
    spans = [span for canvas in (old, new) if canvas for node in canvas.nodes for span in node.folded]
    number = (new or old).number  # type: ignore[union-attr]  # one of both is there
    for one in sorted(before.keys() | after.keys()):
        node, other = before.get(one), after.get(one)
        if node is not None and other is not None and node.status == other.status:
            continue
        if (node is None or other is None) and any(first <= one <= last for first, last in spans):
            continue
        some = other or node
        if some is not None:
            statuses = (node.status if node else None, other.status if other else None)
            yield NodeChange(node_id(number, one), some.title, *statuses)


# --------------------------------------------------------------------------- atoms and tasks


def _atoms(store: Store, two: Pair) -> list[AtomChange]:
    before, after = (_known(side) for side in (two.before, two.after))
    hidden = forgetting.load(store, atoms.latest(store).values())
    by = {other: name for name, atom in after.items() for other in atom.supersedes}
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None or (old is not None and _same(old, new)):
            if new is None and old is not None:
                found.append(AtomChange(name, "gone", old.type, "", "", ""))
            continue
        change = _atom_change(old, new)
        told, was = new.content, old.content if old is not None and old.content != new.content else ""
        if change == "forgotten" or hidden.hides(told):
            told = ""
        if change == "forgotten" or (was and hidden.hides(was)):
            was = ""
        found.append(AtomChange(name, change, new.type, told, was, by.get(name, "")))
    return found


def _same(old: Atom, new: Atom) -> bool:
    return (old.content, old.status, old.actor) == (new.content, new.status, new.actor)


def _atom_change(old: Atom | None, new: Atom) -> str:
    if new.status != "active":
        return new.status
    if old is None:
        return "new"
    if new.actor == "human" and (old.actor, old.content) != (new.actor, new.content):
        return "corrected"
    return "updated"


def _known(side: Side) -> dict[str, Atom]:
    listed: dict[str, list[atoms.Found]] = {}
    names = sorted(name for name in side.names if name.startswith("records/") and name.endswith(".jsonl"))
    for name, data in side.read(names):
        for fields in _records(data):
            if isinstance(fields.get("id"), str):
                one = atoms.Found(Path(name), 0, atoms.from_fields(fields))
                listed.setdefault(one.atom.id, []).append(one)
    return {name: atoms.current(found) for name, found in listed.items()}


def _tasks(two: Pair, names: list[str]) -> list[TaskChange]:
    before, after = (_read_tasks(side, names) for side in (two.before, two.after))
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        states = (_state(old), _state(new))
        some = new or old
        if states[0] != states[1] and some is not None:
            found.append(TaskChange(name, some.description, *states))
    return found


def _state(task: Task | None) -> str | None:
    if task is None:
        return None
    return "deleted" if task.deleted else task.state


def _read_tasks(side: Side, names: Iterable[str]) -> dict[str, Task]:
    read = (taskfile.read(data) for _, data in side.read(names))
    return {task.id: task for task in read if task is not None}
