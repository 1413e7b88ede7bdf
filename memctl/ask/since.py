"""--since: reading its time, and telling what is at it or later."""

import contextlib
from datetime import UTC, datetime

from memctl.errors import UsageError
from memctl.text.names import normal_time


def moment(text: str) -> datetime:
    """Read an ISO date or time; raises UsageError."""
    try:
        return _read_time(text)
    except ValueError:
        raise UsageError(f"--since takes an ISO date or time such as 2026-04-12, not {text!r}") from None


def at_or_after(text: str | None, since: datetime) -> bool:
    """Tell whether a stored time is at *since* or later; no time is not."""
    with contextlib.suppress(ValueError):
        return text is not None and _read_time(text) >= since
    return False


def _read_time(text: str) -> datetime:
    found = datetime.fromisoformat(normal_time(text)[0])
    return found if found.tzinfo else found.replace(tzinfo=UTC)
