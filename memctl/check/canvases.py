"""Rules of canvases: what Mermaid draws, and canvas -> node -> entry and back."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from memctl.canvas import rules
from memctl.check.codes import found
from memctl.check.results import safe
from memctl.check.survey import Drawn, Row, Survey
from memctl.model import Canvas, Node, Problem, node_id, node_of

_CODES = {
    "CANVAS101": "CHK402",
    "CANVAS103": "CHK409",
    "CANVAS104": "CHK409",
    "CANVAS105": "CHK409",
    "CANVAS106": "CHK406",
    "CANVAS107": "CHK404",
    "CANVAS108": "CHK405",
    "CANVAS202": "CHK409",
}
_FIX = "memctl check --fix redraws it from the entries"


def canvases(seen: Survey) -> Iterator[Problem]:
    """Look at every canvas, then at the chain between canvases, nodes and entries."""
    for drawn in seen.drawn:
        yield from _canvas(drawn)
    yield from _numbers(seen)
    yield from _chain(seen)


def _canvas(drawn: Drawn) -> Iterator[Problem]:
    for problem in drawn.problems:
        code = _CODES.get(problem.code)
        if code:
            yield found(code, drawn.path, problem.line, problem.message, problem.hint or _FIX)
    if drawn.canvas is None:
        return
    for problem in rules.validate(drawn.text, str(drawn.path)):
        if problem.severity == "note":
            continue
        code = "CHK401" if problem.severity == "error" else "CHK411"
        told = f"{problem.code} {problem.message}"
        yield found(code, drawn.path, problem.line, told, problem.hint)


def _numbers(seen: Survey) -> Iterator[Problem]:
    """Find canvases that share a number."""
    first: dict[int, Drawn] = {}
    for drawn in seen.drawn:
        if drawn.number not in first:
            first[drawn.number] = drawn
            continue
        other = first[drawn.number].path
        message = f"{other.name} also has the number {drawn.number:03d}"
        hint = "memctl check --fix renumbers one of them; both ids keep working"
        yield found("CHK407", drawn.path, 1, message, hint, other=str(other))


# --------------------------------------------------------------------------- the chain


def members(node: Node) -> Iterator[int]:
    """Give the numbers a drawn node stands for."""
    return chain((node.number,), *(range(first, last + 1) for first, last in node.folded))


def _chain(seen: Survey) -> Iterator[Problem]:
    by_name = {drawn.path.name: drawn for drawn in seen.drawn}
    stand: dict[str, set[int]] = defaultdict(set)  # canvas file -> nodes that entries stand for
    drawn_numbers = {
        drawn.path.name: frozenset(chain.from_iterable(map(members, drawn.canvas.nodes)))
        for drawn in seen.drawn
        if drawn.canvas is not None
    }
    for row in seen.rows:
        if row.node:
            yield from _entry(seen, row, by_name, stand, drawn_numbers)
    for drawn in seen.drawn:
        if drawn.canvas is not None:
            yield from _nodes(seen, drawn, drawn.canvas, stand[drawn.path.name])


def _entry(
    seen: Survey,
    row: Row,
    by_name: dict[str, Drawn],
    stand: dict[str, set[int]],
    drawn_numbers: dict[str, frozenset[int]],
) -> Iterator[Problem]:
    """Follow one entry to its node."""
    named = node_of(row.node)
    if named is None:
        if not (seen.foreign or row.theirs):
            yield found("CHK204", row.path, row.number, f"{row.node!r} is not a node id")
        return
    number, node = named
    name = row.canvas.removeprefix("mmds/")
    if not name:
        same = [one for one in seen.drawn if one.number == number]
        name = same[0].path.name if same else ""
    if not name or name not in by_name:
        if name and (not safe(name) or "/" in name):
            yield found("CHK103", row.path, row.number, f"unsafe path {row.canvas!r}; it is not followed")
            return
        message = f"{row.node} is on {name or f'canvas {number:03d}'}, which is missing"
        yield found("CHK502", row.path, row.number, message, _FIX, other=f"mmds/{name}")
        return
    stand[name].add(node)
    if by_name[name].number != number:
        message = f"{row.node} cannot be on {name}"
        yield found("CHK501", row.path, row.number, message, other=str(by_name[name].path))
    elif name in drawn_numbers and node not in drawn_numbers[name]:
        message = f"{row.node} is not on {name}"
        yield found("CHK501", row.path, row.number, message, _FIX, other=str(by_name[name].path))


def _nodes(seen: Survey, drawn: Drawn, canvas: Canvas, stand: set[int]) -> Iterator[Problem]:
    """Follow each node of a canvas to its entries, and the canvas to its session.

    The original's canvases were drawn from no conversation of memctl's, and it may have dropped their entries.
    """
    for node in canvas.nodes:
        line = drawn.lines.get(node.number, 1)
        # What was planned and then dropped is `paused` without ever having been done.
        planned = node.status == "todo" or (node.status == "paused" and not node.timestamp)
        if not planned and not drawn.is_theirs and not any(one in stand for one in members(node)):
            message = f"no entry for {node_id(drawn.number, node.number)}"
            hint = "restore the entries file from git or a copy, or run memctl check --fix"
            yield found("CHK403", drawn.path, line, message, hint)
    if not canvas.session:
        return
    talk = seen.talks.get(canvas.session)
    if talk is None:
        if not (seen.foreign or drawn.is_theirs):
            message = f"the conversation of session {canvas.session} is missing"
            yield found("CHK410", drawn.path, 1, message, "restore it, or ingest the transcript again")
    elif 0 <= canvas.upto < talk.last:
        message = f"drawn up to message {canvas.upto}; its session has {talk.last}"
        yield found("CHK408", drawn.path, 1, message, _FIX, other=str(talk.path))
