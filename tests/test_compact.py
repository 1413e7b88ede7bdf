"""Compact: chooses well, changes nothing twice, survives a kill at every step, and the trash gives back."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from dying import DIE_AT
from hypothesis import given, strategies as st
from running import PROGRAM, memctl, snapshot

from memctl import files
from memctl.layers.merging import merges
from memctl.model import Atom
from memctl.store import atoms as stored

NOW = "2026-03-20T12:00:00Z"
ORPHAN = "refs/2026-04/2026-04-12T21-00-33-872p08-00-1a2b3c4d5e6f.md"


def an_atom(name: str, content: str, session: str, **more: Any) -> Atom:
    fields = {
        "id": f"m_{name:0>12}",
        "content": content,
        "type": "instruction",
        "priority": 70,
        "source_message_ids": [f"message-of-{session}"],
        "metadata": {"tags": ["rule"], "said": [f"{name:0>16}"]},
        "timestamps": ["2026-03-05T09:00:00Z"],
        "createdAt": "2026-03-05T09:00:00Z",
        "updatedAt": "2026-03-05T09:00:00Z",
        "sessionId": session,
        "scene_name": "what one of them talked about",
        "actor": "rules",
    }
    return stored.from_fields(fields | more)


@pytest.fixture
def home(samples: Path, tmp_path: Path) -> Path:
    """Give a directory with all that compact looks for."""
    return made(tmp_path / "memory", samples)


def made(home: Path, source: Path) -> Path:
    memctl("-q", "-C", home, "ingest", source)
    memctl("-q", "-C", home, "extract")
    ref = home / ORPHAN
    ref.parent.mkdir()
    ref.write_bytes(b"# Tool Result: exec\n\n- bytes: 2\n\n---\n\nhi")
    ref.with_name(f"{ref.name}.1.png").write_bytes(b"a picture beside it")
    twins = [
        an_atom("1", "Write the release notes in Dutch and Frisian.", "one"),
        an_atom("2", "Write release notes in Dutch and Frisian", "two"),
        an_atom("3", "Write the release notes in Dutch and English.", "one"),
    ]
    with (home / "records" / "2026-03-05.jsonl").open("ab") as stream:
        stream.writelines(map(stored.to_line, twins))
    return home


def compact(home: Path, *more: str, code: int | None = 0) -> Any:
    return memctl("-C", home, "compact", "--now", NOW, *more, code=code)


def size(home: Path) -> int:
    return sum(len(data) for name, data in snapshot(home).items() if not name.startswith("versions/"))


def states(home: Path) -> dict[str, str]:
    out = memctl("-C", home, "canvas", "list", "--print", "number,status").out
    return dict(line.split("\t") for line in out.splitlines())


def test_a_dry_run_says_it_all_and_writes_nothing(home: Path) -> None:
    before = snapshot(home)

    told = compact(home, "--dry-run").out

    assert before == snapshot(home)
    assert not (home / ".memctl" / "plan").exists()
    assert "archive  mmds/001-tests-test-tokens-py.mmd  (completed)" in told
    assert f"trash    {ORPHAN}  (nothing points to it, " in told
    assert "merge    m_000000000002  (says the same as m_000000000001)" in told
    done = compact(home, "--format", "json").data
    assert sorted(told.splitlines()) == sorted(
        compact_line
        for compact_line in told.splitlines()
        if any(action["thing"] in compact_line for action in done["actions"])
    )


def test_what_is_finished_is_archived_and_what_is_open_is_not(home: Path) -> None:
    told = compact(home)

    assert told.out.startswith("archived 7 canvases; merged 1 atom; ")
    assert told.out.count("\n") == 1
    assert {"1": "archived", "5": "active", "6": "archived", "9": "active"}.items() <= states(home).items()


def test_the_task_at_hand_is_never_idle(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "claude_code.jsonl", samples / "gemini.json")

    compact(home, "--now", "2029-01-01")

    assert states(home) == {"1": "archived", "2": "active"}  # it holds the newest entry


def test_a_canvas_without_a_time_is_never_idle(home: Path) -> None:
    compact(home, "--now", "2029-01-01")

    assert {"5": "archived", "7": "active", "9": "active"}.items() <= states(home).items()


def test_what_is_idle_is_archived_after_the_days_the_settings_say(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    canvas = next((home / "mmds").glob("001-*"))
    canvas.write_bytes(canvas.read_bytes().replace(b'"status":"completed"', b'"status":"paused"'))

    memctl("-q", "-C", home, "compact", "--now", "2026-03-10")
    assert states(home)["1"] == "paused"
    memctl("-q", "-C", home, "compact", "--now", "2026-03-17")
    assert states(home)["1"] == "archived"
    assert b'"before":"paused"' in canvas.read_bytes()


def test_twice_changes_nothing_and_says_nothing(home: Path) -> None:
    compact(home)
    before = snapshot(home)

    again = compact(home)

    assert (again.out, again.err) == ("", "")
    assert before == snapshot(home)
    memctl("-q", "-C", home, "extract")
    assert before == snapshot(home)


def test_quiet_is_quiet(home: Path) -> None:
    told = compact(home, "-q")

    assert (told.out, told.err) == ("", "")


def test_nothing_grows(home: Path) -> None:
    memctl("-q", "-C", home, "extract")  # the scenes know of all atoms
    before, records = size(home), _records(home)
    (home / ORPHAN).unlink()
    (home / f"{ORPHAN}.1.png").unlink()
    gone = before - size(home)

    compact(home)

    assert size(home) <= before - gone
    assert _records(home) <= records


def _records(home: Path) -> int:
    return sum(len(data) for name, data in snapshot(home).items() if name.startswith("records/"))


def test_reopening_gives_canvas_and_task_back(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    before = snapshot(home)
    compact(home)
    assert before != snapshot(home)
    assert memctl("-C", home, "check").code == 0
    archived = [number for number, status in states(home).items() if status == "archived"]

    memctl("-q", "-C", home, "canvas", "reopen", *archived)

    assert before == snapshot(home)


def test_duplicates_become_one_with_the_evidence_of_both(home: Path) -> None:
    compact(home)

    kept = memctl("-C", home, "atom", "show", "m_000000000001", "--format", "json").data
    assert kept["source_message_ids"] == ["message-of-one", "two/message-of-two"]
    assert kept["supersedes"] == ["m_000000000002"]
    gone = memctl("-C", home, "atom", "show", "m_000000000002", "--format", "json").data
    assert (gone["status"], gone["content"]) == ("superseded", "Write release notes in Dutch and Frisian")
    assert memctl("-C", home, "atom", "show", "m_000000000003", "--format", "json").data["status"] == "active"
    assert memctl("-C", home, "drill", "m_000000000002").out


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["Use tabs in this project", "use Tabs in this project!", "Use four spaces here"]
            ),
            st.sampled_from(["rules", "human", "llm:x"]),
            st.sampled_from(["one", "two"]),
        ),
        max_size=6,
    ),
    st.randoms(),
)
def test_merging_does_not_ask_for_the_order_and_is_done_once(
    drawn: list[tuple[str, str, str]], chance: Any
) -> None:
    known = [
        an_atom(str(at), content, session, actor=actor) for at, (content, actor, session) in enumerate(drawn)
    ]
    shuffled = list(known)
    chance.shuffle(shuffled)

    found = merges(known)

    assert found == merges(shuffled)
    after = {atom.id: atom for atom in known}
    after |= {atom.id: atom for merge in found for atom in (merge.kept, *merge.gone)}
    assert merges(after.values()) == []
    assert all(atom.status == "active" for atom in after.values() if atom.actor == "human")
    assert {atom.content for atom in known} == {atom.content for atom in after.values()}


def test_what_was_merged_stays_merged_when_it_is_heard_again(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    words = ["Always write the release notes in Dutch.", "Always write release notes in Dutch"]
    for number, text in enumerate(words):
        source = tmp_path / f"{number}.json"
        source.write_text(json.dumps([{"role": "user", "content": text}]), encoding="utf-8")
        memctl("-q", "-C", tmp_path / f"{number}", "ingest", source)
        memctl("-q", "-C", tmp_path / f"{number}", "extract")
        for path in sorted((tmp_path / f"{number}").glob("*/*.jsonl")):
            target = home / path.relative_to(tmp_path / f"{number}")
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("ab") as stream:
                stream.write(path.read_bytes())
    assert len(memctl("-C", home, "atom", "list").out.splitlines()) == 2
    compact(home)
    listed = memctl("-C", home, "atom", "list").out
    assert len(listed.splitlines()) == 1

    memctl("-q", "-C", home, "extract")  # this directory has heard none of it yet

    assert memctl("-C", home, "atom", "list").out == listed
    assert compact(home).out == ""


def test_the_trash_gives_back_and_is_emptied_on_request(home: Path) -> None:
    before = snapshot(home)
    compact(home)
    assert not (home / ORPHAN).parent.exists()

    listed = memctl("-C", home, "trash", "list", "--print", "path").out.split()
    assert listed == [ORPHAN, f"{ORPHAN}.1.png"]
    assert "would delete 2 files" in memctl("-C", home, "trash", "empty", "--dry-run").err
    memctl("-C", home, "trash", "empty", code=2)
    memctl("-C", home, "trash", "restore", "no-such-thing", code=1)
    memctl("-C", home, "trash", "restore", "refs/2026-04")
    assert snapshot(home)[ORPHAN] == before[ORPHAN]
    assert memctl("-C", home, "trash", "list").out == ""
    compact(home)
    (home / ORPHAN).parent.mkdir()
    (home / ORPHAN).write_bytes(b"another")
    memctl("-C", home, "trash", "restore", ORPHAN, code=3)
    memctl("-C", home, "trash", "empty", "--older-than", "2", "--now", "2026-03-21T12:00:00Z", "--yes")
    assert len(memctl("-C", home, "trash", "list").out.splitlines()) == 2
    memctl("-C", home, "trash", "empty", "--older-than", "2", "--now", "2026-03-23T12:00:00Z", "--yes")
    assert memctl("-C", home, "trash", "list").out == ""


def test_a_ref_that_anything_names_stays(home: Path) -> None:
    note = home / "scene_blocks" / "runbook.md"
    note.write_text(f"The log of that night: {ORPHAN}.\n", encoding="utf-8")

    compact(home)

    assert (home / ORPHAN).exists()
    assert (home / f"{ORPHAN}.1.png").exists()


def test_retention_moves_the_refs_of_old_tasks_and_nothing_else(home: Path) -> None:
    (home / "memctl.yaml").write_text("format: 1\ncompact:\n  retention_days: 1\n", encoding="utf-8")
    refs = {name for name in snapshot(home) if name.startswith("refs/") and not name.startswith(ORPHAN)}
    assert refs
    compact(home, "--now", "2029-01-01")
    assert refs <= set(snapshot(home))  # there are no more than fifteen canvases

    for number in range(11, 31):
        (home / "mmds" / f"{number:03d}-new.mmd").write_text(
            f'%% {{"taskGoal":"new","status":"paused","updatedTime":"2028-12-{number}T00:00:00Z","by":"human"}}\n'
            f'flowchart TD\n{number:03d}-N1["x"]\n',
            encoding="utf-8",
        )
    before = snapshot(home)
    memctl("-q", "-C", home, "compact", "--now", "2028-12-30")
    gone = {name for name in before if name not in snapshot(home)}
    assert gone
    assert gone <= refs
    assert all(name.startswith(("refs/", "versions/")) for name in {*before} ^ {*snapshot(home)})
    call = next(
        entry
        for path in home.glob("offload-*.jsonl")
        for entry in map(json.loads, path.read_bytes().splitlines())
        if entry["result_ref"] in gone
    )
    assert "trash list" in memctl("-C", home, "drill", "--raw", call["tool_call_id"], code=1).err
    checked = memctl("-C", home, "check", "--verbose", code=None).out
    assert "CHK308" in checked
    assert "CHK301" not in checked
    memctl("-C", home, "trash", "restore", "refs")
    assert memctl("-C", home, "drill", "--raw", call["tool_call_id"]).out


def test_scenes_and_persona_are_written_where_they_are_behind(home: Path) -> None:
    compact(home)
    before = snapshot(home)
    (home / "persona.md").unlink()

    assert compact(home).out == "rebuilt 1 scene file\n"
    assert before == snapshot(home)


def test_without_an_extract_there_are_no_scenes(samples: Path, tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "memory", "ingest", samples)

    memctl("-q", "-C", tmp_path / "memory", "compact")

    assert not (tmp_path / "memory" / "scene_blocks").exists()


# --------------------------------------------------------------------------- kills and locks


@pytest.mark.skipif(not hasattr(__import__("signal"), "SIGKILL"), reason="there is no kill -9 here")
def test_killed_at_every_step_the_next_run_completes(samples: Path, tmp_path: Path) -> None:
    home = made(tmp_path / "memory", samples / "claude_code.jsonl")
    (home / ".memctl" / "extracted.json").unlink()  # so that the scenes are looked at, too
    (home / "persona.md").unlink()
    pristine = files_of(home)
    compact(home)
    wanted, trash = snapshot(home), sorted(one for one in files_of(home) if "trash" in one)
    for left in range(100):
        other = tmp_path / f"killed{left}"
        for name, data in pristine.items():
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            (other / name).write_bytes(data)
        command = [sys.executable, "-c", DIE_AT, str(left), "-q", "-C", str(other), "compact", "--now", NOW]
        child = subprocess.run(command, check=False, capture_output=True)
        compact(other, "--now", "2026-03-20T13:00:00Z")

        assert wanted == snapshot(other), f"killed before step {left}"
        assert not (other / ".memctl" / "plan").exists()
        held = sorted(one for one in files_of(other) if "trash" in one)
        assert [name.rpartition("refs")[2] for name in held] == [name.rpartition("refs")[2] for name in trash]
        if child.returncode == 0:
            assert left > 5
            return
    pytest.fail("the run never came to its end")


def files_of(home: Path) -> dict[str, bytes]:
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and "lock" not in path.name
    }


def test_an_atom_corrected_since_the_kill_is_not_overwritten(home: Path) -> None:
    command = [sys.executable, "-c", DIE_AT, "1", "-q", "-C", str(home), "compact", "--now", NOW]
    subprocess.run(command, check=False, capture_output=True)
    assert (home / ".memctl" / "plan").exists()
    memctl("-q", "-C", home, "atom", "correct", "m_000000000001", "Write the release notes in Welsh.")
    entry = json.dumps({"tool_call_id": "late", "session_id": "late", "result_ref": ORPHAN})
    (home / "offload-late.jsonl").write_text(entry + "\n", encoding="utf-8")

    compact(home)

    assert "in Welsh" in memctl("-C", home, "atom", "show", "m_000000000001").out
    assert memctl("-C", home, "atom", "show", "m_000000000002", "--format", "json").data["status"] == "active"
    assert (home / ORPHAN).exists()


def test_two_at_once_one_works_the_other_exits_11(home: Path) -> None:
    with files.locked(home, 0):
        refused = compact(home, code=11)
        assert f"process {os.getpid()}" in refused.err
        waiting = threading.Timer(0.1, lambda: None)
        waiting.start()
        compact(home, "--wait", "0.2", code=11)
    compact(home, "--wait", "1")


def test_an_ingest_meanwhile_loses_nothing(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    sources = sorted(samples.iterdir())
    memctl("-q", "-C", home, "ingest", *sources[:4])
    stop = time.monotonic() + 20
    ingest = subprocess.Popen([*PROGRAM, "-q", "-C", str(home), "ingest", "--wait", "60", *map(str, sources)])
    while ingest.poll() is None and time.monotonic() < stop:
        memctl("-q", "-C", home, "compact", "--now", NOW, code=None)
    assert ingest.wait() == 0

    memctl("-q", "-C", home, "compact", "--now", NOW)
    memctl("-q", "-C", tmp_path / "alone", "ingest", *sources[:4])
    memctl("-q", "-C", tmp_path / "alone", "ingest", *sources)
    memctl("-q", "-C", tmp_path / "alone", "compact", "--now", NOW)
    assert snapshot(tmp_path / "alone") == snapshot(home)
