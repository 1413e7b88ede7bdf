"""How text looks in a terminal: its width in cells, cutting to a width, and what must never get there."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_PLAIN = re.compile(r"[ -~]*\Z")
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_JAMO_INSIDE = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))  # Hangul vowels and finals join the initial
_NO_CELL = frozenset({"Mn", "Me", "Cf", "Cc", "Cs"})


# --------------------------------------------------------------------------- widths


def display_width(text: str) -> int:
    """Count the terminal cells of one line of *text*.

    CJK and emoji take two cells; combining marks, controls and format characters none; a sequence that
    draws one picture (joined by ZWJ, with a skin tone, a flag) two.
    """
    if _PLAIN.match(text):
        return len(text)
    return sum(cells for _, cells in _clusters(text))


def cut_to_width(text: str, width: int, ellipsis: str = "…") -> str:
    """Cut one line of *text* to at most *width* cells, ending in *ellipsis* when something was cut.

    What belongs to one picture or letter stays together. Where *width* has no room for the ellipsis,
    it is cut too.
    """
    if 2 * len(text) <= width or (len(text) <= width and _PLAIN.match(text)):
        return text  # no character takes more than two cells
    marked = display_width(ellipsis) <= width
    room = width - display_width(ellipsis) if marked else width
    used = kept = end = 0
    for cluster, cells in _clusters(text):
        used += cells
        if used > width:
            return text[:kept] + (ellipsis if marked else "")
        end += len(cluster)
        kept = end if used <= room else kept
    return text


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """Split *text* into what a terminal draws as one, each with its cells."""
    cluster, cells, joins = "", 0, False
    for char in text:
        point, width = ord(char), _cells(char)
        flag = point in _FLAG_LETTERS and len(cluster) == 1 and ord(cluster) in _FLAG_LETTERS
        if cluster and (width == 0 or joins or flag or (point in _SKIN_TONES and cells == 2)):
            cluster += char
            # The style for emoji makes a narrow sign wide; half a flag has one cell.
            cells = 2 if flag or (char == _EMOJI_STYLE and cells == 1) else max(cells, width)
        else:
            if cluster:
                yield cluster, cells
            cluster, cells = char, width
        joins = char == _JOINER and cells == 2  # only pictures are joined into one
    if cluster:
        yield cluster, cells


@lru_cache(maxsize=1 << 14)
def _cells(char: str) -> int:
    if unicodedata.category(char) in _NO_CELL or any(ord(char) in jamo for jamo in _JAMO_INSIDE):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


# --------------------------------------------------------------------------- one line

_WORD = re.compile(r"\S+")
# Not a pattern: one with ranges this far apart takes milliseconds to compile, and start-up is a feature.
_WIDE_SCRIPTS = (
    *(("\u2e80", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("\uf900", "\ufaff")),
    *(("\uff00", "\uffef"), ("\U00020000", "\U0003ffff")),
)
_OPENING = " \t\n\r\x0b\x0c([{<（「『《【〈“‘,;:，、；：-"


def one_line(text: str, limit: int) -> str:
    """Collapse white space and cut at *limit* characters, at a word or CJK boundary, with `…`.

    A word longer than half the limit is cut inside. Only as much of *text* is read as is kept.
    """
    words: list[str] = []
    size = -1
    for match in _WORD.finditer(text):
        words.append(text[match.start() : min(match.end(), match.start() + limit + 1)])
        size += 1 + len(words[-1])
        if size > limit:
            break
    else:
        return " ".join(words)
    if limit < 1:
        return ""
    line = " ".join(words)
    end = limit - 1
    if line[end] != " " and not _is_cjk(line[end]) and not _is_cjk(line[end - 1 : end]):
        while end and unicodedata.category(line[end])[0] == "M":
            end -= 1
        space = max(line.rfind(" ", 0, end), _last_cjk(line, end))
        end = space if space > limit // 2 else end
    kept = line[:end].rstrip(_OPENING)
    return (kept or line[:end].rstrip()) + "…"


def _last_cjk(line: str, end: int) -> int:
    """Give the place after the last CJK character before *end*, or 0."""
    return next((place for place in range(end, end // 2, -1) if _is_cjk(line[place - 1])), 0)


def _is_cjk(char: str) -> bool:
    return not char.isascii() and any(first <= char <= last for first, last in _WIDE_SCRIPTS)


# --------------------------------------------------------------------------- what may be printed

_NOT_PLAIN = re.compile(r"[^\n\t -~]")
_EIGHT_BIT = {"\x90": "P", "\x98": "X", "\x9b": "[", "\x9c": "\\", "\x9d": "]", "\x9e": "^", "\x9f": "_"}
_ESCAPE_CODE = re.compile(  # behind its ESC
    r"\[[0-?]*[ -/]*[@-~]?"  # colours, cursor
    r"|[PX\]^_][^\x07\n]*\x07?"  # titles, links and other strings, to BEL, ESC or the end of the line
    r"|[ -/]*[0-~]?"
)
_ASCII_CONTROLS = dict.fromkeys((*range(9), *range(14, 32), 127)) | dict.fromkeys((11, 12, 13), " ")
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"  # controls, ends of lines
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # what Unicode calls default-ignorable
    "\ud800-\udfff]"
)
_LINE_ENDS = frozenset("\r\x0b\x0c\x85\u2028\u2029")
_STYLES = frozenset("\ufe0e\ufe0f")


def printable(text: str) -> str:
    """Drop what could steer or fool a terminal: escape codes, controls, bidi marks, zero-width characters.

    Newline and tab stay, CRLF becomes a newline, any other line end a space, a lone surrogate U+FFFD; one
    emoji style behind a sign stays. The answer can be encoded in UTF-8 and comes back unchanged when given
    again (DESIGN 10).
    """
    if not _NOT_PLAIN.search(text):
        return text
    text = text.replace("\r\n", "\n")
    for sign, letter in _EIGHT_BIT.items():
        text = text.replace(sign, "\x1b" + letter)
    if "\x1b" in text:
        first, *rest = text.split("\x1b")
        text = first + "".join(_ESCAPE_CODE.sub("", piece, count=1) for piece in rest)
    if text.isascii():
        return text.translate(_ASCII_CONTROLS)
    return _ODD.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    char, start = match[0], match.start()
    if char in _LINE_ENDS:
        return " "
    if char in _STYLES:
        return char if start and not _ODD.match(match.string, start - 1) else ""
    return "\ufffd" if "\ud800" <= char <= "\udfff" else ""
