"""A finding of `validate` or `check`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding of `validate` or `check`: where, a stable code, what, and what to do.

    other: the file at the far end of a broken link, such as a ref that is gone.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: Literal["error", "warning", "note"] = "error"
    hint: str = ""
    other: str = ""

    @property
    def told(self) -> str:
        """The message with what to do about it."""
        return f"{self.message}; {self.hint}" if self.hint else self.message
