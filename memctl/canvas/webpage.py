"""A canvas as one HTML page: steps beside their rails; a click opens a step, another one of its entries.

The page needs nothing but itself: no script, no request, no file beside it. Opening and closing is the
browser's own `<details>`, so it works from the keyboard, on a phone and from `file:`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from memctl.canvas.archiving import before
from memctl.canvas.nodetext import write_ranges
from memctl.canvas.rails import Rail, lay_rails
from memctl.canvas.view import KINDS, MARKS, share, short_time, span
from memctl.canvas.webstyle import STYLE
from memctl.model import Canvas, Edge, Entry, Node, node_id, node_of
from memctl.text.numbers import how_many
from memctl.text.widths import printable

# Nothing may be fetched and nothing may run; the icon is empty, so that no browser asks for one.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_LANE = 18  # pixels from rail to rail
_TURN = 16  # pixels in which a rail turns into another lane
_MOST_LANES = 6
_DOWN, _UP = "│├┤┼╮╭┬", "│├┤┼╯╰┴"


@dataclass(frozen=True, slots=True)
class _Page:
    """What the parts of the page look things up in."""

    canvas: Canvas
    positions: Mapping[int, int]
    rails: Sequence[Rail]
    lanes: int
    entries: Mapping[int, Sequence[Entry]]
    refs: Mapping[str, str]


def web_page(canvas: Canvas, entries: Iterable[Entry], refs: Mapping[str, str]) -> str:
    """Write the page of *canvas*.

    entries: those of its session; each stands under the node it names, or the one that has folded it in.
    refs: the text of each `result_ref` that shall be readable on the page.
    """
    goal = _text(canvas.goal) or "(no goal)"
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{canvas.number:03d} {goal}</title>
<style>
{STYLE}</style>
</head>
<body>
{_header(canvas, goal)}<main>
{_steps(_lay_out(canvas, entries, refs))}</main>
</body>
</html>
"""


def _text(text: str) -> str:
    """Write *text* as HTML text or attribute: nothing in it is a tag, and nothing in it is hidden."""
    return escape(printable(text))


def _lay_out(canvas: Canvas, entries: Iterable[Entry], refs: Mapping[str, str]) -> _Page:
    positions = {node.number: at for at, node in enumerate(canvas.nodes)}
    ends = [(edge, positions.get(edge.source), positions.get(edge.target)) for edge in canvas.edges]
    known = [(edge, first, last) for edge, first, last in ends if first is not None and last is not None]
    down = [(first, last) for edge, first, last in known if not edge.dotted and first < last]
    rails = lay_rails(len(canvas.nodes), down, _MOST_LANES)
    lanes = max((max(len(rail.beside) // 2, rail.lane) + 1 for rail in rails), default=1)
    return _Page(canvas, positions, rails, lanes, _by_node(canvas, entries), refs)


def _by_node(canvas: Canvas, entries: Iterable[Entry]) -> dict[int, list[Entry]]:
    ranges = [(node.number, first, last) for node in canvas.nodes for first, last in node.folded]
    ranges += [(node.number, node.number, node.number) for node in canvas.nodes]
    under: dict[int, list[Entry]] = {node.number: [] for node in canvas.nodes}
    for entry in entries:
        placed = node_of(entry.node_id)
        if placed and placed[0] == canvas.number:
            for node, first, last in ranges:
                if first <= placed[1] <= last:
                    under[node].append(entry)
                    break
    return under


def _header(canvas: Canvas, goal: str) -> str:
    facts = [span(canvas.created, canvas.updated), f"session {canvas.session}" if canvas.session else ""]
    facts += [] if canvas.by == "rules" else [f"by {canvas.by}"]
    percent = min(max(canvas.progress, 0), 100)
    bar = f'<progress max="100" value="{percent}" aria-label="progress"></progress>'
    return f"""\
<header>
<h1><span class="number">{canvas.number:03d}</span> {goal}</h1>
<p>{_chips(canvas)} {bar} {share(canvas)}</p>
<p class="facts">{_joined(facts)}</p>
</header>
"""


def _chips(canvas: Canvas) -> str:
    """Write the status, with the one before where it is archived."""
    return " ".join(_chip(status) for status in (before(canvas), canvas.status) if status)


def _chip(status: str) -> str:
    return f'<span class="chip {status}">{status}</span>'


def _joined(facts: Iterable[str]) -> str:
    return " · ".join(_text(fact) for fact in facts if fact)


# --------------------------------------------------------------------------- steps


def _steps(page: _Page) -> str:
    parts = []
    day: tuple[str, ...] = ()
    for node, rail in zip(page.canvas.nodes, page.rails, strict=True):
        time, day = short_time(node.timestamp, day)
        parts += [_above(page, node, rail), _row(page, node, rail, time), _turns(rail, page.lanes)]
    return f'<div style="--gutter:{page.lanes * _LANE + 6}px">\n{"".join(parts)}</div>\n'


def _row(page: _Page, node: Node, rail: Rail, time: str) -> str:
    """Write a node: its mark on the rail, its line, what it found, and its entries to open."""
    entries = page.entries[node.number]
    state = "" if node.status == "done" else f" {_chip(node.status)}"
    when = f' <time title="{_text(node.timestamp or "")}">{_text(time)}</time>' if time else ""
    inside = (
        f'<span class="line"><span class="id">{_name(page, node.number)}</span> '
        f'<span class="title">{_text(node.title) or "(no title)"}</span>{state}'
        f'<span class="side"><span class="kind">{KINDS[node.shape]}</span>{when}</span></span>\n'
    )
    if node.summary:
        inside += f'<span class="line summary">{_text(node.summary)}</span>\n'
    if entries:
        many = f"{how_many(len(entries), 'entry', 'entries')}"
        inside += f'<span class="line count">{many}</span>\n'
        listed = "".join(_entry(entry, page.refs) for entry in entries)
        inside = f"<details>\n<summary>{inside}</summary>\n{listed}</details>\n"
    else:
        inside = f'<div class="bare">{inside}</div>\n'
    remarks = "".join(f'<p class="note">{remark}</p>\n' for remark in _remarks(page, node))
    rails = _passing(rail.beside, page.lanes) + _mark(node, rail)
    return f'<section class="row" id="{_name(page, node.number)}">{rails}\n{inside}{remarks}</section>\n'


def _above(page: _Page, node: Node, rail: Rail) -> str:
    """Say why the solid edges that lead down to *node* are there."""
    at = page.positions[node.number]
    texts = []
    for edge in page.canvas.edges:
        first = page.positions.get(edge.source, at)
        loose = first in rail.loose
        if edge.target != node.number or edge.dotted or first >= at or not (edge.label or loose):
            continue
        source = "" if first == at - 1 and not loose else f" from {_link(page, edge.source)}"
        texts.append(f'<p class="why">↓ {_text(edge.label)}{source}</p>\n')
    return f'<div class="row">{_passing(rail.above, page.lanes)}{"".join(texts)}</div>\n' if texts else ""


def _remarks(page: _Page, node: Node) -> Iterator[str]:
    """Say what the rails do not show: what is folded in, what the node uses, what it leads back to."""
    if node.folded:
        count = sum(last - first + 1 for first, last in node.folded)
        ranges = write_ranges(page.canvas.number, node.folded).replace("..", "–")
        yield f"+ {how_many(count, 'step')} folded in: {ranges}"
    for edge in page.canvas.edges:
        if edge.source not in page.positions or edge.target not in page.positions:
            continue
        if edge.dotted and edge.target == node.number:
            yield f"┄ {_text(edge.label) or 'uses'} {_link(page, edge.source, title=True)}"
        if edge.source == node.number and _leads_back(page, edge):
            yield f"↺ back to {_link(page, edge.target)}{': ' if edge.label else ''}{_text(edge.label)}"


def _leads_back(page: _Page, edge: Edge) -> bool:
    return not edge.dotted and page.positions[edge.source] >= page.positions[edge.target]


def _name(page: _Page, number: int) -> str:
    return node_id(page.canvas.number, number)


def _link(page: _Page, number: int, *, title: bool = False) -> str:
    name = _name(page, number)
    text = f" {_text(page.canvas.nodes[page.positions[number]].title)}" if title else ""
    return f'<a href="#{name}">{name}{text}</a>'


def _entry(entry: Entry, refs: Mapping[str, str]) -> str:
    state = "" if entry.status == "ok" else f" {_chip(entry.status)}"
    head = f"<code>{_text(entry.tool_call)}</code>{state}"
    head += f'<span class="line">{_text(entry.summary)}</span>' if entry.summary else ""
    size = f"{entry.result_bytes:,} bytes" if entry.result_bytes else ""
    facts = _joined([entry.timestamp or "", size, entry.result_ref or ""])
    text = refs.get(entry.result_ref or "") if entry.result is None else entry.result
    result = "" if text is None else f"<pre>{_text(text)}</pre>\n"
    if not facts and not result:
        return f'<div class="entry">{head}</div>\n'
    inside = f'<p class="facts">{facts}</p>\n{result}'
    return f'<details class="entry">\n<summary>{head}</summary>\n{inside}</details>\n'


# --------------------------------------------------------------------------- rails


def _x(lane: int) -> int:
    return lane * _LANE + _LANE // 2


def _passing(cells: str, lanes: int) -> str:
    """Draw the rails that pass a row."""
    passing = [lane for lane in range(lanes) if cells[2 * lane : 2 * lane + 1].strip()]
    return "".join(f'<i style="left:{_x(lane)}px"></i>' for lane in passing)


def _mark(node: Node, rail: Rail) -> str:
    """Draw the mark of a node and its own rail, above and below it."""
    cell = slice(2 * rail.lane, 2 * rail.lane + 1)
    ends = ["up"] * bool(rail.above[cell].strip()) + ["down"] * bool(rail.below[cell].strip())
    place = f'style="left:{_x(rail.lane)}px"'
    mark = f'<b class="mark {node.status}" {place} title="{node.status}">{MARKS[node.status]}</b>'
    return f'<i class="{" ".join(["own", *ends])}" {place}></i>{mark}'


def _turns(rail: Rail, lanes: int) -> str:
    """Draw where the rail of a node turns into other lanes."""
    if not rail.connector:
        return ""
    own, half = _x(rail.lane), _TURN // 2
    path = ""
    for lane in range(lanes):
        cell = rail.connector[2 * lane : 2 * lane + 1] or " "
        if cell in _UP and cell in _DOWN:
            path += f"M{_x(lane)} 0V{_TURN}"
        if lane != rail.lane and cell in _DOWN and cell != "│":
            path += f"M{own} 0C{own} {half} {_x(lane)} {half} {_x(lane)} {_TURN}"
    size = f'width="{lanes * _LANE}" height="{_TURN}"'
    return f'<svg class="turn" {size} fill="none" aria-hidden="true"><path d="{path}"/></svg>\n'
