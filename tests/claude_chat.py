"""A small Claude Code transcript with one call, and the lines to make others."""

import json
from pathlib import Path
from typing import Any


def line(kind: str, uuid: str, content: Any, session: str = "s1", **more: Any) -> dict[str, Any]:
    """Write a line as Claude Code does."""
    message = {"role": kind, "content": content} | ({"id": f"m-{uuid}"} if kind == "assistant" else {})
    return {
        "type": kind,
        "uuid": uuid,
        "sessionId": session,
        "timestamp": "2026-03-01T08:00:00Z",
        "message": message,
    } | more


def call(number: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}


def result(number: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": content} | more


def written(path: Path, lines: list[Any]) -> Path:
    path.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in lines))
    return path


def chat(path: Path, session: str = "s1", content: Any = "12 passed", **arguments: Any) -> Path:
    """Write a transcript with one call."""
    return written(
        path,
        [
            line("user", "u1", "run the tests", session),
            line("assistant", "a1", [call("1", command="pytest -q", **arguments)], session),
            line("user", "u2", [result("1", content)], session),
            line("assistant", "a2", [{"type": "text", "text": "All tests pass."}], session),
        ],
    )
