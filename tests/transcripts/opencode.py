"""Sessions of opencode: exports, and the storage with a file for each message and part; made for tests."""

from typing import Any

INFO = {
    "id": "ses_1",
    "projectID": "p",
    "directory": "/w",
    "title": "T",
    "version": "1.3",
    "parentID": "ses_0",
    "time": {"created": 1730000000000},
}


def info(name: str, role: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "sessionID": "ses_1", "role": role, "time": {"created": 1730000001000}, **more}


def part(kind: str, **more: Any) -> dict[str, Any]:
    return {"id": "prt", "sessionID": "ses_1", "type": kind, **more}


def ran(call: str, status: str = "completed", **state: Any) -> dict[str, Any]:
    found = {
        "status": status,
        "input": {"command": "ls"},
        "output": "a",
        "time": {"start": 1730000002000, "end": 1730000003000},
    }
    return part("tool", callID=call, tool="bash", state={**found, **state})


EXPORT: dict[str, Any] = {
    "info": INFO,
    "messages": [
        {"info": info("msg_1", "user"), "parts": [part("text", text="list")]},
        {
            "info": info("msg_2", "assistant", modelID="m", tokens={"input": 9, "output": 9}),
            "parts": [
                part("step-start"),
                part("reasoning", text="hm"),
                part("text", text="I look."),
                ran("c1"),
                ran("c2", "error", error="no such file", output=None),
                part("step-finish", tokens={"input": 5, "output": 2, "cache": {"read": 1, "write": 0}}),
                part("step-start"),
                part("text", text="One file.", time={"start": 1730000004000}),
                part("step-finish", tokens={"input": 6, "output": 3}),
                part("patch", hash="x"),
            ],
        },
    ],
}
