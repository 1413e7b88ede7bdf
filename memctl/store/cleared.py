"""What was cleared on request: `cleared.jsonl` holds hashes of sessions, layers and times (DESIGN 8).

A line clears, or with `again` lifts what was cleared up to a time. Of a session nothing else is kept but the
numbers of its canvases, which are never given again, and hashes of the names of its tasks.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memctl.files import decode, encode, lines_of, read_bytes, write_atomic
from memctl.model import Json
from memctl.store import Store, session_of_offload
from memctl.text.names import normal_time, safe_name, short_hash

LAYERS = ("l0", "l1", "l2", "l3", "tasks", "graph")
OF_SESSIONS = LAYERS[:4]


@dataclass(frozen=True, slots=True)
class Record:
    """One clearing: of a session (or all that belongs to none: "*"), in some layers, at a time."""

    session: str
    layers: tuple[str, ...]
    at: str
    canvases: tuple[int, ...] = ()
    tasks: tuple[str, ...] = ()


@dataclass
class Cleared:
    """What stays away: of each session, by hash, its layers and the time; of canvases their numbers."""

    sessions: dict[str, dict[str, str]] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)
    tasks: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.sessions)

    def has(self, session: str, layer: str) -> bool:
        """Tell whether a layer of a session was cleared."""
        return layer in self.sessions.get(mark(session), ())

    def has_file(self, path: Path, layer: str) -> bool:
        """Tell the same of a session's conversation or entries by the file's name."""
        return layer in self.sessions.get(_mark_of(session_of_offload(path)), ())

    def when(self, session: str) -> str:
        """Give when a session was cleared last; "" for never."""
        return max(self.sessions.get(mark(session), {}).values(), default="")


def mark(session: str) -> str:
    """Give the hash by which a cleared session is known."""
    return _mark_of(safe_name(session))


def _mark_of(stem: str) -> str:
    return short_hash(16, stem)


def load(store: Store) -> Cleared:
    """Read what was cleared in a scope."""
    cleared = Cleared()
    lifted: dict[str, datetime] = {}
    records: list[Record] = []
    for _, line in lines_of(store.cleared):
        fields = _fields(line)
        session, again = fields.get("session"), _moment(fields.get("again"))
        if not isinstance(session, str):
            continue
        if again is not None:
            lifted[session] = max(again, lifted.get(session, again))
        elif _moment(fields.get("at")) is not None:
            records.append(_record(fields))
    for record in records:
        cleared.numbers.update(record.canvases)
        moment = _moment(record.at)
        if moment is not None and not (record.session in lifted and moment <= lifted[record.session]):
            add(cleared, [record])
    return cleared


def add(known: Cleared, records: Iterable[Record]) -> None:
    """Take records into what is known to be cleared."""
    for record in records:
        known.numbers.update(record.canvases)
        known.tasks.update(record.tasks)
        layers = known.sessions.setdefault(record.session, {})
        for layer in record.layers:
            layers[layer] = max(record.at, layers.get(layer, ""))


def append(store: Store, records: Iterable[Record]) -> bool:
    """Write down what is cleared, each line once; say whether any was new."""
    return _append(store, [to_fields(record) for record in records])


def lift(store: Store, sessions: Iterable[str]) -> bool:
    """Let cleared sessions, given by their hashes, be taken in again."""
    known = load(store).sessions
    lines: list[dict[str, Json]] = [
        {"session": session, "again": max(known[session].values())}
        for session in sorted(set(sessions))
        if session in known
    ]
    return _append(store, lines)


def to_fields(record: Record) -> dict[str, Json]:
    """Write a record as its fields."""
    fields: dict[str, Json] = {"session": record.session, "layers": list(record.layers), "at": record.at}
    fields |= {"canvases": list(record.canvases)} if record.canvases else {}
    return fields | ({"tasks": list(record.tasks)} if record.tasks else {})


def from_fields(listed: Json) -> list[Record]:
    """Read records from a plan."""
    return [_record(fields) for fields in listed or () if isinstance(fields, dict)]


def _append(store: Store, fields: list[dict[str, Json]]) -> bool:
    path = store.cleared
    before = read_bytes(path) if path.is_file() else b""
    known = set(before.split(b"\n"))
    new = [line for line in map(encode, fields) if line not in known]
    if new:
        if before and not before.endswith(b"\n"):
            before += b"\n"
        write_atomic(store.home, path, [before, *(line + b"\n" for line in new)])
    return bool(new)


def _record(fields: dict[str, Json]) -> Record:
    layers, canvases, tasks = (fields.get(name) or () for name in ("layers", "canvases", "tasks"))
    return Record(
        str(fields.get("session")),
        tuple(layer for layer in layers if layer in LAYERS),
        str(fields.get("at")),
        tuple(number for number in canvases if type(number) is int),
        tuple(name for name in tasks if isinstance(name, str)),
    )


def _fields(line: bytes) -> dict[str, Json]:
    try:
        fields = decode(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _moment(value: Json) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(normal_time(value)[0])
    except ValueError:
        return None
