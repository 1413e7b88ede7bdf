"""Every error memctl raises on purpose, each with the exit code it ends in.

The codes are part of the command line's contract (README, "Exit codes"). Bad user data is not an
error here: readers and checks return it as values with file and line.
"""

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of every command."""

    OK = 0
    NO = 1  # the answer is no: nothing found, a check failed, a difference exists
    USAGE = 2
    FAILED = 3
    NO_DIRECTORY = 10
    LOCKED = 11
    DAMAGED = 12
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class MemctlError(Exception):
    """What happened, where, and what to do; the base of all memctl errors."""

    code: ClassVar[ExitCode] = ExitCode.FAILED


class UsageError(MemctlError):
    """The command line asks for something that makes no sense."""

    code = ExitCode.USAGE


class NotFoundError(MemctlError):
    """An id, pattern or query that matches nothing."""

    code = ExitCode.NO


class AmbiguousError(MemctlError):
    """An id that leads to several things where one is wanted; the message lists them."""

    code = ExitCode.USAGE


class InputError(MemctlError):
    """A named file that is missing, unreadable or holds nothing usable."""

    code = ExitCode.FAILED


class RefusedError(InputError):
    """A model's answer that is not taken; *reasons* say what to correct, in words for the model."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(
            "the answer was rejected and nothing was changed; correct this and answer again with the whole JSON:\n"
            + "\n".join(f"- {reason}" for reason in reasons)
        )
        self.reasons = reasons


class StoreError(MemctlError):
    """The memory directory cannot be written: permissions, a full disk, an unsafe path."""

    code = ExitCode.FAILED


class NoDirectoryError(MemctlError):
    """There is no memory directory here."""

    code = ExitCode.NO_DIRECTORY


class LockedError(MemctlError):
    """Another process is writing to the directory."""

    code = ExitCode.LOCKED


class DamagedError(MemctlError):
    """The directory is damaged, or was written by a newer memctl."""

    code = ExitCode.DAMAGED
