"""The law "merging is safe" over random operations: two clones go their ways and meet, either way round.

Real git, no merge driver. Git may stop in derived files; `memctl check --fix` settles them from the index, and
both ways commit one directory in which nothing is lost and `check` finds nothing.
"""

import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import original
import pytest
from clones import committed, committed_tree, git
from merging import SCOPES, Clone, do_something, folder_of, records, roots
from running import memctl, snapshot

from memctl.tasks import taskfile

FEW, MANY = 6, 200
_WORDS = re.compile(r"By hand in \w+,? \d+|- step \d+ of \w+|# a comment of \w+")


def merged(ours: Path, theirs: Path) -> None:
    """Merge as a person would: git stops or not, `check --fix --commit` settles and ends it."""
    git(ours, "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main", code=None)
    memctl("-q", "-C", ours, "check", "--fix", "--strict", "--commit")
    assert committed_tree(ours) == snapshot(ours), "what is committed is what is there"
    shutil.rmtree(ours.parent / f"clone-of-{ours.name}")


# --------------------------------------------------------------------------- what must not be lost


@dataclass(frozen=True)
class Told:
    """What was said on a side, each with the folder of its scope: (folder, what)."""

    messages: frozenset[tuple[str, str]]
    calls: frozenset[tuple[str, str]]
    nodes: frozenset[tuple[str, str]]
    changes: frozenset[tuple[str, str]]
    triples: frozenset[tuple[str, str]]
    words: frozenset[tuple[str, str]]


def told(home: Path, gone: set[tuple[str, str]]) -> Told:
    """Look at a directory; *gone* are the sessions that were cleared on any side, by scope."""

    def kept(folder: str, rows: Iterator[dict[str, str]], session: str) -> list[dict[str, str]]:
        return [row for row in rows if (folder, row.get(session, "")) not in gone]

    found: dict[str, set[tuple[str, str]]] = {name: set() for name in Told.__dataclass_fields__}
    for folder, root in roots(home).items():
        cleared = any(scope == folder for scope, _ in gone)
        said = {
            "messages": [
                row["id"]
                for row in kept(folder, records(root, "conversations/*.jsonl"), "sessionId")
                if row["role"] != "session"
            ],
            "calls": [
                row["tool_call_id"] for row in kept(folder, records(root, "offload-*.jsonl"), "session_id")
            ],
            "nodes": [
                row["node_id"]
                for row in kept(folder, records(root, "offload-*.jsonl"), "session_id")
                if row["node_id"]
            ],
            "changes": [] if cleared else list(changes(root)),
            "triples": [str(row) for row in records(root, "graph.jsonl") if not (cleared and row["task_id"])],
            "words": list(by_hand(root, {session for scope, session in gone if scope == folder})),
        }
        for name, ids in said.items():
            found[name] |= {(folder, one) for one in ids}
    return Told(**{name: frozenset(ids) for name, ids in found.items()})


def changes(root: Path) -> Iterator[str]:
    """Give what was said of each task: states, nodes that were linked; and that it was deleted."""
    for path in sorted(root.glob("tasks/*.yaml")):
        task = taskfile.read(path.read_bytes())
        assert task is not None
        yield from (f"{task.id}: {change}" for change in task.history if change.by)
        yield from (f"{task.id} has {node}" for node in task.info_nodes)
        if task.deleted:
            yield f"{task.id}: deleted"


def by_hand(root: Path, gone: set[str]) -> Iterator[str]:
    """Give the words that a person wrote, but on canvases of cleared sessions."""
    paths = [root / "persona.md", root / "memctl.yaml", *root.glob("scene_blocks/**/*.md")]
    texts = [path.read_text("utf-8") for path in paths if path.is_file()]
    drawn = [path.read_text("utf-8") for path in root.glob("mmds/*.mmd")]
    texts += [text for text in drawn if not any(f'"session":"{session}"' in text for session in gone)]
    for text in texts:
        yield from _WORDS.findall(text)


def versions(root: Path) -> str:
    """Give all earlier versions of a scope's files."""
    paths = [path for path in (root / "versions").rglob("*") if path.is_file()]
    return "\n".join(path.read_text("utf-8", "surrogateescape") for path in paths)


def is_whole(home: Path, one: Told, other: Told, gone: set[tuple[str, str]], case: object) -> None:
    """Check that all that was said on either side is there."""
    now = told(home, gone)
    assert now.messages == one.messages | other.messages, case
    assert now.calls == one.calls | other.calls, case
    assert one.triples | other.triples <= now.triples, case
    # Of a task that one side deleted and the other one spoke of, what was said last holds.
    deleted = {said for said in one.changes | other.changes if said[1].endswith(": deleted")}
    tasks = tuple(name.removesuffix(": deleted") for _, name in deleted)
    lost = {said for said in (one.changes | other.changes) - now.changes if not said[1].startswith(tasks)}
    assert not lost, case
    earlier = {folder: versions(root) for folder, root in roots(home).items()}
    lost = {said for said in (one.words | other.words) - now.words if said[1] not in earlier[said[0]]}
    assert not lost, case


# --------------------------------------------------------------------------- the law


@dataclass
class Case:
    """What is told of a failure."""

    seed: int
    done: list[str]


def meet(tmp_path: Path, seed: int, samples: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - a seed names a case
    case = Case(seed, [])
    sources = tmp_path / "sources"
    (tmp_path / "growing").mkdir()
    sources.mkdir()
    for path in sorted(samples.iterdir()):
        if path.name == "claude_code.jsonl":
            shutil.copy(path, tmp_path / "growing" / path.name)
        elif path.suffix in (".json", ".jsonl"):
            shutil.copy(path, sources / path.name)
    origin = Clone(tmp_path / "origin", sources, rng)
    if rng.random() < 0.2:  # a directory of the original, which the first ingest adopts
        original.write(origin.home)
        case.done.append("origin: theirs")
        memctl("-q", "-C", origin.home, "ingest", min(sources.iterdir()))
    memctl("-q", "-C", origin.home, "init")
    git(origin.home, "init", "-q", "-b", "main")
    case.done += [do_something(origin) for _ in range(rng.randrange(5))]
    committed(origin.home, "base")
    sides = []
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin.home), name)
        sides.append(Clone(tmp_path / name, sources, rng))
    ours, theirs = sides
    for at in range(1 + (rng.random() < 0.3)):
        for clone in sides:
            case.done += [do_something(clone) for _ in range(rng.randrange(1, 6))]
            git(clone.home, "add", "-A")
            git(clone.home, "commit", "-q", "-m", "work", code=None)
        gone = {one for clone in (origin, *sides) for one in clone.cleared}
        said = [told(clone.home, gone) for clone in sides]
        other = tmp_path / f"other-{at}"
        shutil.copytree(theirs.home, other)
        case.done.append("they meet")

        try:
            merged(other, ours.home)
            merged(ours.home, theirs.home)
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error

        one, two = snapshot(ours.home), snapshot(other)
        different = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
        assert not different, (case, different)
        is_whole(other, said[0], said[1], gone, case)
        for clone in (origin, *sides):
            for folder, words in clone.forgotten:
                assert words not in known(other / folder), case
        for side in said:
            printed = sorted(side.nodes)
            for folder, node in rng.sample(printed, min(2, len(printed))):
                scope = next(one for one in SCOPES if folder_of(one) == folder)
                assert memctl("-C", other, *scope, "drill", node, code=None).code in (0, 2), (case, node)
        memctl("-q", "-C", other, "check", "--fix", "--strict")
        assert snapshot(other) == two, case  # a second time changes nothing
        git(theirs.home, "pull", "-q", "--ff-only", str(ours.home), "main")


def known(root: Path) -> set[str]:
    """Give the contents of a scope's active atoms."""
    return {
        one["content"] for one in records(root, "records/*.jsonl") if one.get("status", "active") == "active"
    }


@pytest.mark.parametrize("seed", range(FEW))
def test_two_clones_meet_whatever_each_did(samples: Path, tmp_path: Path, seed: int) -> None:
    meet(tmp_path, seed, samples)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FEW, MANY))
def test_many_clones_meet_whatever_each_did(samples: Path, tmp_path: Path, seed: int) -> None:
    meet(tmp_path, seed, samples)
