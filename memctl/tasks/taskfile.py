"""A task file: YAML that people edit and git merges, read without trusting it (DESIGN 2.7).

memctl writes each field on a line of its own, its strings as JSON has them, which YAML reads the same; so
it can be read back without a YAML library. What a person wrote otherwise is read as YAML, as text and lists
of it only: no types, no anchors, no aliases.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import replace

from memctl.model import TASK_STATES, Change, Json, Task, TaskState
from memctl.tasks.states import merge

BY_RULES = "# Written by memctl from the canvas; remove this line to keep your own changes.\n"

_FIELDS = (
    *("task_id", "description", "state", "info_nodes", "canvases", "parent", "previous"),
    *("created", "updated", "history", "deleted"),
)
_MOST = 1 << 20  # bytes of a task file; more is none
_MOST_YAML = 1 << 16  # bytes that are read as YAML, which is slow
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,60}):(?: +|$)")
_CHANGE = re.compile(
    r"- \{at: (\"[^\"\n]*\"|[^\s,{}\"']+), state: ([a-z_]+)(?:, by: (\"[^\"\n]*\"|[\w:.-]+))?\}"
)
_PLAIN = re.compile(r"[\w./~-][^\"'#:{}\[\],&*!|>%@`\\]*")
_DERIVED_ID = re.compile(r"task-[0-9a-f]{12}")
# What would steer a terminal, hide, or break a line of YAML; inside JSON strings it is written as an escape.
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]"
)
_EMPTY = frozenset((b"info_nodes: []", b"parent: null", b"previous: null"))
_GOING_ON = (b"", b" ", b"\t", b"\r", b"-", b"#")  # what a line of a list begins with, below its key
_NULL = frozenset(("", "null", "~", "Null", "NULL"))


def write(task: Task) -> bytes:
    """Write a task file."""
    lines = [f"task_id: {_id(task.id)}"]
    lines += [
        f"description: {_scalar(task.description)}",
        f"state: {task.state}",
        f"info_nodes: {_list(task.info_nodes)}",
        f"canvases: {_list(task.canvases)}",
        f"parent: {_scalar(task.parent)}",
        f"previous: {_scalar(task.previous)}",
        f"created: {_scalar(task.created)}",
        f"updated: {_scalar(task.updated)}",
        *([f"deleted: {_scalar(task.deleted)}"] if task.deleted else []),
        *(f"{name}: {json.dumps(value)}" for name, value in task.extra.items()),
        "history:" if task.history else "history: []",
        *(_change(change) for change in task.history),
    ]
    text = "\n".join(lines).encode("utf-8", "replace") + b"\n"
    return (BY_RULES.encode() if task.derived else b"") + text


def brief(data: bytes) -> bytes:
    """Give a derived task's file without its empty fields; another one stays as it is.

    The task of an archived canvas is kept so: what the canvas's header says more then, its task says less, and
    archiving does not make a directory grow (DESIGN 8).
    """
    if not data.startswith(BY_RULES.encode()):
        return data
    return b"\n".join(line for line in data.split(b"\n") if line not in _EMPTY)


def listing_instead(data: bytes, gone: str, kept: str) -> bytes:
    """Let a task file list the canvas *kept* in the place of *gone*; all other bytes stay, whoever wrote them.

    Only where the names do not stand in lines of their own, as in a mapping on one line, is it written anew.
    """
    task = read(data) if gone.encode("utf-8", "replace") in data else None
    if task is None or gone not in task.canvases:
        return data
    names = dict.fromkeys(kept if name == gone else name for name in task.canvases)
    whole = re.compile(rb"(?<![^\s\[\],\"'])" + re.escape(gone.encode()) + rb"(?![^\s\[\],\"'])")
    lines, listed = [], False
    for line in data.split(b"\n"):
        if line.startswith(b"canvases:"):
            listed = True
        elif line[:1] not in _GOING_ON:
            listed = False
        text, mark, comment = line.partition(b"#" if line.lstrip().startswith(b"#") else b" #")
        lines.append((whole.sub(lambda _: kept.encode(), text) if listed else text) + mark + comment)
    written = b"\n".join(lines)
    found = read(written)  # sides that are joined may come in another order
    same = (
        found
        and replace(found, canvases=()) == replace(task, canvases=())
        and set(found.canvases) == {*names}
    )
    return written if same else write(replace(task, canvases=tuple(names)))


def _id(task_id: str) -> str:
    """Write an id plainly where YAML cannot take it for anything else."""
    return task_id if _DERIVED_ID.fullmatch(task_id) else _scalar(task_id)


def _change(change: Change) -> str:
    by = f", by: {_scalar(change.by)}" if change.by else ""
    return f"- {{at: {_scalar(change.at)}, state: {change.state}{by}}}"


def _list(names: Iterable[str]) -> str:
    return f"[{', '.join(map(_scalar, names))}]"


def _scalar(text: str | None) -> str:
    if text is None:
        return "null"
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


# --------------------------------------------------------------------------- reading


def read(data: bytes) -> Task | None:
    """Read a task file; None when it is none.

    One that git left with conflict markers is what its two sides come to, joined by field.
    """
    if len(data) > _MOST:
        return None
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    sides = [_task(side) for side in _sides(text)]
    found = [side for side in sides if side is not None]
    if not found:
        return None
    return merge(found[0], found[-1])


def in_conflict(data: bytes) -> bool:
    """Tell whether git left conflict markers in a file."""
    return data.startswith(b"<<<<<<< ") or b"\n<<<<<<< " in data


def _sides(text: str) -> list[str]:
    """Give the two sides of a conflict, the common base left out; the text alone when there is none."""
    if not in_conflict(text.encode("utf-8", "replace")):
        return [text]
    sides: tuple[list[str], list[str]] = ([], [])
    where = "both"
    for line in text.split("\n"):
        marker = line[:7]
        if marker == "<<<<<<<" and where == "both":
            where = "ours"
        elif marker == "|||||||" and where == "ours":
            where = "base"
        elif marker == "=======" and where in ("ours", "base"):
            where = "theirs"
        elif marker == ">>>>>>>" and where == "theirs":
            where = "both"
        else:
            if where in ("both", "ours"):
                sides[0].append(line)
            if where in ("both", "theirs"):
                sides[1].append(line)
    return ["\n".join(side) for side in sides]


def _task(text: str) -> Task | None:
    fields = _plainly(text)
    if fields is None:
        fields = _as_yaml(text) if len(text) <= _MOST_YAML else None
    if not isinstance(fields, dict) or not isinstance(fields.get("task_id"), str) or not fields["task_id"]:
        return None
    history = fields.get("history")
    changes = [_change_of(item) for item in history] if isinstance(history, list) else []
    known = [change for change in changes if change is not None]
    state = _state(fields.get("state")) or (known[-1].state if known else "in_progress")
    return Task(
        id=fields["task_id"],
        description=_text(fields.get("description")) or "",
        state=state,
        info_nodes=_names(fields.get("info_nodes")),
        canvases=_names(fields.get("canvases")),
        parent=_text(fields.get("parent")),
        previous=_text(fields.get("previous")),
        created=_text(fields.get("created")),
        updated=_text(fields.get("updated")),
        history=tuple(known),
        deleted=_text(fields.get("deleted")),
        derived=text.startswith(BY_RULES),
        extra={name: value for name, value in fields.items() if name not in _FIELDS},
    )


def _state(value: Json) -> TaskState | None:
    return next((state for state in TASK_STATES if state == value), None)


def _change_of(value: Json) -> Change | None:
    state = _state(value.get("state")) if isinstance(value, dict) else None
    return Change(_text(value.get("at")), state, _text(value.get("by")) or "") if state else None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _names(value: Json) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(item for item in listed if isinstance(item, str) and item))


# --------------------------------------------------------------------------- as memctl writes it


def _plainly(text: str) -> dict[str, Json] | None:
    """Read the lines that memctl writes; None for a line of any other kind."""
    fields: dict[str, Json] = {}
    history: list[Json] | None = None
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        if history is not None and (found := _CHANGE.fullmatch(line.rstrip())):
            at, state, by = (_value(piece) if piece else None for piece in found.groups())
            history.append({"at": at, "state": state, "by": by})
            continue
        key = _KEY.match(line)
        if key is None or key[1] in fields:
            return None
        history = None
        rest = line[key.end() :].strip()
        if not rest and key[1] == "history":
            fields["history"] = history = []
            continue
        try:
            fields[key[1]] = _value(rest)
        except ValueError:
            return None
    return fields


def _value(text: str) -> Json:
    """Read a value written as JSON, or a plain word. Raises ValueError for what only YAML understands."""
    if text in _NULL:
        return None
    if text[0] in '"[{':
        try:
            return json.loads(text)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
    if _PLAIN.fullmatch(text) or re.fullmatch(r"[0-9T:.Z+-]+", text):
        return text
    raise ValueError("not plain")


# --------------------------------------------------------------------------- as people write it


def _as_yaml(text: str) -> Json:
    """Read YAML as text, lists and mappings of it; None for what is none or holds an alias.

    Built from the parser's events, so that no type is made and no alias can grow.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    stack: list[list[Json]] = [[]]  # the items of the collections that are open, the outermost first
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            kind = type(event).__name__
            if kind == "ScalarEvent":
                plain = event.style is None and event.value in _NULL
                stack[-1].append(None if plain else str(event.value))
            elif kind in ("SequenceStartEvent", "MappingStartEvent"):
                if len(stack) > 8:
                    return None
                stack.append([])
            elif kind == "SequenceEndEvent":
                items = stack.pop()
                stack[-1].append(items)
            elif kind == "MappingEndEvent":
                items = stack.pop()
                pairs = [(items[at], items[at + 1]) for at in range(0, len(items) - 1, 2)]
                stack[-1].append({key: value for key, value in pairs if isinstance(key, str)})
            elif kind == "AliasEvent":
                return None
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, ArithmeticError, AttributeError):
        return None
    return stack[0][0] if stack[0] else None
