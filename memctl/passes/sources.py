"""Sources: which files an ingest looks at, and which of them it has seen before."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.errors import InputError
from memctl.store import Store, folder_of, is_directory, is_theirs, sessions, settings_of

if TYPE_CHECKING:  # looking at unchanged files reads none
    from memctl.model import Json
    from memctl.readers import Source

# Folders that hold no transcripts and may be huge.
_PASSED_OVER = frozenset((".git", "node_modules", "__pycache__", ".venv"))


State = tuple[int, int, int]  # of a file: bytes, time of the last change, inode


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to look at: its path as shown to people; *named* when the command line names it.

    state: what it was when it was found; None for standard input and for what cannot be looked at.
    archive: the zip archive that holds it as *path*; "" for a file of its own.
    closed: why a file or folder cannot be looked at.
    """

    path: str
    named: bool
    state: State | None = None
    archive: str = ""
    closed: str = ""

    @property
    def shown(self) -> str:
        """Its path for people."""
        return f"{self.archive}!{self.path}" if self.archive else self.path

    @property
    def size(self) -> int:
        """Its bytes, for the progress bar; 0 when they are not known."""
        return self.state[0] if self.state else 0


def candidates(paths: Iterable[str]) -> Iterator[Candidate]:
    """Give the files of an ingest, folders walked in order of name, each file once.

    Links to folders are not followed, memory directories are passed over. A path that is not there is
    given, too, closed. Raises UsageError for standard input that is closed.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if path == "-":
            files.standard_input()
            yield Candidate("-", named=True)
            continue
        try:
            status = os.stat(path)
        except OSError as error:
            yield Candidate(path or "''", named=True, closed=(error.strerror or str(error)).lower())
            continue
        if not stat.S_ISDIR(status.st_mode):
            if _is_new(status, seen):
                yield from _files_of(Candidate(path, True, _state(status)))
            continue
        if settings_of(Path(path)).is_file():
            yield from _shards(path)
            continue
        # Of a directory of the original the conversations are read; all else of it is taken as it is.
        for found, looked in _walk(os.path.join(path, "conversations") if is_theirs(Path(path)) else path):
            if isinstance(looked, OSError):
                yield Candidate(found, found == path, closed=(looked.strerror or str(looked)).lower())
            elif _is_new(looked, seen):
                yield from _files_of(Candidate(found, False, _state(looked)))


def _shards(home: str) -> Iterable[Candidate]:
    """Give the daily shards of the original in a memory directory of ours: all else in it is memory already."""
    folder = folder_of(Path(home), "conversations")
    paths = [] if folder.is_symlink() else [path for path in sorted(folder.glob("*.jsonl")) if path.is_file()]
    found = [Candidate(str(path), False, _state(path.stat())) for path in paths if sessions.is_shared(path)]
    return found or [Candidate(home, True, closed="a memory directory, which contains no transcripts")]


def _files_of(candidate: Candidate) -> Iterable[Candidate]:
    """Give the files of a zip archive (an export, as it was downloaded), or the file itself."""
    if not candidate.path.lower().endswith(".zip"):
        return (candidate,)
    from memctl.passes import zipped

    try:
        names = zipped.members(candidate.path)
    except (OSError, ValueError):
        return (candidate,)  # reading it will say what is wrong
    return [Candidate(name, False, candidate.state, candidate.path) for name in names]


def _walk(folder: str) -> Iterator[tuple[str, os.stat_result | OSError]]:
    """Give the files below a folder, neither through links nor out of memory directories.

    With a file goes its status; with what cannot be looked at, the error that says why.
    """
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            if place != folder and is_directory(Path(place)):
                continue
            with os.scandir(place) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            yield place, error
            continue
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                try:
                    yield entry.path, entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # gone since the folder was read
                    continue
                except OSError as error:
                    yield entry.path, error
        waiting += [
            entry.path
            for entry in reversed(entries)
            if entry.name not in _PASSED_OVER and entry.is_dir(follow_symlinks=False)
        ]


def _is_new(status: os.stat_result, seen: set[tuple[int, int]]) -> bool:
    """Tell whether this file was not given yet under another name."""
    identity = (status.st_dev, status.st_ino)
    if status.st_ino and identity in seen:
        return False
    seen.add(identity)
    return True


def _state(status: os.stat_result) -> State:
    return status.st_size, status.st_mtime_ns, status.st_ino


def opened(candidate: Candidate) -> "Source":
    """Open a candidate; standard input is read to its end."""
    from memctl import readers

    if candidate.closed:
        raise InputError(f"{candidate.shown}: {candidate.closed}")
    if candidate.archive:
        from memctl.passes import zipped

        return zipped.opened(candidate.archive, candidate.path, candidate.shown, candidate.state)
    if candidate.path == "-":
        try:
            return readers.Source.from_stream(files.standard_input(), name="-")
        except OSError as error:
            raise InputError(f"-: cannot read standard input: {error.strerror or error}") from error
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
        self._root = str(store.root)
        self._path = store.private_of_scope("cursors.json")
        self._known: dict[str, Json] = {}
        self._changed = False
        if self._path.is_file():
            try:
                known = files.decode(files.read_bytes(self._path))
            except ValueError:
                known = None
            self._known = known if isinstance(known, dict) else {}

    @property
    def whole(self) -> str:
        """The listing of derived files (`listing`) as the last pass left it."""
        return str(self._known.get("", ""))

    @whole.setter
    def whole(self, fingerprint: str) -> None:
        self._known[""] = fingerprint
        self._changed = True

    def seen(self, candidate: Candidate) -> str | None:
        """Say what an unchanged file came to: "" for one that was taken, else why it is no transcript.

        None for a file that is new, has changed, or whose sessions have lost something since.
        """
        known = self._known.get(_key(candidate)) or self._known.get(_hidden(candidate))
        if not isinstance(known, dict) or candidate.state is None or known.get("state") != [*candidate.state]:
            return None
        sessions = known.get("sessions")
        if not isinstance(sessions, dict):
            return None
        for name, size in sessions.items():
            if _size(f"{self._root}/{name}") < size:
                return None
        return str(known.get("reason", ""))

    def sessions(self, candidate: Candidate) -> list[Path]:
        """Give the conversations that a file went into, as far as it is remembered."""
        known = self._known.get(_key(candidate))
        sessions = known.get("sessions") if isinstance(known, dict) else None
        return [self._store.at(name) for name in sessions] if isinstance(sessions, dict) else []

    def remember(
        self, candidate: Candidate, sessions: Iterable[str], reason: str, *, hidden: bool = False
    ) -> None:
        """Remember a file, in the state it had before it was read, and what it came to.

        hidden: by a hash of its path, which may name a session that was cleared.
        """
        if candidate.state is None:
            return
        paths = [self._store.relative(self._store.conversation(session)) for session in sessions]
        sizes = {path: _size(f"{self._root}/{path}") for path in paths}
        known = {"state": [*candidate.state], "sessions": sizes} | ({"reason": reason} if reason else {})
        self._known[_hidden(candidate) if hidden else _key(candidate)] = known
        self._changed = True

    def of_sessions(self, gone: Callable[[str], bool]) -> set[str]:
        """Give the files that went into sessions that are *gone*, told by the paths of their conversations."""
        return {
            key
            for key, known in self._known.items()
            if isinstance(known, dict) and any(map(gone, known.get("sessions") or ()))
        }

    def key_of_shown(self, shown: str) -> str | None:
        """Give the key of a remembered file by its path as shown to people; None when it is not known."""
        key = os.path.abspath(shown)
        return key if key in self._known else None

    def drop(self, keys: Iterable[str]) -> None:
        """Forget files, and write the rest."""
        for key in keys:
            self._known.pop(key, None)
            self._changed = True
        self.save()

    def save(self) -> None:
        """Write what was remembered."""
        if self._changed:
            files.write_atomic(self._store.home, self._path, [files.encode(self._known)])


def _key(candidate: Candidate) -> str:
    if candidate.archive:
        return f"{os.path.abspath(candidate.archive)}!{candidate.path}"
    return os.path.abspath(candidate.path)


def _hidden(candidate: Candidate) -> str:
    return f"hash:{hashlib.sha256(_key(candidate).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return -1
