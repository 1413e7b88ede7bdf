"""Sources: which files an ingest looks at, and which of them it has seen before."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.errors import InputError
from memctl.store import Store, is_directory

if TYPE_CHECKING:  # looking at unchanged files reads none
    from memctl.model import Json
    from memctl.readers import Source

# Folders that hold no transcripts and may be huge.
_PASSED_OVER = frozenset((".git", "node_modules", "__pycache__", ".venv"))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to look at: its path as shown to people; *named* when the command line names it.

    size: in bytes, for the progress bar; 0 when it is not known.
    """

    path: str
    named: bool
    size: int = 0


def candidates(paths: Iterable[str]) -> Iterator[Candidate]:
    """Give the files of an ingest, folders walked in order of name, each file once.

    Links to folders are not followed, memory directories are passed over. Raises InputError for a path
    that is not there.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path == "-":
            yield Candidate("-", named=True)
            continue
        if not os.path.lexists(path):
            raise InputError(f"{path}: no such file or folder")
        if not Path(path).is_dir():
            if _is_new(path, seen):
                yield Candidate(path, named=True, size=max(_size(Path(path)), 0))
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if _is_searched(Path(folder, name)))
            for name in sorted(names):
                found = os.path.join(folder, name)
                if Path(found).is_file() and not Path(found).is_symlink() and _is_new(found, seen):
                    yield Candidate(found, named=False, size=max(_size(Path(found)), 0))


def _is_searched(folder: Path) -> bool:
    return folder.name not in _PASSED_OVER and not folder.is_symlink() and not is_directory(folder)


def _is_new(path: str, seen: set[tuple[int, int]]) -> bool:
    """Tell whether this file was not given yet under another name."""
    try:
        status = Path(path).stat()
    except OSError:
        return True  # opening it will say what is wrong
    identity = (status.st_dev, status.st_ino)
    if status.st_ino and identity in seen:
        return False
    seen.add(identity)
    return True


def opened(candidate: Candidate) -> "Source":
    """Open a candidate; standard input is read to its end."""
    from memctl import readers

    if candidate.path == "-":
        return readers.Source.from_stream(sys.stdin.buffer, name="-")
    return readers.open_source(candidate.path)


# --------------------------------------------------------------------------- cursors


class Cursors:
    """Remembers which files were taken whole, so that an unchanged file costs one look.

    Kept in `.memctl/cursors.json`, never part of the memory: losing it costs time and nothing else. A
    file counts as unchanged when its size and times are, and the sessions it went into still have what
    it gave them (the directory may be an older checkout).
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.private("cursors.json")
        self._known: dict[str, Json] = {}
        self._changed = False
        if self._path.is_file():
            try:
                known = files.decode(files.read_bytes(self._path))
            except ValueError:
                known = None
            self._known = known if isinstance(known, dict) else {}

    def seen(self, candidate: Candidate) -> str | None:
        """Say what an unchanged file came to: "" for one that was taken, else why it is no transcript.

        None for a file that is new, has changed, or whose sessions have lost something since.
        """
        known = self._known.get(_key(candidate))
        if not isinstance(known, dict) or known.get("state") != _state(candidate):
            return None
        sessions = known.get("sessions")
        if not isinstance(sessions, dict) or any(
            _size(self._store.conversation(session)) < size for session, size in sessions.items()
        ):
            return None
        return str(known.get("reason", ""))

    def remember(
        self, candidate: Candidate, state: list[int] | None, sessions: Iterable[str], reason: str
    ) -> None:
        """Remember a file, in the *state* it had before it was read, and what it came to."""
        if state is None:
            return
        sizes = {session: _size(self._store.conversation(session)) for session in sessions}
        self._known[_key(candidate)] = {"state": state, "sessions": sizes} | (
            {"reason": reason} if reason else {}
        )
        self._changed = True

    def save(self) -> None:
        """Write what was remembered."""
        if self._changed:
            files.write_atomic(self._store.home, self._path, [files.encode(self._known)])


def state_of(candidate: Candidate) -> list[int] | None:
    """Give what tells that a file changed; None for standard input and pipes."""
    return _state(candidate)


def _state(candidate: Candidate) -> list[int] | None:
    if candidate.path == "-":
        return None
    try:
        status = Path(candidate.path).stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def _key(candidate: Candidate) -> str:
    return os.path.abspath(candidate.path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
