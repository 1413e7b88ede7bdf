"""Places: how far a growing transcript was followed, and what was known there, in the user's cache directory.

Losing one costs time and nothing else. A place holds as long as everything it rests on is as it was left.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from memctl import __version__, files
from memctl.errors import MemctlError
from memctl.index.place import place_of
from memctl.passes import frozen
from memctl.passes.settled import Settled
from memctl.store import Store
from memctl.text.names import short_hash

_NAME = "followed-"
_MOST = 32  # transcripts whose places are kept, the newest
_COMPARED = 1 << 16  # bytes of the transcript before a place

_Stat = tuple[int, int, int]


@dataclass(slots=True)
class Place:
    """A place in a transcript, at the end of a line: its byte and line.

    of: the state of every file it rests on. held: what was known there, frozen. settled: by session. told: what the
    transcript said of sessions that stand elsewhere, by session.
    """

    offset: int = 0
    number: int = 0
    of: dict[str, _Stat] = field(default_factory=dict)
    held: bytes = b""
    settled: dict[str, Settled] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)


def load(store: Store, transcript: str) -> Place | None:
    """Give the place reached in a transcript; None when there is none that holds."""
    try:
        place = frozen.thawed(files.read_bytes(_path(store, transcript)), Place)
        if place.of != states(store, transcript, place.offset, list(place.settled)):
            return None
        return place if place.offset <= os.path.getsize(transcript) else None
    except (OSError, frozen.NotFrozenError, MemctlError):
        return None


def save(store: Store, transcript: str, place: Place) -> None:
    """Keep a place, beside those of the transcripts that were followed last."""
    path = _path(store, transcript)
    files.write_beside(path, frozen.frozen(place))
    others = sorted(path.parent.glob(f"{_NAME}*"), key=lambda one: one.stat().st_mtime_ns)
    for old in others[:-_MOST]:
        files.remove(old)


def drop(store: Store, transcript: str) -> None:
    """Drop the place of a transcript."""
    files.remove(_path(store, transcript))


def forget(store: Store) -> None:
    """Drop all places: they hold words of the sessions."""
    for path in place_of(store).folder.glob(f"{_NAME}*"):
        files.remove(path)


def states(store: Store, transcript: str, end: int, sessions: list[str]) -> dict[str, _Stat]:
    """Give the state of the files that a place rests on; of the transcript what stands before *end*."""
    paths = [store.settings]
    for session in sessions:
        paths += [store.conversation(session), store.offload(session)]
    of = {
        store.relative(path) if path.is_relative_to(store.root) else path.name: _state(path) for path in paths
    }
    before = b"".join(files.piece_of(Path(transcript), max(0, end - _COMPARED), end))
    program = int(short_hash(12, __version__, sys.hexversion), 16)
    return {**of, "": (program, crc32(before), _state(Path(transcript))[2])}


def _path(store: Store, transcript: str) -> Path:
    return place_of(store).folder / f"{_NAME}{short_hash(16, os.path.abspath(transcript))}"


def _state(path: Path) -> _Stat:
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0, 0
    return status.st_size, status.st_mtime_ns, status.st_ino
