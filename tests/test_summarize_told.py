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


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Ah! Now I see the issue! The content setter iterates over the view. Let me fix it.",
            "The issue: The content setter iterates over the view.",
        ),
        ("There's the bug! `read` takes the lock twice.", "The bug: read takes the lock twice."),
        (
            "I found the root cause: the cache is never cleared.",
            "The root cause: the cache is never cleared.",
        ),
        (
            "The backup has more lines! Something went wrong. Let me restore it.",
            "The backup has more lines! Something went wrong.",
        ),
    ],
)
def test_a_cause_that_was_announced_is_told_as_it(said: str, told: str) -> None:
    assert conclusion(said).rstrip(".") == told.rstrip(".")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "The root cause is in `load()`. It never closes the file. Let me fix it.",
            "The root cause is in load(). It never closes the file.",
        ),
        (
            "The cache writes its keys as JSON. This approach works because they stay sorted.",
            "The cache writes its keys as JSON. This approach works because they stay sorted.",
        ),
        (
            "Let me see. This approach works because they stay sorted.",
            "This approach works because they stay sorted.",
        ),
    ],
)
def test_a_sentence_that_leans_on_another_is_told_with_it(said: str, told: str) -> None:
    assert conclusion(said) == told


def test_a_guess_does_not_stand_before_what_was_found() -> None:
    said = "Maybe the issue is in how the response is built. The setter has no check for views. Let me look."

    assert conclusion(said).rstrip(".") == "The setter has no check for views"


def test_a_patch_that_was_handed_in_is_told_by_what_it_changes() -> None:
    diff = (
        "diff --git a/src/fields.py b/src/fields.py\n--- a/src/fields.py\n+++ b/src/fields.py\n"
        "@@ -1,3 +1,3 @@ class Field:\n     def one(self):\n-        return int(value)\n"
        "+        return round(value)\n"
    )

    told = summarize("submit", {}, diff).text
    assert told.startswith("submit: +1 -1 src/fields.py")
    assert "round(value)" in told


def test_an_answer_that_is_rejected_has_failed() -> None:
    wrong = summarize("submit", {"answer": "42"}, "Wrong answer!\n")

    assert wrong.status == "error"
    assert summarize("submit", {}, "").text == "submit: submitted"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Let me run it. It makes a call that runs `cat rates.txt`.", "It makes a call that runs cat rates.txt."),
        ("Now, `git status` to confirm it's staged.", ""),
    ],
)  # fmt: skip
def test_what_a_thing_does_is_told_and_what_a_call_is_for_is_not(said: str, told: str) -> None:
    assert conclusion(said).rstrip(".") == told.rstrip(".")


def test_a_script_is_told_by_the_line_that_says_what_it_came_to() -> None:
    output = "Checking the handler\none: True\ntwo: True\nhandler called 0 times\nthree: True\nfour: True\nEnd of checks\n"

    told = summarize("bash", {"command": "python check_handler.py"}, output).text
    assert "handler called 0 times" in told
    assert "End of checks" in told


def test_what_comes_with_any_run_is_not_told() -> None:
    output = "warning: the locale is not set\nRunning as root is not advised.\n[*] Counting the rows\nrates: 42 rows\n"

    told = summarize("bash", {"command": "python rates.py"}, output).text
    assert told.endswith("rates: 42 rows")
    assert "locale" not in told
    assert "root" not in told
    assert (
        "3 records"
        in summarize("bash", {"command": "python rates.py"}, "Warning: 3 records skipped\nend\n").text
    )
