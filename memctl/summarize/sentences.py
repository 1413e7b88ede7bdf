"""Prose taken apart: an agent's message as sentences, without Markdown, in English and in CJK."""

from collections.abc import Iterator

from memctl.summarize.patterns import regex
from memctl.text.letters import CJK

_FENCE = regex(r"^[ \t]*(```|~~~)")
_HEADING = regex(r"^#{1,6}\s|^\|.*\||^[-=*_\s|:]+$|^<[^<>]{1,60}>$")
_MARK = regex(r"^[ \t]*+(?:>\s*)*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)?")
_TAGS = regex(r"</?(?:thinking|think|antml|answer|summary|analysis)[^<>\n]{0,60}>")
# A full stop ends a sentence before a capital letter, but within no code. One that is glued to the next ends it
# only where somebody goes on speaking ("context.Now, I see"): `time.Time` and `React.Component` are names.
_END = regex(
    rf"`[^`\n]+`|(?P<end>(?<=[.!?])[\"')*]*\s+(?=[\"'(\[*`]*[A-Z\d{CJK}])"
    r"|(?<=[a-z0-9)`]\.)(?=(?:(?:Now|Next),? )?(?:I|We|Let|The (?:issue|problem|bug|cause)|Options)(?![\w-]))"
    r"|(?<=[。！？])|(?<=[다요죠음]\.)\s+)"
)
# Where a list has lost its line breaks: "fragile because:1. Typos", "the issue is:- store needs".
_GLUED = regex(
    r"(?<=[^\W\d][:：])(?=(?:\d{1,2}[.)]|[-•]) ?`?[^\W\d])|(?<=[a-z)`][.!?])(?=\d{1,2}\. ?[A-Z`*])"
)
_FIRST_ITEM = regex(r"[:：]1[.)] ?\w")
_NEXT_ITEM = regex(r"(?<=[a-z)`'\"])(?=[2-9]\. ?[A-Z`*])")
_ABBREVIATED = regex(r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|No|Fig|Mr|Dr)\.)$")


def sentences(text: str, longest: int = 4000, most: int = 16) -> list[str]:
    """Return the sentences of a message; headings, tables and code are left out, Markdown marks taken off."""
    return [sentence for sentence, _ in placed(text, longest, most)]


def placed(text: str, longest: int = 4000, most: int = 16) -> list[tuple[str, bool]]:
    """Return the sentences of a message, each with whether it goes on with the one before it.

    What stands behind a heading, a table or code does not.
    """
    found: list[tuple[str, bool]] = []
    fenced = False
    goes_on = True
    text = text[:longest]
    if "<" in text:
        text = _TAGS.sub("\n", text)
    if _FIRST_ITEM.search(text):
        text = _NEXT_ITEM.sub("\n", text)
    for line in _GLUED.sub("\n", text).split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            goes_on = False
            continue
        if fenced or not line.strip() or _HEADING.match(line.strip()):
            goes_on = goes_on and not line.strip()
            continue
        pending = ""
        for piece in _pieces(_MARK.sub("", line.replace("**", ""), count=1).strip()):
            pending = f"{pending} {piece}".strip() if pending else piece.strip()
            if pending and not _ABBREVIATED.search(pending):
                found.append((pending, goes_on))
                pending, goes_on = "", True
        if pending:
            found.append((pending, goes_on))
            goes_on = True
        if len(found) >= most:
            break
    return found[:most]


def _pieces(line: str) -> Iterator[str]:
    """Split a line where a sentence may end; the marks of code are taken off."""
    start = 0
    for match in _END.finditer(line):
        if match["end"] is not None:
            yield line[start : match.start()].replace("`", "")
            start = match.end()
    yield line[start:].replace("`", "")
