"""Claude Code: every kind of line, answers in pieces, subagents, what was typed, and the law of steps."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import SESSIONS, events, facts, files, messages, parts, spoiled, text, written

from memctl.model import Call, Image, Message, Raw, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import claude_code, claude_sessions, claude_thread
from memctl.readers.source import Source

SESSION = "5e551011"
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}


def line(kind: str, uuid: str | None, follows: str | None = None, **more: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "type": kind,
        "sessionId": SESSION,
        "parentUuid": follows,
        "isSidechain": False,
        "timestamp": "2026-03-01T08:00:00.000Z",
        "cwd": "/w",
        "version": "2.1.9",
        "gitBranch": "main",
    }
    return {**base, **({"uuid": uuid} if uuid else {}), **more}


def user(uuid: str | None, follows: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return line("user", uuid, follows, message={"role": "user", "content": content}, **more)


def agent(
    uuid: str | None, follows: str | None, answer: str | None, *blocks: Any, **more: Any
) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "model": "claude-x", "content": list(blocks)}
    message["usage"] = {"input_tokens": 9, "output_tokens": len(uuid or ""), "cache": {"deep": 1}}
    return line("assistant", uuid, follows, message={**message, **({"id": answer} if answer else {})}, **more)


def words(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(name: str, tool: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": arguments}


def result(name: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": content, **more}


def progress(uuid: str, follows: str | None, name: str, inner: dict[str, Any]) -> dict[str, Any]:
    data = {"type": "agent_progress", "agentId": name, "prompt": "look", "message": inner}
    return line("progress", uuid, follows, data=data, parentToolUseID="t-task", toolUseID="x")


def read(*lines: dict[str, Any]) -> list[Message]:
    return messages(claude_code, lines)


def shapes(found: list[Message]) -> list[tuple[str | None, str, list[str]]]:
    return [(one.id, one.role, [type(part).__name__ for part in one.parts]) for one in found]


# One answer in four lines; the results of its parallel calls come in between and after.
ANSWER = [
    user("u1", None, "count the tests"),
    agent("a1", "u1", "m1", {"type": "thinking", "thinking": "hm", "signature": "s"}),
    agent("a2", "a1", "m1", words("I look.")),
    agent("a3", "a2", "m1", call("t1", command="ls t")),
    line("progress", "p1", "a3", data={"type": "bash_progress", "output": "a"}),
    user("r1", "p1", [result("t1")]),
    agent("a4", "a3", "m1", call("t2", command="ls u")),
    user("r2", "a4", [result("t2", "no", is_error=True)]),
    agent("b1", "r1", "m2", words("Two.")),
    line("system", "s1", "b1", subtype="turn_duration"),
    user("u2", "s1", "and now?"),
    agent("c1", "u2", "m3", words("Done.")),
]


# --------------------------------------------------------------------------- answers in pieces


def test_the_pieces_of_one_answer_are_one_message_and_results_come_behind_it() -> None:
    assert shapes(read(*ANSWER)) == [
        ("u1", "user", ["Text"]),
        ("a1", "assistant", ["Thinking", "Text", "Call", "Call"]),
        ("r1", "tool", ["Result"]),
        ("r2", "tool", ["Result"]),
        ("b1", "assistant", ["Text"]),
        ("u2", "user", ["Text"]),
        ("c1", "assistant", ["Text"]),
    ]


def test_parents_lead_from_the_last_message_through_every_result_to_the_first() -> None:
    """Each result follows its own call in the file, so one chain of theirs would lose the others."""
    assert [one.parent for one in read(*ANSWER)] == [None, "u1", "a1", "r1", "r2", "b1", "u2"]


def test_usage_is_counted_once_and_the_last_line_wins() -> None:
    assert [one.usage for one in read(*ANSWER) if one.role == "assistant"] == [
        {"input_tokens": 9, "output_tokens": 2},
    ] * 3
    lines = [agent("a1", None, "m1", words("x")), agent("longer", "a1", "m1", words("y"))]
    assert [one.usage for one in read(*lines)] == [{"input_tokens": 9, "output_tokens": 6}]


def test_an_answer_that_goes_on_behind_a_prompt_or_another_answer_is_a_message_of_its_own() -> None:
    lines = [
        agent("a1", None, "m1", words("one")),
        user("u1", "a1", "wait"),
        agent("a2", "u1", "m1", words("two")),
        agent("b1", "a2", "m2", words("three")),
        agent("a3", "b1", "m1", words("four")),
    ]

    assert [one.id for one in read(*lines)] == ["a1", "u1", "a2", "b1", "a3"]


def test_answers_of_two_sessions_in_one_file_grow_side_by_side() -> None:
    other = {"sessionId": "0th3r"}
    lines = [
        agent("a1", None, "m1", words("one")),
        agent("x1", None, "m1", words("ONE"), **other),
        agent("a2", "a1", "m1", words("two")),
        agent("x2", "x1", "m1", words("TWO"), **other),
    ]

    assert {one.session: text(one) for one in read(*lines)} == {SESSION: "one\ntwo", "0th3r": "ONE\nTWO"}


def test_lines_without_ids_are_messages_of_their_own() -> None:
    """Transcripts of other programs have neither uuid nor message id."""
    lines = [agent(None, None, None, words("one")), agent(None, None, None, words("two"))]

    assert [(one.id, text(one)) for one in read(*lines)] == [(None, "one"), (None, "two")]


def test_an_answer_without_uuids_is_known_by_its_own_id() -> None:
    lines = [agent(None, None, "m1", words("one")), agent(None, None, "m1", call("t1"))]

    assert shapes(read(*lines)) == [("m1", "assistant", ["Text", "Call"])]


def test_an_answer_of_endless_pieces_is_cut_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_thread, "HELD", 3)
    lines = [agent(f"a{n}", None, "m1", words(str(n))) for n in range(7)]

    assert [(one.id, len(one.parts)) for one in read(*lines)] == [("a0", 3), ("a3", 3), ("a6", 1)]


def test_results_of_an_answer_that_never_ends_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_thread, "HELD", 3)
    lines = [
        agent("a1", None, "m1", call("t1")),
        *(user(f"r{n}", "a1", [result("t1", str(n))]) for n in range(9)),
    ]

    given = claude_code.read(Source.from_bytes(written([*lines, user("u1", "r8", "stop")])))
    seen = [event.id for event in given if isinstance(event, Message)]
    assert seen == ["a1", *(f"r{n}" for n in range(9)), "u1"]


# --------------------------------------------------------------------------- repeated lines


def test_a_line_written_twice_counts_once() -> None:
    assert read(*[one for one in ANSWER for _ in range(2)]) == read(*ANSWER)


def test_a_prefix_and_then_the_whole_is_the_whole() -> None:
    assert read(*ANSWER[:7], *ANSWER) == read(*ANSWER)


def test_a_line_repeated_with_another_envelope_counts_once() -> None:
    moved = [{**one, "cwd": "/elsewhere", "version": "2.2.0"} for one in ANSWER]

    assert read(*ANSWER, *moved) == read(*ANSWER)


def test_two_lines_with_one_uuid_are_two_messages() -> None:
    lines = [
        user("u1", None, "yes"),
        user("u1", None, "no!"),
        user("u1", None, "yes"),
        user("u1", None, "no!"),
    ]

    assert [(one.id, text(one)) for one in read(*lines)] == [("u1", "yes"), ("u1#2", "no!")]


def test_lines_are_known_again_only_for_a_while_but_give_the_same_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory stays flat; the store knows a message by its id."""
    monkeypatch.setattr(claude_thread, "REMEMBERED", 4)
    lines = [user(f"u{n}", None, f"prompt {n}") for n in range(9)]
    found = read(*lines, *lines)

    assert found[:9] == read(*lines)
    assert {one.id: text(one) for one in found} == {one.id: text(one) for one in found[:9]}


# --------------------------------------------------------------------------- parents


def test_a_parent_that_is_not_in_the_file_is_the_message_before() -> None:
    lines = [
        user("u1", "gone", "one"),
        agent("a1", "gone", "m1", words("two")),
        user("u2", "gone too", "three"),
    ]

    assert [one.parent for one in read(*lines)] == [None, "u1", "a1"]


def test_after_a_compaction_the_chain_goes_on() -> None:
    lines = [
        user("u1", None, "one"),
        line("system", "s1", None, subtype="compact_boundary", logicalParentUuid="u1"),
        user("u2", "s1", "This session is being continued ...", isCompactSummary=True),
    ]

    assert [(one.parent, one.marks) for one in read(*lines)] == [(None, ()), ("u1", ("compact_summary",))]


def test_a_branch_keeps_its_parent() -> None:
    lines = [
        user("u1", None, "one"),
        agent("a1", "u1", "m1", words("x")),
        user("u2", "u1", "again"),
        user("u3", "a1", "y"),
    ]

    assert [one.parent for one in read(*lines)] == [None, "u1", "u1", "a1"]


def test_parents_in_a_circle_end() -> None:
    lines = [
        line("system", "s1", "s2", subtype="x"),
        line("system", "s2", "s1", subtype="x"),
        line("system", "s3", "s3", subtype="x"),
        user("u1", "s1", "one"),
        user("u2", "s3", "two"),
        user("s1", "s2", "three"),
        user("u4", "s1", "four"),
    ]

    assert len(read(*lines)) == 4


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


# --------------------------------------------------------------------------- sessions


def test_facts_come_before_the_first_message_and_are_given_once() -> None:
    found = events(claude_code, written(ANSWER))

    assert [event.facts for event in found if isinstance(event, SessionFacts)] == [
        {
            "agent": "Claude Code",
            "cwd": "/w",
            "branch": "main",
            "version": "2.1.9",
            "started": "2026-03-01T08:00:00.000Z",
        },
        {"model": "claude-x"},
    ]


def test_a_forked_file_has_two_sessions() -> None:
    lines = [
        user("u1", None, "one"),
        user("u1", None, "one", sessionId="f0rk"),
        user("u2", "u1", "two", sessionId="f0rk"),
    ]

    assert [(one.session, one.id) for one in read(*lines)] == [
        (SESSION, "u1"),
        ("f0rk", "u1"),
        ("f0rk", "u2"),
    ]


def test_sessions_beyond_count_are_ended_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_sessions, "_OPEN_SESSIONS", 3)
    lines = [agent(f"a{n}", None, "m", words(f"{n}"), sessionId=f"s{n % 7}") for n in range(50)]

    found = read(*lines)
    assert sorted(int(word) for one in found for word in text(one).split()) == list(range(50))


SUBAGENT = [
    {
        "type": "user",
        "uuid": "x1",
        "timestamp": "2026-03-01T08:00:01Z",
        "message": {"role": "user", "content": "look"},
    },
    {
        "type": "assistant",
        "uuid": "x2",
        "timestamp": "2026-03-01T08:00:02Z",
        "message": {
            "id": "mx",
            "role": "assistant",
            "model": "claude-small",
            "content": [call("t9", "Grep")],
        },
    },
    {"type": "user", "uuid": "x3", "message": {"role": "user", "content": [result("t9")]}},
]


def test_messages_in_progress_lines_are_a_session_of_the_subagent() -> None:
    lines = [
        user("u1", None, "go"),
        agent("a1", "u1", "m1", call("t-task", "Task", prompt="look")),
        *(progress(f"p{n}", "a1", "ab12", inner) for n, inner in enumerate(SUBAGENT)),
        user("r1", "p2", [result("t-task")], toolUseResult={"agentId": "ab12"}),
    ]
    found = read(*lines)

    assert [(one.session, one.id, one.parent) for one in found if one.session != SESSION] == [
        ("agent-ab12", "x1", None),
        ("agent-ab12", "mx", None),
        ("agent-ab12", "x3", None),
    ]
    assert [(one.id, one.parent) for one in found if one.session == SESSION] == [
        ("u1", None),
        ("a1", "u1"),
        ("r1", "a1"),
    ]
    told = facts(claude_code, lines)["agent-ab12"]
    assert (told["parent"], told["parent_call"], told["model"]) == (SESSION, "t-task", "claude-small")
    assert told["cwd"] == "/w"


def test_a_subagent_found_both_ways_has_the_same_ids() -> None:
    """Its own file has the words between its calls, which the progress lines leave out."""
    inside = read(*(progress(f"p{n}", None, "ab12", inner) for n, inner in enumerate(SUBAGENT)))
    own = {"sessionId": SESSION, "isSidechain": True, "agentId": "ab12"}
    first, second, third = ({**inner, **own} for inner in SUBAGENT)
    said = agent("x1b", "x1", "mx", words("I look."), **own)
    outside = read(first, said, second, third)

    assert [(one.session, one.id, one.role) for one in inside] == [
        (one.session, one.id, one.role) for one in outside
    ]
    assert len(outside[1].parts) == 2


def test_a_subagents_own_file_names_its_parent() -> None:
    own = {"isSidechain": True, "agentId": "ab12"}

    assert facts(claude_code, [user("x1", None, "look", **own)])["agent-ab12"]["parent"] == SESSION
    assert (
        "parent" not in facts(claude_code, [user("x1", None, "look", sessionId="agent-ab12")])["agent-ab12"]
    )


def test_a_result_tells_which_call_began_a_subagent() -> None:
    lines = [user("r1", None, [result("t-task")], toolUseResult={"agentId": "ab12", "content": []})]

    assert facts(claude_code, lines)["agent-ab12"] == {
        "agent": "Claude Code",
        "parent": SESSION,
        "parent_call": "t-task",
    }


def test_a_sidechain_without_a_name_stays_and_is_marked() -> None:
    lines = [
        agent("a1", None, "m1", call("t1", "Task")),
        user("x1", None, "look", isSidechain=True),
        agent("x2", "x1", "mx", words("hm"), isSidechain=True),
        agent("a2", "a1", "m1", call("t2")),
        agent("x3", "x2", "mx", words("ha"), isSidechain=True),
        user("r1", "a2", [result("t1")]),
    ]

    assert [(one.id, one.marks, len(one.parts)) for one in read(*lines)] == [
        ("a1", (), 2),
        ("x1", ("sidechain",), 1),
        ("x2", ("sidechain",), 2),
        ("r1", (), 1),
    ]


def test_lines_that_are_printed_name_their_session_otherwise() -> None:
    """`--output-format stream-json` writes session_id."""
    printed = {"type": "assistant", "session_id": "pr1", "message": {"id": "m", "content": [words("hi")]}}

    assert [one.session for one in read(printed)] == ["pr1"]


# --------------------------------------------------------------------------- what the user typed


def queue(operation: str, second: int, content: Any = None) -> dict[str, Any]:
    when = f"2026-03-01T08:00:{second:02}.000Z"
    extra = {} if content is None else {"content": content}
    return {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": when,
        "sessionId": SESSION,
        **extra,
    }


def test_a_prompt_handed_over_in_the_middle_of_a_turn_is_a_message() -> None:
    """It stands in no other line, and the agent acts on it."""
    lines = [
        agent("a1", None, "m1", words("building")),
        queue("enqueue", 5, "any new tests?"),
        queue("remove", 6),
        agent("a2", "a1", "m1", call("t1")),
        user("r1", "a2", [result("t1")]),
    ]
    found = read(*lines)

    assert shapes(found) == [
        ("a1", "assistant", ["Text", "Call"]),
        ("queued-2026-03-01T08:00:05.000Z", "user", ["Text"]),
        ("r1", "tool", ["Result"]),
    ]
    assert [one.parent for one in found] == [None, "a1", found[1].id]


def test_a_prompt_that_was_dequeued_or_taken_back_comes_as_a_line_of_its_own_or_not_at_all() -> None:
    lines = [
        queue("enqueue", 1, "one"),
        queue("dequeue", 2),
        user("u1", None, "one"),
        queue("enqueue", 3, "two"),
        queue("popAll", 4),
        queue("remove", 5),
    ]

    assert [text(one) for one in read(*lines)] == ["one"]


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_a_prompt_that_is_removed_and_attached_counts_once(order: slice) -> None:
    attached = line(
        "attachment", "at1", None, attachment={"type": "queued_command", "prompt": "and the docs"}
    )
    lines = [queue("remove", 2), attached][order]

    assert [text(one) for one in read(queue("enqueue", 1, "and the docs"), *lines)] == ["and the docs"]


def test_a_notification_in_the_queue_is_marked() -> None:
    told = "<task-notification><status>completed</status></task-notification>"
    attached = {"type": "queued_command", "prompt": "x", "commandMode": "task-notification"}
    lines = [
        queue("enqueue", 1, told),
        queue("remove", 2),
        line("attachment", "at1", None, attachment=attached),
    ]

    assert [one.marks for one in read(*lines)] == [("notification",), ("notification",)]


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


# --------------------------------------------------------------------------- laws


LINES = [
    {"type": "summary", "summary": "A title", "leafUuid": "u2"},
    *ANSWER,
    queue("enqueue", 1, "and the docs"),
    queue("remove", 2),
    *(progress(f"q{n}", "c1", "ab12", inner) for n, inner in enumerate(SUBAGENT)),
    user("r9", "q2", [result("t-task")], toolUseResult={"agentId": "ab12"}),
    user("x9", None, "aside", isSidechain=True),
    agent("x10", "x9", "m9", words("hm"), isSidechain=True),
    line("system", "s9", None, subtype="compact_boundary", logicalParentUuid="r9"),
    user("u9", "s9", "This session is being continued ...", isCompactSummary=True),
    user("u1", None, "another line of the same uuid"),
    line("tool_use", "t8", "u9", name="bash", input={}),
    line("tool_result", "r8", "t8", output="x"),
    agent("d1", "r8", "m8", words("bye"), call("t7")),
    agent("d2", "d1", "m8", words("really")),
]


def check_cuts(data: bytes, *, step: int = 1) -> None:
    """Check that each session of a file cut after any line is the beginning of that of the whole file.

    A message may grow at its end and take on the usage of its last piece; nothing else changes.
    """
    lines = data.split(b"\n")
    whole = by_session(data)
    for cut in range(0, len(lines), step):
        for session, beginning in by_session(b"\n".join(lines[:cut]) + b"\n").items():
            for early, late in zip(beginning, whole[session], strict=False):
                assert late.parts[: len(early.parts)] == early.parts
                assert replace(early, parts=(), usage=None) == replace(late, parts=(), usage=None)
            assert len(beginning) <= len(whole[session])


def by_session(data: bytes) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = {}
    for event in events(claude_code, data):
        if isinstance(event, Message):
            found.setdefault(event.session, []).append(event)
    return found


def test_a_file_cut_after_any_line_is_a_beginning() -> None:
    check_cuts(written(LINES))


@settings(max_examples=40)
@given(spoiled(LINES))
def test_spoiled_lines_are_read_and_any_cut_is_a_beginning(lines: list[Any]) -> None:
    data = written(lines)

    events(claude_code, data)
    ids = [(one.session, one.id) for one in messages(claude_code, lines) if one.id is not None]
    assert len(ids) == len(set(ids))
    check_cuts(data, step=5)


@settings(max_examples=25)
@given(st.permutations([one for one in LINES if one["type"] != "queue-operation"]))
def test_lines_in_any_order_lose_no_part(lines: list[Any]) -> None:
    def said(order: list[Any]) -> list[str]:
        return sorted(repr(part) for one in messages(claude_code, order) for part in one.parts)

    assert said(lines) == said([one for one in LINES if one["type"] != "queue-operation"])


REAL = [path for path in files("claude_code", "derived_edge_cases") if path.suffix == ".jsonl"]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.relative_to(SESSIONS).as_posix())
def test_real_sessions_cut_after_any_line_are_beginnings(path: Any) -> None:
    data = path.read_bytes()
    if data.startswith(b"\xff\xfe"):
        data = data.decode("utf-16").encode()
    check_cuts(data, step=1 + data.count(b"\n") * len(data) // 1_000_000)


@settings(max_examples=25)
@given(st.data())
def test_spoiled_real_lines_are_read(data: st.DataObject) -> None:
    small = [path for path in REAL if path.stat().st_size < 50_000]
    if not small:
        return
    path = data.draw(st.sampled_from(small))
    lines = [
        json.loads(raw)
        for raw in path.read_bytes().decode("utf-8", "ignore").split("\n")
        if raw[:1] == "{" and "}{" not in raw and raw[-1:] == "}"
    ]
    events(claude_code, written(data.draw(spoiled(lines))))
