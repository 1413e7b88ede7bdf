"""Any Mermaid flowchart for the terminal: its nodes in the order its edges give, beside their rails."""

from memctl.canvas.chart import Flowchart, Link, Vertex
from memctl.canvas.escape import unescape_label
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.page import NARROWEST, WIDEST, Item, Line, draw_items, in_ascii, most_lanes
from memctl.canvas.rails import lay_rails, order_nodes
from memctl.canvas.repair import fix
from memctl.canvas.source import prepare
from memctl.canvas.wrapping import wrap
from memctl.text.numbers import how_many
from memctl.text.widths import cut_to_width

_MARKS = {"diamond": "◇", "hexagon": "◇", "circle": "○", "doublecircle": "○", "decision": "◇", "diam": "◇"}


def view_flowchart(text: str, width: int = 80, *, ascii: bool = False) -> list[Line]:  # noqa: A002 (the option's name)
    """Draw the flowchart *text* in *width* cells; lines that cannot be read are counted, and left out."""
    width = max(min(width, WIDEST), NARROWEST)
    chart = parse_flowchart(prepare(text))
    faults = len(chart.faults)
    if faults:
        chart = parse_flowchart(prepare(fix(text)))
    lines: list[Line] = [*_heading(chart, faults, width), (), *_body(chart, width)]
    return in_ascii(lines) if ascii else lines


def _heading(chart: Flowchart, faults: int, width: int) -> list[Line]:
    visible = [link for link in chart.links if link.stroke != "invisible"]
    counts = ["flowchart", how_many(len(chart.vertices), "node"), how_many(len(visible), "edge")]
    if chart.groups:
        counts.append(how_many(len(chart.groups), "group"))
    lines: list[Line] = [((line, "note"),) for line in wrap(" · ".join(counts), width)]
    if faults:
        text = f"{how_many(faults, 'fault')}: memctl validate says where"
        lines += [((line, "status.blocked"),) for line in wrap(text, width)]
    return lines


def _body(chart: Flowchart, width: int) -> list[Line]:
    vertices = list(chart.vertices.values())
    numbers = {vertex.id: number for number, vertex in enumerate(vertices)}
    links = [link for link in chart.links if link.stroke != "invisible"]
    pairs = {(numbers[link.source], numbers[link.target]) for link in links}
    order, back = order_nodes(len(vertices), pairs)
    positions = {number: at for at, number in enumerate(order)}
    down = [(positions[source], positions[target]) for source, target in pairs - back]
    rails = lay_rails(len(order), down, most_lanes(width))
    items = [_item(chart, vertices[number]) for number in order]
    _show_groups(chart, [vertices[number] for number in order], items)
    for link in links:
        ends = numbers[link.source], numbers[link.target]
        source, target = positions[ends[0]], positions[ends[1]]
        if ends in back:
            _explain(link, items, source, target, back=True)
        else:
            _explain(link, items, source, target, loose=source in rails[target].loose)
    return draw_items(items, rails, width)


def _item(chart: Flowchart, vertex: Vertex) -> Item:
    title, *rest = unescape_label(vertex.text).split("\n")
    name = vertex.id if vertex.text != vertex.id and len(vertex.id) <= 16 else ""
    item = Item((_MARKS.get(vertex.shape, "●"), "id"), name, title or vertex.id)
    groups = {group.id: group.title for group in chart.groups}
    if vertex.id in groups:
        item.title = unescape_label(groups[vertex.id]) or vertex.id
        item.tags.append(("group", "kind"))
    item.body += [(line, "summary") for line in rest]
    return item


def _show_groups(chart: Flowchart, vertices: list[Vertex], items: list[Item]) -> None:
    """Name a group at the first of its nodes, and again where it goes on after others."""
    last = None
    for vertex, item in zip(vertices, items, strict=True):
        if vertex.group is not None and vertex.group != last:
            title = unescape_label(chart.groups[vertex.group].title).replace("\n", " ")
            item.tail.append((cut_to_width(title, 30), "kind"))
        last = vertex.group


def _explain(
    link: Link, items: list[Item], source: int, target: int, *, back: bool = False, loose: bool = False
) -> None:
    """Say in words what the rails do not show of *link*."""
    label = unescape_label(link.text).replace("\n", " ")
    colon = f": {label}" if label else ""
    name = items[source].name or items[source].title
    if back:
        items[source].body.append((f"↺ back to {items[target].name or items[target].title}{colon}", "label"))
    elif loose:
        items[target].reasons.append((f"from {name}{colon}", "label"))
    elif label:
        items[target].reasons.append((label if source == target - 1 else f"{label} (from {name})", "label"))
