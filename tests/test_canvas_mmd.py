"""Canvas files: what is written is drawn whole by Mermaid and read back equal; any text can be read."""

import re
from dataclasses import replace

import pytest
from canvases import canvases, random_canvas, texts
from hypothesis import given, settings, strategies as st
from real_mermaid import draw, drawn_labels

from memctl.canvas.escape import escape_label, normalise_label, unescape_label
from memctl.canvas.mmd import normalise_canvas, parse_canvas, write_canvas
from memctl.model import Canvas, Edge, Node

FEW = settings(deadline=None, max_examples=25)

CANVAS = Canvas(
    number=3,
    goal="Make expired tokens fail",
    status="active",
    progress=60,
    created="2026-04-16T22:10:31+08:00",
    updated="2026-04-16T22:25:08+08:00",
    session="4f79a5ed",
    upto=63,
    nodes=(
        Node(
            1,
            "scan repo",
            "done",
            "the bug is in core",
            "2026-04-16T22:12:31+08:00",
            "read",
            ((2, 3), (60, 60)),
        ),
        Node(4, "run tests", "blocked", "3 failed; 2 passed", "2026-04-16T22:19:53+08:00", "verify"),
        Node(5, "edit core.py", "todo", "", None, "edit"),
    ),
    edges=(Edge(1, 4), Edge(4, 5, "3 failed"), Edge(1, 5, "uses", dotted=True)),
    extra={"was": ["004"]},
)
TEXT = """\
%% {"taskGoal":"Make expired tokens fail","status":"active","progress":60,\
"createdTime":"2026-04-16T22:10:31+08:00","updatedTime":"2026-04-16T22:25:08+08:00",\
"session":"4f79a5ed","upto":63,"by":"rules","was":["004"]}
flowchart TD
003-N1["scan repo → 003-N2..N3,N60<br/>status: done<br/>summary: the bug is in core<br/>\
Timestamp: 2026-04-16T22:12:31+08:00"]
003-N4{{"run tests<br/>status: blocked<br/>summary: 3 failed#59; 2 passed<br/>\
Timestamp: 2026-04-16T22:19:53+08:00"}}
003-N5[/"edit core.py<br/>status: todo"/]
003-N1 --> 003-N4
003-N4 -->|"3 failed"| 003-N5
003-N1 -.->|"uses"| 003-N5
"""


# --------------------------------------------------------------------------- the dialect


def test_a_canvas_is_written_as_the_design_shows() -> None:
    assert write_canvas(CANVAS) == TEXT


def test_a_canvas_as_the_design_shows_is_read() -> None:
    assert parse_canvas(TEXT) == (CANVAS, [])


@FEW
@given(canvases())
def test_what_is_written_is_read_back_equal_and_without_problems(canvas: Canvas) -> None:
    expected = normalise_canvas(canvas)

    assert parse_canvas(write_canvas(canvas)) == (expected, [])
    assert write_canvas(expected) == write_canvas(canvas)
    assert normalise_canvas(expected) == expected


@FEW
@given(canvases())
def test_a_file_holds_no_character_that_steers_a_terminal_or_breaks_a_line(canvas: Canvas) -> None:
    lines = write_canvas(canvas).split("\n")

    assert len(lines) == 3 + len(canvas.nodes) + len(canvas.edges)
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u200b-\u200f\ud800-\udfff]", "\n".join(lines)
    )


@FEW
@given(texts)
def test_a_label_comes_back_as_it_was_normalised(text: str) -> None:
    assert unescape_label(escape_label(text)) == normalise_label(text)


@FEW
@given(texts)
def test_normalising_a_label_twice_changes_nothing(text: str) -> None:
    assert normalise_label(normalise_label(text)) == normalise_label(text)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("a  b\t c\u200b", "a b c"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("line\r\n\r\n  two  ", "line\ntwo"),
        ("\u202eevil\u2060", "evil"),
        ("全角　空格", "全角 空格"),
        ("\ud83d", "\ufffd"),
    ],
)
def test_a_label_drops_what_cannot_be_drawn(text: str, label: str) -> None:
    assert normalise_label(text) == label


@pytest.mark.parametrize(
    ("title", "summary"),
    [
        ("status: done", "ok"),
        ("a", "x\nstatus: blocked\nTimestamp: 2020-01-01\nsummary: y"),
        ("fold → 003-N9", "see → 003-N2..N3"),
        ("→ 003-N2", ""),
        ("", "Timestamp: never"),
    ],
)
def test_text_that_looks_like_a_field_stays_text(title: str, summary: str) -> None:
    node = Node(1, title, "doing", summary, "2026-01-01T00:00:00Z", "read", ((2, 3),))
    canvas = replace(CANVAS, nodes=(node,), edges=())

    read = parse_canvas(write_canvas(canvas))[0]

    assert read is not None
    assert read.nodes == (node,)


def test_a_canvas_without_nodes_takes_its_number_from_the_file() -> None:
    empty = replace(CANVAS, nodes=(), edges=())

    assert parse_canvas(write_canvas(empty), 3) == (empty, [])


# --------------------------------------------------------------------------- what others write


def test_the_canvases_of_the_original_are_read() -> None:
    text = (
        '%%{ "taskGoal": "修复登录", "createdTime": "2026-05-01", "updatedTime": "2026-05-02" }%%\n'
        "flowchart TD\n"
        '  003-N1["读取日志<br/>status: done<br/>summary: 500 in login.ts: line 42<br/>'
        'Timestamp: 2026-05-01T10:00:00Z"]\n'
        '  003-N2{{"run tests?"}}\n  003-N1 -->|blocked by| 003-N2\n'
    )

    canvas, problems = parse_canvas(text)

    assert canvas is not None
    assert problems == []
    assert (canvas.number, canvas.goal, canvas.created, canvas.by, canvas.progress) == (
        *(3, "修复登录", "2026-05-01", "llm", 50),
    )
    assert canvas.nodes == (
        Node(1, "读取日志", "done", "500 in login.ts: line 42", "2026-05-01T10:00:00Z", "read"),
        Node(2, "run tests?", "todo", "", None, "verify"),
    )
    assert canvas.edges == (Edge(1, 2, "blocked by"),)


@pytest.mark.parametrize(
    "header",
    [
        '%%{ "taskGoal": "x, y", createdTime": "2026-05-01", "updatedTime": "2026-05-02" }%%',
        '%%{ "taskGoal": "x, y",\n"createdTime": "2026-05-01",\n"updatedTime": "2026-05-02" }%%',
        '%% {"taskGoal":"x, y","createdTime":"2026-05-01","updatedTime":"2026-05-02"',
        '\ufeff%%{"taskGoal":"x, y","createdTime":"2026-05-01","updatedTime":"2026-05-02"}%%\r',
        '%%{ taskGoal": "x, y", createdTime": "2026-05-01", updatedTime": "2026-05-02"}',
    ],
)
def test_a_broken_header_is_read_as_far_as_it_can_be_told(header: str) -> None:
    canvas, _problems = parse_canvas(header + '\nflowchart TD\n003-N1["a"]\n')

    assert canvas is not None
    assert (canvas.goal, canvas.created, canvas.updated) == ("x, y", "2026-05-01", "2026-05-02")
    assert len(canvas.nodes) == 1


def test_any_flowchart_with_canvas_ids_is_a_canvas() -> None:
    text = (
        "flowchart TD\n"
        "  003-N1[plan<br/>status: in_progress] --> 003-N2[call f(x)] -- why --> 003-N3((found))\n"
        "  subgraph S\n  003-N4\n  end\n  003-N3 -.-> 003-N1\n"
    )

    canvas, problems = parse_canvas(text)

    assert canvas is not None
    assert [(node.number, node.title, node.status, node.shape) for node in canvas.nodes] == [
        *[(1, "plan", "doing", "read"), (2, "call f(x)", "todo", "read"), (3, "found", "todo", "finding")],
        (4, "", "todo", "read"),
    ]
    assert canvas.edges == (Edge(1, 2), Edge(2, 3, "why"), Edge(3, 1, dotted=True))
    assert [problem.code for problem in problems] == ["CANVAS103", "CANVAS201"]


@pytest.mark.parametrize(
    ("body", "line", "code"),
    [
        ('003-N1["a"]\n004-N2["b"]\n', 4, "CANVAS106"),
        ('003-N1["a"]\n003-N1["b"]\n', 4, "CANVAS107"),
        ('003-N1["a"]\n003-N1 --> 003-N9\n', 4, "CANVAS108"),
        ('003-N1["a"]\n003-N1 -->\n', 4, "CANVAS201"),
        ('003-N1["a<br/>status: wild"]\n', 3, "CANVAS202"),
        ('003-N1["a"]\nB["b"]\n', 4, "CANVAS203"),
    ],
)
def test_a_problem_names_its_line(body: str, line: int, code: str) -> None:
    canvas, problems = parse_canvas('%% {"taskGoal":"x"}\nflowchart TD\n' + body)

    assert canvas is not None
    assert [(problem.line, problem.code) for problem in problems] == [(line, code)]


def test_a_header_field_of_the_wrong_kind_is_reported_and_left() -> None:
    canvas, problems = parse_canvas(
        '%% {"taskGoal":5,"progress":true,"status":"?"}\nflowchart TD\n003-N1["a"]\n'
    )

    assert canvas is not None
    assert (canvas.goal, canvas.status) == ("", "active")
    assert [problem.code for problem in problems] == ["CANVAS105"] * 3


def test_conflict_markers_are_not_a_canvas() -> None:
    canvas, problems = parse_canvas(TEXT.replace("flowchart TD\n", "flowchart TD\n<<<<<<< HEAD\n"))

    assert canvas is None
    assert [(problem.line, problem.code) for problem in problems] == [(3, "CANVAS102")]


@FEW
@given(st.text() | texts)
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse_canvas(text)
    parse_canvas("flowchart TD\n" + text)
    parse_canvas("%%{" + text)


@FEW
@given(st.data())
def test_a_damaged_canvas_is_read_without_an_error(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT)))
    canvas, _problems = parse_canvas(TEXT[:at] + data.draw(st.text(max_size=3)) + TEXT[at + 1 :])

    if canvas is not None:
        write_canvas(canvas)


def test_a_header_nested_without_end_is_read_without_an_error() -> None:
    canvas, problems = parse_canvas("%% {" + '"a":[' * 100_000 + '\nflowchart TD\n003-N1["a"]\n')

    assert canvas is not None
    assert [problem.code for problem in problems] == ["CANVAS104"]


# --------------------------------------------------------------------------- what Mermaid draws


def _differences(seed: int, nodes: int) -> list[tuple[str, str]]:
    """Draw a canvas with hostile labels; give each that is not drawn as it is, with what is drawn."""
    canvas = normalise_canvas(random_canvas(seed, nodes))
    svg = draw(write_canvas(canvas))
    wanted = []
    for node in canvas.nodes:
        lines = [node.title, f"status: {node.status}"]
        lines += [f"summary: {node.summary}"] if node.summary else []
        lines += [f"Timestamp: {node.timestamp}"] if node.timestamp else []
        wanted.append("\n".join(lines).strip())
    drawn = [label.strip() for label in drawn_labels(svg, "nodeLabel")]
    wanted += [edge.label for edge in canvas.edges if edge.label]
    drawn += [label for label in drawn_labels(svg, "edgeLabel") if label]
    assert len(wanted) == len(drawn)
    return [pair for pair in zip(wanted, drawn, strict=True) if pair[0] != pair[1]]


@pytest.mark.parametrize("seed", range(2))
def test_mermaid_draws_every_label_whole(seed: int) -> None:
    """Titles, summaries and edge labels made of everything Mermaid and HTML take to mean something."""
    assert _differences(seed, 8) == []


@pytest.mark.long
def test_mermaid_draws_ten_thousand_labels_whole() -> None:
    assert [difference for seed in range(100, 600) for difference in _differences(seed, 8)] == []


def test_the_comparison_with_the_drawing_sees_a_loss() -> None:
    """Guards the guard: a label that is not escaped loses its tag, and the comparison shows it."""
    svg = draw('flowchart TD\n003-N1["a List<String> b<br/>status: done"]\n')

    assert drawn_labels(svg, "nodeLabel") == ["a List b\nstatus: done"]
