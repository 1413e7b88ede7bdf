"""What a run of nodes comes to: the one node that stands for them when they fold (DESIGN 2.4)."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import reduce

from memctl.canvas.cards import later
from memctl.canvas.pieces import SEPARATOR, TITLE, is_dull
from memctl.model import Node, NodeStatus
from memctl.text.widths import one_line

_PIECE = 96  # characters of one member's part in the summary, when there is more to say
_WORTHWHILE = 28  # characters that a part needs to say anything
_BADNESS: dict[NodeStatus, int] = {"paused": 0, "done": 1, "todo": 2, "doing": 3, "blocked": 4}
_CORRECTIONS, _CORRECTION = 2, 48  # of the user told of one run, and characters for each
_PLACE = re.compile(r"\b\d+ (?:matches|lines)\b|^\S+[: ]\d+(?:-\d+)?: |^\d+(?:-\d+)?: ")  # where, not what
_LOST = re.compile(r"[+-]?\d|adds |removes |not edited|not written|overwrote|in ")
_SAME = dict.fromkeys(["write", "patch", "sed", "cp", "mv", "rm"], "edit") | {"ls": "list", "find": "search"}
_VERBS = (
    "",
    "edit",
    "git",
    "test",
    "build",
    "run",
    "open",
    "search",
    "list",
    "read",
    "agent:",
    "mkdir",
    *_SAME,
)
_LEAST = 16  # characters that a kind of work needs to be named in a title
_ON_TARGETS = ("edit", "write", "read", "list", "search")
_SEVERAL = re.compile(r", | \+\d| · ")
_FEW = 3  # kinds of work named in a title


def gist(members: Sequence[Node], limit: int, endings: Collection[int] = ()) -> Node:
    """Fold *members*, in order and not none, into one node; its summary has at most *limit* characters.

    endings: numbers of nodes after which the user spoke; what they conclude stands for what came before.
    """
    first, last = members[0], members[-1]
    timestamp = None
    for member in members:
        timestamp = later(timestamp, member.timestamp)
    return Node(
        first.number,
        _title(members),
        reduce(worst, (member.status for member in members)),
        _summary(members, limit, endings),
        timestamp,
        last.shape,
        _ranges(members),
    )


def worst(one: NodeStatus, other: NodeStatus) -> NodeStatus:
    """Give the worse of two statuses: blocked, doing, todo, done, paused."""
    return max(one, other, key=_BADNESS.__getitem__)


def _ranges(members: Sequence[Node]) -> tuple[tuple[int, int], ...]:
    """List every number the run stands for but the first, as closed ranges."""
    spans = [(member.number, member.number) for member in members[1:]]
    return ranges([*spans, *(span for member in members for span in member.folded)])


def ranges(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Join spans of numbers into the fewest closed ranges, in order."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def _title(members: Sequence[Node]) -> str:
    """Name the work of a run: items of a plan, then what was edited, tested, run and read."""
    work: dict[str, Counter[str]] = {}
    for member in members:
        for piece in member.title.split(SEPARATOR):
            verb, _, rest = piece.partition(" ")
            if verb not in _VERBS or not rest:
                verb, rest = "", piece
            work.setdefault(_SAME.get(verb, verb), Counter()).update(rest.split(", ") if verb else [rest])
    verbs = [verb for verb in _VERBS if verb in work][:_FEW]
    title = ""
    for at, verb in enumerate(verbs):
        room = (TITLE - len(title) - len(SEPARATOR)) // (len(verbs) - at)
        if title and room < _LEAST:
            break
        piece = _listed(verb, [target for target, _ in work[verb].most_common()], room)
        title = f"{title}{SEPARATOR}{piece}" if title else piece
    return one_line(title, TITLE)


def _listed(verb: str, targets: list[str], room: int) -> str:
    """List the targets that fit into *room* characters, the most frequent first; `+3` counts the others."""
    targets = [target for target in targets if not target.startswith("+")] or targets
    separator = ", " if verb else SEPARATOR
    text = f"{verb} {targets[0]}".strip()
    for at, target in enumerate(targets[1:], 1):
        if len(text) + len(separator) + len(target) > room - 4:
            return f"{text} +{len(targets) - at}"
        text += separator + target
    return text


def _summary(members: Sequence[Node], limit: int, endings: Collection[int]) -> str:
    """Say what the run found: corrections, failures and conclusions before counts, in the order they came."""
    pieces: dict[str, tuple[int, int]] = {}
    for at, member in enumerate(members):
        for rank, piece in enumerate(member.summary.split(SEPARATOR)[:_FEW]):
            if piece:
                piece = _located(member, piece)  # noqa: PLW2901  (the piece, as it reads among others)
                ending = member.number in endings or at == len(members) - 1
                worth = _worth(member, piece) - rank + 2 * ending
                pieces[piece] = max((worth, at), pieces.get(piece, (worth, at)))
    chosen: dict[str, int] = {}
    room = limit
    corrections = 0
    for piece, (_worth_of, at) in sorted(pieces.items(), key=lambda each: (-each[1][0], -each[1][1])):
        if room < _WORTHWHILE:
            break
        if correction := piece.startswith("user: "):
            if corrections == _CORRECTIONS:
                continue
            corrections += 1
        most = _CORRECTION if correction else _PIECE
        said = one_line(piece, room if room < 2 * _WORTHWHILE else min(most, room))
        chosen[said] = at
        room -= len(said) + len(SEPARATOR)
    return one_line(SEPARATOR.join(sorted(chosen, key=chosen.__getitem__)), limit)


def _located(member: Node, piece: str) -> str:
    """Name again the one target that a piece is about: among others it would not be known."""
    verb, _, target = member.title.partition(" ")
    if verb in _ON_TARGETS and not _SEVERAL.search(target) and _LOST.match(piece):
        return f"{target} {piece}"
    return piece


def _worth(member: Node, piece: str) -> int:
    """Say how much a piece of a member's summary is worth remembering."""
    if piece.startswith("user: "):
        return 9
    if is_dull(piece):
        return 0
    if _PLACE.search(piece):
        return 2
    if member.status == "blocked":
        return 8
    return {"finding": 6, "dead_end": 7, "edit": 5, "store": 5, "verify": 5}.get(member.shape, 4)
