"""How summaries are worded: plain one-line text, cut at a word, short paths, counted nouns."""

import re
from collections.abc import Iterable

LIMIT = 200  # characters of a summary (DESIGN 2.3)
TARGET_LIMIT = 80  # a target is part of a node's title

# CSI sequences, OSC sequences (titles, links), and the remaining two-character escapes.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")


def plain(text: str) -> str:
    """Take terminal decoration away: escapes, control characters, what `\\r` has overwritten.

    Lone surrogates become U+FFFD, so that the text can be written anywhere. Line ends become "\\n".
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(_after_return(line) for line in text.split("\n"))
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def _after_return(line: str) -> str:
    """Return what a terminal still shows of a line that was overwritten: its last filled part."""
    if "\r" not in line:
        return line
    return next((part for part in reversed(line.split("\r")) if part.strip()), "")


def one_line(text: str) -> str:
    """Join *text* into one line with single blanks."""
    return _BLANKS.sub(" ", text).strip()


def clip(text: str, limit: int = LIMIT) -> str:
    """Make *text* one plain line of at most *limit* characters, cut at a word where one ends near."""
    if len(text) > limit * 8:
        text = text[: limit * 8]  # enough for the limit after blanks are joined
    text = one_line(plain(text))
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    blank = head.rfind(" ")
    if blank > limit * 2 // 3:
        head = head[:blank]
    return head.rstrip(" ,;:.(") + "…"


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a counted noun: `1 file`, `3 files`, `2 matches` (with *plural*)."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def joined(items: Iterable[str], limit: int, separator: str = ", ") -> str:
    """Join as many *items* as fit into *limit* characters; `+N` says how many are left out."""
    listed = list(items)
    text = ""
    for position, item in enumerate(listed):
        longer = f"{text}{separator}{item}" if text else clip(item, limit)
        rest = len(listed) - position - 1
        if text and len(longer) + (len(f" +{rest}") if rest else 0) > limit:
            return f"{text} +{rest + 1}"
        text = longer
    return text


def short_path(path: str, parts: int = 2) -> str:
    """Shorten a path to its last *parts*: `/a/b/src/auth.py` is `src/auth.py`."""
    path = one_line(plain(path[-1000:])).strip("\"'`")
    pieces = [piece for piece in path.replace("\\", "/").split("/") if piece not in ("", ".")]
    return clip("/".join(pieces[-parts:]) or path or ".", TARGET_LIMIT)


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return short_path(path, 1)


def short_address(address: str) -> str:
    """Shorten an address to its host and path, without scheme, query and fragment."""
    rest = address.strip()[:2000].partition("://")[2] or address.strip()[:2000]
    rest = re.split(r"[?#]", rest, maxsplit=1)[0].removeprefix("www.").rstrip("/")
    return clip(rest, TARGET_LIMIT)


def size(number: int) -> str:
    """Write a number of bytes or characters for people: `812 B`, `14 KB`, `3.2 MB`."""
    if number < 1000:
        return f"{number} B"
    if number < 1_000_000:
        return f"{number / 1000:.0f} KB"
    return f"{number / 1_000_000:.1f} MB"
