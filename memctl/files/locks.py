"""The lock of a memory directory: one process at a time writes."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from memctl.errors import LockedError, MemctlError
from memctl.files.fences import fence, refuse_link
from memctl.files.paths import FILE_MODE, PRIVATE, make_folder, read_bytes, store_error
from memctl.files.writing import clear_temporary


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
    fence(home)
    for path in (folder, owner, folder / "lock", folder / "tmp"):
        refuse_link(path)
    make_folder(folder)
    lock = filelock.FileLock(folder / "lock", mode=FILE_MODE)
    try:
        lock.acquire(timeout=wait)
    except filelock.Timeout:
        holder = ""
        with contextlib.suppress(MemctlError, ValueError):
            pid, since = read_bytes(owner).decode("ascii").split()
            holder = f" by process {int(pid)} since {time.strftime('%H:%M:%S', time.localtime(int(since)))}"
        raise LockedError(
            f"{home} is locked{holder}; wait for it to finish, or wait longer with --wait SECONDS"
        ) from None
    except OSError as error:
        raise store_error("lock", folder / "lock", error) from error
    try:
        with contextlib.suppress(OSError):
            owner.write_text(f"{os.getpid()} {int(time.time())}", encoding="ascii")
        clear_temporary(home)
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()
