"""What an agent tells of code is a conclusion; several runs in one output have one verdict, the red one."""

import pytest

from memctl.summarize import conclusion, summarize

RUNS = """\
......                                                                   [100%]
6 passed in 0.11s
.F....                                                                   [100%]
=========================== short test summary info ============================
FAILED tests/test_clock.py::test_noon - AssertionError: assert 11 == 12
1 failed, 5 passed in 0.12s
......                                                                   [100%]
6 passed in 0.10s
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "parse_date rounds the clock down and compares with <, so an hour is lost.",
        "`store.py:40` writes keys with `json`, which drops the order.",
        "The table has a `unique` index on email, so the second insert fails.",
    ],
)
def test_what_code_does_is_a_conclusion(sentence: str) -> None:
    wanted = sentence.replace("`", "").rstrip(".")

    assert conclusion(f"{sentence} Let me look at the callers.").rstrip(".") == wanted


@pytest.mark.parametrize(
    "sentence", ["Let me open store.py, so I can see it.", "I'll run `make tests` next."]
)
def test_a_plan_is_none(sentence: str) -> None:
    assert conclusion(sentence) == ""


def test_one_red_run_of_several_is_red() -> None:
    summary = summarize("Bash", {"command": "for i in 1 2 3; do pytest -q tests; done"}, RUNS)

    assert (summary.status, summary.turned) == ("error", "red")
    assert "1 of 3 runs red" in summary.text
    assert "test_clock.py::test_noon" in summary.text
