"""Directories of the original open as they are: reading commands answer, and change no byte."""

import shutil
from pathlib import Path

import original
import pytest
from original import ATOMS, CALLS, CHAT, FIRST, KEY, RESULTS, SECOND
from running import memctl, snapshot


@pytest.fixture(params=[False, True], ids=["as JavaScript", "as Python"])
def home(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Give a directory of the original."""
    return original.write(tmp_path / "theirs", spaced=request.param)


def all_bytes(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}


def test_status_counts_the_sessions_that_the_list_knows(home: Path) -> None:
    listed = memctl("-C", home, "session", "list", "--format", "json").data
    assert {row["id"] for row in listed} == {FIRST, SECOND, CHAT, "agent:main:old"}
    assert memctl("-C", home, "status", "--format", "json").data["sessions"] == 4
    by_id = {row["id"]: row for row in listed}
    assert (by_id[FIRST]["user"], by_id[FIRST]["assistant"], by_id[FIRST]["calls"]) == (2, 1, 2)
    assert (by_id[SECOND]["user"], by_id[SECOND]["calls"]) == (0, 1)
    assert by_id[FIRST]["time"] == "2026-04-12T13:00:00.000Z"


def test_a_session_is_shown_with_its_words_alone(home: Path) -> None:
    shown = memctl("-C", home, "session", "show", FIRST).out
    assert "The auth tokens expire" in shown
    assert "Is it fixed?" in shown  # its id is in the registry of keys
    assert "简洁" not in shown
    assert "without a session id" in memctl("-C", home, "session", "show", "agent:main:old").out
    exported = memctl("-C", home, "session", "export", CHAT).out
    assert "简洁" in exported
    assert "German" not in exported
    assert "calls" in memctl("-C", home, "session", "show", SECOND).out


def test_every_id_leads_on(home: Path) -> None:
    assert RESULTS[0] == memctl("-C", home, "drill", "--raw", CALLS[0]).out
    for call in CALLS:  # providers give ids back with and without underscores
        assert memctl("-C", home, "drill", call.replace("_", "")).out.startswith(call)
    for given in ("001-N1", "001-N2", "1", FIRST, SECOND, CHAT, *ATOMS, "auth", "persona", "agent:main:old"):
        memctl("-C", home, "drill", given)
        memctl("-C", home, "drill", "--up", given)
    assert "我喜欢简洁的回答" in memctl("-C", home, "drill", ATOMS[0]).out
    assert "German" in memctl("-C", home, "drill", "msg_1775998800000_a1b2c3").out
    assert "001-auth-expiry" in memctl("-C", home, "drill", FIRST).out
    assert CALLS[0] in memctl("-C", home, "drill", "001-N1").out


def test_reading_commands_answer_and_change_no_byte(home: Path) -> None:
    before = all_bytes(home)
    canvas = next((home / "mmds").iterdir())
    for words in (
        ["status"],
        ["session", "list"],
        ["session", "show", FIRST],
        ["session", "trace", FIRST],
        ["canvas", "list"],
        ["canvas", "show", "1"],
        ["canvas", "show", "auth expiry"],
        ["render", "1"],
        ["grep", "expiry"],
        ["grep", "--node", "001-N1", "."],
        ["drill", "001-N1"],
        ["drill", CALLS[0]],
        ["atom", "list"],
        ["atom", "show", ATOMS[0]],
        ["recall", "token expiry"],
        ["recall", "简洁"],
        ["recall", "--inject", "token expiry"],
        ["context", FIRST],
        ["index", "status"],
        ["history", "persona.md"],
    ):
        memctl("-C", home, *words, code=0 if words[0] != "history" else None)
    memctl("-C", home, "validate", canvas, code=1)  # real Mermaid refuses its header
    memctl("-C", home, "task", "list")
    memctl("-C", home, "task", "current", code=1)
    memctl("-C", home, "graph", "recall", "TaskNode", code=1)
    memctl("-C", home, "check", code=None)
    assert before == all_bytes(home)


def test_recall_finds_every_layer(home: Path) -> None:
    layers = {
        row["layer"]
        for row in memctl("-C", home, "recall", "auth expiry German", "--format", "json").data["hits"]
    }
    assert {"scene", "canvas", "entry", "message", "atom"} <= layers
    assert memctl("-C", home, "recall", "zebrafish", "--format", "json").data["hits"][0]["layer"] == "persona"


@pytest.mark.parametrize(
    "kept", [("offload", "refs", "mmds", "state"), ("conversations", "records", "scene", "persona")]
)
def test_half_of_it_is_a_directory_too(home: Path, kept: tuple[str, ...]) -> None:
    """The plugin and the layers of the original write into directories of their own."""
    for path in list(home.iterdir()):
        if not path.name.startswith(kept):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = all_bytes(home)
    listed = memctl("-C", home, "session", "list", "--format", "json").data
    assert memctl("-C", home, "status", "--format", "json").data["sessions"] == len(listed) > 1
    memctl("-C", home, "recall", "expiry")
    assert before == all_bytes(home)


def test_an_ingest_into_it_adds_and_keeps(home: Path, samples: Path) -> None:
    before = snapshot(home)
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")
    after = snapshot(home)
    assert {name: after[name] for name in before} == before
    assert "memctl.yaml" in after
    assert any(name.startswith("mmds/002-") for name in after)
    assert KEY in after["sessions-registry.json"].decode()


def test_extract_says_how_to_hear_shards_and_harms_nothing(home: Path) -> None:
    before = snapshot(home)
    assert "ingest" in memctl("-C", home, "extract").err
    after = snapshot(home)
    for name in before:
        if not name.startswith(("scene_blocks/", "persona.md")):
            assert after[name] == before[name]
    assert original.SCENE in after["scene_blocks/auth.md"].decode()
    assert "zebrafish" in after["persona.md"].decode()


def test_what_memctl_writes_into_makes_nothing_of_theirs_wrong(home: Path, samples: Path) -> None:
    memctl("-C", home, "ingest", samples / "codex.jsonl")
    found = memctl("-C", home, "check", "--strict", code=1).out
    assert found.count("\n") == 1, "their canvas, which Mermaid rejects"
    assert "mmds/001-auth-expiry.mmd:1:1: CHK401" in found

    memctl("-C", home, "check", "--fix", "--strict")

    before = snapshot(home)
    canvas = before["mmds/001-auth-expiry.mmd"].decode()
    assert canvas.partition("\n")[2] == original.CANVAS.partition("\n")[2]
    assert original.CANVAS.encode() in before.values(), "as it was, it is among the versions"
    memctl("-C", home, "check", "--fix", "--strict")
    assert snapshot(home) == before
    assert "Fix the expiry" in memctl("-C", home, "canvas", "show", "1").out


def test_damages_are_found_among_theirs(home: Path, samples: Path) -> None:
    memctl("-C", home, "ingest", samples / "codex.jsonl")
    memctl("-q", "-C", home, "check", "--fix")
    (home / "refs" / original.ref_name(original.TIMES[0])).unlink()
    path = home / "conversations" / "2026-04-12.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id":"x","sess\n')

    found = memctl("-C", home, "check", "--format", "json", code=1).data

    assert [(Path(one["path"]).name, one["line"], one["code"]) for one in found] == [
        ("2026-04-12.jsonl", 4, "CHK201"),
        (f"offload-{FIRST}.jsonl", 1, "CHK301"),
    ]


def test_a_memory_directory_is_no_folder_of_transcripts(home: Path, samples: Path, tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "one", "ingest", samples / "codex.jsonl")
    before = snapshot(tmp_path / "one")
    assert "memory directory" in memctl("-C", tmp_path / "one", "ingest", tmp_path / "one", code=3).err
    assert snapshot(tmp_path / "one") == before

    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")
    memctl("-q", "-C", tmp_path / "two", "ingest", home)  # their shards can still be taken elsewhere
    listed = memctl("-C", tmp_path / "two", "session", "list", "--format", "json").data
    assert {row["id"] for row in listed} == {FIRST, CHAT, KEY, "agent:main:old"}
