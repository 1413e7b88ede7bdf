"""The only room that writes: atomic files, the lock, safe paths, JSONL lines.

Every write goes to a temporary file in the directory's own `.memctl/tmp`, is made durable and then
renamed, so a reader sees the old file or the new one and a kill leaves nothing half written.
"""

import contextlib
import errno
import itertools
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO

import orjson

from memctl.errors import DamagedError, InputError, LockedError, StoreError, UsageError

if TYPE_CHECKING:  # start-up is a feature, and the values are many
    from memctl.model import Json

PRIVATE = ".memctl"
FILE_MODE = 0o600
FOLDER_MODE = 0o700
_USUAL_MODE = 0o666  # before the umask

_LONG_NUMBER = re.compile(rb"\d{19}")  # orjson may turn such an integer into a float without a word

_counter = itertools.count()

# --------------------------------------------------------------------------- paths


def inside(root: Path, relative: str) -> Path:
    """Join *relative* (posix, from a file's text) to *root*; refuse whatever would leave it.

    Raises DamagedError for absolute paths, `..`, drive letters, NUL, what no file can be called, and for
    links on the way.
    """
    parts = PurePosixPath(relative.replace("\\", "/")).parts
    nameless = True  # a lone surrogate
    unsafe = not parts or ".." in parts or parts[0].startswith("/") or ":" in relative or "\0" in relative
    with contextlib.suppress(UnicodeEncodeError):
        os.fsencode(relative)
        nameless = False
    if unsafe or "\\" in relative or nameless:
        raise DamagedError(f"unsafe path {relative!r} in the memory directory; it is not followed")
    path = root
    for part in parts:
        path = path / part
        if path.is_symlink():
            raise DamagedError(f"{path} is a link; links inside the memory directory are not followed")
    return path


def read_bytes(path: Path) -> bytes:
    """Read a file of the memory directory, never through a link."""
    refuse_link(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


def standard_input() -> BinaryIO:
    """Give the stream behind the name `-`.

    Raises UsageError when whoever started us closed it.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed, so there is nothing to read; give a file or a pipe")
    return sys.stdin.buffer


def read_standard_input(most: int = -1) -> bytes:
    """Read what the name `-` stands for, at most *most* bytes.

    Raises UsageError when it is closed, InputError when it cannot be read.
    """
    try:
        return standard_input().read(most)
    except OSError as error:
        raise InputError(f"cannot read standard input: {error.strerror or error}") from error


def make_folder(path: Path) -> None:
    """Create a folder and its parents, private to the user."""
    missing = [path]
    while not missing[-1].parent.is_dir() and missing[-1].parent != missing[-1]:
        missing.append(missing[-1].parent)
    try:
        for folder in reversed(missing):  # `parents=True` would give the ones above the usual mode
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    except OSError as error:
        raise _store_error("create the folder", path, error) from error


# --------------------------------------------------------------------------- writing


def refuse_link(path: Path) -> None:
    """Raise DamagedError when *path* is a link: nothing in a memory directory leads out of it."""
    if path.is_symlink():
        raise DamagedError(f"{path} is a link; links inside the memory directory are not followed")


def temporary(home: Path) -> Path:
    """Name a fresh file under the directory's temporary folder (not yet created)."""
    folder = home / PRIVATE / "tmp"
    refuse_link(folder)
    if not folder.is_dir():
        make_folder(folder)
    return folder / f"{os.getpid()}-{next(_counter)}"


def create(path: Path, mode: int = FILE_MODE) -> IO[bytes]:
    """Open a new file, private unless *mode* says otherwise, for writing and reading back."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        raise _store_error("create", path, error) from error
    return os.fdopen(descriptor, "w+b")


def write_atomic(home: Path, path: Path, chunks: Iterable[bytes], *, durable: bool = True) -> None:
    """Write *chunks* to *path* in one step: temporary file, fsync, rename.

    With `durable=False` the caller makes a batch durable later (`make_durable`).
    """
    temp = temporary(home)
    try:
        with create(temp) as stream:
            for chunk in chunks:
                stream.write(chunk)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        install(temp, path, durable=durable)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise _store_error("write", path, error) from error


def append(path: Path, lines: Iterable[bytes]) -> None:
    """Add lines, newlines included, to a file of lines and make them durable.

    Only what stood there before is certain after a kill; a last line that was torn is closed first, so that
    it spoils no other.
    """
    refuse_link(path)
    make_folder(path.parent)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), FILE_MODE)
        with os.fdopen(descriptor, "r+b") as stream:
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                torn = stream.read(1) != b"\n"
                stream.write(b"\n" if torn else b"")
            for line in lines:
                stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise _store_error("write", path, error) from error


def last_line(path: Path, most: int = 1 << 20) -> bytes:
    """Give the last line of a file that is not blank, read from its end; empty when there is none.

    most: bytes that are looked at.
    """
    refuse_link(path)
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - most))
            return stream.read().rstrip().rpartition(b"\n")[2]
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


def write_beside(path: Path, data: bytes, *, private: bool = True) -> None:
    """Replace a file anywhere in one step; the temporary file stands beside it and keeps its mode.

    private: a new file is the user's alone; else it gets the mode that the umask gives any file.
    """
    temp = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with create(temp, FILE_MODE if private else _USUAL_MODE) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, temp)
        temp.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise _store_error("write", path, error) from error


def install(temp: Path, path: Path, *, durable: bool = True) -> None:
    """Rename a finished temporary file to its place; the folder is made when it is missing."""
    if path.is_symlink():
        raise DamagedError(f"{path} is a link; memctl does not write through links")
    try:
        temp.replace(path)
    except FileNotFoundError:
        make_folder(path.parent)
        temp.replace(path)
    if durable:
        sync_folder(path.parent)


def drop_empty(folder: Path, root: Path) -> None:
    """Remove a folder that holds nothing any more, and those above it, below *root*."""
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:  # not empty, or not there
            return
        folder = folder.parent


class Batch:
    """Files of one step, written aside and put in place together, in order, by `commit`.

    One flush to disk serves them all: thousands of small files would otherwise wait for the disk
    one by one.
    """

    def __init__(self, home: Path, *, keeps: bool = True) -> None:
        """Begin a batch; with `keeps=False` a commit throws away what was written aside."""
        self.holds = False  # while set, `commit` puts nothing in place yet
        self._home = home
        self._keeps = keeps
        self._waiting: list[tuple[Path, Path]] = []

    def write(self, path: Path, chunks: Iterable[bytes]) -> None:
        """Write *chunks* aside, to become *path* at the next `commit`."""
        temp = temporary(self._home)
        try:
            with create(temp) as stream:
                for chunk in chunks:
                    stream.write(chunk)
        except OSError as error:
            raise _store_error("write", path, error) from error
        self._waiting.append((temp, path))

    def drop(self) -> None:
        """Throw away what was written aside."""
        for temp, _ in self._waiting:
            temp.unlink(missing_ok=True)
        self._waiting.clear()

    def write_if_changed(self, path: Path, chunks: Iterable[bytes]) -> bool:
        """Write *chunks* unless *path* holds exactly those bytes; say whether it will be written."""
        self.write(path, chunks)
        temp, _ = self._waiting[-1]
        if not _same(temp, path):
            return True
        self._waiting.pop()
        temp.unlink()
        return False

    def __len__(self) -> int:
        return len(self._waiting)

    def commit(self) -> None:
        """Make everything durable, then rename it into place in the order it was written."""
        if self.holds:
            return
        if not self._keeps:
            self.drop()
        if not self._waiting:
            return
        try:
            make_durable([temp for temp, _ in self._waiting])
            for temp, path in self._waiting:
                install(temp, path, durable=False)
            for folder in sorted({path.parent for _, path in self._waiting}):
                sync_folder(folder)
        except OSError as error:
            raise _store_error("write", self._waiting[0][1], error) from error
        self._waiting.clear()


def _same(one: Path, other: Path) -> bool:
    """Compare two files byte by byte; a link is never the same."""
    if other.is_symlink() or not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as left, other.open("rb") as right:
        while (piece := left.read(1 << 20)) == right.read(1 << 20):
            if not piece:
                return True
    return False


def make_durable(paths: list[Path]) -> None:
    """Flush written files to disk: one by one, or where many wait and the system can, all at once."""
    if len(paths) > 16 and sys.platform == "linux":
        os.sync()  # waits for the disk on Linux; elsewhere it may only ask
        return
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable where the system lets a folder be opened (not on Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:  # some network file systems refuse fsync on folders
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def clear_temporary(home: Path) -> None:
    """Remove what a killed process left in the temporary folder; only while holding the lock."""
    shutil.rmtree(home / PRIVATE / "tmp", ignore_errors=True)


def _store_error(verb: str, path: Path, error: OSError) -> StoreError:
    hints = {
        errno.ENOSPC: "the disk is full; free some space and run the command again, nothing stored is harmed",
        errno.EACCES: "permission denied; check who owns the memory directory",
        errno.EPERM: "permission denied; check who owns the memory directory",
        errno.EROFS: "the file system is read-only",
    }
    reason = hints.get(error.errno or 0, error.strerror or str(error))
    return StoreError(f"cannot {verb} {path}: {reason}")


# --------------------------------------------------------------------------- lock


def at_rest(home: Path) -> bool:
    """Tell that no process seems to hold the directory's lock, or was killed while it did."""
    if os.path.lexists(home / PRIVATE / "lock.owner"):
        return False
    try:
        return not os.listdir(home / PRIVATE / "tmp")
    except FileNotFoundError:
        return True


@contextlib.contextmanager
def locked(home: Path, wait: float) -> Iterator[None]:
    """Hold the directory's lock, waiting at most *wait* seconds.

    The lock is the operating system's, so a killed owner frees it. Raises LockedError with the
    owner's process id and start, which are kept beside the lock for the message only.
    """
    import filelock

    folder = home / PRIVATE
    owner = folder / "lock.owner"
    for path in (folder, owner, folder / "lock", folder / "tmp"):
        refuse_link(path)
    make_folder(folder)
    lock = filelock.FileLock(folder / "lock", mode=FILE_MODE)
    try:
        lock.acquire(timeout=wait)
    except filelock.Timeout:
        holder = ""
        with contextlib.suppress(OSError, ValueError):
            pid, since = owner.read_text(encoding="ascii").split()
            holder = f" by process {int(pid)} since {time.strftime('%H:%M:%S', time.localtime(int(since)))}"
        raise LockedError(
            f"{home} is locked{holder}; wait for it to finish, or give --wait SECONDS to wait longer"
        ) from None
    except OSError as error:
        raise _store_error("lock", folder / "lock", error) from error
    try:
        with contextlib.suppress(OSError):
            owner.write_text(f"{os.getpid()} {int(time.time())}", encoding="ascii")
        clear_temporary(home)
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()


# --------------------------------------------------------------------------- JSON lines


def encode(record: "Json", *, marked: bool = False) -> bytes:
    """Write one JSON value compactly, without a newline; numbers as they were read (`model.values.Number`).

    marked: put a tab before each number that is not as orjson would write it, so that `decode` knows
    without looking at every digit. No other tab is written.
    """
    try:
        return orjson.dumps(record, default=_marked if marked else _as_written)
    except (TypeError, ValueError, RecursionError):
        # Lone surrogates, integers over 64 bits: escaped, so that the file itself is always UTF-8.
        return _escaped(record, "\t" if marked else "").encode("ascii")


def _marked(value: object) -> orjson.Fragment:
    return orjson.Fragment(f"\t{_number_text(value)}")


def _as_written(value: object) -> orjson.Fragment:
    return orjson.Fragment(_number_text(value))


def _number_text(value: object) -> str:
    text = getattr(value, "text", None)
    if isinstance(value, float) and isinstance(text, str):
        return text
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _escaped(value: "Json", mark: str) -> str:
    """Write what orjson refuses; `json` itself would write floats another way."""
    if isinstance(value, dict):
        pairs = (f"{json.dumps(str(key))}:{_escaped(item, mark)}" for key, item in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_escaped(item, mark) for item in value) + "]"
    if isinstance(value, float):
        text = getattr(value, "text", None)
        return f"{mark}{text}" if text else orjson.dumps(value).decode()
    return json.dumps(value)


def decode(line: bytes) -> "Json":
    """Read one JSON value that `encode` wrote (marked), exactly; raises ValueError when it is none."""
    if b"\t" not in line and not _LONG_NUMBER.search(line):
        with contextlib.suppress(ValueError):
            return orjson.loads(line)
    from memctl.model.values import integer, number

    try:
        return json.loads(line.decode("utf-8", "surrogateescape"), parse_float=number, parse_int=integer)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Give (line number from 1, line without its newline) of a file of ours; blank lines left out.

    A torn last line (a crash of another tool, a cut copy) is given like any other; whoever decodes it
    reports it.
    """
    refuse_link(path)
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                stripped = line.strip()
                if stripped:
                    yield number, stripped
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
