"""Judging the user's words: new, continued or resumed tasks; goals and labels (DESIGN 4.2)."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from memctl.canvas import judge as judging
from memctl.canvas.goals import aim_of, goal_of, label
from memctl.canvas.judge import Verdict, Vocabulary, judge
from memctl.canvas.subjects import subject_of


def task(*texts: str) -> Vocabulary:
    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.learn(subject_of(text))
    return vocabulary


AUTH = task(
    "Fix the token expiry bug in src/auth.ts", "read auth.ts", "edit TokenStore.refresh", "test auth.test.ts"
)
SCHOOLS = task("帮我对比香港大学、香港中文大学、香港科技大学的计算机硕士学费，做成港校表格", "港校学费.md")
LOGIN = task("ログイン画面のバグを直してください", "login.tsx")
PAYMENT = task("결제 모듈의 환불 오류를 고쳐줘", "refund.py")
GOALS = [AUTH, SCHOOLS, LOGIN, PAYMENT]


@pytest.mark.parametrize(
    ("active", "text"),
    [
        (0, "continue"),
        (0, "yes"),
        (0, "ok, go ahead"),
        (0, "looks good, thanks!"),
        (0, "wow, it works"),
        (0, "why does this only happen on Windows?"),
        (0, "also add a changelog entry"),
        (0, "no, that is wrong: the clock is in UTC"),
        (0, "option 2"),
        (0, "are we all committed?"),
        (0, "run the tests"),
        (0, "fix lint"),
        (0, "what does TokenStore do?"),
        (0, "the expiry should be checked on refresh too"),
        (0, "Implement 1, 2 and 3."),
        (0, "SyntaxError: Unexpected number '182'. Expected a parameter pattern or a ')' in parameter list."),
        (0, "Traceback (most recent call last): KeyError: 'colour' in palette.py"),
        (0, "can you check if we have more places like this?"),
        (0, "you can look at the old log in /var/log/app.log if you need to"),
        (1, "继续"),
        (1, "好的，继续吧"),
        (1, "还有澳门大学的也加上"),
        (1, "不对，应该是授课型硕士"),
        (1, "学费的单位是港币吗？"),
        (1, "为什么这个这么贵？"),
        (2, "続けてください"),
        (2, "はい、お願いします"),
        (2, "ログインボタンの色も変えてください"),
        (2, "違います、スマホの画面です"),
        (3, "계속해줘"),
        (3, "네, 좋아요"),
        (3, "환불 금액이 왜 0원이야?"),
        (3, "아니, 부분 환불만 고쳐줘"),
    ],
)
def test_a_prompt_that_stays_with_the_goal_continues(active: int, text: str) -> None:
    assert judge(text, GOALS, active) == Verdict("continue", active)


@pytest.mark.parametrize(
    ("active", "text"),
    [
        (0, "Write a haiku about cats and the sea"),
        (0, "New task: set up the nightly backup of the mail server"),
        (0, "Update the pricing page of the website"),
        (0, "What is the weather in Berlin tomorrow?"),
        (0, "btw, can you book a table for dinner on Friday?"),
        (0, "Let's do something else: translate the brochure into French"),
        (1, "先帮我查一下今年考研分数线"),
        (1, "换个话题，推荐一部电影"),
        (1, "对了，明天北京的天气怎么样？"),
        (2, "別の質問ですが、京都の観光地を教えてください"),
        (2, "明日の天気を教えて"),
        (3, "다른 질문인데, 서울 날씨 알려줘"),
        (3, "제주도 여행 일정을 만들어줘"),
    ],
)
def test_a_prompt_about_something_else_begins_another_task(active: int, text: str) -> None:
    assert judge(text, GOALS, active) == Verdict("new")


@pytest.mark.parametrize(
    ("active", "text", "resumed"),
    [
        (1, "back to the token expiry bug", 0),
        (3, "Let's return to auth.ts: does it refresh now?", 0),
        (0, "刚才那个港校表格继续", 1),
        (2, "回到香港学费那个表格", 1),
        (0, "さっきのログイン画面の件に戻りましょう", 2),
        (1, "아까 그 환불 오류로 돌아가자", 3),
        (0, "How far is the 환불 module, refund.py?", 3),
    ],
)
def test_a_prompt_resumes_the_task_that_knows_its_subject_best(active: int, text: str, resumed: int) -> None:
    assert judge(text, GOALS, active) == Verdict("resume", resumed)


@pytest.mark.parametrize("text", ["back to work", "回到刚才的任务", "元の作業に戻って"])
def test_going_back_without_a_subject_resumes_the_task_before(text: str) -> None:
    assert judge(text, GOALS[:2], 1) == Verdict("resume", 0)


@pytest.mark.parametrize(
    "text",
    [
        "My user ID is anna_smith_12 and the reservation is QX7TT9.",
        "I am fine with paying the extra amount. Please proceed with my saved credit card.",
        "The one with a stop in Denver, please, and a window seat if possible",
        "对，用我保存的信用卡支付",
    ],
)
def test_an_answer_to_the_question_of_the_agent_continues(text: str) -> None:
    flight = task("I need to change my flight to Boston")
    flight.asked = judging.asks("I can do that. Could you please provide your user ID?")

    assert judge(text, [flight], 0) == Verdict("continue", 0)
    assert judge("Write a haiku about cats and the sea", [flight], 0) == Verdict("new")


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember the order ID. Is there another way to find the blue bookshelf?",
        "Oh, I apologize! I mixed up my zip code, could it be 98186?",
        "我不记得订单编号了，能按蓝色书架查吗？",
    ],
)
def test_not_knowing_what_was_asked_for_begins_no_task(text: str) -> None:
    order = task("return the camera of my last order")
    order.asked = True
    assert judge(text, [order], 0) == Verdict("continue", 0)


def test_the_first_prompt_begins_a_task() -> None:
    assert judge("continue", [], None) == Verdict("new")


@given(st.text(), st.integers(0, 3))
def test_any_text_is_judged_and_never_to_a_task_that_is_not_there(text: str, active: int) -> None:
    verdict = judge(text, GOALS, active)

    assert verdict.task in {None, 0, 1, 2, 3}
    assert (verdict.task is None) == (verdict.kind == "new")
    assert (verdict.task == active) == (verdict.kind == "continue")


# --------------------------------------------------------------------------- other readings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass. The bug is fixed.", True),
        ("I've implemented the fix and committed it. Would you like me to open a PR?", True),
        ("The setting has been added. Let me know if you want another name.", True),
        ("The cause is a missing lock.", False),
        ("The first part is done. Next I will write the tests.", False),
        ("Done with the parser, but two tests still fail.", False),
        ("表格已完成，三所学校都填好了。", True),
        ("表格先填好了学费一列，接下来补截止日期。", False),
        ("修正しました。テストも全部通りました。", True),
        ("환불 오류를 수정했습니다.", True),
    ],
)
def test_the_agent_says_whether_it_has_finished(text: str, expected: bool) -> None:
    assert judging.finished(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claude stop is not correct, that is at the end of the turn", True),
        ("no, put it in core/", True),
        ("don't commit that", True),
        ("不对，应该是授课型硕士", True),
        ("違います、スマホの画面です", True),
        ("아니, 부분 환불만", True),
        ("Hm, wait, why is the old table still there?", True),
        ("This is terrible, the columns overlap.", True),
        ("Why did you rename the column?", True),
        ("You forgot the header row.", True),
        ("I meant the second warehouse.", True),
        ("ok, but we don't need a cache for that", True),
        ("Can you undo the last change?", True),
        ("small correction: the limit is per user", True),
        ("你把单位弄错了", True),
        ("把刚才的改动撤销吧", True),
        ("这里少了一列", True),
        ("それは違います。", True),
        ("勝手に消さないでください。", True),
        ("원래대로 되돌려 줘", True),
        ("그건 잘못됐어요", True),
        ("looks good", False),
        ("add a test for the parser", False),
        ("继续", False),
        ("Wait for the build and then deploy it.", False),
        ("Write a page on terrible storms of the Baltic", False),
        ("Document the power steering of the tractor", False),
        ("Use a tab bar instead", False),
        ("Read the rates from the file rather than from the net", False),
        ("Put an undo button beside the save button", False),
        ("Find out why the total is wrong when two taxes apply", False),
        ("An empty line should not end the table", False),
        ("I'm not sure about my order number", False),
        ("I'd prefer the third one", False),
        ("Is it too much to ask for a second opinion?", False),
        ("No problem! Now print the list.", False),
        ("no, that was everything, thank you", False),
        ("写一个撤销功能", False),
        ("标题改成红色", False),
        ("这是不是最新的版本", False),
        ("不要紧，继续", False),
        ("古い列を使わない方法を教えて", False),
        ("JSON の代わりに YAML にして", False),
        ("아니면 두 번째 창고도 넣어 줘", False),
        ("엑셀 대신 CSV로 저장해 줘", False),
    ],
)
def test_corrections_are_told_from_wishes(text: str, expected: bool) -> None:
    assert judging.corrects(text) is expected


# --------------------------------------------------------------------------- goals and labels


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Can you please fix the login bug?", "fix the login bug"),
        ("Hi!\n\nPlease rename the session store.", "rename the session store."),
        (
            "Implement the following plan:\n\n# Token usage across strategies\n\n## Summary\n",
            "Token usage across strategies",
        ),
        (
            "<pr_description>\nConsider this PR:\nfrom_json drops nested values\n**Describe the bug**\nWhen",
            "from_json drops nested values",
        ),
        (
            "ISSUE:\nTimeDelta serialization precision\n\nHi there!\nI found",
            "TimeDelta serialization precision",
        ),
        ("帮我对比三所港校的学费，做成表格", "对比三所港校的学费，做成表格"),
        ("Thanks for the info! I'd like to return a lamp.", "return a lamp."),
        ("ok", "ok"),
    ],
)
def test_a_goal_reads_like_a_title(text: str, goal: str) -> None:
    assert goal_of(text) == goal


@given(st.text())
def test_a_goal_is_one_line_of_at_most_200_characters(text: str) -> None:
    goal = goal_of(text)

    assert len(goal) <= 200
    assert "\n" not in goal
    assert goal_of(goal) == goal_of(goal)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            (
                "Here's the issue text:\nISSUE:\nRounding of durations\nHi there!\n\n```python\nshow(wrong)\n```\n"
                "The output is `344`, but it should be `345`.\n\nINSTRUCTIONS:\nYou should edit all the files you need to."
            ),
            "Rounding of durations. The output is `344`, but it should be `345`.",
        ),
        (
            (
                'The exercise is a puzzle named "Ship", worth 10 points. The description is:\n'
                "Our ship has sunk. Its log is unreadable, please restore it.\nFiles of the exercise: ['log.enc']\n"
                "\n\nINSTRUCTIONS:\nRemember, you cannot use vim."
            ),
            (
                'The exercise is a puzzle named "Ship", worth 10 points. Its log is unreadable, please restore it. '
                "Files of the exercise: ['log.enc']"
            ),
        ),
        (
            (
                "<pr_description>\nViews drop the last byte\nDescription\n\t\nThe reader is given a view. "
                "When it is short, the value is wrong.\nfrom app import view\n</pr_description>\n<instructions>\nYou should"
            ),
            "Views drop the last byte. When it is short, the value is wrong.",
        ),
        ("fix the login bug", "fix the login bug"),
        (
            (
                "Extend the weekly report of all orders by one summary line.\n\nWe ship each Monday. "
                "The footer fails to print. Add a feature flag."
            ),
            "Extend the weekly report of all orders by one summary line. The footer fails to print.",
        ),
    ],
)
def test_the_aim_of_a_task_tells_what_is_wrong_and_not_how_to_work(text: str, told: str) -> None:
    assert aim_of(text) == told


@given(st.text())
def test_an_aim_is_one_line_that_begins_with_the_goal(text: str) -> None:
    aim = aim_of(text)

    assert len(aim) <= 300
    assert "\n" not in aim
    assert aim.startswith(goal_of(text)[:100])


@given(st.text())
def test_a_label_is_short_safe_and_its_own_label(text: str) -> None:
    name = label(text)

    assert 1 <= len(name) <= 20
    assert unicodedata.normalize("NFC", name) == name
    # Ideographs newer than the interpreter's tables are letters to memctl on every Python.
    assert all(
        char.isalnum() or char == "-" or unicodedata.category(char)[0] == "M" or char >= "\U00020000"
        for char in name
    )
    assert label(name) == name


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Can you fix the auth expiry?", "fix-auth-expiry"),
        ("对比三所港校的学费，做成表格", "对比三所港校的学费-做成表格"),
        ("!!!", "untitled"),
    ],
)
def test_a_label_names_the_goal(goal: str, name: str) -> None:
    assert label(goal) == name


@pytest.mark.parametrize("told", ["auth.ts:12", "auth.ts:12:5", "src/auth.ts:12:5:"])
def test_a_line_of_a_file_is_about_the_file(told: str) -> None:
    assert "auth.ts" in subject_of(f"{told} throws").names


def test_a_time_and_a_port_are_no_lines_of_a_file() -> None:
    assert "localhost" not in subject_of("open 127.0.0.1:8080 at 10:30").names
