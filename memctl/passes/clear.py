"""Clear: the content of sessions, layers or a whole scope is deleted permanently (DESIGN 8).

Ids, whose they are, and settings stay. What was cleared is written down first, as hashes, so that no pass
and no merge brings it back.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memctl import files
from memctl.passes import extract, plans, scrubbing, wiping
from memctl.passes.heard import Cursor
from memctl.passes.intake import is_spawned
from memctl.passes.wiping import Work
from memctl.store import Store, atoms, cleared, entries, messages, number_of
from memctl.store.cleared import OF_SESSIONS, Record
from memctl.text.names import short_hash


@dataclass(frozen=True, slots=True)
class Request:
    """What to clear: records to be written down, and the layers of which everything goes."""

    records: tuple[Record, ...]
    whole: tuple[str, ...]
    sessions: tuple[str, ...]


def request(store: Store, sessions: Iterable[str], layers: Iterable[str], now: str) -> Request:
    """Say what clearing comes to: *layers* of *sessions* and their subagents', or of the scope when none is named.

    now: ISO time. Reads only.
    """
    chosen = tuple(layers)
    named = list(sessions)
    owners = _owners(store)
    whole = () if named else chosen
    listed = _with_subagents(store, named) if named else sorted(owners.known)
    of_sessions = tuple(layer for layer in chosen if layer in OF_SESSIONS)
    records = [
        Record(
            cleared.mark(session),
            of_sessions,
            now,
            tuple(sorted(owners.numbers.get(session, ()))) if "l0" in chosen else (),
            owners.tasks_of(session) if "l0" in chosen else (),
        )
        for session in (listed if of_sessions else ())
    ]
    if whole:
        numbers = {number_of(path) for path in store.canvases()} - {0} if "l0" in whole else set()
        tasks = [short_hash(16, path.stem) for path in store.tasks()] if "tasks" in whole else []
        records.append(Record("*", whole, now, tuple(sorted(numbers)), tuple(sorted(tasks))))
    return Request(tuple(records), whole, tuple(listed))


def plan(store: Store, wanted: Request) -> Work:
    """Say which files a clearing would drop and write anew; reads only."""
    gone = cleared.load(store)
    cleared.add(gone, wanted.records)
    return wiping.survey(store, gone, whole=wanted.whole)


def clear(store: Store, wanted: Request) -> Work:
    """Wipe what is wanted; the caller holds the lock. Gives what was done."""
    wiping.apply(store)  # what another run left
    plans.write(
        store,
        {
            "pass": "clear",
            "records": [cleared.to_fields(record) for record in wanted.records],
            "whole": list(wanted.whole),
        },
    )
    return finish(store) or Work()


def touched(store: Store, work: Work) -> dict[Path, Literal["drop", "rewrite"]]:
    """Say what wiping does to which files, in order: those that go, then those of which something stays."""
    pages = scrubbing.changes(store, work.gone)
    written = {*store.scenes(), store.persona}  # what is left of these is written anew at once
    lost = [path for path, stays in pages.items() if not stays and path not in written]
    anew = [*work.tasks, *(path for path in pages if path not in lost)]
    anew += [store.graph] if work.graph is not None else []
    for path in store.shards() if work.atoms.atoms else ():
        text = files.read_bytes(path)
        if any(name.encode() in text for name in work.atoms.atoms):
            anew.append(path)
    done: dict[Path, Literal["drop", "rewrite"]] = dict.fromkeys((*work.dropped, *lost), "drop")
    for path in anew:
        done.setdefault(path, "rewrite")
    return done


def finish(store: Store) -> Work | None:
    """Wipe what was cleared and is there again, or still; give it, None for nothing. The caller holds the lock.

    What has other evidence is heard again there, and scenes and persona are written anew.
    """
    work = wiping.apply(store)
    paths = [store.folder("conversations") / name for name in Cursor(store).again]
    again = [path for path in paths if path.is_file()]
    if work is None and not again:
        return None
    for path in again:
        extract.extract(store, session=messages.session_of(path))
    extract.renew(store)
    return work or Work()


# --------------------------------------------------------------------------- whose is what


class _Owners:
    """Which sessions there are, the numbers of their canvases, and the names of all tasks."""

    def __init__(self, tasks: Iterable[str]) -> None:
        self.known: set[str] = set()
        self.numbers: dict[str, set[int]] = {}
        self.tasks = frozenset(tasks)

    def tasks_of(self, session: str) -> tuple[str, ...]:
        """Give hashes of the names of a session's own tasks: each has a canvas, so they are not more."""
        count = 8 + 2 * len(self.numbers.get(session, ()))
        names = {f"task-{short_hash(12, session, ordinal)}" for ordinal in range(count)}
        return tuple(sorted(short_hash(16, name) for name in names & self.tasks))


def _owners(store: Store) -> _Owners:
    found = _Owners(path.stem for path in store.tasks())
    for path in store.conversations():
        found.known.add(messages.session_of(path))
    for path in store.offloads():
        for one in entries.read(path):
            session = one.entry.session_id
            found.known.add(session)
            if one.entry.mmd and (number := number_of(Path(one.entry.mmd))):
                found.numbers.setdefault(session, set()).add(number)
    for path in store.canvases():
        if session := wiping.session_of_canvas(path):
            found.known.add(session)
            found.numbers.setdefault(session, set()).add(number_of(path))
    for listed in atoms.versions(store).values():
        for version in listed:
            sources = (atoms.of_session(version.atom, name)[0] for name in version.atom.sources)
            found.known.update((version.atom.session, *sources))
    found.known.discard("")
    return found


def _with_subagents(store: Store, named: list[str]) -> list[str]:
    """Give sessions with those of the subagents they began, and of theirs."""
    children: dict[str, list[str]] = {}
    for path in store.conversations():
        facts = messages.facts(path)
        session = messages.session_of(path)
        if is_spawned(session, facts):
            children.setdefault(str(facts.get("parent")), []).append(session)
    found: dict[str, None] = {}
    waiting = list(named)
    while waiting:
        session = waiting.pop(0)
        if session not in found:
            found[session] = None
            waiting += children.get(session, ())
    return list(found)
