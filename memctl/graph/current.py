"""What holds now: of the lines of a graph the last said, and the tasks as nodes and edges among them."""

import contextlib
import gc
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.graph import vocabulary
from memctl.graph.lines import Row, row_of, rows
from memctl.model import NodeKind, Task, Triple
from memctl.store import Store
from memctl.tasks import listing

if TYPE_CHECKING:  # small graphs need none
    from memctl.graph.packed import Packed


LEAST = 4 << 20  # bytes of a graph that is worth packing


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges that hold, oldest first, those of tasks last; *tasks* are the tasks they come from, by need.

    Of a large graph most edges are *packed*, and come before *edges*.
    """

    edges: tuple[Row, ...]
    tasks: tuple[Task, ...]
    packed: "Packed | None" = None

    @property
    def first(self) -> int:
        """The number of the first of *edges*: those that are packed are counted before."""
        return len(self.packed) if self.packed is not None else 0

    def kinds(self, names: Iterable[str]) -> dict[str, NodeKind]:
        """Give the kind of each of some nodes that is more than an entity."""
        wanted = frozenset(names)
        kinds: dict[str, NodeKind] = {}
        if self.packed is not None:
            told = ((name, self.packed.kind(name)) for name in wanted)
            kinds |= {name: vocabulary.KIND_OF_OBJECT[relation] for name, relation in told if relation}
        kinds |= {name: kind for name, kind in self._told_kinds() if name in wanted}
        return kinds | {task.id: "TaskNode" for task in self.tasks if task.id in wanted}

    def of_kind(self, kind: NodeKind, most: int) -> list[str]:
        """Give the nodes of a kind, at most *most*: those last said to be of it, the newest last."""
        relations = [name for name, one in vocabulary.KIND_OF_OBJECT.items() if one == kind]
        packed = self.packed
        names = [name for name, one in self._told_kinds() if one == kind][::-1]
        if packed is not None:
            names += [packed.ends(at)[2] for at in packed.of_relations(relations, 4 * most)]
        kinds = self.kinds(names)
        return [name for name in dict.fromkeys(names) if kinds.get(name) == kind][:most][::-1]

    def _told_kinds(self) -> Iterator[tuple[str, NodeKind]]:
        for edge in self.edges:
            kind = vocabulary.KIND_OF_OBJECT.get(edge[1])
            if kind is not None:
                yield edge[2], kind


def load(store: Store, *, with_tasks: bool = True, about: Collection[str] = ()) -> Graph:
    """Read a graph as it holds now; *about*: no more than what is said of some subjects.

    A million triples take some seconds and no more than a gigabyte; `opened` is for asking such a graph.
    """
    tasks = listing.by_need(listing.load(store).tasks) if with_tasks else []
    collects = gc.isenabled()
    gc.disable()  # millions of tuples that form no cycle: looking for cycles would take longer than reading
    try:
        said = _live(rows(store, about), frozenset(task.id for task in tasks))
    finally:
        if collects:
            gc.enable()
    return Graph((*said, *map(row_of, _of_tasks(tasks))), tuple(tasks))


@contextlib.contextmanager
def opened(store: Store, folder: Callable[[], Path | None], fold: Callable[[str], str]) -> Iterator[Graph]:
    """Open a graph to ask it: a large one packed, and kept so in the folder that is given (`packed.opened`)."""
    path = store.graph
    if path.is_symlink() or not path.is_file() or path.stat().st_size < LEAST:
        yield load(store)
        return
    from memctl.graph import packed as large

    with files.open_file(path) as stream:
        found = large.opened(stream, folder(), fold)
        yield _joined(found.packed, found.behind, listing.by_need(listing.load(store).tasks))


def _joined(packed: "Packed", behind: Sequence[Row], tasks: Sequence[Task]) -> Graph:
    """Join a packed graph, the lines that were said since, and what task files say."""
    said: list[Row] = []
    slots: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in behind:
        slots[row[:2]].append(row)
    for (subject, relation), new in slots.items():
        numbers = packed.of_slot(subject, relation, {row[2] for row in new})
        before = {packed.row(at): at for at in numbers}
        now = dict.fromkeys(_live([*before, *new], frozenset()))
        packed.hidden |= {at for row, at in before.items() if row not in now}
        said += [row for row in now if row not in before]
    for task in tasks:  # the state of a task is in its file alone
        packed.hidden |= set(packed.of_slot(task.id, vocabulary.HAS_STATE))
    ids = frozenset(task.id for task in tasks)
    said = [row for row in said if row[1] != vocabulary.HAS_STATE or row[0] not in ids]
    said.sort(key=lambda row: row[4:7])
    return Graph((*said, *map(row_of, _of_tasks(tasks))), tuple(tasks), packed)


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
