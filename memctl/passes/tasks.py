"""What people and agents do with tasks; canvas and task move together (DESIGN 2.4, 2.7)."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memctl import files
from memctl.canvas.stating import restated
from memctl.errors import NotFoundError, UsageError
from memctl.model import Change, Task, TaskState
from memctl.passes.leaving import as_left
from memctl.store import Store
from memctl.tasks import listing, taskfile
from memctl.tasks.states import CANVAS_STATUS, say
from memctl.text.names import normal_time
from memctl.text.redaction import redact

HUMAN = "human"
_LONGEST_ID = 200  # characters
_LONGEST = 10_000  # characters of a description


@dataclass(frozen=True, slots=True)
class Done:
    """A task as it now stands, and the one that was put aside for it."""

    task: Task
    paused: Task | None = None


def create(
    store: Store,
    task_id: str,
    description: str,
    now: str,
    *,
    info: Sequence[str] = (),
    canvases: Sequence[str] = (),
    parent: str | None = None,
    pause_current: bool = False,
) -> Done:
    """Begin a task that is in progress; the caller holds the lock.

    canvases: file names. Raises UsageError for an id that is taken or no id, NotFoundError for a parent that
    is not there.
    """
    task_id = checked_id(task_id)
    path = store.task(task_id)
    if path.exists():
        known = listing.at(path)
        if known is None or not known.deleted:
            state = f" ({known.state})" if known else ""
            raise UsageError(
                f"task {task_id!r} already exists{state}; choose another id, or "
                + (
                    f"show it with `memctl task show {task_id}`"
                    if known and known.state == "in_progress"
                    else f"continue it with `memctl task set-state {task_id} in_progress`"
                )
            )
    parent_id = listing.the_task(store, parent).id if parent else None
    before = listing.at_hand(listing.load(store).tasks)
    writer = _Writer(store, now)
    paused = writer.say(before, "paused") if pause_current and before else None
    task = Task(
        id=task_id,
        description=_text(description),
        info_nodes=_names(info),
        canvases=tuple(dict.fromkeys(canvases)),
        parent=parent_id,
        previous=before.id if before else None,
        created=writer.now,
        updated=writer.now,
        history=(Change(writer.now, "in_progress", HUMAN),),
    )
    writer.put(task)
    writer.move_along(task)
    writer.commit()
    return Done(task, paused)


def set_state(store: Store, task: Task, state: TaskState, now: str, *, pause_current: bool = False) -> Done:
    """Have a task come into a state, and its canvases with it; the caller holds the lock.

    A state that was said last already is not said again.
    """
    writer = _Writer(store, now)
    paused = None
    if pause_current:
        before = listing.at_hand(one for one in listing.load(store).tasks if one.id != task.id)
        paused = writer.say(before, "paused") if before else None
    last = task.history[-1] if task.history else None
    if last is None or not last.by or (last.state, task.state) != (state, state):
        task = writer.say(task, state)
    writer.commit()
    return Done(task, paused)


def link(
    store: Store, task: Task, now: str, *, info: Sequence[str] = (), canvases: Sequence[str] = ()
) -> Task:
    """Link nodes of the graph and canvases to a task; the caller holds the lock."""
    writer = _Writer(store, now)
    linked = replace(
        task,
        info_nodes=tuple(dict.fromkeys((*task.info_nodes, *_names(info)))),
        canvases=tuple(dict.fromkeys((*task.canvases, *canvases))),
        updated=task.updated if task.derived else writer.now,
    )
    if (linked.info_nodes, linked.canvases) == (task.info_nodes, task.canvases):
        return task
    writer.put(linked)
    if linked.canvases != task.canvases:
        writer.move_along(linked)
    writer.commit()
    return linked


def delete(store: Store, task: Task, now: str, *, info_nodes: bool = False) -> tuple[str, ...]:
    """Delete a task: its words go, its id stays and says so, also to a later ingest; the caller holds the lock.

    Its canvases are records of what was done and stay. info_nodes: what the graph says of its nodes goes, too,
    unless another task has them; give the nodes that went.
    """
    kept = {name for other in listing.load(store).tasks if other.id != task.id for name in other.info_nodes}
    nodes = tuple(name for name in task.info_nodes if name not in kept) if info_nodes else ()
    if nodes:
        from memctl.passes import graph

        graph.purge(store, [graph.Criteria(node=name) for name in nodes], now)
    writer = _Writer(store, now)
    writer.put(
        Task(id=task.id, state=task.state, canvases=task.canvases, deleted=writer.now, derived=task.derived)
    )
    writer.commit()
    return nodes


def checked_id(given: str) -> str:
    """Give a task id in its one form. Raises UsageError for what is none."""
    name = unicodedata.normalize("NFC", given).strip()
    if not name or len(name) > _LONGEST_ID or not name.isprintable():
        raise UsageError(
            f"{given[:40]!r} is not a valid task id; use 1 to {_LONGEST_ID} printable characters, as in Task_idiom_chain"
        )
    return name


def canvas_names(store: Store, given: Sequence[str]) -> tuple[str, ...]:
    """Give the file names of canvases named by number or name. Raises NotFoundError for one not there."""
    names: list[str] = []
    for one in given:
        stem = one.removeprefix("mmds/").removesuffix(".mmd")
        found = [
            path.name
            for path in store.canvases()
            if path.stem == stem
            or (stem.isdecimal() and path.name.partition("-")[0].lstrip("0") == stem.lstrip("0"))
        ]
        if len(found) != 1:
            raise NotFoundError(f"no canvas {one!r}; see `memctl canvas list`")
        names += found
    return tuple(names)


def _names(given: Sequence[str]) -> tuple[str, ...]:
    names = [" ".join(unicodedata.normalize("NFC", name).split()) for name in given]
    if any(not name or len(name) > _LONGEST_ID for name in names):
        raise UsageError(f"the name of an information node must have 1 to {_LONGEST_ID} characters")
    return tuple(dict.fromkeys(redact(name)[0] for name in names))


def _text(given: str) -> str:
    text = redact(" ".join(given.split()))[0]
    if len(text) > _LONGEST:
        raise UsageError(f"the description has {len(text)} characters; at most {_LONGEST} are allowed")
    return text


class _Writer:
    """Writes tasks and the canvases that move along, all in one step."""

    def __init__(self, store: Store, now: str) -> None:
        self.now = normal_time(now)[0]
        self._store = store
        self._tasks: dict[str, Task] = {}
        self._canvases: dict[str, TaskState] = {}

    def say(self, task: Task, state: TaskState) -> Task:
        """Have a task come into a state, with its canvases and whatever other task lists them."""
        said = say(self._tasks.get(task.id, task), state, self.now, HUMAN)
        self.put(said)
        self.move_along(said)
        return said

    def put(self, task: Task) -> None:
        """Write a task when all is known."""
        self._tasks[task.id] = task

    def move_along(self, task: Task) -> None:
        """Have the canvases of a task, and the other tasks that list them, come into its state."""
        if not task.canvases:
            return
        self._canvases |= dict.fromkeys(task.canvases, task.state)
        for other in listing.load(self._store).tasks:
            other = self._tasks.get(other.id, other)  # noqa: PLW2901 - as it will be written
            if other.id != task.id and set(other.canvases) & set(task.canvases) and other.state != task.state:
                self.put(say(other, task.state, self.now, HUMAN))

    def commit(self) -> None:
        """Write the tasks, then the canvases; a kill between them is made good by the next pass."""
        store, batch = self._store, self._store.batch()
        for task in self._tasks.values():
            batch.write_if_changed(store.task(task.id), [taskfile.write(task)])
        for name, state in self._canvases.items():
            path = store.canvas(name)
            if path.is_file():
                text = files.read_bytes(path).decode("utf-8", "surrogateescape")
                new = restated(text, CANVAS_STATUS[state]).encode("utf-8", "surrogateescape")
                batch.write_if_changed(path, [new])
        with as_left(store):
            batch.commit()
