"""Notes: transcripts that a hook saw grow, for whoever imports them next (DESIGN 11).

A note is a small file of its own, so that any number of processes leave them at once without waiting. A hook
writes one before anything else is loaded, so this module needs nothing but `os`; a lost note costs nothing
but time, since the transcript is still there.
"""

import os
import stat
import time
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRIVATE = ".memctl"  # `files.PRIVATE`, without loading it
PAUSED = "hook.paused"  # in PRIVATE when an agent pauses: nothing rests
SLOW = 0.4  # seconds of work on one event that are too many while an agent waits

Note = tuple[str, str]  # its path, and the transcript it is about

_FOLDER = "notes"
_COSTS = "costs"  # of transcripts that are slow, a file each


def is_growing(transcript: str) -> bool:
    """Tell whether a path is a regular file with something in it.

    Nothing else is taken for a hook: a pipe or device may have no end, nor some files of /proc, which say that
    they are empty.
    """
    try:
        status = os.stat(transcript)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def leave(home: str, transcript: str) -> str:
    """Note that a transcript has something new, and give the note; needs no lock.

    Raises OSError when it cannot be written.
    """
    folder = os.path.join(home, PRIVATE, _FOLDER)
    for path in (os.path.join(home, PRIVATE), folder):
        if os.path.islink(path):
            raise OSError(f"{path} is a symbolic link; links inside the memory directory are not followed")
        if not os.path.isdir(path):
            os.makedirs(path, 0o700, exist_ok=True)
    path = os.path.join(folder, f"{time.time_ns():020d}-{os.getpid()}")
    descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, os.fsencode(os.path.abspath(transcript)))
    finally:
        os.close(descriptor)
    os.replace(f"{path}.new", path)
    return path


def left(home: str) -> "list[Note]":
    """Give the notes that are there, oldest first, each with its transcript."""
    folder = os.path.join(home, PRIVATE, _FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if not name.endswith(".new"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for name in names:
        path = os.path.join(folder, name)
        try:
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as stream:
                    found.append((path, os.fsdecode(stream.read(1 << 16))))
        except FileNotFoundError:  # whoever is at work has just taken it in
            continue
    return found


def drop(notes: "Iterable[Note]") -> None:
    """Take notes away, once their transcripts are in."""
    for path, _ in notes:
        if os.path.lexists(path):
            os.unlink(path)


def paused(home: str) -> bool:
    """Tell, once, that an agent pauses."""
    try:
        os.unlink(os.path.join(home, PRIVATE, PAUSED))
    except OSError:  # there is none; or, on Windows, a hook is just making it, and the next look finds it
        return False
    return True


# --------------------------------------------------------------------------- costs


def costs(home: str, transcript: str) -> float:
    """Give the seconds that the last event of a transcript took, where they were many; else 0."""
    try:
        with open(_cost_path(home, transcript), encoding="ascii") as stream:
            return float(stream.read(40))
    except (OSError, ValueError):
        return 0.0


def remember_cost(home: str, transcript: str, seconds: float) -> None:
    """Keep what an event took, when it is much."""
    path = _cost_path(home, transcript)
    folder = os.path.dirname(path)
    if os.path.islink(folder) or os.path.islink(path):
        raise OSError(f"{path} is a symbolic link; links inside the memory directory are not followed")
    if seconds < SLOW:
        if os.path.lexists(path):
            os.unlink(path)
        return
    os.makedirs(folder, 0o700, exist_ok=True)
    with open(path, "w", encoding="ascii") as stream:
        stream.write(f"{seconds:.3f}")


def _cost_path(home: str, transcript: str) -> str:
    name = f"{crc32(os.fsencode(os.path.abspath(transcript))):08x}"
    return os.path.join(home, PRIVATE, _COSTS, name)
