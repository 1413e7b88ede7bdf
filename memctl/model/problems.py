"""A finding of `validate` or `check`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding of `validate` or `check`: where, a stable code, what, and what to do."""

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: Literal["error", "warning", "note"] = "error"
    hint: str = ""
