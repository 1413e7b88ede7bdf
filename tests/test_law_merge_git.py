"""The law "merging is safe", with real git: two clones go their ways, meet, and lose nothing.

Git may stop in mmds/ and tasks/; whatever is committed there, markers and all, the next pass puts right.
"""

import json
import shutil
from pathlib import Path

import pytest
from clones import clones, committed, committed_tree, git
from running import entries, memctl, messages, snapshot


def merged(ours: Path, theirs: Path) -> None:
    """Merge *theirs* into *ours*, committing whatever git leaves, markers and all."""
    git(ours, "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main", code=None)
    git(ours, "add", "-A")
    git(ours, "commit", "-q", "--no-edit", "-m", "merge", code=None)


def meet(tmp_path: Path, ours: Path, theirs: Path, source: Path) -> dict[str, bytes]:
    """Merge either way, let the next pass put both right, and check that both are one directory."""
    other = tmp_path / "other"
    shutil.copytree(theirs, other)
    merged(other, ours)
    merged(ours, theirs)
    for home in (ours, other):
        memctl("-q", "-C", home, "ingest", source)
        memctl("-C", home, "validate", "--strict")
        before = snapshot(home)
        memctl("-q", "-C", home, "ingest", source)
        assert before == snapshot(home)
        memctl("-q", "-C", home, "ingest", source, "--commit")
        assert committed_tree(home) == before
    one, two = snapshot(ours), snapshot(other)
    assert one == two
    return one


def test_different_sessions_of_one_number_meet(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    memctl("-q", "-C", ours, "ingest", samples / "claude_code.jsonl")
    memctl("-q", "-C", theirs, "ingest", samples / "anthropic.json", samples / "gemini.json")
    printed = {(entry["session_id"], entry["node_id"]) for home in (ours, theirs) for entry in entries(home)}
    names = {home: [path.stem for path in (home / "mmds").iterdir()] for home in (ours, theirs)}
    committed(ours, "ours")
    committed(theirs, "theirs")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    numbers = [path.name[:3] for path in (ours / "mmds").iterdir()]
    assert len(set(numbers)) == len(numbers) == 5
    for _, node in printed:  # an id once printed still leads somewhere: to its canvas, or to a list of both
        assert memctl("-C", ours, "drill", node, code=None).code in (0, 2)
    for entry in entries(ours):
        assert memctl("-C", ours, "drill", entry["node_id"], code=None).code in (0, 2)
    for home in (ours, theirs):
        for name in names[home]:
            for given in (name, f"canvas:{name}", f"{name}.mmd", f"mmds/{name}.mmd"):
                found = memctl("-C", ours, "drill", given, "--format", "jsonl").out
                assert name.partition("-")[2] in json.loads(found.split("\n")[0])["id"], (given, found)
                memctl("-C", ours, "canvas", "show", given)
    kept = {entry["tool_call_id"] for entry in entries(ours)}
    assert {entry["tool_call_id"] for home in (ours, theirs) for entry in entries(home)} == kept


def test_a_number_that_a_canvas_gave_up_still_names_it_when_no_other_has_it(
    samples: Path, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "gemini.json")
    (path,) = (home / "mmds").iterdir()
    text = path.read_text().replace("001-N", "004-N").replace('"session"', '"was":["001"],"session"')
    path.with_name(path.name.replace("001", "004")).write_text(text)
    path.unlink()

    for given in ("1", "001", path.stem, path.name):
        assert "004" in memctl("-C", home, "drill", given).out
        assert "004" in memctl("-C", home, "canvas", "show", given).out
    assert memctl("-C", home, "drill", "001-another-thing", code=None).code == 1


def test_two_lengths_of_one_session_meet(samples: Path, tmp_path: Path) -> None:
    source = samples / "claude_code.jsonl"
    data = source.read_bytes()
    part = tmp_path / source.name
    part.write_bytes(data[: len(data) // 3])
    ours, theirs = clones(tmp_path, part)
    part.write_bytes(data[: len(data) // 2])
    memctl("-q", "-C", ours, "ingest", part)
    part.write_bytes(data)
    memctl("-q", "-C", theirs, "ingest", part)
    committed(ours, "half")
    committed(theirs, "all")

    found = meet(tmp_path, ours, theirs, part)

    memctl("-q", "-C", tmp_path / "once", "ingest", part)
    once = snapshot(tmp_path / "once")
    assert once.keys() <= found.keys()
    assert {name: found[name] for name in once if name != "memctl.yaml"} == {
        name: data for name, data in once.items() if name != "memctl.yaml"
    }


def test_the_same_session_taken_on_both_sides_under_two_numbers_is_one(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    memctl("-q", "-C", ours, "ingest", samples / "claude_code.jsonl")
    memctl("-q", "-C", theirs, "ingest", samples / "gemini.json")
    memctl("-q", "-C", theirs, "ingest", samples / "claude_code.jsonl")
    committed(ours, "ours")
    committed(theirs, "theirs")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    assert len(list((ours / "mmds").iterdir())) == 3
    assert len({message["id"] for message in messages(ours)}) == len(messages(ours))


def test_lost_and_spoiled_canvases_come_back_from_the_entries_alone(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    before = snapshot(home)
    paths = sorted((home / "mmds").iterdir())
    paths[0].unlink()
    paths[1].write_text("<<<<<<< ours\nflowchart TD\n=======\nflowchart LR\n>>>>>>> theirs\n")
    one = tmp_path / "one.json"
    one.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]')

    memctl("-q", "-C", home, "ingest", one)

    after = snapshot(home)
    assert before == {name: after[name] for name in before}


# --------------------------------------------------------------------------- a person's hand in a canvas


def edit(home: Path, number: int, words: str) -> Path:
    """Write words of a person into the first step of a canvas."""
    (path,) = (home / "mmds").glob(f"{number:03d}-*")
    path.write_text(path.read_text().replace("summary: ", f"summary: {words} ", 1))
    return path


def holding(home: Path, words: str) -> set[str]:
    """Name the folders with files that hold some words."""
    return {name.split("/")[0] for name, data in snapshot(home).items() if words.encode() in data}


@pytest.mark.parametrize("name", ["001-my-name.mmd", "007-my-name.mmd", "mine.mmd"])
def test_a_canvas_that_a_person_edited_and_renamed_stays_theirs(
    samples: Path, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "gemini.json", samples / "claude_code.jsonl")
    path = edit(home, 1, "BY HAND")
    path.rename(path.with_name(name))

    found = memctl("-C", home, "check", "--fix")

    assert "is 001 now" not in found.out + found.err
    assert b"BY HAND" in path.read_bytes()
    assert not path.with_name(name).exists()
    memctl("-C", home, "check", "--strict")


def test_an_edited_copy_of_a_canvas_becomes_a_version_of_it(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "gemini.json")
    (path,) = (home / "mmds").iterdir()
    shutil.copy(path, path.with_name("001-copy.mmd"))
    copy = path.with_name("001-copy.mmd")
    copy.write_text(copy.read_text().replace("summary: ", "summary: BY HAND ", 1))

    memctl("-q", "-C", home, "check", "--fix")

    assert holding(home, "BY HAND") == {"versions"}
    assert [one.name for one in (home / "mmds").iterdir()] == [path.name]


def test_a_canvas_renamed_on_one_side_and_edited_on_the_other_keeps_the_edit(
    samples: Path, tmp_path: Path
) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    (path,) = (ours / "mmds").iterdir()
    path.rename(path.with_name("001-my-name.mmd"))
    edit(theirs, 1, "BY HAND")
    committed(ours, "rename")
    committed(theirs, "edit")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    assert b"BY HAND" in path.read_bytes()


def test_both_edits_of_a_canvas_are_kept_when_its_conflict_was_committed(
    samples: Path, tmp_path: Path
) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    edit(ours, 1, "BY OUR HAND")
    path = edit(theirs, 1, "BY THEIR HAND")
    committed(ours, "ours")
    committed(theirs, "theirs")
    merged(theirs, ours)
    assert b"<<<<<<< " in path.read_bytes()
    git(theirs, "reset", "-q", "--hard", "HEAD~1")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    assert holding(ours, "BY OUR HAND") >= {"versions"}
    assert holding(ours, "BY THEIR HAND") >= {"versions"}
    for path in (ours / "versions" / "mmds").glob("*/*.mmd"):
        assert b"<<<<<<<" not in path.read_bytes()


def test_a_canvas_that_cannot_be_read_is_kept_as_a_version(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")
    (path,) = (home / "mmds").iterdir()
    path.write_text("My own notes of this task.\n")

    memctl("-q", "-C", home, "check", "--fix")

    assert holding(home, "My own notes") == {"versions"}
    memctl("-C", home, "check", "--strict")


def test_an_edited_canvas_that_gives_way_stays_edited(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    memctl("-q", "-C", ours, "ingest", samples / "claude_code.jsonl")
    memctl("-q", "-C", theirs, "ingest", samples / "gemini.json")
    edit(ours, 2, "BY OUR HAND")
    edit(theirs, 2, "BY THEIR HAND")
    committed(ours, "ours")
    committed(theirs, "theirs")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    memctl("-q", "-C", ours, "check", "--fix")
    assert holding(ours, "BY OUR HAND") >= {"mmds"}
    assert holding(ours, "BY THEIR HAND") >= {"mmds"}
