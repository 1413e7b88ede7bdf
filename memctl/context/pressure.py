"""Pressure: which results are replaced and which turns are dropped, message by message (DESIGN 7).

The state after a message is a function of the messages up to it and of nothing else. What a level does
at one message stays done, so between two cuts the list only grows at its end.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from memctl.context.sizes import Sizes
from memctl.context.turns import Turns
from memctl.store.messages import Stored

Level = Literal["mild", "aggressive", "emergency", "last"]
LEVELS: tuple[Level, ...] = ("mild", "aggressive", "emergency", "last")

_SLACK = 0.1  # of the window: mild goes this far below its ratio, so that it does not run every turn
_WORTH = 0.02  # of the window: what mild must free to be worth a changed prefix
_NEWEST = 0.15  # of the window: the newest steps that stay as they are,
_STEPS = 6  # and their number at most
_CAPS = (4, 8, 16, 32)  # parts of the window that a text may keep when nothing else helps,
_LAST_CAPS = (64, 128, 256)  # and when of a turn of many texts only the newest are left


class Limits(NamedTuple):
    """The window in tokens and the ratios of it at which the levels run; sources: DESIGN 7, the original.

    down_to: what emergency leaves. leaving: part of the message tokens that aggressive takes. share: of the
    front and the canvas together, which take no more than *most* tokens.
    """

    window: int
    mild: float = 0.5
    aggressive: float = 0.85
    emergency: float = 0.95
    down_to: float = 0.6
    leaving: float = 0.4
    share: float = 0.2
    most: int = 8_000

    @property
    def reserve(self) -> int:
        """Tokens that front and canvas may take together."""
        return min(int(self.window * self.share), self.most)


class Cut(NamedTuple):
    """One run of a level: at which message, and the tokens of the list before and after."""

    level: Level
    seq: int
    before: int
    after: int


@dataclass(slots=True)
class Shape:
    """What became of one turn. tokens: as it stands. stubs: what replaced results, by number of the call.

    cap: most tokens of each text, where even what is protected had to give. skipped: how many of its words, and
    then of its calls, the oldest, where not even that was enough.
    """

    tokens: int = 0
    raw: int = 0  # as it was
    left: bool = False
    stubs: dict[int, str] = field(default_factory=dict)
    cap: int | None = None
    skipped: int = 0

    @property
    def is_cut(self) -> bool:
        """Whether any of it is not as it was."""
        return bool(self.stubs or self.skipped) or self.cap is not None

    @property
    def is_capped(self) -> bool:
        """Whether texts of it that should stay whole had to be cut or left out."""
        return self.skipped > 0 or (self.cap is not None and self.tokens < self.raw)


@dataclass
class Pressure:
    """The list under pressure after the messages taken so far.

    shapes: one for each turn. cuts: the runs of levels, in order. folded: seq of the last message at which
    turns left, which is when the front was written; None before.
    """

    limits: Limits
    sizes: Sizes
    turns: Turns = field(default_factory=Turns)
    shapes: list[Shape] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    folded: int | None = None
    messages: int = 0  # tokens of the turns as they stand, without front and canvas
    raw: int = 0  # tokens of all of it, untouched
    has_calls: bool = False
    system_cap: int | None = None
    _system: int = 0
    _open: list[tuple[int, int]] = field(default_factory=list)  # calls that may still be replaced
    _tried: int = -1  # the newest turn when mild was tried last
    _looked: int = 0  # turns whose calls are in _open or decided

    @property
    def listed(self) -> int:
        """Tokens of what is still listed, without front and canvas."""
        return self._system + self.messages

    @property
    def total(self) -> int:
        """Tokens of the list, with what front and canvas may take."""
        return self.listed + (self.limits.reserve if self.has_calls else 0)

    def take(self, stored: Stored) -> None:
        """Add a message, and run the levels that are due."""
        listed = self.turns.listed
        known = len(self.turns.system)
        for at in range(self.turns.take(stored), len(listed)):
            if at == len(self.shapes):
                self.shapes.append(Shape())
            self._measure(at)
            shape = self.shapes[at]
            raw = self.sizes.turn(listed[at], {}) if shape.is_cut else shape.tokens
            self.raw += raw - shape.raw
            shape.raw = raw
            self.has_calls |= bool(listed[at].calls)
        if len(self.turns.system) != known:
            before, self._system = self._system, sum(map(self.sizes.text, self.turns.system))
            self.raw += self._system - before
        self._relieve()

    def _measure(self, at: int) -> None:
        shape = self.shapes[at]
        tokens = self.sizes.turn(self.turns.listed[at], shape.stubs, shape.cap, shape.skipped)
        self.messages += tokens - shape.tokens
        shape.tokens = tokens

    # ----------------------------------------------------------------------- levels

    def _relieve(self) -> None:
        limits = self.limits
        if self.total <= limits.mild * limits.window:  # the ratios do not fall
            return
        self._run("mild", limits.mild, self._mild)
        if self.total <= limits.aggressive * limits.window:
            return
        self._run("aggressive", limits.aggressive, self._aggressive)
        self._run("emergency", limits.emergency, self._emergency)
        self._run("last", limits.emergency, self._last_resort)

    def _run(self, level: Level, ratio: float, work: Callable[[], None]) -> None:
        before = self.total
        if before > ratio * self.limits.window:
            work()
            if self.total != before:
                self.cuts.append(Cut(level, self.turns.last, before, self.total))

    def _mild(self) -> None:
        goal = (self.limits.mild - _SLACK) * self.limits.window
        self._replace(self._newest(), goal, worth=_WORTH * self.limits.window)

    def _aggressive(self) -> None:
        self._leave(self._newest(), self.limits.leaving * self.messages)

    def _emergency(self) -> None:
        self._leave(self._newest(), self.total - self._floor())

    def _last_resort(self) -> None:
        """Let go of what is protected, the least first: newest results, newest steps, parts of long texts."""
        last = len(self.turns.listed) - 1
        self._replace(last, self._floor(), worth=0)
        if self._is_over():
            self._leave(last, self.total - self._floor())
        self._cap(_CAPS)
        self._skip_crowds()
        self._cap(_LAST_CAPS)

    def _is_over(self) -> bool:
        return self.total > self.limits.emergency * self.limits.window

    def _floor(self) -> float:
        return self.limits.down_to * self.limits.window

    def _newest(self) -> int:
        """Give the index of the first of the newest turns, which stay as they are: the last at least."""
        first = len(self.turns.listed) - 1
        room, steps = _NEWEST * self.limits.window, 0
        for at in range(first, -1, -1):
            room -= self.shapes[at].tokens
            steps += self.turns.listed[at].role == "assistant"
            if at < len(self.turns.listed) - 1 and (room < 0 or steps > _STEPS):
                break
            first = at
        return first

    # ----------------------------------------------------------------------- what they do

    def _replace(self, newest: int, goal: float, *, worth: float) -> None:
        """Replace results older than turn *newest* until *goal*, those first whose summary stands in best."""
        if worth and newest == self._tried:  # nothing older came since it was not worth it
            return
        for at in range(self._looked, newest):
            self._open += [(at, number) for number in range(len(self.turns.listed[at].calls))]
        self._looked = max(self._looked, newest)
        ready: list[tuple[int, int, int, int, str]] = []
        for at, number in self._open:
            if not self.shapes[at].left and at < newest:
                asked = self.turns.listed[at].calls[number]
                stub, freed = self.sizes.offer(asked, self.turns.last)
                if freed > 0:
                    ready.append((-self.sizes.session.entries[asked.key].score, at, number, freed, stub))
        later = [place for place in self._open if place[0] >= newest]
        ready.sort()
        self._tried = newest
        if sum(one[3] for one in ready) >= worth:
            while ready and self.total > goal:
                _, at, number, _, stub = ready.pop(0)
                self.shapes[at].stubs[number] = stub
                self._measure(at)
        self._open = [(at, number) for _, at, number, _, _ in ready] + later

    def _leave(self, newest: int, wanted: float) -> None:
        """Let the oldest turns leave until *wanted* tokens are gone; first goal and last prompt stay."""
        prompts = [at for at, turn in enumerate(self.turns.listed) if turn.prompt]
        stay = {prompts[0], prompts[-1]} if prompts else set()
        for at in range(newest):
            if wanted <= 0:
                break
            shape = self.shapes[at]
            if at not in stay and not shape.left:
                wanted -= shape.tokens
                self.messages -= shape.tokens
                shape.tokens, shape.left = 0, True
                self.folded = self.turns.last

    def _cap(self, parts: Iterable[int]) -> None:
        """Cut every text that is left to such parts of the window, one after the other, until all of it fits."""
        for part in parts:
            if not self._is_over():
                return
            most = self.limits.window // part
            for at, shape in enumerate(self.shapes):
                if not shape.left:
                    shape.cap = most
                    self._measure(at)
            self.system_cap = most
            self._system = sum(min(self.sizes.text(text), most) for text in self.turns.system)

    def _skip_crowds(self) -> None:
        for at, shape in enumerate(self.shapes):
            if self._is_over() and not shape.left:
                self._skip(at)

    def _skip(self, at: int) -> None:
        """Leave out the oldest words, then calls, of a turn that is too much by their number; not its last."""
        turn, shape = self.turns.listed[at], self.shapes[at]
        parts = len(turn.words) + len(turn.calls)
        step = 1
        while self.total > self._floor() and shape.skipped < parts - 1:
            shape.skipped = min(shape.skipped + step, parts - 1)
            self._measure(at)
            step *= 2


def walk(limits: Limits, counted: Sizes, listed: Iterable[Stored]) -> Pressure:
    """Put a conversation under pressure, from its first message to its last."""
    state = Pressure(limits, counted)
    for stored in listed:
        state.take(stored)
    return state
