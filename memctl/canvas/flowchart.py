"""Mermaid's flowchart grammar (as in Mermaid 11.16): tokens as nodes, links and groups, and every fault.

Mermaid stops at the first fault. This parser notes it, goes on with the next line, and stops after a hundred
or as many as its caller asks for: each may have read to the end of the text.
"""

from memctl.canvas.chart import MOST_FAULTS, Fault, Flowchart
from memctl.canvas.lexer import move_lexer, start_lexer
from memctl.canvas.parser import ID_TOKENS, FaultError, Parser, advance, expect
from memctl.canvas.source import SPACE, Source
from memctl.canvas.statements import STATEMENTS
from memctl.canvas.vertices import read_canvas_line, read_nodes_and_links


def parse_flowchart(source: Source, most: int = MOST_FAULTS) -> Flowchart:
    """Read *source* as a flowchart; never raises, faults are in the result, *most* of them."""
    parser = Parser(source.text, start_lexer(source.text), Flowchart())
    advance(parser)
    begun = False
    while not begun:
        try:
            _first_line(parser)
            begun = True
        except FaultError as fault:
            _recover(parser, fault, begun=False)
            while parser.kind in {"SPACE", "NEWLINE"}:
                advance(parser)
            begun = parser.kind != "GRAPH"
    while parser.kind not in {"EOF", "END"} and len(parser.chart.faults) < most:
        parser.statement = parser.start
        try:
            if parser.kind in {"NEWLINE", "SPACE", "SEMI"}:
                advance(parser)
            elif parser.kind == "NUM" and read_canvas_line(parser):
                continue
            elif parser.kind == "end" and parser.groups:
                parser.groups.pop()
                advance(parser)
            else:
                _statement(parser)
        except FaultError as fault:
            _recover(parser, fault)
    if parser.groups and len(parser.chart.faults) < most:
        opened = parser.chart.groups[parser.groups[-1]].at
        parser.chart.faults.append(Fault("subgraph", "EOF", parser.start, opened))
    return parser.chart


def _recover(parser: Parser, fault: FaultError, *, begun: bool = True) -> None:
    """Note *fault* and go on at the end of its line; of the line it began on when it runs over lines."""
    parser.chart.faults.append(Fault(fault.what, parser.kind, parser.start, fault.opened, fault.text))
    over_lines = parser.text.find("\n", fault.opened, parser.start) >= 0
    begin = fault.opened if over_lines else parser.start
    at = parser.text.find("\n", max(begin, parser.resumed + 1))
    parser.resumed = at
    move_lexer(parser.lexer, at if at >= 0 else len(parser.text), begun=begun)
    advance(parser)


def _first_line(parser: Parser) -> None:
    while parser.kind in {"SPACE", "NEWLINE"}:
        advance(parser)
    opened = parser.start
    expect(parser, "GRAPH", "first line", opened)
    if parser.kind == "NODIR":
        advance(parser)
        return
    parser.chart.direction = expect(parser, "DIR", "direction", opened).strip(SPACE)
    if parser.kind == "SEMI":
        advance(parser)
        return
    while parser.kind == "SPACE":
        advance(parser)
    expect(parser, "NEWLINE", "after direction", opened)


def _statement(parser: Parser) -> None:
    kind = parser.kind
    if kind in ID_TOKENS:
        read_nodes_and_links(parser)
    elif kind.startswith("direction "):
        parser.chart.lines.append((kind, parser.start, parser.end))
        advance(parser)
    elif kind in STATEMENTS:
        STATEMENTS[kind](parser)
    else:
        raise FaultError("statement", parser.start)
