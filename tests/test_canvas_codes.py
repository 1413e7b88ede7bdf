"""What `memctl validate` says of a flowchart: a code, a place and a remedy, and no error on any text."""

import re
from pathlib import Path

import pytest
from canvases import FEW, PIECES, refused
from hypothesis import given, strategies as st

from memctl.canvas import faults, losses, rules
from memctl.canvas.rules import validate

LONG_CHAIN = "\n".join(f"A{number}-->B" for number in range(501))


SAID = [
    ("A --> B", 1, 1, "MMD101"),
    ("flowchart XX\nA", 1, 11, "MMD102"),
    ("flowchart TD A", 1, 14, "MMD103"),
    ("flowchart TD\n  A[f(x)]", 2, 6, "MMD104"),
    ("flowchart TD\n  A[me@x.org]", 2, 7, "MMD104"),
    ('flowchart TD\n  A["say "hi" now"]', 2, 13, "MMD105"),
    ("flowchart TD\n  A[open\n  B --> C", 2, 4, "MMD106"),
    ('flowchart TD\n  A[""]', 2, 4, "MMD107"),
    ('flowchart TD\n  A["`code` here"]', 2, 4, "MMD108"),
    ("flowchart TD\n  A -> B", 2, 5, "MMD109"),
    ("flowchart TD\n  A --> ;\n  B", 2, 9, "MMD110"),
    ("flowchart TD\n  A -->|x|  B", 2, 11, "MMD111"),
    ("flowchart TD\n  A --> end", 2, 9, "MMD112"),
    ("flowchart TD\n  A\n  end", 3, 3, "MMD113"),
    ("flowchart TD\n  subgraph S\n  A", 2, 3, "MMD114"),
    ("flowchart TD\n  subgraph a, b\n  A\n  end", 2, 13, "MMD115"),
    ("flowchart TD\n  A B", 2, 5, "MMD116"),
    ("flowchart TD\n  A\n  😀", 3, 3, "MMD117"),
    ("flowchart TD\n  A\n  class A", 3, 9, "MMD118"),
    ("flowchart TD\n  A --> B\n  linkStyle 3 stroke:red", 3, 3, "MMD119"),
    ("flowchart TD\n  A@{ label: [ }", 2, 4, "MMD120"),
    ("flowchart TD\n" + LONG_CHAIN, 502, 5, "MMD121"),
    ('%%{ "taskGoal": "x" }%%\nflowchart TD\nA', 1, 1, "MMD122"),
    ("---\ntitle: [\n---\nflowchart TD\nA", 2, 1, "MMD123"),
    ("---\ntitle: x\nflowchart TD\nA", 1, 1, "MMD123"),
    ('flowchart TD\n  A["C4Component"]', 2, 6, "MMD124"),
    ("flowchart TD\nA\n<<<<<<< HEAD\nB", 3, 1, "MMD125"),
    ("```mermaid\nflowchart TD\nA\n", 1, 1, "MMD126"),
    ("flowchart TD\n  A\n  @ B", 3, 3, "MMD117"),
    ("flowchart TD\n  ^ B", 2, 3, "MMD199"),
    ("flowchart TD\n  A---oB", 2, 7, "MMD201"),
    ('flowchart TD\n  A["go direction LR now"]', 2, 9, "MMD202"),
    ('flowchart TD\n  A["List<String>"]', 2, 4, "MMD203"),
    ('flowchart TD\n  A["C:\\new"]', 2, 4, "MMD204"),
    ('flowchart TD\n  A["x"]\n  A["y"]', 3, 4, "MMD205"),
    ("flowchart TD\n  A[" + "x" * 50_000 + "]", 1, 1, "MMD206"),
    ('flowchart TD\n  A["1. first"]', 2, 4, "MMD207"),
    ("flowchart TD\n  A\n%%\n  B", 3, 1, "MMD208"),
    ("flowchart TD\n  A@{ shape: hexagone }", 2, 4, "MMD209"),
    ("flowchart TD\n  A <-- x --x B", 2, 4, "MMD210"),
    ("flowchart TD\n  A\n  style B fill:red", 3, 9, "MMD211"),
    ('flowchart TD\n  A["$$x^2$$"]', 2, 4, "MMD212"),
    ('flowchart TD\n  A["say "hi""]', 2, 4, "MMD213"),
    ("sequenceDiagram\n  A->>B: x", 1, 1, "MMD301"),
    ("flowchart TD\nA@{ label: " + "x" * 10_000 + " }", 2, 2, "MMD302"),
    ("---\ntitle: " + "x" * 10_000 + "\n---\nflowchart TD\nA", 2, 1, "MMD302"),
    ("flowchart TD\n" + "A[f(x)]\n" * 150, 101, 4, "MMD303"),
]


@pytest.mark.parametrize(("text", "line", "column", "code"), SAID, ids=[case[3] for case in SAID])
def test_a_problem_has_its_code_and_place(text: str, line: int, column: int, code: str) -> None:
    found = [(problem.line, problem.column, problem.code) for problem in validate(text, "x.mmd")]

    assert (line, column, code) in found
    assert all(
        problem.severity == {"1": "error", "2": "warning", "3": "note"}[problem.code[3]]
        for problem in validate(text, "x.mmd")
    )


def test_every_code_has_an_example() -> None:
    files = [Path(str(module.__file__)) for module in (faults, losses, rules)]
    source = "".join(file.read_text(encoding="utf-8") for file in files)

    assert set(re.findall(r'"(MMD\d+)"', source)) == {case[3] for case in SAID} == set(rules.CODES)


@pytest.mark.parametrize(
    "text",
    [
        'flowchart TD\n  A["a < b, c > d"]',
        "flowchart TD\n  A --o B",
        "flowchart TD\n  direction LR\n  A",
        'flowchart TD\n  A["<b>bold</b><br/>x"]',
        'flowchart TD\n  A["x"]\n  A["x"]',
        "flowchart TD\n  %% a comment\n  A",
        "flowchart TD\n  A\n  style A fill:red",
    ],
)
def test_what_is_drawn_as_written_has_no_problem(text: str) -> None:
    assert validate(text, "x.mmd") == []


def test_a_message_shows_the_remedy_for_this_very_label() -> None:
    problem = validate("flowchart TD\n  A --> B{is f(x) ok?} --> C", "a.mmd")[0]

    assert (
        f"{problem.path}:{problem.line}:{problem.column}: {problem.code} {problem.message}; {problem.hint}"
        == ("a.mmd:2:15: MMD104 unquoted '(' in a label; write {\"is f(x) ok?\"}")
    )


def test_five_hundred_edges_are_drawn_and_no_more() -> None:
    edges = [f"A{number}-->B" for number in range(501)]

    assert not refused("flowchart TD\n" + "\n".join(edges[:500]))
    assert refused("flowchart TD\n" + "\n".join(edges))


def test_later_faults_are_found_too() -> None:
    text = "flowchart TD\n  A[f(x)]\n  B --> C\n  D -> E\n  F[g(y)] --> G"

    assert [(problem.line, problem.code) for problem in validate(text, "x.mmd")] == [
        *[(2, "MMD104"), (4, "MMD109"), (5, "MMD104")]
    ]


@FEW
@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    for body in (text, "flowchart TD\n" + text):
        for problem in validate(body, "x.mmd"):
            assert 1 <= problem.line <= body.count("\n") + body.count("\r") + 1
            assert problem.column >= 1


@pytest.mark.parametrize(
    "piece", [" ", "\n", "-", ".", "(", '"', "`", "@", "@{", "A@{\n", "%%", "%%{a", "<a ", "&"]
)
def test_long_nonsense_is_judged(piece: str) -> None:
    """That it takes linear time is measured elsewhere; quadratic time would be felt here."""
    for head in ("", "flowchart TD\n", "flowchart TD\nA -. ", "---"):
        validate(head + piece * (30_000 // len(piece)), "x.mmd")


def test_every_node_to_every_node_ends_at_five_hundred_edges() -> None:
    many = "A & " * 50_000

    found = validate(f"flowchart TD\n{many}A --> {many}A", "x.mmd")

    assert [problem.code for problem in found if problem.severity == "error"] == ["MMD121"]
