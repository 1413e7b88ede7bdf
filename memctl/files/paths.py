"""Safe paths, and reading whole files; what leads out of the directory is refused."""

import contextlib
import errno
import io
import os
import stat
import sys
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from memctl.errors import DamagedError, InputError, StoreError, UsageError
from memctl.files.fences import is_link, refuse_link, refuse_way

PRIVATE = ".memctl"
FILE_MODE = 0o600
FOLDER_MODE = 0o700
FOREIGN = 0o022  # bits of a mode: others may write
_USUAL_MODE = 0o777  # of a folder, before the umask
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a named pipe waits for its writer; Windows has none


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
            raise DamagedError(
                f"{path} is a symbolic link; links inside the memory directory are not followed"
            )
    refuse_way(path)
    return path


def open_file(path: Path) -> io.BufferedReader:
    """Open a file of the memory directory for reading, never through a link.

    Raises DamagedError for what is no regular file, where a reader might wait for ever (a named pipe, a device);
    OSError when it is missing or cannot be opened.
    """
    refuse_link(path)
    return open(path, "rb", opener=_regular)


def _regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | _NO_WAIT)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        raise DamagedError(f"{path} is not a regular file; remove it from the memory directory")
    return descriptor


def read_bytes(path: Path) -> bytes:
    """Read a file of the memory directory, as `open_file` opens it; raises StoreError when it cannot be read."""
    try:
        with open_file(path) as stream:
            return stream.read()
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


def make_folder(path: Path, *, private: bool = True) -> None:
    """Create a folder and its parents, private to the user, else as the umask says."""
    refuse_link(path)
    missing = [path]
    while not missing[-1].parent.is_dir() and missing[-1].parent != missing[-1]:
        missing.append(missing[-1].parent)
    try:
        for folder in reversed(missing):  # `parents=True` would give the ones above the usual mode
            folder.mkdir(mode=FOLDER_MODE if private else _USUAL_MODE, exist_ok=True)
    except OSError as error:
        raise store_error("create the folder", path, error) from error


def make_private(path: Path) -> None:
    """Create a folder as `make_folder` does; one that is there is taken from others who may write to it."""
    make_folder(path)
    try:
        if os.name != "nt" and path.stat().st_mode & FOREIGN:
            path.chmod(FOLDER_MODE)
    except OSError as error:
        raise store_error("close to others", path, error) from error


def remove(path: Path) -> None:
    """Remove a file, or a link itself; one that is gone already is no error."""
    refuse_way(path)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise store_error("remove", path, error) from error


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it; what cannot be removed stays."""
    import shutil

    refuse_way(path)
    shutil.rmtree(path, ignore_errors=True)


def drop_empty(folder: Path, root: Path) -> None:
    """Remove a folder that holds nothing any more, and those above it, below *root*."""
    while folder != root and folder.is_relative_to(root) and not is_link(folder):
        try:
            folder.rmdir()
        except OSError:  # not empty, or not there
            return
        folder = folder.parent


def store_error(verb: str, path: Path, error: OSError) -> StoreError:
    """Say what could not be done to which file, and what to do about it."""
    hints = {
        errno.ENOSPC: "the disk is full; free some space and run the command again (stored data is safe)",
        errno.EACCES: "permission denied; check the owner of the memory directory",
        errno.EPERM: "permission denied; check the owner of the memory directory",
        errno.EROFS: "the file system is read-only",
    }
    reason = hints.get(error.errno or 0, error.strerror or str(error))
    return StoreError(f"cannot {verb} {path}: {reason}")
