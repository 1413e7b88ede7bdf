"""Following: import what a growing transcript has after the place reached before, and nothing else (DESIGN 11).

The work is that of the new lines and of what they can still change. Where the place is missing, or anything it
rests on has changed since, the transcript is followed from its start, which gives the same.
"""

import contextlib
import os
from dataclasses import dataclass, replace
from pathlib import Path

from memctl import files, readers
from memctl.model import SessionFacts
from memctl.passes import conversations, frozen, notes, places, plans, taking
from memctl.passes.canvases import Numbers
from memctl.passes.conversations import Beginning
from memctl.passes.derive import derive, in_time
from memctl.passes.intake import Intake
from memctl.passes.listing import fingerprint
from memctl.passes.places import Place
from memctl.passes.recording import clean
from memctl.passes.settled import Settled
from memctl.passes.sources import Candidate, Cursors, candidates
from memctl.passes.spool import Spool
from memctl.readers import claude_code
from memctl.readers.claude_sessions import Reading
from memctl.store import Store, cleared
from memctl.text.redaction import redact, redact_json

_FORMAT = "claude-code"  # the one whose transcripts grow while a hook looks on, after every call
_CHUNK = 1 << 16


def follow(store: Store, transcript: str) -> bool:
    """Take in what a transcript has behind its place; False for one that only a whole pass can take.

    The caller holds the lock.
    """
    if store.cleared.is_file() or plans.path_of(store).is_file() or not notes.is_growing(transcript):
        return False
    found = list(candidates([transcript]))
    if len(found) != 1 or found[0].closed or not _starts_as_object(transcript):
        return False
    candidate = replace(found[0], named=False)
    place = places.load(store, transcript) or Place()
    if place.offset == 0 and not _is_ours(transcript):
        return False
    try:
        _take_in(store, candidate, place)
    except frozen.NotFrozenError:  # damaged where the place itself is not
        _take_in(store, candidate, Place())
    return True


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
    end = _end_of_lines(candidate.path, source.size)
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
        places.drop(store, candidate.path)
        return
    number = place.number + _count_lines(candidate.path, place.offset, end)
    of = places.states(store, candidate.path, end, sessions)
    places.save(store, candidate.path, Place(end, number, of, frozen_at, now, told))


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
    numbers, batch = Numbers(store), store.batch()
    for name in in_time(store, taking.link(store, new)):
        derive(store, batch, name, None, numbers)
    batch.commit()
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


def _end_of_lines(path: str, size: int) -> int:
    """Give the byte behind the last newline of the first *size*; what stands there may still be written on."""
    with open(path, "rb") as stream:
        at = min(size, stream.seek(0, os.SEEK_END))
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
