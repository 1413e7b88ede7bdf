"""Following: what a growing transcript has behind the place reached before is taken in, and nothing else (DESIGN 11).

The work is that of the new lines and of what they can still change. What was known at the place is kept in the
user's cache directory; where it is missing, or anything it rests on has changed since, the transcript is followed
from its start, which gives the same.
"""

import contextlib
import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

from memctl import __version__, files, readers
from memctl.errors import MemctlError
from memctl.index.place import place_of
from memctl.model import SessionFacts
from memctl.passes import conversations, frozen, plans, taking
from memctl.passes.canvases import Numbers
from memctl.passes.conversations import Beginning
from memctl.passes.derive import derive, in_time
from memctl.passes.intake import Intake
from memctl.passes.listing import fingerprint
from memctl.passes.recording import clean
from memctl.passes.settled import Settled
from memctl.passes.sources import Candidate, Cursors, candidates
from memctl.passes.spool import Spool
from memctl.readers import claude_code
from memctl.readers.claude_sessions import Reading
from memctl.store import Store, cleared
from memctl.text.names import short_hash
from memctl.text.redaction import redact, redact_json

_FORMAT = "claude-code"  # the one whose transcripts grow while a hook looks on, after every call
_NAME = "followed-"
_MOST = 32  # transcripts whose places are kept, the newest
_CHUNK = 1 << 16

_Stat = tuple[int, int, int]


@dataclass(slots=True)
class Place:
    """A place in a transcript, at the end of a line: its byte and line.

    of: the state of every file it rests on. held: what was known there, frozen. settled: by session. told: what the
    transcript said of sessions that stand elsewhere, by session.
    """

    offset: int = 0
    number: int = 0
    of: dict[str, _Stat] = field(default_factory=dict)
    held: bytes = b""
    settled: dict[str, Settled] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)


def follow(store: Store, transcript: str) -> bool:
    """Take in what a transcript has behind its place; False for one that only a whole pass can take.

    The caller holds the lock.
    """
    if cleared.path_of(store).is_file() or plans.path_of(store).is_file():
        return False
    found = list(candidates([transcript]))
    if len(found) != 1 or found[0].closed or not _starts_as_object(transcript):
        return False
    candidate = replace(found[0], named=False)
    place = _load(store, transcript) or Place()
    if place.offset == 0 and not _is_ours(transcript):
        return False
    try:
        _take_in(store, candidate, place)
    except (
        _LostError,
        frozen.NotFrozenError,
    ):  # what is stored is not as it was left: from the start, and then everything fits
        _take_in(store, candidate, Place())
    return True


def forget(store: Store) -> None:
    """Drop all places: they hold words of the sessions."""
    for path in place_of(store).folder.glob(f"{_NAME}*"):
        path.unlink(missing_ok=True)


class _LostError(Exception):
    """What is known of a place does not fit what is there."""


@dataclass(slots=True)
class _Held:
    """What is known in the middle of a transcript."""

    reading: Reading
    intake: Intake


def _take_in(store: Store, candidate: Candidate, place: Place) -> None:
    cursors = Cursors(store)
    as_left = cursors.whole == fingerprint(store)
    source = readers.open_source(candidate.path)
    batch = store.batch()
    named: set[str] = set()
    known = cleared.load(store)
    chooser = taking.chooser(store, source, _FORMAT, named, known)
    held = _held(store, batch, place)
    held.intake.resume(chooser, taking.gate(known, {}, again=False))
    for session in held.intake.sessions.values():
        settled = place.settled.get(session.id)
        for name, draft in settled.drafts.items() if settled else ():
            session.drafts.put(name, draft)
    end = _end_of_lines(candidate.path)
    frozen_at: bytes | None = None
    stable: dict[str, list[int]] = {}
    reached = False
    for line in source.lines_from(place.offset, place.number):
        if not reached and line.offset >= end:
            reached = True
            frozen_at, stable = _freeze(store, held), _keys(held)
        held.intake.take(claude_code.go_on(held.reading, line))
    if not reached:
        frozen_at, stable = _freeze(store, held), _keys(held)
    held.intake.take(claude_code.end(held.reading))
    held.intake.finish()
    batch.commit()
    now = _store(store, candidate, held.intake, place, stable)
    told = _link(store, held.intake.links, place.told)
    if as_left:
        cursors.whole = fingerprint(store)
    cursors.remember(candidate, list(held.intake.sessions), "", hidden=False)
    cursors.save()
    sessions = list(held.intake.sessions)
    if frozen_at is None or now is None or end < place.offset:
        _path(store, candidate.path).unlink(missing_ok=True)
        return
    number = place.number + _count_lines(candidate.path, place.offset, end)
    of = _states(store, candidate.path, end, sessions)
    _save(store, candidate.path, Place(end, number, of, frozen_at, now, told))


def _held(store: Store, batch: files.Batch, place: Place) -> _Held:
    if not place.held:
        return _Held(Reading(), Intake(store, batch))
    aside = {"store": lambda: store, "batch": lambda: batch, "spool": lambda: Spool(store.home)}
    return frozen.thawed(place.held, _Held, aside)


def _freeze(store: Store, held: _Held) -> bytes | None:
    """Put aside what is known now; None where something in it must not be written as it stands."""
    intake = held.intake
    if intake.without_user:
        return None
    if store.config.redact:
        for session in held.reading.sessions.values():
            for draft in session.thread.waiting:
                if draft.id is None:
                    return None
                draft.parts = tuple(clean(part)[0] for part in draft.parts)
            words = [*(content for content, _ in session.queued), *session.taken, session.facts]
            if redact_json(words)[1]:
                return None
        if redact_json(held.reading.titles)[1]:
            return None
        intake.damages = [
            replace(
                one, data=redact(one.data.decode("utf-8", "backslashreplace"))[0].encode("utf-8", "replace")
            )
            for one in intake.damages
        ]
    return frozen.frozen(held, {Store: "store", files.Batch: "batch", Spool: "spool"})


def _keys(held: _Held) -> dict[str, list[int]]:
    """Give the messages that cannot grow any more, by session."""
    return {session.id: session.records.keys() for session in held.intake.sessions.values()}


# --------------------------------------------------------------------------- storing


def _store(
    store: Store, candidate: Candidate, intake: Intake, place: Place, stable: dict[str, list[int]]
) -> dict[str, Settled] | None:
    """Store what was read, and give what is settled of each session; None when that cannot be said."""
    batch = store.batch()
    merged: dict[str, conversations.Merged] = {}
    fits = True
    for session in intake.sessions.values():
        start = place.settled.get(session.id)
        beginning = Beginning(start.messages, start.end, known=True) if start else Beginning()
        merged[session.id] = one = conversations.merge(
            store, batch, session, os.path.basename(candidate.path), beginning
        )
        keys = session.records.keys()
        behind = not one.mixed and list(one.order[len(one.order) - len(keys) :]) == keys
        if start and not behind:
            batch.drop()
            raise _LostError
        fits &= behind and (start is not None or len(one.order) == len(keys))
    taking.quarantine(store, batch, candidate, intake.damages)
    batch.commit()
    numbers = Numbers(store)
    settled: dict[str, Settled] = {}
    for name in in_time(store, merged):
        session, one = intake.sessions[name], merged[name]
        before = replace(
            place.settled.get(name, Settled()), end=one.starts[0]
        )  # the first line may have grown
        first = 1 + before.messages
        growing = len(session.records) - len(stable.get(name, ()))
        until = first + len(one.order) - 1 - growing
        derived = derive(store, batch, name, session.drafts, numbers, before, until)
        now = derived.settled
        if now is None:
            fits = False
        else:
            settled[name] = replace(now, end=one.starts[now.messages - first + 1])
        session.records.close()
    batch.commit()
    for session in intake.sessions.values():
        session.drafts.close()
    return settled if fits else None


def _link(
    store: Store, links: list[SessionFacts], told: dict[str, dict[str, str]]
) -> dict[str, dict[str, str]]:
    """Tell sessions that stand elsewhere what this one newly says of them."""
    new = [
        facts
        for facts in links
        if facts.id is not None
        and told.get(facts.id) != dict(facts.facts)
        and store.conversation(facts.id).is_file()
    ]
    taking.link(store, new)
    return {**told, **{str(facts.id): dict(facts.facts) for facts in new}}


# --------------------------------------------------------------------------- the transcript


def _starts_as_object(path: str) -> bool:
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        return stream.read(1) == b"{"
    return False


def _is_ours(path: str) -> bool:
    source = readers.open_source(path)
    found = readers.detect(source) if source.shape == "jsonl" else None
    return found is not None and found.name == _FORMAT


def _end_of_lines(path: str) -> int:
    """Give the byte behind the last newline; what stands there may still be written on."""
    with open(path, "rb") as stream:
        at = stream.seek(0, os.SEEK_END)
        while at:
            start = max(0, at - _CHUNK)
            stream.seek(start)
            found = stream.read(at - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            at = start
    return 0


def _count_lines(path: str, start: int, end: int) -> int:
    return sum(piece.count(b"\n") for piece in files.piece_of(Path(path), start, end))


# --------------------------------------------------------------------------- keeping


def _path(store: Store, transcript: str) -> Path:
    return place_of(store).folder / f"{_NAME}{short_hash(16, os.path.abspath(transcript))}"


def _states(store: Store, transcript: str, end: int, sessions: list[str]) -> dict[str, _Stat]:
    """Give the state of the files that a place rests on; of the transcript what stands before *end*."""
    paths = [store.home / "memctl.yaml"]
    for session in sessions:
        paths += [store.conversation(session), store.offload(session)]
    of = {
        store.relative(path) if path.is_relative_to(store.root) else path.name: _state(path) for path in paths
    }
    before = b"".join(files.piece_of(Path(transcript), max(0, end - _CHUNK), end))
    program = int(short_hash(12, __version__, sys.hexversion), 16)
    return {**of, "": (program, crc32(before), _state(Path(transcript))[2])}


def _state(path: Path) -> _Stat:
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0, 0
    return status.st_size, status.st_mtime_ns, status.st_ino


def _load(store: Store, transcript: str) -> Place | None:
    """Give the place reached in a transcript; None when there is none that holds."""
    try:
        place = frozen.thawed(_path(store, transcript).read_bytes(), Place)
        if place.of != _states(store, transcript, place.offset, list(place.settled)):
            return None
        return place if place.offset <= os.path.getsize(transcript) else None
    except (OSError, frozen.NotFrozenError, MemctlError):
        return None


def _save(store: Store, transcript: str, place: Place) -> None:
    """Keep a place, beside those of the transcripts that were followed last."""
    path = _path(store, transcript)
    files.write_beside(path, frozen.frozen(place))
    others = sorted(path.parent.glob(f"{_NAME}*"), key=lambda one: one.stat().st_mtime_ns)
    for old in others[:-_MOST]:
        old.unlink(missing_ok=True)
