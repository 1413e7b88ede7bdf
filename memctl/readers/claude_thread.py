"""One Claude Code session as it is read: lines joined into messages, each once, with parents that exist.

An API answer is written as several lines, one block each, with results in between; lines are written
again after a resume; and lines that are no messages stand in the chain of parents (FORMATS 1).
Nothing is decided by what comes later: more lines only make the newest messages grow at their end.
"""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar
from zlib import crc32

from memctl.model import Call, Event, Image, Json, Message, Part, Result, Role, Text, Thinking
from memctl.readers.fields import counts

REMEMBERED = 50_000  # lines whose ids are kept, so that memory stays flat
HELD = 1_000  # messages that wait for an answer to end, and pieces of one answer


@dataclass(slots=True)
class Draft:
    """What one line says; then the message it began, while that may grow.

    line: its uuid. answer: the id of the API answer that it is a piece of. follows: uuid of the line
    before it. side: it belongs to a sidechain inside the session. prompt: it ends the answer before
    it. inserted: the lines after it do not know it; it goes behind the newest message.
    """

    line: str | None
    role: Role
    parts: tuple[Part, ...]
    timestamp: str | None = None
    answer: str | None = None
    follows: str | None = None
    marks: tuple[str, ...] = ()
    model: str | None = None
    usage: Json = None
    side: bool = False
    prompt: bool = False
    inserted: bool = False
    id: str | None = None
    parent: str | None = None
    growing: bool = False


class Thread:
    """The messages of one session, in the order of their lines."""

    def __init__(self, key: str, given: list[Event], *, named_by_answer: bool = False) -> None:
        """Begin a session.

        given: each message is added to it once it cannot grow any more. named_by_answer: an answer is known
            by its own id, not by its first line's: another copy of the session exists that lacks
            some of its lines.
        """
        self.key = key
        self._given = given
        self._named_by_answer = named_by_answer
        self._waiting: deque[Draft] = deque()
        self._growing: dict[bool, Draft] = {}  # the newest answer of the main chain and of the sidechain
        self._newest: str | None = None
        self._said: _Recent[int] = _Recent()  # line -> what it says
        self._others: _Recent[int] = _Recent()  # the same for further lines of one uuid, and their number
        self._after: _Recent[str] = _Recent()  # id -> the message to follow instead ("": none)
        self._answers: _Recent[int] = _Recent()  # answer -> how many messages it gave

    def take(self, draft: Draft) -> None:
        """Take the next line."""
        if draft.line is not None:
            draft.id = self._new_name(draft.line, draft.parts)
            if draft.id is None:
                return
        growing = self._growing.get(draft.side)
        if (
            growing is not None
            and draft.answer == growing.answer
            and draft.role == "assistant"
            and len(growing.parts) < HELD
        ):
            growing.parts += draft.parts
            growing.usage = draft.usage or growing.usage
            if draft.id is not None and growing.id is not None:
                self._after.put(draft.id, growing.id)
        else:
            self._add(draft)
        while self._waiting and not self._waiting[0].growing:
            self._given.append(_message(self.key, self._waiting.popleft()))

    def skip(self, line: str | None, follows: str | None) -> None:
        """Pass over a line that is no message: what follows it follows the message before it."""
        if line is not None:
            self._after.put(line, self._parent(follows) or "")

    def knows(self, line: str) -> bool:
        """Say whether *line* is one of this session's (the newest `REMEMBERED` are known)."""
        return self._said.get(line) is not None or self._after.get(line) is not None

    @property
    def waiting(self) -> deque[Draft]:
        """The messages that may still grow, and those behind them."""
        return self._waiting

    def end(self) -> None:
        """Give the messages that still wait; no line comes any more."""
        self._growing.clear()
        while self._waiting:
            self._given.append(_message(self.key, self._waiting.popleft()))

    def _add(self, draft: Draft) -> None:
        if draft.role == "assistant" or draft.prompt:
            self._end_answer(draft.side)
        draft.parent = self._parent(self._newest if draft.inserted else draft.follows)
        if draft.answer is not None and (draft.id is None or self._named_by_answer):
            name, draft.id = draft.id, self._nth(draft.answer)
            if name is not None:
                self._after.put(name, draft.id)
        if draft.id is not None:
            if self._after.get(draft.id) is not None:
                self._after.put(draft.id, draft.id)
            if draft.parent is not None and (draft.role == "tool" or draft.inserted):
                # Each result of parallel calls follows its own call. Put one behind the other, none
                # is on a branch that nothing leads to.
                self._after.put(draft.parent, draft.id)
            self._newest = draft.id
        self._waiting.append(draft)
        if draft.role == "assistant" and draft.answer is not None:
            draft.growing = True
            self._growing[draft.side] = draft
        if len(self._waiting) > HELD:
            self._end_answer(self._waiting[0].side)

    def _end_answer(self, side: bool) -> None:
        ended = self._growing.pop(side, None)
        if ended is not None:
            ended.growing = False

    def _new_name(self, line: str, parts: tuple[Part, ...]) -> str | None:
        """Give a line a name no other has, for some share a uuid; None when it says again what it said."""
        says = _hash(*map(_likeness, parts))
        said = self._said.get(line)
        if said is None:
            self._said.put(line, says)
            return line
        other = f"{line}#{says}#"
        if said == says or self._others.get(other) is not None:
            return None
        number = self._others.get(line) or 1
        while self._said.get(name := f"{line}#{number + 1}") is not None:
            number += 1
        self._others.put(line, number + 1)
        self._others.put(other, says)
        self._said.put(name, says)
        return name

    def _nth(self, answer: str) -> str:
        number = (self._answers.get(answer) or 0) + 1
        self._answers.put(answer, number)
        return answer if number == 1 else f"{answer}#{number}"

    def _parent(self, follows: str | None) -> str | None:
        """Find the message that stands for *follows*; for a line that is not here, the newest one."""
        if follows is None:
            return None
        end = follows
        for _ in range(HELD):
            further = self._after.get(end)
            if further is None or further == end:
                break
            end = further
        if end != follows:
            self._after.put(follows, end)  # a long chain is walked once
        elif follows != self._newest and self._said.get(follows) is None:
            return self._newest
        return end or None


_Value = TypeVar("_Value")


class _Recent(Generic[_Value]):
    """A mapping that holds about the last `REMEMBERED` keys; it forgets the older half at a time."""

    __slots__ = ("_new", "_old")

    def __init__(self) -> None:
        self._new: dict[str, _Value] = {}
        self._old: dict[str, _Value] = {}

    def get(self, key: str) -> _Value | None:
        found = self._new.get(key)
        return self._old.get(key) if found is None else found

    def put(self, key: str, value: _Value) -> None:
        self._new[key] = value
        if len(self._new) >= REMEMBERED // 2:
            self._old, self._new = self._new, {}


def _message(session: str, draft: Draft) -> Message:
    return Message(
        session,
        draft.id,
        draft.role,
        draft.parts,
        draft.timestamp,
        draft.marks,
        draft.model,
        counts(draft.usage),
        draft.parent,
    )


def _likeness(part: Part) -> int:
    """Hash what a part says; enough to tell a line written twice from two lines of one uuid."""
    if isinstance(part, Text | Thinking):
        return _hash(part.text)
    if isinstance(part, Result):
        return _hash(part.call_id, *map(_likeness, part.blocks))
    if isinstance(part, Call):
        values = part.arguments.values() if isinstance(part.arguments, dict) else (part.arguments,)
        return _hash(part.id, part.name, *(value for value in values if isinstance(value, str)))
    if isinstance(part, Image):
        return _hash(part.data, part.url)
    return _hash(repr(part.value))


def _hash(*said: str | int | None) -> int:
    """Hash texts and hashes, the same in every process: what is known of a thread may be kept."""
    found = len(said)
    for one in said:
        text = one if isinstance(one, str) else repr(one)
        found = crc32(text.encode("utf-8", "surrogatepass"), found + len(text))
    return found
