"""What of a session is settled: the beginning that more of its transcript cannot change, and how it stood there.

A hook follows a session from there on instead of from its start. Everything here is derived; losing it costs
time and nothing else.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from memctl.canvas import grow
from memctl.model import Entry
from memctl.passes import frozen
from memctl.passes.closing import CallState, Closing
from memctl.store import number_of
from memctl.store.messages import Stored


@dataclass(slots=True)
class Standing:
    """How a session stands between two messages.

    shown: what a result showed -> the entry of the last that did. typed: tool and target -> what was typed
    for the last such call.
    """

    closing: Closing = field(default_factory=Closing)
    growth: grow.Session = field(default_factory=grow.Session)
    shown: dict[str, Entry] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settled:
    """The settled beginning of a session.

    messages, calls: how many. end: the byte of the conversation at which they end; entries: of the entries.
    newest: as `derive` counts it. places: the canvas of each task.
    """

    messages: int = 0
    end: int = 0
    calls: int = 0
    entries: int = 0
    newest: Mapping[int, int] = field(default_factory=dict)
    places: Mapping[int, str] = field(default_factory=dict)
    _standing: bytes = b""

    def standing(self) -> Standing:
        """Give how the session stood at the end of the beginning, each task with the canvas it got."""
        if not self._standing:
            return Standing()
        found = frozen.thawed(self._standing, Standing)
        found.growth.settle({ordinal: number_of(Path(name)) for ordinal, name in self.places.items()})
        return found


class Settling:
    """Finds what is settled while a session is derived, and keeps how things stood there."""

    def __init__(self, known: Settled, message: int) -> None:
        """Begin behind what is *known*; *message*: the seq of the first message that is not settled."""
        self._message = message
        self._messages = known.messages
        self._calls = known.calls
        self._entries = known.entries
        self._newest = Counter(known.newest)
        self._closing = known.standing().closing
        self._reached = False
        self._frozen = b""

    def reach(self, stored: Stored, standing: Standing, calls: int) -> None:
        """Take note of the next message, before anything of it has grown."""
        if self._reached:
            return
        if stored.seq >= self._message:
            self.end(standing, calls)
        else:
            self._closing.take(stored)
            self._messages += 1

    def end(self, standing: Standing, calls: int) -> None:
        """Keep how things stand, unless that was done."""
        if not self._reached:
            self._reached = True
            self._calls = calls
            self._closing.calls = {state.key: state for state in self._closing.waiting}
            self._frozen = frozen.frozen(replace(standing, closing=self._closing))

    def wrote(self, state: CallState, ordinal: int, line: bytes) -> None:
        """Take note of the line of an entry."""
        if state.called < self._message:
            self._entries += len(line)
            self._newest[ordinal] = max(self._newest[ordinal], state.called, state.answered)

    def settled(self, places: Mapping[int, str]) -> Settled:
        """Give what is settled; where it ends in the conversation is for those to say who wrote that."""
        return Settled(
            messages=self._messages,
            calls=self._calls,
            entries=self._entries,
            newest=dict(self._newest),
            places=dict(places),
            _standing=self._frozen,
        )
