"""Closing: what the agent said after a result, and the message after which an entry never changes.

An entry is closed by its result and then the agent's next words or the next prompt (DESIGN 2.3). The
words go to the last call before them and, when they name their target, to earlier calls of the same
burst (DESIGN 4.1).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from memctl import summarize
from memctl.model import Json
from memctl.store.messages import Stored, former_call, has_words, only_reasons, words_before_calls


@dataclass(slots=True)
class CallState:
    """What is known of one call once the whole conversation was seen; seqs are those of messages."""

    key: str
    called: int
    answered: int = 0
    closed: int = 0
    words: str = ""  # the agent's conclusion about it
    seen: bool = False  # the call itself, not only its result
    target: str = ""  # kept only while the call waits to be closed
    failed: bool | None = None  # what the result itself says
    late: dict[str, Json] | None = None  # the call, where its result stands before it
    former: str = ""  # the id that it had while only its result was known


@dataclass(frozen=True, slots=True)
class Closings:
    """Every call of a conversation in order, and the seq of its last message."""

    calls: list[CallState]
    last: int


class Closing:
    """Follows a conversation and says which message closes which call, and with which words."""

    def __init__(self) -> None:
        """Begin with the first message."""
        self.last = 0
        self.calls: dict[str, CallState] = {}  # those that are followed, in order
        self.waiting: list[CallState] = []  # calls since the last words, in order

    def take(self, stored: Stored) -> None:
        """Take the next message."""
        self.last = stored.seq
        if stored.role == "user" and has_words(stored):
            self.waiting = _closed(self.waiting, stored.seq, "")
        reaction = words_before_calls(stored.parts) if stored.role == "assistant" else ""
        if reaction:
            self.waiting = _closed(self.waiting, stored.seq, reaction, private=only_reasons(stored.parts))
        for at, part in enumerate(stored.parts):
            key = part.get("call_id")
            if not isinstance(key, str):
                continue
            state = self.calls.get(key)
            if state is None:
                state = self.calls[key] = CallState(key, stored.seq)
                self.waiting.append(state)
            if part.get("type") == "call":
                state.seen, state.late = True, part if state.answered and not state.seen else state.late
                state.target = summarize.describe(str(part.get("name")), part.get("arguments"))[1]
            elif part.get("type") == "result":
                state.answered, state.failed = stored.seq, part.get("is_error")
                state.former = former_call(stored.fields, part, at)


def close(conversation: Iterable[Stored], closing: Closing | None = None) -> Closings:
    """Follow a conversation to its end; *closing* knows what stands before it, whose calls are not given."""
    closing = closing or Closing()
    before = set(closing.calls)
    for stored in conversation:
        closing.take(stored)
    return Closings([state for key, state in closing.calls.items() if key not in before], closing.last)


def _closed(waiting: list[CallState], seq: int, words: str, *, private: bool = False) -> list[CallState]:
    """Close the answered calls; give those that still wait. private: the words are reasoning."""
    answered = [state for state in waiting if state.answered]
    concluded = summarize.conclusion(words, private=private) if words and answered else ""
    named = [state for state in answered if concluded and _names(concluded, state.target)]
    for state in named or answered[-1:]:  # words that name another call's target are not about the last
        state.words = concluded
    for state in answered:
        state.closed = seq
        state.target = ""
    return [state for state in waiting if not state.answered]


def _names(words: str, target: str) -> bool:
    """Tell whether words name a target: its last path part, or all of it."""
    name = target.rpartition("/")[2].strip()
    return len(name) >= 4 and name in words
