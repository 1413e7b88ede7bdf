"""Tracking: the task file of a canvas follows the canvas, and keeps what people and agents say of the task."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from memctl import files
from memctl.canvas import stating
from memctl.canvas.grow import TaskGrowth
from memctl.canvas.header import read_header
from memctl.model import CanvasStatus, Change, Task, TaskState
from memctl.store import Store
from memctl.tasks import listing, taskfile
from memctl.tasks.states import CANVAS_STATUS, OF_CANVAS, instant, said, with_canvas
from memctl.text.names import short_hash


def follow(
    store: Store, growth: TaskGrowth, file_name: str, session: str, edited: CanvasStatus | None
) -> tuple[Task, CanvasStatus]:
    """Give a canvas's task as it now stands, and with it the canvas's status.

    edited: the status that somebody wrote into the canvas's header since the last pass. A file that a person
    made their own is left alone, and the canvas goes by it; so is a deleted task's, which says nothing.
    """
    path = path_of(store, growth, session)
    known = listing.at(path) if path.is_file() else None
    if known is not None and (known.deleted or not known.derived):
        return known, growth.status if known.deleted else CANVAS_STATUS[known.state]
    task = known or Task(id=task_id(growth, session), derived=True)
    if edited in OF_CANVAS and (not said(task) or said(task)[-1].state != OF_CANVAS[edited]):
        task = _told(task, OF_CANVAS[edited], growth.updated)
    made = replace(
        with_canvas(task, _derived(growth)),
        description=growth.goal,
        canvases=(file_name, *(name for name in task.canvases if name != file_name)),
        created=growth.created,
        updated=max((growth.updated, *(change.at for change in said(task))), key=instant),
    )
    return made, CANVAS_STATUS[made.state]


def put(
    store: Store, batch: files.Batch, growth: TaskGrowth, session: str, task: Task, *, archived: bool = False
) -> bool:
    """Write a canvas's task file unless it is a person's own or says so already; say whether it is written.

    archived: the canvas is, so the file is kept brief.
    """
    if task.deleted or not task.derived:
        return False
    data = taskfile.write(task)
    return batch.write_if_changed(
        path_of(store, growth, session), [taskfile.brief(data) if archived else data]
    )


def task_id(growth: TaskGrowth, session: str) -> str:
    """Name the task of a canvas (DESIGN 2.1)."""
    return f"task-{short_hash(12, session, growth.ordinal)}"


def path_of(store: Store, growth: TaskGrowth, session: str) -> Path:
    """Name the task file of a canvas."""
    return store.task(task_id(growth, session))


def settle(store: Store) -> None:
    """Join what git left in conflict in task files, and have canvases and tasks say the same again.

    A status that somebody wrote into a canvas's header is said of its tasks; else a canvas goes by what was
    said last of a task that lists it.
    """
    batch = store.batch()
    tasks: dict[Path, Task] = {}
    listing_of: dict[str, list[Path]] = defaultdict(list)
    for path in store.tasks():
        task = listing.at(path)
        if task is None or task.deleted:
            continue
        tasks[path] = task
        if taskfile.in_conflict(files.read_bytes(path)):
            batch.write(path, [taskfile.write(task)])
        for name in task.canvases:
            listing_of[name].append(path)
    for path in store.canvases():
        if path.name not in listing_of or path.is_symlink():
            continue
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
        header, _, rows = read_header(text)
        edited = OF_CANVAS.get(stating.edited_to(header, text) or "") if rows else None
        if edited is not None:
            for at in listing_of[path.name]:
                tasks[at] = _told(tasks[at], edited, header.updated)
                batch.write(at, [taskfile.write(tasks[at])])
            batch.write(path, [stating.sealed(text).encode("utf-8", "surrogateescape")])
        elif state := _said_last([tasks[at] for at in listing_of[path.name]]):
            new = stating.restated(text, CANVAS_STATUS[state])
            batch.write_if_changed(path, [new.encode("utf-8", "surrogateescape")])
    batch.commit()


def _told(task: Task, state: TaskState, at: str | None) -> Task:
    last = task.history[-1].at if task.history else None
    change = Change(max((at, last), key=instant), state, "human")
    return replace(task, state=state, history=(*task.history, change))


def _said_last(tasks: list[Task]) -> TaskState | None:
    spoken = [task for task in tasks if said(task)]
    return max(spoken, key=lambda task: instant(said(task)[-1].at)).state if spoken else None


def _derived(growth: TaskGrowth) -> tuple[Change, ...]:
    state = OF_CANVAS.get(growth.status, "in_progress")
    changes = [
        Change(growth.created, "in_progress"),
        *(Change(at, "in_progress") for at in growth.resumed_at),
    ]
    if state != "in_progress":
        changes.append(Change(growth.updated, state))
    return tuple(changes)
