"""Where the reading of a flowchart stands, and the small steps that all its statements are read by."""

from dataclasses import dataclass, field

from memctl.canvas.chart import MOST_LINKS, Flowchart, Label, Link, Vertex
from memctl.canvas.lexer import Lexer, next_token
from memctl.canvas.source import SPACE, decode_entities

ID_TOKENS = frozenset("NUM NODE_STRING DOWN MINUS DEFAULT COMMA COLON AMP BRKT MULT UNICODE_TEXT".split())
TEXT_TOKENS = frozenset("TEXT TAGSTART TAGEND UNICODE_TEXT".split())
SEPARATORS = frozenset(("NEWLINE", "SEMI", "EOF"))
LABEL_KINDS = {"STR": "string", "MD_STR": "markdown"}


class FaultError(Exception):
    """Ends the statement that is being read."""

    def __init__(self, what: str, opened: int, text: str = "") -> None:
        self.what, self.opened, self.text = what, opened, text


@dataclass(slots=True)
class Parser:
    """The lexer, the token that comes next, and what was read so far."""

    text: str
    lexer: Lexer
    chart: Flowchart
    kind: str = ""
    start: int = 0
    end: int = 0
    statement: int = 0
    resumed: int = -1  # the line end where the last recovery went on
    groups: list[int] = field(default_factory=list)
    link_ids: set[str] = field(default_factory=set)
    full: bool = False  # Mermaid draws no more edges


def advance(parser: Parser) -> None:
    """Go on to the next token."""
    parser.kind, parser.start, parser.end = next_token(parser.lexer)


def take(parser: Parser) -> str:
    """Give the text of the token, and go on to the next."""
    text = parser.text[parser.start : parser.end]
    advance(parser)
    return text


def expect(parser: Parser, kind: str, what: str, opened: int, text: str = "") -> str:
    """Take a token of *kind*; another is a fault in *what*, which began at *opened*."""
    if parser.kind != kind:
        raise FaultError(what, opened, text)
    return take(parser)


def one_space(parser: Parser, what: str, opened: int) -> None:
    """Take exactly one space: Mermaid's statements allow no more between their words."""
    if parser.kind != "SPACE" or parser.end - parser.start != 1:
        raise FaultError(what, opened)
    advance(parser)


def first_space(parser: Parser, what: str, opened: int) -> None:
    """Take one space; what is left of a longer run belongs to what follows."""
    if parser.kind != "SPACE":
        raise FaultError(what, opened)
    if parser.end - parser.start == 1:
        advance(parser)
    else:
        parser.start += 1


def separator(parser: Parser, what: str) -> None:
    """Take the end of a statement: a line end, a semicolon, the end of the text."""
    if parser.kind not in SEPARATORS:
        raise FaultError(what, parser.statement)
    if parser.kind != "EOF":
        advance(parser)


def skip_spaces(parser: Parser) -> None:
    """Take all spaces, but no line end."""
    while parser.kind == "SPACE":
        advance(parser)


def read_id(parser: Parser, what: str) -> str:
    """Read the name of a node, an edge or a class; it may be of several tokens."""
    if parser.kind not in ID_TOKENS:
        raise FaultError(what, parser.statement)
    start = parser.start
    end = start
    while parser.kind in ID_TOKENS:
        end = parser.end
        advance(parser)
    return parser.text[start:end]


def read_label(parser: Parser, owner: str, opened: int, closers: tuple[str, ...]) -> Label:
    """Read the text of a label: a quoted string or words, then words."""
    kind = LABEL_KINDS.get(parser.kind, "text")
    if kind == "text" and parser.kind not in TEXT_TOKENS:
        raise FaultError("empty label" if parser.kind in closers else "label", opened)
    parts = [take(parser)]
    while parser.kind in TEXT_TOKENS:
        parts.append(take(parser))
    if kind == "string" and len(parts) > 1:
        kind = "mixed"
    return Label(owner, label_text("".join(parts)), kind, opened)


def label_text(text: str) -> str:
    """Give a label as Mermaid keeps it: entities as written, stripped, without quotes around it all."""
    text = decode_entities(text).strip(SPACE)
    return text[1:-1] if len(text) > 1 and text.startswith('"') and text.endswith('"') else text


def add_vertex(parser: Parser, name: str, at: int, text: str | None = None, shape: str = "") -> None:
    """Note a node, or what is new of a known one: a second label takes the place of the first."""
    if name in parser.link_ids:
        return  # the name of an edge: `e1@{ animate: true }`
    known = parser.chart.vertices.get(name)
    group = parser.groups[-1] if parser.groups else None
    if known:
        text = known.text if text is None else text
        group = known.group if known.group is not None else group
        at, shape = known.at, shape or known.shape
    parser.chart.vertices[name] = Vertex(name, name if text is None else text, shape, at, group)


def add_link(parser: Parser, link: Link) -> None:
    """Note an edge; the first that is too many is a fault."""
    if len(parser.chart.links) == MOST_LINKS:
        parser.full = True
        raise FaultError("links", link.at)
    parser.chart.links.append(link)
    parser.link_ids.add(link.id)
