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
        "No, I just want to raise the limit if we are on a small machine.",
        "I have a weight in pounds and I want to convert it. The weight is 30 pounds.",
        "我有一个来自论坛的帖子列表，如下所示",
    ],
)
def test_what_is_only_of_the_moment_is_not_kept(text: str) -> None:
    assert remembered(("user", text)) == []


STEPS = [
    ("Write a parser for the rates file.", "Only use the standard library, not pandas."),
    ("Can you draw the floor plan?", "Keep the answer short."),
    ("帮我写一段周末的安排。", "必须用第一人称。"),
    ("この案内を訳してください。", "敬語は使わないでください。"),
    ("이 안내문을 요약해 줘.", "존댓말로 써 줘."),
]
STANDING = [
    ("Write a parser for the rates file.", "From now on, only use the standard library, not pandas."),
    ("Can you fix the login page?", "Always run the linter before you commit."),
    ("帮我写一段周末的安排。", "以后每次都要附上日期。"),
    ("この案内を訳してください。", "今後は必ず日本語で答えてください。"),
    ("이 안내문을 요약해 줘.", "앞으로는 항상 존댓말로 답해 주세요."),
]


@pytest.mark.parametrize(("request_", "rule"), STEPS)
def test_a_rule_beside_a_request_is_about_that_request(request_: str, rule: str) -> None:
    assert remembered(("user", rule)) != []
    assert remembered(("user", f"{request_} {rule}")) == []
    assert remembered(("user", f"{rule} {request_}")) == []


@pytest.mark.parametrize(("request_", "rule"), STANDING)
def test_a_rule_that_says_it_stands_is_kept_beside_a_request(request_: str, rule: str) -> None:
    assert remembered(("user", rule)) == remembered(("user", f"{request_} {rule}")) != []


def test_a_rule_about_a_name_of_the_code_at_hand_is_a_step() -> None:
    assert remembered(("user", "Use a deque instead of self.pending")) == []
    assert remembered(("user", "Don't use rate_table, use a plain dict")) == []
    assert remembered(("user", "Use snake_case instead of camelCase")) != []
    assert remembered(("user", "Always update rate_table before a release.")) != []


@pytest.mark.parametrize("marks", ['""', "“”", "„“", "«»", "「」"])
def test_a_text_in_quotation_marks_is_nobodys_speech(marks: str) -> None:
    said = f"What do you make of {marks[0]}We met. I live in Bergen now. Best wishes!{marks[1]}"

    assert remembered(("user", said)) == []
    assert remembered(("user", f"{said}\nI live in Turin.")) == ["User lives in Turin."]
    assert remembered(("user", f"I prefer the word {marks[0]}user{marks[1]} over the word client.")) != []
    assert remembered(("user", 'A screen of 27" is enough. I live in Turin. The old one had 24".')) != []


@pytest.mark.parametrize(
    "text",
    [
        "I want to put it in the drawer, and move it to the shelf when the user asks.",
        "No, we want to show it on the next page, as the first one is full of tables.",
        "We chose them because they help people find work.",
        "I'll present it tomorrow in the meeting.",
        "I'll go with the grey, medium one.",
        "I meant for the jobs that run inside the image",
    ],
)
def test_what_names_nothing_is_not_kept(text: str) -> None:
    assert remembered(("user", text)) == []


def test_a_long_text_in_which_no_one_person_speaks_was_pasted() -> None:
    text = "We use felt from the valley, and you can feel it. Never leave our looms in water. You always get a fair price. "

    assert remembered(("user", text * 12)) == []
    assert remembered(("user", f"{text * 12}Never send me such a page again.")) != []


LETTERS = [
    "Can you check my grammar?\n\nDear Ms Okafor,\n\nI am a plumber and I live in Perth. I prefer mornings.",
    "Sehr geehrte Frau Lang,\n\nich wohne in Kiel und ich bin Lehrerin.",
    "请看看语气合不合适。\n亲爱的奶奶：\n我决定暑假去成都。我更喜欢坐火车。",
    "山田様\n私は名古屋に住んでいます。",
    "拝啓　私は名古屋に住んでいます。",
    "존경하는 선생님께,\n저는 대구에 살아요.",
]
HANDED = [
    "Our landlord wrote:\nWe decided to raise the rent. Never park in the yard.",
    "This is what I got from the school:\n\nFrom now on always bring your own lunch.",
    "Translate to Dutch:\nI live in a village and I love gardening.",
    "I live in a village and I love gardening. Please translate this into Dutch.",
    "Here's the review a colleague left:\n- Always pass the timeout explicitly.",
    "房东说：\n以后每次停车都要登记。我们决定涨租。",
    "我住在苏州。我更喜欢喝茶。请翻译以上这段文字。",
    "取引先から来たメールです。\n今後は必ず金曜日に送ってください。",
    "次の文章を英語に訳してください。\n私は名古屋に住んでいます。",
    "다음 글을 영어로 번역해 줘.\n저는 대구에 살아요.",
]


@pytest.mark.parametrize("text", [*LETTERS, *HANDED])
def test_a_text_that_was_handed_over_is_nobodys_speech(text: str) -> None:
    assert remembered(("user", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "My rules for this repository:\n- Always pass the timeout explicitly.",
        "As I said:\nAlways pass the timeout explicitly.",
        "I live in Turin. Please summarize the log file and rewrite the parser.",
        "I live in Turin.\n\nDear Ms Okafor,\n\nI am a plumber.",
        "I live in Turin. My sister wrote:\nI live in Bari.",
        "I live in Turin. Please proofread:\n```\nI live in Bari.\n```",
        "Care instructions:\nAlways unplug the server before you open the rack.",
        "规则如下：\n每次提交之前都要跑一遍测试。",
        "メールは苦手です。私は名古屋に住んでいます。",
        "메일로 연락 주세요. 저는 대구에 살아요.",
    ],
)
def test_what_a_person_says_beside_it_is_heard(text: str) -> None:
    assert len(remembered(("user", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "We decided to take the last one.",
        "I prefer the other.",
        "默认用那个就好。",
        "我们决定选第三个。",
        "僕はこっちが好きです。",
        "저는 그것을 더 좋아해요.",
    ],
)
def test_what_was_only_pointed_at_is_not_kept(text: str) -> None:
    assert remembered(("user", text)) == []


def test_what_others_report_is_not_kept() -> None:
    rule = "Cyclists must always dismount on the pier"

    assert remembered(("user", f"{rule}, the harbour office said on Monday.")) == []
    assert remembered(("user", f"{rule}.")) != []


def test_what_one_thing_should_only_do_is_a_step() -> None:
    assert remembered(("user", "The output should only list the names.")) == []
    assert remembered(("user", "fetcher should only follow links")) == []
    assert remembered(("user", "Commits should only touch one package.")) != []


def test_a_request_to_rename_or_move_is_one() -> None:
    rule = "Don't use a global, use an argument instead."

    assert remembered(("user", rule)) != []
    assert remembered(("user", f"Rename the helper. {rule}")) == []
