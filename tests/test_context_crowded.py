"""A turn of more texts or calls than a window has room for keeps its newest, and says where the rest is."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import memctl

from memctl.text.tokens import count_tokens


def said(number: int) -> dict[str, Any]:
    """Make one of many messages that nobody answers."""
    return {"role": "user", "content": f"message {number}: " + "the export of invoices still fails. " * 8}


def called(number: int) -> dict[str, Any]:
    """Make one of many calls of a turn."""
    arguments = json.dumps({"file_path": f"src/module_{number}/part.py"})
    return {"id": f"call_{number}", "type": "function", "function": {"name": "Read", "arguments": arguments}}


def context(folder: Path, listed: list[dict[str, Any]], window: int, to: str) -> str:
    """Give the context of a session of these messages."""
    path = folder / "s.json"
    path.write_text(json.dumps({"session_id": "s", "messages": listed}), encoding="utf-8")
    return memctl("-C", folder / "memory", "context", path, "--window", str(window), "--to", to).out


@pytest.mark.parametrize("window", [1_000, 4_000])
def test_hundreds_of_messages_in_a_row_fit(tmp_path: Path, window: int) -> None:
    text = context(tmp_path, [said(number) for number in range(400)], window, "text")

    assert count_tokens(text) <= window
    assert "message 399: " in text
    assert "message 200: " not in text
    assert "earlier texts and calls were left out here; `memctl -C" in text


def test_hundreds_of_calls_in_a_turn_fit_in_pairs(tmp_path: Path) -> None:
    calls = [called(number) for number in range(300)]
    results = [
        {"role": "tool", "tool_call_id": call["id"], "content": "no such file " * 30} for call in calls
    ]
    asked: list[dict[str, Any]] = [
        {"role": "user", "content": "read them all"},
        {"role": "assistant", "tool_calls": calls},
    ]
    body = context(tmp_path, [*asked, *results], 4_000, "openai")
    listed = json.loads(body)["messages"]

    assert listed[0]["role"] == "user"
    ids = [call["id"] for message in listed for call in message.get("tool_calls", ())]
    assert ids == [message["tool_call_id"] for message in listed if message["role"] == "tool"]
    assert ids[-1] == "call_299"
    assert 1 <= len(ids) < 300
    assert count_tokens(body) <= 4_000
