"""Every reader takes any JSON: fields of another type, or gone, end in no exception, of detection or of reading."""

# ruff: noqa: E501 - a sample stays on one line

import copy
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from memctl.readers import FORMATS, Source, Unreadable, detect, nearest, read, sidecar

AT = "2026-03-01T08:00:00Z"
CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "list the files"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
]
USE = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}
RESULT = {
    "type": "tool_result",
    "tool_use_id": "c1",
    "content": [{"type": "text", "text": "a.py"}],
    "is_error": False,
}
ITEMS = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "list the files"}]},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "look"}]},
    {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": '{"command":["ls"]}'},
    {
        "type": "function_call_output",
        "call_id": "c1",
        "output": '{"output":"a.py","metadata":{"exit_code":0}}',
    },
]

# A list is written as lines, a tuple as one document that is a list, an object as a document.
SAMPLES: dict[str, Any] = {
    "codex": [
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s", "cwd": "/w", "cli_version": "1"}},
        *({"timestamp": AT, "type": "response_item", "payload": item} for item in ITEMS),
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": {"input_tokens": 5}}}},
    ],
    "pi": [
        {"type": "session", "version": 3, "id": "s", "timestamp": AT, "cwd": "/w"},
        {"type": "message", "id": "1", "parentId": None, "timestamp": AT, "message": {"role": "user", "content": [{"type": "text", "text": "x"}]}},
        {"type": "message", "id": "2", "parentId": "1", "message": {"role": "assistant", "provider": "p", "model": "m", "content": [{"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}], "usage": {"input": 3}}},
        {"type": "message", "id": "3", "parentId": "2", "message": {"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "content": [{"type": "text", "text": "a"}], "isError": False}},
    ],
    "gemini": {
        "sessionId": "s", "projectHash": "ab", "startTime": AT,
        "messages": [
            {"id": "1", "type": "user", "timestamp": AT, "content": [{"text": "x"}]},
            {"id": "2", "type": "gemini", "timestamp": AT, "content": "ok", "model": "m", "tokens": {"input": 2}, "thoughts": [{"subject": "a", "description": "b"}],
             "toolCalls": [{"id": "c1", "name": "ls", "args": {"path": "."}, "status": "success", "result": [{"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a"}}}]}]},
        ],
    },
    "qwen": [
        {"uuid": "u", "parentUuid": None, "sessionId": "s", "timestamp": AT, "type": "user", "message": {"role": "user", "parts": [{"text": "x"}]}},
        {"uuid": "v", "parentUuid": "u", "sessionId": "s", "type": "assistant", "model": "m", "usageMetadata": {"totalTokenCount": 3}, "message": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "ls", "args": {}}}]}},
        {"uuid": "w", "parentUuid": "v", "sessionId": "s", "type": "tool_result", "toolCallResult": {"callId": "c1", "status": "success"}, "message": {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a"}}}]}},
        {"uuid": "x", "parentUuid": "w", "sessionId": "s", "type": "system", "subtype": "slash_command", "systemPayload": {"phase": "invocation", "rawCommand": "/x"}},
    ],
    "claude-code": [
        {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "timestamp": AT, "cwd": "/w", "version": "2", "isSidechain": False, "message": {"role": "user", "content": "x"}},
        {"type": "assistant", "uuid": "a", "parentUuid": "u", "sessionId": "s", "timestamp": AT, "requestId": "r", "message": {"id": "m", "role": "assistant", "model": "c", "content": [USE], "usage": {"input_tokens": 9}}},
        {"type": "user", "uuid": "v", "parentUuid": "a", "sessionId": "s", "timestamp": AT, "message": {"role": "user", "content": [RESULT]}, "toolUseResult": {"stdout": "a", "stderr": ""}},
        {"type": "summary", "summary": "t", "leafUuid": "v"},
    ],
    "cursor": [
        {"role": "user", "message": {"content": [{"type": "text", "text": "x"}]}},
        {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "Shell", "input": {"command": "ls"}}]}},
    ],
    "copilot": [
        {"type": "session.start", "id": "1", "parentId": None, "timestamp": AT, "data": {"sessionId": "s", "context": {"cwd": "/w"}}},
        {"type": "user.message", "id": "2", "parentId": "1", "timestamp": AT, "data": {"content": "x"}},
        {"type": "assistant.message", "id": "3", "parentId": "2", "data": {"content": "", "toolRequests": [{"toolCallId": "c1", "name": "bash", "arguments": {"command": "ls"}}]}},
        {"type": "tool.execution_complete", "id": "4", "parentId": "3", "data": {"toolCallId": "c1", "success": True, "result": {"content": "a"}}},
    ],
    "droid": [
        {"type": "session_start", "id": "s", "title": "t", "cwd": "/w"},
        {"type": "message", "id": "1", "timestamp": AT, "parentId": None, "message": {"role": "user", "content": [{"type": "text", "text": "x"}]}},
        {"type": "message", "id": "2", "parentId": "1", "message": {"role": "assistant", "content": [USE]}},
        {"type": "message", "id": "3", "parentId": "2", "message": {"role": "user", "content": [RESULT]}},
    ],
    "kimi": [
        {"type": "metadata", "protocol_version": "1", "created_at": 1780000000000},
        {"type": "context.append_message", "time": 1780000000000, "message": {"role": "user", "content": [{"type": "text", "text": "x"}], "origin": {"kind": "user"}}},
        {"type": "context.append_loop_event", "event": {"type": "step.begin", "uuid": "st"}},
        {"type": "context.append_loop_event", "event": {"type": "content.part", "stepUuid": "st", "part": {"type": "think", "think": "hm"}}},
        {"type": "context.append_loop_event", "event": {"type": "tool.call", "stepUuid": "st", "toolCallId": "c1", "name": "bash", "args": {"command": "ls"}}},
        {"type": "context.append_loop_event", "event": {"type": "tool.result", "toolCallId": "c1", "result": {"output": "a", "isError": False, "note": "n"}}},
        {"type": "context.append_loop_event", "event": {"type": "step.end", "uuid": "st", "usage": {"input": 2}}},
    ],
    "grok": [
        {"type": "user", "content": [{"type": "text", "text": "x"}], "prompt_index": 0},
        {"type": "assistant", "content": "ok", "model_id": "m", "tool_calls": [{"id": "c1", "name": "bash", "arguments": "{}"}]},
        {"type": "tool_result", "tool_call_id": "c1", "content": "a"},
    ],
    "tdai": [{"sessionKey": "k", "sessionId": "s", "recordedAt": AT, "id": "1", "role": "user", "content": "x", "timestamp": 1780000000000}] * 2,
    "antigravity": [
        {"step_index": 0, "type": "USER_INPUT", "source": "USER_EXPLICIT", "status": "DONE", "created_at": AT, "content": "x"},
        {"step_index": 1, "type": "PLANNER_RESPONSE", "source": "MODEL", "status": "DONE", "content": "ok", "tool_calls": [{"name": "ls", "args": {"path": "."}}]},
        {"step_index": 2, "type": "LIST_DIRECTORY", "source": "MODEL", "status": "DONE", "content": "a"},
    ],
    "atif": {
        "schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "a", "version": "1", "model_name": "m"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "x", "timestamp": AT},
            {"step_id": 2, "source": "agent", "message": "ok", "tool_calls": [{"tool_call_id": "c1", "function_name": "ls", "arguments": {}}], "observation": {"results": [{"source_call_id": "c1", "content": "a"}]}, "metrics": {"prompt_tokens": 2}},
        ],
    },
    "mini-swe-agent": {
        "trajectory_format": "mini-swe-agent-1.1", "instance_id": "i", "info": {"exit_status": "Submitted"},
        "messages": [CHAT[0], {**CHAT[1], "extra": {"timestamp": 1780000000.5}}, {**CHAT[2], "content": "<returncode>0</returncode>"}, {"role": "exit", "content": ""}],
    },
    "swe-agent": {
        "trajectory": [{"thought": "look", "action": "ls", "observation": "a", "response": "look", "state": "{}"}],
        "history": [{"role": "system", "content": "S", "agent": "main"}, {"role": "user", "content": "x", "agent": "main"}, {"role": "assistant", "content": "look", "thought": "look", "action": "ls", "agent": "main"}],
        "info": {"exit_status": "submitted", "model_stats": {"tokens_sent": 3}},
    },
    "openhands": (
        {"kind": "MessageEvent", "id": "1", "timestamp": AT, "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "x"}]}},
        {"kind": "ActionEvent", "id": "2", "source": "agent", "tool_name": "terminal", "tool_call_id": "c1", "tool_call": {"id": "c1", "name": "terminal", "arguments": "{}"}, "thought": [{"type": "text", "text": "hm"}]},
        {"kind": "ObservationEvent", "id": "3", "source": "environment", "tool_call_id": "c1", "action_id": "2", "observation": {"content": [{"type": "text", "text": "a"}], "is_error": False}},
        {"id": 4, "source": "agent", "action": "run", "args": {"command": "ls"}, "timestamp": AT},
        {"id": 5, "source": "agent", "observation": "run", "cause": 4, "content": "a", "extras": {"metadata": {"exit_code": 0}}},
    ),
    "tau-bench": ({"task_id": 1, "trial": 0, "reward": 1.0, "info": {"task": {"user_id": "u"}}, "traj": CHAT},),
    "cline": (
        {"role": "user", "content": [{"type": "text", "text": "<task>x</task>"}], "ts": 1780000000000},
        {"role": "assistant", "content": [{"type": "text", "text": "<execute_command><command>ls</command></execute_command>"}], "modelInfo": {"modelId": "m"}, "metrics": {"tokens": {"prompt": 2}}},
        {"role": "user", "content": [{"type": "text", "text": "[execute_command for 'ls'] Result:"}, {"type": "text", "text": "a"}]},
    ),
    "opencode": {
        "info": {"id": "s", "title": "t", "directory": "/w", "time": {"created": 1780000000000}},
        "messages": [
            {"info": {"id": "1", "role": "user", "sessionID": "s", "time": {"created": 1780000000000}}, "parts": [{"type": "text", "text": "x"}]},
            {"info": {"id": "2", "role": "assistant", "modelID": "m", "tokens": {"input": 3}}, "parts": [{"type": "tool", "callID": "c1", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "a"}}]},
        ],
    },
    "chatgpt": (
        {
            "id": "s", "title": "t", "create_time": 1780000000.5, "current_node": "2",
            "mapping": {
                "1": {"id": "1", "parent": None, "children": ["2"], "message": {"id": "1", "author": {"role": "user"}, "create_time": 1780000000.5, "content": {"content_type": "text", "parts": ["x"]}}},
                "2": {"id": "2", "parent": "1", "children": [], "message": {"id": "2", "author": {"role": "assistant"}, "recipient": "all", "content": {"content_type": "text", "parts": ["y"]}, "metadata": {"model_slug": "m"}}},
            },
        },
    ),
    "claude-ai": ({"uuid": "s", "name": "t", "created_at": AT, "chat_messages": [{"uuid": "1", "sender": "human", "text": "x", "created_at": AT, "content": [{"type": "text", "text": "x"}]}, {"uuid": "2", "sender": "assistant", "parent_message_uuid": "1", "content": [USE, RESULT]}]},),
    "sharegpt": ({"id": "1", "system": "S", "conversations": [{"from": "human", "value": "x"}, {"from": "function_call", "value": '{"name":"f","arguments":{}}'}, {"from": "observation", "value": "a"}, {"from": "gpt", "value": "y"}]},),
    "locomo": ({"sample_id": "s", "conversation": {"speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "x", "blip_caption": "c"}]}},),
    "longmemeval": ({"question_id": "q", "haystack_session_ids": ["h"], "haystack_dates": ["2023/05/20 (Sat) 02:21"], "haystack_sessions": [[{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]]},),
    "langsmith": (
        {"id": "r", "run_type": "llm", "trace_id": "t", "dotted_order": "1", "start_time": AT, "inputs": {"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"type": "human", "content": "x"}}]]},
         "outputs": {"generations": [[{"message": {"lc": 1, "type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"type": "ai", "content": "y", "tool_calls": [{"id": "c1", "name": "f", "args": {}}]}}}]]}},
    ),
    "openai-responses": tuple(ITEMS),
    "anthropic": ({"role": "user", "content": "x"}, {"role": "assistant", "content": [USE]}, {"role": "user", "content": [RESULT]}),
    "openai": tuple(CHAT),
}  # fmt: skip
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    0.5,
    "",
    "x",
    "9" * 5000,
    [],
    ["x"],
    [["x"]],
    {},
    {"x": {}},
)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_known_for_what_it_is(name: str) -> None:
    found = detect(_source(SAMPLES[name]))

    assert found is not None
    assert found.name == name


def test_every_format_of_json_has_a_sample() -> None:
    texts = {"specstory", "aider", "notes", "plain-chat"}

    assert SAMPLES.keys() == {known.name for known in FORMATS} - texts


@pytest.mark.parametrize("name", SAMPLES)
def test_any_field_may_be_of_any_type_or_gone(name: str) -> None:
    chance = random.Random(f"types of {name}")  # noqa: S311 - a seed for cases, no secret
    for path in list(_paths(SAMPLES[name])):
        for strange in (*chance.sample(STRANGE, 3), ["x"], ...):
            _try(_changed(SAMPLES[name], path, strange), name)


@pytest.mark.parametrize("name", SAMPLES)
def test_several_fields_may_be_of_any_type_or_gone(name: str) -> None:
    chance = random.Random(f"several of {name}")  # noqa: S311 - a seed for cases, no secret
    for _ in range(60):
        value = SAMPLES[name]
        for _ in range(chance.choice((2, 3, 6))):
            value = _changed(
                value, chance.choice(list(_paths(value)) or [()]), chance.choice((*STRANGE, ...))
            )
        _try(value, name)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_reader_takes_what_is_of_another_format(name: str) -> None:
    for other in FORMATS:
        _read(_source(SAMPLES[name]), other.name)


def _try(value: Any, name: str) -> None:
    source = _source(value)
    found = detect(source)
    nearest(source)
    sidecar(source)
    _read(source, name)
    if found is not None and found.name != name:
        _read(source, found.name)


def _read(source: Source, name: str) -> None:
    with suppress(Unreadable):
        for _ in read(source, name):
            pass


def _source(value: Any) -> Source:
    if isinstance(value, list):
        return Source.from_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in value))
    return Source.from_bytes(json.dumps(value).encode())


def _paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the ways to all values inside *value*."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list | tuple)
        else ()
    )
    for key, child in inner:
        yield (*above, key)
        yield from _paths(child, (*above, key))


def _changed(value: Any, path: tuple[Any, ...], strange: Any) -> Any:
    """Copy *value* with another value at *path*; `...` takes it away."""
    if not path:
        return value
    outer = list(value) if isinstance(value, tuple) else copy.deepcopy(value)
    if isinstance(value, tuple):
        outer = copy.deepcopy(outer)
    place = outer
    for key in path[:-1]:
        place = place[key]
    if strange is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = strange
    return tuple(outer) if isinstance(value, tuple) else outer
