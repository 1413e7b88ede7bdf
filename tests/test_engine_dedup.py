"""Decisions of a model between memories."""

import json
from pathlib import Path

import models
from answering import asked, give, memory, talk
from running import memctl, snapshot


def test_decisions_between_memories(tmp_path: Path) -> None:
    home = talk(
        tmp_path,
        "The nightly export job writes its files into the reports bucket.",
        "All files of the nightly export job in the reports bucket are kept for ninety days.",
    )
    one = memory("The nightly export job writes its files into the reports bucket.", "u0", type="work_fact")
    two = memory(
        "Files of the nightly export job in the reports bucket are kept for ninety days.",
        "u1",
        type="work_fact",
    )
    give(home, "atoms", "talk", {"memories": [one, two]})
    pairs = [record for record in models.records(asked(home, "dedup")) if "target" in record]
    assert pairs
    pair = pairs[0]
    merged = "The nightly export job writes its files into the reports bucket, where they are kept for ninety days."
    decision = {"id": pair["id"], "target": pair["target"], "action": "merge", "content": merged}
    before = snapshot(home)
    for wrong, reason in [
        ({"id": "m_000000000000"}, "not an active memory"),
        ({"action": "burn"}, "action must be one of"),
        (
            {"content": "Files are kept in the vault of the bank for 12 years."},
            "says something that neither memory says",
        ),
        ({"content": ""}, "needs `content`"),
    ]:
        assert reason in give(home, "dedup", "", {"decisions": [decision | wrong]}, code=3)
    assert snapshot(home) == before

    give(home, "dedup", "", {"decisions": [decision]})

    (row,) = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    assert row["content"] == merged
    assert sorted(row["source_message_ids"]) == ["u0", "u1"]
    memctl("-q", "-C", home, "extract")
    assert len(json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]) == 1
