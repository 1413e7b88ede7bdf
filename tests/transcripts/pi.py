"""Sessions of pi and OpenClaw: both versions of their lines, branches, and what no person said; made for tests."""

from typing import Any


def entry(name: str | None, kind: str = "message", **more: Any) -> dict[str, Any]:
    made = {"type": kind, "id": name, "parentId": None, "timestamp": "2026-01-05T07:00:01Z", **more}
    return {key: value for key, value in made.items() if name is not None or key not in ("id", "parentId")}


def said(name: str | None, role: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    return entry(name, parentId=parent, message={"role": role, "content": content, **more})


def words(value: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": value}]


HEADER = {"type": "session", "version": 3, "id": "p1", "timestamp": "2026-01-05T07:00:00Z", "cwd": "/w"}


ASKS = {"type": "toolCall", "id": "t1", "name": "exec", "arguments": {"command": "curl wttr.in"}}


THINKS = {"type": "thinking", "thinking": "hm", "thinkingSignature": "S"}


SESSION = [
    HEADER,
    entry("00", "model_change", modelId="m", provider="x"),
    said("01", "user", words("[Tue 2026-05-05 09:41 GMT+5:30] weather?"), "00", timestamp=1767596401000),
    said(
        "02",
        "assistant",
        [THINKS, *words("I look."), ASKS],
        "01",
        model="m",
        usage={"input": 9, "output": 3, "cost": {}},
    ),
    said("03", "toolResult", words("sunny"), "02", toolCallId="t1", toolName="exec", isError=False),
    said(
        "04",
        "assistant",
        words("Sunny."),
        "03",
        model="m",
        usage={"input": 0, "output": 0},
        stopReason="stop",
    ),
    entry("05", "custom", parentId="04", customType="ui", data={}),
    said("06", "user", "and tomorrow?", "05"),
    said("07", "user", [{"type": "image", "data": "QUJD", "mimeType": "image/png"}], "04"),
    entry("08", "compaction", parentId="07", summary="weather was asked", tokensBefore=3),
    entry("09", "branch_summary", parentId="04", summary="a branch", fromId="07"),
]
