"""Canvas files: a `Canvas` written as Mermaid text, and read back, also in TencentDB Agent Memory's dialect (DESIGN 2.4).

Reading never raises. What is odd in a text comes back as problems:

- CANVAS101 no flowchart, 102 git conflict markers, 103 no header, 104 a header that is no JSON
- CANVAS105 a header field of the wrong kind, 106 a node of another canvas, 107 a node id given twice,
  108 an edge to a node that is not there
- CANVAS201 a line that Mermaid cannot read, 202 an unknown node status, 203 a node whose id is no canvas's
  (warnings)
"""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.canvas.escape import escape_label, normalise_label, unescape_label
from memctl.canvas.header import Header, read_header, write_header
from memctl.canvas.nodetext import ID, node_number, one_line, read_node_text, write_node_text, write_ranges
from memctl.model import Canvas, Edge, Node, Shape, node_id

if TYPE_CHECKING:  # a canvas without problems needs none
    from memctl.model import Problem

__all__ = ["normalise_canvas", "parse_canvas", "percent_done", "write_canvas", "write_ranges"]

BRACKETS: dict[Shape, tuple[str, str]] = {
    "read": ("[", "]"),
    "edit": ("[/", "/]"),
    "verify": ("{{", "}}"),
    "run": ("([", "])"),
    "store": ("[(", ")]"),
    "finding": ("((", "))"),
    "dead_end": ("{", "}"),
}
_SHAPES: dict[tuple[str, str], Shape] = {brackets: shape for shape, brackets in BRACKETS.items()}
# Mermaid's other shapes, read as the nearest of ours.
_MERMAID_SHAPES: dict[str, Shape] = {
    "lean_right": "edit",
    "lean_left": "edit",
    "trapezoid": "edit",
    "inv_trapezoid": "edit",
    "hexagon": "verify",
    "stadium": "run",
    "round": "run",
    "cylinder": "store",
    "circle": "finding",
    "doublecircle": "finding",
    "diamond": "dead_end",
}
_NODE = re.compile(rf"""\s*({ID})\s*([\[({{/]{{1,2}})"([^"]*)"([\])}}/]{{1,2}})\s*;?\s*\Z""")
_EDGE = re.compile(
    rf"""\s*(?P<source>{ID})\s*(?:(?P<solid>-->)|(?P<dotted>-\.->))\s*
    (?:\|\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^|"]*))\s*\|)?\s*(?P<target>{ID})\s*;?\s*\Z""",
    re.VERBOSE,
)
_FLOWCHART = re.compile(r"\s*(?:flowchart|graph)(?:\s+[A-Za-z]{1,2}\b|\s*;?\s*\Z)")
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)")
_OWNER = re.compile(r"\s*([0-9]{1,9})-N")


# --------------------------------------------------------------------------- writing


def write_canvas(canvas: Canvas) -> str:
    """Write *canvas* as Mermaid text; equal canvases give equal bytes, and any text is drawn whole."""
    lines = [write_header(_header_of(canvas)), "flowchart TD"]
    lines += (_write_node(canvas.number, node) for node in canvas.nodes)
    lines += (_write_edge(canvas.number, edge) for edge in canvas.edges)
    return "\n".join(lines) + "\n"


def _write_node(canvas: int, node: Node) -> str:
    before, after = BRACKETS[node.shape]
    return f'{node_id(canvas, node.number)}{before}"{write_node_text(canvas, node)}"{after}'


def _write_edge(canvas: int, edge: Edge) -> str:
    arrow = "-.->" if edge.dotted else "-->"
    label = f'|"{escape_label(edge.label)}"|' if normalise_label(edge.label) else ""
    return f"{node_id(canvas, edge.source)} {arrow}{label} {node_id(canvas, edge.target)}"


def normalise_canvas(canvas: Canvas) -> Canvas:
    """Give *canvas* as a file can hold it: what `parse_canvas` reads from `write_canvas(canvas)`."""
    header, _problems, _lines = read_header(write_header(_header_of(canvas)))
    nodes = tuple(
        replace(
            node,
            title=one_line(node.title),
            summary=normalise_label(node.summary),
            timestamp=one_line(node.timestamp or "") or None,
        )
        for node in canvas.nodes
    )
    edges = tuple(edge._replace(label=normalise_label(edge.label)) for edge in canvas.edges)
    return _canvas_of(header, canvas.number, nodes, edges)


# --------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Body:
    """What the lines under `flowchart TD` hold, as far as they were read."""

    canvas: int
    nodes: dict[int, Node] = field(default_factory=dict)
    edges: list[tuple[int, Edge]] = field(default_factory=list)
    problems: "list[Problem]" = field(default_factory=list)


def parse_canvas(text: str, number: int | None = None) -> "tuple[Canvas | None, list[Problem]]":
    """Read a canvas from *text*, whatever it is, with what was odd in it (paths empty, lines from 1).

    number: the canvas's number, from its file name; else the first node's. Reads memctl's own form, the
    original's `%%{ ... }%%` header and its broken spellings, and any flowchart whose nodes are named like a
    canvas's. None when there is no flowchart or when git left conflict markers.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    header, problems, header_lines = read_header(text)
    lines = text.split("\n")
    for row, line in enumerate(lines[header_lines:], header_lines + 1):
        if _CONFLICT.match(line):
            return None, [_problem(row, "CANVAS102", "git conflict marker", "run memctl check --fix")]
    start = next((at for at in range(header_lines, len(lines)) if _FLOWCHART.match(lines[at])), None)
    if start is None:
        return None, [_problem(1, "CANVAS101", "no flowchart", "a canvas begins with `flowchart TD`")]
    if number is None:
        named = (found for line in lines[start + 1 :] if (found := _OWNER.match(line)))
        number = next((int(found[1]) for found in named), 0)
    body = _read_lines(lines, start + 1, number) or _read_flowchart(lines, header_lines, number)
    for row, edge in body.edges:
        body.problems.extend(
            _problem(row, "CANVAS108", f"{node_id(number, end)} has an edge but is not a node")
            for end in (edge.source, edge.target)
            if end not in body.nodes
        )
    canvas = _canvas_of(header, number, tuple(body.nodes.values()), tuple(edge for _row, edge in body.edges))
    return canvas, problems + sorted(body.problems, key=lambda problem: problem.line)


def _read_lines(lines: list[str], start: int, canvas: int) -> _Body | None:
    """Read lines that are one node or one edge each; None when a line is something else."""
    body = _Body(canvas)
    for row, line in enumerate(lines[start:], start + 1):
        if found := _NODE.match(line):
            shape = _SHAPES.get((found[2], found[4]))
            if not shape:
                return None
            _add_node(body, row, found[1], shape, found[3])
        elif found := _EDGE.match(line):
            label = unescape_label(found["quoted"] or found["bare"] or "")
            _add_edge(body, row, found["source"], found["target"], label, dotted=bool(found["dotted"]))
        elif line.strip() and not line.lstrip().startswith("%%"):
            return None
    return body


def _read_flowchart(lines: list[str], header_lines: int, canvas: int) -> _Body:
    """Read any flowchart: links in chains, labels without quotes, several statements in a line."""
    # Mermaid's grammar takes longer to load than a canvas of ours to read.
    from memctl.canvas.flowchart import parse_flowchart
    from memctl.canvas.repair import fix
    from memctl.canvas.source import prepare

    text = "\n" * header_lines + "\n".join(lines[header_lines:])
    source = prepare(text)
    chart = parse_flowchart(source)
    body = _Body(canvas)
    for fault in chart.faults:
        message = "a line that Mermaid cannot read"
        row = source.place(fault.opened)[0]
        body.problems.append(_problem(row, "CANVAS201", message, "memctl validate says why", "warning"))
    if chart.faults:
        source = prepare(fix(text))
        chart = parse_flowchart(source)
    linked = {end for link in chart.links for end in (link.source, link.target)}
    for vertex in chart.vertices.values():
        row = source.place(vertex.at)[0]
        if re.fullmatch(ID, vertex.id):
            text = "" if vertex.text == vertex.id else vertex.text
            if vertex.shape or vertex.id not in linked:
                _add_node(body, row, vertex.id, _MERMAID_SHAPES.get(vertex.shape, "read"), text)
        else:
            message = f"{vertex.id[:40]!r} is not a node of a canvas"
            body.problems.append(
                _problem(row, "CANVAS203", message, f"ids are {canvas:03d}-N1, ...", "warning")
            )
    for link in chart.links:
        if re.fullmatch(ID, link.source) and re.fullmatch(ID, link.target):
            row = source.place(link.at)[0]
            dotted = link.stroke == "dotted"
            _add_edge(body, row, link.source, link.target, unescape_label(link.text), dotted=dotted)
    return body


def _add_node(body: _Body, row: int, name: str, shape: Shape, label: str) -> None:
    number = node_number(name, body.canvas)
    if number is None:
        body.problems.append(_problem(row, "CANVAS106", f"{name} belongs to another canvas"))
    elif number in body.nodes:
        body.problems.append(_problem(row, "CANVAS107", f"{name} appears twice; the first one is kept"))
    else:
        body.nodes[number], unknown = read_node_text(number, shape, label, body.canvas)
        if unknown:
            message = f"unknown status {unknown[:40]!r}, read as doing"
            hint = "one of todo, doing, done, paused, blocked"
            body.problems.append(_problem(row, "CANVAS202", message, hint, "warning"))


def _add_edge(body: _Body, row: int, source: str, target: str, label: str, *, dotted: bool) -> None:
    ends = (node_number(source, body.canvas), node_number(target, body.canvas))
    if ends[0] is None or ends[1] is None:
        body.problems.append(_problem(row, "CANVAS106", "edge to a node of another canvas"))
    else:
        body.edges.append((row, Edge(ends[0], ends[1], label, dotted)))


def _header_of(canvas: Canvas) -> Header:
    return Header(
        canvas.goal,
        canvas.status,
        canvas.progress,
        canvas.created,
        canvas.updated,
        canvas.session,
        canvas.upto,
        canvas.by,
        canvas.extra,
    )


def _canvas_of(header: Header, number: int, nodes: tuple[Node, ...], edges: tuple[Edge, ...]) -> Canvas:
    return Canvas(
        number,
        header.goal,
        header.status,
        percent_done(nodes) if header.progress is None else header.progress,
        header.created,
        header.updated,
        header.session,
        header.upto,
        nodes,
        edges,
        header.by,
        header.extra,
    )


def percent_done(nodes: tuple[Node, ...]) -> int:
    """Give the progress of a canvas: done of all nodes, folded ones included, whole percent (DESIGN 2.4)."""
    done = total = 0
    for node in nodes:
        weight = 1 + sum(last - first + 1 for first, last in node.folded)
        total += weight
        done += weight if node.status == "done" else 0
    return done * 100 // total if total else 0


def _problem(row: int, code: str, message: str, hint: str = "", severity: str = "error") -> "Problem":
    from memctl.model import Problem

    return Problem("", row, 1, code, message, "warning" if severity == "warning" else "error", hint)
