"""What a run of nodes comes to: the one node that stands for them when they fold (DESIGN 2.4)."""

from collections.abc import Sequence

from memctl.canvas.cards import later
from memctl.canvas.drawing import SEPARATOR
from memctl.model import Node, NodeStatus
from memctl.text.widths import one_line

_TITLE = 72  # characters of a title, without the arrow
_PIECE = 72  # characters of one member's part in the summary
_BADNESS: dict[NodeStatus, int] = {"done": 0, "todo": 1, "paused": 2, "doing": 3, "blocked": 4}
_VERBS = ("", "edit", "write", "git", "test", "build", "run", "open", "search", "list", "read", "agent:")
_LEAST = 16  # characters that a kind of work needs to be named in a title
_FEW = 3  # kinds of work named in a title


def gist(members: Sequence[Node], limit: int) -> Node:
    """Fold *members*, in order and not none, into one node; its summary has at most *limit* characters."""
    first, last = members[0], members[-1]
    timestamp = None
    for member in members:
        timestamp = later(timestamp, member.timestamp)
    return Node(
        first.number,
        _title(members),
        max((member.status for member in members), key=_BADNESS.__getitem__),
        _summary(members, limit),
        timestamp,
        last.shape,
        _ranges(members),
    )


def _ranges(members: Sequence[Node]) -> tuple[tuple[int, int], ...]:
    """List every number the run stands for but the first, as closed ranges."""
    spans = [(member.number, member.number) for member in members[1:]]
    spans += [span for member in members for span in member.folded]
    ranges: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if ranges and low <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(high, ranges[-1][1]))
        else:
            ranges.append((low, high))
    return tuple(ranges)


def _title(members: Sequence[Node]) -> str:
    """Name the work of a run: what was edited first, then what was tested, run and read."""
    work: dict[str, dict[str, None]] = {}
    for member in members:
        for piece in member.title.split(SEPARATOR):
            verb, _, rest = piece.partition(" ")
            if verb not in _VERBS or not rest:
                verb, rest = "", piece
            work.setdefault(verb, {}).update(dict.fromkeys(rest.split(", ")) if verb else {rest: None})
    if "edit" in work and "write" in work:
        work["edit"].update(work.pop("write"))
    verbs = [verb for verb in _VERBS if verb in work][:_FEW]
    title = ""
    for at, verb in enumerate(verbs):
        room = (_TITLE - len(title) - len(SEPARATOR)) // (len(verbs) - at)
        if title and room < _LEAST:
            break
        piece = _listed(verb, list(work[verb]), room)
        title = f"{title}{SEPARATOR}{piece}" if title else piece
    return one_line(title, _TITLE)


def _listed(verb: str, targets: list[str], room: int) -> str:
    """List the targets that fit into *room* characters; `+3` says how many do not."""
    targets = [target for target in targets if not target.startswith("+")] or targets
    separator = ", " if verb else SEPARATOR
    text = f"{verb} {targets[0]}".strip()
    for at, target in enumerate(targets[1:], 1):
        if len(text) + len(separator) + len(target) > room - 4:
            return f"{text} +{len(targets) - at}"
        text += separator + target
    return text


def _summary(members: Sequence[Node], limit: int) -> str:
    """Say what the run found: corrections, failures and findings before the rest, in the order they came."""
    pieces: dict[str, tuple[int, int]] = {}
    for at, member in enumerate(members):
        for rank, piece in enumerate(member.summary.split(SEPARATOR)[:2]):
            if len(piece) > 3:
                pieces[one_line(piece, min(_PIECE, limit))] = (
                    _worth(member, piece) - rank + (at == len(members) - 1),
                    at,
                )
    chosen: list[str] = []
    room = limit
    for piece in sorted(pieces, key=lambda each: (-pieces[each][0], -pieces[each][1])):
        if len(piece) + len(SEPARATOR) <= room:
            chosen.append(piece)
            room -= len(piece) + len(SEPARATOR)
    return one_line(SEPARATOR.join(sorted(chosen, key=lambda each: pieces[each][1])), limit)


def _worth(member: Node, piece: str) -> int:
    """Say how much a piece of a member's summary is worth remembering."""
    if piece.startswith("user: "):
        return 9
    if member.status == "blocked":
        return 7
    return {"finding": 6, "dead_end": 6, "edit": 4, "store": 4, "verify": 3, "run": 3}.get(member.shape, 2)
