"""LangSmith's runs and LangChain's messages."""

import json
from typing import Any

import pytest
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, text, written
from transcripts.langsmith import ADD, ANSWER, ASKS, FIRST, HUMAN, ROOT, TOOL, constructor, run

from memctl.model import Call, Message, Result, Skipped, Text
from memctl.readers import detect, langsmith
from memctl.readers.source import Source, open_source


@pytest.mark.parametrize(
    "value",
    [
        {"type": "human", "content": "sum it", "id": "h1"},
        {"type": "human", "data": {"content": "sum it", "id": "h1"}},
        constructor("HumanMessage", content="sum it", id="h1"),
        constructor("HumanMessageChunk", content=[{"type": "text", "text": "sum it"}], id="h1"),
    ],
)
def test_a_message_is_read_however_it_is_wrapped(value: dict[str, Any]) -> None:
    found = messages(langsmith, [value])
    assert [(one.id, one.role, text(one)) for one in found] == [("h1", "user", "sum it")]
    assert langsmith.detect(Source.from_bytes(json.dumps([value]).encode()))


def test_a_list_of_messages_reads_in_order_and_a_call_once() -> None:
    found = [
        one
        for one in events(langsmith, json.dumps([HUMAN, ASKS, TOOL, ANSWER]).encode())
        if isinstance(one, Message)
    ]
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant"]
    assert found[1].parts == (Text("So."), Call("c1", "add", {"a": 1}))
    assert found[1].usage == {"input_tokens": 3, "output_tokens": 2}
    assert found[1].model == "m"
    assert found[2].parts == (Result("c1", (Text("2"),), False, "add"),)


def test_openai_calls_in_additional_fields_are_calls() -> None:
    extra = {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
    found = messages(langsmith, [constructor("AIMessage", content="", additional_kwargs=extra)])
    assert parts(found, Call) == [Call("c", "f", "{}")]


@pytest.mark.parametrize("order", [[ROOT, FIRST, ADD], [ADD, FIRST, ROOT]])
def test_runs_of_a_document_give_each_message_once_in_order_of_time(order: list[Any]) -> None:
    data = json.dumps(order).encode()
    assert langsmith.detect(Source.from_bytes(data))
    found = [one for one in events(langsmith, data) if isinstance(one, Message)]
    assert [(one.id, one.role) for one in found] == [
        ("h1", "user"),
        (None, "system"),
        ("run-1", "assistant"),
        ("t1", "tool"),
        ("run-2", "assistant"),
    ]
    assert {one.session for one in found} == {"th-1"}
    assert found[0].timestamp == "2026-02-16 01:35:01.5"
    assert found[4].timestamp == "2026-02-16 01:35:09.5"


def test_child_runs_inside_a_run_and_runs_of_an_export_are_read() -> None:
    nested = json.dumps({**ROOT, "child_runs": [FIRST, ADD]}).encode()
    export = json.dumps({"runs": [ROOT, FIRST, ADD]}).encode()
    one, other = ([e for e in events(langsmith, data) if isinstance(e, Message)] for data in (nested, export))
    assert one == other
    assert len(one) == 5


def test_runs_that_are_lines_are_taken_as_they_come() -> None:
    found = messages(langsmith, [FIRST, ADD, ROOT])
    assert [one.role for one in found] == ["system", "user", "assistant", "tool", "assistant"]
    assert facts(langsmith, [FIRST, ADD, ROOT])["th-1"]["started"] == "2026-02-16 01:35:02.5"
    check_beginnings(langsmith, written([FIRST, ADD, ROOT]))


def test_a_trace_without_messages_is_read_by_its_words_and_tools() -> None:
    root = run("r", "chain", 1, 9, inputs={"question": "May I?"}, outputs={"answer": "Yes."})
    tool = run("t", "tool", 2, 3, "r", inputs={"version": "old"}, outputs=None, error="stale")
    found = [one for one in events(langsmith, json.dumps([root, tool]).encode()) if isinstance(one, Message)]
    assert [(one.role, text(one)) for one in found] == [
        ("user", "May I?"),
        ("assistant", ""),
        ("tool", ""),
        ("assistant", "Yes."),
    ]
    assert parts(found, Call) == [Call("t", "tool t", {"version": "old"})]
    assert parts(found, Result) == [Result("t", (Text("stale"),), True, "tool t")]
    assert {one.session for one in found} == {"tr"}


def test_the_same_words_said_again_are_another_message() -> None:
    again = [
        {"type": "human", "content": "ok"},
        {"type": "ai", "content": "."},
        {"type": "human", "content": "ok"},
    ]
    first = run("a", "chain", 1, 2, inputs={"messages": again[:1]}, outputs={"messages": again[:2]})
    second = {
        **run("b", "chain", 3, 4, inputs={"messages": again}, outputs={"messages": again}),
        "trace_id": "tr2",
        "extra": {"metadata": {"thread_id": "th"}},
    }
    first |= {"extra": {"metadata": {"thread_id": "th"}}}
    assert [text(one) for one in messages(langsmith, [first, second])] == ["ok", ".", "ok"]


def test_runs_that_only_measure_are_counted() -> None:
    lone = run("x", "chain", 1, 2, "r", inputs={}, outputs={})
    assert Skipped("chain.inputs", None) in events(langsmith, written([lone]))


@pytest.mark.shared(in_part=True)
def test_other_transcripts_are_not_taken_for_runs() -> None:
    for folder in ("openai_messages", "claude_code", "other_agents", "gemini_cli", "cursor", "sharegpt"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not langsmith.detect(open_source(path)), path.name
    found = detect(Source.from_bytes(written([ROOT])))
    assert found is not None
    assert found.name == "langsmith"
