"""Antigravity's transcripts: the steps of a conversation; made for tests."""

from typing import Any

SETTINGS = (
    "<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Gem 3.\n"
    "</USER_SETTINGS_CHANGE>"
)


def step(number: int, source: str, kind: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"step_index": number, "source": source, "type": kind, "status": "DONE"}
    made |= {"content": content} if content is not None else {}
    return {**made, "created_at": f"2026-06-26T21:16:{number:02}Z", **more}


STEPS = [
    step(0, "USER_EXPLICIT", "USER_INPUT", f"<USER_REQUEST>\nList it.\n</USER_REQUEST>\n{SETTINGS}"),
    step(1, "SYSTEM", "CONVERSATION_HISTORY"),
    step(
        2,
        "MODEL",
        "PLANNER_RESPONSE",
        thinking="hm",
        tool_calls=[{"name": "list_dir", "args": {"D": '"/w"'}}],
    ),
    step(3, "MODEL", "LIST_DIRECTORY", "a.txt"),
    step(4, "MODEL", "PLANNER_RESPONSE", "One file."),
    step(5, "SYSTEM", "CHECKPOINT", "# Resuming from a compaction"),
    step(6, "SYSTEM", "SYSTEM_MESSAGE", "not sent by the user"),
    step(7, "USER_EXPLICIT", "USER_INPUT", "bare words"),
    step(7, "MODEL", "RUN_COMMAND", "failed", status="ERROR"),
]
