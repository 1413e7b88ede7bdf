"""The extract pass: conversations become atoms, scenes and the persona (DESIGN 5).

Only sessions that changed since the last run are read; what a session says is compared with all that is
known, so a second run changes nothing. The clock is never read: atoms carry the times of their messages.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.errors import UsageError
from memctl.layers.groups import instant, project_of
from memctl.layers.likeness import fingerprint
from memctl.model import Atom, Json
from memctl.passes import layers, wiping
from memctl.passes.heard import Cursor
from memctl.passes.intake import is_spawned
from memctl.store import Store, atoms as stored_atoms, cleared, messages, sessions as stored_sessions
from memctl.text.names import normal_time

if TYPE_CHECKING:  # hundreds of patterns are made with them, and most runs find nothing new
    from memctl.layers.dedup import Known, Place
    from memctl.layers.extract import Draft, Heard

LAYERS = ("l1", "l2", "l3", "all")
_HARNESSES = frozenset(("swe-agent", "mini-swe-agent"))  # formats whose prompts a program fills in


@dataclass(frozen=True, slots=True)
class Told:
    """What a model made of a session, whose conversation had this *digest* when it was asked.

    actor: `llm:<model>`. None of it is taken when the session has changed since: the rules read it then.
    """

    drafts: "tuple[Draft, ...]"
    digest: str
    actor: str


@dataclass
class Report:
    """What an extract did: sessions read and left out, what became of the drafts, files written."""

    read: int = 0
    unchanged: int = 0
    machines: int = 0  # sessions that no person speaks in
    drafts: dict[str, int] = field(default_factory=dict)
    atoms: int = 0
    scenes: int = 0
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: dict[str, int] = field(default_factory=dict)  # lines a person changed in a block, by file


def extract(
    store: Store,
    *,
    layer: str = "all",
    since: str | None = None,
    session: str | None = None,
    dry_run: bool = False,
    told: Mapping[str, Told] | None = None,
    actor: str = "rules",
) -> Report:
    """Run the pass; the caller holds the lock.

    layer: one of `LAYERS`. since: ISO time; messages before it are not heard. session: only this one.
    told: what a model made of sessions, by id; the rules hear the others. actor: who is wanted to hear:
    sessions that only the rules have heard are heard again for a model, never the reverse.
    Raises UsageError for a time that is none, StoreError when the directory cannot be written.
    """
    report = Report()
    if not dry_run:
        wiping.apply(store)
    heard_from = _time(since)
    cursor = Cursor(store)
    waiting = (
        _waiting(store, cursor, report, since=heard_from, session=session, actor=actor)
        if layer in ("l1", "all")
        else []
    )
    state = _inputs(store)
    if not waiting and layer in ("l1", "all") and state == cursor.layers:
        report.atoms = cursor.atoms
        return report
    known = _known(store)
    batch = files.Batch(store.home)
    _hear(store, known, waiting, cursor, report, since=heard_from, told=told or {})
    report.drafts = asdict(known.counts)
    report.atoms = cursor.atoms = sum(atom.status == "active" for atom in known.atoms.values())
    if dry_run:
        return report
    changed = known.changed()
    stored_atoms.append(store, batch, changed)
    batch.commit()
    if layer != "l1" and (changed or layer != "all" or state != cursor.layers):
        written = layers.write(store, batch, known.atoms, l2=layer != "l3", l3=layer != "l2")
        report.scenes, report.changed, report.removed = written.scenes, written.changed, written.removed
        report.moved = written.moved
        batch.commit()
        cursor.layers = _inputs(store) if layer == "all" else ""
    elif changed:
        cursor.layers = ""
    cursor.save()
    return report


def _known(store: Store) -> "Known":
    from memctl.layers.dedup import Known

    versions = stored_atoms.versions(store)
    current = {name: stored_atoms.current(listed) for name, listed in versions.items()}
    return Known(current, _earlier(versions, current))


_Waiting = tuple[tuple[bool, datetime, str], Path, str]  # order, conversation, its digest


def waiting(store: Store, *, session: str | None, actor: str) -> list[tuple[str, str]]:
    """Give the sessions that *actor* has still to hear, with their digests, in order."""
    found = _waiting(store, Cursor(store), Report(), since=None, session=session, actor=actor)
    return [(order[2], digest) for order, _path, digest in found]


def remember(store: Store, session: str, told: Told) -> dict[str, int]:
    """Take what a model made of one session, and write L2 and L3 anew; give what became of the drafts."""
    known = _known(store)
    place = _place(store, session, store.conversation(session), told.actor)
    for draft in told.drafts:
        known.take(draft, place)
    batch = files.Batch(store.home)
    stored_atoms.append(store, batch, known.changed())
    batch.commit()
    refresh(store, batch)
    return asdict(known.counts)


def instruct(store: Store, sessions: Iterable[str]) -> int:
    """Take the statements of notes for agents as instructions, each with its file as evidence; give how many.

    What is known already, or was forgotten, is not taken. L2 and L3 follow with the next extract.
    """
    from memctl.layers.extract import Draft

    known = _known(store)
    gone = cleared.load(store)
    for session in sessions:
        path = store.conversation(session)
        if gone.has(session, "l1") or not path.is_file():
            continue
        place = _place(store, session, path, "rules")
        for one in _heard(path):
            draft = Draft(
                content=one.content,
                type="instruction",
                kind="instruction",
                priority=80,
                source=one.id,
                time=one.time,
                tags=("instruction",),
                said=(fingerprint(one.content),),
            )
            known.take(draft, place)
    changed = known.changed()
    batch = files.Batch(store.home)
    stored_atoms.append(store, batch, changed)
    batch.commit()
    return len(changed)


def heard(store: Store, session: str) -> "Iterator[Heard]":
    """Give the messages of a session as extraction wants them."""
    return _heard(store.conversation(session))


def _place(store: Store, session: str, path: Path, actor: str) -> "Place":
    from memctl.layers.dedup import Place

    scope = store.config.scope
    return Place(session, project_of(messages.facts(path)), scope.user, scope.agent, scope.team, actor)


def _waiting(
    store: Store,
    cursor: Cursor,
    report: Report,
    *,
    since: datetime | None,
    session: str | None,
    actor: str = "rules",
) -> list[_Waiting]:
    """List the sessions to read, in order of (first time, id), undated last."""
    found: list[_Waiting] = []
    gone = cleared.load(store)
    for path in [store.conversation(session)] if session else store.conversations():
        if gone.has_file(path, "l1") or stored_sessions.is_shared(path):
            continue
        digest = _digest(path)
        before, _, hearer = cursor.sessions.get(path.name, "").partition(" ")
        if before == digest and actor in ("rules", hearer) and since is None:
            report.unchanged += 1
            continue
        facts = messages.facts(path)
        if not _is_a_persons(facts):
            cursor.sessions[path.name] = digest
            report.machines += 1
            continue
        time = facts.get("timestamp")
        dated = isinstance(time, str)
        found.append(
            ((not dated, instant(str(time) if dated else ""), messages.session_of(path)), path, digest)
        )
    return sorted(found, key=lambda one: one[0])


def _hear(
    store: Store,
    known: "Known",
    waiting: list[_Waiting],
    cursor: Cursor,
    report: Report,
    *,
    since: datetime | None,
    told: Mapping[str, Told],
) -> None:
    """Take the drafts of the sessions that changed."""
    for order, path, digest in waiting:
        by_model = told.get(order[2])
        if by_model is not None and by_model.digest != digest:
            by_model = None
        place = _place(store, order[2], path, by_model.actor if by_model else "rules")
        found = by_model.drafts if by_model else _by_rules(path, known)
        for draft in found:
            if since is None or (draft.time is not None and instant(draft.time) >= since):
                known.take(draft, place)
        report.read += 1
        if since is None:
            cursor.sessions[path.name] = f"{digest} {by_model.actor}" if by_model else digest


def _by_rules(path: Path, known: "Known") -> "Iterator[Draft]":
    from memctl.layers import speakers
    from memctl.layers.extract import drafts

    return drafts(_heard(path), known.forgotten.has, speakers.names(_heard(path)))


def _is_a_persons(facts: Mapping[str, Json]) -> bool:
    """Tell whether a person speaks in a session, and no agent or harness in the user's name."""
    return not is_spawned(str(facts.get("sessionId")), facts) and facts.get("format") not in _HARNESSES


def _heard(path: Path) -> "Iterator[Heard]":
    from memctl.layers.extract import Heard

    for stored in messages.conversation(path):
        time = stored.fields.get("timestamp")
        said = time if isinstance(time, str) else None
        yield Heard(stored.id, stored.role, stored.content, tuple(stored.marks), said)


def _earlier(versions: dict[str, list[stored_atoms.Found]], current: dict[str, Atom]) -> dict[str, list[str]]:
    """Give what atoms said before they were corrected or merged."""
    return {
        name: [found.atom.content for found in versions[name] if found.atom.content != atom.content]
        for name, atom in current.items()
        if atom.status != "forgotten" and len(versions[name]) > 1
    }


def _time(given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return datetime.fromisoformat(normal_time(given)[0])
    except ValueError:
        raise UsageError(
            f"invalid --since {given!r}: expected a day (2026-03-01) or an ISO 8601 time"
        ) from None


def refresh(store: Store, batch: files.Batch) -> dict[str, Atom]:
    """Write L2 and L3 anew after a person changed an atom; the caller holds the lock."""
    known = stored_atoms.latest(store)
    layers.write(store, batch, known)
    batch.commit()
    return known


def renew(store: Store) -> layers.Written:
    """Write L2 and L3 anew where what they are made of has changed; the caller holds the lock.

    A scope that nothing was extracted of has none.
    """
    cursor = Cursor(store)
    if not store.shards() or _inputs(store) == cursor.layers:
        return layers.Written()
    known = stored_atoms.latest(store)
    batch = store.batch()
    written = layers.write(store, batch, known)
    batch.commit()
    cursor.layers = _inputs(store)
    cursor.atoms = sum(atom.status == "active" for atom in known.values())
    cursor.save()
    return written


def _inputs(store: Store) -> str:
    """Give a hash of all that scenes and persona are made of, and of themselves."""
    digest = hashlib.sha256()
    gone = store.cleared
    for path in (*store.shards(), *store.canvases(), *store.scenes(), store.persona, gone):
        if path.is_file():
            digest.update(f"{store.relative(path)}\0{_digest(path)}\n".encode("utf-8", "surrogateescape"))
    for path in store.conversations():  # which project a session belongs to
        digest.update(path.name.encode())
    return digest.hexdigest()


def digest_of(store: Store, session: str) -> str:
    """Give the hash of a session's conversation as it stands."""
    return _digest(store.conversation(session))


def _digest(path: Path) -> str:
    return hashlib.sha256(files.read_bytes(path)).hexdigest()
