"""Taking in a directory of the original and writing one: nothing is lost on the way, nothing is doubled."""

import json
import shutil
from pathlib import Path
from typing import Any

import original
import pytest
from original import ATOMS, CALLS, CHAT, FIRST, RESULTS, SECOND
from running import entries, memctl, messages, snapshot


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Give a directory of the original."""
    return original.write(tmp_path / "theirs")


def lines(folder: Path, pattern: str) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in sorted(folder.glob(pattern))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line
    ]


def test_everything_of_it_is_taken_in_once(theirs: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    before = snapshot(theirs)
    told = memctl("-C", home, "ingest", theirs)
    assert "3 entries, 3 refs, 1 canvas, 2 atoms, 2 pages" in told.out

    assert {entry["tool_call_id"]: entry["node_id"] for entry in entries(home)} == {
        CALLS[0]: "001-N1",
        CALLS[1]: "001-N2",
        CALLS[2]: None,
    }
    for call, result in zip(CALLS, RESULTS, strict=True):
        assert memctl("-C", home, "drill", "--raw", call).out == result
    said = [message["content"] for message in messages(home) if message["sessionId"] == FIRST]
    assert said[0].startswith("The auth tokens expire too late")
    assert {row["id"] for row in memctl("-C", home, "atom", "list", "--format", "json").data} == set(ATOMS)
    assert "zebrafish" in memctl("-C", home, "recall", "zebrafish").out
    assert (home / "scene_blocks" / "auth.md").read_text() == original.SCENE
    assert "2 steps" in memctl("-C", home, "canvas", "show", "1").out

    once = snapshot(home)
    memctl("-q", "-C", home, "ingest", theirs)
    assert once == snapshot(home)
    shutil.rmtree(home / ".memctl")
    memctl("-q", "-C", home, "ingest", theirs)
    assert once == snapshot(home)
    assert before == snapshot(theirs)


def test_a_number_that_is_taken_is_given_anew(theirs: Path, tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")
    mine = next((home / "mmds").iterdir()).read_bytes()
    memctl("-q", "-C", home, "ingest", theirs)
    memctl("-q", "-C", home, "ingest", theirs)

    assert {path.name[:3] for path in (home / "mmds").iterdir()} == {"001", "002"}
    assert next((home / "mmds").glob("001-*")).read_bytes() == mine
    assert memctl("-C", home, "drill", "002-N1").out.startswith("002-N1")
    assert CALLS[0] in memctl("-C", home, "drill", "002-N1").out


def test_what_they_add_later_is_added(theirs: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", theirs)
    path = theirs / f"offload-{SECOND}.jsonl"
    entry = json.loads(path.read_text()) | {"node_id": "001-N3"}
    more = entry | {"tool_call_id": "call_new", "summary": "one more"}
    path.write_text("".join(json.dumps(one) + "\n" for one in (entry, more)))
    canvas = theirs / "mmds" / "001-auth-expiry.mmd"
    canvas.write_text(
        original.CANVAS.replace("21:05:00", "22:00:00")
        + '    001-N3["test: again<br/>status: done<br/>summary: green<br/>Timestamp: 2026-04-13T09:30:00+08:00"]\n'
    )
    with (theirs / "conversations" / "2026-04-13.jsonl").open("a") as stream:
        record = {
            "sessionKey": original.KEY,
            "sessionId": FIRST,
            "recordedAt": "",
            "id": "msg_9",
            "role": "user",
        }
        stream.write(json.dumps(record | {"content": "Thanks!", "timestamp": 1776040500000}) + "\n")

    memctl("-q", "-C", home, "ingest", theirs)

    by_call = {entry["tool_call_id"]: entry["node_id"] for entry in entries(home)}
    assert by_call[CALLS[2]] == by_call["call_new"] == "001-N3"
    assert "3 steps" in memctl("-C", home, "canvas", "show", "1").out
    said = [message["content"] for message in messages(home) if message["sessionId"] == FIRST]
    assert said[-1] == "Thanks!"
    assert said[0].startswith("The auth tokens")


def test_the_order_of_shards_makes_no_difference(theirs: Path, tmp_path: Path) -> None:
    shards = sorted((theirs / "conversations").iterdir())
    for name, order in (("one", shards), ("other", shards[::-1])):
        for shard in order:
            memctl("-q", "-C", tmp_path / name, "ingest", shard)
    said = [[message["id"] for message in messages(tmp_path / name)] for name in ("one", "other")]
    assert said[0] == said[1]


def test_what_was_forgotten_or_cleared_does_not_come_back(theirs: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", theirs)
    memctl("-C", home, "atom", "forget", ATOMS[1])
    memctl("-q", "-C", home, "ingest", theirs)
    assert [row["id"] for row in memctl("-C", home, "atom", "list", "--format", "json").data] == [ATOMS[0]]
    memctl("-C", home, "export", "--tdai", tmp_path / "out")
    assert [record["id"] for record in lines(tmp_path / "out", "records/*.jsonl")] == [ATOMS[0]]


def test_ingest_then_export_loses_no_entry_node_atom_or_scene(theirs: Path, tmp_path: Path) -> None:
    home, out = tmp_path / "memory", tmp_path / "out"
    memctl("-q", "-C", home, "ingest", theirs)
    before = snapshot(home)
    memctl("-C", home, "export", "--tdai", out)
    assert before == snapshot(home)

    fields = ("timestamp", "node_id", "tool_call", "summary", "tool_call_id", "session_key", "score")
    for pattern, names in (
        ("offload-*.jsonl", fields),
        ("records/*.jsonl", ("id", "content", "type", "priority")),
    ):
        given, written = lines(theirs, pattern), lines(out, pattern)
        key = names[-3] if pattern[0] == "o" else "id"
        assert sorted(([one.get(name) for name in names] for one in given), key=str) == sorted(
            ([one.get(name) for name in names] for one in written), key=str
        ), key
    for entry in lines(out, "offload-*.jsonl"):
        text = (out / entry["result_ref"]).read_text()
        assert text.startswith("# Tool Result: ")
        assert text.partition("\n---\n\n")[2] == RESULTS[CALLS.index(entry["tool_call_id"])]
    assert (out / "mmds" / "001-auth-expiry.mmd").read_text().split("\n")[1:] == original.CANVAS.split("\n")[
        1:
    ]
    assert (out / "scene_blocks" / "auth.md").read_text() == original.SCENE
    assert (out / "persona.md").read_text() == original.PERSONA
    contents = sorted(one["content"] for one in lines(theirs, "conversations/*.jsonl"))
    assert contents == sorted(one["content"] for one in lines(out, "conversations/*.jsonl"))
    assert all(type(one["timestamp"]) is int for one in lines(out, "conversations/*.jsonl"))
    state = json.loads((out / "state.json").read_text())
    assert (state["activeMmdFile"], state["mmdCounter"]) == ("001-auth-expiry.mmd", 1)
    registry = json.loads((out / "sessions-registry.json").read_text())
    assert {one["sessionId"] for one in registry.values()} == {FIRST, SECOND}


def test_our_own_memory_goes_there_and_back(samples: Path, tmp_path: Path) -> None:
    home, out, again = tmp_path / "memory", tmp_path / "out", tmp_path / "again"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    memctl("-C", home, "export", "--tdai", out)
    memctl("-C", out, "status")
    for path in (out / "mmds").iterdir():
        assert path.read_text().startswith('%%{ "taskGoal": ')
    memctl("-q", "-C", again, "ingest", out)

    def told(folder: Path) -> set[tuple[str, str, str]]:
        return {(one["tool_call_id"], one["node_id"], one["summary"]) for one in entries(folder)}

    assert told(home) == told(again)
    for entry in entries(home):
        if entry["status"] != "missing":
            address = f"call:{entry['session_id']}/{entry['tool_call_id']}"
            raws = [memctl("-C", folder, "drill", "--raw", address).out for folder in (home, again)]
            assert raws[0] == raws[1]
    atoms = [
        {row["content"] for row in memctl("-C", folder, "atom", "list", "--format", "json").data}
        for folder in (home, again)
    ]
    assert atoms[0] == atoms[1]
    goals = [
        {row["goal"] for row in memctl("-C", folder, "canvas", "list", "--format", "json").data}
        for folder in (home, again)
    ]
    assert goals[0] == goals[1]


def test_a_session_without_times_keeps_its_order_and_gets_none(tmp_path: Path) -> None:
    home, out, again = tmp_path / "memory", tmp_path / "out", tmp_path / "again"
    listed = [
        {"role": "assistant" if turn % 2 else "user", "content": f"This is turn {turn}."}
        for turn in range(12)
    ]
    chat = tmp_path / "chat.json"
    for length in (5, 12):
        chat.write_text(json.dumps({"session_id": "undated", "messages": listed[:length]}), "utf-8")
        memctl("-q", "-C", home, "ingest", chat)
        memctl("-C", home, "export", "--tdai", out / str(length))
        memctl("-q", "-C", again, "ingest", out / str(length))

    told = messages(again)
    assert [one["content"] for one in told] == [one["content"] for one in listed]
    assert {one["timestamp"] for one in told} == {None}


def test_an_export_goes_into_a_new_folder_only(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("x")
    memctl("-C", home, "export", "--tdai", tmp_path / "full", code=2)
    assert "not empty" in memctl("-C", home, "export", "--tdai", home, code=2).err
    memctl("-C", home, "export", code=2)


def test_links_and_unsafe_names_in_theirs_lead_nowhere(theirs: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("not yours")
    (theirs / "refs" / "link.md").symlink_to(outside)
    (theirs / "mmds" / "002-link.mmd").symlink_to(outside)
    (theirs / "scene_blocks" / "link.md").symlink_to(outside)
    (theirs / "offload-evil.jsonl").write_text(
        json.dumps(
            {"tool_call_id": "evil", "tool_call": "x", "result_ref": "../../outside", "node_id": "009-N1"}
        )
    )
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", theirs)
    assert all(b"not yours" not in data for data in snapshot(home).values())
    memctl("-C", home, "drill", "--raw", "evil", code=None)
    memctl("-C", home, "export", "--tdai", tmp_path / "out")
    assert CHAT in memctl("-C", home, "session", "list").out
