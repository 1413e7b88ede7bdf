"""The law "merging is safe" over random operations: two clones go their ways and meet, either way round.

Real git, no merge driver. Git may stop in derived files; `memctl check --fix` settles them from the index, and
both ways commit one directory in which nothing is lost and `check` finds nothing.
"""

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from running import entries, memctl, messages, snapshot
from test_law_merge_git import committed, committed_tree, git

FEW, MANY = 6, 200


@dataclass
class Clone:
    """One side: where it is, its own random numbers, what it has said must not come back."""

    home: Path
    sources: Path
    random: random.Random
    now: int = 0
    forgotten: list[str] = field(default_factory=list)
    cleared: set[str] = field(default_factory=set)

    def time(self) -> str:
        """Give the next moment of this side."""
        self.now += 1
        return f"2026-04-{self.random.randrange(1, 28):02d}T10:00:{self.now % 60:02d}Z"

    def atoms(self) -> list[dict[str, str]]:
        """Give the active atoms."""
        out = memctl("-C", self.home, "atom", "list", "--format", "jsonl", code=None).out
        return [json.loads(line) for line in out.split("\n") if line]


# --------------------------------------------------------------------------- operations


def ingest_other(clone: Clone) -> None:
    """Take a session that the other side may have, too."""
    source = clone.random.choice(sorted(clone.sources.glob("*.json*")))
    memctl("-q", "-C", clone.home, "ingest", source, code=None)


def ingest_length(clone: Clone) -> None:
    """Take the one growing session up to some line."""
    path = clone.sources.parent / "growing" / "claude_code.jsonl"
    lines = path.read_bytes().split(b"\n")
    part = clone.home.parent / f"{clone.home.name}-part" / path.name
    part.parent.mkdir(exist_ok=True)
    part.write_bytes(b"\n".join(lines[: clone.random.randrange(3, len(lines))]) + b"\n")
    memctl("-q", "-C", clone.home, "ingest", part, code=None)


def extract(clone: Clone) -> None:
    memctl("-q", "-C", clone.home, "extract")


def forget(clone: Clone) -> None:
    if found := clone.atoms():
        atom = clone.random.choice(found)
        memctl("-q", "-C", clone.home, "atom", "forget", atom["id"], "--now", clone.time(), code=None)
        clone.forgotten.append(atom["content"])


def correct(clone: Clone) -> None:
    if found := clone.atoms():
        atom = clone.random.choice(found)
        words = f"Corrected by {clone.home.name} to {clone.random.randrange(1000)}."
        memctl("-q", "-C", clone.home, "atom", "correct", atom["id"], words, "--now", clone.time(), code=None)


def edit_persona(clone: Clone) -> None:
    """Write into the persona by hand: above, below, or inside memctl's block."""
    path = clone.home / "persona.md"
    text = path.read_text("utf-8") if path.is_file() else ""
    words = f"By hand in {clone.home.name}, {clone.random.randrange(1000)}.\n"
    where = clone.random.randrange(3)
    if where == 0 or "<!-- memctl:end -->" not in text:
        text = words + text if where == 0 else text + words
    elif where == 1:
        text += words
    else:
        text = text.replace("<!-- memctl:end -->", f"{words}<!-- memctl:end -->", 1)
    path.write_text(text, "utf-8")


def write_scene(clone: Clone) -> None:
    """Put a runbook of one's own beside the scenes, or change it."""
    path = clone.home / "scene_blocks" / "team" / "runbook.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text("utf-8") if path.is_file() else "# Runbook\n\n"
    path.write_text(before + f"- step {clone.random.randrange(1000)} of {clone.home.name}\n", "utf-8")


def edit_canvas(clone: Clone) -> None:
    """Change a node's words by hand."""
    found = sorted((clone.home / "mmds").glob("*.mmd"))
    if found:
        path = clone.random.choice(found)
        text = path.read_text("utf-8")
        path.write_text(text.replace("status: done", "status: paused", 1), "utf-8")


def compact(clone: Clone) -> None:
    """Run what cron runs, at some time after it all."""
    memctl("-q", "-C", clone.home, "compact", "--now", clone.time().replace("2026-04", "2026-06"), code=None)


def clear(clone: Clone) -> None:
    """Clear a session, for good."""
    found = sorted({message["sessionId"] for message in messages(clone.home)})
    if found and clone.random.random() < 0.5:
        session = clone.random.choice(found)
        options = ("--session", session, "--yes", "--now", clone.time().replace("2026-04", "2026-05"))
        memctl("-q", "-C", clone.home, "clear", *options)
        clone.cleared.add(session)


def set_state(clone: Clone) -> None:
    """Say how it stands with a task, one of the other side's too."""
    found = sorted((clone.home / "tasks").glob("*.yaml"))
    if found:
        state = clone.random.choice(("in_progress", "completed", "paused", "cancelled"))
        name = clone.random.choice(found).stem
        memctl("-q", "-C", clone.home, "task", "set-state", name, state, "--now", clone.time(), code=None)


def create_task(clone: Clone) -> None:
    """Begin a task, which the other side may begin, too."""
    name = f"Task_{clone.random.randrange(3)}"
    words = f"begun in {clone.home.name}"
    memctl("-q", "-C", clone.home, "task", "create", name, "-d", words, "--now", clone.time(), code=None)


def settings(clone: Clone) -> None:
    """Redact differently from here on, or write a comment."""
    path = clone.home / "memctl.yaml"
    text = path.read_text("utf-8")
    if clone.random.random() < 0.5:
        text = text.replace("redact: on ", "redact: off")
    path.write_text(f"{text}# a comment of {clone.home.name}\n", "utf-8")


OPERATIONS: list[Callable[[Clone], None]] = [
    *(ingest_other, ingest_other, ingest_length, ingest_length, extract, extract),
    *(forget, correct, edit_persona, write_scene, edit_canvas, settings),
    *(compact, set_state, set_state, create_task, clear),
]


# --------------------------------------------------------------------------- the law


def merged(ours: Path, theirs: Path) -> None:
    """Merge as a person would: git stops or not, `check --fix --commit` settles and ends it."""
    git(ours, "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main", code=None)
    memctl("-q", "-C", ours, "check", "--fix", "--strict", "--commit")
    assert committed_tree(ours) == snapshot(ours), "what is committed is what is there"


def meet(tmp_path: Path, seed: int, samples: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seed names a case
    sources = tmp_path / "sources"
    (tmp_path / "growing").mkdir()
    sources.mkdir()
    for path in sorted(samples.iterdir()):
        if path.name == "claude_code.jsonl":
            shutil.copy(path, tmp_path / "growing" / path.name)
        elif path.suffix in (".json", ".jsonl"):
            shutil.copy(path, sources / path.name)
    origin = Clone(tmp_path / "origin", sources, rng)
    memctl("-q", "-C", origin.home, "init")
    git(origin.home, "init", "-q", "-b", "main")
    for _ in range(rng.randrange(4)):
        rng.choice(OPERATIONS)(origin)
    committed(origin.home, "base")
    sides = []
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin.home), name)
        sides.append(Clone(tmp_path / name, sources, rng))
    done: list[str] = []
    for clone in sides:
        for _ in range(rng.randrange(1, 6)):
            operation = rng.choice(OPERATIONS)
            done.append(f"{clone.home.name}: {operation.__name__}")
            operation(clone)
        committed_if_changed(clone.home)
    ours, theirs = sides
    gone = {session for clone in (origin, *sides) for session in clone.cleared}
    said = {row["id"] for side in sides for row in messages(side.home) if row["sessionId"] not in gone}
    called = {
        row["tool_call_id"] for side in sides for row in entries(side.home) if row["session_id"] not in gone
    }
    words = [line for side in sides for line in by_hand(side.home)]
    other = tmp_path / "other"
    shutil.copytree(theirs.home, other)

    merged(other, ours.home)
    merged(ours.home, theirs.home)

    one, two = snapshot(ours.home), snapshot(other)
    different = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    assert not different, (seed, done, different)
    assert {message["id"] for message in messages(other)} == said, (seed, done)
    assert {entry["tool_call_id"] for entry in entries(other)} == called, (seed, done)
    lost = [line for line in words if line not in by_hand(other) and line not in kept(other)]
    assert not lost, (seed, done, lost)
    for content in (*ours.forgotten, *theirs.forgotten):
        known = [atom["content"] for atom in Clone(other, sources, rng).atoms()]
        assert content not in known, (seed, done, content)
    memctl("-q", "-C", other, "check", "--fix", "--strict")
    assert snapshot(other) == two, (seed, done)  # a second time changes nothing


def committed_if_changed(home: Path) -> None:
    git(home, "add", "-A")
    git(home, "commit", "-q", "-m", "work", code=None)


def by_hand(home: Path) -> list[str]:
    """Give the lines that a person wrote."""
    paths = [home / "persona.md", *(home / "scene_blocks").rglob("*.md"), home / "memctl.yaml"]
    texts = [path.read_text("utf-8") for path in paths if path.is_file()]
    marks = ("By hand in", "- step ", "# a comment of")
    return [line for text in texts for line in text.split("\n") if line.startswith(marks)]


def kept(home: Path) -> str:
    """Give all earlier versions."""
    return "\n".join(
        path.read_text("utf-8", "surrogateescape")
        for path in (home / "versions").rglob("*")
        if path.is_file()
    )


@pytest.mark.parametrize("seed", range(FEW))
def test_two_clones_meet_whatever_each_did(samples: Path, tmp_path: Path, seed: int) -> None:
    meet(tmp_path, seed, samples)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FEW, MANY))
def test_many_clones_meet_whatever_each_did(samples: Path, tmp_path: Path, seed: int) -> None:
    meet(tmp_path, seed, samples)
