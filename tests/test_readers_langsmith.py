"""LangSmith's runs and LangChain's messages."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, spoiled, text, written

from memctl.model import Call, Message, Result, Skipped, Text
from memctl.readers import detect, langsmith
from memctl.readers.source import Source, open_source

HUMAN = {"type": "human", "content": "sum it", "id": "h1"}
ASKS = {
    "type": "ai",
    "content": [
        {"type": "text", "text": "So."},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
    ],
    "id": "run-1",
    "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "c1"}],
    "usage_metadata": {"input_tokens": 3, "output_tokens": 2},
    "response_metadata": {"model_name": "m"},
}
TOOL = {"type": "tool", "content": "2", "name": "add", "tool_call_id": "c1", "id": "t1", "status": "success"}
ANSWER = {"type": "ai", "content": "Two.", "id": "run-2", "tool_calls": []}


def constructor(name: str, **fields: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}


def run(name: str, kind: str, start: int, end: int, parent: str | None = None, **more: Any) -> dict[str, Any]:
    order = f"T{name}" if parent is None else f"T{parent}.T{name}"
    made = {"id": name, "trace_id": "tr", "parent_run_id": parent, "dotted_order": order, "run_type": kind}
    made |= {"name": f"{kind} {name}", "start_time": f"2026-02-16 01:35:{start:02}.5"}
    return {**made, "end_time": f"2026-02-16 01:35:{end:02}.5", "session_id": "project", **more}


ROOT = run(
    "r",
    "chain",
    1,
    9,
    inputs={"messages": [HUMAN]},
    outputs={"messages": [HUMAN, ASKS, TOOL, ANSWER]},
    extra={"metadata": {"thread_id": "th-1", "ls_model_name": "m"}},
)
INNER = {"extra": {"metadata": {"thread_id": "th-1"}}}
FIRST = run(
    "l1",
    "llm",
    2,
    3,
    "r",
    inputs={
        "messages": [
            [constructor("SystemMessage", content="Be brief."), constructor("HumanMessage", content="sum it")]
        ]
    },
    outputs={
        "generations": [
            [
                {
                    "text": "",
                    "message": constructor("AIMessage", **{k: v for k, v in ASKS.items() if k != "type"}),
                }
            ]
        ]
    },
    **INNER,
)
ADD = run("t", "tool", 4, 5, "r", inputs={"a": 1}, outputs={"output": TOOL}, **INNER)


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


def test_other_transcripts_are_not_taken_for_runs() -> None:
    for folder in ("openai_messages", "claude_code", "other_agents", "gemini_cli", "cursor", "sharegpt"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not langsmith.detect(open_source(path)), path.name
    found = detect(Source.from_bytes(written([ROOT])))
    assert found is not None
    assert found.name == "langsmith"


@given(spoiled([ROOT, FIRST, ADD, HUMAN]))
@settings(max_examples=80)
def test_whatever_stands_in_the_runs_any_cut_is_a_beginning(lines: list[Any]) -> None:
    check_beginnings(langsmith, written(lines), grows=False)
    events(langsmith, json.dumps(lines).encode())


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    events(langsmith, data)
