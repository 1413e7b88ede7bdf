"""The law "merging is safe", with real git: two clones go their ways, meet, and lose nothing.

Git may stop in mmds/ and tasks/; whatever is committed there, markers and all, the next pass puts right.
"""

import json
import shutil
from pathlib import Path

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
