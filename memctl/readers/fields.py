"""Take typed values out of parsed JSON that may hold anything, and make the parts every format shares."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from memctl import files
from memctl.model import Event, Image, Json, Raw, SessionFacts

NO_ID = "session"
"""The key of the one session of a file that says no id of it."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATA_URL = re.compile(r"data:([^,;]{0,100})(;[^,]{0,200})?,")
_SECONDS = 100_000_000_000  # an epoch above this (the year 5138 in seconds) counts milliseconds


def string(value: Json) -> str | None:
    """Give *value* when it is a string with something in it, else None."""
    return value if isinstance(value, str) and value else None


def mapping(value: Json) -> Mapping[str, Json]:
    """Give *value* when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> list[Json]:
    """Give *value* when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects(head: Sequence[Json]) -> list[Mapping[str, Json]]:
    """Give the objects at the beginning of a source (`Source.head`); those of a document that is a list."""
    if len(head) == 1 and isinstance(head[0], list):
        head = head[0][:20]
    return [value for value in head if isinstance(value, dict)]


def first(record: Mapping[str, Json], *keys: str) -> Json:
    """Give the value of the first of *keys* that *record* has and that is not null."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def time(value: Json) -> str | None:
    """Give *value* when it reads like an ISO 8601 time; anything else is no time (DESIGN 2.1)."""
    return value if isinstance(value, str) and _DATE.match(value) else None


def epoch(value: Json) -> str | None:
    """Write seconds or milliseconds since 1970, as a number, as ISO 8601 in UTC with milliseconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    try:
        seconds = value / 1000 if value > _SECONDS else value
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def counts(value: Json) -> Mapping[str, int] | None:
    """Give the whole numbers of a usage record under its own names, or None when it counts nothing."""
    found = {key: n for key, n in mapping(value).items() if isinstance(n, int) and not isinstance(n, bool)}
    return found if any(found.values()) else None


def known(**facts: Json) -> Mapping[str, str]:
    """Collect the facts that are strings with something in them (`SessionFacts.facts`)."""
    return {name: value for name, value in facts.items() if string(value)}


def more_facts(key: str | None, format_name: str, facts: Mapping[str, str]) -> Iterator[Event]:
    """Give the facts that a session's first line did not have, once there is a session and a fact."""
    if key and facts:
        yield SessionFacts(key, None if key == NO_ID else key, format_name, facts=facts)


def image(url: Json) -> Image | Raw:
    """Make a picture of an address; a `data:` address gives its base64 as it stands."""
    if not string(url):
        return Raw({"image_url": url})
    match = _DATA_URL.match(url)
    if match and "base64" in (match[2] or ""):
        return Image(match[1], data=url[match.end() :])
    return Image("", url=url)


def compact(value: Json) -> str:
    """Write a value that has no text of its own as JSON on one line."""
    return files.encode(value).decode()
