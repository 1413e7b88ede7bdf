"""Pointers: which refs something still points to, and which belong to tasks of long ago (DESIGN 8)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memctl import files
from memctl.layers.groups import instant
from memctl.store import Store, entries, refs

_MENTION = re.compile(rb"refs/[A-Za-z0-9._~%/-]+")
_NAME = re.compile(r"refs/[A-Za-z0-9._~%/-]+")  # as memctl names them; what is named otherwise is left alone


@dataclass
class Pointers:
    """What the entries of a scope point to.

    canvases: of each ref the canvases whose entries name it. newest: the canvas of the newest entry, "" when
    there is none.
    """

    canvases: dict[str, set[str]] = field(default_factory=dict)
    newest: str = ""


def pointers(store: Store) -> Pointers:
    """Read every entry once."""
    found = Pointers()
    latest = ("", "", 0)
    for path in store.offloads():
        for one in entries.read(path):
            entry = one.entry
            if entry.result_ref:
                name = entry.result_ref
                named = name if name.startswith("refs/") else f"refs/{name}"
                found.canvases.setdefault(named, set()).add(entry.mmd or "")
            mark = (_comparable(entry.timestamp), entry.session_id, entry.seq)
            if entry.mmd and mark >= latest:
                latest, found.newest = mark, entry.mmd
    return found


def _comparable(time: str | None) -> str:
    return f"{instant(time).timestamp():020.6f}" if time else ""


def orphans(store: Store, known: Pointers) -> list[Path]:
    """List the refs and pictures that no file of the scope names, in order of name.

    A picture goes with the ref it stands beside.
    """
    waiting = {
        name: path
        for path in store.refs()
        if _NAME.fullmatch(name := store.relative(path)) and not path.is_symlink()
    }
    waiting = {name: path for name, path in waiting.items() if not _names_of(name) & known.canvases.keys()}
    wanted = {one for name in waiting for one in _names_of(name)}
    named: set[str] = set()
    for path in _texts(store) if waiting else ():
        named |= wanted & _mentions(path)
    return [path for name, path in waiting.items() if not _names_of(name) & named]


def _names_of(name: str) -> set[str]:
    """Give the names by which a file is pointed to: its own, and for a picture that of its ref."""
    return {name, refs.beside(name) or name}


def _mentions(path: Path) -> set[str]:
    """Give what looks like the name of a ref in a file; a sentence may end behind it."""
    found: set[bytes] = set()
    for _, line in files.lines_of(path):
        found.update(_MENTION.findall(line))
    return {name for one in found for name in (one.decode("ascii"), one.decode("ascii").rstrip("."))}


def _texts(store: Store) -> Iterator[Path]:
    """Give every file in which a ref may be named."""
    yield from store.offloads()
    yield from store.conversations()
    yield from _written(store)
    folder = store.folder("versions")
    yield from sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _written(store: Store) -> Iterator[Path]:
    """Give the files in which people, rules and models write about sessions."""
    listed = (*store.canvases(), *store.tasks(), *store.shards(), *store.scenes(), store.persona)
    graph = store.graph
    for path in (*listed, graph):
        if path.is_file() and not path.is_symlink():
            yield path


def of_old_tasks(store: Store, known: Pointers, kept: set[str]) -> list[Path]:
    """List the refs that only entries of canvases not *kept* name, and their pictures."""
    old = {name for name, named in known.canvases.items() if not named & {*kept, ""}}
    for path in _written(store) if old else ():
        old -= _mentions(path)
    return [path for path in store.refs() if _names_of(store.relative(path)) & old and not path.is_symlink()]
