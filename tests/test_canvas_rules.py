"""`memctl validate`: Mermaid's verdict on any flowchart, a place and a remedy, and repairs that are sure."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from canvases import PIECES, damaged
from flowcharts import random_flowchart, random_soup
from hypothesis import given, settings, strategies as st
from real_mermaid import judge

from memctl.canvas import faults, losses, rules
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.markdown import find_fences
from memctl.canvas.rules import fix, fix_markdown, validate, validate_markdown
from memctl.canvas.source import prepare

VERDICTS = Path(__file__).resolve().parents[2] / "shared" / "cases" / "mermaid" / "verdicts.json"
FEW = settings(deadline=None, max_examples=25)


def _refused(text: str) -> bool:
    return any(problem.severity == "error" for problem in validate(text, "x.mmd"))


# --------------------------------------------------------------------------- agreement with Mermaid


def _disagreement(text: str) -> str:
    """Say how our reading of *text* differs from Mermaid's; "" when it does not."""
    verdict = judge(text)
    if verdict["ok"] == _refused(text):
        return f"verdict {verdict['ok']}: {text!r}"
    if not verdict["ok"] or not verdict["nodes"]:
        return ""
    chart = parse_flowchart(prepare(text))
    edges = [[link.source, link.target, unescape(link.text)] for link in chart.links]
    nodes = [[vertex.id, unescape(vertex.text)] for vertex in chart.vertices.values()]
    ours, theirs = [nodes, edges], [_decoded(verdict["nodes"]), _decoded(verdict["edges"])]
    if "<" in text.replace("<br/>", "") or "&#" in text:  # its sanitiser works on the text already here
        ours, theirs = _shape(ours), _shape(theirs)
    return "" if ours == theirs else f"{text!r}: {ours} is not {theirs}"


def _decoded(rows: list[list[str]]) -> list[list[str]]:
    """Write Mermaid's stand-ins for entities (`ﬂ°°35¶ß`) as they stood, and what its sanitiser escaped."""
    return [[*names, unescape(re.sub("\ufb02°°?(\\w+)¶ß", r"#\1;", text))] for *names, text in rows]


def _shape(chart: list[list[list[str]]]) -> list[list[list[str]]]:
    return [[row[:1] if len(row) == 2 else row[:2] for row in rows] for rows in chart]


@pytest.mark.parametrize(
    "text",
    [
        "flowchart TD",
        "flowchart TD\n  A --> B",
        'flowchart TD\n  A["f(x) ok"]',
        "flowchart TD\n  A[f(x) bad]",
        "flowchart TD\n  A --> end",
        "flowchart TD\nx-->y",
        "flowchart TD\nA -->|x|  B",
        "flowchart TD\nA@{ shape: rect }\nB",
        "flowchart TD\nA\n%%\nB",
        'flowchart TD\nA["C4Container"]',
        '%%{ "taskGoal": "x" }%%\nflowchart TD\nA',
        '%%{init: {"theme":"dark"}}%%\nflowchart TD\nA',
        "---\ntitle: x\n---\nflowchart TD\nA",
        "---\ntitle: a: b\n---\nflowchart TD\nA",
        "flowchart TD\nA-->B\nlinkStyle 0 stroke:#ff3;",
        "flowchart TD\nA-->B\nstyle A fill:#ff3;",
        "flowchart TD\nsubgraph\nA\nend",
        "flowchart TD\nA e1@--> B\ne1@{ animate: true }",
        "flowchart TD\nsubgraph a [b c]\nA\nend\nsubgraph d\n",
        "\ufeffflowchart TD\r\n  A-->B\r\n",
        "flowchart TD\nA -- text --> B == more ==> C -.- D ~~~ E",
    ],
)
def test_known_texts_are_read_as_mermaid_reads_them(text: str) -> None:
    assert _disagreement(text) == ""


def test_every_recorded_verdict_is_given() -> None:
    if not VERDICTS.is_file():
        pytest.skip("the recorded verdicts are not here")
    cases = json.loads(VERDICTS.read_text(encoding="utf-8"))

    assert {
        name for name, case in cases.items() if _refused(case["text"]) != (case["mermaid_11_17_2"] == "error")
    } == set()


def test_one_damaged_character_in_a_canvas_is_judged_as_by_mermaid() -> None:
    assert [found for seed in range(50) if (found := _disagreement(damaged(seed)))] == []


def test_flowcharts_of_the_whole_syntax_are_judged_as_by_mermaid() -> None:
    assert [found for seed in range(70) if (found := _disagreement(random_flowchart(seed)))] == []


def test_pieces_of_syntax_in_no_order_are_judged_as_by_mermaid() -> None:
    assert [found for seed in range(30) if (found := _disagreement(random_soup(seed)))] == []


@pytest.mark.long
@pytest.mark.parametrize("make", [damaged, random_flowchart, random_soup], ids=lambda make: make.__name__)
def test_ten_thousand_texts_are_judged_as_by_mermaid(make: object) -> None:
    assert callable(make)
    assert [found for seed in range(1_000, 4_334) if (found := _disagreement(make(seed)))] == []


def test_the_random_flowcharts_are_neither_all_right_nor_all_wrong() -> None:
    """Guards the guard."""
    refused = sum(_refused(random_flowchart(seed)) for seed in range(100))

    assert 20 < refused < 80


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("flowchart TD\nA@{ shape: hexagone }", "a newer Mermaid may know the shape: a warning"),
        ("somethingDiagram\nA", "a newer Mermaid may know the type: a note"),
    ],
)
def test_what_a_newer_mermaid_may_know_is_no_error(text: str, reason: str) -> None:
    """These are all the known differences from Mermaid 11.16."""
    assert reason
    assert not judge(text)["ok"]
    assert [problem.severity for problem in validate(text, "x.mmd")] in (["warning"], ["note"])


# --------------------------------------------------------------------------- what is said, and where

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

    assert not _refused("flowchart TD\n" + "\n".join(edges[:500]))
    assert _refused("flowchart TD\n" + "\n".join(edges))


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


# --------------------------------------------------------------------------- repairs


@pytest.mark.parametrize(
    ("broken", "fixed"),
    [
        ("A[f(x) bad]", 'A["f(x) bad"]'),
        (
            "A[x (y) z] --> B{is [b]?} -->|f(x)| C((d@e))",
            'A["x (y) z"] --> B{"is [b]?"} -->|"f(x)"| C(("d@e"))',
        ),
        (r'A["say \"hi\" now"]', 'A["say #quot;hi#quot; now"]'),
        ('A["say "hi" now"] --> B', 'A["say #quot;hi#quot; now"] --> B'),
        ('A["`code` here"]', 'A["#96;code#96; here"]'),
        ('A[""] --> B[]', 'A[" "] --> B[" "]'),
        ("A -> B => C → D", "A --> B --> C --> D"),
        ("A --> B: why", 'A -->|"why"| B'),
        ("A -->|x|   B", "A -->|x| B"),
        ("A --> B %% note", "%% note\nA --> B"),
        ("class A  b ", "class A b"),
        ('A["a direction LR b"]', 'A["a #100;irection LR b"]'),
        ("A\n%%\nB", "A\nB"),
    ],
)
def test_a_sure_repair_is_made(broken: str, fixed: str) -> None:
    assert fix("flowchart TD\n" + broken) == "flowchart TD\n" + fixed
    assert judge("flowchart TD\n" + fixed)["ok"]


@pytest.mark.parametrize(
    ("broken", "fixed"),
    [
        ("A --> B\n", "flowchart TD\nA --> B\n"),
        ("flowchart td\nA\n", "flowchart TD\nA\n"),
        ("Flowchart TD\nA\n", "flowchart TD\nA\n"),
        ("```mermaid\nflowchart TD\nA\n```\n", "flowchart TD\nA\n"),
        ('%%{ "taskGoal": "x" }%%\nflowchart TD\nA\n', '%% { "taskGoal": "x" }\nflowchart TD\nA\n'),
        ("flowchart TD\r\nA[f(x)]\r\n", 'flowchart TD\r\nA["f(x)"]\r\n'),
    ],
)
def test_a_sure_repair_of_the_frame_is_made(broken: str, fixed: str) -> None:
    assert fix(broken) == fixed


@pytest.mark.parametrize(
    "text",
    [
        "flowchart TD\n  A --> end",
        "flowchart TD\n  A[open\n  B --> C",
        "flowchart TD\n  subgraph S\n  A",
        "flowchart XX\n  A",
        "flowchart TD\n  A[a(b] --> c] --> B",
        "flowchart TD\n  A --> B\n",
        "not a diagram (at all",
        "",
    ],
)
def test_what_has_two_readings_or_none_is_left(text: str) -> None:
    assert fix(text) == text


@FEW
@given(st.integers(0, 10**6))
def test_a_repair_never_adds_errors_and_is_made_once(seed: int) -> None:
    for text in (damaged(seed), random_flowchart(seed)):
        fixed = fix(text)
        errors = [sum(p.severity == "error" for p in validate(body, "x")) for body in (text, fixed)]

        assert errors[1] <= errors[0]
        assert fix(fixed) == fixed


# --------------------------------------------------------------------------- Markdown

MARKDOWN = """\
# Title
```mermaid
flowchart TD
  A[f(x)]
```
> quoted
> ```mermaid
> graph TD
>   B[g(y)]
> ```
> after

1. item
   ~~~ mermaid
   flowchart TD
     C[h(z)]
   ~~~
````md
```mermaid
no diagram
```
````
```python
A[f(x)]
```
```mermaid
flowchart TD
D
"""


def test_the_fences_of_markdown_are_found() -> None:
    assert [(fence.line, fence.text) for fence in find_fences(MARKDOWN)] == [
        (3, "flowchart TD\n  A[f(x)]"),
        (8, "graph TD\n  B[g(y)]"),
        (15, "flowchart TD\n  C[h(z)]"),
        (27, "flowchart TD\nD\n"),
    ]


def test_problems_in_markdown_have_the_place_in_the_markdown() -> None:
    lines = MARKDOWN.split("\n")
    found = [(problem.line, problem.column) for problem in validate_markdown(MARKDOWN, "a.md")]

    assert [lines[line - 1][column - 1] for line, column in found] == ["("] * 3
    assert [line for line, _column in found] == [4, 9, 16]


def test_thousands_of_errors_are_repaired() -> None:
    broken = "flowchart TD\n" + "A->B\n`\n" * 1_500  # a repair, and a line that has none

    assert fix(broken) == broken.replace("A->B", "A --> B")
    markdown = f"```mermaid\n{broken}```\n" * 2
    assert fix_markdown(markdown) == markdown.replace("A->B", "A --> B")


def test_data_of_a_node_may_hold_any_number() -> None:
    (problem,) = validate("flowchart TD\nA@{ label: 0x" + "F" * 6_000 + " }\n", "a.mmd")

    assert (problem.code, problem.line) == ("MMD120", 2)


def test_repairs_in_markdown_keep_everything_else() -> None:
    fixed = fix_markdown(MARKDOWN)

    assert fixed == re.sub(r"\[(\w\(\w\))\](?!\n```\n```mermaid)", r'["\1"]', MARKDOWN)
    assert validate_markdown(fixed, "a.md") == []


@FEW
@given(
    st.lists(
        st.sampled_from(["```mermaid", "```", "~~~", "> ", "- ", "  ", "A[f(x)]", "\n", "\r\n", "1. ", "`"])
    )
)
def test_any_markdown_is_read_without_an_error(pieces: list[str]) -> None:
    markdown = "".join(pieces)

    validate_markdown(markdown, "a.md")
    fix_markdown(markdown)
