"""The tasks of a directory: all of them, the one of an id, the one at hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memctl import files
from memctl.errors import AmbiguousError, MemctlError, NotFoundError
from memctl.model import Task
from memctl.store import Store
from memctl.tasks import taskfile
from memctl.tasks.states import instant

_RANK = {"in_progress": 0, "paused": 1, "completed": 2, "cancelled": 3}


@dataclass(frozen=True, slots=True)
class Listed:
    """The tasks that can be read, and the files that cannot."""

    tasks: tuple[Task, ...]
    unreadable: tuple[Path, ...]


def load(store: Store) -> Listed:
    """Read all task files, in order of name; deleted ones are left out."""
    found: list[Task] = []
    unreadable: list[Path] = []
    for path in store.tasks():
        task = at(path)
        if task is None:
            unreadable.append(path)
        elif not task.deleted:
            found.append(task)
    return Listed(tuple(found), tuple(unreadable))


def at(path: Path) -> Task | None:
    """Read a task file; None when it is none, or a link."""
    try:
        return taskfile.read(files.read_bytes(path))
    except MemctlError:
        return None


def by_need(tasks: Iterable[Task]) -> list[Task]:
    """Put tasks in the order in which they may be wanted: in progress, paused, ended; the newest first."""
    newest = sorted(tasks, key=lambda task: (instant(task.updated), task.id), reverse=True)
    return sorted(newest, key=lambda task: _RANK[task.state])


def at_hand(tasks: Iterable[Task]) -> Task | None:
    """Give the task that is in progress; of several the one touched last."""
    first = next(iter(by_need(tasks)), None)
    return first if first is not None and first.state == "in_progress" else None


def the_task(store: Store, given: str) -> Task:
    """Find a task by its id, or the first characters of it.

    Raises NotFoundError for none and for a deleted one, AmbiguousError with the list for several.
    """
    name = given if store.task(given).is_file() else given.removeprefix("task:")
    exact = store.task(name)
    task = at(exact) if exact.is_file() else None
    if task is None:
        named = [one for one in load(store).tasks if len(name) >= 4 and one.id.startswith(name)]
        if len(named) > 1:
            ways = "\n".join(f"  {one.id}  {one.state}  {one.description[:80]}" for one in named[:20])
            raise AmbiguousError(f"{given!r} matches {len(named)} tasks; choose one:\n{ways}")
        task = named[0] if named else None
    if task is None:
        if exact.is_file():
            raise NotFoundError(
                f"{store.relative(exact)} cannot be read as a task; correct or remove the file"
            )
        from difflib import get_close_matches

        near = get_close_matches(name[:200], [one.id for one in load(store).tasks], 1, 0.7)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise NotFoundError(f"no task {given!r}{meant}; see `memctl task list`")
    if task.deleted:
        raise NotFoundError(
            f"task {task.id!r} was deleted {task.deleted}; you can create it again with `memctl task create`"
        )
    return task
