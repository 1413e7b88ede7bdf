"""A call whose line was damaged, or stood behind its result, and was put right later: every id printed before resolves."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings, strategies as st
from running import entries, memctl, messages

WORDS = ["alpha", "beta", "gamma"]


def transcript(salt: int, *, ids: bool) -> list[bytes]:
    """Write a session of three calls, each with its result, with or without ids."""
    lines: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/x"}
    ]

    def add(role: str, content: list[dict[str, Any]], **more: str) -> None:
        at = len(lines)
        message = {"role": role, "content": content, **more}
        lines.append(
            {
                "type": "message",
                "id": f"e{salt}-{at}",
                "timestamp": f"2026-01-01T00:00:{at:02d}Z",
                "message": message,
            }
        )

    add("user", [{"type": "text", "text": "Read the three files of the parser."}])
    for word in WORDS:
        call = {"type": "toolCall", "name": "read", "arguments": {"path": f"{word}.py"}}
        add("assistant", [call | ({"id": f"c-{word}"} if ids else {})])
        result = {"toolName": "read"} | ({"toolCallId": f"c-{word}"} if ids else {})
        add("toolResult", [{"type": "text", "text": f"def {word}(): pass\n" * 60}], **result)
    add("assistant", [{"type": "text", "text": "All three are stubs."}])
    return [json.dumps(line).encode() for line in lines]


@settings(max_examples=12)
@given(st.integers(0, 999), st.integers(0, 2), st.booleans(), st.sampled_from(["cut", "swapped", "gone"]))
@example(0, 0, False, "cut")
@example(1, 1, False, "cut")
@example(2, 1, False, "swapped")
@example(3, 2, False, "gone")
def test_ids_stay_when_the_line_of_a_call_is_repaired(salt: int, which: int, ids: bool, how: str) -> None:
    whole = transcript(salt, ids=ids)
    damaged = list(whole)
    at = 2 + 2 * which
    if how == "cut":
        damaged[at] = damaged[at][:60]
    elif how == "swapped":
        damaged[at], damaged[at + 1] = damaged[at + 1], damaged[at]
    else:
        del damaged[at]
    with tempfile.TemporaryDirectory() as name:
        home, source = Path(name, "memory"), Path(name, "chat.jsonl")
        printed: set[str] = set()
        for lines in (damaged, whole):
            source.write_bytes(b"\n".join(lines) + b"\n")
            memctl("-q", "-C", home, "ingest", source)
            for entry in entries(home):
                printed |= {entry["tool_call_id"], entry["node_id"], entry["result_ref"] or entry["node_id"]}
        memctl("-C", home, "check", "--strict")
        for given_id in sorted(printed):
            assert memctl("-C", home, "drill", given_id, code=None).code in (0, 2), given_id

        paired = {
            part["call_id"]
            for one in messages(home)
            for part in one.get("parts", [])
            if part["type"] == "result"
        }
        if how != "swapped":  # whoever reads the line in its place pairs it as if it had never been damaged
            assert len(entries(home)) == len(paired) == 3
