"""How a card is drawn as a node: what came of it, where it stands, which shape it has."""

import re
from collections.abc import Iterator
from dataclasses import replace

from memctl.canvas.cards import CHANGING, VERIFYING, Card, Fact
from memctl.canvas.lastwords import MARK
from memctl.canvas.naming import nameless, title, without_file
from memctl.canvas.pieces import (
    AGAIN,
    EARLIER,
    LONGEST,
    SEPARATOR,
    SUMMARY,
    is_slip,
    listed,
    plain,
    says_nothing,
    short_file,
)
from memctl.model import Node, NodeStatus, Shape
from memctl.summarize.weighing import finds_cause, weight
from memctl.summarize.wording import clause

_OPENING = 48  # characters in which a sentence is the same as one of the closing words
_SAME = 24  # characters in which two texts agree when one repeats the other
_CONCLUSION = 200  # characters for the agent's own sentence, when there are facts beside it
_FAILURE = 150  # characters for what failed, beside it
_ASKED = 150  # characters for what the user said last, when there is an answer
_CORRECTION = 200  # characters for what the user corrected
_CORRECTIONS = 260  # characters for all that the user corrected at one step
_ASIDE, _REMARK = 240, 150  # characters for an answer given in between, for what the agent concluded besides
_CLOSING = 200  # characters for closing words, beside what failed or was corrected
_VALUED = 60  # characters of a result that is told before the agent's words, for the value in it
_VALUE = re.compile(r"[^\s:=]*?(?:\d|\{)\S*")
_PARTIAL = re.compile(r" lines?\)\Z| \.\.\. |…\Z")  # a result that is not told whole
_MARKS = ".,;:!)]%'\""
_REFUSED = re.compile(r"(?:refused|interrupted|rejected) by the user")
_TO_EDIT = re.compile(
    r"(?:write|add|create|implement|edit|update|change|fix|refactor|remove|rename|replace|move|document|build out)\b"
    r"|编写|添加|创建|实现|修改|修复|更新|重构|删除|作成|追加|実装|修正|更新|작성|추가|구현|수정",
    re.IGNORECASE,
)
_TO_VERIFY = re.compile(
    r"(?:run|re-?run|execute)\b.{0,40}\b(?:tests?|checks?|lint\w*|build)\b|(?:verify|test|check|lint|validate)\b|测试|验证|检查|テスト|検証"
    r"|確認|테스트|검증",
    re.IGNORECASE,
)
_UNDID = 130  # characters for what the user took back
_FILES = 48  # characters for the files that were changed under an item of the plan
_LEAST = 24  # characters that a piece needs to say anything, if there is more to say than that
_HALF = 40  # characters that a further piece needs: less of it is a torn end
_MOST_FACTS = 3
# Calls of a node that has more to say, of one that has much more, and characters for each further call.
_MANY, _VERY_MANY, _EACH = 6, 18, 15


def draw_node(card: Card, *, doing: bool, finished: bool, asked: tuple[str, str] = ("", "")) -> Node:
    """Draw *card*. doing: it is where its task stands; finished: its task has reached its goal.

    asked: what the user said after it, and the agent to that, when no call has followed.
    """
    stands = status(card, doing=doing, finished=finished)
    return Node(card.number, title(card), stands, summary(card, asked), card.timestamp, shape(card))


# --------------------------------------------------------------------------- summary


def summary(card: Card, asked: tuple[str, str] = ("", "")) -> str:
    """Say in at most 300 characters what came of it, 420 at the end and of many calls.

    Folding cuts it where there is less room.

    In this order, as far as there is room: what the user corrected, the agent's closing words, where it stands now
    and what failed earlier, or what has failed, what was asked since, what the agent concluded, which files were
    changed (for an item of the plan, whose title does not say), the other facts.
    """
    pieces: list[str] = []
    limit = LONGEST if card.closing or card.asked or card.corrections or card.calls >= _MANY else SUMMARY
    limit += _EACH * max(0, min(card.calls, _VERY_MANY) - _MANY)
    for piece, most in _told(card, asked):
        room = min(most, limit - sum(len(each) + len(SEPARATOR) for each in pieces))
        if (
            piece
            and room >= min(_LEAST, len(piece))
            and (not pieces or room >= min(_HALF, len(piece)))
            and not any(piece in each or each in piece or _repeats(piece, each) for each in pieces)
        ):
            pieces.append(clause(piece, room))
    return SEPARATOR.join(pieces)


def _told(card: Card, asked: tuple[str, str]) -> Iterator[tuple[str, int]]:
    """Give what there is to say of a card, each with the most characters it may take."""
    if card.undid:
        yield (
            f"user: undid the last {card.undid} changes" if card.undid > 1 else "user: undid the last change",
            SUMMARY,
        )
    elif card.taken_back:
        yield f"user: undid {_bare(card.facts[-1], card) if card.facts else 'it'}", _UNDID
    for words in card.corrections:
        yield f"user: {plain(words)}", min(_CORRECTION, _CORRECTIONS // len(card.corrections))
    wish, reply = asked
    if wish and card.closing:
        yield f"then user: {plain(wish)}", _ASKED
    if card.closing:
        beside = card.corrections or any(fact.failed for fact in card.facts)
        yield f"{MARK}{card.closing}", _CLOSING if beside else SUMMARY
    facts = [replace(fact, text=_bare(fact, card)) for fact in _telling(card)]
    if card.corrections:  # a refusal stands among them
        facts = [fact for fact in facts if not _REFUSED.search(fact.text)]
    failed = [fact for fact in facts if fact.failed]
    overcame = None if card.failing or not failed else _passed(card, max(fact.order for fact in failed))
    if overcame is not None:
        yield _bare(overcame, card), _FAILURE
    for fact in failed:
        if overcame is None:
            yield fact.text, _FAILURE if card.conclusion or len(facts) > 1 else SUMMARY
        elif not is_slip(fact.text):
            yield f"{EARLIER}{fact.text}", _FAILURE
    if wish and not card.closing:
        yield f"then user: {plain(wish)}", _ASKED if reply else SUMMARY
        yield plain(reply), SUMMARY
    valued = next((fact.text for fact in facts if not fact.failed and _adds_value(card, fact.text)), "")
    yield valued, SUMMARY
    whole = not facts or finds_cause(card.conclusion)  # a cause is not cut for a count
    yield plain(card.conclusion), SUMMARY if whole else _CONCLUSION
    changed = [short_file(target) for target, kind in card.targets.items() if kind in CHANGING]
    if card.item is not None and len(changed) > 1:
        yield f"in {listed(changed, _FILES)}", _FILES
    if (
        card.why
        and card.item is None
        and not card.conclusion
        and all(says_nothing(fact.text) for fact in facts)
    ):
        yield f"for '{plain(card.why)}'", SUMMARY
        facts = [fact for fact in facts if fact.failed]
    told = [fact.text for fact in facts if not fact.failed]
    if card.differs:
        yield f"{AGAIN}{plain(card.differs)}", _REMARK
    for words in card.asked:
        yield words, _ASIDE
    for text in told[:1]:
        yield text, SUMMARY
    if card.left:
        yield f"left open: {card.left}", _ASIDE
    for words in sorted(card.remarks, key=weight, reverse=True):
        yield plain(words), _REMARK
    for text in told[1:]:
        yield text, SUMMARY
    if card.posed:
        yield f"asks '{card.posed}'", _REMARK
    if card.pending and not facts:
        yield "no result", SUMMARY


def _adds_value(card: Card, text: str) -> bool:
    """Say whether the short result of a run holds a value that the agent's words about it leave out."""
    if card.kind != "run" or not card.conclusion or len(text) > _VALUED:
        return False
    if _PARTIAL.search(text):
        return False
    values = (value.rstrip(_MARKS).removesuffix(".0") for value in _VALUE.findall(text))
    return any(value not in card.conclusion for value in values)


def _passed(card: Card, after: int) -> Fact | None:
    """Give the latest result that overcame what failed: a red one must not stand as the last."""
    later = [fact for fact in card.facts if not fact.failed and fact.order > after and fact.weight]
    return max(later, key=lambda fact: (fact.weight, fact.order), default=None)


def _repeats(piece: str, said: str) -> bool:
    """Say whether closing words hold a piece already, be it cut."""
    return said.startswith(MARK) and piece.rstrip("….。 ")[:_OPENING] in said


def _telling(card: Card) -> list[Fact]:
    """Choose the facts: failures first, then by weight, the latest first."""
    return sorted(card.facts, key=lambda fact: (not fact.failed, -fact.weight, -fact.order))[:_MOST_FACTS]


def _bare(fact: Fact, card: Card) -> str:
    """Give a fact without what stands elsewhere on the node: the agent's words, the target."""
    text = plain(_without_words(fact.text, card.conclusion))
    if card.about and nameless(card):
        about = plain(card.about)
        text = (
            text.removeprefix(f"{about} changed")
            if text.startswith(f"{about} changed")
            else text.removeprefix(f"{about}: ")
        )
        return text.lstrip(": ")
    if card.item is None and len(card.targets) == 1:
        target = plain(next(iter(card.targets)))
        if text.startswith((f"{target}: ", f"{target} (", f"{target} +", f"{target}:", f"{target} in ")):
            return text[len(target) :].lstrip(": ")
        if card.kind in CHANGING:
            return without_file(text)
    return text


def _without_words(text: str, conclusion: str) -> str:
    """Drop the agent's conclusion from an entry's summary: it stands before the facts, or behind them."""
    start = text.find(conclusion[:_SAME]) if len(conclusion) >= _SAME else -1
    if start > 0:
        return text[:start].rstrip(" ;")
    if start < 0:
        return text
    same = next(
        (at for at, (one, other) in enumerate(zip(text, conclusion, strict=False)) if one != other), None
    )
    return text[same if same is not None else len(conclusion) :].strip(" ().…·;:")


# --------------------------------------------------------------------------- status and shape


def status(card: Card, *, doing: bool, finished: bool) -> NodeStatus:
    """Say where a node stands: a failure that was never overcome is blocked, a call cut off paused."""
    if card.item is not None:
        if card.dropped and card.state != "done":
            return "paused"
        if card.state == "doing":
            return "done" if finished else "doing"
        return "done" if card.state == "done" else "todo"
    if card.failing:
        return "blocked"
    if card.taken_back:
        return "paused"
    if doing:
        return "doing"
    return "paused" if card.pending and not finished else "done"


def shape(card: Card) -> Shape:
    """Choose the shape: what kind of step it was, or what it became (a finding, a dead end)."""
    kind = card.kind
    if card.led_nowhere and (card.failing or kind in CHANGING or (kind == "run" and not card.users)):
        return "dead_end"  # a run whose finding is used led somewhere, whatever the agent gave up with it
    if card.stores:
        return "store"
    kinds = card.kinds.keys()
    if kind in CHANGING or (card.item is not None and kinds & CHANGING):
        return "edit"
    if kind in VERIFYING or (card.item is not None and kinds & VERIFYING):
        return "verify"
    if card.item is not None and not kinds:  # still to be begun: its words say what it will be
        return "verify" if _TO_VERIFY.match(card.item) else "edit" if _TO_EDIT.match(card.item) else "read"
    if len(card.users) >= 2 and not card.failing:
        return "finding"
    return "run" if kind == "run" else "read"
