"""Tasks of Cline and Roo: what was sent to the model, and what the window showed."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import events, facts, files, messages, parts, text, written
from transcripts.cline import NATIVE, SENT, WINDOW, says

from memctl.model import Call, Message, Result, Text, Thinking
from memctl.readers import cline
from memctl.readers.cline_tools import Asked, answer_parts, result_header
from memctl.readers.source import Source, open_source
from memctl.summarize import unwrap
from memctl.text import noise


def test_calls_in_the_text_and_their_results_are_found() -> None:
    found = messages(cline, [SENT])
    assert [one.role for one in found] == [
        *[
            "user",
            "assistant",
            "tool",
            "user",
            "assistant",
            "tool",
            "user",
            "assistant",
            "tool",
            "assistant",
            "user",
        ]
    ]
    assert found[1].parts == (
        Thinking("look first"),
        Text("I read it."),
        Call("xml-1-0", "read_file", {"path": "a.py"}),
    )
    assert (found[1].model, found[1].usage) == ("m", {"prompt": 5, "completion": 2})
    assert found[2].parts == (Result("xml-1-0", (Text("x=1"),), None, "read_file"),)
    assert found[3].marks == ("environment",)
    assert found[0].marks == ()
    assert parts(found, Call)[1].arguments == {
        "path": "a.py",
        "content": "say </content> and </write_to_file>",
    }
    assert parts(found, Result)[1:] == [
        Result("xml-3-0", (Text("Saved."),), None, "write_to_file"),
        Result("xml-5-0", (Text("a.py"),), None, "list_files"),
        Result(
            "xml-5-1",
            (Text("Tool [execute_command] was not executed because a tool has already been used."),),
            True,
            "execute_command",
        ),
    ]
    assert facts(cline, [SENT])["session"] == {
        "agent": "Cline",
        "cwd": "/w",
        "started": "2026-05-28T20:26:40.000Z",
    }


def test_native_calls_are_answered_by_text_or_by_blocks() -> None:
    found = messages(cline, [NATIVE])
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant", "tool", "user"]
    assert [(part.call_id, part.blocks) for part in parts(found, Result)] == [
        ("toolu_9", (Text("x=1"),)),
        ("toolu_10", (Text("y"),)),
    ]


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        ("no tool", [Text("no tool")]),
        ("a <read_file> that is never closed", [Text("a <read_file> that is never closed")]),
        ("<unknown_tool>x</unknown_tool>", [Text("<unknown_tool>x</unknown_tool>")]),
        (
            "before<list_files><path>a</path><recursive>true</recursive></list_files>after",
            [Text("before"), Asked("list_files", {"path": "a", "recursive": "true"}), Text("after")],
        ),
        ("", []),
    ],
)
def test_an_answer_is_parted_into_words_and_calls(answer: str, pieces: list[Any]) -> None:
    assert list(answer_parts(answer)) == pieces


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("[read_file for 'a'] Result:\nx", ("read_file", "x", None)),
        ("[read_file] Result:", ("read_file", "", None)),
        (
            "[execute_command for 'ls'] Result:\nThe tool execution failed: x",
            ("execute_command", "The tool execution failed: x", True),
        ),
        ("[TASK RESUMPTION] This task was interrupted", None),
        ("see [a] Result: b", None),
    ],
)
def test_a_result_is_known_by_its_header(given: str, expected: Any) -> None:
    assert result_header(given) == expected


def test_what_the_window_showed_is_read_when_that_is_all_there_is() -> None:
    found = messages(cline, [WINDOW])
    assert [one.role for one in found] == [
        "user",
        "assistant",
        "assistant",
        "assistant",
        "tool",
        "assistant",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert [text(one) for one in found if text(one)] == ["add a flag", "I look.", "Done.", "thanks"]
    assert found[1].usage == {"tokensIn": 5, "tokensOut": 2}
    assert [(call.name, call.arguments) for call in parts(found, Call)] == [
        ("listFilesTopLevel", {"path": "src"}),
        ("editedExistingFile", {"path": "a.py", "diff": "+x"}),
        ("execute_command", {"command": "pytest -q"}),
    ]
    assert [part.blocks for part in parts(found, Result)] == [
        (Text("a.py"),),
        (Text("1 passed"), Text("in 0.1s")),
    ]
    assert [part.call_id for part in parts(found, Result)] == ["shown-4", "shown-6"]
    assert found[7].id == "shown-6/results"  # it may grow


@pytest.mark.parametrize("tag", ["feedback", "user_message"])
def test_what_the_user_says_of_work_that_was_handed_in_is_theirs(tag: str) -> None:
    said = f"The user has provided feedback on the results.\n<{tag}>\nnow the docs\n</{tag}>"
    asks = says("assistant", "<attempt_completion>\n<result>\nAdded.\n</result>\n</attempt_completion>")
    sent = [*SENT[:1], asks, says("user", "[attempt_completion] Result:", said)]
    called = {"type": "tool_use", "id": "t", "name": "attempt_completion", "input": {"result": "Added."}}
    given = {"type": "tool_result", "tool_use_id": "t", "content": said}
    native = [*SENT[:1], {"role": "assistant", "content": [called]}, {"role": "user", "content": [given]}]
    for task in (sent, native):
        found = messages(cline, [task])
        assert [one.role for one in found] == ["user", "assistant", "tool", "user"]
        assert (text(found[3]), found[3].marks) == ("now the docs", ())
        assert parts(found, Result)[0].blocks == (Text(said),)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (
            "[TASK RESUMPTION] This task was interrupted.\n\nNew instructions:\n<user_message>\nuse typer\n</user_message>",
            "use typer",
        ),
        ("[TASK RESUMPTION] This task was interrupted. Reassess the context.", ""),
        (
            "[ERROR] You did not use a tool in your previous response! Please retry.\n\n# Reminder: Use XML.",
            "",
        ),
    ],
)
def test_what_the_program_says_beside_the_user_is_noise(words: str, left: str) -> None:
    [one] = messages(cline, [[says("user", words, "<environment_details>\nx\n</environment_details>")]])
    assert (
        noise.without_noise("\n\n".join(part.text for part in one.parts if isinstance(part, Text)), "user")
        == left
    )


def test_a_summary_is_known_and_a_denied_call_has_failed() -> None:
    called = {"type": "tool_use", "id": "t", "name": "execute_command", "input": {"command": "python a.py"}}
    denied = '{"status":"denied","message":"The user denied this operation.","feedback":"use python3"}'
    task = [
        *SENT[:1],
        {"role": "assistant", "content": [called]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": denied}]},
        says("user", "## Conversation Summary", isSummary=True),
    ]
    found = messages(cline, [task])
    assert parts(found, Result)[0].is_error is True
    assert unwrap.read(denied, is_error=True).refused == "refused by the user: use python3"
    assert found[-1].marks == ("compact_summary",)


def test_the_first_text_that_a_window_shows_is_the_task() -> None:
    def shows(kind: str, words: str) -> dict[str, Any]:
        return {"ts": 1780000000000, "type": "say", "say": kind, "text": words}

    for first in ([shows("text", "add a flag")], [shows("task", "add a flag"), shows("text", "add a flag")]):
        found = messages(cline, [[*first, shows("text", "I look.")]])
        assert [(one.role, text(one)) for one in found] == [("user", "add a flag"), ("assistant", "I look.")]


@pytest.mark.parametrize("task", [SENT, NATIVE, WINDOW])
def test_a_longer_task_begins_as_the_shorter_one(task: list[Any]) -> None:
    assert cline.detect(Source.from_bytes(json.dumps(task).encode()))
    whole = messages(cline, [task])
    for cut in range(1, len(task)):
        beginning = messages(cline, [task[:cut]])
        assert beginning[:-1] == whole[: len(beginning) - 1]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_tasks() -> None:
    for path in files(
        "codex", "gemini_cli", "mini_swe_agent", "swe_agent", "openai_messages", "sharegpt", "chatgpt_export"
    ):
        assert not cline.detect(open_source(path)), path.name


@given(st.text(alphabet="<>/ab read_file\n", max_size=60))
@settings(deadline=None, max_examples=60)
def test_any_answer_is_parted_without_losing_its_words(answer: str) -> None:
    for piece in answer_parts(answer):
        assert not isinstance(piece, Text) or piece.text in answer


def test_many_tags_without_an_end_take_linear_time() -> None:
    body = "".join(f"<p{'_' * (number % 30)}>" for number in range(20_000))
    [asked] = answer_parts(f"<read_file>{body}</read_file>")
    assert asked == Asked("read_file", {})
    assert isinstance(events(cline, written([[says("user", body)]]))[-1], Message)
