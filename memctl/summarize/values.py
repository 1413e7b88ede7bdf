"""JSON results: the error field, counts, and the fields that say which thing it is; domain and MCP tools."""

import orjson

from memctl.model import Json
from memctl.summarize.objects import identity, is_table, items, object_told, scalar
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.wording import LIMIT, clip, joined, lead
from memctl.text.numbers import how_many

_LONGEST = 2_000_000  # characters of a JSON result that is parsed
_WRAPPER = 8  # fields of an object that may be there for the list it holds
_BARE: tuple[Json, ...] = (None, "", [], {})
_ERRORS = ("error", "errors", "error_message", "errorMessage", "err", "exception", "detail", "fault", "错误")
_LISTS = (
    "results",
    "items",
    "data",
    "records",
    "rows",
    "entries",
    "hits",
    "list",
    "issues",
    "documents",
    "files",
    "matches",
    "nodes",
    "edges",
    "values",
    "content",
)
_ERROR_TEXT = regex(
    r"\s*+(?:\[?(?:Error|ERROR|error|MCP error|Exception|Failed|FAILED|Failure|Invalid|Traceback)\b|错误"
    r"|出错|失败|エラー|失敗|오류|실패|❌)[^\n]{0,300}"
)


def value(_request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize the result of a domain tool: its error, the fields that identify it, its counts."""
    found = described(outcome.text, LIMIT - min(len(target), LIMIT // 2) - 2)
    if found is not None:
        return Finding(lead(target, found.text), found.score, found.failed or outcome.broke)
    if outcome.empty:
        return Finding(lead(target, "failed, no output" if outcome.broke else "no output"), 9, outcome.broke)
    said = first_line(outcome.text)
    failed = outcome.broke or (outcome.lines <= 20 and _ERROR_TEXT.match(outcome.text) is not None)
    if outcome.lines > 3:
        said = f"{clip(said, 120)} ({how_many(outcome.lines, 'line')})"
    return Finding(lead(target, said), 10 if outcome.lines == 1 and outcome.size < 120 else 4, failed)


def described(text: str, room: int) -> Finding | None:
    """Describe a JSON text in at most *room* characters; None when it is no JSON object or list."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "[") or stripped[-1:] not in ("}", "]") or len(stripped) > _LONGEST:
        return None
    try:
        value = orjson.loads(stripped)
    except ValueError:
        return None
    error = _error(value)
    if error:
        return Finding(clip(f"error: {error}", room), 8, failed=True)
    if isinstance(value, dict) and not any(
        isinstance(item, (dict, list)) and item for item in value.values()
    ):
        whole = ", ".join(
            f"{name} {clip(scalar(item), 90)}" for name, item in value.items() if item not in _BARE
        )
        if whole and len(whole) <= room:
            return Finding(whole, 10)
    return Finding(clip(_object(value, room) if isinstance(value, dict) else _list(value, room), room), 4)


def _error(value: Json) -> str:
    """Return what a value's error field says, "" when it reports none."""
    if not isinstance(value, dict):
        return ""
    for name in _ERRORS:
        said = value.get(name)
        if isinstance(said, dict):
            said = said.get("message") or said.get("msg") or said.get("type")
        if isinstance(said, list) and said:
            said = said[0].get("message") if isinstance(said[0], dict) else said[0]
        if isinstance(said, str) and said.strip() and (name != "detail" or len(value) <= 3):
            return said
    message = value.get("message") or value.get("msg") or value.get("reason")
    status = str(value.get("status", "")).lower()
    said_no = value.get("success") is False or value.get("ok") is False or value.get("isError") is True
    if (
        said_no
        or status in ("error", "failed", "failure")
        or (status.isdecimal() and status[:1] in "45" and len(status) == 3)
    ):
        return str(message or value.get("content") or f"status {status}")
    return ""


def _object(value: dict[str, Json], room: int) -> str:
    lists = [
        name for name, item in value.items() if isinstance(item, list) and item and isinstance(item[0], dict)
    ]
    held = next((name for name in _LISTS if name in lists), lists[0] if len(lists) == 1 else "")
    if held and len(value) <= _WRAPPER and identity(value) is None:
        return _list(value[held], room, held)
    nested = all(isinstance(item, (dict, list)) for item in value.values())
    if value and nested and len(value) > _WRAPPER and not is_table(value):
        return f"{how_many(len(value), 'key')}: {joined(value, room - 12)}"
    return object_told(value, room)


def _list(value: list[Json], room: int, name: str = "") -> str:
    noun = name[:-1] if name.endswith("s") and len(name) > 3 else "item"
    plural = name if noun != "item" else "items"
    if not value:
        return f"no {plural}"
    head = how_many(len(value), noun, plural)
    said = items(value, room - len(head) - 2)
    return f"{head}: {said}" if said else head
