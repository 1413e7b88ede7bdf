"""What was corrected is marked, and stands below what is true now."""

from pathlib import Path

import pytest
from recalling import atom, atoms, hits, noise, talk
from running import memctl

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=noise)]


def test_a_message_that_was_corrected_is_marked_and_stands_below(tmp_path: Path) -> None:
    said = [
        ("user", "Remember that the rate limit of the gateway is 250 requests per minute."),
        ("assistant", "Noted."),
    ]
    talk(tmp_path, "talk", said)
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    old = "The rate limit of the gateway is 250 requests per minute."
    atoms(home, [atom("m_00000000000b", old, source_message_ids=["msg-0"])])
    assert hits(home, "rate limit", "--layer", "message")[0]["corrected"] == []
    memctl("-C", home, "atom", "correct", "m_00000000000b", old.replace("250", "400"), "-q")

    found = hits(home, "rate limit")
    assert "400" in found[0]["text"]
    (message,) = (hit for hit in found if hit["id"] == "message:talk/msg-0")
    assert message["corrected"] == ["m_00000000000b"]
    assert message["score"] < found[0]["score"]
    assert "[corrected later by m_00000000000b]" in memctl("-C", home, "recall", "rate limit").out
    assert "corrected later by m_00000000000b" in memctl("-C", home, "recall", "--inject", "rate limit").out


def test_a_message_whose_atom_was_replaced_is_marked(tmp_path: Path) -> None:
    talk(tmp_path, "talk", [("user", "I live in Lisbon near the river."), ("user", "I live in Porto now.")])
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    old = atom(
        "m_00000000000c", "The user lives in Lisbon.", source_message_ids=["msg-0"], status="superseded"
    )
    new = atom("m_00000000000d", "The user lives in Porto.", source_message_ids=["msg-1"])
    atoms(home, [old, new | {"supersedes": ["m_00000000000c"]}])

    marks = {hit["id"]: hit["corrected"] for hit in hits(home, "live", "--layer", "message")}
    assert marks == {"message:talk/msg-0": ["m_00000000000d"], "message:talk/msg-1": []}


def test_a_correction_that_is_taken_back_lowers_nothing(home: Path) -> None:
    atoms(home, [atom("m_00000000000b", "Lisbon is lovely.", source_message_ids=["msg-16"])])
    before = hits(home, "Lisbon", "--layer", "message")[0]
    shard = home / "records" / "2026-04-01.jsonl"
    kept = shard.read_bytes()
    memctl("-C", home, "atom", "correct", "m_00000000000b", "Lisbon is loud.", "-q")
    assert hits(home, "Lisbon", "--layer", "message")[0]["score"] < before["score"]
    for path in (home / "records").iterdir():
        path.unlink()
    shard.write_bytes(kept)

    assert hits(home, "Lisbon", "--layer", "message")[0] == before
