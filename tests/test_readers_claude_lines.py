"""Claude Code: every kind of line and what marks it, titles, and how a file is known."""

from typing import Any

import pytest
from claude_lines import ANSWER, PNG, SESSION, agent, call, line, read, result, shapes, user, words
from reading import events, facts, parts, written

from memctl.model import Call, Image, Raw, Result, Skipped, Text, Thinking
from memctl.readers import claude_code
from memctl.readers.source import Source

# --------------------------------------------------------------------------- roles, blocks, results


@pytest.mark.parametrize(
    ("content", "role", "kinds"),
    [
        ("hello", "user", ["Text"]),
        ([words("hello")], "user", ["Text"]),
        (["hello"], "user", ["Text"]),
        (words("hello"), "user", ["Text"]),
        ([result("t1")], "tool", ["Result"]),
        ([result("t1"), result("t2")], "tool", ["Result", "Result"]),
        ([result("t1"), words("not all at the end")], "user", ["Result", "Text"]),
        ([{"type": "image", "source": PNG}], "user", ["Image"]),
        ([{"type": "document", "source": {"type": "base64", "data": "JVBE"}}], "user", ["Raw"]),
        ([{"type": "from the future", "x": 1}, 42], "user", ["Raw", "Raw"]),
    ],
)
def test_the_role_of_a_user_line(content: Any, role: str, kinds: list[str]) -> None:
    assert shapes(read(user("u1", None, content))) == [("u1", role, kinds)]


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("12", (Text("12"),)),
        ("", ()),
        ([words("a"), words("b")], (Text("a"), Text("b"))),
        ([{"type": "image", "source": PNG}], (Image("image/png", data="iVBORw0KGgo="),)),
        (
            [{"type": "tool_reference", "tool_name": "x"}],
            (Raw({"type": "tool_reference", "tool_name": "x"}),),
        ),
        (["plain"], (Text("plain"),)),
    ],
)
def test_the_blocks_of_a_result(content: Any, blocks: tuple[Any, ...]) -> None:
    beside = {"stdout": "not this", "stderr": ""}
    (found,) = read(user("r1", None, [result("t1", content, is_error=False)], toolUseResult=beside))

    assert found.parts == (Result("t1", blocks, is_error=False),)


@pytest.mark.parametrize(
    ("beside", "blocks"),
    [
        ("done", (Text("done"),)),
        ([words("a")], (Text("a"),)),
        ({"stdout": "out\n", "stderr": "err"}, (Text("out\n"), Text("err"))),
        ({"stdout": "", "stderr": ""}, ()),
        ({"type": "text", "file": {"filePath": "/a", "content": "x=1"}}, (Text("x=1"),)),
        ({"content": [words("found")], "agentId": "a1"}, (Text("found"),)),
        ({"oldTodos": [], "newTodos": []}, (Raw({"oldTodos": [], "newTodos": []}),)),
    ],
)
@pytest.mark.parametrize("content", [[{"type": "tool_result", "tool_use_id": "t1"}], None])
def test_a_result_without_content_is_what_stands_beside_the_message(
    beside: Any, blocks: tuple[Any, ...], content: Any
) -> None:
    (found,) = read(user("r1", None, content, toolUseResult=beside))

    assert found.role == "tool"
    assert found.parts == (Result("t1" if content else None, blocks),)


def test_tools_the_provider_runs_are_calls_and_results_too() -> None:
    blocks = (
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"type": "web_search_result", "url": "u"}],
        },
        {"type": "redacted_thinking", "data": "EqQ"},
        {"type": "thinking", "thinking": "", "signature": "sig"},
    )
    (found,) = read(agent("a1", None, "m1", *blocks))

    assert found.parts == (
        Call("s1", "web_search", {"query": "x"}),
        Result("s1", (Raw({"type": "web_search_result", "url": "u"}),)),
        Raw({"type": "redacted_thinking", "data": "EqQ"}),
        Thinking("", "sig"),
    )


def test_arguments_are_verbatim() -> None:
    arguments: dict[str, Any] = {"n": 2**80, "text": "a\u2028b\ud83d", "none": None, "deep": [{"x": [1.5]}]}

    assert parts(read(agent("a1", None, "m1", call("t1", **arguments))), Call)[0].arguments == arguments


def test_calls_and_results_that_are_lines_are_read_as_what_they_are() -> None:
    lines = [
        line("tool_use", "t1", name="bash", input={"command": "ls"}),
        line("tool_result", "r1", name="bash", output="a b", is_error=True),
    ]

    assert [(one.role, one.parts) for one in read(*lines)] == [
        ("assistant", (Call(None, "bash", {"command": "ls"}),)),
        ("tool", (Result(None, (Text("a b"),), is_error=True, name="bash"),)),
    ]


def test_lines_of_a_human_are_the_users() -> None:
    lines = [
        {"type": "human", "message": {"content": "note this"}},
        {"type": "human", "message": {"content": [result("t1")]}},
    ]

    assert [(one.session, one.role) for one in read(*lines)] == [("#1", "user"), ("#1", "tool")]
    assert facts(claude_code, lines) == {"#1": {"agent": "Claude Code"}}


@pytest.mark.parametrize("content", ["", [], None, [words("")], {}])
def test_a_line_that_says_nothing_is_counted(content: Any) -> None:
    found = events(claude_code, written([user("u1", None, content), user("u2", "u1", "x")]))

    kinds = [event.kind for event in found if isinstance(event, Skipped)]
    assert kinds == (["empty"] if content != {} else [])


# --------------------------------------------------------------------------- marks


@pytest.mark.parametrize(
    ("content", "more", "marks"),
    [
        ("fix it", {}, ()),
        ("fix it", {"isMeta": True}, ("meta",)),
        ("fix it", {"isMeta": False, "isVisibleInTranscriptOnly": True}, ()),
        ("anything", {"isCompactSummary": True}, ("compact_summary",)),
        ("anything", {"origin": {"kind": "task-notification"}}, ("notification",)),
        ("fix it", {"isSidechain": True}, ("sidechain",)),
        ("fix it", {"parent_tool_use_id": "t1"}, ("sidechain",)),
        ("<command-name>/clear</command-name>", {}, ("command",)),
        ("<command-name>/plan</command-name>\n<command-args>the port</command-args>", {}, ()),
        ([words("[Request interrupted by user for tool use]")], {}, ("interrupted",)),
        ([words("<ide_opened_file>x</ide_opened_file>"), words("fix it")], {}, ()),
        ([result("t1")], {"isMeta": True}, ()),
        ([result("t1"), words("[Request interrupted by user]")], {}, ("interrupted",)),
        ([{"type": "image", "source": PNG}], {}, ()),
    ],
)
def test_marks_of_a_user_line(content: Any, more: dict[str, Any], marks: tuple[str, ...]) -> None:
    assert [one.marks for one in read(user("u1", None, content, **more))] == [marks]


def test_what_the_program_wrote_in_the_agents_name_is_marked() -> None:
    lines = [
        agent("a1", None, "m1", words("API Error: 500"), isApiErrorMessage=True),
        agent("a2", None, "m2", words("No response requested.")),
    ]
    lines[1]["message"]["model"] = "<synthetic>"

    assert [one.marks for one in read(*lines)] == [("api_error",), ("synthetic",)]
    assert facts(claude_code, lines)[SESSION]["model"] == "claude-x"


# --------------------------------------------------------------------------- titles and other lines


def test_a_summary_is_the_title_of_the_session_it_names_the_last_line_of() -> None:
    other = {"type": "summary", "summary": "Another matter", "leafUuid": "elsewhere"}
    own = {"type": "summary", "summary": "Counting tests", "leafUuid": "s1"}

    assert facts(claude_code, [other, *ANSWER, own])[SESSION]["title"] == "Counting tests"
    assert facts(claude_code, [own, *ANSWER])[SESSION]["title"] == "Counting tests"
    assert "title" not in facts(claude_code, [other, *ANSWER])[SESSION]


@pytest.mark.parametrize(
    "title", [{"type": "ai-title", "aiTitle": "T"}, {"type": "custom-title", "customTitle": "T"}]
)
def test_a_title_line(title: dict[str, Any]) -> None:
    assert facts(claude_code, [{**title, "sessionId": SESSION}, *ANSWER])[SESSION]["title"] == "T"


def test_other_lines_are_counted_by_type() -> None:
    lines: list[Any] = [
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        *ANSWER,
        line("progress", "p9", None, data={"type": "hook_progress"}),
        line("attachment", "at1", None, attachment={"type": "todo"}),
        {"type": "permission-mode", "permissionMode": "default", "sessionId": SESSION},
        {"type": "a type from the future", "sessionId": SESSION},
        {"silly": "this"},
        {"type": ["not", "a", "name"]},
        "words",
        42,
    ]
    skipped = [event for event in events(claude_code, written(lines)) if isinstance(event, Skipped)]

    assert [(event.kind, event.session) for event in skipped] == [
        ("file-history-snapshot", None),
        ("progress:bash_progress", SESSION),
        ("system:turn_duration", SESSION),
        ("progress:hook_progress", SESSION),
        ("attachment:todo", SESSION),
        ("permission-mode", SESSION),
        ("a type from the future", SESSION),
        ("untyped", SESSION),
        ("untyped", SESSION),
        ("not an object", SESSION),
        ("not an object", SESSION),
    ]


# --------------------------------------------------------------------------- detection


@pytest.mark.parametrize("count", range(1, len(ANSWER)))
def test_a_session_is_known_from_its_first_lines(count: int) -> None:
    assert claude_code.detect(Source.from_bytes(written(ANSWER[:count])))


@pytest.mark.parametrize(
    "first",
    [
        {"type": "summary", "summary": "x", "leafUuid": "y"},
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        {"type": "queue-operation", "operation": "dequeue", "sessionId": "s"},
        {"type": "human", "message": {"content": "x"}},
    ],
)
def test_a_session_that_has_no_message_yet_is_known(first: dict[str, Any]) -> None:
    assert claude_code.detect(Source.from_bytes(written([first])))


@pytest.mark.parametrize(
    "lines",
    [
        [{"type": "user", "message": {}}, {"type": "assistant", "message": {"usage": {"input_tokens": 1}}}],
        [{"sessionId": "s", "message": {"role": "assistant", "id": "m", "usage": {}}, "costUSD": 1}],
        [
            {
                "type": "user",
                "uuid": "u",
                "sessionId": "s",
                "message": {"role": "user", "parts": [{"text": "x"}]},
            }
        ],
        [{"role": "user", "message": {"content": [words("x")]}}],
        [{"type": "message", "id": "1", "message": {"role": "user", "content": "x"}}],
        [{"type": "user", "content": "x"}, {"type": "assistant", "content": "y"}],
        [{"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/x.jsonl"}],
    ],
)
def test_look_alikes_are_not_claude_code(lines: list[Any]) -> None:
    assert not claude_code.detect(Source.from_bytes(written(lines)))
