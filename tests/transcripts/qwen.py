"""Chats of Qwen Code: a tree of records that hold contents; made for tests."""

from typing import Any


def record(name: str, kind: str, found: list[Any], parent: str | None = None, **more: Any) -> dict[str, Any]:
    made = {
        "uuid": name,
        "parentUuid": parent,
        "sessionId": "q1",
        "timestamp": "2026-08-17T12:00:00.000Z",
        "type": kind,
    }
    role = "model" if kind == "assistant" else "user"
    return {**made, "cwd": "/w", "version": "0.21", "message": {"role": role, "parts": found}, **more}


def system(name: str, subtype: str, parent: str | None = None, **payload: Any) -> dict[str, Any]:
    return {**record(name, "system", [], parent), "subtype": subtype, "systemPayload": payload}


CALL = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a"}}}


RESPONSE = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "x = 1"}}}


CHAT = [
    record("1", "user", [{"text": "read a"}], gitBranch="main"),
    record(
        "2",
        "assistant",
        [{"text": "hm", "thought": True}, CALL],
        "1",
        model="q",
        usageMetadata={"totalTokenCount": 4},
    ),
    record("3", "tool_result", [RESPONSE], "2", toolCallResult={"callId": "c1", "status": "success"}),
    system("4", "ui_telemetry", "3"),
    record("5", "assistant", [{"text": "It is 1."}], "4", model="q"),
    system("6", "slash_command", "5", phase="invocation", rawCommand="/stats"),
    system("7", "slash_command", "6", phase="result", rawCommand="/stats"),
    system(
        "8",
        "chat_compression",
        "7",
        compressedHistory=[{"role": "user", "parts": [{"text": "<state_snapshot>"}]}],
    ),
    system("9", "custom_title", "8", customTitle="Reading a"),
    record("a", "user", [{"text": "another way"}], "1"),
]
