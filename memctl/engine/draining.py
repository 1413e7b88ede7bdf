"""Draining: a background process imports what hooks noted."""

import contextlib
import os
import time
from pathlib import Path

from memctl import files
from memctl.engine import hooks
from memctl.errors import MemctlError
from memctl.passes import notes
from memctl.passes.following import follow
from memctl.passes.ingest import ingest
from memctl.store import Store, open_store, settings_of

# Seconds without a note after which the process ends: loading its modules costs more than its work.
LINGER = 30.0
ENVIRONMENT = "MEMCTL_HOOK_LINGER"  # says otherwise
_LOCK_WAIT = 60.0  # seconds for the directory's lock; nobody waits for this process
_LOOK = 0.02  # seconds between two looks
# A transcript that is slow rests this many times as long as it took: a part of the machine is enough for it.
_SHARE = 4.0
_MOST_REST = 60.0  # seconds
_SLOW = 10  # niceness of a process that has met such a transcript


def serve(home: str) -> None:
    """Take in what is noted, and what comes until nothing has come for a while.

    Raises LockedError when another pass holds the directory for long; the notes stay.
    """
    given = hooks.seconds(home, ENVIRONMENT)
    linger = LINGER if given is None else given
    due: dict[str, float] = {}  # when a transcript that is slow has rested enough
    over = time.monotonic() + linger
    while settings_of(Path(home)).is_file() and time.monotonic() < over:
        noted: dict[str, list[notes.Note]] = {}
        for note in notes.left(home):
            noted.setdefault(note[1], []).append(note)
        if noted and notes.paused(home):
            due.clear()
        ready = {path: found for path, found in noted.items() if due.get(path, 0) <= time.monotonic()}
        if ready:
            _take(home, ready)
            for transcript in ready:
                rest = min(_MOST_REST, _SHARE * notes.costs(home, transcript))
                due[transcript] = time.monotonic() + rest
        else:
            time.sleep(_LOOK)
        if noted:
            over = time.monotonic() + linger


def _take(home: str, noted: dict[str, list[notes.Note]]) -> None:
    """Take in what noted transcripts have new; a pass takes those that cannot be followed."""
    store = open_store(Path(home))
    with files.locked(store.home, _LOCK_WAIT):
        for transcript, found in noted.items():
            began = time.process_time()
            if _followed(store, transcript):
                notes.drop(found)
            elif os.path.lexists(found[0][0]):
                _taken_whole(store)
            cost = time.process_time() - began
            notes.remember_cost(home, transcript, cost)
            if cost >= notes.SLOW and hasattr(os, "nice"):
                os.nice(_SLOW)


def _taken_whole(store: Store) -> None:
    """Take in what is noted with a pass; raises RuntimeError, for the log, when it met a bug."""
    if bugs := ingest(store, [], heals=False).bugs:
        raise RuntimeError("\n".join(told for _, told in bugs))


def _followed(store: Store, transcript: str) -> bool:
    with contextlib.suppress(MemctlError, OSError):  # a pass says what is wrong with it
        return follow(store, transcript)
    return False
