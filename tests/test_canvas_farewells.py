"""A conversation that the user has closed is completed; one that goes on is not."""

import pytest
from growing import Line, agent, call, happenings, results, session, user

from memctl.canvas.farewells import closing_of
from memctl.canvas.grow import grow

WORK: tuple[Line, ...] = (
    user("Please swap the kettle in order B7 for the red one."),
    agent("", call("a", "edit", "order B7", "order B7: kettle blue → red")),
    results("a"),
    agent(
        "The kettle of order B7 has gone to the red one, and 4 euros come back. Anything else I can help with?"
    ),
)


def _status(*lines: Line) -> str:
    return grow(happenings([*WORK, *lines])).tasks[0].status


@pytest.mark.parametrize(
    "words",
    [
        "That's all for now.",
        "Great, thank you for your help!",
        "Great, thank you!",
        "No, that's it. Have a lovely evening!",
        "Perfect, I'm all set. Thanks a bunch 😀",
        "Got it. I'll look out for the parcel. Bye!",
        "no further questions, thanks",
        "好的，没有其他问题了，谢谢！",
        "就这些，再见",
        "非常感谢您的帮助",
        "以上です。ありがとうございました。",
        "はい、大丈夫です。ありがとうございます！",
        "では、失礼します。",
        "네, 감사합니다. 안녕히 계세요!",
        "더 이상 질문 없습니다. 도와주셔서 감사합니다.",
        "오늘은 여기까지 할게요",
        "###STOP###",
        "I'd rather keep the blue lid then. ###STOP###",
    ],
)
def test_a_closing_completes_the_task(words: str) -> None:
    assert _status(user(words)) == "completed"
    assert _status(user(words), agent("You're welcome!")) == "completed"


@pytest.mark.parametrize(
    "words",
    [
        "Thanks, also add a lid to order B7.",
        "Thank you. Can you send order B7 to my office?",
        "Great, but the lid is missing.",
        "Yes, please hand me to a person. Thank you.",
        "That's all wrong.",
        "I'll need the lid of order B7 too, thanks.",
        "谢谢，请把盖子也换成红色",
        "谢谢，再帮我查一下订单",
        "ありがとう。蓋も赤にしてください。",
        "감사합니다. 뚜껑도 바꿔 주세요.",
        "Yes, cancel order B7 and refund it. ###STOP###",
        "ok",
    ],
)
def test_what_asks_for_more_is_no_closing(words: str) -> None:
    assert not closing_of(words)
    assert _status(user(words)) != "completed"


def test_a_closing_that_is_followed_by_work_is_none() -> None:
    more = (
        user("That's all, thanks!"),
        user("Oh wait, order B7 also needs a lid."),
        agent("", call("b", "edit", "order B7", "order B7: + lid")),
        results("b"),
    )
    assert _status(*more) == "active"
    assert _status(*more[:1], *more[2:]) == "active"


def test_thanks_for_a_proposal_close_nothing_but_a_goodbye_does() -> None:
    proposal = agent("I have found the lid. Should I order it?")

    assert _status(proposal, user("Thanks!")) == "active"
    assert _status(proposal, user("No, that's all. Goodbye!")) == "completed"


def test_the_user_may_leave_a_failure_behind_but_thanks_do_not_mend_it() -> None:
    lines = session(
        user("Book the night train to Rome."),
        call("a", "edit", "booking 12", "booking 12: no seat is left", status="error"),
        agent("No seat is left on the night train."),
    )

    assert grow(happenings([*lines, user("Thank you.")])).tasks[0].status == "active"
    assert grow(happenings([*lines, user("Ok, that's all then, bye.")])).tasks[0].status == "completed"


def test_what_the_user_decides_while_thanking_is_told() -> None:
    lines = session(
        user("Book the night train to Rome."),
        call("a", "edit", "booking 12", "booking 12: no seat is left", status="error"),
        agent("No seat is left on the night train."),
        user("Alright, I'll take the bus then. Thanks for your help."),
    )

    assert "take the bus" in grow(happenings(lines)).tasks[0].nodes[0].summary
