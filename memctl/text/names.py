"""Names made from text: file names for session ids and times, short hashes, labels (DESIGN 2.1).

Everything here is a pure function of its arguments, on every machine and Python version: where a
character is judged, the answer does not depend on the Unicode tables of the interpreter.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

_NAME_BYTES = 120  # DESIGN 2.1
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_UPPER = re.compile(r"[A-Z]")


# --------------------------------------------------------------------------- session ids


def safe_name(session_id: str) -> str:
    """Turn a session id into a file name that no file system mistakes for another's.

    At most 120 ASCII bytes, never empty, never `.` or `..`, never a Windows device. Two ids give two
    names, also where case does not count: an id with an upper-case letter (A to Z; every other letter
    is escaped) and an id that had to be cut end in `~<hash8>`, and a `~` of the id itself is escaped.
    Source: DESIGN 2.1.
    """
    start = safe_start(session_id)
    return start + short_hash(8, session_id) if start.endswith("~") else start


def safe_start(session_id: str) -> str:
    """Give the safe name of a session id but for its hash: what can be told without making one."""
    name = _UNSAFE.sub(_escape, session_id)
    if name.startswith("."):
        name = "%2e" + name[1:]
    if name.endswith("."):
        name = name[:-1] + "%2e"
    if _DEVICE.match(name):
        name = f"%{ord(name[0]):02x}{name[1:]}"
    if name and len(name) <= _NAME_BYTES and not _UPPER.search(session_id):
        return name
    return _cut_name(name) + "~"


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02x}" for byte in match[0].encode("utf-8", "surrogatepass"))


def _cut_name(name: str) -> str:
    """Cut an escaped *name* so that `~<hash8>` still fits, never inside an escape."""
    room = _NAME_BYTES - 9
    if len(name) <= room:
        return name
    escape = name.rfind("%", room - 2, room)
    return name[:room] if escape < 0 else name[:escape]


# --------------------------------------------------------------------------- hashes


def short_hash(length: int, *parts: Any) -> str:
    """Give the first *length* hex digits of sha256 over the compact JSON array of *parts*.

    The JSON is ASCII, so that lone surrogates hash too (DESIGN 2.1, `<hash n>`). Values nested deeper than
    Python's recursion allows hash like any other.
    """
    try:
        text = _JSON.encode(parts)
    except RecursionError:
        text = "".join(_deep_json(parts))
    import hashlib  # loads OpenSSL, which a small command does without

    return hashlib.sha256(text.encode("ascii")).hexdigest()[:length]


_JSON = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))
_CLOSE = object()


def _deep_json(value: Any) -> Iterator[str]:
    """Write a value of any depth as `_JSON` would."""
    todo: list[tuple[Any, Any]] = [("", value)]
    while todo:
        before, value = todo.pop()
        yield before
        if isinstance(value, dict):
            yield "{"
            todo.append(("}", _CLOSE))
            members = [(f"{_JSON.encode(key)}:", child) for key, child in value.items()]
            todo += reversed(
                [(f"{',' if n else ''}{name}", child) for n, (name, child) in enumerate(members)]
            )
        elif isinstance(value, list | tuple):
            yield "["
            todo.append(("]", _CLOSE))
            todo += reversed([("," if n else "", child) for n, child in enumerate(value)])
        elif value is not _CLOSE:
            yield _JSON.encode(value)


# --------------------------------------------------------------------------- commands


def quoted(name: str) -> str:
    """Write an id as a shell takes it."""
    if name.isascii() and name.replace("-", "").replace("_", "").isalnum():
        return name
    import shlex

    return shlex.quote(name)


# --------------------------------------------------------------------------- times

_LONGEST_TIME = 100  # characters; nanoseconds, a zone and much white space are some 60
_BLANK = " \t\n\r\f\v"
_TIME = r"""
    (?P<year>[0-9]{4}) (?P<dash>-?) (?P<month>[0-9]{2}) (?P=dash) (?P<day>[0-9]{2})
    (?: (?:[Tt_]|[ ]++)
        (?P<hour>[0-9]{2}) (?: :? (?P<minute>[0-9]{2}) (?: :? (?P<second>[0-9]{2})
            (?: [.,] (?P<fraction>[0-9]{1,9}) [0-9]* )? )? )?
        (?: [ ]*+ (?P<zone> [Zz] | UTC | (?P<sign>[+-]) (?P<zone_hour>[0-9]{2}) :? (?P<zone_minute>[0-9]{2})? ) )?
    )?
"""


@cache
def _time_pattern() -> re.Pattern[str]:
    return re.compile(_TIME, re.VERBOSE | re.ASCII)  # when it is first asked for: start-up is a feature


def normal_time(timestamp: str) -> tuple[str, bool]:
    """Write an ISO 8601 time in its one normal form, with an offset; say whether the offset was assumed.

    Returns `YYYY-MM-DDTHH:MM:SS[.fraction]` with `Z` or `+HH:MM`, digits and zone as the transcript gave
    them (a fraction is cut to 9 digits), and True when there was no zone and UTC was taken (DESIGN 2.1).
    A day alone is its midnight. Raises ValueError for what is no time of the calendar.
    """
    timestamp = timestamp.strip(_BLANK)
    match = _time_pattern().fullmatch(timestamp) if len(timestamp) <= _LONGEST_TIME else None
    if match is None:
        raise ValueError(f"not an ISO 8601 time: {timestamp[:80]!r}")
    date = f"{match['year']}-{match['month']}-{match['day']}"
    clock = f"{match['hour'] or '00'}:{match['minute'] or '00'}:{match['second'] or '00'}"
    fraction = f".{match['fraction']}" if match["fraction"] else ""
    zone, assumed = "Z", match["zone"] is None
    if match["sign"]:
        zone = f"{match['sign']}{match['zone_hour']}:{match['zone_minute'] or '00'}"
    datetime.fromisoformat(f"{date}T{clock}{zone}")  # raises ValueError for 30 February, 25:00, +99:00
    return f"{date}T{clock}{fraction}{zone}", assumed


def file_time(timestamp: str) -> str:
    """Write a time so that it can be part of a file name: `2026-04-12T21-00-33-872p08-00`.

    `:` and `.` become `-`; the sign of the offset `p` or `m`; `Z` stays (DESIGN 2.2). Raises ValueError
    as `normal_time` does.
    """
    time, _ = normal_time(timestamp)
    date, clock = time[:10], time[10:]
    clock = clock.replace("-", "m").replace("+", "p").replace(":", "-").replace(".", "-")
    return date + clock


def month_of(timestamp: str) -> str:
    """Give the month of a time as written, `2026-04`. Raises ValueError as `normal_time` does."""
    return normal_time(timestamp)[0][:7]


def day_of(timestamp: str) -> str:
    """Give the day of a time as written, `2026-04-12`. Raises ValueError as `normal_time` does."""
    return normal_time(timestamp)[0][:10]


# --------------------------------------------------------------------------- labels

_READ = 500  # characters of a text that are looked at
_EAST = (("\u2e80", "\u9fff"), ("\uac00", "\ud7a3"), ("\U00020000", "\U0003ffff"))  # cut anywhere


def label(text: str, limit: int = 20) -> str:
    """Make a short name for a canvas or scene from *text*: lower-case words joined by `-`, CJK kept.

    At most *limit* characters (8 or more), NFC, letters and digits only, safe in every file system, never
    empty ("untitled"), and the same again when given its own answer (DESIGN 2.1).
    """
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text[:_READ]).lower())
    name = ""
    for word in _words(text):
        room = limit - len(name) - (1 if name else 0)
        if len(word) > room and not (len(name) < limit // 2 or _is_east(word[0])):
            break
        name += ("-" if name and room > 0 else "") + word[: max(room, 0)]
        if len(word) > room:
            break
    return f"{name}-" if _DEVICE.match(name) else name or "untitled"


def _is_east(char: str) -> bool:
    return any(first <= char <= last for first, last in _EAST)


def _words(text: str) -> list[str]:
    """Split into runs of letters and digits with their marks; all of the planes for Han count as letters."""
    kept: list[str] = []
    for char in text:
        mark = kept and kept[-1] != " " and _is_mark(char)
        kept.append(char if mark or char.isalnum() or "\U00020000" <= char <= "\U0003ffff" else " ")
    return "".join(kept).split()


def _is_mark(char: str) -> bool:
    """Tell a mark that shows from one that only picks a style (variation selectors, joiners)."""
    hidden = char == "\u034f" or "\ufe00" <= char <= "\ufe0f" or "\u180b" <= char <= "\u180f"
    return unicodedata.category(char)[0] == "M" and not hidden and char < "\U000e0000"
