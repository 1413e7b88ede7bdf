"""Where indexes live: one folder per scope in the user's cache directory, and which generation is current.

A generation is a folder that is never changed once its manifest names it: a new one is made beside it
out of links, so that readers need no lock and a kill leaves the old one whole.
"""

import atexit
import contextlib
import os
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from memctl import __version__, files
from memctl.errors import LockedError, StoreError
from memctl.store import Store
from memctl.text.names import short_hash

ENVIRONMENT = "MEMCTL_CACHE_DIR"
FORMAT = 9  # of what is in an index; another one is built anew

_MANIFEST = "manifest.json"
# Bytes up to which a file is checked whole; of a larger one its time, which any write changes, and blocks
# spread over it, for what a crash left empty.
_WHOLE = 1 << 20
_BLOCK, _BLOCKS = 4096, 32


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation was made from. *folder* is its name beside the manifest.

    embedder: whose vectors there are, "none" without; wanted: whose there should be, as the settings say.
    sources: of each source its files' signature. documents: how many of each layer. hidden: a hash of what
    is forgotten. files: the generation's files with their sizes; checks: with their checksums. why: why there
    are no vectors, when there are none. next: the next document's number.
    """

    folder: str
    embedder: str
    sources: Mapping[str, str]
    documents: Mapping[str, int]
    hidden: str
    next: int
    files: Mapping[str, int] = field(default_factory=dict)
    checks: Mapping[str, int] = field(default_factory=dict)
    wanted: str = ""
    why: str = ""
    dimension: int = 0
    version: str = __version__
    format: int = FORMAT
    root: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one scope's index. *why* says why it is one for this process alone, when it is."""

    folder: Path
    shared: Path  # for what all scopes use: an embedder's tables
    why: str = ""


def place_of(store: Store) -> Place:
    """Find the folder of a store's index; a temporary one where the cache directory cannot be used."""
    root = cache_folder()
    reason = _unusable(root, store)
    if not reason:
        name = short_hash(16, os.path.realpath(store.root))
        folder = root / "index" / name
        with contextlib.suppress(StoreError):  # said below
            for one in (root / "index", folder):
                files.make_private(one)
        reason = _refused(folder)
        if not reason:
            return Place(folder, root)
    return temporary(store, reason)


def temporary(store: Store, reason: str) -> Place:
    """Give a place that lasts as long as this process, and why it is not the usual one."""
    return Place(_temporary(os.path.realpath(store.root)), cache_folder(), reason)


@cache
def _temporary(_root: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="memctl-index-"))
    atexit.register(files.remove_folder, folder)
    return folder


def cache_folder() -> Path:
    """Give memctl's folder in the user's cache directory."""
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("memctl", appauthor=False))


def _unusable(root: Path, store: Store) -> str:
    """Say why *root* must hold no index: files of a memory directory may come from anywhere."""
    if Path(os.path.realpath(root)).is_relative_to(os.path.realpath(store.home)):
        return f"{root} is inside the memory directory"
    return ""


def _refused(folder: Path) -> str:
    try:
        status = folder.stat()
    except OSError as error:
        return f"{folder} cannot be created: {error.strerror}"
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return f"{folder} belongs to another user"
    if _open_to_others(folder):
        return f"{folder} is writable by others"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"{folder} is read-only"


def _open_to_others(folder: Path) -> bool:  # their pickles would run as us
    return os.name != "nt" and bool(folder.stat().st_mode & files.FOREIGN)


# --------------------------------------------------------------------------- generations


def read_manifest(place: Place) -> Manifest | None:
    """Read the current manifest; None when there is none.

    Raises ValueError when it is damaged or its generation is gone.
    """
    try:
        data = (place.folder / _MANIFEST).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(str(error)) from error
    value = files.decode(data)
    kinds = {one.name: one.type for one in fields(Manifest)}
    if not isinstance(value, dict) or not all(_fits(one, kinds.get(name)) for name, one in value.items()):
        raise ValueError("its manifest is damaged")
    try:
        manifest = Manifest(**value)
    except TypeError as error:
        raise ValueError("its manifest is damaged") from error
    if manifest.format != FORMAT or manifest.version != __version__:
        return manifest  # of no use here, as its reader sees, and its files are its own
    folder = place.folder / manifest.folder
    try:
        sizes = _sizes(folder) if "/" not in manifest.folder and folder.is_dir() else None
        if sizes is None or sizes != dict(manifest.files):
            raise ValueError("a part of it is missing")
        if _checks(folder, sizes) != dict(manifest.checks):
            raise ValueError("a part of it was modified")
    except OSError as error:
        raise ValueError(str(error)) from error
    return manifest


def _fits(value: object, kind: Any) -> bool:
    """Tell whether a value that was read is of the kind that a field of `Manifest` is declared with."""
    if kind is str or kind is int:
        return type(value) is kind
    return isinstance(value, dict) and all(type(one) in get_args(kind)[1:] for one in value.values())


def _checks(folder: Path, sizes: Mapping[str, int]) -> dict[str, int]:
    """Give a checksum of each file of a generation: it must be quick, as every recall takes it."""
    return {name: _check(folder / name, size) for name, size in sizes.items()}


def _check(path: Path, size: int) -> int:
    if size <= _WHOLE:
        return zlib.crc32(path.read_bytes())
    found = zlib.crc32(str(path.stat().st_mtime_ns).encode())
    with path.open("rb") as stream:
        for at in range(_BLOCKS):
            stream.seek((size - _BLOCK) * at // (_BLOCKS - 1))
            found = zlib.crc32(stream.read(_BLOCK), found)
    return found


def _sizes(folder: Path) -> dict[str, int]:
    """Give the sizes of a generation's files; Whoosh's lock says nothing."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if "LOCK" not in path.name}


def begin(place: Place, before: Manifest | None) -> Path:
    """Make the folder of a new generation: empty, or with links to all files of the one *before*."""
    folder = Path(tempfile.mkdtemp(prefix="making-", dir=place.folder))
    if before is not None:
        for path in (place.folder / before.folder).iterdir():
            files.share(path, folder / path.name)
    return folder


def publish(place: Place, folder: Path, manifest: Manifest) -> Manifest:
    """Make a finished generation the current one, in one step; give its manifest.

    Those before the last are removed.
    """
    final = place.folder / manifest.folder
    files.move(folder, final)
    sizes = _sizes(final)
    manifest = replace(manifest, files=sizes, checks=_checks(final, sizes))
    note(place, manifest)
    generations = sorted(
        (path for path in place.folder.iterdir() if path.is_dir() and path != final),
        key=lambda path: path.stat().st_mtime_ns,
    )
    for path in generations[:-1]:  # readers may still be in the last one
        files.remove_folder(path)
    return manifest


def note(place: Place, manifest: Manifest) -> None:
    """Write the manifest of the current generation, in one step."""
    files.write_beside(place.folder / _MANIFEST, files.encode(asdict(manifest)) + b"\n")


def discard(folder: Path) -> None:
    """Remove a generation that was not finished."""
    files.remove_folder(folder)


def busy(wait: float) -> LockedError:
    """Give the error of having waited too long for another process."""
    return LockedError(f"another process has been building the index for {wait:.0f} s; try again later")


def remove(place: Place) -> None:
    """Remove the whole index of a scope (`clear`)."""
    files.remove_folder(place.folder)


def size_of(place: Place, manifest: Manifest) -> int:
    """Count the bytes of the current generation."""
    return sum(_sizes(place.folder / manifest.folder).values())
