"""Kimi Code's wire logs: made for tests."""

from typing import Any


def said(words: str, kind: str = "user", role: str = "user") -> dict[str, Any]:
    message = {
        "role": role,
        "content": [{"type": "text", "text": words}],
        "toolCalls": [],
        "origin": {"kind": kind},
    }
    return {"type": "context.append_message", "message": message, "time": 1784950605094}


def loop(kind: str, step: str, **more: Any) -> dict[str, Any]:
    key = "uuid" if kind.startswith("step.") else "stepUuid"
    return {
        "type": "context.append_loop_event",
        "event": {"type": kind, key: step, **more},
        "time": 1784950605100,
    }


LOG = [
    {"type": "metadata", "protocol_version": "1.4", "created_at": 1784950509920},
    {
        "type": "config.update",
        "cwd": "/w",
        "modelAlias": "k2",
        "systemPrompt": "You are Kimi.",
        "time": 1784950509920,
    },
    {"type": "config.update", "systemPrompt": "You are Kimi."},
    {"type": "turn.prompt", "input": [{"type": "text", "text": "count"}], "time": 1784950605093},
    said("count"),
    loop("step.begin", "s1"),
    loop("content.part", "s1", part={"type": "think", "think": "glob"}),
    loop("tool.call", "s1", toolCallId="Glob_0", name="Glob", args={"pattern": "*"}),
    {
        "type": "context.append_loop_event",
        "event": {
            "type": "tool.result",
            "toolCallId": "Glob_0",
            "result": {"output": "a\n", "isError": False, "note": "cut"},
        },
        "time": 1784950605200,
    },
    loop("step.end", "s1", usage={"inputOther": 9, "output": 2}),
    {"type": "usage.record", "usage": {"output": 2}},
    loop("step.begin", "s2"),
    loop("content.part", "s2", part={"type": "text", "text": "One."}),
    said("<reminder>", "injection"),
    loop("content.part", "s2", part={"type": "text", "text": "And more."}),
    {"type": "context.apply_compaction", "summary": "So far.", "compactedCount": 3},
    loop("unheard.of", "s3"),
]
