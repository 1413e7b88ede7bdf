"""What the original wrote of a call stands beside memctl's entry of it, and never in its place."""

import json
from pathlib import Path

from memctl.store import entries


def test_a_call_of_the_conversation_is_told_once_however_the_original_spells_its_id(tmp_path: Path) -> None:
    path = tmp_path / "offload-one.jsonl"
    rows = (
        {"tool_call_id": "call_1", "node_id": "001-N1", "upto": 4, "seq": 3},
        {"tool_call_id": "call_1", "node_id": "001-N2", "upto": 6, "seq": 3},
        {"tool_call_id": "call1", "node_id": "002-N5", "seq": 4},
        {"tool_call_id": "call1", "node_id": None, "seq": 5},
        {"tool_call_id": "call_7", "node_id": None, "seq": 6},
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def named(listed: list[entries.Found]) -> list[tuple[str, str | None]]:
        return [(found.entry.tool_call_id, found.entry.node_id) for found in listed]

    assert named(entries.latest(path)) == [("call_1", "001-N2"), ("call_7", None)]
    own, theirs = entries.parted(entries.read(path))
    assert named(own) == [("call_1", "001-N2")]
    assert named(theirs) == [("call1", "002-N5"), ("call_7", None)]
    assert named(entries.standing(path)) == [("call_1", "001-N2"), ("call_7", None), ("call1", "002-N5")]
