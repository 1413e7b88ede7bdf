"""Starting: what a session begins with, as far as a hook has time for it."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memctl.store import open_store


class OutOfTime(BaseException):
    """The time of a hook is over."""


def start(home: str, until: float) -> str:
    """Give what a session begins with, as Claude Code's SessionStart takes it; "" for nothing.

    Raises OutOfTime at *until*, as `time.monotonic` tells it.
    """
    with _timer(until):
        from memctl.ask.inject import start as block  # recall is heavy, and takes most of the time

        context = block(open_store(Path(home)))
    if not context:
        return ""
    said = {"hookEventName": "SessionStart", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False)


@contextlib.contextmanager
def _timer(until: float) -> Iterator[None]:
    """Raise `OutOfTime` in the middle of the work when its time is over."""
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
