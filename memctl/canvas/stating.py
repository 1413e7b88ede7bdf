"""The status in a canvas's header: changed without touching anything else, and known again if others did."""

from dataclasses import replace
from typing import get_args

from memctl.canvas.header import CANVAS_STATUSES, Header, read_header, write_header
from memctl.model import Canvas, CanvasStatus, Json
from memctl.text.names import short_hash


def stamp(status: str, text: str) -> str:
    """Give what the header's `body` says of a canvas as it was written: a hash of its status and body."""
    return short_hash(8, status, text.partition("\n")[2])


def written_as(canvas: Canvas | Header, text: str) -> CanvasStatus | None:
    """Give the status a canvas had when memctl wrote it; None when its body was changed since."""
    body, stamped = text.partition("\n")[2], canvas.extra.get("body")
    if stamped == short_hash(8, body):  # without the status, as it was first written
        return canvas.status
    statuses: tuple[CanvasStatus, ...] = (canvas.status, *get_args(CanvasStatus))
    return next((one for one in statuses if short_hash(8, one, body) == stamped), None)


def edited_to(canvas: Canvas | Header, text: str) -> CanvasStatus | None:
    """Give the status that somebody wrote into a header since memctl did; archiving is no such."""
    if canvas.status == "archived":
        return None
    status = written_as(canvas, text)
    return canvas.status if status is not None and status != canvas.status else None


def restated(text: str, status: CanvasStatus) -> str:
    """Give a canvas file's text with another status; of an archived one, the status it will have again.

    A text without a header stays as it is.
    """
    header, _, rows = read_header(text)
    if not rows:
        return text
    before, extra = header.status, dict[str, Json](header.extra)
    if before == "archived":
        before = CANVAS_STATUSES.get(str(extra.get("before")), "active")
        extra["before"] = status
    if before == status:
        return text
    rest = "\n".join(text.split("\n")[rows:])
    if extra.get("body") == stamp(before, f"\n{rest}"):
        extra["body"] = stamp(status, f"\n{rest}")
    changed = replace(header, status=header.status if header.status == "archived" else status, extra=extra)
    return f"{write_header(changed)}\n{rest}"


def sealed(text: str) -> str:
    """Give a canvas file's text as if memctl had written its status itself."""
    header, _, rows = read_header(text)
    rest = "\n".join(text.split("\n")[rows:])
    if not rows:
        return text
    extra = {**header.extra, "body": stamp(header.status, f"\n{rest}")}
    return f"{write_header(replace(header, extra=extra))}\n{rest}"
