"""What a run of nodes comes to: the one node that stands for them when they fold (DESIGN 2.4)."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from types import MappingProxyType

from memctl.canvas.cards import later
from memctl.canvas.lastwords import MARK
from memctl.canvas.pieces import AGAIN, EARLIER, SEPARATOR, TITLE, plain
from memctl.canvas.worth import PIECE, WISHED, WORTHWHILE, breaks, is_cause, is_refused, worth_of
from memctl.model import Node, NodeStatus
from memctl.summarize.wording import clause
from memctl.text.letters import CJK
from memctl.text.widths import one_line

_TORN = 48  # characters below which a part that is cut says too little
_BADNESS: dict[NodeStatus, int] = {"paused": 0, "done": 1, "todo": 2, "doing": 3, "blocked": 4}
_MOST_TOLD = {"correction": 4, "cause": 2, "refusal": 2}  # pieces told of one run
_CORRECTION, _REFUSAL, _HALF = 0.3, 0.4, 0.55  # parts of a summary for one of them, for a refusal, for others
_STEERED = 84  # characters of a correction that tell it
_AT_LENGTH, _BRIEFLY = 2, 60  # corrections that are told at length, and characters of the others
_WORDS = re.compile(rf"[\w.]{{3,}}|[{CJK}]")
_ALIKE = 0.7  # part of the words of the shorter of two pieces in which they say the same
_WISH, _TOLD = 84, 20  # characters of a wish, and those that tell it
_ITEM_WORDS, _ITEM_WORTH = 2, 7  # blanks in an item of a plan that says something, and what it is worth
_GREEN = 5  # what the verdict is worth that overcame a red one within the run
_WON, _PAST = (
    11,
    6,
)  # what the newest good outcome is worth, and what it takes away from what failed before it
_SPOKEN = ("user: ", MARK)
_GOOD = re.compile(
    r"(?<![\d,.])[1-9][\d,]* (?:tests? |packages? )?(?:passed|ok)\b|\b0 issues\b"
    r"|\b(?:all|the) (?:\d+ |unit |integration )?tests? (?:now |all )?pass(?:es|ed)?\b"
    r"|\b(?:fix|it|this|everything|all) (?:\w+ )?works\b|\b(?:works|working) (?:now|correctly|as expected)\b"
    r"|测试(?:全部)?通过|全部通过|修复成功"
    r"|テスト(?:が|は)?(?:すべて|全て)?(?:通り|通過|成功)|테스트(?:가|는)? ?(?:모두 )?통과",
    re.IGNORECASE,
)  # how work ends well
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
_PIECES = 4  # of a member's summary that may be told of its run
_WORK = 30  # characters of a title left for the work, beside what the user asked for


def gist(
    members: Sequence[Node],
    limit: int,
    endings: Collection[int] = (),
    wishes: Mapping[int, str] = MappingProxyType({}),
) -> Node:
    """Fold *members*, in order and not none, into one node; its summary has at most *limit* characters.

    endings: numbers of nodes after which the user spoke; what they conclude stands for what came before.
    wishes: by number of a node, the user's words that led to it; what no edge can show stands in the title.
    """
    return next(gists(members, [limit], endings, wishes))


def gists(
    members: Sequence[Node],
    limits: Iterable[int],
    endings: Collection[int] = (),
    wishes: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[Node]:
    """Fold *members* as `gist` does, once for each of *limits*."""
    title = _title(members, _chapters(members, wishes))
    node = Node(
        members[0].number,
        title,
        reduce(worst, (member.status for member in members)),
        "",
        reduce(later, (member.timestamp for member in members), None),
        members[-1].shape,
        _ranges(members),
    )
    pieces = _ranked(members, endings, {**_untold(members, wishes, title), **_items(members, title)})
    for limit in limits:
        yield replace(node, summary=_summary(pieces, limit))


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


def _title(members: Sequence[Node], wishes: Mapping[str, int]) -> str:
    """Name the work of a run: items of a plan, then what was edited, tested, run and read; and what for."""
    work: dict[str, Counter[str]] = {}
    for member in members:
        for piece in member.title.split(SEPARATOR):
            verb, _, rest = piece.partition(" ")
            if verb not in _VERBS or not rest:
                verb, rest = "", piece
            work.setdefault(_SAME.get(verb, verb), Counter()).update(rest.split(", ") if verb else [rest])
    asked = _asked(wishes, TITLE - _WORK - len(SEPARATOR))
    limit = TITLE - len(asked) - len(SEPARATOR) * bool(asked)
    verbs = [verb for verb in _VERBS if verb in work][: 1 if asked else _FEW]
    title = ""
    for at, verb in enumerate(verbs):
        room = (limit - len(title) - len(SEPARATOR)) // (len(verbs) - at)
        if title and room < _LEAST:
            break
        piece = _listed(verb, [target for target, _ in work[verb].most_common()], room)
        title = f"{title}{SEPARATOR}{piece}" if title else piece
    title = one_line(title, limit)
    return f"{title}{SEPARATOR}{asked}" if asked else title


def _chapters(members: Sequence[Node], wishes: Mapping[int, str]) -> dict[str, int]:
    """Give each wish within a run, but the one that led to it, with how many nodes came of it."""
    counted: dict[str, int] = {}
    current = ""
    for member in members[1:]:
        current = wishes.get(member.number) or current
        if current:
            counted[current] = counted.get(current, 0) + 1
    return counted


def _untold(members: Sequence[Node], wishes: Mapping[int, str], title: str) -> dict[str, tuple[int, int]]:
    """Give the wishes within a run that neither its title nor the edge to it tells, with worth and place."""
    return {
        f"for '{one_line(plain(wish), _WISH)}'": (WISHED, at)
        for at, member in enumerate(members)
        if at and (wish := wishes.get(member.number, "")) and plain(wish)[:_TOLD] not in title
    }


def _items(members: Sequence[Node], title: str) -> dict[str, tuple[int, int]]:
    """Give the items of a plan within a run that its title does not name, with worth and place: what was done."""
    return {
        member.title: (_ITEM_WORTH, at)
        for at, member in enumerate(members)
        if member.title[:1].isupper()
        and member.title.count(" ") >= _ITEM_WORDS
        and SEPARATOR not in member.title
        and member.title[:TITLE].rstrip("…") not in title
    }


def _asked(wishes: Mapping[str, int], room: int) -> str:
    """Quote the wish that most came of, the latest of equals: `for 'kill the separate file'`."""
    telling = [wish for wish in wishes if len(wish) >= _LEAST and wish[0].isalpha()]
    if not telling:
        return ""
    best = max(reversed(telling), key=wishes.__getitem__)
    return f"for '{one_line(plain(best), room - 6)}'"


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


def _ranked(
    members: Sequence[Node], endings: Collection[int], beside: Mapping[str, tuple[int, int]]
) -> list[tuple[str, int]]:
    """List what the members of a run say, each with the member's place: corrections, failures, conclusions first."""
    pieces = dict(beside)
    green = _turned_green(members)
    won, outcome = _outcome(members)
    for at, member in enumerate(members):
        ending = member.number in endings or at == len(members) - 1
        for rank, (piece, worth, cause) in enumerate(_said(member)):
            worth += 2 * (ending or cause) + _GREEN * (at == green and rank < 2)  # noqa: PLW2901  (here it is worth more)
            if piece == outcome and at == won:
                worth = max(worth, _WON)  # noqa: PLW2901  (as above)
            elif at < won and is_refused(piece) and not piece.startswith(_SPOKEN):
                worth -= _PAST  # noqa: PLW2901  (as above)
            pieces[piece] = max((worth, at), pieces.get(piece, (worth, at)))
    ranked = sorted(pieces.items(), key=lambda each: (-each[1][0], -each[1][1]))
    return [(piece, at) for piece, (_, at) in ranked]


@lru_cache(maxsize=16_384)  # a run is told again whenever it grows
def _said(member: Node) -> tuple[tuple[str, int, bool], ...]:
    """Give the first pieces of a node's summary, as they read among others: (piece, worth, is a cause)."""
    told = [piece for piece in member.summary.split(SEPARATOR) if piece and not piece.startswith(AGAIN)]
    said = []
    for rank, piece in enumerate(_located(member, piece) for piece in told[:_PIECES]):
        cause = is_cause(piece)  # wherever it stands
        said.append((piece, worth_of(piece, member.status, member.shape) - rank * (not cause), cause))
    return tuple(said)


def _summary(ranked: Sequence[tuple[str, int]], limit: int) -> str:
    """Say what a run found in *limit* characters: what is worth most, in the order it came."""
    chosen: dict[str, int] = {}
    room = limit
    told: Counter[str] = Counter()
    said_words: list[frozenset[str]] = []
    for piece, at in ranked:
        if room < WORTHWHILE:
            break
        kind = _kind(piece)
        words = _words_of(piece) if is_cause(piece) else frozenset()
        if words and any(len(words & other) > _ALIKE * min(len(words), len(other)) for other in said_words):
            continue  # the same in other words
        if kind and told[kind] == _MOST_TOLD[kind]:
            continue
        told[kind] += 1
        most = min(_most(kind, limit), room, int(limit * _HALF) if told["cause"] > 1 else limit)
        if kind == "correction" and told[kind] > _AT_LENGTH:
            most = min(most, _BRIEFLY)
        if len(piece) > most and most < _TORN and chosen:
            continue  # a shorter one fits whole
        said = clause(piece, most)
        chosen[said] = at
        said_words.append(words)
        room -= len(said) + len(SEPARATOR)
    return one_line(SEPARATOR.join(sorted(chosen, key=chosen.__getitem__)), limit)


@lru_cache(maxsize=4096)
def _words_of(piece: str) -> frozenset[str]:
    """Give the words of a piece by which one is known to repeat another."""
    return frozenset(_WORDS.findall(piece.lower()))


def _kind(piece: str) -> str:
    """Say what a piece tells, of that which is told so often at most; "" for all else."""
    if piece.startswith("user: "):
        return "correction"
    return "cause" if is_cause(piece) else "refusal" if is_refused(piece) else ""


def _most(kind: str, limit: int) -> int:
    """Give the characters that a piece of a kind may take of a summary of *limit*."""
    if kind == "correction":
        return max(min(_STEERED, int(limit * _HALF)), int(limit * _CORRECTION))
    if kind == "cause":
        return limit  # it is not cut
    return int(limit * _REFUSAL) if kind == "refusal" else max(PIECE, int(limit * _HALF))


def _turned_green(members: Sequence[Node]) -> int | None:
    """Find the last verdict of a run, when it is a good one after a bad: it must not be lost to the bad one."""
    red, last = False, None
    for at, member in enumerate(members):
        if member.shape == "verify":
            had = EARLIER in member.summary  # what broke there was overcome there
            broke = member.status == "blocked" or (not had and breaks(member.summary))
            red |= had
            last = at if red and not broke else None
            red |= broke
    return last


def _outcome(members: Sequence[Node]) -> tuple[int, str]:
    """Find the newest good outcome of a run, with its place: earlier doubts must not stand for the run without it."""
    for at in range(len(members) - 1, -1, -1):
        member = members[at]
        if member.status != "blocked":
            for piece in member.summary.split(SEPARATOR)[:_PIECES]:
                if _GOOD.search(piece) and not breaks(piece) and not is_refused(piece):
                    return at, piece
    return -1, ""


def _located(member: Node, piece: str) -> str:
    """Name again the one target that a piece is about: among others it would not be known."""
    verb, _, target = member.title.partition(" ")
    if verb in _ON_TARGETS and not _SEVERAL.search(target) and _LOST.match(piece):
        return f"{target} {piece}"
    return piece
