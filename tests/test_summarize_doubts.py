"""What an agent doubts, takes back or only weighs is no finding, and no list is told as a sentence (DESIGN 4.1)."""

import pytest
from growing import Line, agent, call, happenings, session, user

from memctl.canvas.gist import gist
from memctl.canvas.grow import Session
from memctl.model import Node, Said, Step
from memctl.summarize import conclusion
from memctl.summarize.sentences import placed, sentences

FACT = "The oven never closes its door because the hinge is missing."


@pytest.mark.parametrize(
    "said",
    [
        "Actually, I'm not sure that's a valid recipe. Let me verify.",
        "I'm not entirely certain the oven is broken.",
        "I wonder whether the timer is wrong.",
        "It's unclear why the oven is not found.",
        "The timer is never stopped. Wait, it is stopped in `close`.",
        "The bug is in the timer. Hmm, no, that is not right.",
        "The cause is the door. That's not it, the door is shut.",
        "我不确定这是不是原因。",
        "原因是门没有关。等等，门是关着的。",
        "ドアが閉まらないかどうかわからない。",
    ],
)
def test_what_is_doubted_or_taken_back_is_no_finding(said: str) -> None:
    assert conclusion(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "The oven never closes its door. Let me verify that.",
        "Option 1: the door is never closed because nothing calls it.",
        "Or the hinge is missing because nobody ordered it.",
        "Alternatively, the timer is wrong.",
        "We could add a hinge because the door is missing one.",
        "门没有关，因为缺少铰链。让我先确认一下。",
    ],
)
def test_what_reasoning_weighs_is_no_finding_unless_it_was_said_aloud(said: str) -> None:
    assert conclusion(said, private=True) == ""
    assert conclusion(FACT, private=True) == conclusion(FACT) == FACT


def test_words_said_aloud_are_findings_though_the_agent_goes_on_to_verify() -> None:
    assert conclusion(f"{FACT} Let me verify the hinges.") == FACT


@pytest.mark.parametrize(
    ("said", "concluded"),
    [
        (
            "The problem is that bread is brittle because:\n\n## Reasons\nFlour and water.",
            "",
        ),
        ("The bakery has two broken ovens:\n\n```\noven 3\n```", "The bakery has two broken ovens"),
        ("The root cause is missing salt, which means:\n\n| a | b |", "The root cause is missing salt"),
        (
            "The issue is:- the timer needs a lid\n- the lid needs a timer",
            "The issue is: the timer needs a lid; the lid needs a timer",
        ),
        (
            "The issue is that bread is brittle because:1. the oven is too hot2. The salt is missing",
            "The issue is that bread is brittle because: the oven is too hot; The salt is missing",
        ),
        ("原因是：\n\n## 背景", ""),
    ],
)
def test_a_colon_leads_to_prose_or_ends_the_sentence_before_it(said: str, concluded: str) -> None:
    assert conclusion(said) == concluded


def test_a_list_that_lost_its_line_breaks_is_taken_apart() -> None:
    assert sentences("It fails because:1. too hot2. Too wet") == ["It fails because:", "too hot", "Too wet"]
    assert sentences("It is:- wet\n- cold") == ["It is:", "wet", "cold"]
    kept = "Python3. The shell, utf8. And a ratio of 1:2. All stay."
    assert "".join(sentences(kept)).replace(" ", "") == kept.replace(" ", "")


def test_what_stands_behind_a_heading_or_code_does_not_go_on() -> None:
    assert placed("One:\n## Two\nThree\nFour") == [("One:", True), ("Three", False), ("Four", True)]
    assert placed("One:\n\n- Two") == [("One:", True), ("Two", True)]


# ------------------------------------------------------------------- on the canvas


def _grown(*lines: Line | Step, private: bool) -> str:
    growing = Session()
    for happening in happenings(session(*lines)):
        thought = isinstance(happening, Said) and private
        growing.take(Said(happening.message, happening.text, None, thought) if thought else happening)  # type: ignore[union-attr]  # it is a Said
    (task,) = growing.growth().tasks
    return f"{task.goal} | {task.nodes[0].summary}"


def test_reasoning_gives_no_goal_and_no_closing_words() -> None:
    thought = agent("The user wants me to count the ovens of the bakery. There are five, I think.")
    begun = (thought, call("a", "search", "ovens", "5 matches in 2 files"))
    assert "The user wants" not in _grown(*begun, private=True)
    ended = (
        user("Count the ovens"),
        call("a", "search", "ovens", "5 matches"),
        agent("All ovens are counted. I still need to test it."),
    )
    assert "closing: " in _grown(*ended, private=False)
    assert "closing: " not in _grown(*ended, private=True)


def _run(*summaries: tuple[str, str]) -> str:
    nodes = [
        Node(at, "edit oven.py" if shape == "edit" else "test oven", "done", said, None, shape)  # type: ignore[arg-type]  # a Shape
        for at, (said, shape) in enumerate(summaries, 1)
    ]
    return gist(nodes, 150).summary


@pytest.mark.parametrize("outcome", ["The fix works!", "22 passed", "All tests pass.", "全部通过"])
def test_the_newest_outcome_of_a_run_stands_before_earlier_doubts(outcome: str) -> None:
    doubt = "The sed command didn't work because the recipe has several lines of dough.", "edit"
    other = "It seems the second sed command didn't work as expected on the dough.", "edit"
    told = _run(doubt, other, ("+1 -1: salt → sugar", "edit"), (outcome, "verify"))
    assert outcome in told


def test_a_failure_after_the_good_outcome_is_told() -> None:
    told = _run(("22 passed", "verify"), ("The new timer didn't work because the oven has no clock.", "edit"))
    assert "didn't work" in told
