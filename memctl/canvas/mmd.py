"""Canvas files: a `Canvas` written as Mermaid text, and read back, the original's dialect too (DESIGN 2.4).

Reading never raises. What is odd in a text comes back as problems:

- CANVAS101 no flowchart, 102 git conflict markers, 103 no header, 104 a header that is no JSON
- CANVAS105 a header field of the wrong kind, 106 a node of another canvas, 107 a node id given twice,
  108 an edge to a node that is not there
- CANVAS201 a line that is no node and no edge, 202 an unknown node status (warnings)
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from memctl.canvas.escape import escape_first, escape_label, escape_text, normalise_label, unescape_label
from memctl.canvas.header import Header, one_line, read_header, write_header
from memctl.model import Canvas, Edge, Node, NodeStatus, Problem, Shape, node_id

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
_SHAPES |= {
    ("(", ")"): "run",
    ("(((", ")))"): "finding",
    ("[\\", "\\]"): "edit",
    ("[/", "\\]"): "edit",
    ("[\\", "/]"): "edit",
}

NODE_STATUSES: dict[str, NodeStatus] = {
    "todo": "todo",
    "doing": "doing",
    "done": "done",
    "paused": "paused",
    "blocked": "blocked",
    # what models write instead
    "pending": "todo",
    "planned": "todo",
    "in_progress": "doing",
    "active": "doing",
    "completed": "done",
    "complete": "done",
    "failed": "blocked",
    "error": "blocked",
    "cancelled": "paused",
}
_MARKER = re.compile(r"\s*(status|summary|timestamp)\s*[:：]\s*(.*)", re.IGNORECASE | re.DOTALL)
_ID = r"(?:[0-9]{1,9}-)?N[0-9]{1,9}"
_ARROW = re.compile(rf"(?:^|\s)→ ?({_ID}(?:\.\.{_ID})?(?:, ?{_ID}(?:\.\.{_ID})?)*)$")
_LOOKS_LIKE_ARROW = re.compile(rf"→(?= ?{_ID})")
_NODE = re.compile(
    rf"""\s*(?P<id>{_ID})\s*(?P<open>[\[({{>][\[(/\\{{(]{{0,2}})"(?P<label>[^"]*)"(?P<close>[\])/\\}}]{{1,3}})\s*;?\s*\Z"""
)
_EDGE = re.compile(
    rf"""\s*(?P<source>{_ID})\s*(?:(?P<solid>-->)|(?P<dotted>-\.->))\s*
    (?:\|\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^|"]*))\s*\|)?\s*(?P<target>{_ID})\s*;?\s*\Z""",
    re.VERBOSE,
)
_FLOWCHART = re.compile(r"\s*(?:flowchart|graph)(?:\s+[A-Za-z]{1,2}\b|\s*;?\s*\Z)")
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)")


# --------------------------------------------------------------------------- writing


def normalise_canvas(canvas: Canvas) -> Canvas:
    """Give *canvas* as a file can hold it: what `parse_canvas` reads from `write_canvas(canvas)`."""
    header = write_header(_header_of(canvas))
    read, _problems, _rest = read_header(header)
    nodes = tuple(
        replace(
            node,
            title=one_line(node.title),
            summary=normalise_label(node.summary),
            timestamp=one_line(node.timestamp or "") or None,
        )
        for node in canvas.nodes
    )
    edges = tuple(replace(edge, label=normalise_label(edge.label)) for edge in canvas.edges)
    return _canvas_of(read, canvas.number, nodes, edges)


def write_canvas(canvas: Canvas) -> str:
    """Write *canvas* as Mermaid text; equal canvases give equal bytes, and any text is drawn whole."""
    lines = [write_header(_header_of(canvas)), "flowchart TD"]
    lines += (_write_node(canvas.number, node) for node in canvas.nodes)
    lines += (_write_edge(canvas.number, edge) for edge in canvas.edges)
    return "\n".join(lines) + "\n"


def _write_node(canvas: int, node: Node) -> str:
    title = _LOOKS_LIKE_ARROW.sub("#8594;", _unmarked(escape_label(one_line(node.title))))
    if node.folded:
        title = f"{title} → {write_ranges(canvas, node.folded)}"
    lines = [title, f"status: {node.status}"]
    if summary := normalise_label(node.summary):
        first, *others = summary.split("\n")
        lines += [f"summary: {escape_text(first)}", *(_unmarked(escape_text(line)) for line in others)]
    if timestamp := one_line(node.timestamp or ""):
        lines.append(f"Timestamp: {escape_text(timestamp)}")
    before, after = BRACKETS[node.shape]
    return f'{node_id(canvas, node.number)}{before}"{"<br/>".join(lines)}"{after}'


def _unmarked(line: str) -> str:
    """Write an escaped line so that it is never read as a `status:`, `summary:` or `Timestamp:` line."""
    return escape_first(line) if _MARKER.match(line) else line


def _write_edge(canvas: int, edge: Edge) -> str:
    arrow = "-.->" if edge.dotted else "-->"
    label = f'|"{escape_label(edge.label)}"|' if normalise_label(edge.label) else ""
    return f"{node_id(canvas, edge.source)} {arrow}{label} {node_id(canvas, edge.target)}"


def write_ranges(canvas: int, ranges: tuple[tuple[int, int], ...]) -> str:
    """Write closed ranges of node numbers: `003-N2..N3,N60`."""
    parts = [f"N{first}" if first == last else f"N{first}..N{last}" for first, last in ranges]
    return f"{canvas:03d}-" + ",".join(parts)


# --------------------------------------------------------------------------- reading


def parse_canvas(text: str, number: int | None = None) -> tuple[Canvas | None, list[Problem]]:
    """Read a canvas from *text*, whatever it is, with what was odd in it (paths empty, lines from 1).

    number: the canvas's number, from its file name; else the first node's. Reads memctl's own form, the
    original's `%%{ ... }%%` header and its broken spellings. None when there is no flowchart or when git
    left conflict markers.
    """
    header, problems, rest = read_header(text.removeprefix("\ufeff"))
    lines = [(row, line) for row, line in enumerate(text.split("\n"), 1) if row > rest and line.strip()]
    for row, line in lines:
        if _CONFLICT.match(line):
            return None, [_problem(row, "CANVAS102", "git conflict marker", "run memctl check --fix")]
    start = next((at for at, (_row, line) in enumerate(lines) if _FLOWCHART.match(line)), None)
    if start is None:
        return None, [_problem(1, "CANVAS101", "no flowchart", "a canvas begins with `flowchart TD`")]
    body = [
        (row, line.rstrip("\r")) for row, line in lines[start + 1 :] if not line.lstrip().startswith("%%")
    ]
    if number is None:
        number = next(
            (int(found[1]) for _row, line in body if (found := re.match(r"\s*([0-9]{1,9})-N", line))), 0
        )
    nodes, edges = _read_body(body, number, problems)
    return _canvas_of(header, number, tuple(nodes), tuple(edges)), problems


def _read_body(
    body: list[tuple[int, str]], canvas: int, problems: list[Problem]
) -> tuple[list[Node], list[Edge]]:
    nodes: dict[int, Node] = {}
    edges: list[tuple[int, Edge]] = []
    for row, line in body:
        if found := _NODE.match(line):
            node_number = _number(found["id"], canvas)
            shape = _SHAPES.get((found["open"], found["close"]), "read")
            if node_number is None:
                problems.append(_problem(row, "CANVAS106", f"{found['id']} belongs to another canvas"))
            elif node_number in nodes:
                problems.append(_problem(row, "CANVAS107", f"{found['id']} is given twice; the first stays"))
            else:
                nodes[node_number] = _read_node(node_number, shape, found["label"], canvas, row, problems)
        elif found := _EDGE.match(line):
            source, target = _number(found["source"], canvas), _number(found["target"], canvas)
            if source is None or target is None:
                problems.append(_problem(row, "CANVAS106", "edge to a node of another canvas"))
            else:
                label = unescape_label(found["quoted"] or found["bare"] or "")
                edges.append((row, Edge(source, target, label, bool(found["dotted"]))))
        else:
            problems.append(_problem(row, "CANVAS201", "not a node and not an edge", severity="warning"))
    for row, edge in edges:
        problems.extend(
            _problem(row, "CANVAS108", f"{node_id(canvas, end)} has an edge but is no node")
            for end in (edge.source, edge.target)
            if end not in nodes
        )
    return list(nodes.values()), [edge for _row, edge in edges]


def _read_node(number: int, shape: Shape, label: str, canvas: int, row: int, problems: list[Problem]) -> Node:
    fields: dict[str, list[str]] = {"title": [], "status": [], "summary": [], "timestamp": []}
    for name, line in _label_lines(label):
        fields[name].append(line)
    title, folded = _read_title(fields["title"], canvas)
    word = unescape_label("".join(fields["status"][:1])).lower()
    if word and word not in NODE_STATUSES:
        hint = "one of todo, doing, done, paused, blocked"
        problems.append(
            _problem(row, "CANVAS202", f"unknown status {word!r}, taken as doing", hint, "warning")
        )
    return Node(
        number,
        one_line(title),
        NODE_STATUSES.get(word, "doing" if word else "todo"),
        unescape_label("\n".join(fields["summary"])),
        one_line(unescape_label(" ".join(fields["timestamp"]))) or None,
        shape,
        folded,
    )


def _label_lines(label: str) -> Iterator[tuple[str, str]]:
    """Give each line of a raw label with the field it belongs to.

    Markers are looked for before entities are decoded, so an escaped `#115;tatus:` is text.
    """
    field = "title"
    for line in re.split(r"<br[ \t]{0,9}/?>|\n", label, flags=re.IGNORECASE):
        if found := _MARKER.fullmatch(line):
            field = found[1].lower()
            yield field, found[2]
            field = "summary"  # what stands below a status or a time belongs to the summary
        else:
            yield field, line


def _read_title(lines: list[str], canvas: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    raw = " ".join(line.strip() for line in lines).strip()
    found = _ARROW.search(raw)
    if not found:
        return unescape_label(raw), ()
    ranges = []
    for part in found[1].split(","):
        ends = [_number(end.strip(), canvas) for end in part.split("..")]
        if None in ends:
            return unescape_label(raw), ()
        numbers = sorted(end for end in ends if end is not None)
        ranges.append((numbers[0], numbers[-1]))
    return unescape_label(raw[: found.start()]), tuple(ranges)


def _number(name: str, canvas: int) -> int | None:
    """Read `003-N4` or `N4` as a node number of *canvas*; None for a node of another canvas."""
    owner, _, number = name.rpartition("-")
    return int(number[1:]) if not owner or int(owner) == canvas else None


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
    progress = percent_done(nodes) if header.progress is None else header.progress
    return Canvas(
        number,
        header.goal,
        header.status,
        progress,
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


def _problem(row: int, code: str, message: str, hint: str = "", severity: str = "error") -> Problem:
    return Problem("", row, 1, code, message, "warning" if severity == "warning" else "error", hint)
