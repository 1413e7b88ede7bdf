"""What holds now: of the lines of a graph the last said, and the tasks as nodes and edges among them."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memctl.graph import vocabulary
from memctl.graph.lines import Row, row_of, rows
from memctl.model import NodeKind, Task, Triple
from memctl.store import Store
from memctl.tasks import listing


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges that hold, oldest first, those of tasks last; *tasks* are the tasks they come from, by need."""

    edges: tuple[Row, ...]
    tasks: tuple[Task, ...]

    def kinds(self) -> dict[str, NodeKind]:
        """Give the kind of each node that is more than an entity."""
        kinds: dict[str, NodeKind] = {}
        for edge in self.edges:
            kind = vocabulary.KIND_OF_OBJECT.get(edge[1])
            if kind is not None:
                kinds[edge[2]] = kind
        return kinds | dict.fromkeys((task.id for task in self.tasks), "TaskNode")


def load(store: Store, *, with_tasks: bool = True) -> Graph:
    """Read a graph as it holds now. A million triples take some seconds and no more than a gigabyte."""
    tasks = listing.by_need(listing.load(store).tasks) if with_tasks else []
    collects = gc.isenabled()
    gc.disable()  # millions of tuples that form no cycle: looking for cycles would take longer than reading
    try:
        said = _live(rows(store), frozenset(task.id for task in tasks))
    finally:
        if collects:
            gc.enable()
    return Graph((*said, *map(row_of, _of_tasks(tasks))), tuple(tasks))


def _live(found: Iterable[Row], tasks: frozenset[str]) -> list[Row]:
    """Give the edges that hold after everything that was said, in order.

    A relation has one object, the last said, unless it is many-valued or the triple was said to stand
    beside others. The state of a task is in its file alone.
    """
    holding: dict[tuple[str, str], Row | dict[str, Row]] = {}
    for row in found:
        slot = row[:2]
        if row[5] or row[7] or row[1] in vocabulary.MANY:
            before = holding.get(slot, {})
            several = before if isinstance(before, dict) else {before[2]: before}
            several.pop(row[2], None)
            if not row[5]:
                several[row[2]] = row
            holding[slot] = several
        else:
            holding.pop(slot, None)  # so that what was said last stands last
            holding[slot] = row
    live: list[Row] = []
    several_held = False
    for value in holding.values():
        if isinstance(value, dict):
            live += value.values()
            several_held = True
        else:
            live.append(value)
    if several_held:
        live.sort(key=lambda row: row[4])
    return [row for row in live if row[1] != vocabulary.HAS_STATE or row[0] not in tasks] if tasks else live


def _of_tasks(tasks: Sequence[Task]) -> Iterator[Triple]:
    """Give the edges that task files stand for; as in the graph, what comes first in a list stands last."""
    known = {task.id for task in tasks}
    for task in reversed(tasks):
        if task.parent in known:
            yield _said(task, task.parent or "", vocabulary.RELATES_TO, task.id)
        if task.previous in known:
            yield _said(task, task.previous or "", vocabulary.NEXT_TASK, task.id)
        for name in task.canvases:
            yield _said(task, task.id, vocabulary.RELATES_TO, f"canvas:{name.removesuffix('.mmd')}")
        for name in task.info_nodes:
            yield _said(task, task.id, vocabulary.CONTAINS_INFO, name)
        if task.description:
            yield _said(task, task.id, vocabulary.DESCRIPTION, task.description)
        yield _said(task, task.id, vocabulary.HAS_STATE, task.state)


def _said(task: Task, subject: str, relation: str, name: str) -> Triple:
    return Triple(subject, relation, name, task.updated or "", task.id, "task")
