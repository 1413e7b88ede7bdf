"""Draining: what hooks noted is taken in, within the time a hook has; and what a session begins with."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memctl import files
from memctl.errors import LockedError
from memctl.passes import notes
from memctl.passes.following import follow
from memctl.passes.ingest import ingest
from memctl.store import Store, open_store

LOCK_WAIT = 0.2  # seconds a hook waits for the directory's lock (DESIGN 3)
_LONG_WAIT = 60.0  # ... and the process in the background, for which nobody waits


class OutOfTime(BaseException):
    """The time of a hook is over."""


def take(home: str, until: float) -> bool:
    """Take in what is noted; False when the lock is not to be had or the time was not enough.

    until: as `hooks.drain` has it. A pass that is cut harms nothing; the notes stay.
    """
    store = open_store(Path(home))
    wait = _LONG_WAIT if until == float("inf") else max(0.0, min(LOCK_WAIT, until - time.monotonic()))
    try:
        with files.locked(store.home, wait), _timer(until):
            return _take_noted(store, until)
    except (LockedError, OutOfTime):
        return False


def _take_noted(store: Store, until: float) -> bool:
    """Take in what the noted transcripts have new; a pass takes those that cannot be followed.

    Those that took too long before are left to the process in the background.
    """
    home = str(store.home)
    noted: dict[str, list[tuple[str, str]]] = {}
    for note in notes.left(home):
        noted.setdefault(note[1], []).append(note)
    whole = False
    for transcript in sorted(noted, key=lambda path: notes.costs(home, path)):
        if until < float("inf") and notes.costs(home, transcript):
            return False
        began = time.process_time()
        if follow(store, transcript):
            notes.drop(noted[transcript])
        elif not whole:
            ingest(store, [], heals=False)
            whole = True
        notes.remember_cost(home, transcript, time.process_time() - began)
    return True


def start(home: str, until: float) -> str:
    """Give what a session begins with, as Claude Code's SessionStart takes it; "" for nothing or no time."""
    from memctl.ask.inject import start as block  # recall is heavy, and only a start needs it

    try:
        with _timer(until):
            context = block(open_store(Path(home)))
    except OutOfTime:
        return ""
    if not context:
        return ""
    said = {"hookEventName": "SessionStart", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False)


@contextlib.contextmanager
def _timer(until: float) -> Iterator[None]:
    """Raise `OutOfTime` in the middle of the work when its time is over."""
    if until == float("inf"):
        yield
        return
    import _thread
    import signal
    import threading

    def over(_signal: int, _frame: object) -> None:
        raise OutOfTime

    left = until - time.monotonic()
    if left <= 0:
        raise OutOfTime
    before: Callable[..., Any] | int | None = signal.signal(signal.SIGINT, over)
    timer = threading.Timer(left, _thread.interrupt_main)  # unlike an alarm, it is there on every system
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
