"""Events of OpenHands: the SDK's, and those before it; made for tests."""

from typing import Any

T = "2026-02-01T09:00:00.1"


def event(kind: str, name: str, source: str = "agent", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "id": name, "timestamp": T, "source": source, **more}


def words(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


def asks(name: str, call: str, answer: str = "r1", **more: Any) -> dict[str, Any]:
    asked = {"id": call, "name": "terminal", "arguments": '{"command":"ls"}'}
    return event(
        "ActionEvent",
        name,
        tool_name="terminal",
        tool_call_id=call,
        tool_call=asked,
        llm_response_id=answer,
        **more,
    )


def seen(name: str, call: str, action: str, value: str, **more: Any) -> dict[str, Any]:
    observation = {"content": words(value), "is_error": False, **more}
    return event(
        "ObservationEvent",
        name,
        "environment",
        tool_name="terminal",
        tool_call_id=call,
        action_id=action,
        observation=observation,
    )


NEW = [
    event("SystemPromptEvent", "e0", system_prompt={"type": "text", "text": "S"}, tools=[]),
    event("MessageEvent", "e1", "user", llm_message={"role": "user", "content": words("hi")}),
    asks("e2", "terminal:0", thought=words("I look."), reasoning_content="hm"),
    asks("e3", "terminal:1", summary="list"),
    seen("e4", "terminal:0", "e2", "a"),
    seen("e5", "terminal:1", "e3", "b", is_error=True),
    asks("e6", "terminal:0", "r2"),
    seen("e7", "terminal:0", "e6", "c"),
    event("CondensationRequest", "e8", "environment"),
    event("Condensation", "e9", "environment", summary="so far", forgotten_event_ids=["e1"]),
    event("ConversationErrorEvent", "e10", "environment", code="X", detail="boom"),
    event("MessageEvent", "e11", llm_message={"role": "assistant", "content": words("done")}),
]


def response(*calls: str) -> dict[str, Any]:
    asked = [
        {"id": call, "function": {"name": "execute_bash", "arguments": '{"command": "ls"}'}} for call in calls
    ]
    return {
        "id": "resp",
        "model": "m",
        "usage": {"total_tokens": 9},
        "choices": [{"message": {"tool_calls": asked}}],
    }


def asked(number: int, call: str, **arguments: Any) -> dict[str, Any]:
    about = {
        "function_name": "execute_bash",
        "tool_call_id": call,
        "model_response": response("k1", "k2"),
        "total_calls_in_response": 2,
    }
    return {
        "id": number,
        "timestamp": T,
        "source": "agent",
        "action": "run",
        "args": {"command": "ls", **arguments},
        "tool_call_metadata": about,
    }


OLD = [
    {"id": 0, "timestamp": T, "source": "agent", "action": "system", "args": {"content": "S"}},
    {
        "id": 1,
        "timestamp": T,
        "source": "user",
        "action": "message",
        "args": {"content": "hi", "image_urls": ["data:image/png;base64,QUJD"]},
    },
    {"id": 2, "timestamp": T, "source": "user", "action": "recall", "args": {}},
    {"id": 3, "timestamp": T, "source": "environment", "observation": "recall", "content": "knowledge"},
    asked(4, "k1", thought="I look."),
    asked(5, "k2"),
    {
        "id": 7,
        "source": "agent",
        "observation": "run",
        "content": "a",
        "extras": {"metadata": {"exit_code": 1}},
        "cause": 4,
        "tool_call_metadata": {"function_name": "execute_bash", "tool_call_id": "k1"},
    },
    {"id": 8, "source": "agent", "observation": "error", "content": "no", "cause": 5},
    {"id": 9, "source": "agent", "action": "read", "args": {"path": "a.py", "thought": ""}},
    {"id": 10, "source": "agent", "observation": "read", "content": "x = 1", "cause": 9},
    {"id": 11, "source": "environment", "observation": "agent_state_changed", "content": ""},
    {"id": 12, "source": "environment", "observation": "error", "content": "out of budget"},
    {"id": 13, "source": "agent", "action": "finish", "args": {"final_thought": "done", "outputs": {}}},
]
