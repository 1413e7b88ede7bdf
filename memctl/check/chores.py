"""Rules of tasks and of the graph: task -> canvas, task -> task, triple -> task."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from memctl import files
from memctl.check.codes import found
from memctl.check.results import safe
from memctl.check.survey import CONFLICT, Survey
from memctl.errors import MemctlError
from memctl.model import Json, Problem

_STATES = ("in_progress", "completed", "paused", "cancelled")
_FIX = "memctl check --fix writes it anew from its canvas"


def chores(seen: Survey) -> Iterator[Problem]:
    """Follow every task to its canvases and to other tasks, and every canvas to a task."""
    known: dict[str, Path] = {}
    read: list[tuple[Path, bytes, Mapping[str, Json]]] = []
    folder = seen.store.root / "tasks"
    for path in [] if folder.is_symlink() else seen.store.tasks():
        if path.is_symlink():
            continue
        data = files.read_bytes(path)
        if CONFLICT.search(data):
            continue  # the layout's rule names it
        fields, line, fault = _task(data)
        name = fields.get("task_id")
        if fault or not isinstance(name, str):
            yield found("CHK701", path, line, fault or "no `task_id`", _FIX)
            continue
        if name in known:
            message = f"task {name} is in {known[name].name}, too"
            yield found("CHK202", path, _line(data, "task_id"), message, other=str(known[name]))
        elif path != seen.store.task(name):
            message = f"task {name} belongs in {seen.store.task(name).name}"
            yield found("CHK206", path, _line(data, "task_id"), message)
        known.setdefault(name, path)
        read.append((path, data, fields))
    listed: set[str] = set()
    there = {drawn.path.name for drawn in seen.drawn}
    for path, data, fields in read:
        yield from _links(path, data, fields, known, there, listed)
    for drawn in seen.drawn:
        if drawn.path.name not in listed and not seen.foreign:
            yield found(
                "CHK703", drawn.path, 1, "no task lists this canvas", "memctl check --fix writes its task"
            )
    for number, fields in seen.triples:
        task = fields.get("task_id")
        if isinstance(task, str) and task and task not in known:
            yield found("CHK706", seen.store.root / "graph.jsonl", number, f"task {task} is not there")


def _links(
    path: Path,
    data: bytes,
    fields: Mapping[str, Json],
    known: Mapping[str, Path],
    there: set[str],
    listed: set[str],
) -> Iterator[Problem]:
    canvases = fields.get("canvases")
    for name in canvases if isinstance(canvases, list) else ():
        if not isinstance(name, str) or not safe(name) or "/" in name:
            message = f"unsafe path {name!r}; it is not followed"
            yield found("CHK103", path, _line(data, "canvases"), message)
        elif name not in there:
            message = f"canvas {name} is not there"
            yield found("CHK702", path, _line(data, "canvases"), message, _FIX, other=f"mmds/{name}")
        else:
            listed.add(name)
    for link in ("parent", "previous"):
        other = fields.get(link)
        if isinstance(other, str) and other and other not in known:
            yield found("CHK704", path, _line(data, link), f"{link} task {other} is not there")
    state = fields.get("state")
    if state not in _STATES:
        hint = f"one of {', '.join(_STATES)}"
        yield found("CHK705", path, _line(data, "state"), f"unknown state {str(state)[:40]!r}", hint)


def _line(data: bytes, name: str) -> int:
    """Find the line of a field."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.startswith(name.encode() + b":"):
            return number
    return 1


def _task(data: bytes) -> tuple[Mapping[str, Json], int, str]:
    """Read a task file: its fields, or a line and what is wrong there."""
    plain = _plain(data)
    if plain is not None:
        return plain, 1, ""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        value = YAML(typ="safe", pure=True).load(data.decode("utf-8"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return {}, line, f"not valid YAML: {error.problem}"
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, ArithmeticError) as error:
        return {}, 1, f"not valid YAML: {str(error)[:100]}"
    if not isinstance(value, dict):
        return {}, 1, "not the fields of a task"
    return value, 1, ""


def _plain(data: bytes) -> Mapping[str, Json] | None:
    """Read the YAML that memctl itself writes, whose values are JSON; None when it is something else.

    A YAML library takes two milliseconds a task, and a directory has thousands.
    """
    fields: dict[str, Json] = {}
    inside = ""
    for line in data.split(b"\n"):
        if not line or line.startswith((b"#", b"- {at: ")):
            if line.startswith(b"-") and inside != "history":
                return None
            continue
        name, colon, value = line.partition(b":")
        inside = name.decode("utf-8", "replace")
        if not colon or not inside.isidentifier() or inside in fields:
            return None
        text = value.strip()
        if text.replace(b"-", b"").replace(b"_", b"").isalnum() and text.isascii() and text[:1].isalpha():
            fields[inside] = None if text in (b"null", b"true", b"false") else text.decode()
        elif not text:
            fields[inside] = []
        else:
            try:
                fields[inside] = files.decode(text)
            except ValueError:
                return None
    return fields


def readable(path: Path) -> bool:
    """Tell whether a task file holds a task."""
    try:
        return not _task(files.read_bytes(path))[2]
    except MemctlError:
        return False
