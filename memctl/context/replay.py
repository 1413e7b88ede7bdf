"""Replay: what a whole run would have cost if the list were rebuilt before every turn of the agent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memctl.canvas.grow import stages
from memctl.context.build import current, front_of
from memctl.context.pressure import Limits, Pressure
from memctl.context.session import Session
from memctl.context.sizes import Counter, Sizes
from memctl.context.standing import Standing, drawn_canvas, happenings, standing
from memctl.context.turns import Turn
from memctl.model import Json

_NEVER = 1e9  # a ratio that no list reaches
_EVERY = 25  # turns between two drawings of the canvas whose size is counted


@dataclass(slots=True)
class _Sums:
    """Tokens of all requests of the run so far, by way of making them."""

    raw: int = 0
    drop_oldest: int = 0
    offload: int = 0
    canvas: int = 0
    turns: int = 0


class _Growing:
    """The canvases of a session, grown on as turns come."""

    def __init__(self, session: Session, turns: list[Turn]) -> None:
        self._session, self._turns, self._upto = session, turns, 0
        self._stages = stages(happenings(session, self._parts()))

    def _parts(self) -> Iterator[list[Turn]]:
        at = 0
        while True:
            upto = self._upto
            yield self._turns[at:upto]
            at = upto

    def stand(self, upto: int) -> Standing:
        """Give how the tasks stand after the first *upto* turns; it never goes back."""
        self._upto = max(self._upto, upto)
        return standing(self._session, next(self._stages))


def replay(session: Session, limits: Limits, count: Counter, *, exact: bool = False) -> list[dict[str, Json]]:
    """Add up the tokens of every request of a run: raw, drop-oldest, offload only, offload and canvas.

    A request is made before each turn of the agent. raw: everything so far, whatever the window. drop-oldest:
    the newest turns that fit. offload: results replaced, nothing leaves. The canvas is drawn every
    25 turns, and counted as it was drawn last. An engine that asks no model takes
    no tokens of its own.
    """
    sizes = Sizes(session, count, exact)
    ours = Pressure(limits, sizes)
    offload = Pressure(limits._replace(aggressive=_NEVER, emergency=_NEVER, most=0), sizes)
    growing = _Growing(session, ours.turns.listed)
    sums = _Sums()
    oldest = _Oldest(limits.window)
    front = canvas = 0
    folded: int | None = None
    drawn = -_EVERY
    for stored in session.listed:
        listed = ours.turns.listed
        if _asks(ours, stored.role):
            if ours.folded != folded:
                folded = ours.folded
                front = count(front_of(session, ours, growing.stand(len(listed))))
            if sums.turns - drawn >= _EVERY:
                drawn = sums.turns
                here = drawn_canvas(session, growing.stand(len(listed)), ours.turns.last)
                canvas = count(current(here, ours))
            sums.turns += 1
            sums.raw += ours.raw
            sums.drop_oldest += oldest.keep([shape.raw for shape in ours.shapes[oldest.first :]])
            sums.offload += offload.listed
            sums.canvas += ours.listed + front + canvas
        ours.take(stored)
        offload.take(stored)
    ways = (
        ("raw", sums.raw),
        ("drop-oldest", sums.drop_oldest),
        ("offload only", sums.offload),
        ("offload + canvas", sums.canvas),
    )
    return [
        {
            "what": what,
            "tokens": tokens,
            "saved": _saved(tokens, sums.raw),
            "requests": sums.turns,
            "engine": 0,
        }
        for what, tokens in ways
    ]


def _asks(state: Pressure, role: str) -> bool:
    """Tell whether the agent is asked now: it speaks next, and others spoke last."""
    listed = state.turns.listed
    if role != "assistant" or not listed:
        return False
    last = listed[-1]
    return last.role == "user" or any(call.result is not None for call in last.calls)


@dataclass(slots=True)
class _Oldest:
    """The list that lets its oldest turns go when it is over the window."""

    window: int
    first: int = 0

    def keep(self, tokens: Iterable[int]) -> int:
        """Give the tokens of the newest turns that fit; *tokens* are those of the turns from `first` on."""
        listed = list(tokens)
        total = sum(listed)
        for one in listed[:-1]:
            if total <= self.window:
                break
            total -= one
            self.first += 1
        return min(total, self.window)


def _saved(tokens: int, raw: int) -> float:
    return round(1 - tokens / raw, 3) if raw else 0.0
