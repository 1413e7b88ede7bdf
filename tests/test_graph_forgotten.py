"""What was forgotten is told by no triple, either; what else is known stays."""

import json
from pathlib import Path

from running import memctl

from memctl.layers.forgetting import Forgotten


def test_a_forgotten_value_is_not_recalled_from_the_graph(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    said = "I live at 12 Quince Street in Porto. I always drink green tea."
    talk = {"session_id": "talk", "messages": [{"id": "m1", "role": "user", "content": said}]}
    (tmp_path / "talk.json").write_text(json.dumps(talk))
    memctl("-q", "-C", home, "ingest", tmp_path / "talk.json")
    memctl("-q", "-C", home, "extract")
    rows = memctl("-C", home, "atom", "list", "--format", "json").data
    (gone,) = [row["id"] for row in rows if "Quince" in row["content"]]
    for name in ("12 Quince Street", "Porto, 12 Quince Street"):
        memctl("-C", home, "graph", "commit", "user", "LIVES_AT", name, "--add")
    memctl("-C", home, "graph", "commit", "user", "DRINKS", "green tea", "user", "WORKS_ON", "memctl")
    assert "Quince" in memctl("-C", home, "graph", "recall", "user").out

    memctl("-C", home, "atom", "forget", gone)

    for question in ("user", "Quince Street", "LIVES_AT"):
        for depth in ("0", "2"):
            told = memctl("-C", home, "graph", "recall", question, "--depth", depth, code=None)
            assert "Quince" not in told.out
    told = memctl("-C", home, "graph", "recall", "user")
    assert "green tea" in told.out
    assert "memctl" in told.out


def test_a_triple_that_only_as_a_whole_says_it_tells_it() -> None:
    forgotten = Forgotten([], ["Ana lives in Porto near the harbour."])

    assert forgotten.tells("Ana Silva", "LIVES_IN", "Porto near the old harbour")
    assert not forgotten.tells("Rui Silva", "LIVES_IN", "Porto near the old harbour")
    assert not forgotten.tells("Ana Silva", "WORKS_IN", "Porto near the old harbour")
