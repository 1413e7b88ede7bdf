"""Sessions: one file each where memctl wrote them, many in a daily shard where TencentDB Agent Memory did (DESIGN 2).

The original keeps the messages of all sessions of a day in one file, names a session by `sessionId` or, where
that is empty, by `sessionKey`, and keeps entries of sessions it recorded no words of.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from memctl import files
from memctl.model import Json
from memctl.store import SHARD, Store, entries, messages, session_of_offload
from memctl.store.messages import Stored

REGISTRY = "sessions-registry.json"


class Place(NamedTuple):
    """Where a session stands: *paths* are its conversation's files, or that of its entries alone."""

    id: str
    paths: tuple[Path, ...]


def listed(store: Store) -> list[Place]:
    """List the sessions of a directory in order of files, those known from entries alone last."""
    found: dict[str, list[Path]] = {}
    keys = _registry(store)
    for path in store.conversations():
        if is_shared(path):
            for stored in messages.read(path):
                paths = found.setdefault(name_of(stored, keys), [])
                if path not in paths[-1:]:
                    paths.append(path)
        else:
            found.setdefault(messages.session_of(path), []).append(path)
    found.pop("", None)
    for path in store.offloads():
        session = of_entries(path)
        if session and session not in found:
            found[session] = [path]
    return [Place(session, tuple(paths)) for session, paths in found.items()]


def conversation(store: Store, session: str) -> Iterator[Stored]:
    """Give the messages of a session in order, wherever they stand; none when nothing was recorded."""
    path = store.conversation(session)
    if path.is_file():
        yield from messages.conversation(path)
        return
    seq = 0
    keys = _registry(store)
    for path in store.conversations():
        if is_shared(path):
            for stored in messages.conversation(path):
                if name_of(stored, keys) == session:
                    seq += 1
                    yield stored._replace(seq=seq)
        elif messages.session_of(path) == session:
            yield from messages.conversation(path)


def is_shared(path: Path) -> bool:
    """Tell a daily shard of the original."""
    if not SHARD.fullmatch(path.name):
        return False
    first = next(iter(messages.read(path)), None)
    return first is not None and first.role != messages.SESSION_ROLE


def name_of(stored: Stored, keys: Mapping[str, str]) -> str:
    """Name the session of a message in a shard; *keys* gives the session id of a key."""
    session, key = stored.fields.get("sessionId"), stored.fields.get("sessionKey")
    if isinstance(session, str) and session:
        return session
    return keys.get(key, key) if isinstance(key, str) else ""


def of_entries(path: Path) -> str:
    """Name the session of a file of entries: as they say, else as the file's name does."""
    first = next(iter(entries.read(path)), None)
    named = first.entry.session_id if first else ""
    return named or session_of_offload(path)


def _registry(store: Store) -> dict[str, str]:
    """Read the original's table of session keys; empty without one."""
    path = store.root / REGISTRY
    if path.is_symlink() or not path.is_file():
        return {}
    try:
        value: Json = files.decode(files.read_bytes(path))
    except ValueError:
        return {}
    known = value.items() if isinstance(value, dict) else ()
    return {
        key: fact["sessionId"]
        for key, fact in known
        if isinstance(fact, dict) and isinstance(fact.get("sessionId"), str) and fact["sessionId"]
    }
