"""Turns: a stored conversation as providers want it, words and calls with their results right behind them.

A list of turns only grows at its end, message by message, so that what was sent once stays a prefix.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from memctl.model import Json
from memctl.store import messages
from memctl.store.messages import Stored

Part = dict[str, Json]  # a part of a stored message (DESIGN 2.8)


@dataclass(slots=True)
class Asked:
    """A tool call; *result* is the stored part that answers it, *answered* the seq of its message."""

    key: str
    name: str
    arguments: Json
    seq: int
    result: Part | None = None
    answered: int = 0


@dataclass(slots=True)
class Turn:
    """What one side said without a break: the user's words, or the agent's words and calls.

    first: seq of its first message. prompt: whether the user said it (a turn may also hold what a program
    put in the user's place). words: text, image, raw and late result parts, in order.
    """

    role: Literal["user", "assistant"]
    first: int
    prompt: bool = False
    words: list[Part] = field(default_factory=list)
    calls: list[Asked] = field(default_factory=list)


@dataclass(slots=True)
class Turns:
    """The turns of a conversation so far; `system` holds what stands before the first of them."""

    listed: list[Turn] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    last: int = 0

    def take(self, stored: Stored) -> int:
        """Add a message; give the index of the first turn that it changed."""
        self.last = stored.seq
        first, parts = len(self.listed), stored.parts
        if any(mark.kind == "sidechain" for mark in stored.marks):
            return first
        if stored.role == "system" and not self.listed:
            self.system += [text for part in _words(stored, parts) if (text := str(part.get("text") or ""))]
            return first
        for part in parts:
            if part.get("type") == "result":
                self._answer(part, stored.seq)
                first = min(first, len(self.listed) - 1)
        words = _words(stored, parts)
        calls = [part for part in parts if part.get("type") == "call"]
        if stored.role == "assistant" and (words or calls):
            turn = self._assistant(stored.seq)
            turn.words += words
            for part in calls:
                key, name = str(part.get("call_id") or ""), str(part.get("name") or "unknown")
                turn.calls.append(Asked(key, name, part.get("arguments"), stored.seq))
        elif words:
            self._user(stored.seq, words, prompt=stored.role == "user")
        else:
            return first
        return min(first, len(self.listed) - 1)

    def _answer(self, part: Part, seq: int) -> None:
        """Put a result behind its call; one that comes when the turn is over stands where it came."""
        last = self.listed[-1] if self.listed else None
        if last is not None and last.role == "assistant":
            for call in last.calls:
                if call.key == part.get("call_id") and call.result is None:
                    call.result, call.answered = part, seq
                    return
        self._user(seq, [part], prompt=False)

    def _assistant(self, seq: int) -> Turn:
        last = self.listed[-1] if self.listed else None
        if last is None or last.role != "assistant" or any(call.result for call in last.calls):
            last = Turn("assistant", seq)
            self.listed.append(last)
        return last

    def _user(self, seq: int, words: list[Part], *, prompt: bool) -> None:
        last = self.listed[-1] if self.listed else None
        if last is None or last.role != "user":
            last = Turn("user", seq)
            self.listed.append(last)
        last.words += words
        last.prompt |= prompt


def _words(stored: Stored, parts: Iterable[Part]) -> list[Part]:
    """Give what a message says, without thinking (providers take back only their own) and noise."""
    parts = [part for part in parts if part.get("type") in ("text", "image", "raw")]
    if stored.marks:
        said = messages.own_words(stored)
        parts = [part for part in parts if part.get("type") != "text"] if said else []
        return [{"type": "text", "text": said}, *parts] if said else []
    return [part for part in parts if part.get("type") != "text" or str(part.get("text") or "").strip()]


# --------------------------------------------------------------------------- the live branch


def live(conversation: Iterable[Stored]) -> Iterator[Stored]:
    """Leave out the branches that were given up: a message said again, and what followed the old one.

    Two messages of one role with one parent are two attempts; the later stands (DESIGN 2.8). Results
    and the pieces of one answer that a format chains in parallel are no attempts.
    """
    listed = list(conversation)
    if not any(stored.fields.get("parent") for stored in listed):
        yield from listed
        return
    place = {stored.id: at for at, stored in enumerate(listed)}
    above = [place.get(str(stored.fields.get("parent") or "")) for stored in listed]
    on_path: set[int] = set()
    at: int | None = next((n for n in range(len(listed) - 1, -1, -1) if not _aside(listed[n])), None)
    while at is not None and at not in on_path:
        on_path.add(at)
        at = above[at]
    chosen = {(above[n], listed[n].role): n for n in sorted(on_path) if above[n] is not None}
    dead: set[int] = set()
    for n, stored in enumerate(listed):
        parent = above[n]
        kept = chosen.get((parent, stored.role))
        given_up = (
            parent is not None
            and kept is not None
            and n < kept
            and n not in on_path
            and _is_attempt(stored)
            and _is_attempt(listed[kept])
        )
        if given_up or (parent in dead and n not in on_path):
            dead.add(n)
        else:
            yield stored


def _aside(stored: Stored) -> bool:
    return any(mark.kind == "sidechain" for mark in stored.marks)


def _is_attempt(stored: Stored) -> bool:
    """Tell whether a message says something that can be said again."""
    if stored.role == "assistant":
        return not any(part.get("type") == "call" for part in stored.parts)
    return stored.role == "user" and bool(messages.own_words(stored))
