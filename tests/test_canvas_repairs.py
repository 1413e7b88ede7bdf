"""Repairs of a flowchart that are sure, and no others."""

import pytest
from canvases import FEW, damaged
from flowcharts import random_flowchart
from hypothesis import given, strategies as st
from real_mermaid import judge

from memctl.canvas.rules import fix, validate


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
