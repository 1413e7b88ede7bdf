"""Take typed values out of the fields of a stored line, which may hold anything."""

from collections.abc import Mapping
from datetime import UTC, datetime

from memctl.model import Json


def text_in(fields: Mapping[str, Json], name: str) -> str | None:
    """Give a field that is a string, else None."""
    value = fields.get(name)
    return value if isinstance(value, str) else None


def texts_in(fields: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """Give the strings of a field that is a list."""
    value = fields.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def whole_in(fields: Mapping[str, Json], name: str, default: int) -> int:
    """Give a field that is a whole number, else *default*."""
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def time_in(fields: Mapping[str, Json], name: str) -> str | None:
    """Give a field that is a time, as it is written; the original writes seconds or milliseconds since 1970."""
    value = fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        seconds = value / 1000 if value > 1e11 else value
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    return value if isinstance(value, str) and value else None
