"""`memctl validate` agrees with Mermaid's verdict on any flowchart."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from canvases import damaged, refused
from flowcharts import random_flowchart, random_soup
from real_mermaid import judge

from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.rules import validate
from memctl.canvas.source import prepare

VERDICTS = Path(__file__).resolve().parents[2] / "shared" / "cases" / "mermaid" / "verdicts.json"


def _disagreement(text: str) -> str:
    """Say how our reading of *text* differs from Mermaid's; "" when it does not."""
    verdict = judge(text)
    if verdict["ok"] == refused(text):
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


@pytest.mark.shared
def test_every_recorded_verdict_is_given() -> None:
    if not VERDICTS.is_file():
        pytest.skip("the recorded verdicts are not here")
    cases = json.loads(VERDICTS.read_text(encoding="utf-8"))

    assert {
        name for name, case in cases.items() if refused(case["text"]) != (case["mermaid_11_17_2"] == "error")
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
    broken = sum(refused(random_flowchart(seed)) for seed in range(100))

    assert 20 < broken < 80


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
