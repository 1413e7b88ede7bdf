"""Names made from text: file names for session ids and times, short hashes, labels (DESIGN 2.1).

Everything here is a pure function of its arguments, on every machine and Python version: where a
character is judged, the answer does not depend on the Unicode tables of the interpreter.
"""

import hashlib
import json
import re
import unicodedata
from datetime import datetime
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
    name = _UNSAFE.sub(_escape, session_id)
    if name.startswith("."):
        name = "%2e" + name[1:]
    if name.endswith("."):
        name = name[:-1] + "%2e"
    if _DEVICE.match(name):
        name = f"%{ord(name[0]):02x}{name[1:]}"
    if name and len(name) <= _NAME_BYTES and not _UPPER.search(session_id):
        return name
    return _cut_name(name) + "~" + short_hash(8, session_id)


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

    The JSON is ASCII, so that lone surrogates hash too (DESIGN 2.1, `<hash n>`).
    """
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:length]


# --------------------------------------------------------------------------- times

_TIME = re.compile(
    r"""\s*
    (?P<year>[0-9]{4}) (?P<dash>-?) (?P<month>[0-9]{2}) (?P=dash) (?P<day>[0-9]{2})
    (?: (?:[Tt_]|[ ]+)
        (?P<hour>[0-9]{2}) (?: :? (?P<minute>[0-9]{2}) (?: :? (?P<second>[0-9]{2})
            (?: [.,] (?P<fraction>[0-9]{1,9}) [0-9]* )? )? )?
        [ ]* (?P<zone> [Zz] | UTC | (?P<sign>[+-]) (?P<zone_hour>[0-9]{2}) :? (?P<zone_minute>[0-9]{2})? )?
    )?
    \s*""",
    re.VERBOSE | re.ASCII,
)


def normal_time(timestamp: str) -> tuple[str, bool]:
    """Write an ISO 8601 time in its one normal form, with an offset; say whether the offset was assumed.

    Returns `YYYY-MM-DDTHH:MM:SS[.fraction]` with `Z` or `+HH:MM`, digits and zone as the transcript gave
    them (a fraction is cut to 9 digits), and True when there was no zone and UTC was taken (DESIGN 2.1).
    A day alone is its midnight. Raises ValueError for what is no time of the calendar.
    """
    match = _TIME.fullmatch(timestamp)
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


def label(text: str, limit: int = 20) -> str:
    """Make a short name for a canvas or scene from *text*: lower-case words joined by `-`, CJK kept.

    At most *limit* characters, NFC, letters and digits only, safe in every file system, never empty
    ("untitled") and the same again when given its own answer (DESIGN 2.1).
    """
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text[:2000]).lower())
    words = "".join(
        char if char.isalnum() or unicodedata.category(char)[0] == "M" else " " for char in text
    ).split()
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > limit:
            name = name or word[:limit]
            break
        name = longer
    if _DEVICE.match(name):
        name += "-"
    return name or "untitled"
