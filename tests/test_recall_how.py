"""How and why: what was done comes before what only looked, and a block ends where it must."""

import json
from pathlib import Path
from typing import Any

import pytest
from recalling import atom, atoms, hits, noise, talk
from running import memctl

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=noise)]


def _worked(folder: Path) -> Path:
    """Make a memory of a session that looked for `load_rows` three times, changed it and said so."""

    def call(name: str, said: str, command: str, result: str) -> list[dict[str, Any]]:
        function = {"name": "bash", "arguments": json.dumps({"command": command})}
        calls = [{"id": name, "type": "function", "function": function}]
        return [
            {"role": "assistant", "content": said, "tool_calls": calls},
            {"role": "tool", "tool_call_id": name, "content": result},
        ]

    messages = [
        {"role": "user", "content": "The import stops at line 3 of towns.csv, please look into it."},
        *call(
            "c1",
            "Let me search for load_rows:",
            "grep -rn 'def load_rows' src",
            "src/rows.py:10: def load_rows(path):",
        ),
        *call(
            "c2",
            "Let me see who calls load_rows:",
            "grep -rn 'load_rows(' src",
            "src/main.py:9: list(load_rows(p))",
        ),
        *call(
            "c3",
            "Let me read load_rows:",
            "cat src/rows.py",
            "def load_rows(path):\n    yield from open(path)",
        ),
        *call(
            "c4", "Now the change.", "sed -i 's/open(path)/filter(str.strip, open(path))/' src/rows.py", ""
        ),
        {
            "role": "assistant",
            "content": "I fixed the bug in load_rows: it now passes over lines that hold nothing.",
        },
    ]
    (folder / "work.json").write_text(json.dumps({"session_id": "work", "messages": messages}))
    memctl("-C", folder / "memory", "ingest", folder / "work.json", "-q")
    return folder / "memory"


def test_how_and_why_are_answered_by_what_was_done_before_what_only_looked(tmp_path: Path) -> None:
    home = _worked(tmp_path)

    assert "passes over" in hits(home, "how did we fix the load_rows bug")[0]["text"]
    for question in ("how was load_rows fixed", "load_rows 的问题怎么解决"):
        first = [hit["text"] for hit in hits(home, question, "-k", "2")]
        assert any("passes over" in text for text in first)
    assert (
        "passes over"
        in memctl("-C", home, "recall", "--inject", "--budget", "120", "how did we fix load_rows").out
    )
    assert "rows.py" in hits(home, "where is load_rows", "--layer", "entry")[0]["text"]


def test_where_the_best_does_not_stand_first_it_is_marked(home: Path) -> None:
    atoms(home, [atom("m_00000000000a", "The nightly backup is checked by Ines.")])
    shown = memctl("-C", home, "recall", "exit code 127 importer backup").out.split("\n")
    heads = [line for line in shown if line[:1].isdigit()]
    best = max(heads, key=lambda line: float(line.split()[0]))
    assert heads[0] != best
    assert best.endswith("  #1")
    assert sorted(int(line.rpartition("#")[2]) for line in heads) == list(range(1, len(heads) + 1))

    only = memctl("-C", home, "recall", "exit code 127", "--layer", "message").out.split("\n")
    assert not any("#" in line for line in only if line[:1].isdigit())


def test_a_hit_too_long_for_the_block_is_cut_and_does_not_end_it(tmp_path: Path) -> None:
    long = "The harbour master keeps the list of ships. " + "It is long and tells many other things. " * 12
    talk(tmp_path, "talk", [("user", long), ("assistant", "The harbour opens at six.")])
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    out = memctl("-C", home, "recall", "--inject", "--budget", "110", "harbour master ships").out

    assert "list of ships" in out
    assert "…" in out
