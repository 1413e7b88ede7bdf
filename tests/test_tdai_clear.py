"""A cleared session of an adopted directory leaves no trace, also where another one drew on the same canvas."""

import json
from pathlib import Path

import original
import pytest
from original import FIRST, SECOND, TIMES
from running import memctl

GONE, KEPT = "plantedzebra", "siblingokapi"


def planted(theirs: Path) -> Path:
    """Plant a word in everything of one session, and another in a sibling that draws on the same canvas."""
    for name, old, word in (
        (f"refs/{original.ref_name(TIMES[0])}", "AssertionError", GONE),
        (f"offload-{FIRST}.jsonl", "2 failed", GONE),
        (f"offload-{FIRST}.jsonl", "read(auth.py", GONE),
        ("mmds/001-auth-expiry.mmd", "summary: 2 failed", GONE),
        ("mmds/001-auth-expiry.mmd", "expiry() compares", GONE),
        ("conversations/2026-04-12.jsonl", "The auth tokens", GONE),
        ("records/2026-04-12.jsonl", "Always answer in German", GONE),
        (f"refs/{original.ref_name(TIMES[2])}", "3 passed", KEPT),
        (f"offload-{SECOND}.jsonl", "3 passed", KEPT),
        ("conversations/2026-04-12.jsonl", "我喜欢简洁的回答", KEPT),
    ):
        path = theirs / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, f"{old} {word}", 1), encoding="utf-8")
    path = theirs / f"offload-{SECOND}.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"node_id": "001-N3"}) + "\n")
    first = theirs / f"offload-{FIRST}.jsonl"
    with first.open("a", encoding="utf-8") as stream:  # on a node that no canvas can have
        line = json.loads(first.read_text(encoding="utf-8").split("\n")[0])
        stream.write(json.dumps(line | {"tool_call_id": "odd", "node_id": "001-N" + "9" * 5_000}) + "\n")
    with (theirs / "mmds" / "001-auth-expiry.mmd").open("a") as stream:
        stream.write(
            f'    001-N3["test: again<br/>status: done<br/>summary: {KEPT}<br/>Timestamp: {TIMES[2]}"]\n'
            "    001-N2 --> 001-N3\n"
        )
    return theirs


def test_it_is_gone_from_every_file_and_no_ingest_brings_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, home = tmp_path / "cache", tmp_path / "memory"
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(cache))
    theirs = planted(original.write(tmp_path / "theirs"))
    memctl("-q", "-C", home, "ingest", theirs)
    memctl("-q", "-C", home, "extract")
    memctl("-C", home, "recall", "expiry")

    def holding(word: str) -> set[str]:
        paths = [path for root in (home, cache) for path in root.rglob("*") if path.is_file()]
        return {path.relative_to(tmp_path).as_posix() for path in paths if word.encode() in path.read_bytes()}

    assert len(holding(GONE)) > 6
    before = holding(KEPT)
    memctl("-C", home, "clear", "--session", FIRST, "--yes")
    for _ in range(2):
        assert holding(GONE) == set()
        assert {name for name in before if not name.startswith("cache")} <= holding(KEPT)
        assert memctl("-C", home, "drill", "001-N3").out.startswith("001-N3")
        assert memctl("-C", home, "check").out == ""
        memctl("-q", "-C", home, "ingest", theirs)
        memctl("-q", "-C", home, "extract")
        memctl("-C", home, "recall", KEPT)
    memctl("-q", "-C", home, "ingest", "--again", theirs)
    assert f"refs/{original.ref_name(TIMES[0])}" in memctl("-C", home, "drill", original.CALLS[0]).out


def test_a_node_on_which_another_session_stands_stays(tmp_path: Path) -> None:
    theirs, home = original.write(tmp_path / "theirs"), tmp_path / "memory"
    entry = theirs / f"offload-{SECOND}.jsonl"
    entry.write_text(json.dumps(json.loads(entry.read_text()) | {"node_id": "001-N2"}) + "\n")
    memctl("-q", "-C", home, "ingest", theirs)
    (canvas,) = (home / "mmds").glob("*.mmd")
    memctl("-C", home, "clear", "--session", FIRST, "--yes")

    assert b"001-N1[" not in canvas.read_bytes()
    assert b"001-N2[" in canvas.read_bytes()
