"""A canvas for the terminal: what it is about, how far it is, and its nodes beside their rails."""

import re

from memctl.canvas.archiving import stated
from memctl.canvas.nodetext import write_ranges
from memctl.canvas.page import (
    NARROWEST,
    WIDEST,
    Item,
    Line,
    Segment,
    draw_items,
    in_ascii,
    most_lanes,
    plain,
)
from memctl.canvas.rails import lay_rails
from memctl.canvas.wrapping import wrap
from memctl.model import Canvas, Edge, Node, NodeStatus, Shape, node_id
from memctl.text.numbers import how_many

__all__ = ["KINDS", "MARKS", "Line", "Segment", "plain", "share", "short_time", "span", "view_canvas"]

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
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)", re.ASCII)


def view_canvas(canvas: Canvas, width: int = 80, *, ascii: bool = False) -> list[Line]:  # noqa: A002 (the option's name)
    """Draw *canvas* in *width* cells; with *ascii* the drawing itself keeps to ASCII."""
    width = max(min(width, WIDEST), NARROWEST)
    lines: list[Line] = [*_heading(canvas, width), (), *_body(canvas, width)]
    return in_ascii(lines) if ascii else lines


# --------------------------------------------------------------------------- heading


def _heading(canvas: Canvas, width: int) -> list[Line]:
    name = f"{canvas.number:03d}"
    indent = " " * (len(name) + 2)
    goal = wrap(canvas.goal or "(no goal)", width - len(indent), 3)
    lines: list[Line] = [((name, "id"), ("  ", ""), (goal[0], "goal"))]
    lines += [((indent, ""), (line, "goal")) for line in goal[1:]]
    steps = share(canvas)
    status = stated(canvas)
    if len(indent) + len(status) + 2 + len(steps) > width:
        steps = f"{canvas.progress}%"
    if len(indent) + len(status) + 2 + len(steps) > width:
        status = canvas.status  # what it was before is in its header
    state: Line = ((indent, ""), (status, f"status.{canvas.status}"), ("  ", ""))
    lines.append((*state, *_bar(canvas.progress, width - len(indent) - 30), (steps, "note")))
    session = f"session {canvas.session}" if canvas.session else ""
    by = "" if canvas.by == "rules" else f"by {canvas.by}"
    facts = " · ".join(fact for fact in (span(canvas.created, canvas.updated), session, by) if fact)
    lines += [((indent, ""), (line, "time")) for line in wrap(facts, width - len(indent), 2) if line]
    return lines


def share(canvas: Canvas) -> str:
    """Write how far *canvas* is: `60% of 5 steps`, folded ones counted."""
    total = sum(_weight(node) for node in canvas.nodes)
    return f"{canvas.progress}% of {how_many(total, 'step')}"


def _bar(percent: int, room: int) -> list[Segment]:
    size = min(20, room)
    if size < 8:
        return []
    filled = min(max(percent, 0), 100) * size // 100
    return [("█" * filled, "bar"), ("░" * (size - filled), "bar.rest"), (" ", "")]


def _weight(node: Node) -> int:
    return 1 + sum(last - first + 1 for first, last in node.folded)


def span(created: str | None, updated: str | None) -> str:
    """Write from when to when a canvas runs: `2026-04-16 22:10–22:25`."""
    first, last = _date_and_time(created), _date_and_time(updated)
    if not first or not last or first == last:
        return " ".join(first or last)
    if len(first) == len(last) == 2 and first[0] == last[0]:
        return f"{first[0]} {first[1]}–{last[1]}"
    return f"{' '.join(first)} – {' '.join(last)}"


def _date_and_time(time: str | None) -> tuple[str, ...]:
    """Cut a time as written to date and minute; what is no time stays, shortened; none gives nothing."""
    if not time:
        return ()
    found = _TIME.match(time)
    return (f"{found[1]}-{found[2]}-{found[3]}", found[4]) if found else (time[:20],)


# --------------------------------------------------------------------------- nodes


def _body(canvas: Canvas, width: int) -> list[Line]:
    positions = {node.number: at for at, node in enumerate(canvas.nodes)}
    ends = [(edge, positions.get(edge.source), positions.get(edge.target)) for edge in canvas.edges]
    edges = [(edge, first, last) for edge, first, last in ends if first is not None and last is not None]
    solid = [(first, last) for edge, first, last in edges if not edge.dotted and first < last]
    rails = lay_rails(len(canvas.nodes), solid, most_lanes(width))
    items = []
    day = _date_and_time(canvas.created)[:1]
    for node in canvas.nodes:
        time, day = short_time(node.timestamp, day)
        items.append(_item(canvas, node, time, width))
    for edge, first, last in edges:
        _explain(edge, items, first, last, loose=first in rails[last].loose)
    return draw_items(items, rails, width)


def _item(canvas: Canvas, node: Node, time: str, width: int) -> Item:
    style = f"status.{node.status}"
    name = node_id(canvas.number, node.number) if width >= 50 else f"N{node.number}"
    item = Item((MARKS[node.status], style), name, node.title or "(no title)")
    if node.status != "done":
        item.tags.append((node.status, style))
    if width >= 60:
        item.tail.append((KINDS[node.shape], "kind"))
    if time:
        item.tail.append((time, "time"))
    if node.summary:
        item.body.append((node.summary, "summary"))
    if node.folded:
        count = _weight(node) - 1
        ranges = write_ranges(canvas.number, node.folded).replace("..", "–")
        item.body.append((f"+ {how_many(count, 'step')} folded in: {ranges}", "note"))
    return item


def short_time(time: str | None, day: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Give a node's time as `22:10`, with the day before it when it is another day than *day*."""
    parts = _date_and_time(time)
    if len(parts) < 2:
        return " ".join(parts), day
    return (parts[1] if parts[:1] == day or not day else f"{parts[0][5:]} {parts[1]}"), parts[:1]


def _explain(edge: Edge, items: list[Item], source: int, target: int, *, loose: bool) -> None:
    """Say in words what the rails do not show of *edge*: its label, that it is dotted or leads back."""
    label = edge.label.replace("\n", " ")
    name = items[source].name
    colon = f": {label}" if label else ""
    if edge.dotted:
        items[target].body.append((f"┄ {label or 'uses'} {name} {items[source].title}", "uses"))
    elif source >= target:
        items[source].body.append((f"↺ back to {items[target].name}{colon}", "label"))
    elif loose:
        items[target].reasons.append((f"from {name}{colon}", "label"))
    elif label:
        items[target].reasons.append((label if source == target - 1 else f"{label} (from {name})", "label"))
