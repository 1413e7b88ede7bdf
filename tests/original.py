"""A directory as the original writes it: its offload plugin's files and those of its layers, made by hand.

Field names and layouts are those of TencentDB Agent Memory's plugin and recorder (DESIGN 2).
"""

import json
from pathlib import Path
from typing import Any

KEY = "agent:main:main"
FIRST, SECOND, CHAT = "b7d1c2e0-0001", "c9aa17d4-0002", "chat-2"
TIMES = ["2026-04-12T21:00:33.872+08:00", "2026-04-12T21:01:10.001+08:00", "2026-04-13T09:30:00.500+08:00"]
CALLS = ["toolu_bdrk_01HHx9qN", "call_00_abcDEF", "toolubdrk01Zz"]
RESULTS = ["FAILED test_auth.py::test_expiry\n---\n\nAssertionError: 401", "def expiry(): ...\n", "3 passed"]
ATOMS = ["m_1775998950000_1a2b3c4d", "m_1775998960000_9f8e7d6c"]

HEADER = (
    '%%{ "taskGoal": "Fix the expiry of auth tokens", "createdTime": "2026-04-12T21:00:33+08:00", '
    '"updatedTime": "2026-04-12T21:05:00+08:00" }%%\n'
)
CANVAS = (
    HEADER
    + """flowchart TD
    001-N1["test: run pytest<br/>status: done<br/>summary: 2 failed<br/>Timestamp: 2026-04-12T21:00:33+08:00"]
    001-N2["read: auth.py<br/>status: doing<br/>summary: expiry() compares<br/>Timestamp: 2026-04-12T21:01:10+08:00"]
    001-N1 --> 001-N2
"""
)
SCENE = """-----META-START-----
created: 2026-04-12T13:03:00.000Z
updated: 2026-04-12T13:03:00.000Z
summary: The auth service and its token expiry
heat: 3
-----META-END-----

## Auth

Tokens live too long.
"""
PERSONA = """# 用户画像

Prefers short answers about zebrafish.

---
## 🗺️ Scene Navigation (Scene Index)
Showing top 1 scenes out of 1.

### Path: /home/kim/.openclaw/memory-tdai/scene_blocks/auth.md
**热度**: 3 | **热度档位**: 1
Summary: The auth service and its token expiry
"""


def ref_name(time: str) -> str:
    return time.replace(":", "-").replace(".", "-").replace("+", "p") + ".md"


def write(home: Path, *, spaced: bool = False) -> Path:
    """Write the directory; *spaced* as Python writes JSON, else as JavaScript does."""

    def line(value: dict[str, Any]) -> str:
        separators = (", ", ": ") if spaced else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators) + "\n"

    for name in ("refs", "mmds", "conversations", "records", "scene_blocks"):
        (home / name).mkdir(parents=True)
    entries = []
    for at, (time, call, result) in enumerate(zip(TIMES, CALLS, RESULTS, strict=True)):
        tool = ("exec", "read", "exec")[at]
        (home / "refs" / ref_name(time)).write_bytes(
            f"# Tool Result: {tool}\n\n**Timestamp:** {time}\n\n---\n\n{result}".encode()
        )
        entries.append(
            {
                "timestamp": time,
                "node_id": ("001-N1", "001-N2", None)[at],
                "tool_call": f"{tool}({('pytest', 'auth.py', 'pytest')[at]})",
                "summary": ("2 failed: test_expiry", "read auth.py: expiry()", "3 passed")[at],
                "result_ref": f"refs/{ref_name(time)}",
                "tool_call_id": call,
                "session_key": KEY,
                "score": (7, 3, 9)[at],
            }
        )
    entries[1]["offloaded"] = True
    (home / f"offload-{FIRST}.jsonl").write_text("".join(map(line, entries[:2])))
    (home / f"offload-{SECOND}.jsonl").write_text(line(entries[2]))
    (home / "mmds" / "001-auth-expiry.mmd").write_text(CANVAS)
    state = {"activeMmdFile": "001-auth-expiry.mmd", "activeMmdId": "auth-expiry", "mmdCounter": 1}
    (home / "state.json").write_text(json.dumps(state | {"lastSessionKey": KEY}, indent=2))
    registry = {KEY: {"sessionId": FIRST, "offloadFile": f"offload-{FIRST}.jsonl", "updatedAt": TIMES[0]}}
    (home / "sessions-registry.json").write_text(json.dumps(registry, indent=2))

    def said(session: str, key: str, role: str, text: str, at: int) -> str:
        record = {"sessionKey": key, "sessionId": session, "recordedAt": "2026-04-12T13:00:00.000Z"}
        return line(record | {"id": f"msg_{at}_a1b2c3", "role": role, "content": text, "timestamp": at})

    (home / "conversations" / "2026-04-12.jsonl").write_text(
        said(FIRST, KEY, "user", "The auth tokens expire too late. Always answer in German.", 1775998800000)
        + said(CHAT, "agent:main:chat", "user", "我喜欢简洁的回答", 1775998900000)
        + said(FIRST, KEY, "assistant", "I run the tests first.", 1775998810000)
    )
    (home / "conversations" / "2026-04-13.jsonl").write_text(
        said("", KEY, "user", "Is it fixed?", 1776040200000)
        + said("", "agent:main:old", "user", "said without a session id", 1776040300000)
    )
    day = "2026-04-12T13:02:30.000Z"
    atom = {"metadata": {}, "timestamps": [day], "createdAt": day, "updatedAt": day}
    (home / "records" / "2026-04-12.jsonl").write_text(
        line(
            {"id": ATOMS[0], "content": "用户喜欢简洁的回答", "type": "persona", "priority": 80}
            | {"scene_name": "沟通偏好", "source_message_ids": ["msg_1775998900000_a1b2c3"]}
            | atom
            | {"sessionKey": "agent:main:chat", "sessionId": CHAT}
        )
        + line(
            {"id": ATOMS[1], "content": "Always answer in German", "type": "instruction", "priority": -1}
            | {"scene_name": "auth", "source_message_ids": ["msg_1775998800000_a1b2c3"]}
            | atom
            | {"sessionKey": KEY, "sessionId": FIRST}
        )
    )
    (home / "scene_blocks" / "auth.md").write_text(SCENE)
    (home / "persona.md").write_text(PERSONA)
    return home
