"""What an agent's closing message leaves to know: its verdict, and what is open, put off, not run or at risk."""

from memctl.canvas import phrases
from memctl.canvas.phrases import plain_words
from memctl.canvas.pieces import PARTICULAR, plain
from memctl.summarize import conclusions
from memctl.summarize.sentences import sentences
from memctl.summarize.weighing import weight
from memctl.summarize.wording import clause
from memctl.text.widths import one_line

MARK = "closing: "
"""Stands before closing words in a summary: a reader tells them from a step's finding, and so does folding."""

_READ, _MOST = 12_000, 96  # characters and sentences of a message that are looked at
_END = 4_000  # characters at its end
_SENTENCE = 150  # characters of one sentence, when there are several
_SHARE = 0.6  # part of the room that the verdict takes when something is left open
_LEAST = 24  # characters of a sentence that is worth beginning
_CANDIDATES = 5  # sentences that may be the verdict: it is one that leaves nothing open, if there is one
_CONCLUDING, _ROOM = 3.0, 60  # weight of a further sentence that concludes, and the room it needs
_OPENER, _SAME = 12, 32  # characters that may be taken off a sentence, and those that tell it then
_QUESTIONS = ("?", "？")
_LAST_SAID = 3  # sentences at the end of a message among which its question stands


def closing(text: str, limit: int) -> str:
    """Say in at most *limit* characters how an agent's message ends: what it concludes, and what is open.

    Open is what was not done, put off or recommended, a risk, and the question the message ends with; the
    last such sentences count most; what else it concludes has the room that is left. "" when it says none of it.
    """
    words = text if len(text) <= _READ else text[: _READ - _END] + "\n" + text[-_END:]
    said = [plain(each) for each in sentences(words, _READ, _MOST)]
    left = [at for at, each in enumerate(said) if _is_open(each)]
    if said and said[-1].endswith(_QUESTIONS) and len(said) - 1 not in left:
        left.append(len(said) - 1)
    best = [plain(each) for each in conclusions(text, _CANDIDATES, longest=_SENTENCE if left else limit)]
    verdict = next((each for each in best if not _is_open(each)), best[0] if best else "")
    room = limit - (min(len(verdict), int(limit * _SHARE)) + 1 if verdict else 0)
    chosen: dict[int, str] = {}
    for at in reversed(left):
        if room < min(_LEAST, len(said[at])):
            break
        if _same(said[at], verdict):
            continue
        chosen[at] = clause(said[at], min(room, _SENTENCE if len(left) > 1 else limit))
        room -= len(chosen[at]) + 1
    weighed = [(weight(each), at) for at, each in enumerate(said) if at not in chosen]
    for worth, at in sorted(weighed, key=lambda each: (-each[0], -each[1])):
        if worth < _CONCLUDING or room < _ROOM:
            break
        if not _same(said[at], verdict):
            chosen[at] = one_line(said[at], min(room, _SENTENCE))
            room -= len(chosen[at]) + 1
    pieces = [verdict, *(chosen[at] for at in sorted(chosen))]
    return one_line(" ".join(_ended(piece) for piece in pieces if piece), limit)


def left_open(text: str, limit: int) -> str:
    """Give the last sentence of a message that leaves something open for later; "" when none does.

    A question is none: the user's answer tells it.
    """
    said = [plain(each) for each in sentences(text[-_END:], _END, _MOST)]
    return next(
        (one_line(each, limit) for each in reversed(said) if _is_open(each) and each[-1] not in _QUESTIONS),
        "",
    )


def question_in(text: str, limit: int) -> str:
    """Give the question about something particular that a message ends with; "" when it ends with none."""
    said = [plain(each) for each in sentences(text[-_END:], _END, _MOST)][-_LAST_SAID:]
    return next(
        (
            one_line(each, limit)
            for each in reversed(said)
            if each.endswith(_QUESTIONS) and PARTICULAR.search(each)
        ),
        "",
    )


def _same(sentence: str, verdict: str) -> bool:
    """Say whether a sentence stands in the verdict, which may be cut or have lost its first words."""
    one, other = sentence.lower(), verdict.lower()
    middle = one[_OPENER : _OPENER + _SAME]
    return bool(other) and (
        other.rstrip("…. ") in one or one in other or (len(middle) == _SAME and middle in other)
    )


def _is_open(sentence: str) -> bool:
    return phrases.OPEN.search(plain_words(sentence, 400)) is not None


def _ended(sentence: str) -> str:
    """Close a sentence, so that the next can follow it."""
    return f"{sentence}." if sentence[-1].isascii() and sentence[-1] not in ".!?" else sentence
