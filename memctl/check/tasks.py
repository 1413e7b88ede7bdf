"""Rules of tasks and of the graph: task -> canvas, task -> task, triple -> task."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from memctl import files
from memctl.check.codes import found
from memctl.check.results import safe
from memctl.check.survey import Survey
from memctl.model import TASK_STATES, Problem, Task
from memctl.tasks import taskfile

_FIX = "memctl check --fix rebuilds it from its canvas"


def tasks(seen: Survey) -> Iterator[Problem]:
    """Follow every task to its canvases and to other tasks, and every canvas to a task."""
    known: dict[str, Path] = {}
    read: list[tuple[Path, bytes, Task]] = []
    folder = seen.store.folder("tasks")
    for path in [] if folder.is_symlink() else seen.store.tasks():
        if path.is_symlink():
            continue
        data = files.read_bytes(path)
        if taskfile.in_conflict(data):
            continue  # the layout's rule names it
        task = taskfile.read(data)
        if task is None:
            yield found("CHK701", path, 1, "not YAML with the `task_id` of a task", _FIX)
            continue
        if task.id in known:
            message = f"task {task.id} is also in {known[task.id].name}"
            yield found("CHK202", path, _line(data, "task_id"), message, other=str(known[task.id]))
        elif path != seen.store.task(task.id):
            message = f"task {task.id} belongs in {seen.store.task(task.id).name}"
            yield found("CHK206", path, _line(data, "task_id"), message)
        known.setdefault(task.id, path)
        read.append((path, data, task))
    listed: set[str] = set()
    there = {drawn.path.name for drawn in seen.drawn}
    for path, data, task in read:
        yield from _links(path, data, task, known, there, listed)
    for drawn in seen.drawn:
        if drawn.path.name not in listed and not (seen.foreign or drawn.is_theirs):
            yield found(
                "CHK703", drawn.path, 1, "no task lists this canvas", "memctl check --fix creates its task"
            )
    for number, fields in seen.triples:
        name = fields.get("task_id")
        if isinstance(name, str) and name and name not in known:
            yield found("CHK706", seen.store.graph, number, f"task {name} is missing")


def _links(
    path: Path,
    data: bytes,
    task: Task,
    known: Mapping[str, Path],
    there: set[str],
    listed: set[str],
) -> Iterator[Problem]:
    for name in task.canvases:
        if not safe(name) or "/" in name:
            message = f"unsafe path {name!r}; it is not followed"
            yield found("CHK103", path, _line(data, "canvases"), message)
        elif name not in there:
            message = f"canvas {name} is missing"
            yield found("CHK702", path, _line(data, "canvases"), message, _FIX, other=f"mmds/{name}")
        else:
            listed.add(name)
    for link, other in (("parent", task.parent), ("previous", task.previous)):
        if other and other not in known:
            yield found("CHK704", path, _line(data, link), f"{link} task {other} is missing")
    line = _line(data, "state")
    state = data.split(b"\n")[line - 1].partition(b":")[2].decode("utf-8", "replace").strip(" \r\"'")
    if state not in TASK_STATES:
        hint = f"one of {', '.join(TASK_STATES)}"
        yield found("CHK705", path, line, f"unknown state {state[:40]!r}", hint)


def _line(data: bytes, name: str) -> int:
    """Find the line of a field."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.startswith(name.encode() + b":"):
            return number
    return 1
