"""Atomic writing: aside in the directory's own `.memctl/tmp`, made durable, then renamed.

A reader sees the old file or the new one, and a kill leaves nothing half written.
"""

import contextlib
import errno
import itertools
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from memctl.errors import StoreError
from memctl.files.fences import refuse_link, refuse_way
from memctl.files.paths import FILE_MODE, PRIVATE, make_folder, open_file, store_error

_USUAL_MODE = 0o666  # before the umask


_counter = itertools.count()


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
        raise store_error("create", path, error) from error
    return os.fdopen(descriptor, "w+b")


def reopen(path: Path) -> IO[bytes]:
    """Open a file that `create` made, to read it back and write on."""
    try:
        return path.open("r+b")
    except OSError as error:
        raise store_error("open", path, error) from error


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
        raise store_error("write", path, error) from error


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
        raise store_error("write", path, error) from error


def last_line(path: Path, most: int = 1 << 20) -> bytes:
    """Give the last line of a file that is not blank, read from its end; empty when there is none.

    most: bytes that are looked at.
    """
    try:
        with open_file(path) as stream:
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
        raise store_error("write", path, error) from error


def install(temp: Path, path: Path, *, durable: bool = True) -> None:
    """Rename a finished temporary file to its place; the folder is made when it is missing."""
    refuse_way(temp)
    refuse_link(path)
    try:
        temp.replace(path)
    except FileNotFoundError:
        make_folder(path.parent)
        temp.replace(path)
    if durable:
        sync_folder(path.parent)


def move(path: Path, place: Path) -> None:
    """Rename a file or folder within a file system."""
    refuse_way(path)
    refuse_link(place)
    try:
        path.rename(place)
    except OSError as error:
        raise store_error("move", path, error) from error


def share(path: Path, other: Path) -> None:
    """Let *other* be the same file as *path*, or a copy of it on a file system without links."""
    refuse_link(path)
    refuse_link(other)
    try:
        os.link(path, other)
    except OSError:
        try:
            shutil.copyfile(path, other)
        except OSError as error:
            raise store_error("write", other, error) from error


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
    refuse_link(home / PRIVATE / "tmp")
    shutil.rmtree(home / PRIVATE / "tmp", ignore_errors=True)
