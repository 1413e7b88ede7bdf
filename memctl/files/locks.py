"""The lock of a memory directory: one process at a time writes."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.errors import LockedError, MemctlError
from memctl.files.fences import fence, refuse_link
from memctl.files.paths import FILE_MODE, PRIVATE, make_folder, read_bytes, store_error
from memctl.files.writing import clear_temporary

if TYPE_CHECKING:  # start-up is a feature
    from filelock import BaseFileLock

_ANEW = 1.0  # seconds beyond those given in which a lock that was taken away is looked for anew
OF_THE_LOCK = ("lock.owner", "lock")  # files of `PRIVATE`


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
    folder = home / PRIVATE
    owner = folder / "lock.owner"
    fence(home)
    for path in (folder, owner, folder / "lock", folder / "tmp"):
        refuse_link(path)
    lock = _acquired(home, wait)
    try:
        with contextlib.suppress(OSError):
            owner.write_text(f"{os.getpid()} {int(time.time())}", encoding="ascii")
        clear_temporary(home)
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()


def _acquired(home: Path, wait: float) -> "BaseFileLock":
    """Give the lock, held, of the directory that is there: who held it before may have taken it away (`forsake`)."""
    import filelock

    path = home / PRIVATE / "lock"
    until = time.monotonic() + wait
    while True:
        make_folder(path.parent)
        lock = filelock.FileLock(path, mode=FILE_MODE)
        try:
            # Open while the lock is taken: no other file can get its identity, so one that is there after as
            # before is the one that was locked.
            with open(path, "ab", opener=_private) as opened:
                lock.acquire(timeout=max(0.0, until - time.monotonic()))
                if _is_at(opened.fileno(), path):
                    return lock
                lock.release()
        except filelock.Timeout:
            raise _held(home) from None
        except OSError as error:
            if not isinstance(error, FileNotFoundError) or time.monotonic() > until + _ANEW:
                raise store_error("lock", path, error) from error
        if time.monotonic() > until + _ANEW:
            raise _held(home)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE_MODE)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _held(home: Path) -> LockedError:
    holder = ""
    with contextlib.suppress(MemctlError, ValueError):
        pid, since = read_bytes(home / PRIVATE / "lock.owner").decode("ascii").split()
        holder = f" by process {int(pid)} since {time.strftime('%H:%M:%S', time.localtime(int(since)))}"
    return LockedError(f"{home} is locked{holder}; wait for it to finish, or wait longer with --wait SECONDS")


def forsake(home: Path, *, held: bool) -> None:
    """Take away the lock and folders of a directory that came to nothing, as far as they are empty.

    Called twice: while the lock is held, and after. Windows removes no file that anybody has open, so there it
    is done after; elsewhere before, and who waits for the lock looks for it anew.
    """
    if held is (os.name == "nt"):
        return
    with contextlib.suppress(OSError):
        for name in OF_THE_LOCK:
            (home / PRIVATE / name).unlink(missing_ok=True)
        (home / PRIVATE).rmdir()
        home.rmdir()
