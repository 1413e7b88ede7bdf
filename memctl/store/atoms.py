"""Atoms: one version per line in `records/<day>.jsonl`, append-only (DESIGN 2.5)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from memctl import files
from memctl.errors import UsageError
from memctl.files import decode, encode, lines_of
from memctl.model import Atom, AtomStatus, Json
from memctl.store import Store
from memctl.store.fields import text_in, texts_in, time_in, whole_in
from memctl.text.names import day_of

_NAMES = {
    "id": "id",
    "content": "content",
    "type": "type",
    "priority": "priority",
    "scene_name": "scene",
    "source_message_ids": "sources",
    "metadata": "metadata",
    "timestamps": "times",
    "createdAt": "created",
    "updatedAt": "updated",
    "version": "version",
    "sessionKey": "session",
    "sessionId": "session",
    "userId": "user",
    "agentId": "agent",
    "teamId": "team",
    "actor": "actor",
    "status": "status",
    "supersedes": "supersedes",
}
_STATUSES = ("active", "superseded", "forgotten")
_AUTHORITIES = {"human": 2, "llm": 1}
_ID = re.compile(r"m_[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Found:
    """A version of an atom with its place."""

    path: Path
    number: int
    atom: Atom


def to_fields(atom: Atom) -> dict[str, Json]:
    """Write an atom's fields in their fixed order, unknown ones behind."""
    fields: dict[str, Json] = {}
    for name, attribute in _NAMES.items():
        value = getattr(atom, attribute)
        fields[name] = list(value) if isinstance(value, tuple) else value
    fields["metadata"] = dict(atom.metadata)
    return fields | dict(atom.extra)


def to_line(atom: Atom) -> bytes:
    """Write an atom as its JSON line, newline included."""
    return encode(to_fields(atom)) + b"\n"


def from_fields(fields: Mapping[str, Json]) -> Atom:
    """Read an atom; missing or mistyped fields become what they mean when unknown."""
    status = fields.get("status")
    metadata = fields.get("metadata")
    return Atom(
        id=text_in(fields, "id") or "",
        content=text_in(fields, "content") or "",
        type=text_in(fields, "type") or "episodic",
        priority=whole_in(fields, "priority", 50),
        scene=text_in(fields, "scene_name") or "",
        sources=texts_in(fields, "source_message_ids"),
        metadata=metadata if isinstance(metadata, dict) else {},
        times=texts_in(fields, "timestamps"),
        created=time_in(fields, "createdAt"),
        updated=time_in(fields, "updatedAt"),
        version=whole_in(fields, "version", 1),
        session=text_in(fields, "sessionId") or text_in(fields, "sessionKey") or "",
        actor=text_in(fields, "actor") or "llm:unknown",
        status=cast("AtomStatus", status) if status in _STATUSES else "active",
        supersedes=texts_in(fields, "supersedes"),
        user=text_in(fields, "userId") or "",
        agent=text_in(fields, "agentId") or "",
        team=text_in(fields, "teamId") or "",
        extra={name: value for name, value in fields.items() if name not in _NAMES},
    )


def read(path: Path) -> Iterator[Found]:
    """Give the versions in a shard as they stand; lines that are no JSON object are left out (`check`)."""
    for number, line in lines_of(path):
        try:
            fields = decode(line)
        except ValueError:
            continue
        if isinstance(fields, dict) and isinstance(fields.get("id"), str):
            yield Found(path, number, from_fields(fields))


def versions(store: Store) -> dict[str, list[Found]]:
    """Give every atom's versions, in the order of shards and lines."""
    known: dict[str, list[Found]] = {}
    for path in store.shards():
        for found in read(path):
            known.setdefault(found.atom.id, []).append(found)
    return known


def latest(store: Store) -> dict[str, Atom]:
    """Give every atom as it stands now, by id, in the order of their first versions."""
    return {atom: current(listed) for atom, listed in versions(store).items()}


def current(listed: list[Found]) -> Atom:
    """Give what several versions of one atom come to: the highest rank wins, sources are joined.

    A person's `forgotten` comes first, then a person over a model over the rules, then version, time and
    bytes (DESIGN 2.5), so that it does not matter in which order two clones' lines stand.
    """
    best = max((found.atom for found in listed), key=_rank)
    if best.status == "forgotten":
        return best
    sources, times, said = list(best.sources), list(best.times), list(best.said)
    for found in sorted(listed, key=lambda one: _rank(one.atom), reverse=True):
        if found.atom.status == "forgotten":
            continue
        names = found.atom.sources
        if found.atom.session != best.session:
            names = tuple(qualified(found.atom.session, name, best.session) for name in names)
        sources += [name for name in names if name not in sources]
        times += [time for time in found.atom.times if time not in times]
        said += [mark for mark in found.atom.said if mark not in said]
    if (tuple(sources), tuple(times), tuple(said)) == (best.sources, best.times, best.said):
        return best
    metadata = {**best.metadata, "said": said} if said else best.metadata
    return replace(best, sources=tuple(sources), times=tuple(sorted(times)), metadata=metadata)


def qualified(session: str, name: str, home: str) -> str:
    """Write a source's id as an atom of session *home* names it."""
    return name if session == home or "/" in name else f"{session}/{name}"


def of_session(atom: Atom, name: str) -> tuple[str, str]:
    """Read a source's id: (session, message)."""
    session, slash, message = name.rpartition("/")
    return (session, message) if slash else (atom.session, name)


def append(store: Store, batch: files.Batch, atoms: Iterable[Atom]) -> int:
    """Add versions to their shards: each goes to the shard of the atom's first day (DESIGN 2.5).

    Raises UsageError for a new atom without a session.
    """
    added: dict[Path, list[bytes]] = {}
    count = 0
    for atom in atoms:
        if not atom.session and atom.version == 1:
            raise UsageError("an atom needs the session it was said in")
        added.setdefault(shard_of(store, atom), []).append(to_line(atom))
        count += 1
    for path, new in added.items():
        before = files.read_bytes(path) if path.is_file() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        batch.write(path, [before, *new])
    return count


def replace_lines(store: Store, batch: files.Batch, changed: Mapping[str, bytes]) -> list[Path]:
    """Write one line in the place of all that some atoms have, by id; give the shards that change."""
    pending = dict(changed)
    written = []
    for path in store.shards() if changed else ():
        kept: list[bytes] = []
        touched = False
        for line in files.read_bytes(path).split(b"\n"):
            name = _id_of(line)
            if name not in changed:
                kept += [line + b"\n"] if line else []
                continue
            touched = True
            if name in pending:
                kept.append(pending.pop(name))
        if touched:
            batch.write(path, kept)
            written.append(path)
    return written


def _id_of(line: bytes) -> str:
    try:
        fields = decode(line)
    except ValueError:
        return ""
    return str(fields.get("id", "")) if isinstance(fields, dict) else ""


def shard_of(store: Store, atom: Atom) -> Path:
    """Name the shard an atom's versions belong to."""
    try:
        return store.records(day_of(atom.created) if atom.created else None)
    except ValueError:
        return store.records(None)


def authority(actor: str) -> int:
    """Give how much who wrote an atom counts: a person over a model over the rules (DESIGN 2.5)."""
    return _AUTHORITIES.get(actor.partition(":")[0], 0)


def is_id(text: str) -> bool:
    """Tell whether a text is written like an atom's id."""
    return _ID.fullmatch(text) is not None


def _rank(atom: Atom) -> tuple[bool, int, int, str, bytes]:
    by_hand = atom.status == "forgotten" and atom.actor == "human"
    return by_hand, authority(atom.actor), atom.version, atom.updated or "", to_line(atom)
