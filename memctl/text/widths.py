"""How text looks in a terminal: its width in cells, cutting to a width, and what must never get there."""

import re
import unicodedata

_CONTROL = re.compile(r"[^ -~]")
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?"
)
_SPACES = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def display_width(text: str) -> int:
    """Count the terminal cells of one line of *text*: CJK and emoji two, combining marks none."""
    if not _CONTROL.search(text):
        return len(text)
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut_to_width(text: str, width: int, ellipsis: str = "…") -> str:
    """Cut one line of *text* to at most *width* cells, ending in *ellipsis* when something was cut."""
    if display_width(text) <= width:
        return text
    room = width - display_width(ellipsis)
    if room < 0:
        return cut_to_width(text, width, "") if ellipsis else ""
    end = 0
    for char in text:
        room -= _cell(char)
        if room < 0:
            break
        end += 1
    return text[:end] + ellipsis


def one_line(text: str, limit: int) -> str:
    """Collapse white space and cut at *limit* characters, at a word or CJK boundary, with `…`."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    space = cut.rfind(" ")
    if space > limit // 2 and line[limit - 1].isascii() and line[limit - 1] != " ":
        cut = cut[:space]
    return cut.rstrip() + "…"


def printable(text: str) -> str:
    """Drop what could steer or fool a terminal: escape codes, controls, bidi overrides, zero-width characters.

    Newline and tab stay, other line ends become a space, a lone surrogate becomes U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _ESCAPES.sub("", text)
    text = _SPACES.sub(lambda match: "\n" if match[0] == "\r\n" else " ", text)
    text = _HIDDEN.sub("", text)
    return _SURROGATE.sub("\ufffd", text)
