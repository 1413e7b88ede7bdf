"""The process's own streams: open whatever the caller closed, and an answer that is lost is never lost silently."""

import errno
import io
import os
import sys
from typing import TextIO, cast

_ENCODING = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}


class Outlet(io.FileIO):
    """Where an answer goes: a reader who is gone stops no work (DESIGN 3, "pipes").

    What cannot be written is dropped, and `problem` keeps the first reason.
    """

    def __init__(self, number: int, problem: OSError | None = None) -> None:
        super().__init__(number, "wb", closefd=False)
        self.problem: OSError | None = None
        self._closed_before = problem

    def write(self, data: object, /) -> int | None:  # type: ignore[override]  # None as FileIO gives it
        """Write what can be written; what cannot counts as written."""
        size = memoryview(data).nbytes  # type: ignore[arg-type]  # the buffers of io only
        try:
            if self._closed_before is not None:
                raise self._closed_before
            if self.problem is None:
                return super().write(data)  # type: ignore[arg-type]  # the same
        except OSError as problem:
            self.problem = problem
        return size


def open_streams() -> None:
    """Make stdout and stderr speak UTF-8 whatever the locale; nothing to print can fail to encode."""
    closed = [_fill(number) for number in range(3)]
    sys.stdout = _outlet(sys.stdout, 1, "standard output is closed" if closed[1] else "")
    sys.stderr = _outlet(sys.stderr, 2, "")  # notes that nobody reads are no loss


def lost() -> OSError | None:
    """Say why a part of the answer did not get out; None when all did."""
    outlet = _stdout()
    return outlet.problem if outlet else None


def never_raises() -> bool:
    """Tell that writing to stdout raises nothing, so that a pipe that broke is another one."""
    return _stdout() is not None


def _stdout() -> Outlet | None:
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw if isinstance(raw, Outlet) else None


def is_broken_pipe(problem: OSError) -> bool:
    """Tell that whoever read the answer has gone."""
    return isinstance(problem, BrokenPipeError) or (os.name == "nt" and problem.errno == errno.EINVAL)


def _fill(number: int) -> bool:
    """Open a closed stream's number on nothing, or the next file opened would take its place."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        return True
    return False


def _outlet(stream: TextIO | None, number: int, closed: str) -> TextIO:
    if (
        stream is not None and stream.isatty()
    ):  # nothing breaks there, and Windows writes to it in its own way
        stream.reconfigure(**_ENCODING)  # type: ignore[attr-defined]  # a real stream
        return stream
    outlet = Outlet(number, OSError(errno.EBADF, closed) if closed else None)
    return cast(
        "TextIO",
        io.TextIOWrapper(io.BufferedWriter(outlet), **_ENCODING, line_buffering=number == 2),  # type: ignore[arg-type]  # as text is
    )
