"""Nodes and the links between them: the statements that a flowchart is made of."""

import re

from memctl.canvas.chart import Label, Link
from memctl.canvas.lexer import move_lexer
from memctl.canvas.parser import (
    FaultError,
    Parser,
    add_link,
    add_vertex,
    advance,
    expect,
    label_text,
    one_space,
    read_id,
    read_label,
    separator,
    skip_spaces,
    take,
)
from memctl.canvas.shapes import LONGEST_DATA, read_shape_data
from memctl.canvas.source import SPACE, decode_entities

_LINK_TOKENS = frozenset(("LINK", "START_LINK", "LINK_ID"))
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


def read_nodes_and_links(parser: Parser) -> None:
    """Read `A --> B & C -- text --> D`."""
    nodes = _nodes(parser, "statement")
    while parser.kind in _LINK_TOKENS:
        at = parser.start
        stroke, head, text, link_id = _link(parser)
        targets = _nodes(parser, "target")
        for source in nodes if not parser.full else ():
            for target in targets:
                named = link_id if source == nodes[-1] and target == targets[0] else ""
                add_link(parser, Link(source, target, text, stroke, head, at, named))
        nodes = targets
    separator(parser, "after nodes")


def _nodes(parser: Parser, what: str) -> list[str]:
    nodes = [_styled_vertex(parser, what)]
    while True:
        if parser.kind == "SHAPE_DATA":
            _shape_data(parser, nodes[-1])
            if parser.kind != "SPACE":
                return nodes
            skip_spaces(parser)
            if parser.kind != "AMP":
                raise FaultError("after nodes", parser.statement)
        elif parser.kind == "SPACE":
            skip_spaces(parser)
            if parser.kind != "AMP":
                return nodes
        else:
            return nodes
        opened = parser.start
        advance(parser)
        if parser.kind != "SPACE":
            raise FaultError("ampersand", opened)
        skip_spaces(parser)
        nodes.append(_styled_vertex(parser, "target"))


def _styled_vertex(parser: Parser, what: str) -> str:
    at = parser.start
    name = read_id(parser, what)
    if parser.kind in _SHAPES:
        opened = parser.start
        label, shape = _read_shaped_label(parser)
        add_vertex(parser, name, at, label.text, shape)
        parser.chart.labels.append(Label(f"node {name}", label.text, label.kind, opened))
    elif parser.kind == "VERTEX_WITH_PROPS_START":
        opened = parser.start
        advance(parser)
        for kind in ("NODE_STRING", "COLON", "NODE_STRING", "PIPE"):
            expect(parser, kind, "label", opened)
        label = read_label(parser, f"node {name}", opened, ("SQE",))
        expect(parser, "SQE", "label", opened)
        add_vertex(parser, name, at, label.text, "rect")
        parser.chart.labels.append(label)
    else:
        add_vertex(parser, name, at)
    if parser.kind == "STYLE_SEPARATOR":
        advance(parser)
        read_id(parser, "class name")
    return name


def _read_shaped_label(parser: Parser) -> tuple[Label, str]:
    kind, opened = parser.kind, parser.start
    advance(parser)
    doubled = parser.kind == kind and kind in _DOUBLED
    if doubled:
        advance(parser)
    closers = _SHAPES[kind]
    label = read_label(parser, "node", opened, tuple(closers))
    shape = closers.get(parser.kind)
    if not shape:
        raise FaultError("label", opened, label.text)
    advance(parser)
    if doubled:
        expect(parser, next(iter(closers)), "label", opened, label.text)
        shape = _DOUBLED[kind]
    return label, shape


def _shape_data(parser: Parser, name: str) -> None:
    opened = parser.start
    start = parser.end
    end = start
    while parser.kind == "SHAPE_DATA":
        end = parser.end
        advance(parser)
    if end - start > LONGEST_DATA:
        parser.chart.unchecked.append(opened)
        return
    data, fault = read_shape_data(decode_entities(parser.text[start:end]))
    if fault:
        raise FaultError("shape data", opened, fault)
    if "shape" in data:
        parser.chart.shapes.append((data["shape"], opened))
    text = data.get("label") or None
    if text is None and (data.get("icon") or data.get("img")) and parser.chart.vertices[name].text == name:
        text = ""
    add_vertex(parser, name, opened, text, data.get("shape", ""))


def _link(parser: Parser) -> tuple[str, str, str, str]:
    """Read a link with its text: stroke, head, text, id."""
    link_id = take(parser).removesuffix("@") if parser.kind == "LINK_ID" else ""
    opened = parser.start
    if parser.kind == "START_LINK":
        begin = take(parser).strip(SPACE)
        parts = [take(parser)] if parser.kind in {"STR", "MD_STR"} else []
        kind = "string" if parts else "text"
        while parser.kind in {"EDGE_TEXT", "UNICODE_TEXT"}:
            parts.append(take(parser))
        if not parts:
            raise FaultError("edge text", opened)
        text = label_text("".join(parts))
        arrow = expect(parser, "LINK", "edge text", opened, text).strip(SPACE)
        parser.chart.labels.append(Label("edge", text, kind, opened))
        stroke, head = _stroke(begin + arrow), _head(arrow)
        if begin[0] in "<xo" and _head("--" + {"<": ">"}.get(begin[0], begin[0])) != head:
            stroke = "invalid"
        if _stroke(begin) != _stroke(arrow):
            stroke = "invalid"
        return stroke, head, text, link_id
    arrow = expect(parser, "LINK", "edge", opened).strip(SPACE)
    text = ""
    if parser.kind == "PIPE":
        opened = parser.start
        advance(parser)
        label = read_label(parser, "edge", opened, ("PIPE",))
        expect(parser, "PIPE", "edge label", opened, label.text)
        parser.chart.labels.append(label)
        text = label.text
        if parser.kind == "SPACE":
            one_space(parser, "edge label space", opened)
    return _stroke(arrow), _head(arrow), text, link_id


def _stroke(arrow: str) -> str:
    if "~" in arrow:
        return "invisible"
    return "thick" if "=" in arrow else "dotted" if "." in arrow else "normal"


def _head(arrow: str) -> str:
    return {">": "point", "x": "cross", "o": "circle"}.get(arrow[-1], "open")


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


def read_canvas_line(parser: Parser) -> bool:
    """Read a line as memctl writes it in one go; any other line is left to the grammar, with equal result."""
    if parser.lexer.directions:
        return False
    at = parser.start
    found = _CANVAS_NODE.match(parser.text, at)
    shape = _CANVAS_SHAPES.get((found[2], found[4])) if found else None
    if found and shape:
        label = Label(f"node {found[1]}", label_text(found[3]), "string", found.start(2))
        add_vertex(parser, found[1], at, label.text, shape)
        parser.chart.labels.append(label)
    elif found := _CANVAS_EDGE.match(parser.text, at):
        text = label_text(found[3]) if found[3] else ""
        add_vertex(parser, found[1], at)
        add_vertex(parser, found[4], found.start(4))
        if text:
            parser.chart.labels.append(Label("edge", text, "string", found.start(3) - 2))
        stroke = "normal" if found[2] == "-" else "dotted"
        if not parser.full:
            add_link(parser, Link(found[1], found[4], text, stroke, "point", found.end(1)))
    else:
        return False
    move_lexer(parser.lexer, found.end() - 1)
    advance(parser)
    return True
