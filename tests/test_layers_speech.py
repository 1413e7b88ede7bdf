"""L1 hears a person's own words: no material of a task, no article, no answer to a form."""

import pytest

from memctl.layers.extract import Heard, drafts

STORY = (
    "The harbour town had slept through the winter. Every boat stayed under its cover until the bells rang. "
    "Nobody ever crossed the square without a lantern. The mayor always kept a spare key behind the clock. "
) * 4
TALE = (
    "小镇在冬天里沉睡着。每个人都向钟楼致敬。市长总是把钥匙藏在钟后面。渔船一律停在码头边上，直到钟声响起。"
    * 8
)


def remembered(*said: tuple[str, str]) -> list[str]:
    heard = [Heard(f"m{at}", role, text) for at, (role, text) in enumerate(said)]
    return [draft.content for draft in drafts(heard)]


@pytest.mark.parametrize("text", [STORY, TALE])
def test_an_article_that_was_pasted_is_nobodys_speech(text: str) -> None:
    assert remembered(("user", text)) == []


def test_a_long_message_in_which_somebody_speaks_is_heard() -> None:
    said = "I went through the whole list with you today and we did most of it. " * 18
    assert remembered(("user", f"{said}From now on, always answer in short sentences."))


@pytest.mark.parametrize(
    "text",
    [
        "问题：坚持锻炼难吗？\n答案：以后每天都必须坚持锻炼。",
        "在这个任务中，您被要求写两个句子。每个句子必须使用给定的词。",
        "搜索结果：\n无论天气如何，新系统都可以提供更好的视野。",
        "Prompt 1:\n以后请确认每一章的编号都正确。",
    ],
)
def test_the_material_of_a_task_is_nobodys_speech(text: str) -> None:
    assert remembered(("user", text)) == []


def test_an_answer_to_a_form_is_about_that_one_request() -> None:
    asked = ("assistant", "Sure! Please provide the amount, the interest rate and the term of the loan.")

    assert remembered(asked, ("user", "The loan amount is $41,000 and the interest rate is 4%.")) == []
    assert remembered(("user", "The interest rate of our lease is 4% per year.")) != []
    done = ("assistant", "All tests pass now. Please let me know if you want anything else changed.")
    assert remembered(done, ("user", "The interest rate of our lease is 4% per year.")) != []


@pytest.mark.parametrize(
    "text",
    [
        "I love to.",
        "I love the colours in that one!",
        "My kids are so excited about the trip!",
        "Going with the second option then.",
        "I'll go with flight 231 departing at noon.",
        "For each model, plot the number of failures in one bar chart.",
        "I have a weight in pounds and I want to convert it. The weight is 30 pounds.",
        "我有一个来自论坛的帖子列表，如下所示",
    ],
)
def test_what_is_only_of_the_moment_is_not_kept(text: str) -> None:
    assert remembered(("user", text)) == []
