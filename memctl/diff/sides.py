"""The two states that are compared: a commit, the files as they are now, or nothing at all."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memctl import files, git
from memctl.store import Store

Read = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]


@dataclass(frozen=True, slots=True)
class Side:
    """A state of a scope: its files' names, relative to the scope, and how to read some of them."""

    names: frozenset[str]
    read: Read


@dataclass(frozen=True, slots=True)
class Pair:
    """Two states, and the names of the files in which they differ, in order."""

    before: Side
    after: Side
    changed: tuple[str, ...]


def pair(store: Store, old: str | None, new: str | None) -> Pair:
    """Set a revision (None: nothing) against another one, or against the files as they are (None).

    Raises UsageError for a revision that names no commit, and where there is no repository.
    """
    prefix = store.scope_path
    prefix = "" if prefix == "." else f"{prefix}/"
    before = git.snapshot(store.home, old) if old is not None else None
    if new is not None:
        after = git.snapshot(store.home, new)
        known = before.objects if before else {}
        differing = {
            name for name in known.keys() | after.objects.keys() if known.get(name) != after.objects.get(name)
        }
        return Pair(_committed(before, prefix), _committed(after, prefix), _within(differing, prefix))
    differing = set(git.changed_since(store.home, old)) if old is not None else set(_files(store.home))
    return Pair(_committed(before, prefix), _current(store), _within(differing, prefix))


def _within(names: Iterable[str], prefix: str) -> tuple[str, ...]:
    inside = (name.removeprefix(prefix) for name in names if name.startswith(prefix) and git.is_own(name))
    return tuple(sorted(name for name in inside if git.is_own(name) and not name.startswith("scopes/")))


def _committed(snapshot: git.Snapshot | None, prefix: str) -> Side:
    if snapshot is None:
        return Side(frozenset(), lambda _names: iter(()))
    known = snapshot
    names = frozenset(name.removeprefix(prefix) for name in known.objects if name.startswith(prefix))

    def read(wanted: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for name, data in known.read(prefix + name for name in wanted):
            yield name.removeprefix(prefix), data

    return Side(names, read)


def _current(store: Store) -> Side:
    def read(wanted: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for name in wanted:
            path = store.at(name)
            if path.is_file() and not path.is_symlink():
                yield name, files.read_bytes(path)

    return Side(frozenset(_files(store.root)), read)


def _files(folder: Path) -> Iterator[str]:
    """Give the own files below a folder, through no link, refs left out: nobody reads them here."""
    for path in folder.iterdir():
        if not git.is_own(path.name) or path.is_symlink():
            continue
        if path.is_file():
            yield path.name
        elif path.name not in ("refs", "versions"):
            for one in path.rglob("*"):
                if one.is_file() and not one.is_symlink():
                    yield one.relative_to(folder).as_posix()
