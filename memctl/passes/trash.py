"""The trash: what compact moved away lies under .memctl/trash/<when>/ with its path, until it is emptied."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memctl import files
from memctl.errors import InputError, NotFoundError
from memctl.store import Store
from memctl.text.names import file_time


@dataclass(frozen=True, slots=True)
class Trashed:
    """A file in the trash: *when* it was put there (as a file name), its *path* in the scope, where it lies."""

    when: str
    path: str
    place: Path
    size: int

    @property
    def id(self) -> str:
        """Its name in the trash."""
        return f"{self.when}/{self.path}"


def put(store: Store, path: Path, now: str) -> None:
    """Move a file of the scope to the trash, in one step."""
    place = store.private("trash", _stamp(now), *path.relative_to(store.home).parts)
    files.install(path, place)
    files.drop_empty(path.parent, store.root)


def _stamp(now: str) -> str:
    """Write a time as a folder's name; those of UTC sort by time."""
    moment = datetime.fromisoformat(now).astimezone(UTC)
    return file_time(moment.isoformat(timespec="seconds").replace("+00:00", "Z"))


def listed(store: Store) -> list[Trashed]:
    """List what the trash holds of this scope, oldest first."""
    return list(_listed(store))


def _listed(store: Store) -> Iterator[Trashed]:
    scope = store.root.relative_to(store.home).parts
    root = store.private("trash")
    for when in sorted(root.iterdir()) if root.is_dir() else ():
        folder = when.joinpath(*scope)
        for place in sorted(folder.rglob("*")) if not files.is_link(folder) else ():
            path = place.relative_to(folder).as_posix()
            foreign = not scope and path.startswith("scopes/")
            if place.is_file() and not place.is_symlink() and not foreign:
                yield Trashed(when.name, path, place, place.stat().st_size)


def older_than(known: list[Trashed], now: str, days: int) -> list[Trashed]:
    """Give what has lain in the trash for more than some days; all of it for 0."""
    if not days:
        return known
    try:
        limit = _stamp((datetime.fromisoformat(now) - timedelta(days=days)).isoformat())
    except OverflowError:  # before there were years
        return []
    return [one for one in known if one.when < limit]


def chosen(known: list[Trashed], given: str) -> list[Trashed]:
    """Find what a person names: an id, a path, a file's name, a folder, or a time with all of it.

    Of several of one path the last put there. Raises NotFoundError for none.
    """
    folder = given.rstrip("/") + "/"
    found = {
        one.path: one
        for one in known
        if given in (one.id, one.path, one.path.rpartition("/")[2])
        or one.path.startswith(folder)
        or one.id.startswith(folder)
    }
    if not found:
        raise NotFoundError(f"no {given!r} in the trash; `memctl trash list` lists what there is")
    return list(found.values())


def restore(store: Store, thing: Trashed) -> Path:
    """Move a file back to where it was; one that is there with the same bytes is enough.

    Raises InputError when another file stands there now.
    """
    path = files.inside(store.root, thing.path)
    if path.exists():
        if files.read_bytes(path) != files.read_bytes(thing.place):
            raise InputError(
                f"{path} already exists with different content; move it away, then restore {thing.id}"
            )
        files.remove(thing.place)
    else:
        files.install(thing.place, path)
    files.drop_empty(thing.place.parent, store.private("trash"))
    return path


def empty(store: Store, things: list[Trashed]) -> int:
    """Delete files of the trash for good; give their bytes."""
    size = 0
    for thing in things:
        files.remove(thing.place)
        files.drop_empty(thing.place.parent, store.private("trash"))
        size += thing.size
    return size
