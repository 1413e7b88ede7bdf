"""Conversations as TencentDB Agent Memory keeps them; made for tests."""

from typing import Any


def said(session: str, name: str, role: str, content: str, second: int) -> dict[str, Any]:
    return {
        "sessionKey": "agent:main",
        "sessionId": session,
        "recordedAt": f"2026-03-01T08:00:{second:02}.000Z",
        "id": name,
        "role": role,
        "content": content,
        "timestamp": 1780000000000 + 1000 * second,
    }


LINES = [
    said("s1", "m1", "user", "Where is the key?", 1),
    said("s1", "m2", "assistant", "Under the mat.", 2),
    said("s2", "m3", "user", "列出文件", 3),
    said("s1", "m4", "user", "Thanks.", 4),
    said("s2", "m5", "assistant", "a.py", 5),
]
