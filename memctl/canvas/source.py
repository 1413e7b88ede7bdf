"""What Mermaid does to a text before it reads it as a flowchart, with the way back to lines and columns.

Front matter, directives and comments go, entities are marked, a few characters are dropped. Everything is
either a removal or a change that keeps lengths, so a position in the result leads to one in the original.
Rules as in Mermaid 11.16; every step takes linear time.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

# JavaScript's \s; Python's also takes U+001C to U+001F and U+0085, and not U+FEFF.
SPACE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
ENTITY_START, ENTITY_END = "\ufdd0", "\ufdd1"  # stand for `#` and `;` of an entity; no characters themselves

_INDENT = SPACE.replace("\n", "").replace("\r", "")
_TAG = re.compile(r"(<[A-Za-z0-9_]+)([^>]*>)")
_ATTRIBUTE = re.compile(r'="([^"]*)"')
_FRONT = re.compile(rf"([{_INDENT}]*)---([{SPACE}]*)")
_DIRECTIVE = re.compile(
    rf"""%%\{{[{SPACE}]*+(?:[A-Za-z0-9_]++[{SPACE}]*+:|[A-Za-z0-9_]++)[{SPACE}]*+
    (?:[A-Za-z0-9_]++|(?:(?!\}}%%)[^\r\u2028\u2029])*+)[{SPACE}]*+(?:\}}%%)?""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"%%(?!\{)[^\n]+\n?")
_LINE_END = re.compile(r"[\n\u2028\u2029]")
_STATEMENT = re.compile(r"(style|classDef)[^\n\u2028\u2029]*")
_COLON_HASH = re.compile(rf":[^{SPACE}#:]*#")
_ENTITY = re.compile(r"#([A-Za-z0-9_]+);")
_AFTER_BRACE = re.compile(rf"\}}([{SPACE}]*)\n")
_C4 = re.compile(r"C4(?:Container|Component|Dynamic|Deployment)")
_TYPE_COMMENT = re.compile(rf"(?:[{SPACE}]*+%%[^\n\u2028\u2029]*\n)*[{SPACE}]*")
_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9-]*|-{3}|[^\n]?")

_Spans = list[tuple[int, int]]  # (offset from which, how much to add for the original)


@dataclass(frozen=True, slots=True)
class Source:
    """A text as Mermaid's flowchart parser gets it.

    text: ends in a newline. original: the text given, with plain line ends. kind: the first word, which
    decides the type of diagram, and where it stands. c4_at: where a word stands that makes it a C4 diagram.
    front: the YAML of the front matter and the line on which it begins.
    """

    text: str
    original: str
    kind: str
    kind_at: int
    c4_at: int | None
    front: tuple[str, int] | None
    spans: tuple[tuple[int, ...], tuple[int, ...]]
    lines: tuple[int, ...]

    def origin(self, offset: int) -> int:
        """Give the offset in the original of *offset* in the text."""
        starts, shifts = self.spans
        return min(offset + shifts[bisect_right(starts, offset) - 1], len(self.original))

    def place(self, offset: int) -> tuple[int, int]:
        """Give line and column, from 1, in the original of *offset* in the text."""
        origin = min(self.origin(offset), max(len(self.original) - 1, 0))
        line = bisect_right(self.lines, origin)
        return line, origin - self.lines[line - 1] + 1


def prepare(text: str) -> Source:
    """Do to *text* what Mermaid does before its flowchart parser runs."""
    original = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = (0, *(match.end() for match in re.finditer("\n", original)))
    end = original.rfind(">") + 1 if '="' in original else 0
    text = _TAG.sub(_single_quotes, original[:end]) + original[end:]
    text = text.replace(ENTITY_START, "\ufffd").replace(ENTITY_END, "\ufffd")
    spans: _Spans = [(0, 0)]
    front, front_end = _front_matter(text)
    text, spans = _cut(text, spans, [(0, front_end)])
    text, spans = _cut(text, spans, [match.span() for match in _DIRECTIVE.finditer(text)])
    text, spans = _cut(text, spans, _comments(text))
    text, spans = _cut(text, spans, [(0, len(text) - len(text.lstrip(SPACE)))])
    skipped = _TYPE_COMMENT.match(text)
    kind_at = skipped.end() if skipped else 0
    kind = _TYPE.match(text, kind_at)
    c4_at = _c4_word(text)
    for word in ("style", "classDef"):
        text, spans = _cut(text, spans, _style_ends(text, word))
    text = _ENTITY.sub(lambda match: ENTITY_START + match[1] + ENTITY_END, text) + "\n"
    text, spans = _cut(text, spans, [match.span(1) for match in _AFTER_BRACE.finditer(text) if match[1]])
    starts, shifts = zip(*spans, strict=True)
    return Source(text, original, kind[0] if kind else "", kind_at, c4_at, front, (starts, shifts), lines)


def decode_entities(text: str) -> str:
    """Write entities as they stood in the original: `#35;`."""
    return text.replace(ENTITY_START, "#").replace(ENTITY_END, ";")


def _cut(text: str, spans: _Spans, ranges: list[tuple[int, int]]) -> tuple[str, _Spans]:
    """Take *ranges* (sorted, apart) out of *text* and keep account of it in *spans*."""
    ranges = [(start, end) for start, end in ranges if start < end]
    if not ranges:
        return text, spans
    pieces: list[str] = []
    kept: _Spans = []
    size = begin = at = 0
    for start, end in [*ranges, (len(text), len(text))]:
        if start > begin or not kept:
            while at + 1 < len(spans) and spans[at + 1][0] <= begin:
                at += 1
            kept.append((size, spans[at][1] + begin - size))
            while at + 1 < len(spans) and spans[at + 1][0] < start:
                at += 1
                kept.append((size + spans[at][0] - begin, spans[at][1] + begin - size))
            pieces.append(text[begin:start])
            size += start - begin
        begin = end
    return "".join(pieces), kept


def _single_quotes(match: re.Match[str]) -> str:
    return match[1] + _ATTRIBUTE.sub(r"='\1'", match[2])


def _front_matter(text: str) -> tuple[tuple[str, int] | None, int]:
    """Find YAML between `---` lines at the very start: it and its first line, and where it ends (0: none)."""
    opening = _FRONT.match(text)
    if not opening:
        return None, 0
    indent = opening[1]
    closing = re.compile(rf"\n{re.escape(indent)}---[{SPACE}]*\n")
    breaks = [at for at in range(*opening.span(2)) if text[at] == "\n"]
    for at in reversed(
        breaks[-2:]
    ):  # the first line break belongs to the closing line when there is no other
        found = closing.search(text, at + 1)
        if found:
            body = text[at + 1 : found.start()]
            yaml = "\n".join(line.removeprefix(indent) for line in body.split("\n"))
            return (yaml, text.count("\n", 0, at + 1) + 1), found.end()
    return None, 0


def _comments(text: str) -> list[tuple[int, int]]:
    """Find comment lines, each with the blank lines before it."""
    ranges: list[tuple[int, int]] = []
    begin, at = 0, text.find("%%")
    while at >= 0:
        start = at
        while start > begin and text[start - 1] in SPACE:
            start -= 1
        if start and not _LINE_END.match(
            text, start - 1
        ):  # something else begins the line, or the lines before
            found = _LINE_END.search(text, start, at)
            start = found.end() if found else -1
        comment = _COMMENT.match(text, at) if start >= 0 else None
        if comment:
            ranges.append((start, comment.end()))
            begin = comment.end()
        at = text.find("%%", comment.end() if comment else at + 1)
    return ranges


def _c4_word(text: str) -> int | None:
    """Find a word that makes Mermaid take the text for a C4 diagram, wherever it stands but behind `%%`."""
    line_end = comment = 0
    for match in _C4.finditer(text):
        if match.start() >= line_end:
            line_start = text.rfind("\n", line_end, match.start()) + 1 or line_end
            line_end = text.find("\n", match.start())
            line_end = len(text) if line_end < 0 else line_end
            comment = text.find("%%", line_start, line_end)
        if not 0 <= comment < match.start():
            return match.start()
    return None


def _style_ends(text: str, word: str) -> list[tuple[int, int]]:
    """Find the semicolons that Mermaid takes from lines such as `style A fill:#fff;`."""
    ranges = []
    at = text.find(word)
    while at >= 0:
        end = _LINE_END.search(text, at)
        stop = end.start() if end else len(text)
        colon = _COLON_HASH.search(text, at + len(word), stop)
        last = text.rfind(";", colon.end(), stop) if colon else -1
        if last >= 0:
            ranges.append((last, last + 1))
        at = text.find(word, stop)
    return ranges
