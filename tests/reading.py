"""What the tests of all transcript readers share: the laws they keep, and lines to try them on."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from memctl.model import Call, Damage, Event, Message, Result, SessionFacts, Skipped, Text
from memctl.readers.marks import MARK_KINDS
from memctl.readers.source import Source, Unreadable

SESSIONS = Path(__file__).resolve().parents[2] / "shared" / "sessions"

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def files(*folders: str) -> list[Path]:
    """Give the shared transcripts of some folders; none where they are not there."""
    return [path for folder in folders for path in sorted((SESSIONS / folder).rglob("*")) if path.is_file()]


def written(lines: Sequence[Any]) -> bytes:
    """Write values as JSON lines."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def events(reader: ModuleType, data: bytes) -> list[Event]:
    """Read *data* and check what holds for every reader: events only, facts before their messages."""
    found: list[Event] = []
    with suppress(Unreadable):  # the one error a reader may raise
        found.extend(reader.read(Source.from_bytes(data)))
    known: set[str] = set()
    for event in found:
        assert isinstance(event, SessionFacts | Message | Damage | Skipped)
        if isinstance(event, SessionFacts):
            known.add(event.key)
        if isinstance(event, Message):
            assert event.session in known
            assert set(event.marks) <= MARK_KINDS
            only_results = bool(event.parts) and all(isinstance(part, Result) for part in event.parts)
            assert (event.role == "tool") == only_results
    return found


def messages(reader: ModuleType, lines: Sequence[Any]) -> list[Message]:
    """Read JSON lines and give their messages."""
    return [event for event in events(reader, written(lines)) if isinstance(event, Message)]


def facts(reader: ModuleType, lines: Sequence[Any]) -> dict[str, dict[str, str]]:
    """Read JSON lines and give the facts of each session; the first of each name counts."""
    found: dict[str, dict[str, str]] = {}
    for event in events(reader, written(lines)):
        if isinstance(event, SessionFacts):
            found[event.key] = {**event.facts, **found.get(event.key, {})}
    return found


def parts(found: Sequence[Message], kind: type) -> list[Any]:
    """Give the parts of one kind of all messages."""
    return [part for message in found for part in message.parts if isinstance(part, kind)]


def text(message: Message) -> str:
    """Give the words of a message."""
    return "\n".join(part.text for part in message.parts if isinstance(part, Text))


def tally(found: Sequence[Message]) -> Counter[str]:
    """Count messages by role (unmarked ones of the user), calls and results."""
    roles = Counter(message.role for message in found if not (message.role == "user" and message.marks))
    return roles + Counter(calls=len(parts(found, Call)), results=len(parts(found, Result)))


def check_beginnings(reader: ModuleType, data: bytes, *, step: int = 1, grows: bool = True) -> None:
    """Check that what is read of *data* cut after any line is the beginning of what is read of all.

    grows: the parts a message had are the first of those it has later, and its time and role stay.
    """

    def identity(message: Message) -> tuple[Any, ...]:
        named = (message.session, message.id, message.parent)
        return (*named, message.role, message.timestamp) if grows else named

    whole = [identity(event) for event in events(reader, data) if isinstance(event, Message)]
    lines = data.splitlines(keepends=True)
    for cut in range(0, len(lines), step):
        beginning = [event for event in events(reader, b"".join(lines[:cut])) if isinstance(event, Message)]
        assert [identity(message) for message in beginning] == whole[: len(beginning)], (
            f"cut after line {cut}"
        )
    if grows:
        _check_growth(reader, lines, step)


def _check_growth(reader: ModuleType, lines: Sequence[bytes], step: int) -> None:
    cuts = [b"".join(lines[:cut]) for cut in [*range(0, len(lines), step), len(lines)]]
    stages = [[event for event in events(reader, cut) if isinstance(event, Message)] for cut in cuts]
    for earlier, later in pairwise(stages):
        for one, other in zip(earlier, later, strict=False):
            assert other.parts[: len(one.parts)] == one.parts


@st.composite
def spoiled(draw: st.DrawFn, lines: Sequence[Any]) -> list[Any]:
    """Spoil some values of *lines*: replace, drop, double or exchange what stands anywhere in them."""
    spoilt: list[Any] = json.loads(json.dumps(lines))
    for _ in range(draw(st.integers(0, 4))):
        place: Any = spoilt
        for _ in range(draw(st.integers(0, 5)) if place else 0):
            inner = place[draw(_key(place))]
            if not inner or not isinstance(inner, dict | list):
                break
            place = inner
        if not place:
            continue
        key = draw(_key(place))
        change = draw(st.sampled_from(["replace", "drop", "double"]))
        if change == "replace":
            place[key] = draw(JSON)
        elif change == "drop":
            del place[key]
        elif isinstance(place, list):
            place.insert(draw(st.integers(0, len(place))), json.loads(json.dumps(place[key])))
    return spoilt


def _key(place: dict[str, Any] | list[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(list(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1)
