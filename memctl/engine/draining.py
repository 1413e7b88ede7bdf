"""Draining: what hooks noted is taken in, within the time a hook has; and what a session begins with."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memctl import files
from memctl.engine.hooks import log
from memctl.errors import LockedError
from memctl.passes import notes
from memctl.passes.ingest import ingest
from memctl.store import open_store

LOCK_WAIT = 0.2  # seconds for the directory's lock (DESIGN 3)
TIME = 0.8  # seconds of work in a hook; on a busy machine the same work takes more of them
_MOST_BUSY = 4.0  # times longer at most
ENVIRONMENT = "MEMCTL_HOOK_SECONDS"  # says otherwise


class OutOfTime(BaseException):
    """The time of a hook is over."""


def take(home: str, *, in_a_hurry: bool) -> bool:
    """Take in what is noted; False when the lock is not to be had or the time was not enough.

    A pass that is cut harms nothing; the notes stay, and hooks leave them to the next pass.
    """
    store = open_store(Path(home))
    try:
        with files.locked(store.home, LOCK_WAIT), _timer(in_a_hurry=in_a_hurry):
            ingest(store, [], heals=False)
    except LockedError:
        return False
    except OutOfTime:
        log(home, "the session is too long for a hook; what was noted is left to the next pass")
        store.private(notes.SLOW).touch()
        return False
    return True


def start(home: str) -> str:
    """Give what a session begins with, as Claude Code's SessionStart takes it; "" for nothing or no time."""
    from memctl.ask.inject import start as block  # recall is heavy, and only a start needs it

    try:
        with _timer(in_a_hurry=True):
            context = block(open_store(Path(home)))
    except OutOfTime:
        return ""
    if not context:
        return ""
    said = {"hookEventName": "SessionStart", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False)


@contextlib.contextmanager
def _timer(*, in_a_hurry: bool) -> Iterator[None]:
    """Raise `OutOfTime` when the time is over, where the system has timers."""
    import signal

    if not in_a_hurry or not hasattr(signal, "setitimer"):
        yield
        return

    def over(_signal: int, _frame: object) -> None:
        raise OutOfTime

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, float(os.environ.get(ENVIRONMENT) or TIME * _busy()))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _busy() -> float:
    """Say how many programs share a processor: 1 on a machine that is quiet."""
    if not hasattr(os, "getloadavg"):
        return 1.0
    return min(_MOST_BUSY, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
