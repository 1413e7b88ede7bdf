"""Results of several blocks: stored byte for byte, and summed up with each block on lines of its own."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import entries, memctl, process

from memctl.model import Image, Raw, Result, Text
from memctl.offload import assemble, ref_file
from memctl.store import refs

REPORT = [
    "found 3 bugs\nin a.py",
    "agentId: a1b2 (use SendMessage to go on)\n<usage>total: 9\ntools: 3\nms: 4</usage>",
]


def session(texts: list[str]) -> list[dict[str, Any]]:
    call = {
        "type": "tool_use",
        "id": "t1",
        "name": "Task",
        "input": {"description": "review", "prompt": "review"},
    }
    given = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": one} for one in texts],
    }
    said = [("user", "review it"), ("assistant", [call]), ("user", [given])]
    return [
        {
            "type": role,
            "uuid": f"u{place}",
            "sessionId": "s1",
            "timestamp": "2026-03-01T08:00:00Z",
            "message": {"role": role, "content": content} | ({"id": "m1"} if role == "assistant" else {}),
        }
        for place, (role, content) in enumerate(said)
    ]


def test_what_tells_how_to_go_on_with_a_subagent_is_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in session(REPORT)))
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", path)
    [entry] = entries(home)
    assert entry["summary"].endswith("found 3 bugs / in a.py")
    assert "agentId" not in entry["summary"]
    raw = process("-C", home, "drill", "--raw", f"call:{entry['tool_call_id']}")
    assert raw.stdout == "".join(REPORT).encode()


@pytest.mark.parametrize(
    ("blocks", "shown"),
    [
        ((Text("a"), Text("b")), "a\nb"),
        ((Text("a\n"), Text(""), Text("b")), "a\nb"),
        ((Text("é"), Image("image/png", data="!"), Raw({"x": 1}), Text("\udce9")), 'é\n{"x":1}\n\udce9'),
        ((Text("text 5, text 9"),), "text 5, text 9"),
        ((), ""),
    ],
)
def test_a_stored_result_reads_as_it_did_when_it_came(blocks: Any, shown: str, tmp_path: Path) -> None:
    body = assemble(Result("c", blocks))
    assert body.shown == shown
    (tmp_path / "refs").mkdir()
    (tmp_path / "refs" / "x.md").write_bytes(b"".join(ref_file(body, "t", "c", "s", None)))
    assert refs.readable(tmp_path, "refs/x.md") == shown
    assert refs.body(tmp_path, "refs/x.md") == body.data
