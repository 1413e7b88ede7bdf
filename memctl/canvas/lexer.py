"""Mermaid's flowchart lexer (as in Mermaid 11.16): a prepared text as tokens, in linear time.

A token is (kind, start, end); kinds carry Mermaid's own names. The lexer keeps a stack of states, and in
each the first rule that matches wins. What no rule matches gives one `ERROR` token, and the tokens end.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

from memctl.canvas.lexicon import AT_END, REGEXES, STATES
from memctl.canvas.source import SPACE

Token = tuple[str, int, int]

_S = f"[{SPACE}]"
_SPACES = re.compile(f"{_S}*")
_PIECE = re.compile(rf"\n+|[{SPACE.replace(chr(10), '')}]+")
_DIRECTIONS = re.compile(rf"direction{_S}+(TB|BT|RL|LR|TD)|[\n\u2028\u2029]")
_LINE_END = re.compile(r"[\n\u2028\u2029]")
_ID_RUN = re.compile(rf'[^{SPACE}"]*')
_EDGE_STATES = {
    # what ends the text of an edge, the link that may stand there, and what may stand before it
    "edge": (re.compile(r'--|"'), re.compile(rf"--+[-xo>]{_S}*"), ""),
    "thick_edge": (re.compile(r'=|"'), re.compile(rf"==+[=xo>]{_S}*"), ""),
    "dotted_edge": (re.compile(r'\.|"'), re.compile(rf"\.+-[xo>]?{_S}*"), "-"),
}


@dataclass(slots=True)
class Lexer:
    """Where the reading of *text* stands, with what was looked up ahead so that no line is scanned twice."""

    text: str
    at: int
    begun: bool  # the `flowchart` line has been
    stack: list[str]
    directions: list[tuple[int, int, int, str]]  # line start, start, end, direction
    ids: bool  # there is an `@`
    run: tuple[int, int] = (0, 0)  # up to where no space or quote stands, and the last `@` before that
    spaces: int = 0  # up to where white space is known to hold no link
    ended: bool = False


def start_lexer(text: str) -> Lexer:
    """Begin to read *text*, a `Source.text`."""
    directions = _find_directions(text) if "direction" in text else []
    return Lexer(text, 0, begun=False, stack=["initial"], directions=directions, ids="@" in text)


def move_lexer(lexer: Lexer, at: int, *, begun: bool = True) -> None:
    """Go on reading at *at* as if a statement began there."""
    lexer.at, lexer.begun, lexer.ended = at, begun, False
    lexer.stack[:] = ["initial"]
    lexer.run, lexer.spaces = (0, 0), 0


def next_token(lexer: Lexer) -> Token:
    """Read one token; the last is `EOF`, `END` when something is still open, or `ERROR`, again and again."""
    size = len(lexer.text)
    while lexer.at < size:
        state = lexer.stack[-1]
        if state in _EDGE_STATES:
            token = _edge_text(lexer, state)
        elif state == "initial" and lexer.text[lexer.at] in SPACE:
            token = _space(lexer)
        else:
            token = _step(lexer, state)
        if token:
            return token
    state = lexer.stack[-1]
    if state in AT_END and not lexer.ended:
        lexer.ended = True
        return AT_END[state], size, size
    return "EOF" if state == "initial" else "END", size, size


def _step(lexer: Lexer, state: str) -> Token | None:
    """Apply the first rule of *state* that matches."""
    text, at = lexer.text, lexer.at
    if state == "initial" and (lexer.directions or lexer.ids):
        match = REGEXES["keywords"].match(text, at)
        if match:
            return _apply(lexer, "keywords", match)
        token = _direction(lexer, at) or _link_id(lexer)
        if token:
            lexer.at = token[2]
            return token
        state = "words"
    start = at
    if state == "direction" and text[at] in SPACE:
        start = _SPACES.match(text, at).end()  # type: ignore[union-attr] # it always matches
        newline = text.rfind("\n", at, start)
        if newline >= 0:
            lexer.stack.pop()
            lexer.at = newline + 1
            return "NODIR", at, lexer.at
    match = REGEXES[state].match(text, start)
    return _apply(lexer, state, match) if match else ("ERROR", at, at + 1)


def _apply(lexer: Lexer, state: str, match: re.Match[str]) -> Token | None:
    rule = STATES[state][(match.lastindex or 1) - 1]
    if rule.pop:
        lexer.stack.pop()
    if rule.push:
        lexer.stack.append(rule.push)
    if rule.kind == "GRAPH" and not lexer.begun:
        lexer.begun = True
        lexer.stack.append("direction")
    start, lexer.at = match.span()
    return (rule.kind, start, lexer.at) if rule.kind else None


def _space(lexer: Lexer) -> Token | None:
    """Read white space between words: line ends, other spaces, or the link that begins with them."""
    text, at = lexer.text, lexer.at
    token = _direction(lexer, at)
    if token:
        lexer.at = token[2]
        return token
    if at >= lexer.spaces:
        lexer.spaces = _SPACES.match(text, at).end()  # type: ignore[union-attr] # it always matches
        link = REGEXES["links"].match(text, lexer.spaces)
        if link:
            token = _apply(lexer, "links", link)
            return (token[0], at, token[2]) if token else None
    lexer.at = _PIECE.match(text, at, lexer.spaces).end()  # type: ignore[union-attr] # it always matches
    return "NEWLINE" if text[at] == "\n" else "SPACE", at, lexer.at


def _edge_text(lexer: Lexer, state: str) -> Token | None:
    """Read on in the text of an edge: some text, a quote, or the link that ends it."""
    text, at = lexer.text, lexer.at
    ending, link, before = _EDGE_STATES[state]
    stop = ending.search(text, at)
    if not stop:
        lexer.at = len(text)
        return "EDGE_TEXT", at, lexer.at
    start = stop.start()
    if stop[0] == '"':
        if start > at:
            lexer.at = start
            return "EDGE_TEXT", at, start
        quote = REGEXES["quotes"].match(text, at)
        return _apply(lexer, "quotes", quote) if quote else None
    found = link.match(text, start)
    if found:
        start -= bool(before) and start > at and text[start - 1] == before
        start -= start > at and text[start - 1] in "xo<"
        while start > at and text[start - 1] in SPACE:
            start -= 1
    if start > at:
        lexer.at = start
        return "EDGE_TEXT", at, start
    if not found:
        return "ERROR", at, at + 1
    lexer.stack.pop()
    lexer.at = found.end()
    return "LINK", at, lexer.at


def _find_directions(text: str) -> list[tuple[int, int, int, str]]:
    found = []
    line = 0
    for match in _DIRECTIONS.finditer(text):
        if match[1]:
            found.append((line, *match.span(), match[1]))
        for end in _LINE_END.finditer(text, *match.span()):
            line = end.end()
    return found


def _direction(lexer: Lexer, at: int) -> Token | None:
    """Read a line from *at* on as a `direction LR` statement when these words stand anywhere in it."""
    if not lexer.directions:
        return None
    first = bisect_left(lexer.directions, at, key=lambda found: found[1])
    here = [found for found in lexer.directions[first : first + 1] if found[0] <= at]
    if not here:
        return None
    line = here[0][0]
    last = first
    while last < len(lexer.directions) and lexer.directions[last][0] == line:
        last += 1
    same = lexer.directions[first:last]
    kind = next(kind for kind in ("TB", "BT", "RL", "LR", "TD") if any(found[3] == kind for found in same))
    after = max(found[2] for found in same if found[3] == kind)
    return f"direction {kind}", at, lexer.text.index("\n", after)


def _link_id(lexer: Lexer) -> Token | None:
    """Read what stands before the last `@` of a word, the name of an edge (`e1@-->`)."""
    if not lexer.ids:
        return None
    text, at = lexer.text, lexer.at
    if at >= lexer.run[0]:
        end = _ID_RUN.match(text, at).end()  # type: ignore[union-attr] # it always matches
        sign = text.rfind("@", at, end)
        while sign >= 0 and text[sign + 1 : sign + 2] in {"{", '"', ""}:
            sign = text.rfind("@", at, sign)
        lexer.run = (max(end, at + 1), sign)
    sign = lexer.run[1]
    return ("LINK_ID", at, sign + 1) if sign > at else None
