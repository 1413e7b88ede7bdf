"""Factory Droid: its stored sessions, and the stream it prints; made for tests."""

from typing import Any


def stored(name: str, role: str, *blocks: Any, parent: str | None = None) -> dict[str, Any]:
    body = {"role": role, "content": list(blocks)}
    made = {"type": "message", "id": name, "timestamp": "2025-12-26T00:10:00.000Z", "message": body}
    return {**made, "parentId": parent} if parent else made


def streamed(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "session_id": "x1", "timestamp": 1767812640310, **more}


STORED = [
    {
        "type": "session_start",
        "id": "d1",
        "title": "t",
        "sessionTitle": "Ports",
        "cwd": "/w",
        "version": "0.81",
    },
    stored("m1", "user", {"type": "text", "text": "look"}, parent="d1"),
    stored(
        "m2",
        "assistant",
        {"type": "tool_use", "id": "t1", "name": "Execute", "input": {"command": "ls"}},
        parent="m1",
    ),
    stored("m3", "user", {"type": "tool_result", "tool_use_id": "t1", "content": "a"}, parent="m2"),
    {"type": "todo_state", "todos": []},
    stored("m1", "assistant", {"type": "text", "text": "seen"}, parent="m3"),
    stored("m4", "user", {"type": "text", "text": "<system-reminder>\nx\n</system-reminder>"}),
]


STREAM = [
    streamed("system", subtype="init", model="m", cwd="/w", id="s"),
    streamed("message", role="user", text="go", id="1"),
    streamed("tool_call", id="call_1", toolId="Execute", toolName="Execute", parameters={"command": "ls"}),
    streamed(
        "tool_result", id="call_1", toolId="Execute", value={"stdout": "a\n", "stderr": "w", "exitCode": 1}
    ),
    streamed("tool_result", toolCallId="c2", isError=True, value="no such file"),
    streamed("message", role="assistant", text="Done.", id="2"),
    streamed("completion", finalText="Done.", usage={"input_tokens": 3}, id="end"),
    streamed("error", message="stopped"),
]
