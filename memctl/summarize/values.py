"""JSON results: the error field, counts, and the fields that say which thing it is; domain and MCP tools."""

import re
from collections.abc import Iterator

import orjson

from memctl.model import Json
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.wording import LIMIT, clip, count, joined, lead

_LONGEST = 2_000_000  # characters of a JSON result that is parsed
_TOLD = 6  # fields of an object that are named with their values
_NAMES = (
    "title",
    "name",
    "subject",
    "summary",
    "label",
    "full_name",
    "path",
    "key",
    "identifier",
    "url",
    "id",
    "text",
    "question",
    "message",
)
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
_DULL = regex(
    r"(?:^_|^\$|token|cursor|hash|etag|checksum|signature|nonce|schema|version$|^offset$|^limit$|^page"
    r"|trace|request_id|usage)",
    re.IGNORECASE,
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
        said = f"{clip(said, 120)} ({count(outcome.lines, 'line')})"
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
    whole = ", ".join(_pairs(value)) if isinstance(value, dict) else ""
    if (
        whole
        and len(whole) <= room
        and all(not isinstance(item, (dict, list)) or not item for item in value.values())
    ):
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


def _pairs(value: dict[str, Json]) -> Iterator[str]:
    """Write the short values of an object as `name value`."""
    for name, item in value.items():
        if isinstance(item, (dict, list)):
            if item:
                yield f"{name} {_sized(item)}"
        elif item not in (None, ""):
            yield f"{name} {clip(_scalar(item), 90)}"


def _sized(item: Json) -> str:
    if isinstance(item, list):
        scalars = [_scalar(each) for each in item if not isinstance(each, (dict, list))]
        if scalars and len(scalars) == len(item) and sum(map(len, scalars)) < 60:
            return f"[{', '.join(scalars)}]"
        return f"[{count(len(item), 'item')}]"
    return f"{{{joined(item, 60)}}}"


def _scalar(item: Json) -> str:
    return (
        {True: "true", False: "false", None: "null"}[item]
        if item is None or isinstance(item, bool)
        else str(item)
    )


def _object(value: dict[str, Json], room: int) -> str:
    lists = [
        name for name, item in value.items() if isinstance(item, list) and item and isinstance(item[0], dict)
    ]
    told = next((name for name in _LISTS if name in lists), lists[0] if len(lists) == 1 else "")
    if told and len(value) <= 8:
        return _list(value[told], room, told)
    if value and all(isinstance(item, (dict, list)) for item in value.values()) and len(value) > 8:
        return f"{count(len(value), 'key')}: {joined(value, room - 12)}"
    ordered = sorted(
        value,
        key=lambda name: (bool(_DULL.search(name)), _NAMES.index(name) if name in _NAMES else len(_NAMES)),
    )
    pairs = list(_pairs({name: value[name] for name in ordered}))
    return joined(pairs, room)


def _list(value: list[Json], room: int, name: str = "") -> str:
    noun = name[:-1] if name.endswith("s") and len(name) > 3 else "item"
    plural = name if noun != "item" else "items"
    head = count(len(value), noun, plural)
    if not value:
        return f"no {plural}"
    if all(isinstance(item, dict) for item in value):
        named = [_name_of(item) for item in value[:40]]
        shown = [text for text in named if text]
        return (
            f"{head}: {joined(shown, room - len(head) - 2, '; ')}"
            if shown
            else f"{head} with {joined(value[0], room - len(head) - 6)}"
        )
    told = [_sized(item) if isinstance(item, (dict, list)) else _scalar(item) for item in value[:60]]
    return f"{head}: {joined(told, room - len(head) - 2)}"


def _name_of(item: dict[str, Json]) -> str:
    for name in _NAMES:
        found = item.get(name)
        if isinstance(found, (str, int)) and not isinstance(found, bool) and found != "":
            return clip(str(found), 60)
    return clip(", ".join(list(_pairs(item))[:2]), 60)
