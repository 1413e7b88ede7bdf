"""The law "merging is safe", with real git: two clones go their ways, meet, and lose nothing.

Git may stop in mmds/ and tasks/; whatever is committed there, markers and all, the next pass puts right.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from running import entries, memctl, messages, snapshot

if shutil.which("git") is None:
    pytest.skip("git is not here", allow_module_level=True)


def git(home: Path, *arguments: str, code: int | None = 0) -> str:
    done = subprocess.run(["git", *arguments], cwd=home, capture_output=True, check=False, text=True)
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done.stdout


def committed(home: Path, message: str) -> None:
    git(home, "add", "-A")
    git(home, "commit", "-q", "-m", message)


def clones(tmp_path: Path, base: Path) -> tuple[Path, Path]:
    """Make a directory with one session, and two clones of it."""
    origin = tmp_path / "origin"
    memctl("-q", "-C", origin, "ingest", base)
    git(origin, "init", "-q", "-b", "main")
    committed(origin, "base")
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin), name)
    return tmp_path / "ours", tmp_path / "theirs"


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


def committed_tree(home: Path) -> dict[str, bytes]:
    """Give what a clone of a directory that is a repository has; nothing of it is left to commit."""
    assert git(home, "status", "--porcelain") == ""
    clone = home.parent / f"clone-of-{home.name}"
    git(home.parent, "clone", "-q", str(home), clone.name)
    memctl("-q", "-C", clone, "check", "--strict")
    return snapshot(clone)


def test_different_sessions_of_one_number_meet(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    memctl("-q", "-C", ours, "ingest", samples / "claude_code.jsonl")
    memctl("-q", "-C", theirs, "ingest", samples / "anthropic.json", samples / "gemini.json")
    printed = {(entry["session_id"], entry["node_id"]) for home in (ours, theirs) for entry in entries(home)}
    committed(ours, "ours")
    committed(theirs, "theirs")

    meet(tmp_path, ours, theirs, samples / "codex.jsonl")

    numbers = [path.name[:3] for path in (ours / "mmds").iterdir()]
    assert len(set(numbers)) == len(numbers) == 5
    for _, node in printed:  # an id once printed still leads somewhere: to its canvas, or to a list of both
        assert memctl("-C", ours, "drill", node, code=None).code in (0, 2)
    for entry in entries(ours):
        assert memctl("-C", ours, "drill", entry["node_id"], code=None).code in (0, 2)
    kept = {entry["tool_call_id"] for entry in entries(ours)}
    assert {entry["tool_call_id"] for home in (ours, theirs) for entry in entries(home)} == kept


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
