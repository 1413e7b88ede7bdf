"""A session is dated by the earliest of its first messages, as its canvas is: not by context that was put before them."""

import json
from pathlib import Path

import pytest
from running import memctl, snapshot

HEADER = {"type": "session", "version": 3, "id": "p7", "timestamp": "2030-02-03T09:00:00Z", "cwd": "/w"}
CONTEXT = {
    "type": "custom_message",
    "id": "c",
    "customType": "openclaw.runtime-context",
    "content": "Be brief.",
}


def _said(name: str, role: str, content: object, at: str, **more: object) -> dict[str, object]:
    return {
        "type": "message",
        "id": name,
        "timestamp": at,
        "message": {"role": role, "content": content, **more},
    }


CALL = {
    "type": "toolCall",
    "id": "t1",
    "name": "exec",
    "arguments": {"command": "ls", "timestamp": "1999-01-01T00:00:00Z"},
}
LINES = [
    HEADER,
    CONTEXT | {"parentId": "p7", "timestamp": "2030-08-09T18:00:00Z"},
    _said("m1", "user", [{"type": "text", "text": "List what is in the shed"}], "2030-02-03T09:00:03Z"),
    _said("m2", "assistant", [CALL], "2030-02-03T09:00:04Z"),
    _said("m3", "toolResult", "rake\nspade", "2030-02-03T09:00:05Z", toolCallId="t1", toolName="exec"),
]


def _dates(home: Path) -> tuple[str, str]:
    session = json.loads(
        next((home / "conversations").glob("*.jsonl")).read_text(encoding="utf-8").split("\n")[0]
    )
    canvas = next((home / "mmds").glob("*.mmd")).read_text(encoding="utf-8").split("\n")[0]
    return session["timestamp"][:10], json.loads(canvas.removeprefix("%% "))["createdTime"][:10]


def test_a_session_has_the_date_of_its_canvas(tmp_path: Path) -> None:
    path = tmp_path / "p7.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    memctl("-q", "-C", tmp_path / "memory", "ingest", path)

    assert _dates(tmp_path / "memory") == ("2030-02-03", "2030-02-03")


@pytest.mark.parametrize("first", range(2, len(LINES)))
def test_it_has_that_date_in_any_number_of_steps(tmp_path: Path, first: int) -> None:
    path = tmp_path / "p7.jsonl"
    for number in (first, len(LINES)):
        path.write_text("".join(json.dumps(line) + "\n" for line in LINES[:number]), encoding="utf-8")
        memctl("-q", "-C", tmp_path / "steps", "ingest", path, code=None)
    memctl("-q", "-C", tmp_path / "once", "ingest", path)

    assert snapshot(tmp_path / "steps") == snapshot(tmp_path / "once")


def test_undated_messages_take_no_date_from_what_they_quote(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    quoted = '"timestamp":"1999-01-01T00:00:00Z"'
    call = {
        "id": "t1",
        "type": "function",
        "function": {"name": "bash", "arguments": f'{{"command":"ls",{quoted}}}'},
    }
    talk = [
        {"role": "user", "content": f"What is in {{{quoted}}}?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t1", "content": f"{{{quoted}}}"},
    ]
    path.write_text(json.dumps({"messages": talk}) + "\n", encoding="utf-8")
    memctl("-q", "-C", tmp_path / "memory", "ingest", path)
    session = next((tmp_path / "memory" / "conversations").glob("*.jsonl")).read_text(encoding="utf-8")

    assert json.loads(session.split("\n")[0])["timestamp"] is None
