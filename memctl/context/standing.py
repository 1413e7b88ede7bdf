"""Where the work stands: a session's canvases as they were at a message, grown from what was known then."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memctl import summarize
from memctl.ask import canvas_files
from memctl.canvas.mmd import write_canvas
from memctl.context.session import Session
from memctl.context.sizes import Counter, spoken
from memctl.context.turns import Asked, Turn
from memctl.model import Canvas, Entry, Json
from memctl.store import number_of

if TYPE_CHECKING:  # a canvas is mostly stored as it stands: what grows it is loaded where it is needed
    from memctl.canvas.grow import Growth, TaskGrowth
    from memctl.model import Happening, Step

_DENSER = 1.25  # how many more characters a token may have in a folded canvas than in the canvas
_LENGTHS = (4000, 3000, 2000, 1500, 1000, 700)  # characters of a canvas, as the window has room for it


class Standing(NamedTuple):
    """The tasks of a session at a message, in order of their first calls, and which is at hand.

    files: the canvas file of each task, by ordinal. calls: the ordinal of the task of each call's key.
    """

    tasks: "tuple[TaskGrowth, ...]"
    files: dict[int, str]
    calls: dict[str, int]
    active: "TaskGrowth | None"


NOTHING = Standing((), {}, {}, None)


def standings(session: Session, parts: list[list[Turn]]) -> list[Standing]:
    """Grow the canvases of the turns in *parts*, which need not be all of the session; one a part."""
    from memctl.canvas.grow import stages

    return [standing(session, growth) for growth in stages(happenings(session, parts))]


def standing(session: Session, growth: "Growth") -> Standing:
    """Say which tasks a growth holds and which is at hand."""
    named: dict[int, str] = {}
    for key, (ordinal, _) in growth.places.items():
        if ordinal not in named and (entry := session.entries.get(key)) and entry.mmd:
            named[ordinal] = entry.mmd
    tasks = tuple(task for task in growth.tasks if task.ordinal in named)
    at_hand = [task for task in tasks if task.status == "active"] or list(tasks[-1:])
    calls = {key: ordinal for key, (ordinal, _) in growth.places.items()}
    return Standing(tasks, named, calls, at_hand[-1] if at_hand else None)


def happenings(session: Session, parts: Iterable[list[Turn]]) -> "Iterator[Iterator[Happening]]":
    """Give each part of a session's turns as growth wants it."""
    times = {stored.seq: stored.fields.get("timestamp") for stored in session.listed}
    numbers = count(1)
    for part in parts:
        yield _part(session, part, times, numbers)


def _part(
    session: Session, turns: list[Turn], times: dict[int, Json], numbers: Iterator[int]
) -> "Iterator[Happening]":
    from memctl.model import Prompt, Said

    for turn in turns:
        words = "\n\n".join(spoken(part) for part in turn.words if part.get("type") == "text")
        if turn.prompt:
            yield Prompt(turn.first, words, times.get(turn.first))
        said = (session.words(turn.first) or words) if turn.role == "assistant" else ""
        if said:
            yield Said(turn.first, said, times.get(turn.first))
        for asked in turn.calls:
            entry = session.entries.get(asked.key)
            if entry is not None:
                yield _step(session, entry, asked, next(numbers), words)


def _step(session: Session, entry: Entry, asked: Asked, number: int, said: str) -> "Step":
    from memctl.model import Step

    kind, target = summarize.describe(asked.name, asked.arguments)
    return Step(
        key=asked.key,
        seq=number,
        message=asked.seq,
        tool=asked.name,
        kind=kind,
        target=target,
        status=entry.status if asked.answered else "missing",
        summary=session.facts(entry) if asked.answered else "",
        turned=str(entry.extra.get("turned", "")) if asked.answered else "",
        timestamp=entry.timestamp,
        names=summarize.names_in(asked.name, asked.arguments),
        uses=tuple(key for key in entry.extra.get("uses", ()) if isinstance(key, str)),
        said=said,
        placed=entry.node_id,
        plan=summarize.plan_items(asked.name, asked.arguments),
        done=asked.answered > 0,
        answered=asked.answered,
    )


# --------------------------------------------------------------------------- the canvas


def stored_canvas(session: Session) -> tuple[str, Canvas] | None:
    """Give the stored canvas of the task at hand (its file name and itself), where it knows all that is listed.

    None when the session goes on behind what is listed, or no canvas of it can be read.
    """
    names = dict.fromkeys(entry.mmd for entry in session.entries.values() if entry.mmd)
    last = session.listed[-1].seq if session.listed else 0
    found: list[tuple[str, Canvas]] = []
    for name in names:
        path = session.store.canvas(name)
        canvas = canvas_files.canvas_at(path) if path.is_file() else None
        if canvas is None or canvas.upto != last or canvas.session != session.id:
            return None
        found.append((name, canvas))
    active = [one for one in found if one[1].status == "active"] or found
    return active[-1] if active else None


def drawn_canvas(session: Session, now: Standing, upto: int) -> tuple[str, Canvas] | None:
    """Draw the canvas of the task at hand as it stands; None when there is no task."""
    if now.active is None:
        return None
    from memctl.canvas.fold import draw

    name = now.files[now.active.ordinal]
    return name, draw(now.active, number_of(Path(name)), session.id, upto, _LENGTHS[0])


def canvas_text(canvas: Canvas, most: int, counter: Counter) -> str:
    """Write a canvas in at most *most* tokens, folded as far as it must be; "" when there is no room."""
    canvas = replace(canvas, extra={})
    text = write_canvas(canvas)
    tokens = counter(text)
    if tokens <= most:
        return text
    from memctl.canvas.fold import fold

    a_token = len(text) / tokens
    for length in _LENGTHS:
        if length < min(len(text), most * a_token * _DENSER):
            text = write_canvas(fold(canvas, length))
            if counter(text) <= most:
                return text
    return ""
