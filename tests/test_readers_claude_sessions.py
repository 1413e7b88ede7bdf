"""Claude Code: sessions of one file, subagents, and what the user typed meanwhile."""

import pytest
from claude_lines import (
    ANSWER,
    SESSION,
    SUBAGENT,
    agent,
    call,
    line,
    progress,
    queue,
    read,
    result,
    shapes,
    user,
    words,
)
from reading import events, facts, text, written

from memctl.model import SessionFacts
from memctl.readers import claude_code, claude_sessions
from memctl.readers.source import Source

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


def test_a_print_of_partial_messages_is_known_by_its_first_lines() -> None:
    begins = {
        "type": "system",
        "subtype": "init",
        "session_id": "pr1",
        "uuid": "e0",
        "permissionMode": "default",
    }
    pieces = [
        {"type": "stream_event", "event": {"type": "x"}, "session_id": "pr1", "uuid": f"s{n}"}
        for n in range(50)
    ]
    for lines in ([begins], pieces, [begins, *pieces]):
        assert claude_code.detect(Source.from_bytes(written(lines)))
    droid = {"type": "system", "subtype": "init", "session_id": "d1", "cwd": "/w", "tools": []}
    assert not claude_code.detect(Source.from_bytes(written([droid])))


# --------------------------------------------------------------------------- what the user typed


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
