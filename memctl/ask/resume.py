"""Resume: the current task with everything needed to continue it, and the paused tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

from memctl.ask import canvas_files
from memctl.canvas.archiving import before
from memctl.errors import MemctlError
from memctl.model import Json, Task
from memctl.store import Store, number_of
from memctl.tasks import listing


@dataclass(frozen=True, slots=True)
class Node:
    """An information node of a task and what the graph says of it, a line each."""

    name: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CanvasLine:
    """A canvas of a task; *status* is `missing` when its file is not there, *before* the one before archiving."""

    id: str
    number: int
    status: str
    progress: int
    goal: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A task with what belongs to it."""

    task: Task
    nodes: tuple[Node, ...]
    canvases: tuple[CanvasLine, ...]


@dataclass(frozen=True, slots=True)
class Current:
    """The task to go on with, and the others that are paused, the newest first."""

    card: Card | None
    paused: tuple[Task, ...]


def current(store: Store) -> Current:
    """Give the task in progress that was touched last, else the one that was paused last.

    One whose canvases are all archived comes only after those with none or with one that is not.
    """
    tasks = listing.by_need(listing.load(store).tasks)
    live = [task for task in tasks if task.state in ("in_progress", "paused")]
    first = next((task for task in live if not _is_aside(store, task)), next(iter(live), None))
    paused = tuple(task for task in tasks if task.state == "paused" and task is not first)
    return Current(card(store, first) if first else None, paused)


def _is_aside(store: Store, task: Task) -> bool:
    return bool(task.canvases) and all(_canvas(store, name).status == "archived" for name in task.canvases)


def card(store: Store, task: Task) -> Card:
    """Gather what belongs to a task."""
    nodes = tuple(Node(name, facts) for name, facts in _facts(store, task.info_nodes).items())
    return Card(task, nodes, tuple(_canvas(store, name) for name in task.canvases))


def _facts(store: Store, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Give what the graph says of nodes, a line each; what was inferred is marked."""
    found: dict[str, list[str]] = {name: [] for name in names}
    if not names or not store.graph.is_file():
        return dict.fromkeys(names, ())
    from memctl.graph import current as graph

    for subject, relation, name, speculation, *_ in graph.load(store, with_tasks=False, about=names).edges:
        if subject in found:
            found[subject].append(f"{relation} → {name}{'  [speculation]' if speculation else ''}")
    return {name: tuple(facts) for name, facts in found.items()}


def _canvas(store: Store, name: str) -> CanvasLine:
    stem = name.removesuffix(".mmd")
    try:
        path = store.canvas(name)
        canvas = canvas_files.canvas_at(path) if path.is_file() else None
    except MemctlError:  # an unsafe name, a link
        return CanvasLine(stem, 0, "missing", 0, "")
    if canvas is None:
        return CanvasLine(stem, number_of(path), "missing", 0, "")
    return CanvasLine(stem, canvas.number, canvas.status, canvas.progress, canvas.goal, before(canvas))


def to_fields(task: Task) -> dict[str, Json]:
    """Give a task as JSON values, with the names of its file."""
    return {
        "task_id": task.id,
        "description": task.description,
        "state": task.state,
        "info_nodes": list(task.info_nodes),
        "canvases": list(task.canvases),
        "parent": task.parent,
        "previous": task.previous,
        "created": task.created,
        "updated": task.updated,
        "history": [{"at": one.at, "state": one.state, "by": one.by or None} for one in task.history],
    }


def data(store: Store, one: Card) -> dict[str, Json]:
    """Give a card as JSON values."""
    found = to_fields(one.task)
    found["path"] = store.relative(store.task(one.task.id))
    found["info"] = [{"node": node.name, "facts": list(node.facts)} for node in one.nodes]
    found["canvas_status"] = [
        {
            "id": line.id,
            "status": line.status,
            "before": line.before,
            "progress": line.progress,
            "goal": line.goal,
        }
        for line in one.canvases
    ]
    return found
