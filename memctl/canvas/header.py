"""The header of a canvas file, one comment line with JSON: `%% {"taskGoal": ...}` (DESIGN 2.4)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.canvas.nodetext import one_line
from memctl.model import CanvasStatus, Json

if TYPE_CHECKING:  # a canvas without problems needs none
    from memctl.model import Problem

CANVAS_STATUSES: dict[str, CanvasStatus] = {
    "active": "active",
    "paused": "paused",
    "completed": "completed",
    "cancelled": "cancelled",
    "archived": "archived",
    # the states of a task, and what models write
    "in_progress": "active",
    "doing": "active",
    "done": "completed",
    "canceled": "cancelled",
}
_KEYS = ("taskGoal", "status", "progress", "createdTime", "updatedTime", "session", "upto", "by")
# Mermaid reads `%%{` as a directive and `<a ...>` as a tag, even in a comment; the rest of the class would
# break the line, hide text or steer a terminal. Inside JSON strings all of it can be written as an escape.
_UNSAFE = "(?<=%)%|<(?=\\w)|[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
_OURS = re.compile(r"\s*%%[ \t]*(\{.*\})\s*\Z", re.DOTALL)
_THEIRS = re.compile(r"\s*%%(\{.*\})[ \t]*%%\s*\Z", re.DOTALL)
_NO_QUOTE = re.compile(r'([{,]\s*)([A-Za-z_]\w{0,40})"\s*:')
_FIELD = re.compile(r'[{,]\s*"?(taskGoal|status|createdTime|updatedTime|session|by|progress|upto)"?\s*:\s*')


@dataclass(frozen=True, slots=True)
class Header:
    """What a canvas file says before its flowchart. progress: None when the header does not say."""

    goal: str = ""
    status: CanvasStatus = "active"
    progress: int | None = None
    created: str | None = None
    updated: str | None = None
    session: str = ""
    upto: int = -1
    by: str = "llm"  # a header without it is the original's, whose canvases are a model's work
    extra: Mapping[str, Json] = field(default_factory=dict)


def write_header(header: Header) -> str:
    """Write the header line: JSON in the order of DESIGN 2.4, then the extra keys in theirs."""
    values: dict[str, Json] = {
        "taskGoal": one_line(header.goal),
        "status": header.status,
        "progress": header.progress,
        "createdTime": header.created or None,
        "updatedTime": header.updated or None,
        "session": header.session,
        "upto": header.upto,
        "by": header.by,
    }
    values |= {key: value for key, value in header.extra.items() if key not in values}
    return comment_line(values)


def comment_line(values: Mapping[str, Json]) -> str:
    """Write *values* as a Mermaid comment, `%% {json}`: one line that Mermaid reads over and no text breaks."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return "%% " + re.sub(_UNSAFE, lambda match: f"\\u{ord(match[0]):04x}", text)


def read_header(text: str) -> "tuple[Header, list[Problem], int]":
    """Read the header at the top of *text*: what it says, what is wrong with it, how many lines it takes."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines) or not re.match(r"\s*%%\s*\{", lines[first]):
        return (
            Header(by="human"),
            [_problem(1, "CANVAS103", "no header", "a canvas begins with `%% {json}`")],
            0,
        )
    last = first
    if re.match(r"\s*%%\{", lines[first]) and "}%%" not in lines[first]:  # theirs may run over several lines
        last = next((at for at in range(first, min(first + 40, len(lines))) if "}%%" in lines[at]), first)
    raw = "\n".join(lines[first : last + 1])
    found = _THEIRS.match(raw) or _OURS.match(raw)
    values = _load(found[1] if found else raw)
    if values is None:
        values = _salvage(raw)
        problem = _problem(first + 1, "CANVAS104", "the header is not JSON", 'write `%% {"taskGoal": ...}`')
        header, problems = _from_values(values, first + 1)
        return header, [problem, *problems], last + 1
    header, problems = _from_values(values, first + 1)
    return header, problems, last + 1


def _load(text: str) -> dict[str, Json] | None:
    for candidate in (text, _NO_QUOTE.sub(r'\1"\2":', text)):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _salvage(text: str) -> dict[str, Json]:
    """Take what can be told apart from a header that is no JSON: each known key up to the next one."""
    values: dict[str, Json] = {}
    found = list(_FIELD.finditer(text))
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        value = text[match.end() : end].strip().rstrip("%").rstrip().removesuffix("}").strip()
        if re.fullmatch(r"-?[0-9]{1,15}", value):
            values.setdefault(match[1], int(value))
        elif value != "null":
            values.setdefault(match[1], value.removeprefix('"').removesuffix('"').replace('\\"', '"'))
    return values


def _from_values(values: dict[str, Json], row: int) -> "tuple[Header, list[Problem]]":
    problems: list[Problem] = []

    def wrong(key: str) -> None:
        problems.append(
            _problem(row, "CANVAS105", f"header field {key} is not usable: {str(values[key])[:60]!r}")
        )

    def text(key: str) -> str:
        value = values.get(key)
        if value is None or isinstance(value, str):
            return value or ""
        wrong(key)
        return ""

    def number(key: str) -> int | None:
        value = values.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        wrong(key)
        return None

    word = text("status")
    if word and word not in CANVAS_STATUSES:
        wrong("status")
    upto = number("upto")
    default = Header()
    header = Header(
        goal=one_line(text("taskGoal")),
        status=CANVAS_STATUSES.get(word, "active"),
        progress=number("progress"),
        created=text("createdTime") or None,
        updated=text("updatedTime") or None,
        session=text("session"),
        upto=default.upto if upto is None else upto,
        by=text("by") or default.by,
        extra={key: value for key, value in values.items() if key not in _KEYS},
    )
    return header, problems


def _problem(row: int, code: str, message: str, hint: str = "") -> "Problem":
    from memctl.model import Problem

    return Problem("", row, 1, code, message, "error", hint)
