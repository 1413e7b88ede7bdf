"""Conversations: the records of one intake are merged with what is stored of their session (L0)."""

import itertools
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memctl import files, readers
from memctl.model import Json
from memctl.passes import shards
from memctl.passes.recording import SessionIntake
from memctl.passes.shards import IN_SHARDS
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, messages
from memctl.store.messages import Record
from memctl.text.names import normal_time, short_hash

_FACTS = (
    "title",
    "cwd",
    "branch",
    "agent",
    "version",
    "model",
    "parent",
    "parent_call",
    "ended",
)  # in the order written

_DATING = 100  # messages at the beginning of a session that date it; undated they leave it undated
_TIME = re.compile(
    rb'"role":"\w{1,20}","content":"(?:[^"\\]|\\.)*+","timestamp":"(?P<time>[^"\\]{1,60})"', re.DOTALL
)  # of a record as it is written: to decode all that a long session begins with takes longer

_TRIED = {known.name: place for place, known in enumerate(readers.FORMATS)}


@dataclass(frozen=True, slots=True)
class Merged:
    """What an intake added to its session.

    order: the keys of the messages behind the beginning that stayed as it was; starts: the byte of the file at
    which each of them begins, and its end. mixed: some are of the original's shards, and stand at their times.
    """

    new: int
    changed: bool
    order: Sequence[int]
    starts: Sequence[int]
    mixed: bool


@dataclass(frozen=True, slots=True)
class Beginning:
    """The messages of a stored session that an intake does not change: how many, and the byte they end at."""

    messages: int = 0
    end: int = 0
    known: bool = False  # what stands behind it comes from the transcript that is followed, too


_NOTHING = Beginning()


def merge(
    store: Store, batch: files.Batch, intake: SessionIntake, source: str, beginning: Beginning = _NOTHING
) -> Merged:
    """Write a session's L0 file from its stored lines and an intake's records, unless nothing changes.

    Messages are known by id; of two versions the longer stays; `seq` follows the longest known order.
    *source* is the name of the file, kept when it added something. What stands in *beginning* is copied.
    """
    path = store.conversation(intake.id)
    stored = _Stored(store, intake.id, beginning)
    starts = array("Q")
    try:
        given = intake.records.keys()
        said: frozenset[tuple[str, str]] = frozenset()
        mixed = stored.shared or intake.format == IN_SHARDS
        if mixed:
            order, said = shards.arranged(
                stored.keys, given, lambda key: _record_of(key, stored, intake.records)
            )
        elif beginning.known:  # what more of the transcript gives stands behind what is there
            known = set(given)
            order = [key for key in stored.keys if key not in known] + given
        else:
            order = messages.merge_orders(stored.keys, given)
        new = len(order) - len(stored.keys)
        first = stored.header.get("timestamp") if beginning.messages else None
        first = _first_time(order[: max(0, _DATING - beginning.messages)], stored, intake.records, first)
        header = _header(intake, stored.header, source if new else "", first)

        def lines() -> Iterator[bytes]:
            line = files.encode(header) + b"\n"
            at = len(line) + max(0, beginning.end - stored.start)
            yield line
            yield from files.piece_of(path, stored.start, beginning.end)
            for seq, key in enumerate(order, 1 + beginning.messages):
                line = shards.marked(_record_of(key, stored, intake.records), said).line(seq)
                starts.append(at)
                at += len(line)
                yield line
            starts.append(at)

        if stored.damaged:  # not ours to judge: kept where a person can look at it
            ending = short_hash(8, [line.decode("utf-8", "backslashreplace") for line in stored.damaged])
            kept = store.private("quarantine", f"{path.stem}.damaged-{ending}")
            batch.write(kept, (line + b"\n" for line in stored.damaged))
        changed = batch.write_if_changed(path, lines())
    finally:
        stored.close()
    return Merged(new, changed, order, starts, mixed)


class _Stored:
    """The stored records of a session behind a beginning, by message key, in their order.

    start: the byte at which the first of its messages begins.
    """

    def __init__(self, store: Store, session: str, beginning: Beginning) -> None:
        self.header: Mapping[str, Json] = {}
        self.damaged: list[bytes] = []  # lines that are none of ours, or torn
        self.shared = False  # some of them come from the original's shards
        self._records = Spool(store.home)
        places: list[tuple[int, int]] = []  # seq and key of each line
        path = store.conversation(session)
        lines = files.lines_of(path, beginning.end)
        self.start = 0
        if beginning.end:
            self.start = files.first_line(path)
            lines = itertools.chain(itertools.islice(files.lines_of(path), 1), lines)
        for _, line in lines:
            split = messages.split_line(line)
            fields = _fields(line)
            if split is None or fields is None:
                self.damaged.append(line)
                continue
            seq, record = split
            if fields.get("role") == messages.SESSION_ROLE:  # a union merge may leave two
                self.header = _joined_facts(self.header, fields)
                continue
            key = key_of(str(fields.get("id")))
            places.append((seq, key))
            earlier = self.record(key)
            if earlier is not None:  # a union merge leaves two lines of one message
                record = shards.better(earlier, record)
            self.shared = self.shared or shards.is_of(record)
            self._records.put(key, record.head + b"\0" + record.tail)
        self.keys = messages.order_of(places)

    def record(self, key: int) -> Record | None:
        """Give the stored record of a message."""
        return _read(self._records, key)

    def close(self) -> None:
        """Drop what was read."""
        self._records.close()


def _joined_facts(one: Mapping[str, Json], other: Mapping[str, Json]) -> Mapping[str, Json]:
    """Join two session lines into one; which is given first makes no difference."""
    if not one or not other:
        return one or other
    low, high = sorted((one, other), key=files.encode)
    counts = [lines for lines in (low.get("lines"), high.get("lines")) if isinstance(lines, dict)]
    joined = {**low, **high}
    if named := _nearer(low.get("format"), high.get("format")):
        joined["format"] = named
    if counts:
        kinds = sorted({kind for lines in counts for kind in lines})
        found = {
            kind: [lines[kind] for lines in counts if isinstance(lines.get(kind), int)] for kind in kinds
        }
        joined["lines"] = {kind: max(values) for kind, values in found.items() if values}
    return joined


def _fields(line: bytes) -> Mapping[str, Json] | None:
    try:
        fields = files.decode(line)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def stored_keys(store: Store, session: str) -> set[int]:
    """Give the keys of a session's stored messages."""
    keys = set()
    for _, line in files.lines_of(store.conversation(session)):
        fields = _fields(line)
        if fields is not None and fields.get("role") != messages.SESSION_ROLE:
            keys.add(key_of(str(fields.get("id"))))
    return keys


def _read(spool: Spool, key: int) -> Record | None:
    data = spool.get(key)
    if data is None:
        return None
    head, _, tail = data.partition(b"\0")
    return Record(head, tail)


def _record_of(key: int, stored: _Stored, records: Spool) -> Record:
    ours, theirs = stored.record(key), _read(records, key)
    if ours is None or theirs is None:
        found = ours or theirs
        assert found is not None, "an order names only known messages"  # noqa: S101 - states an invariant
        return found
    return shards.better(ours, theirs)


def _first_time(order: list[int], stored: _Stored, records: Spool, known: Json) -> str | None:
    """Give the earliest time of messages, and of those before them, where it is *known*; None when none is dated.

    The first message need not be the earliest: a harness puts its context before the user's words and dates it later.
    """
    times = [known] if isinstance(known, str) else []
    for key in order:
        tail = _record_of(key, stored, records).tail
        if written := _TIME.match(tail):
            times.append(written["time"].decode())
        elif isinstance(dated := files.decode(b"{" + tail).get("timestamp"), str):
            times.append(dated)
    return min(times, key=_instant, default=None)


def _instant(time: str) -> tuple[datetime, str]:
    try:
        return datetime.fromisoformat(normal_time(time)[0]).astimezone(UTC), time
    except (ValueError, OverflowError):
        return datetime.max.replace(tzinfo=UTC), time


def _nearer(one: Json, other: Json) -> str:
    """Of two names for the format of a session give the one that says more: that which is tried first.

    The beginning of a transcript may look like a more general format.
    """
    names = [name for name in (one, other) if isinstance(name, str) and name]
    return min(names, key=lambda name: (name == IN_SHARDS, _TRIED.get(name, len(_TRIED))), default="")


def _header(
    intake: SessionIntake, stored: Mapping[str, Json], source: str, first: str | None
) -> dict[str, Json]:
    """Write the session line: facts once known stay, counts of other lines only grow."""
    before = {name: value for name, value in stored.items() if name in _FACTS}
    named = _nearer(stored.get("format"), intake.format)
    own = stored.get("format") == IN_SHARDS != named  # what the agent's own transcript says counts
    known = {**before, **intake.facts} if own else {**intake.facts, **before}
    if intake.format == IN_SHARDS != named:
        source = str(stored.get("source") or source)
    counted = dict(intake.skipped)
    earlier = stored.get("lines")
    if isinstance(earlier, dict):
        known_counts = {kind: count for kind, count in earlier.items() if isinstance(count, int)}
        kinds = {*counted, *known_counts}
        counted = {kind: max(counted.get(kind, 0), known_counts.get(kind, 0)) for kind in kinds}
    header: dict[str, Json] = {
        "id": intake.id,
        "sessionId": intake.id,
        "seq": 0,
        "role": messages.SESSION_ROLE,
        "content": "",
        "timestamp": first,
        "format": named,
        "source": source or stored.get("source") or "",
    }
    header |= {name: known[name] for name in _FACTS if known.get(name)}
    if counted:
        header["lines"] = dict(sorted(counted.items()))
    return header
