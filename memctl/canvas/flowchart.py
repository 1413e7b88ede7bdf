"""Mermaid's flowchart grammar (as in Mermaid 11.16): tokens as nodes, links and groups, and every fault.

Mermaid stops at the first fault. This parser notes it, goes on with the next line, and stops after a hundred.
"""

import re
from dataclasses import dataclass, field

from memctl.canvas.lexer import Lexer, move_lexer, next_token, start_lexer
from memctl.canvas.shapes import read_shape_data
from memctl.canvas.source import SPACE, Source, decode_entities

MOST_FAULTS = 100
MOST_LINKS = 500  # Mermaid's maxEdges, which a diagram cannot raise

_ID_TOKENS = frozenset("NUM NODE_STRING DOWN MINUS DEFAULT COMMA COLON AMP BRKT MULT UNICODE_TEXT".split())
_TEXT_TOKENS = frozenset("TEXT TAGSTART TAGEND UNICODE_TEXT".split())
_KEYWORDS = "STYLE LINKSTYLE CLASSDEF CLASS CLICK GRAPH DIR subgraph end DOWN UP"
_TITLE_TOKENS = frozenset(
    f"NUM NODE_STRING SPACE MINUS AMP UNICODE_TEXT COLON MULT BRKT START_LINK {_KEYWORDS}".split()
)
_STYLE_TOKENS = frozenset("NUM NODE_STRING COLON SPACE BRKT STYLE".split())
_WORD_TOKENS = frozenset("NUM UNICODE_TEXT NODE_STRING DIR DOWN MINUS COMMA COLON AMP BRKT MULT".split())
_SEPARATORS = frozenset(("NEWLINE", "SEMI", "EOF"))
_LINK_TOKENS = frozenset(("LINK", "START_LINK", "LINK_ID"))

_LABEL_KINDS = {"STR": "string", "MD_STR": "markdown"}
# The token that opens a label, with those that close it and the shape they make.
_SHAPES: dict[str, dict[str, str]] = {
    "SQS": {"SQE": "square"},
    "DOUBLECIRCLESTART": {"DOUBLECIRCLEEND": "doublecircle"},
    "(-": {"-)": "ellipse"},
    "STADIUMSTART": {"STADIUMEND": "stadium"},
    "SUBROUTINESTART": {"SUBROUTINEEND": "subroutine"},
    "CYLINDERSTART": {"CYLINDEREND": "cylinder"},
    "PS": {"PE": "round"},
    "DIAMOND_START": {"DIAMOND_STOP": "diamond"},
    "TAGEND": {"SQE": "odd"},
    "TRAPSTART": {"TRAPEND": "trapezoid", "INVTRAPEND": "lean_right"},
    "INVTRAPSTART": {"INVTRAPEND": "inv_trapezoid", "TRAPEND": "lean_left"},
}
_DOUBLED = {"PS": "circle", "DIAMOND_START": "hexagon"}


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node. text: its label as written (entities too), else its id. at: where it first stands."""

    id: str
    text: str
    shape: str
    at: int
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge. head: point, circle, cross or open; stroke: normal, thick, dotted, invisible or invalid."""

    source: str
    target: str
    text: str
    stroke: str
    head: str
    at: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A subgraph. parent: the position of the group it stands in."""

    id: str
    title: str
    at: int
    parent: int | None


@dataclass(frozen=True, slots=True)
class Label:
    """A label where it is written. kind: text, string, markdown, or mixed: a string with text behind it."""

    owner: str
    text: str
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the grammar was broken. what: the rule that was being read. found: the token that stood there.

    opened: where the label, subgraph or statement that was being read begins. text: what was read of it, or
    a message.
    """

    what: str
    found: str
    at: int
    opened: int
    text: str = ""


@dataclass(slots=True)
class Flowchart:
    """What a text draws, as far as it could be read."""

    direction: str = "TB"
    vertices: dict[str, Vertex] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    lines: list[tuple[str, int, int]] = field(default_factory=list)  # `direction LR` lines
    styled: list[tuple[str, int]] = field(default_factory=list)  # nodes that a style line names
    shapes: list[tuple[str, int]] = field(default_factory=list)  # names of shapes given in `@{...}`
    unchecked: list[tuple[str, int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


class _FaultError(Exception):
    """Ends the statement that is being read."""

    def __init__(self, what: str, opened: int, text: str = "") -> None:
        self.what, self.opened, self.text = what, opened, text


@dataclass(slots=True)
class _Parser:
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


def parse_flowchart(source: Source) -> Flowchart:
    """Read *source* as a flowchart; never raises, faults are in the result."""
    parser = _Parser(source.text, start_lexer(source.text), Flowchart())
    _next(parser)
    begun = False
    while not begun:
        try:
            _first_line(parser)
            begun = True
        except _FaultError as fault:
            _recover(parser, fault, begun=False)
            while parser.kind in {"SPACE", "NEWLINE"}:
                _next(parser)
            begun = parser.kind != "GRAPH"
    while parser.kind not in {"EOF", "END"} and len(parser.chart.faults) < MOST_FAULTS:
        parser.statement = parser.start
        try:
            if parser.kind in {"NEWLINE", "SPACE", "SEMI"}:
                _next(parser)
            elif parser.kind == "NUM" and _canvas_line(parser):
                continue
            elif parser.kind == "end" and parser.groups:
                parser.groups.pop()
                _next(parser)
            else:
                _statement(parser)
        except _FaultError as fault:
            _recover(parser, fault)
    if parser.groups and len(parser.chart.faults) < MOST_FAULTS:
        opened = parser.chart.groups[parser.groups[-1]].at
        parser.chart.faults.append(Fault("subgraph", "EOF", parser.start, opened))
    return parser.chart


def _next(parser: _Parser) -> None:
    parser.kind, parser.start, parser.end = next_token(parser.lexer)


def _recover(parser: _Parser, fault: _FaultError, *, begun: bool = True) -> None:
    """Note *fault* and go on at the end of its line; of the line it began on when it runs over lines."""
    parser.chart.faults.append(Fault(fault.what, parser.kind, parser.start, fault.opened, fault.text))
    over_lines = parser.text.find("\n", fault.opened, parser.start) >= 0
    begin = fault.opened if over_lines else parser.start
    at = parser.text.find("\n", max(begin, parser.resumed + 1))
    parser.resumed = at
    move_lexer(parser.lexer, at if at >= 0 else len(parser.text), begun=begun)
    _next(parser)


def _take(parser: _Parser) -> str:
    text = parser.text[parser.start : parser.end]
    _next(parser)
    return text


def _expect(parser: _Parser, kind: str, what: str, opened: int, text: str = "") -> str:
    if parser.kind != kind:
        raise _FaultError(what, opened, text)
    return _take(parser)


def _one_space(parser: _Parser, what: str, opened: int) -> None:
    """Take exactly one space: Mermaid's statements allow no more between their words."""
    if parser.kind != "SPACE" or parser.end - parser.start != 1:
        raise _FaultError(what, opened)
    _next(parser)


def _first_space(parser: _Parser, what: str, opened: int) -> None:
    """Take one space; what is left of a longer run belongs to what follows."""
    if parser.kind != "SPACE":
        raise _FaultError(what, opened)
    if parser.end - parser.start == 1:
        _next(parser)
    else:
        parser.start += 1


def _first_line(parser: _Parser) -> None:
    while parser.kind in {"SPACE", "NEWLINE"}:
        _next(parser)
    opened = parser.start
    _expect(parser, "GRAPH", "first line", opened)
    if parser.kind == "NODIR":
        _next(parser)
        return
    parser.chart.direction = _expect(parser, "DIR", "direction", opened).strip(SPACE)
    if parser.kind == "SEMI":
        _next(parser)
        return
    while parser.kind == "SPACE":
        _next(parser)
    _expect(parser, "NEWLINE", "after direction", opened)


def _statement(parser: _Parser) -> None:
    kind = parser.kind
    if kind in _ID_TOKENS:
        _vertex_statement(parser)
    elif kind.startswith("direction "):
        parser.chart.lines.append((kind, parser.start, parser.end))
        _next(parser)
    elif kind in _STATEMENTS:
        _STATEMENTS[kind](parser)
    else:
        raise _FaultError("statement", parser.start)


def _separator(parser: _Parser, what: str) -> None:
    if parser.kind not in _SEPARATORS:
        raise _FaultError(what, parser.statement)
    if parser.kind != "EOF":
        _next(parser)


# --------------------------------------------------------------------------- lines as memctl writes them

_ID = "[0-9]+-N[0-9]+"
_CANVAS_NODE = re.compile(rf"""({_ID})([\[({{/]{{1,2}})"(?!`)([^"\n]+)"([\])}}/]{{1,2}})\n""")
_CANVAS_SHAPES = {
    ("[", "]"): "square",
    ("[/", "/]"): "lean_right",
    ("{{", "}}"): "hexagon",
    ("([", "])"): "stadium",
    ("[(", ")]"): "cylinder",
    ("((", "))"): "circle",
    ("{", "}"): "diamond",
}
_CANVAS_EDGE = re.compile(rf"""({_ID})[ ]-(\.-|-)>(?:\|"(?!`)([^"\n]+)"\|)?[ ]({_ID})\n""")


def _canvas_line(parser: _Parser) -> bool:
    """Read a line as memctl writes it in one go; any other line is left to the grammar, with equal result."""
    if parser.lexer.directions:
        return False
    at = parser.start
    found = _CANVAS_NODE.match(parser.text, at)
    shape = _CANVAS_SHAPES.get((found[2], found[4])) if found else None
    if found and shape:
        label = Label(f"node {found[1]}", _label_text(found[3]), "string", found.start(2))
        _add_vertex(parser, found[1], at, label.text, shape)
        parser.chart.labels.append(label)
    elif found := _CANVAS_EDGE.match(parser.text, at):
        text = _label_text(found[3]) if found[3] else ""
        _add_vertex(parser, found[1], at)
        _add_vertex(parser, found[4], found.start(4))
        arrow = found.end(1)
        if text:
            parser.chart.labels.append(Label("edge", text, "string", found.start(3) - 2))
        stroke = "normal" if found[2] == "-" else "dotted"
        _add_link(parser, Link(found[1], found[4], text, stroke, "point", arrow))
    else:
        return False
    move_lexer(parser.lexer, found.end() - 1)
    _next(parser)
    return True


# --------------------------------------------------------------------------- nodes and links


def _vertex_statement(parser: _Parser) -> None:
    nodes = _nodes(parser, "statement")
    while parser.kind in _LINK_TOKENS:
        at = parser.start
        stroke, head, text, link_id = _link(parser)
        targets = _nodes(parser, "target")
        for source in nodes:
            for target in targets:
                named = link_id if source is nodes[-1] and target is targets[0] else ""
                _add_link(parser, Link(source, target, text, stroke, head, at, named))
        nodes = targets
    _separator(parser, "after nodes")


def _add_link(parser: _Parser, link: Link) -> None:
    if len(parser.chart.links) < MOST_LINKS:
        parser.chart.links.append(link)
        parser.link_ids.add(link.id)
    elif not any(fault.what == "links" for fault in parser.chart.faults):
        raise _FaultError("links", link.at)


def _nodes(parser: _Parser, what: str) -> list[str]:
    nodes = [_styled_vertex(parser, what)]
    while True:
        if parser.kind == "SHAPE_DATA":
            _shape_data(parser, nodes[-1])
            if parser.kind != "SPACE":
                return nodes
            _spaces(parser)
            if parser.kind != "AMP":
                raise _FaultError("after nodes", parser.statement)
        elif parser.kind == "SPACE":
            _spaces(parser)
            if parser.kind != "AMP":
                return nodes
        else:
            return nodes
        opened = parser.start
        _next(parser)
        if parser.kind != "SPACE":
            raise _FaultError("ampersand", opened)
        _spaces(parser)
        nodes.append(_styled_vertex(parser, "target"))


def _spaces(parser: _Parser) -> None:
    while parser.kind == "SPACE":
        _next(parser)


def _styled_vertex(parser: _Parser, what: str) -> str:
    at = parser.start
    name = _id_string(parser, what)
    if parser.kind in _SHAPES:
        opened = parser.start
        label, shape = _shaped_label(parser)
        _add_vertex(parser, name, at, label.text, shape)
        parser.chart.labels.append(Label(f"node {name}", label.text, label.kind, opened))
    elif parser.kind == "VERTEX_WITH_PROPS_START":
        opened = parser.start
        _next(parser)
        for kind in ("NODE_STRING", "COLON", "NODE_STRING", "PIPE"):
            _expect(parser, kind, "label", opened)
        label = _label(parser, f"node {name}", opened, ("SQE",))
        _expect(parser, "SQE", "label", opened)
        _add_vertex(parser, name, at, label.text, "rect")
        parser.chart.labels.append(label)
    else:
        _add_vertex(parser, name, at)
    if parser.kind == "STYLE_SEPARATOR":
        _next(parser)
        _id_string(parser, "class name")
    return name


def _id_string(parser: _Parser, what: str) -> str:
    if parser.kind not in _ID_TOKENS:
        raise _FaultError(what, parser.statement)
    start = parser.start
    end = start
    while parser.kind in _ID_TOKENS:
        end = parser.end
        _next(parser)
    return parser.text[start:end]


def _shaped_label(parser: _Parser) -> tuple[Label, str]:
    kind, opened = parser.kind, parser.start
    _next(parser)
    doubled = parser.kind == kind and kind in _DOUBLED
    if doubled:
        _next(parser)
    closers = _SHAPES[kind]
    label = _label(parser, "node", opened, tuple(closers))
    shape = closers.get(parser.kind)
    if not shape:
        raise _FaultError("label", opened, label.text)
    _next(parser)
    if doubled:
        _expect(parser, next(iter(closers)), "label", opened, label.text)
        shape = _DOUBLED[kind]
    return label, shape


def _label(parser: _Parser, owner: str, opened: int, closers: tuple[str, ...]) -> Label:
    """Read the text of a label: a quoted string or words, then words."""
    kind = _LABEL_KINDS.get(parser.kind, "text")
    if kind == "text" and parser.kind not in _TEXT_TOKENS:
        raise _FaultError("empty label" if parser.kind in closers else "label", opened)
    parts = [_take(parser)]
    while parser.kind in _TEXT_TOKENS:
        parts.append(_take(parser))
    if kind == "string" and len(parts) > 1:
        kind = "mixed"
    return Label(owner, _label_text("".join(parts)), kind, opened)


def _label_text(text: str) -> str:
    text = decode_entities(text).strip(SPACE)
    return text[1:-1] if len(text) > 1 and text.startswith('"') and text.endswith('"') else text


def _add_vertex(parser: _Parser, name: str, at: int, text: str | None = None, shape: str = "") -> None:
    if name in parser.link_ids:
        return  # the name of an edge: `e1@{ animate: true }`
    known = parser.chart.vertices.get(name)
    group = parser.groups[-1] if parser.groups else None
    if known:
        text = known.text if text is None else text
        group = known.group if known.group is not None else group
        at, shape = known.at, shape or known.shape
    parser.chart.vertices[name] = Vertex(name, name if text is None else text, shape, at, group)


def _shape_data(parser: _Parser, name: str) -> None:
    opened = parser.start
    start = parser.end
    end = start
    while parser.kind == "SHAPE_DATA":
        end = parser.end
        _next(parser)
    data, fault = read_shape_data(decode_entities(parser.text[start:end]))
    if fault:
        raise _FaultError("shape data", opened, fault)
    if "shape" in data:
        parser.chart.shapes.append((data["shape"], opened))
    text = data.get("label") or None
    if text is None and (data.get("icon") or data.get("img")) and parser.chart.vertices[name].text == name:
        text = ""
    _add_vertex(parser, name, opened, text, data.get("shape", ""))


def _link(parser: _Parser) -> tuple[str, str, str, str]:
    """Read a link with its text: stroke, head, text, id."""
    link_id = _take(parser).removesuffix("@") if parser.kind == "LINK_ID" else ""
    opened = parser.start
    if parser.kind == "START_LINK":
        begin = _take(parser).strip(SPACE)
        parts = [_take(parser)] if parser.kind in {"STR", "MD_STR"} else []
        kind = "string" if parts else "text"
        while parser.kind in {"EDGE_TEXT", "UNICODE_TEXT"}:
            parts.append(_take(parser))
        if not parts:
            raise _FaultError("edge text", opened)
        text = _label_text("".join(parts))
        arrow = _expect(parser, "LINK", "edge text", opened, text).strip(SPACE)
        parser.chart.labels.append(Label("edge", text, kind, opened))
        stroke, head = _stroke(begin + arrow), _head(arrow)
        if begin[0] in "<xo" and _head("--" + {"<": ">"}.get(begin[0], begin[0])) != head:
            stroke = "invalid"
        if _stroke(begin) != _stroke(arrow):
            stroke = "invalid"
        return stroke, head, text, link_id
    arrow = _expect(parser, "LINK", "edge", opened).strip(SPACE)
    text = ""
    if parser.kind == "PIPE":
        opened = parser.start
        _next(parser)
        label = _label(parser, "edge", opened, ("PIPE",))
        _expect(parser, "PIPE", "edge label", opened, label.text)
        parser.chart.labels.append(label)
        text = label.text
        if parser.kind == "SPACE":
            _one_space(parser, "edge label space", opened)
    return _stroke(arrow), _head(arrow), text, link_id


def _stroke(arrow: str) -> str:
    if "~" in arrow:
        return "invisible"
    return "thick" if "=" in arrow else "dotted" if "." in arrow else "normal"


def _head(arrow: str) -> str:
    return {">": "point", "x": "cross", "o": "circle"}.get(arrow[-1], "open")


# --------------------------------------------------------------------------- other statements


def _subgraph(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    name = title = ""
    if parser.kind not in _SEPARATORS:
        _first_space(parser, "subgraph title", opened)
        kind = parser.kind
        at = parser.start
        if kind not in _TITLE_TOKENS and kind not in {"STR", "MD_STR"}:
            raise _FaultError("subgraph title", opened)
        parts = [_take(parser)]
        while parser.kind in _TITLE_TOKENS:
            parts.append(_take(parser))
        name, title = "".join(parts), _label_text("".join(parts))
        if parser.kind == "SQS":
            at = parser.start
            _next(parser)
            label = _label(parser, f"subgraph {name}", at, ("SQE",))
            _expect(parser, "SQE", "label", at, label.text)
            title, kind = label.text, {"string": "STR", "markdown": "MD_STR"}.get(label.kind, "")
            name = name.strip(SPACE)
        parser.chart.labels.append(Label(f"subgraph {name}", title, _LABEL_KINDS.get(kind, "text"), at))
    _separator(parser, "subgraph title")
    if not name or any(char in SPACE for char in name):
        name = f"subGraph{len(parser.chart.groups)}"
    parent = parser.groups[-1] if parser.groups else None
    parser.groups.append(len(parser.chart.groups))
    parser.chart.groups.append(Group(name, title, opened, parent))


def _class_def(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    _one_space(parser, "classDef", opened)
    _id_string(parser, "classDef")
    _first_space(parser, "classDef", opened)
    _styles(parser, "classDef", opened)


def _style(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    _one_space(parser, "style", opened)
    at = parser.start
    name = _id_string(parser, "style")
    _first_space(parser, "style", opened)
    parser.chart.styled.append((name, at))
    _styles(parser, "style", opened)
    _add_vertex(parser, name, at)


def _styles(parser: _Parser, what: str, opened: int) -> None:
    """Read `fill:#fff,stroke:red`: parts between commas, none empty."""
    while True:
        if parser.kind not in _STYLE_TOKENS:
            raise _FaultError(what, opened)
        while parser.kind in _STYLE_TOKENS:
            _next(parser)
        if parser.kind != "COMMA":
            break
        _next(parser)
    _separator(parser, what)


def _class(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    _one_space(parser, "class", opened)
    _id_string(parser, "class")
    _one_space(parser, "class", opened)
    _id_string(parser, "class")
    _separator(parser, "class")


def _link_style(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    _one_space(parser, "linkStyle", opened)
    numbers = []
    if parser.kind == "DEFAULT":
        _next(parser)
    else:
        numbers.append(_expect(parser, "NUM", "linkStyle", opened))
        while parser.kind == "COMMA":
            _next(parser)
            numbers.append(_expect(parser, "NUM", "linkStyle", opened))
    _first_space(parser, "linkStyle", opened)
    if parser.kind == "INTERPOLATE":
        _next(parser)
        _one_space(parser, "linkStyle", opened)
        if parser.kind not in _WORD_TOKENS:
            raise _FaultError("linkStyle", opened)
        while parser.kind in _WORD_TOKENS:
            _next(parser)
        if parser.kind == "SPACE":
            _first_space(parser, "linkStyle", opened)
            _styles(parser, "linkStyle", opened)
        else:
            _separator(parser, "linkStyle")
    else:
        _styles(parser, "linkStyle", opened)
    for number in numbers:
        if number != str(int(number[:9])) or int(number[:9]) >= len(parser.chart.links):
            raise _FaultError("linkStyle number", opened, number)


def _click(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    if parser.kind == "CALLBACKNAME":
        _next(parser)
        if parser.kind == "CALLBACKARGS":
            _next(parser)
        if parser.kind == "SPACE":
            _one_space(parser, "click", opened)
            _expect(parser, "STR", "click", opened)
    elif parser.kind in {"HREF", "STR"}:
        if parser.kind == "HREF":
            _next(parser)
        _expect(parser, "STR", "click", opened)
        if parser.kind == "SPACE":
            _one_space(parser, "click", opened)
            if parser.kind == "STR":
                _next(parser)
                if parser.kind == "SPACE":
                    _one_space(parser, "click", opened)
                    _expect(parser, "LINK_TARGET", "click", opened)
            else:
                _expect(parser, "LINK_TARGET", "click", opened)
    else:
        if parser.kind not in _WORD_TOKENS:
            raise _FaultError("click", opened)
        while parser.kind in _WORD_TOKENS:
            _next(parser)
        if parser.kind == "SPACE":
            _one_space(parser, "click", opened)
            _expect(parser, "STR", "click", opened)
    _separator(parser, "click")


def _accessibility(parser: _Parser) -> None:
    opened = parser.start
    _next(parser)
    _expect(parser, "acc_value", "statement", opened)


_STATEMENTS = {
    "subgraph": _subgraph,
    "CLASSDEF": _class_def,
    "CLASS": _class,
    "STYLE": _style,
    "LINKSTYLE": _link_style,
    "CLICK": _click,
    "acc_title": _accessibility,
    "acc_descr": _accessibility,
    "acc_descr_multiline_value": _next,
}
