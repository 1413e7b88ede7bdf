"""The terminal view: everything a canvas says, in the width at hand, with rails that hold together."""

import re
from dataclasses import replace

import pytest
from canvases import canvases
from flowcharts import random_flowchart
from hypothesis import given, settings, strategies as st

from memctl.canvas.chartview import view_flowchart
from memctl.canvas.mmd import normalise_canvas
from memctl.canvas.page import Line, plain
from memctl.canvas.rails import lay_rails, order_nodes
from memctl.canvas.view import view_canvas
from memctl.canvas.wrapping import wrap
from memctl.model import Canvas, Edge, Node
from memctl.text.widths import display_width

FEW = settings(deadline=None, max_examples=25)
WIDTHS = [24, 40, 80, 100, 200]

SCHOOLS = Canvas(
    number=7,
    goal="对比三所学校的学费并整理成表格",
    status="active",
    progress=66,
    created="2026-04-16T22:10:31+08:00",
    updated="2026-04-17T09:25:08+08:00",
    session="4f79a5ed",
    upto=63,
    nodes=(
        Node(1, "搜索甲校学费", "done", "甲校学费二十一万，分两期缴纳", "2026-04-16T22:12:31+08:00"),
        Node(2, "search B", "done", "", "2026-04-16T22:13:31+08:00", "read", ((3, 4), (6, 6))),
        Node(7, "check fees", "blocked", "page not found", "2026-04-16T22:20:31+08:00", "verify"),
        Node(8, "write table.md", "doing", "two of three rows", "2026-04-17T09:25:08+08:00", "edit"),
        Node(9, "send it", "todo", "", None, "store"),
    ),
    edges=(
        Edge(1, 7),
        Edge(2, 7),
        Edge(7, 8, "404"),
        Edge(8, 9),
        Edge(1, 8, "uses", dotted=True),
        Edge(8, 1, "again"),
    ),
    by="llm",
)
WIDE = """\
007  对比三所学校的学费并整理成表格
     active  █████████████░░░░░░░ 66% of 8 steps
     2026-04-16 22:10 – 2026-04-17 09:25 · session 4f79a5ed · by llm

✓    007-N1  搜索甲校学费                                            read  22:12
│      甲校学费二十一万，分两期缴纳
│
│ ✓  007-N2  search B                                                read  22:13
│ │    + 3 steps folded in: 007-N3–N4,N6
├─╯
✗    007-N7  check fees  blocked                                   verify  22:20
│      page not found
│    ↓ 404
◐    007-N8  write table.md  doing                             edit  04-17 09:25
│      two of three rows
│      ┄ uses 007-N1 搜索甲校学费
│      ↺ back to 007-N1: again
│
○    007-N9  send it  todo                                                 store
"""
NARROW = """\
007  对比三所学校的学费并整理
     成表格
     active  66% of 8 steps
     2026-04-16 22:10 -
     2026-04-17 09:25 - sessi~

*    N1  搜索甲校学费
|      甲校学费二十一万，分两
|      期缴纳
|
| *  N2  search B
| |    + 3 steps folded in:
| |      007-N3-N4,N6
+-'
!    N7  check fees  blocked
|      page not found
|    v 404
>    N8  write table.md  doing
|      two of three rows
|      ~ uses N1 搜索甲校学~
|      @ back to N1: again
|
o    N9  send it  todo
"""


def test_a_wide_terminal_shows_everything() -> None:
    assert plain(view_canvas(SCHOOLS, 80)) == WIDE


@pytest.mark.parametrize(
    ("width", "said"),
    [(40, "active (archived) 66% of 8 steps"), (30, "active (archived) 66%"), (24, "archived 66%")],
)
def test_archived_work_says_what_it_was_as_far_as_there_is_room(width: int, said: str) -> None:
    archived = replace(SCHOOLS, status="archived", extra={"before": "active"})
    lines = plain(view_canvas(archived, width)).split("\n")

    assert [" ".join(line.split()) for line in lines if "archived" in line] == [said]


def test_a_narrow_ascii_terminal_shows_everything_too() -> None:
    assert plain(view_canvas(SCHOOLS, 30, ascii=True)) == NARROW


def test_status_and_parts_are_told_by_style() -> None:
    styles = {style: text for line in view_canvas(SCHOOLS, 80) for text, style in line if text.strip()}

    assert styles["status.blocked"] == "blocked"
    assert styles["status.active"] == "active"
    assert styles["label"] == "↺ back to 007-N1: again"
    assert set(styles) == {
        *(
            "goal",
            "id",
            "title",
            "summary",
            "kind",
            "time",
            "label",
            "uses",
            "note",
            "rail",
            "bar",
            "bar.rest",
            "",
        ),
        *("status.active", "status.done", "status.blocked", "status.doing", "status.todo"),
    } - {""}


# --------------------------------------------------------------------------- what holds for every view

_ENDS = {  # of each drawing character: goes up, down, left, right
    "│": "ud",
    "─": "lr",
    "├": "udr",
    "┤": "udl",
    "┼": "udlr",
    "╮": "dl",
    "╭": "dr",
    "┬": "dlr",
    "╯": "ul",
    "╰": "ur",
    "┴": "ulr",
    " ": "",
}


def _rail_cells(lines: list[Line]) -> list[str]:
    """Give what stands in the gutter of each line; `*` for the mark of a node, which may join anything."""
    rows = []
    for line in lines:
        row = ""
        for at, (text, style) in enumerate(line):
            mark = at == 1 and len(text) == 1 and line[0][1] == "rail"
            if style != "rail" and not mark:
                break
            row += "*" if mark else text
        rows.append(row)
    width = max(map(len, rows), default=0)
    return [row.ljust(width) for row in rows]


def _torn(lines: list[Line]) -> list[tuple[int, int]]:
    """Find the cells of the gutter where a rail begins or ends in nothing."""
    rows = _rail_cells(lines)
    torn = []
    for at in range(len(rows)):
        above = rows[at - 1] if at else " " * len(rows[at])
        below = rows[at + 1] if at + 1 < len(rows) else " " * len(rows[at])
        for column, char in enumerate(rows[at]):
            if char == "*":
                continue
            around = {
                "u": (above[column], "d"),
                "d": (below[column], "u"),
                "l": (rows[at][column - 1] if column else " ", "r"),
                "r": (rows[at][column + 1 : column + 2] or " ", "l"),
            }
            for end in _ENDS[char]:
                neighbour, back = around[end]
                passes = end in "lr" and neighbour == "│"  # a rail that a turn passes under
                if neighbour != "*" and back not in _ENDS[neighbour] and not passes:
                    torn.append((at, column))
    return torn


@FEW
@given(canvases(), st.sampled_from(WIDTHS), st.booleans())
def test_no_line_is_wider_than_the_terminal(canvas: Canvas, width: int, ascii_only: bool) -> None:
    lines = view_canvas(normalise_canvas(canvas), width, ascii=ascii_only)

    assert [line for line in plain(lines).split("\n") if display_width(line) > width] == []


@FEW
@given(canvases(), st.sampled_from(WIDTHS))
def test_no_rail_is_torn(canvas: Canvas, width: int) -> None:
    assert _torn(view_canvas(normalise_canvas(canvas), width)) == []


@st.composite
def graphs(draw: st.DrawFn) -> Canvas:
    """Give a canvas of many steps and edges, all of them ordinary."""
    count = draw(st.integers(1, 14))
    ends = st.integers(1, count)
    edges = draw(
        st.lists(st.builds(Edge, ends, ends, st.sampled_from(["", "why"]), st.booleans()), max_size=30)
    )
    nodes = tuple(Node(number, f"step {number}", "done", "found it", None) for number in range(1, count + 1))
    return Canvas(3, "goal", "active", 0, None, None, "s", 1, nodes, tuple(edges))


PAIRS = st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30)


@FEW
@given(graphs(), st.sampled_from(WIDTHS))
def test_every_node_and_edge_of_a_graph_is_shown(canvas: Canvas, width: int) -> None:
    """An edge is a rail, or words that name its other end."""
    lines = view_canvas(canvas, width)
    text = plain(lines)

    assert _torn(lines) == []
    assert [int(number) for number in re.findall(r"N(\d+)  step", text)] == [
        node.number for node in canvas.nodes
    ]
    assert len(re.findall("┄", text)) == sum(edge.dotted for edge in canvas.edges)
    back = [edge for edge in canvas.edges if not edge.dotted and edge.source >= edge.target]
    assert len(re.findall("↺", text)) == len(back)
    assert len(re.findall("why", text)) == sum(edge.label == "why" for edge in canvas.edges)


@FEW
@given(graphs())
def test_in_ascii_nothing_but_ascii_is_drawn(canvas: Canvas) -> None:
    assert plain(view_canvas(canvas, 80, ascii=True)).isascii()


def test_the_search_for_torn_rails_sees_one() -> None:
    """Guards the guard."""
    assert _torn([(("│ ", "rail"), ("a", "title")), (("  ", "rail"), ("b", "title"))]) == [(0, 0), (0, 0)]
    assert _torn([(("", "rail"), ("✓", "status.done")), (("├─╮", "rail"),)]) != []


@FEW
@given(
    st.integers(1, 12),
    PAIRS,
    st.integers(1, 5),
)
def test_every_edge_has_a_lane_or_is_told(count: int, pairs: set[tuple[int, int]], most: int) -> None:
    edges = {(source, target) for source, target in pairs if source < target < count}
    rails = lay_rails(count, edges, most)

    for source, target in edges:
        assert source in rails[target].loose or rails[target].above[2 * rails[target].lane] == "│"


@FEW
@given(st.integers(1, 12), PAIRS)
def test_in_the_order_of_nodes_edges_lead_down(count: int, pairs: set[tuple[int, int]]) -> None:
    edges = {(source, target) for source, target in pairs if source < count and target < count}
    order, back = order_nodes(count, edges)

    assert sorted(order) == list(range(count))
    assert all(order.index(source) < order.index(target) for source, target in edges - back)
    assert back <= edges
    if all(source < target for source, target in edges):
        assert back == set()


# --------------------------------------------------------------------------- other flowcharts

CHART = """\
flowchart TD
  subgraph Build [Build & test]
    A[Start] --> B{Tests ok?}
    B -->|yes| C([Deploy])
    B -->|no| D[Fix it]
    D --> B
  end
  C -.-> E[(Log<br/>kept a year)]
  D ~~~ E
"""


def test_a_flowchart_is_shown_in_the_order_of_its_edges() -> None:
    assert plain(view_flowchart(CHART, 60)) == (
        "flowchart · 5 nodes · 5 edges · 1 group\n"
        "\n"
        "●    A  Start                                   Build & test\n"
        "│\n"
        "◇    B  Tests ok?\n"
        "├─╮\n"
        "│ │  ↓ yes\n"
        "● │  C  Deploy\n"
        "│ │\n"
        "● │  E  Log\n"
        "  │    kept a year\n"
        "  │  ↓ no (from B)\n"
        "  ●  D  Fix it                                  Build & test\n"
        "       ↺ back to B\n"
    )


def test_a_broken_flowchart_is_shown_as_far_as_it_can_be_read() -> None:
    text = plain(view_flowchart("flowchart TD\nA[f(x)] --> B\nC --> end\n", 60))

    assert "2 faults: memctl validate says where" in text
    assert "A  f(x)" in text


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_sixty_nodes_written_by_hand_hold_together(width: int, ascii_only: bool) -> None:
    rows = [f"  N{at}[Step {at} of the plan] -->|ok {at}| N{at + 1}" for at in range(60)]
    rows += [f"  N{at}{{Check {at}?}} -- no --> N{at // 2}" for at in range(3, 60, 4)]
    rows += [f"  N{at} --> N{at + 7}" for at in range(0, 50, 5)]
    lines = view_flowchart("flowchart TD\n" + "\n".join(rows), width, ascii=ascii_only)
    text = plain(lines)

    assert max(map(display_width, text.split("\n"))) <= width
    assert ascii_only or _torn(lines) == []
    assert not ascii_only or text.isascii()
    assert all(re.search(rf"N{at}  (Step|Check) {at}\b", text) for at in range(60))


@FEW
@given(st.integers(0, 10**6), st.sampled_from(WIDTHS))
def test_any_flowchart_is_shown_in_the_width_at_hand(seed: int, width: int) -> None:
    lines = view_flowchart(random_flowchart(seed), width)

    assert [line for line in plain(lines).split("\n") if display_width(line) > width] == []
    assert _torn(lines) == []


# --------------------------------------------------------------------------- wrapping


@FEW
@given(st.text(alphabet="ab 中，。（）é😀\u0301\n", max_size=60), st.integers(2, 20))
def test_wrapping_keeps_every_character_and_the_width(text: str, width: int) -> None:
    lines = wrap(text, width)

    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "width", "most", "lines"),
    [
        ("one two three", 8, 0, ["one two", "three"]),
        ("一二三，四五", 6, 0, ["一二", "三，四", "五"]),
        ("see core.py，再看", 11, 0, ["see", "core.py，再", "看"]),
        ("abcdefgh", 3, 0, ["abc", "def", "gh"]),
        ("one two three", 8, 1, ["one two…"]),
        ("", 5, 0, [""]),
    ],
)
def test_text_breaks_at_spaces_and_between_cjk_characters(
    text: str, width: int, most: int, lines: list[str]
) -> None:
    assert wrap(text, width, most) == lines
