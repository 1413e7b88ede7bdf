"""Chats of Gemini CLI: documents, lines that amend earlier ones, and the contents they hold; made for tests."""

from typing import Any

T = "2026-01-01T00:00:0{}Z"


HEADER = {"sessionId": "g1", "projectHash": "ab", "startTime": T.format(0), "lastUpdated": T.format(9)}


def record(name: str | None, kind: str, content: Any = "", **more: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": T.format(1), "type": kind, "content": content, **more}


def answer(name: str = "s-1", **response: Any) -> list[dict[str, Any]]:
    return [{"functionResponse": {"id": name, "name": "run", "response": response}}]


def call(name: str = "s-1", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "name": "run",
        "args": {"command": "ls"},
        "status": "success",
        "timestamp": T.format(2),
        **more,
    }


def document(*found: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{**HEADER, "messages": list(found), **more}]


TOKENS = {"input": 3, "output": 1, "total": 4}


THOUGHT = {"subject": "Plan", "description": "look first", "timestamp": T.format(1)}


CHAT = [
    HEADER,
    record("u1", "user", [{"text": "list"}, {"text": "now"}]),
    {"$set": {"lastUpdated": T.format(3)}},
    record("a1", "gemini", "", thoughts=[THOUGHT], tokens=None, model="g-x"),
    record("a1", "gemini", "", thoughts=[THOUGHT], tokens=TOKENS, model="g-x"),
    record(
        "a1",
        "gemini",
        "",
        thoughts=[THOUGHT],
        tokens=TOKENS,
        model="g-x",
        toolCalls=[call(result=answer(output="a b"))],
    ),
    record("a2", "gemini", "Two files.", model="g-x"),
    record("i1", "info", "Update available"),
]
