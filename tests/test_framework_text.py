"""What a framework says is never the user's words: kept in L0, marked, and no prompt of a task."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import memctl, messages

REMINDER = "<system-reminder>\nBe brief.\n</system-reminder>"
ENVIRONMENT = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"
OWN = "<relevant-memories>\n- likes tea\n</relevant-memories>"


def claude(text: str, **more: Any) -> bytes:
    line = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s",
        "message": {"role": "user", "content": text},
    } | more
    return json.dumps(line).encode() + b"\n"


def codex(text: str) -> bytes:
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    lines = [{"type": "session_meta", "payload": {"id": "c1"}}, {"type": "response_item", "payload": item}]
    return b"".join(
        json.dumps({"timestamp": "2026-01-01T00:00:00Z"} | line).encode() + b"\n" for line in lines
    )


def pi(text: str) -> bytes:
    head = {"type": "session", "version": 3, "id": "p1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}
    said = {"role": "user", "content": [{"type": "text", "text": text}]}
    line = {
        "type": "message",
        "id": "01",
        "parentId": None,
        "timestamp": "2026-01-01T00:00:01Z",
        "message": said,
    }
    return json.dumps(head).encode() + b"\n" + json.dumps(line).encode() + b"\n"


def gemini(text: str) -> bytes:
    said = [{"id": "1", "timestamp": "2026-01-01T00:00:01Z", "type": "user", "content": text}]
    return json.dumps({"sessionId": "g1", "projectHash": "ab", "messages": said}).encode()


def openai(text: str) -> bytes:
    return json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}]).encode()


def anthropic(text: str) -> bytes:
    said = [{"role": "user", "content": [{"type": "text", "text": text}]}]
    thought = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "ok"}]
    return json.dumps([*said, {"role": "assistant", "content": thought}]).encode()


def cline(text: str) -> bytes:
    task = [{"role": "user", "content": [{"type": "text", "text": f"<task>\n{text}\n</task>"}]}]
    answer = {"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a"}}
    return json.dumps([*task, {"role": "assistant", "content": [answer]}]).encode()


def qwen(text: str) -> bytes:
    line = {
        "uuid": "q1",
        "parentUuid": None,
        "sessionId": "q",
        "timestamp": "2026-01-01T00:00:00Z",
        "type": "user",
    }
    return json.dumps(line | {"message": {"role": "user", "parts": [{"text": text}]}}).encode() + b"\n"


WHOLE = {
    "claude meta": claude("Caveat: these were local commands.", isMeta=True),
    "claude compaction": claude(
        "This session is being continued from a previous conversation.", isCompactSummary=True
    ),
    "claude command": claude("<command-name>/clear</command-name>\n<command-message>clear</command-message>"),
    "claude output": claude("<local-command-stdout>done</local-command-stdout>"),
    "claude interrupt": claude("[Request interrupted by user]"),
    "claude task": claude("<task-notification>finished</task-notification>"),
    "codex environment": codex(ENVIRONMENT),
    "codex instructions": codex(
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"
    ),
    "codex aborted": codex("<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
    "openclaw heartbeat": pi("[OpenClaw heartbeat poll]"),
    **{
        f"own, {name}": make(OWN)
        for name, make in {"claude": claude, "codex": codex, "pi": pi, "qwen": qwen}.items()
    },
    **{
        f"own, {name}": make(OWN)
        for name, make in {"gemini": gemini, "openai": openai, "anthropic": anthropic}.items()
    },
}
MAKERS = {
    "claude": claude,
    "codex": codex,
    "pi": pi,
    "gemini": gemini,
    "openai": openai,
    "anthropic": anthropic,
}
MAKERS |= {"cline": cline, "qwen": qwen}


def user_message(tmp_path: Path, data: bytes) -> dict[str, Any]:
    source = tmp_path / "transcript"
    source.write_bytes(data)
    memctl("-q", "-C", tmp_path / "memory", "ingest", source)
    return next(message for message in messages(tmp_path / "memory") if message["role"] == "user")


@pytest.mark.parametrize("name", WHOLE)
def test_a_message_of_the_framework_is_marked_whole(tmp_path: Path, name: str) -> None:
    message = user_message(tmp_path, WHOLE[name])

    covered = sorted((start, end) for _, start, end in message["mark"])
    assert message["content"]
    assert covered[0][0] == 0
    assert message["content"][covered[-1][1] :].strip() == ""


@pytest.mark.parametrize("name", MAKERS)
def test_a_reminder_beside_the_users_words_is_marked_alone(tmp_path: Path, name: str) -> None:
    message = user_message(tmp_path, MAKERS[name](f"fix the port\n\n{REMINDER}"))

    marked = [message["content"][start:end] for _, start, end in message["mark"]]
    assert any("Be brief." in text for text in marked)
    assert not any("fix the port" in text for text in marked)
