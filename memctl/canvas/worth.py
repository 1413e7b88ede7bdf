"""What is worth remembering: how much a piece of a node's summary tells of the work (DESIGN 2.4)."""

import re
from functools import lru_cache

from memctl.canvas.lastwords import MARK
from memctl.canvas.pieces import SEPARATOR, is_dull, is_slip, says_nothing
from memctl.model import Node, NodeStatus, Shape
from memctl.summarize.weighing import breaks_own, finds_cause, weight
from memctl.text.letters import CJK

PIECE = 112  # characters of one member's part in the summary, when there is more to say
_SCANT = 40  # characters in which little is said
_AMPLE = 72  # characters in which a cause is told even when it names no file or symbol
WORTHWHILE = 28  # characters that a part needs to say anything
_STOPPED = re.compile(r"user: (?:interrupted|stopped|cancell?ed)\b")  # what for, the next words tell
_REFUSED = re.compile(
    r"(?:refused|interrupted|rejected|declined) by (?:the )?user|permission (?:denied|not granted)"
    r"|\bnot (?:edited|written|applied)\b|no effect|did not (?:match|apply|change)|nothing (?:was )?changed"
    r"|(?:did|does|do)(?:n't| not) (?:seem to )?(?:work|help|exist|take effect)\b|timed out|wrong (?:answer|result)",
    re.IGNORECASE,
)  # what was tried and did not go through
_PATCH = re.compile(r"(?:\d+ lines?: )?\+\d+ -\d+ \S")
_AGAIN = 0.75  # of what a further piece of one summary tells, so that room is left for other nodes
_CAUSE = 12  # what a cause is worth: more than a correction
_PLACE = re.compile(
    r"\b\d+ (?:matches|lines)\b| in \S+: (?:\S+:)?\d+ |^git diff\b|^formatted\b|^\S+[: ]\d+(?:-\d+)?: |^\d+(?:-\d+)?: "
)  # where, not what
_NAMES = re.compile(rf"[a-z][A-Z]|\w[._/]\w|\w\(|\d|_|[{CJK}]")  # of files and symbols
_BROKE = re.compile(
    r"\d+ (?:tests? |packages? )?failed\b|\b\w*(?:Error|Exception)\b|\bpanic:|exit code [1-9]|失败|エラー|오류"
)
_OVER = re.compile(r"\b(?:completed?|done|finished)\b(?: \S+)?[.!]*\Z", re.IGNORECASE)  # "Step 3 complete."
_PRAISE = re.compile(
    r"(?:all|the|everything|now)\b[^.:]{0,40}\b(?:pass|passes|passed|passing|works?|done)\b", re.IGNORECASE
)
WISHED = 7  # what a wish of the user's is worth


def value(node: Node) -> float:
    """Say how much is lost when a node's own words go: 0.4 for a step that only looked, up to 3 for a cause."""
    best = max(
        (worth_of(piece, node.status, node.shape) for piece in node.summary.split(SEPARATOR)), default=0
    )
    return max(0.4, best / 4)


def telling(node: Node) -> float:
    """Say how much the summary of a node tells: its pieces by worth and length, each further one less."""
    status: NodeStatus = "done" if node.folded else node.status
    pieces = node.summary.split(SEPARATOR)
    told = sorted(
        ((1 + worth_of(piece.rstrip("…"), status, node.shape), len(piece)) for piece in pieces), reverse=True
    )
    return sum(worth * length * _AGAIN**at for at, (worth, length) in enumerate(told))


@lru_cache(maxsize=16_384)  # a run is told again whenever it grows
def worth_of(piece: str, status: NodeStatus, shape: Shape) -> int:
    """Say how much a piece of a node's summary is worth remembering: causes, failures, commits first."""
    if piece.startswith("user: "):
        return 5 if _STOPPED.match(piece) else 11
    if piece.startswith(("asked '", "left open: ")):
        return 6
    if piece.startswith("for '"):
        return WISHED
    if is_slip(piece):
        return 3
    if piece.startswith(MARK) or is_refused(piece):
        return _CAUSE if is_cause(piece) else 8
    if _PATCH.match(piece):
        return _CAUSE  # the work itself
    if is_dull(piece) or piece == "no result" or says_nothing(piece):
        return 0
    if _PLACE.search(piece):
        return 2
    if status == "blocked":
        return 9
    if breaks_own(piece):
        return 9
    if is_cause(piece):
        return _CAUSE
    bare = not _NAMES.search(piece)
    if len(piece) < PIECE // 2 and _OVER.search(piece):
        return 3
    if bare and (len(piece) < WORTHWHILE or _PRAISE.match(piece)):
        return 2
    worth = {"finding": 6, "dead_end": 7, "edit": 5, "store": 8, "verify": 5}.get(shape, 4)
    return worth + _concludes(piece) + 2 * bool(breaks(piece)) - bare - _is_scant(piece)


@lru_cache(maxsize=16_384)
def is_cause(piece: str) -> bool:
    """Say whether a search for the cause ends in a piece."""
    return (
        _concludes(piece) > 0
        and finds_cause(piece)
        and not _is_scant(piece)
        and (len(piece) >= _AMPLE or _NAMES.search(piece) is not None)
    )


@lru_cache(maxsize=16_384)
def _concludes(piece: str) -> int:
    """Say how much a piece concludes, 0 to 3."""
    return min(3, int(weight(piece) / 2.5))


def _is_scant(piece: str) -> bool:
    """Say whether a piece is too short to tell much; CJK tells twice as much in a character."""
    return len(piece) < (_SCANT if piece.isascii() else _SCANT // 2)


def breaks(text: str) -> bool:
    """Say whether a text tells that something broke."""
    return _BROKE.search(text) is not None


def is_refused(piece: str) -> bool:
    """Say whether a piece tells what was tried and did not go through."""
    return _REFUSED.search(piece) is not None
