"""The goal of a task is the user's request itself, in its order, and nothing that a harness adds (DESIGN 2.4)."""

import pytest
from growing import agent, call, happenings, session, user

from memctl.canvas.goals import aim_of, goal_of
from memctl.canvas.grow import grow


def test_the_request_itself_stays_among_what_is_the_case() -> None:
    told = aim_of(
        "alright, read @bakery/oven.ts @bakery/timer.ts in full. i feel like this is a mess of doughs and could be nicer. "
        "I want you to do a deep analysis, then provide me with a plan on how to part them. i'm interested in the doors "
        "of the different ovens (gas, wood). it feels like we have a lot of dough twice. but i'm not sure it is possible."
    )
    assert "do a deep analysis, then provide me with a plan on how to part them" in told


def test_sentences_keep_their_order() -> None:
    told = aim_of(
        "can you review all changes of mine? I think the oven.py timer is wrong when two loaves are baked at once. "
        "Can you take a look at it and suggest something? I'm not even sure how to tell the baker"
    )
    places = [
        told.find(words)
        for words in ("review all changes of mine", "I think the oven.py", "suggest something")
    ]
    assert places == sorted(places)
    assert min(places) >= 0


def test_what_a_harness_says_of_how_to_work_is_no_goal() -> None:
    told = aim_of(
        "Please solve this issue: The oven stays cold\n\nYou can execute bash commands and edit files to do so.\n\n"
        "## Recommended Workflow\n1. Create a script to reproduce the issue\n\n## Important Rules\n\n"
        "You can prefix any action with `OVEN=hot`, which is not kept."
    )
    assert told == "solve this issue: The oven stays cold"


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("can you bake a new loaf with proper salt?", "bake a new loaf with proper salt"),
        ("Could you please fetch me the latest bread news?", "fetch me the latest bread news"),
        (
            "Can you hand me to a baker? I'd like to ask about loaf 7.",
            "hand me to a baker. I'd like to ask about loaf 7.",
        ),
        ("which oven of the bakery is the hottest?", "which oven of the bakery is the hottest?"),
    ],
)
def test_a_question_that_loses_its_politeness_is_an_order(said: str, goal: str) -> None:
    assert goal_of(said) == goal


def test_wishes_that_are_added_to_a_goal_stand_apart() -> None:
    lines = session(
        user("I need some help with an order"),
        agent("Sure, with which one?"),
        user("can you check whether loaf #7 was baked?"),
        agent("It was baked."),
        user("could you please send loaf #7 back?"),
        call("a", "other", "loaf 7", "sent"),
    )
    (task,) = grow(happenings(lines)).tasks
    assert "baked send" not in task.goal
    assert "?" not in task.goal
