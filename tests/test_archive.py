"""Archiving: only `status` and `before` change, reopening gives the rest back, new work reopens by itself."""

import json
from pathlib import Path

import pytest
from canvases import canvases
from hypothesis import given, strategies as st
from running import memctl, snapshot

from memctl.canvas.archiving import archived, reopened, standing
from memctl.canvas.mmd import parse_canvas, write_canvas
from memctl.model import Canvas

THEIRS = [
    '%%{ "taskGoal": "a", "status": "active", "createdTime": null }%%\nflowchart TD\n001-N1["x"]\n',
    '%%{\r\n  "taskGoal": "a {b}, \\"c\\"",\r\n  "status": "done"\r\n}%%\r\nflowchart TD\r\n',
    '%% {"taskGoal":"no status"}\nflowchart TD\n',
    '\ufeff%% {"status":"paused","taskGoal":"status first","before":"active"}\nflowchart TD\n',
    '%% {"status":"active","status":"paused"}\nflowchart TD\n',
]


@given(canvases(), st.sampled_from(["active", "paused", "completed", "cancelled"]))
def test_reopening_gives_every_byte_back(canvas: Canvas, status: str) -> None:
    text = write_canvas(canvas).replace(f'"status":"{canvas.status}"', f'"status":"{status}"', 1)

    put_aside = archived(text)

    assert archived(put_aside) == put_aside
    assert reopened(put_aside) == text
    assert reopened(text) == text
    read, before = parse_canvas(put_aside, canvas.number)[0], parse_canvas(text, canvas.number)[0]
    assert read is not None
    assert before is not None
    assert read.status == "archived"
    assert read.extra["before"] == status
    assert standing(read).status == status
    assert put_aside.partition("\n")[2] == text.partition("\n")[2]
    assert (read.goal, read.nodes, read.edges) == (before.goal, before.nodes, before.edges)


@pytest.mark.parametrize("text", THEIRS)
def test_headers_of_other_hands_come_back_as_they_were(text: str) -> None:
    put_aside = archived(text)

    read, _ = parse_canvas(put_aside, 1)
    assert read is not None
    assert read.status == "archived"
    assert reopened(put_aside) == text.replace(',"before":"active"', "")


@pytest.mark.parametrize("text", ["flowchart TD\n", "", "%% {taskGoal: a}\n", '%% {"a":1\n', "%% {}\n"])
def test_a_header_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="header"):
        archived(text)


def test_archive_and_reopen_change_one_file_and_give_it_back(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    before = snapshot(home)

    told = memctl("-C", home, "canvas", "archive", "1", "nightly backup")

    after = snapshot(home)
    changed = {name for name in after if after[name] != before[name]}
    assert {name[5:8] for name in changed} == {"001", "003"}
    assert [line[:37] for line in told.out.splitlines()] == [
        "001  2026-03-02  completed (archived)",
        "003  2026-03-04  completed (archived)",
    ]
    assert "was already archived" in memctl("-C", home, "canvas", "archive", "1").err
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    assert after == snapshot(home)  # neither a pass over the same nor the scenes move it
    memctl("-C", home, "canvas", "reopen", "1", "003-N1")
    assert before == snapshot(home)
    assert "was not archived" in memctl("-C", home, "canvas", "reopen", "1").err


def test_one_bad_name_and_nothing_is_archived(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    before = snapshot(home)
    outside = tmp_path / "001-other.mmd"
    outside.write_bytes((home / "mmds").joinpath(min((home / "mmds").iterdir()).name).read_bytes())

    memctl("-C", home, "canvas", "archive", "1", "xyzzy", code=1)
    memctl("-C", home, "canvas", "archive", outside, code=2)
    assert before == snapshot(home)
    (home / "mmds" / "001-tests-test-tokens-py.mmd").write_bytes(b'001-N1["x"]')
    assert "canvas fmt" in memctl("-C", home, "canvas", "archive", "1", code=3).err


def _cut(samples: Path, target: Path, count: int) -> Path:
    messages = json.loads((samples / "anthropic.json").read_bytes())
    target.write_text(json.dumps(messages[:count]), encoding="utf-8")
    return target


@pytest.mark.parametrize("lost", [False, True])
def test_new_work_reopens_an_archived_canvas_and_other_work_does_not(
    samples: Path, tmp_path: Path, lost: bool
) -> None:
    home, source = tmp_path / "memory", tmp_path / "chat.json"
    memctl("-q", "-C", home, "ingest", _cut(samples, source, 12))
    memctl("-q", "-C", home, "canvas", "archive", "1")

    memctl("-q", "-C", home, "ingest", _cut(samples, source, 16))
    assert _states(home)[:1] == ["archived"]
    canvas = min((home / "mmds").iterdir())
    if lost:  # what a merge of clones leaves: the conversation is ahead of its canvas
        old = canvas.read_bytes()
    memctl("-q", "-C", home, "ingest", _cut(samples, source, 99))
    if lost:
        canvas.write_bytes(old)
        memctl("-q", "-C", home, "ingest", source)

    memctl("-q", "-C", tmp_path / "once", "ingest", source)
    assert snapshot(tmp_path / "once") == snapshot(home)
    assert "archived" not in _states(home)


def _states(home: Path) -> list[str]:
    return memctl("-C", home, "canvas", "list", "--print", "status").out.split()


def test_a_lost_task_of_an_archived_canvas_comes_back_with_the_state_before(
    samples: Path, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "anthropic.json")
    before = snapshot(home)
    memctl("-q", "-C", home, "canvas", "archive", "1")
    for task in (home / "tasks").iterdir():
        task.unlink()
    first = min((home / "mmds").iterdir())
    first.write_bytes(first.read_bytes().replace(b'"upto":20', b'"upto":19'))  # behind: it is drawn again

    memctl("-q", "-C", home, "ingest", samples / "anthropic.json")
    assert memctl("-C", home, "task", "list", "--print", "state").out.split() == ["in_progress", "completed"]
    memctl("-q", "-C", home, "canvas", "reopen", "1")

    assert {name: data for name, data in snapshot(home).items() if name.startswith("tasks/")} == {
        name: data for name, data in before.items() if name.startswith("tasks/")
    }


def test_an_archived_canvas_says_what_it_was_and_comes_last(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    before = {row["number"]: row for row in memctl("-C", home, "canvas", "list", "--format", "json").data}
    newest = memctl("-C", home, "status").out.split()[-1]
    memctl("-C", home, "canvas", "archive", newest, "1")

    rows = {row["number"]: row for row in memctl("-C", home, "canvas", "list", "--format", "json").data}
    for number, row in rows.items():
        was = before[number]["status"]
        assert (row["status"], row["before"]) == (
            ("archived", was) if number in (1, int(newest)) else (was, None)
        )
    listed = memctl("-C", home, "canvas", "list", "--status", "archived").out.splitlines()
    assert {line[17:37].rstrip() for line in listed} == {"completed (archived)", "active (archived)"}
    assert "active (archived)" in memctl("-C", home, "canvas", "show", newest).out
    status = memctl("-C", home, "status").out.splitlines()
    lines = [line for line in status if " of " in line and line[:3].isdigit()]
    assert len(lines) == 8
    assert not any("(archived)" in line for line in lines)  # the two that are not shown
    assert "2 archived (1 unfinished)" in "\n".join(status)
    assert rows[int(status[-1].split()[-1])]["status"] == "active"


def test_a_number_is_no_words_and_a_status_is_one_of_five(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)

    for name in ("264", "264-N1", "canvas:264", "00", "7" * 30):
        assert f"no canvas '{name}'" in memctl("-C", home, "canvas", "show", name, code=1).err
        assert f"no canvas '{name}'" in memctl("-C", home, "render", name, code=1).err
    assert "no status 'bogus'" in memctl("-C", home, "canvas", "list", "--status", "active,bogus", code=2).err


def test_the_number_of_a_cleared_canvas_says_so(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    row = memctl("-C", home, "canvas", "list", "--format", "json").data[0]
    memctl("-C", home, "clear", "--session", row["session"], "--yes")

    told = memctl("-C", home, "canvas", "show", str(row["number"]), code=1).err
    assert "was cleared with its session" in told
