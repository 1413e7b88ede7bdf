"""Break text into lines of a width in cells, at spaces and between CJK characters."""

import re

from memctl.text.widths import cut_to_width, display_width

# A word, or one wide character with the punctuation that may not be parted from it.
_OPENING = "（［｛〈《「『【〔"
_CLOSING = "，。、；：？！）］｝〉》」』】〕・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ％"
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003fffd"
)
_PIECE = re.compile(rf"[{_OPENING}]*[{_WIDE}][{_CLOSING}]*|[^\s{_WIDE}]+[{_CLOSING}]*|\s+")


def wrap(text: str, width: int, most: int = 0) -> list[str]:
    """Break *text* into lines of at most *width* cells; with more than *most* (0: any) the last ends in `…`.

    Line ends of the text are kept. A word longer than a line is broken where the line ends.
    """
    width = max(width, 2)
    lines = [line for part in text.split("\n") for line in _wrap_line(part, width)]
    if most and len(lines) > most:
        lines[most - 1] = cut_to_width(lines[most - 1] + " " + lines[most], width)
        if not lines[most - 1].endswith("…"):
            lines[most - 1] = cut_to_width(lines[most - 1], width - 1) + "…"
        del lines[most:]
    return lines


def _wrap_line(text: str, width: int) -> list[str]:
    lines = []
    line, used = "", 0
    for piece in _PIECE.findall(text):
        size = display_width(piece)
        if used + size <= width or piece.isspace():
            line, used = line + piece, used + size
            continue
        if line.strip():
            lines.append(line.strip())
        if size > width:
            *full, rest = _break_word(piece, width)
            lines += full
            line, used = rest, display_width(rest)
        else:
            line, used = piece, size
    return [*lines, line.strip()] if line.strip() or not lines else lines


def _break_word(word: str, width: int) -> list[str]:
    """Break a word that is wider than a line, after a sign such as `/` or `_` if one is near."""
    parts, start, used, sign = [], 0, 0, 0
    for at, char in enumerate(word):
        size = display_width(char)
        if used + size > width:
            end = sign if at - sign <= width // 2 and sign > start else at
            parts.append(word[start:end])
            used = sum(map(display_width, word[end:at]))
            start = end
        used += size
        if char in "/_.|:,-=&?":
            sign = at + 1
    return [*parts, word[start:]]
