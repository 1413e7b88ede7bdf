"""The statements of a flowchart beside nodes and links: groups, styles, classes, clicks, accessibility."""

from collections.abc import Callable
from dataclasses import replace

from memctl.canvas.chart import Fault, Group, Label
from memctl.canvas.parser import (
    LABEL_KINDS,
    SEPARATORS,
    FaultError,
    Parser,
    add_vertex,
    advance,
    expect,
    first_space,
    label_text,
    one_space,
    read_id,
    read_label,
    separator,
    take,
)
from memctl.canvas.source import SPACE

_KEYWORDS = "STYLE LINKSTYLE CLASSDEF CLASS CLICK GRAPH DIR subgraph end DOWN UP"
_TITLE_TOKENS = frozenset(
    f"NUM NODE_STRING SPACE MINUS AMP UNICODE_TEXT COLON MULT BRKT START_LINK {_KEYWORDS}".split()
)
_STYLE_TOKENS = frozenset("NUM NODE_STRING COLON SPACE BRKT STYLE".split())
_WORD_TOKENS = frozenset("NUM UNICODE_TEXT NODE_STRING DIR DOWN MINUS COMMA COLON AMP BRKT MULT".split())


def _subgraph(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    name = title = ""
    if parser.kind in SEPARATORS:  # in the grammar, but Mermaid stumbles over it at the end of the group
        parser.chart.faults.append(Fault("subgraph title", parser.kind, parser.start, opened))
    else:
        name, title = _subgraph_title(parser, opened)
    separator(parser, "subgraph title")
    if not name or any(char in SPACE for char in name):
        name = f"subGraph{len(parser.chart.groups)}"
    parent = parser.groups[-1] if parser.groups else None
    parser.groups.append(len(parser.chart.groups))
    parser.chart.groups.append(Group(name, title, opened, parent))


def _subgraph_title(parser: Parser, opened: int) -> tuple[str, str]:
    """Read the name and the title of a group: ` one two`, ` "one two"`, ` id [one two]`."""
    first_space(parser, "subgraph title", opened)
    kind, at = LABEL_KINDS.get(parser.kind, "text"), parser.start
    if kind == "text" and parser.kind not in _TITLE_TOKENS:
        raise FaultError("subgraph title", opened)
    parts = [take(parser)]
    while parser.kind in _TITLE_TOKENS:
        parts.append(take(parser))
    name = "".join(parts)
    label = Label("", label_text(name), kind, at)
    if parser.kind == "SQS":
        at = parser.start
        advance(parser)
        label = read_label(parser, "", at, ("SQE",))
        expect(parser, "SQE", "label", at, label.text)
        name = name.strip(SPACE)
    parser.chart.labels.append(replace(label, owner=f"subgraph {name.strip(SPACE)}"))
    return name, label.text


def _class_def(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    one_space(parser, "classDef", opened)
    read_id(parser, "classDef")
    first_space(parser, "classDef", opened)
    _styles(parser, "classDef", opened)


def _style(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    one_space(parser, "style", opened)
    at = parser.start
    name = read_id(parser, "style")
    first_space(parser, "style", opened)
    parser.chart.styled.append((name, at))
    _styles(parser, "style", opened)
    add_vertex(parser, name, at)


def _styles(parser: Parser, what: str, opened: int) -> None:
    """Read `fill:#fff,stroke:red`: parts between commas, none empty."""
    while True:
        if parser.kind not in _STYLE_TOKENS:
            raise FaultError(what, opened)
        while parser.kind in _STYLE_TOKENS:
            advance(parser)
        if parser.kind != "COMMA":
            break
        advance(parser)
    separator(parser, what)


def _class(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    one_space(parser, "class", opened)
    read_id(parser, "class")
    one_space(parser, "class", opened)
    read_id(parser, "class")
    separator(parser, "class")


def _link_style(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    one_space(parser, "linkStyle", opened)
    numbers = []
    if parser.kind == "DEFAULT":
        advance(parser)
    else:
        numbers.append(expect(parser, "NUM", "linkStyle", opened))
        while parser.kind == "COMMA":
            advance(parser)
            numbers.append(expect(parser, "NUM", "linkStyle", opened))
    first_space(parser, "linkStyle", opened)
    if parser.kind == "INTERPOLATE":
        advance(parser)
        one_space(parser, "linkStyle", opened)
        if parser.kind not in _WORD_TOKENS:
            raise FaultError("linkStyle", opened)
        while parser.kind in _WORD_TOKENS:
            advance(parser)
        if parser.kind == "SPACE":
            first_space(parser, "linkStyle", opened)
            _styles(parser, "linkStyle", opened)
        else:
            separator(parser, "linkStyle")
    else:
        _styles(parser, "linkStyle", opened)
    for number in numbers:
        if number != str(int(number[:9])) or int(number[:9]) >= len(parser.chart.links):
            raise FaultError("linkStyle number", opened, number)


def _click(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    if parser.kind == "CALLBACKNAME":
        advance(parser)
        if parser.kind == "CALLBACKARGS":
            advance(parser)
        if parser.kind == "SPACE":
            one_space(parser, "click", opened)
            expect(parser, "STR", "click", opened)
    elif parser.kind in {"HREF", "STR"}:
        if parser.kind == "HREF":
            advance(parser)
        expect(parser, "STR", "click", opened)
        if parser.kind == "SPACE":
            one_space(parser, "click", opened)
            if parser.kind == "STR":
                advance(parser)
                if parser.kind == "SPACE":
                    one_space(parser, "click", opened)
                    expect(parser, "LINK_TARGET", "click", opened)
            else:
                expect(parser, "LINK_TARGET", "click", opened)
    else:
        if parser.kind not in _WORD_TOKENS:
            raise FaultError("click", opened)
        while parser.kind in _WORD_TOKENS:
            advance(parser)
        if parser.kind == "SPACE":
            one_space(parser, "click", opened)
            expect(parser, "STR", "click", opened)
    separator(parser, "click")


def _accessibility(parser: Parser) -> None:
    opened = parser.start
    advance(parser)
    expect(parser, "acc_value", "statement", opened)


STATEMENTS: dict[str, Callable[[Parser], None]] = {
    "subgraph": _subgraph,
    "CLASSDEF": _class_def,
    "CLASS": _class,
    "STYLE": _style,
    "LINKSTYLE": _link_style,
    "CLICK": _click,
    "acc_title": _accessibility,
    "acc_descr": _accessibility,
    "acc_descr_multiline_value": advance,
}
