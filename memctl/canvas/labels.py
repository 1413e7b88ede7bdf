"""Where a label that Mermaid cannot read was meant to end, and the label written so that it can."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memctl.canvas.source import SPACE, decode_entities

_CLOSERS = {
    "(((": (")))",),
    "((": ("))",),
    "([": ("])",),
    "(-": ("-)",),
    "(": (")",),
    "[(": (")]",),
    "[[": ("]]",),
    "[/": ("/]", "\\]"),
    "[\\": ("\\]", "/]"),
    "[": ("]",),
    "{{": ("}}",),
    "{": ("}",),
    ">": ("]",),
    "|": ("|",),
}
_OPENERS = sorted(_CLOSERS, key=len, reverse=True)
# What may follow a node: nothing, a separator, another node or a class, a link.
_AFTER_NODE = re.compile(r"[ \t]*(?:;|$|&[ \t]|:::|@\{|[xo<]?(?:--|==|-\.)|~~~)", re.MULTILINE)
_AFTER_EDGE_LABEL = re.compile(r"[ \t]*[^\s|()\[\]{}<>\"-]")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_LONGEST = 2_000  # characters of a line that are searched for the end of a label


@dataclass(frozen=True, slots=True)
class Extent:
    """A label that stands at *start* up to *end* in a text, both with its brackets."""

    start: int
    end: int
    opener: str
    inner: str
    closer: str

    def quoted(self) -> str:
        """Give the label with its text in quotes, and what would break those as entities."""
        return f'{self.opener}"{quote_inner(self.inner)}"{self.closer}'


def quote_inner(inner: str) -> str:
    """Write the text of a broken label so that it can stand between quotes."""
    text = inner.strip(SPACE)
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        text = text[1:-1]
    elif text.startswith('"') and text.count('"') == 1:
        text = text[1:]
    text = text.replace('\\"', '"').replace('"', "#quot;")
    if text.startswith("`") or text.endswith("`"):
        text = text.replace("`", "#96;")
    return text or " "


def find_extent(text: str, start: int) -> Extent | None:
    """Find the label that a bracket at *start* opens: the first end on its line that makes sense.

    It makes sense when brackets are even inside and after it comes what may follow a node (or a node, after
    the label of an edge). When no end has even brackets inside, the only end there is will do.
    """
    opener = next((opener for opener in _OPENERS if text.startswith(opener, start)), None)
    if not opener:
        return None
    stop = text.find("\n", start)
    stop = min(len(text) if stop < 0 else stop, start + _LONGEST)
    after = _AFTER_EDGE_LABEL if opener == "|" else _AFTER_NODE
    ends = list(_ends(text, start + len(opener), stop, _CLOSERS[opener], after))
    even = [end for end in ends if _even(text[start + len(opener) : end[0]])]
    if not even and len(ends) != 1:
        return None
    at, closer = (even or ends)[0]
    return Extent(start, at + len(closer), opener, decode_entities(text[start + len(opener) : at]), closer)


def _ends(
    text: str, start: int, stop: int, closers: tuple[str, ...], after: re.Pattern[str]
) -> Iterator[tuple[int, str]]:
    for at in range(start, stop):
        closer = next((closer for closer in closers if text.startswith(closer, at)), None)
        if closer and after.match(text, at + len(closer)):
            yield at, closer


def _even(text: str) -> bool:
    """Tell whether every bracket in *text* has its partner."""
    open_brackets: list[str] = []
    for char in text:
        if char in "([{":
            open_brackets.append(char)
        elif char in _PAIRS and (not open_brackets or open_brackets.pop() != _PAIRS[char]):
            return False
    return not open_brackets
