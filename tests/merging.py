"""Two clones of a memory directory that go their ways: what may be done in each, drawn by chance.

Every operation works in one scope, drawn for it; what a person says or writes in it can be told again later.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import original
from running import memctl

SCOPES = ((), ("--team", "red", "--agent", "coder", "--user", "alice"), ("--user", "bob"))


@dataclass
class Clone:
    """One side: where it is, its own random numbers, what it has said must not come back.

    scope: the options of the scope that the next operation works in. forgotten, cleared: (scope's folder, words
    or session).
    """

    home: Path
    sources: Path
    random: random.Random
    now: int = 0
    scope: tuple[str, ...] = ()
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    cleared: set[tuple[str, str]] = field(default_factory=set)

    @property
    def folder(self) -> str:
        """The folder of the scope, relative to the directory."""
        return folder_of(self.scope)

    @property
    def root(self) -> Path:
        """Where the files of the scope are."""
        return self.home / self.folder

    def time(self) -> str:
        """Give the next moment of this side."""
        self.now += 1
        return f"2026-04-{self.random.randrange(1, 28):02d}T10:00:{self.now % 60:02d}Z"

    def run(self, *words: str | Path, code: int | None = None) -> str:
        """Run a command in the scope and give its answer; it may have nothing to do."""
        done = memctl("-q", "-C", self.home, *self.scope, *words, code=code)
        assert done.code in (0, 1, 2, 3), done.err
        assert "Traceback" not in done.err
        return done.out

    def say(self, *words: str | Path) -> None:
        """Run a command that is stamped with a time."""
        self.run(*words, "--now", self.time())

    def rows(self, *words: str) -> list[dict[str, Any]]:
        """Give what a command lists."""
        return [json.loads(line) for line in self.run(*words, "--format", "jsonl").split("\n") if line]

    def one_of(self, pattern: str) -> Path | None:
        """Choose one of the scope's files."""
        found = sorted(self.root.glob(pattern))
        return self.random.choice(found) if found else None


def union(ours: Path, theirs: Path) -> None:
    """Merge the JSONL files of two clones as `merge=union` does, and take over new files."""
    for path in sorted(theirs.rglob("*")):
        if not path.is_file() or ".memctl" in path.parts:
            continue
        here = ours / path.relative_to(theirs)
        if path.suffix == ".jsonl" and here.exists():
            known = here.read_bytes().split(b"\n")
            added = [line for line in path.read_bytes().split(b"\n") if line not in known]
            here.write_bytes(b"\n".join([*known[:-1], *added]) + b"\n")
        elif not here.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, here)


def folder_of(scope: tuple[str, ...]) -> str:
    """Give the folder of a scope as the directory names it."""
    named = dict(zip(scope[::2], scope[1::2], strict=True))
    names = [named.get(f"--{part}", "~any") for part in ("team", "agent", "user")]
    return "/".join(("scopes", *names)) if scope else ""


# --------------------------------------------------------------------------- passes


def ingest_other(clone: Clone) -> None:
    """Take a session that the other side may have, too."""
    clone.run("ingest", clone.random.choice(sorted(clone.sources.glob("*.json*"))))


def ingest_length(clone: Clone) -> None:
    """Take the one growing session up to some line."""
    path = clone.sources.parent / "growing" / "claude_code.jsonl"
    lines = path.read_bytes().split(b"\n")
    part = clone.home.parent / f"{clone.home.name}-part" / path.name
    part.parent.mkdir(exist_ok=True)
    part.write_bytes(b"\n".join(lines[: clone.random.randrange(3, len(lines))]) + b"\n")
    clone.run("ingest", part)


def adopt(clone: Clone) -> None:
    """Take a directory of the original in."""
    theirs = clone.sources.parent / "original"
    if not theirs.exists():
        original.write(theirs)
    clone.run("ingest", theirs)


def extract(clone: Clone) -> None:
    clone.run("extract", code=0)


def compact(clone: Clone) -> None:
    """Run what cron runs, at some time after it all."""
    clone.run("compact", "--now", clone.time().replace("2026-04", "2026-06"), code=0)


def clear(clone: Clone) -> None:
    """Clear a session, for good."""
    rows = records(clone.root, "conversations/*.jsonl")
    found = sorted({row["sessionId"] for row in rows if row["role"] == "session"})
    if found and clone.random.random() < 0.5:
        session = clone.random.choice(found)
        clone.run("clear", "--session", session, "--yes", "--now", clone.time().replace("2026-04", "2026-05"))
        clone.cleared.add((clone.folder, session))


def trash(clone: Clone) -> None:
    """Take things out of the trash, or empty it."""
    found = clone.rows("trash", "list")
    if found and clone.random.random() < 0.7:
        clone.run("trash", "restore", clone.random.choice(found)["id"])
    else:
        clone.run("trash", "empty", "--yes", code=None)


# --------------------------------------------------------------------------- what people say


def forget(clone: Clone) -> None:
    if found := clone.rows("atom", "list"):
        atom = clone.random.choice(found)
        purge = ["--purge"] if clone.random.random() < 0.3 else []
        clone.say("atom", "forget", atom["id"], *purge)
        clone.forgotten.append((clone.folder, atom["content"]))


def correct(clone: Clone) -> None:
    if found := clone.rows("atom", "list"):
        words = f"Corrected by {clone.home.name} to {clone.random.randrange(1000)}."
        clone.say("atom", "correct", clone.random.choice(found)["id"], words)


def set_state(clone: Clone) -> None:
    """Say how it stands with a task, one of the other side's too."""
    if task := clone.one_of("tasks/*.yaml"):
        state = clone.random.choice(("in_progress", "completed", "paused", "cancelled"))
        pause = ["--pause-current"] if state == "in_progress" and clone.random.random() < 0.5 else []
        clone.say("task", "set-state", task.stem, state, *pause)


def create_task(clone: Clone) -> None:
    """Begin a task, which the other side may begin, too."""
    name = f"Task_{clone.random.randrange(3)}"
    clone.say("task", "create", name, "-d", f"begun in {clone.home.name}")


def link_info(clone: Clone) -> None:
    """Link a node of the graph, or a canvas, to a task."""
    if task := clone.one_of("tasks/*.yaml"):
        canvas = clone.one_of("mmds/*.mmd")
        more = ["--canvas", canvas.stem] if canvas and clone.random.random() < 0.5 else []
        clone.say("task", "link-info", task.stem, clone.random.choice("αβγδ"), *more)


def delete_task(clone: Clone) -> None:
    if (task := clone.one_of("tasks/*.yaml")) and clone.random.random() < 0.5:
        nodes = ["--delete-info-nodes"] if clone.random.random() < 0.5 else []
        clone.say("task", "delete", task.stem, *nodes)


def commit_triples(clone: Clone) -> None:
    """Say something of the graph; both sides speak of the same few things."""
    add = ["--add"] if clone.random.random() < 0.3 else []
    task = clone.one_of("tasks/*.yaml")
    about = ["--task", task.stem] if task and clone.random.random() < 0.3 else []
    relation = clone.random.choice(("is", "RELATES_TO"))
    thing = f"{clone.home.name}{clone.random.randrange(3)}"
    clone.say("graph", "commit", clone.random.choice("αβγ"), relation, thing, *add, *about)


def purge_triples(clone: Clone) -> None:
    node = clone.random.choice("αβγ")
    instead = ["--supersede", f"not {node}"] if clone.random.random() < 0.3 else []
    clone.say("graph", "purge", node, *instead)


def set_role(clone: Clone) -> None:
    if clone.random.random() < 0.3:
        clone.say("graph", "role", "clear")
        return
    mode = clone.random.choice(("merge", "replace"))
    words = f"role=of {clone.home.name}", f"{clone.random.choice(('tone', 'style'))}=plain"
    clone.say("graph", "role", "set", *words, "--mode", mode)


def archive_canvas(clone: Clone) -> None:
    if canvas := clone.one_of("mmds/*.mmd"):
        clone.run("canvas", clone.random.choice(("archive", "archive", "reopen")), canvas.stem)


# --------------------------------------------------------------------------- what people write


def edit_persona(clone: Clone) -> None:
    """Write into the persona by hand: above, below, or inside memctl's block."""
    path = clone.root / "persona.md"
    path.parent.mkdir(parents=True, exist_ok=True)
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
    path = clone.root / "scene_blocks" / "team" / "runbook.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text("utf-8") if path.is_file() else "# Runbook\n\n"
    path.write_text(before + f"- step {clone.random.randrange(1000)} of {clone.home.name}\n", "utf-8")


def revert(clone: Clone) -> None:
    """Take an earlier version of the persona or a scene back."""
    if path := clone.random.choice([clone.root / "persona.md", clone.one_of("scene_blocks/*.md")]):
        clone.run("revert", path.relative_to(clone.root).as_posix(), "1")


def edit_canvas(clone: Clone) -> None:
    """Change a node's status or words by hand."""
    if path := clone.one_of("mmds/*.mmd"):
        text = path.read_text("utf-8")
        if clone.random.random() < 0.5:
            text = text.replace("status: done", "status: paused", 1)
        else:
            words = f"By hand in {clone.home.name} {clone.random.randrange(1000)}"
            text = text.replace("<br/>summary: ", f"<br/>summary: {words}. ", 1)
        path.write_text(text, "utf-8")


def edit_status(clone: Clone) -> None:
    """Write another status into a canvas's header."""
    if path := clone.one_of("mmds/*.mmd"):
        text = path.read_text("utf-8")
        status = clone.random.choice(("active", "paused", "completed", "cancelled"))
        for word in ("active", "paused", "completed", "cancelled"):
            text = text.replace(f'"status":"{word}"', f'"status":"{status}"', 1)
        path.write_text(text, "utf-8")


def settings(clone: Clone) -> None:
    """Redact differently from here on, or write a comment."""
    path = clone.home / "memctl.yaml"
    text = path.read_text("utf-8")
    if clone.random.random() < 0.5:
        text = text.replace("redact: on ", "redact: off")
    path.write_text(f"{text}# a comment of {clone.home.name}\n", "utf-8")


Operation = Callable[[Clone], None]
OPERATIONS: list[Operation] = [
    *(ingest_other, ingest_other, ingest_other, ingest_length, ingest_length, ingest_length, adopt),
    *(extract, extract, extract, compact, compact, clear, trash),
    *(forget, correct, set_state, set_state, create_task, link_info, delete_task),
    *(commit_triples, commit_triples, purge_triples, set_role, archive_canvas, archive_canvas),
    *(edit_persona, write_scene, revert, edit_canvas, edit_status, settings),
]


def do_something(clone: Clone) -> str:
    """Do one thing in some scope; say what."""
    clone.scope = clone.random.choice((SCOPES[0],) * 4 + SCOPES[1:])
    operation = clone.random.choice(OPERATIONS)
    operation(clone)
    return f"{clone.home.name}: {operation.__name__} {clone.folder}".rstrip()


# --------------------------------------------------------------------------- what is there


def roots(home: Path) -> dict[str, Path]:
    """Give the scopes of a directory by their folders."""
    found = {folder_of(scope): home / folder_of(scope) for scope in SCOPES}
    return {folder: root for folder, root in found.items() if root.is_dir()}


def records(root: Path, pattern: str) -> Iterator[dict[str, Any]]:
    """Give the records of some of a scope's files."""
    for path in sorted(root.glob(pattern)):
        yield from (json.loads(line) for line in path.read_bytes().split(b"\n") if line)
