"""A canvas as lines for a terminal: what it is about, how far it is, and its nodes beside their rails.

Lines are made of segments (text, style name); the command line gives the names their colours. Style names:
`goal`, `id`, `title`, `summary`, `kind`, `time`, `label` (why an edge is there), `uses`, `note`, `rail`,
`bar`, `bar.rest`, `status.<status of a node or canvas>`, and "" for text without a style.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memctl.canvas.mmd import write_ranges
from memctl.canvas.rails import Rail, lay_rails
from memctl.canvas.wrapping import wrap
from memctl.model import Canvas, Edge, Node, NodeStatus, Shape, node_id
from memctl.text.widths import display_width

Segment = tuple[str, str]
Line = tuple[Segment, ...]

MARKS: dict[NodeStatus, str] = {"todo": "○", "doing": "◐", "done": "✓", "paused": "‖", "blocked": "✗"}
KINDS: dict[Shape, str] = {
    "read": "read",
    "edit": "edit",
    "verify": "verify",
    "run": "run",
    "store": "store",
    "finding": "finding",
    "dead_end": "dead end",
}
_ASCII = str.maketrans("│─├┤┼╮╭┬╯╰┴┄○◐✓‖✗█░↺↓·–…→←", "|-+++..+''+~o>*=!#.@v--~><")  # cell for cell
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)")
_SIGNS = ("┄", "↺", "↓")
_WIDEST = 120  # a line of text much longer than this is hard to follow with the eye


def plain(lines: Iterable[Line]) -> str:
    """Give *lines* as text without styles, each line ended by a newline."""
    return "".join("".join(text for text, _style in line).rstrip() + "\n" for line in lines)


def view_canvas(canvas: Canvas, width: int = 80, *, ascii: bool = False) -> list[Line]:  # noqa: A002 (the option's name)
    """Draw *canvas* in *width* cells; with *ascii* the drawing itself keeps to ASCII."""
    width = max(min(width, _WIDEST), 24)
    lines = [*_heading(canvas, width), (), *_body(canvas, width)]
    return (
        [tuple((text.translate(_ASCII), style) for text, style in line) for line in lines] if ascii else lines
    )


# --------------------------------------------------------------------------- heading


def _heading(canvas: Canvas, width: int) -> list[Line]:
    name = f"{canvas.number:03d}"
    indent = " " * (len(name) + 2)
    goal = wrap(canvas.goal or "(no goal)", width - len(indent), 3)
    lines: list[Line] = [((name, "id"), ("  ", ""), (goal[0], "goal"))]
    lines += [((indent, ""), (line, "goal")) for line in goal[1:]]
    status = f"status.{canvas.status}"
    total = sum(_weight(node) for node in canvas.nodes)
    room = min(20, width - len(indent) - 30)
    filled = min(max(canvas.progress, 0), 100) * room // 100
    bar: list[Segment] = (
        [("█" * filled, "bar"), ("░" * (room - filled), "bar.rest"), (" ", "")] if room >= 8 else []
    )
    steps = f"{canvas.progress}% of {total} step{'' if total == 1 else 's'}"
    lines.append(((indent, ""), (canvas.status, status), ("  ", ""), *bar, (steps, "note")))
    facts = [
        _span(canvas.created, canvas.updated),
        canvas.session and f"session {canvas.session}",
        _by(canvas.by),
    ]
    for line in wrap(" · ".join(fact for fact in facts if fact), width - len(indent), 2):
        if line:
            lines.append(((indent, ""), (line, "time")))
    return lines


def _by(by: str) -> str:
    return "" if by == "rules" else f"by {by}"


def _weight(node: Node) -> int:
    return 1 + sum(last - first + 1 for first, last in node.folded)


def _span(created: str | None, updated: str | None) -> str:
    """Write from when to when a canvas runs: `2026-04-16 22:10–22:25`."""
    first, last = _date_and_time(created), _date_and_time(updated)
    if not first or not last or first == last:
        return " ".join(first or last)
    if first[0] == last[0]:
        return f"{first[0]} {first[1]}–{last[1]}"
    return f"{first[0]} {first[1]} – {last[0]} {last[1]}"


def _date_and_time(time: str | None) -> tuple[str, ...]:
    if not time:
        return ()
    found = _TIME.match(time)
    return (f"{found[1]}-{found[2]}-{found[3]}", found[4]) if found else (time[:20],)


# --------------------------------------------------------------------------- nodes beside their rails


@dataclass(slots=True)
class _Item:
    """A node as it will stand on the page."""

    mark: Segment
    name: str
    title: str
    tags: list[Segment]  # to the right of the title
    tail: list[Segment]  # at the right margin
    body: list[Segment] = field(default_factory=list)  # paragraphs under the title
    reasons: list[Segment] = field(default_factory=list)  # lines above the node


def _body(canvas: Canvas, width: int) -> list[Line]:
    positions = {node.number: at for at, node in enumerate(canvas.nodes)}
    ends = [(edge, positions.get(edge.source), positions.get(edge.target)) for edge in canvas.edges]
    edges = [
        (edge, source, target) for edge, source, target in ends if source is not None and target is not None
    ]
    solid = [(source, target) for edge, source, target in edges if not edge.dotted and source < target]
    rails = lay_rails(len(canvas.nodes), solid, max(2, min(8, width // 12)))
    items = []
    day = _date_and_time(canvas.created)[:1]
    for node in canvas.nodes:
        time, day = _short_time(node.timestamp, day)
        items.append(_item(canvas, node, time, width))
    for edge, source, target in edges:
        _explain(edge, items, source, target, loose=source in rails[target].loose)
    return _draw(items, rails, width)


def _item(canvas: Canvas, node: Node, time: str, width: int) -> _Item:
    style = f"status.{node.status}"
    name = node_id(canvas.number, node.number) if width >= 50 else f"N{node.number}"
    tags: list[Segment] = [] if node.status == "done" else [(node.status, style)]
    tail: list[Segment] = [(KINDS[node.shape], "kind")] if width >= 60 else []
    if time:
        tail.append((time, "time"))
    item = _Item((MARKS[node.status], style), name, node.title or "(no title)", tags, tail)
    if node.summary:
        item.body.append((node.summary, "summary"))
    if node.folded:
        count = _weight(node) - 1
        ranges = write_ranges(canvas.number, node.folded).replace("..", "–")
        item.body.append((f"with {count} earlier step{'' if count == 1 else 's'}: {ranges}", "note"))
    return item


def _short_time(time: str | None, day: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Give a node's time as `22:10`, with the day before it when it is another day than *day*."""
    parts = _date_and_time(time)
    if len(parts) < 2:
        return " ".join(parts), day
    return (parts[1] if parts[:1] == day or not day else f"{parts[0][5:]} {parts[1]}"), parts[:1]


def _explain(edge: Edge, items: list[_Item], source: int, target: int, *, loose: bool) -> None:
    """Say in words what the rails do not show of *edge*: its label, that it is dotted or leads back."""
    label = edge.label.replace("\n", " ")
    name = items[source].name
    if edge.dotted:
        word = label or "uses"
        items[target].body.append((f"┄ {word} {name} {items[source].title}", "uses"))
    elif source >= target:
        items[source].body.append(
            (f"↺ back to {items[target].name}" + (f": {label}" if label else ""), "label")
        )
    elif loose:
        items[target].reasons.append((f"from {name}" + (f": {label}" if label else ""), "label"))
    elif label:
        items[target].reasons.append((label if source == target - 1 else f"{label} (from {name})", "label"))


def _draw(items: Sequence[_Item], rails: Sequence[Rail], width: int) -> list[Line]:
    gutter = max((len(rail.beside) for rail in rails), default=0) + 2
    gutter = max(gutter, max((2 * rail.lane + 3 for rail in rails), default=0))
    lines: list[Line] = []
    for at, (item, rail) in enumerate(zip(items, rails, strict=True)):
        if item.reasons:
            for text, style in item.reasons:
                lines += _paragraph(f"↓ {text}", style, rail.above, gutter, width, 2)
        elif at and not rails[at - 1].connector:
            lines.append((_rail(rail.above, gutter),))
        lines += _draw_head(item, rail, gutter, width)
        for text, style in item.body:
            lines += _paragraph(text, style, rail.below, gutter + 2, width, 6)
        if rail.connector:
            lines.append((_rail(rail.connector, gutter),))
    return lines


def _paragraph(text: str, style: str, cells: str, gutter: int, width: int, most: int) -> list[Line]:
    """Wrap *text* beside the rail; what begins with a sign hangs from it."""
    hang = 2 if text.startswith(_SIGNS) else 0
    first, *rest = wrap(text, width - gutter - hang, most)
    return [
        (_rail(cells, gutter), (first, style)),
        *((_rail(cells, gutter + hang), (line, style)) for line in rest),
    ]


def _rail(cells: str, gutter: int) -> Segment:
    return (cells.ljust(gutter), "rail")


def _draw_head(item: _Item, rail: Rail, gutter: int, width: int) -> list[Line]:
    cells = rail.beside.ljust(gutter)
    at = 2 * rail.lane
    start: list[Segment] = [
        (cells[:at], "rail"),
        item.mark,
        (cells[at + 1 :], "rail"),
        (item.name, "id"),
        ("  ", ""),
    ]
    used = gutter + len(item.name) + 2
    tail = [segment for part in item.tail for segment in (part, ("  ", ""))][:-1]
    tags = [segment for part in item.tags for segment in (("  ", ""), part)]
    size = sum(display_width(text) for text, _style in (*tail, *tags))
    room = width - used - size - 2
    if room < 16:
        tail, room = [], width - used - sum(display_width(text) for text, _style in tags)
    title = wrap(item.title, max(room, 8), 3)
    first = [*start, (title[0], "title"), *tags]
    if tail:
        size = sum(display_width(text) for text, _style in (*first, *tail))
        first += [(" " * max(width - size, 1), ""), *tail]
    rest = [(_rail(rail.below, used), (line, "title")) for line in title[1:]]
    return [tuple(first), *rest]
