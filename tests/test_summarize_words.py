"""What the agent itself said and named: conclusions, names in a call, plans, and the call on one line."""

# ruff: noqa: E501 - a row of a table stays on one line

from typing import Any

import pytest

from memctl.model import Summary
from memctl.summarize import combine, conclusion, names_in, plan_items, shorten_call

CONCLUSIONS = [
    ("The State struct has StartedAt but no EndedAt. Let me add it.", "The State struct has StartedAt but no EndedAt."),
    ("Perfect! Now I can see that `make_bytes` doesn't handle memoryview. Let me fix it:", "make_bytes doesn't handle memoryview."),
    ("All 3 tests fail as expected, confirming the bug. Now let's apply the fix.", "All 3 tests fail as expected, confirming the bug."),
    ("Tests pass, but the linter complains about a repeated string. Let me check.", "Tests pass, but the linter complains about a repeated string."),
    ("BashResult is already exported, so let me export the other types too.", "BashResult is already exported"),
    ("I see, there's no `tokensAfter`. Let me update the interface.", "There's no tokensAfter."),
    ("## Findings\n\n```go\nx := 1\n```\n\nThe root cause is that `paths` imports `session`.", "The root cause is that paths imports session."),
    ("The issue is in two places:\n1. `generate_created_models` for new models\n2. the other", "The issue is in two places: generate_created_models for new models"),
    ("The current price of the share is $210.22.", "The current price of the share is $210.22."),
    ("Added EndedAt *time.Time field to both session.State and strategy.SessionState.", "Added EndedAt *time.Time field to both session.State and strategy.SessionState."),
    ("React.Component is undefined because `x. Y` shadows it. Let me look.", "React.Component is undefined because x. Y shadows it."),
    ('`cmd.Dir = "/"` fails, so `os.Getenv()` is needed. `Foo.Bar` stays.', 'cmd.Dir = "/" fails, so os.Getenv() is needed.'),
    ("The parser has no context.Now, I will add one.", "The parser has no context."),
    ("根因是 `time.Time` 为空，所以 `a。b` 报错。接下来修复。", "根因是 time.Time 为空，所以 a。b 报错。"),
    ("根因是 `parse_token` 没有校验时区，所以过期时间少了 8 小时。接下来修复它。", "根因是 parse_token 没有校验时区，所以过期时间少了 8 小时。"),
    ("好的，测试全部通过，共 31 个。现在让我提交代码。", "测试全部通过，共 31 个。"),
    ("现在测试失败的原因是数据库连接超时，让我检查配置。", "现在测试失败的原因是数据库连接超时"),
    ("香港大学的学费是每年 42,100 港币。接下来查中文大学。", "香港大学的学费是每年 42,100 港币。"),
    ("原因はタイムゾーンの変換漏れでした。修正します。", "原因はタイムゾーンの変換漏れでした。"),
    ("設定ファイルが見つかりません。パスを確認してみます。", "設定ファイルが見つかりません。"),
    ("원인은 시간대 처리 누락입니다. 이제 수정하겠습니다.", "원인은 시간대 처리 누락입니다."),
    ("테스트 31개가 모두 통과했습니다.", "테스트 31개가 모두 통과했습니다."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "concluded"), CONCLUSIONS)
def test_the_sentence_that_concludes_is_taken(said: str, concluded: str) -> None:
    assert conclusion(said) == concluded


@pytest.mark.parametrize(
    "said",
    [
        "Let me now look at state.go.",
        "Now let me update the tests to use the constant.",
        "I'll check the other handlers first.",
        "Next, run the full suite:",
        "Should I continue with the second part?",
        "Great!",
        "Here's a summary of the changes:",
        "让我看看这个文件。",
        "好的，我来检查一下配置。",
        "接下来运行测试。",
        "次にテストを実行します。",
        "ファイルを確認してみます。",
        "테스트를 실행하겠습니다.",
        "```\nonly code\n```",
        "",
    ],
)
def test_a_plan_or_a_question_concludes_nothing(said: str) -> None:
    assert conclusion(said) == ""


def _summary(text: str, score: int, status: Any = "ok") -> Summary:
    return Summary("read", "a.py", status, text, score)


def test_a_conclusion_comes_before_a_weak_description_and_the_facts_stay() -> None:
    joined = combine(_summary("a.py:1-80: about load_all, save_all", 3), "The loader never closes its file.")
    assert joined.text == "The loader never closes its file (a.py:1-80: about load_all, save_all)"
    assert joined.score > 3


def test_facts_that_say_everything_come_first() -> None:
    joined = combine(_summary("python a.py: 345", 10), "The output is 345, so the rounding is fixed.")
    assert joined.text == "python a.py: 345; The output is 345, so the rounding is fixed"


@pytest.mark.parametrize("more", ["", ", total 12, " + "paid by card " * 10])
def test_the_values_of_a_thing_come_before_words_and_are_not_cut_for_them(more: str) -> None:
    facts = f"order #W1: status open{more}"
    shown = Summary("read", "get_order", "ok", facts, 4, "", "order #W1")

    said = combine(shown, "It cannot be cancelled because it was sent.").text

    assert said == (facts if more else f"{facts}; It cannot be cancelled because it was sent")


def test_what_broke_stays_readable_beside_a_long_conclusion() -> None:
    facts = "1 failed: test_a.py::test_x AssertionError: assert 4 == 3 (test_a.py:12)"
    joined = combine(
        _summary(facts, 8, "error"), "The assertion fails because " + "the token lives longer " * 8
    )
    assert len(joined.text) <= 200
    assert facts in joined.text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The header is never wider than the screen now.", False),
        ("The header now scales with the window.", False),
        ("stylelint is not installed.", True),
        ("表头现在会随窗口缩放。", False),
        ("没有安装 npx。", True),
    ],
)
def test_what_broke_is_not_headed_by_words_about_something_else(said: str, *, told: bool) -> None:
    facts = "stylelint site/style.css: exit code 127: sh: 1: npx: command was nowhere"

    joined = combine(_summary(facts, 5, "error"), said)

    assert (joined.text != facts) is told


def test_a_conclusion_that_adds_nothing_is_left_out() -> None:
    plain = _summary("a.py: 8 lines: Session, open, load_all", 4)
    assert combine(plain, "") == plain
    assert combine(plain, "Session open load_all lines a.py") == plain
    missing = _summary("a.py: no result", 0, "missing")
    assert combine(missing, "The file is empty.") == missing


NAMES = [
    ("Read", {"file_path": "/w/src/app/auth.ts"}, ("/w/src/app/auth.ts", "app/auth.ts", "auth.ts")),
    ("Grep", {"pattern": "parseToken|expiry", "path": "src", "output_mode": "content"}, ("parseToken", "expiry")),
    ("Bash", {"command": "cd /w && grep -rn load_all src/io.py | head -5"}, ("src/io.py", "io.py", "load_all")),
    ("Bash", {"command": "pytest -q --maxfail=1"}, ()),
    ("WebFetch", {"url": "https://a.example/fees?y=2026", "prompt": "the fee"}, ("https://a.example/fees?y=2026",)),
    ("get_order_details", {"order_id": "#W2378156"}, ("W2378156",)),
    ("TodoWrite", {"todos": [{"content": "Fix `StateStore`", "activeForm": "Fixing Other_Thing"}]}, ("StateStore",)),
    ("web_search", {"query": "香港大学的学费标准"}, ("香港大学", "学费标准")),
    ("git_show", {"revision": "1a2b3c4d"}, ("1a2b3c4d",)),
    ("Edit", {"file_path": "a.py", "old_string": "if self.total_price:"}, ("a.py", "self.total_price")),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "names"), NAMES)
def test_names_that_an_earlier_result_could_have_given(
    tool: str, arguments: Any, names: tuple[str, ...]
) -> None:
    assert names_in(tool, arguments) == names


def test_the_most_specific_names_come_first_and_no_more_than_24() -> None:
    text = " ".join(f"some_name_{number}" for number in range(60)) + " src/deep/file.py"
    names = names_in("Edit", {"old_string": text})
    assert names[0] == "src/deep/file.py"
    assert len(names) == 24


PLANS = [
    ("TodoWrite", {"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}, {"content": "c"}]}, (("a", "done"), ("b", "doing"), ("c", "todo"))),
    ("update_plan", {"plan": [{"step": "查学费", "status": "in_progress"}]}, (("查学费", "doing"),)),
    ("write_todos", '{"todos":[{"description":"x","status":"done"}]}', (("x", "done"),)),
    ("todowrite", {"todos": [{"content": "x", "status": "cancelled"}]}, (("x", "done"),)),
    ("TaskCreate", {"subject": "Add EndedAt", "description": "long"}, (("Add EndedAt", "todo"),)),
    ("TaskUpdate", {"taskId": "4", "status": "completed"}, (("#4", "done"),)),
    ("TaskUpdate", {"taskId": "4", "subject": "New name"}, (("#4 New name", "todo"),)),
    ("TaskList", {}, ()),
    ("task_tracker", {"command": "plan", "task_list": [{"title": "t", "status": "todo"}]}, (("t", "todo"),)),
    ("update_todo_list", {"todos": "- [x] a\n- [-] b\n- [ ] c"}, (("a", "done"), ("b", "doing"), ("c", "todo"))),
    ("Bash", {"command": "ls"}, None),
    ("think", {"thought": "hm"}, None),
    ("TodoWrite", None, ()),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "items"), PLANS)
def test_a_plan_gives_its_items_and_their_states(tool: str, arguments: Any, items: Any) -> None:
    assert plan_items(tool, arguments) == items


def test_a_short_call_is_written_out() -> None:
    assert shorten_call("exec", {"command": "pytest -q"}) == 'exec({"command":"pytest -q"})'
    assert shorten_call("exec", '{"command": "pytest -q"}') == 'exec({"command":"pytest -q"})'
    assert shorten_call("open", "open a.py 3\n") == 'open("open a.py 3\\n")'
    assert shorten_call("pwd", None) == "pwd(null)"


def test_a_long_call_keeps_its_argument_names_and_cuts_its_values() -> None:
    call = shorten_call("Edit", {"file_path": "/w/a.py", "old_string": "x" * 900, "new_string": "y" * 900})
    assert len(call) <= 300
    assert call.startswith('Edit({"file_path":"/w/a.py","old_string":"xxx')
    assert '…","new_string":"yyy' in call
    assert call.endswith('…"})')


def test_a_call_stays_on_one_line_without_surrogates_or_escapes() -> None:
    call = shorten_call("x", {"a": "\ud83d", "b": "\x1b[31m\u2028\u202e", "c": 2**80})
    assert call == 'x({"a":"\ufffd","b":"\\u001b[31m ","c":1208925819614629174706176})'
