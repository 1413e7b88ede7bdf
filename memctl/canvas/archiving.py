"""Archiving: a canvas's header says `archived` and keeps the former status in `before` (DESIGN 2.4).

Only those two fields of the text change, so that reopening gives every other byte back.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from memctl.canvas.header import CANVAS_STATUSES
from memctl.model import Canvas, Json

Change = Callable[[str], str]  # of the text of a canvas file

_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of the header's object: where it begins, where its value stands, and what that is."""

    start: int
    begin: int
    end: int
    value: Json


def can_be_archived(text: str) -> bool:
    """Tell whether a canvas file's header can be read well enough to change it."""
    try:
        return bool(_members(text))
    except ValueError:
        return False


def archived(text: str) -> str:
    """Give a canvas file's text as that of an archived canvas; one that is archived stays as it is.

    Raises ValueError when the header is missing or no JSON (`memctl canvas fmt` writes a good one).
    """
    members = _members(text)
    status = members.get("status")
    if status is not None and status.value == "archived":
        return text
    text = _without(text, members.pop("before", None))
    members = _members(text)
    before = text[status.begin : status.end] if status is not None else "null"
    more = f',"before":{before}' if status is not None else ',"status":"archived","before":null'
    end = max(member.end for member in members.values())
    text = text[:end] + more + text[end:]
    if status is None:
        return text
    status = members["status"]
    return f'{text[: status.begin]}"archived"{text[status.end :]}'


def reopened(text: str) -> str:
    """Give an archived canvas's text with the status it had before; one that is not archived stays as it is.

    Without a former status it is active. Raises ValueError when the header is missing or no JSON.
    """
    members = _members(text)
    status, before = members.get("status"), members.get("before")
    if status is None or status.value != "archived":
        return text
    former = text[before.begin : before.end] if before is not None else '"active"'
    text = _without(text, before)
    status = _members(text)["status"]
    if former == "null":  # it had none
        return _without(text, status)
    return text[: status.begin] + former + text[status.end :]


def standing(canvas: Canvas) -> Canvas:
    """Give a canvas with the status of its work, whether or not it is archived."""
    if canvas.status != "archived":
        return canvas
    return replace(canvas, status=CANVAS_STATUSES.get(str(canvas.extra.get("before")), "active"))


def before(canvas: Canvas) -> str | None:
    """Give the status an archived canvas had before; None for one that is not archived."""
    return standing(canvas).status if canvas.status == "archived" else None


def stated(canvas: Canvas) -> str:
    """Write the status for people; archived work says whether it was finished: `active (archived)`."""
    former = before(canvas)
    return f"{former} (archived)" if former else canvas.status


def _without(text: str, member: _Member | None) -> str:
    """Cut a member out, with the comma that parts it from the one before it."""
    if member is None:
        return text
    start = text.rfind(",", 0, member.start)
    return text[:start] + text[member.end :]


def _members(text: str) -> dict[str, _Member]:
    """Read the members of the header's object with their places; of equal keys the last counts."""
    lead, brace, _ = text.partition("{")
    if not brace or lead.strip("\ufeff" + _SPACE) != "%%":
        raise ValueError("no header")
    found: dict[str, _Member] = {}
    at = len(lead)
    try:
        while text[at] != "}":
            start = _skip(text, at + 1)
            key, end = _DECODER.raw_decode(text, start)
            colon = _skip(text, end)
            begin = _skip(text, colon + 1)
            value, end = _DECODER.raw_decode(text, begin)
            at = _skip(text, end)
            if not isinstance(key, str) or text[colon] != ":" or text[at] not in ",}":
                break
            found[key] = _Member(start, begin, end, value)
        else:
            return found
    except (ValueError, IndexError, RecursionError):
        pass
    raise ValueError("a header that is not JSON")


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _SPACE:
        at += 1
    return at
