"""Judge the user's words: a new task, the active one continued, or an old one resumed (DESIGN 4.2).

Also the other readings of words that growth needs: the goal in one line, whether the agent says that it
has finished, whether the user corrects. All are pure functions of text, in four languages.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from memctl.canvas import phrases
from memctl.canvas.corrections import is_correction
from memctl.canvas.farewells import closing_of
from memctl.canvas.phrases import plain_words
from memctl.canvas.subjects import Subject, subject_of, word_weight

_REPORT = re.compile(
    r"\s*(?:[A-Z]\w{0,40}(?:Error|Exception)\b|Traceback\b|(?:fatal |uncaught )?error\b[:\[])", re.IGNORECASE
)
_FIRST_SENTENCE = re.compile(r"[.!?。！？](?=\s|\Z)|[。！？]")

Kind = Literal["new", "continue", "resume"]

_ENOUGH = 0.3  # part of a prompt's subject that the active task must know for the prompt to belong to it
_MUCH = 0.5  # ... that an old task must know to be resumed without a word that says so
_ENOUGH_OF_MUCH = 0.2  # the same for a long prompt
_FULL = 12.0  # a long prompt need not be known whole: matching weight 0.3 of this is enough
_SUBJECT = 2.0  # weight of unknown words that make a question one about something else
_SHORT = 8  # words; so short a question leans on what is there already ("why this method?")
_SENTENCE = 20  # words; a sentence that says "this" means what is there already
_STATEMENT = 30  # words; so short a text without a request or a question comments on the work at hand
_CORRECTING = 240  # characters at the beginning of a message in which it corrects
_LOOK_BACK = 32  # old tasks that can be resumed: keeps judging linear in a session of many tasks


@dataclass(slots=True)
class Vocabulary:
    """The names and words a task is known by: prompts, titles, touched files, the agent's last words.

    recent, asked: what those last words name, and whether they asked the user for something.
    """

    names: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    asked: bool = False
    recent: Subject = field(default_factory=lambda: Subject(frozenset(), frozenset()))

    def learn(self, subject: Subject) -> None:
        """Add what a prompt, title or target names."""
        self.names |= subject.names
        self.words |= subject.words

    def coverage(self, subject: Subject) -> float:
        """Say how much of *subject* the task knows, 0 to 1."""
        known = 2.0 * sum(1 for name in subject.names if name in self.names or name in self.recent.names)
        known += sum(
            word_weight(word) for word in subject.words if word in self.words or word in self.recent.words
        )
        return known / min(subject.weight, _FULL) if known else 0.0

    def names_one(self, subject: Subject) -> bool:
        """Say whether *subject* names a file or symbol of the task."""
        return any(name in self.names or name in self.recent.names for name in subject.names)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a prompt does. task: index of the task that is continued or resumed; None for a new one."""

    kind: Kind
    task: int | None = None


def judge(text: str, tasks: Sequence[Vocabulary], active: int | None) -> Verdict:
    """Judge a prompt of the user against the tasks of its session, in order of their making.

    active: index of the task at hand; None before the first. The rules of DESIGN 4.2: an explicit switch
    or a subject the task does not know begins another; "continue", an answer, a correction, a pointer
    ("why this?") or a known file, symbol or subject continues; "back to ..." or a subject that an old task
    knows best resumes that.
    """
    if active is None:
        return Verdict("new")
    if closing_of(text):
        return Verdict("continue", active)
    words = plain_words(text)
    subject = subject_of(text)
    here = tasks[active].coverage(subject)
    other, there = _best_other(tasks, active, subject)
    resumes = bool(phrases.RESUME.search(words))
    if resumes and other is not None and there > here:
        return Verdict("resume", other)
    if other is not None and phrases.BACK.search(words) and here < _ENOUGH and not subject:
        return Verdict("resume", _latest_other(tasks, active))
    if _stays(words, subject, here, tasks[active]):
        if other is not None and there >= _MUCH and here < _ENOUGH / 2 and not resumes and _own(subject):
            return Verdict("resume", other)
        return Verdict("continue", active)
    if other is not None and (there >= _MUCH or tasks[other].names_one(subject)):
        return Verdict("resume", other)
    return Verdict("new")


def _stays(words: str, subject: Subject, here: float, task: Vocabulary) -> bool:
    """Say whether a prompt belongs to the active task."""
    if phrases.SWITCH.search(words[:160]):
        return here >= 2 * _MUCH
    if not subject or phrases.ANSWER.search(words) or phrases.ADDITION.search(words):
        return True
    if phrases.REACTION.match(words):
        return True
    if _REPORT.match(words) or (task.asked and phrases.UNKNOWING.search(words[:160])):
        return True  # what the work at hand has come to; no answer is one, too
    if phrases.ASIDE.search(words[:80]):
        return here >= _ENOUGH_OF_MUCH
    if here >= (_ENOUGH_OF_MUCH if subject.weight >= _FULL else _ENOUGH) or task.names_one(subject):
        return True
    if is_correction(words[:120]) or phrases.CONTRAST.search(words[:120]):
        return True
    length = _length(words)
    if length <= _SHORT and phrases.POINTING.search(words[:60]) and not subject.names:
        return True
    first = _FIRST_SENTENCE.split(words, maxsplit=1)[0]
    if (leaning := phrases.LEANING.search(first)) and (
        leaning.start() == 0 or (_length(first) <= _SENTENCE and not subject_of(first).names)
    ):
        return True
    if phrases.PROCEEDING.search(words[:160]):
        return True
    unknown = subject.weight * (1 - here)
    if phrases.ORDER.search(words):
        return False  # "fix the login page": whatever it names is another goal
    if "?" in words or "？" in words:
        return unknown < _SUBJECT or (length <= _SENTENCE and phrases.TOGETHER.search(words) is not None)
    return task.asked or (phrases.REQUEST.search(words) is None and length <= _STATEMENT)


def _own(subject: Subject) -> bool:
    return subject.weight >= 1.0


def _length(words: str) -> int:
    """Count words; two CJK characters count as one."""
    cjk = sum(1 for char in words if char >= "\u2e80")
    return len(words.split()) + cjk // 2


def _best_other(tasks: Sequence[Vocabulary], active: int, subject: Subject) -> tuple[int | None, float]:
    """Find the other task that knows most of *subject*, the latest of equals; with how much it knows."""
    best, most = None, 0.0
    for index in range(max(0, len(tasks) - _LOOK_BACK), len(tasks)):
        if index != active:
            covered = tasks[index].coverage(subject)
            if covered >= most:
                best, most = index, covered
    return best, most


def _latest_other(tasks: Sequence[Vocabulary], active: int) -> int:
    return active - 1 if active else len(tasks) - 1


# --------------------------------------------------------------------------- other readings


def asks(text: str) -> bool:
    """Say whether the agent's words end in a question or a wish to the user."""
    end = plain_words(text[-300:])
    return "?" in end or "？" in end or phrases.ASKING.search(end) is not None


def corrects(text: str) -> bool:
    """Say whether the user corrects the agent: "no, stop is the end of a turn", "不对，应该是..."."""
    return is_correction(plain_words(text, _CORRECTING)) and not closing_of(text)


def orders(text: str) -> bool:
    """Say whether the user tells the agent to do something."""
    return phrases.ORDER.search(plain_words(text)) is not None


def only_agrees(text: str) -> bool:
    """Say whether the user merely agrees, greets or says to go on: nothing to remember."""
    words = plain_words(text)
    if closing_of(text, mere=True):
        return True
    return not subject_of(text) and (
        phrases.GO_ON.search(words) is not None
        or phrases.ANSWER.search(words) is not None
        or len(words) <= 12
    )


def finished(text: str) -> bool:
    """Say whether the agent's words mean that the work is done and nothing is left to do."""
    return bool(phrases.FINISHED.search(plain_words(text, 4000))) and not unfinished(text)


def unfinished(text: str) -> bool:
    """Say whether the agent's last words tell of something still to come."""
    return bool(phrases.UNFINISHED.search(plain_words(text, 4000)[-300:]))


def leads_nowhere(text: str) -> bool:
    """Say whether the words give up what was just tried: a dead end."""
    return bool(phrases.DEAD_END.search(plain_words(text, 300)))


def hands_in(text: str) -> bool:
    """Say whether the agent hands its work in with the call that follows its words."""
    return bool(phrases.HANDING_IN.search(plain_words(text[-400:])))


def brings_together(text: str) -> bool:
    """Say whether a step confirms or compares what several steps before it found."""
    return bool(phrases.CONFIRMING.search(plain_words(text, 300)))
