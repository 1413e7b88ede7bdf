"""`check --fix` settles a stopped merge from git's index and writes anew what is derived, and nothing else."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import damages
import pytest
from claude_chat import call, line, result, written
from clones import clones, committed, git
from running import entries, memctl, snapshot

if shutil.which("git") is None:
    pytest.skip("git is not here", allow_module_level=True)


@pytest.fixture
def home(samples: Path, tmp_path: Path) -> Path:
    memctl("-q", "-C", tmp_path / "memory", "ingest", samples / "codex.jsonl", samples / "claude_code.jsonl")
    memctl("-q", "-C", tmp_path / "memory", "extract")
    return tmp_path / "memory"


def test_a_healthy_directory_stays_as_it_is(home: Path) -> None:
    memctl("-q", "-C", home, "check", "--fix")
    before = snapshot(home)

    found = memctl("-C", home, "check", "--fix", "--strict")

    assert snapshot(home) == before
    assert (found.out, found.err) == ("", "memctl: 0 errors, 0 warnings\n")


DERIVED = [
    *(damages.cut_line_of_an_entry, damages.duplicate_call, damages.duplicate_message),
    *(damages.duplicate_atom, damages.duplicate_node, damages.entry_to_a_missing_node),
    *(damages.dropped_canvas, damages.dropped_entry, damages.edge_to_nowhere, damages.node_without_entry),
    *(damages.canvas_that_mermaid_rejects, damages.clashing_numbers),
    *(damages.orphan_evidence_of_a_statement, damages.orphan_evidence_of_a_scene),
    damages.task_of_a_missing_canvas,
]


@pytest.mark.parametrize("damage", DERIVED, ids=lambda one: one.__name__)
def test_what_is_derived_is_put_right(home: Path, damage: Callable[[Path], damages.Planted]) -> None:
    damage(home)
    memctl("-C", home, "check", code=1)

    memctl("-C", home, "check", "--fix", "--strict")

    calls = {entry["tool_call_id"] for entry in entries(home)}
    assert len(calls) == len(entries(home)) > 4


def test_a_call_that_failed_stays_so_while_it_is_open(tmp_path: Path) -> None:
    said = [
        line("user", "u1", "look at a.py"),
        line("assistant", "a1", [call("t1", command="frob a.py")]),
        line("user", "r1", [result("t1", "it is what it is", is_error=True)]),
        line("user", "r2", [result("t2", "as it was", is_error=True)]),  # stands before its call
        line("assistant", "a2", [call("t2", command="frob b.py")]),
    ]
    memctl("-q", "-C", tmp_path / "memory", "ingest", written(tmp_path / "talk.jsonl", said))
    before = snapshot(tmp_path / "memory")
    assert [entry["status"] for entry in entries(tmp_path / "memory")] == ["error", "error"]
    damages.first(tmp_path / "memory", "mmds/*.mmd").unlink()

    memctl("-C", tmp_path / "memory", "check", "--fix")

    assert snapshot(tmp_path / "memory") == before


TRUTH = [
    *(damages.flipped_byte_in_a_ref, damages.dropped_ref, damages.cut_line_of_an_atom, damages.unsafe_ref),
    *(damages.cut_line_of_a_message, damages.link, damages.orphan_evidence_of_an_atom),
]


@pytest.mark.parametrize("damage", TRUTH, ids=lambda one: one.__name__)
def test_what_is_not_derived_is_left_and_reported(
    home: Path, damage: Callable[[Path], damages.Planted]
) -> None:
    code, path, _ = damage(home)
    before = path.read_bytes() if path.is_file() and not path.is_symlink() else b""

    assert code in memctl("-C", home, "check", "--fix", code=1).out

    assert before == b"" or path.read_bytes() == before


# --------------------------------------------------------------------------- a stopped merge


def meet(tmp_path: Path, ours: Path, theirs: Path) -> dict[str, bytes]:
    """Merge either way, fix, and check that both are one directory that git takes as merged."""
    other = tmp_path / "other"
    shutil.copytree(theirs, other)
    for here, there in ((other, ours), (ours, theirs)):
        git(here, "pull", "-q", "--no-rebase", "--no-edit", str(there), "main", code=None)
        memctl("-q", "-C", here, "check", "--fix", "--strict")
        assert "UU" not in git(here, "status", "--porcelain")
        assert git(here, "diff", "--name-only") == "", "all of it is staged"
        git(here, "commit", "-q", "--no-edit", "-m", "merge", code=None)
        git(here, "diff", "--exit-code", "HEAD")
    assert snapshot(ours) == snapshot(other)
    return snapshot(ours)


def pair(tmp_path: Path, samples: Path) -> tuple[Path, Path]:
    ours, theirs = clones(tmp_path, samples / "claude_code.jsonl")
    for clone in (ours, theirs):
        memctl("-q", "-C", clone, "extract")
    return ours, theirs


def test_both_hands_in_a_persona_stay(samples: Path, tmp_path: Path) -> None:
    ours, theirs = pair(tmp_path, samples)
    for clone in (ours, theirs):
        path = clone / "persona.md"
        path.write_text(
            f"A line of {clone.name}.\n\n{path.read_text('utf-8')}\nAn end of {clone.name}.\n", "utf-8"
        )
        committed(clone, clone.name)

    persona = meet(tmp_path, ours, theirs)["persona.md"].decode()

    assert "<<<<<<<" not in persona
    assert persona.count("<!-- memctl:begin") == 1
    for words in ("A line of ours.", "A line of theirs.", "An end of ours.", "An end of theirs."):
        assert persona.count(words) == 1


def test_a_block_that_both_edited_moves_below_and_stays(samples: Path, tmp_path: Path) -> None:
    ours, theirs = pair(tmp_path, samples)
    for clone in (ours, theirs):
        path = clone / "persona.md"
        text = path.read_text("utf-8")
        path.write_text(text.replace("# Persona\n", f"# Persona\n\nInside, by {clone.name}.\n"), "utf-8")
        committed(clone, clone.name)

    persona = meet(tmp_path, ours, theirs)["persona.md"].decode()

    block, _, below = persona.partition("<!-- memctl:end -->")
    assert "Inside, by" not in block
    assert "Inside, by ours." in below
    assert "Inside, by theirs." in below


def test_two_canvases_of_one_name_both_stay(tmp_path: Path, samples: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    for clone in (ours, theirs):
        rows: list[dict[str, object]] = [
            {"role": "user", "content": "fix the login"},
            {
                "role": "assistant",
                "content": f"in {clone.name}",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "bash", "arguments": '{"command": "ls"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": clone.name},
        ]
        source = tmp_path / f"{clone.name}.jsonl"
        at = {"ours": 5, "theirs": 6}[clone.name]
        source.write_text(
            "".join(
                json.dumps({"timestamp": f"2026-05-0{at}T10:00:0{n}Z", "sessionId": clone.name, **row}) + "\n"
                for n, row in enumerate(rows)
            )
        )
        memctl("-q", "-C", clone, "ingest", "--from", "openai", source)
        committed(clone, clone.name)
    names = {path.name for clone in (ours, theirs) for path in (clone / "mmds").iterdir()}
    assert len(names) == 2, "the same name on both sides"

    found = meet(tmp_path, ours, theirs)

    assert len([name for name in found if name.startswith("mmds/")]) == 3
    numbers = {entry["node_id"].partition("-")[0] for entry in entries(ours)}
    assert numbers == {"001", "002", "003"}


def test_edges_of_both_hands_on_one_canvas_stay(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "claude_code.jsonl")
    for clone, node in ((ours, "001-N1"), (theirs, "001-N2")):
        path = min((clone / "mmds").iterdir())
        lines = path.read_text("utf-8").split("\n")
        lines = [
            line.replace("status: done", "status: paused")
            if line.split("[")[0].split("{")[0].split("(")[0] == node
            else line
            for line in lines
        ]
        path.write_text("\n".join(lines), "utf-8")
        committed(clone, clone.name)

    found = meet(tmp_path, ours, theirs)

    [name] = [name for name in found if name.startswith("mmds/001")]
    lines = found[name].decode().split("\n")
    assert [line[:6] for line in lines if "status: paused" in line] == ["001-N1", "001-N2"]


def test_settings_that_both_changed_stay_readable(samples: Path, tmp_path: Path) -> None:
    ours, theirs = clones(tmp_path, samples / "codex.jsonl")
    for clone, value in ((ours, 256), (theirs, 1024)):
        path = clone / "memctl.yaml"
        path.write_text(
            path.read_text("utf-8").replace("inline_bytes: 512", f"inline_bytes: {value}"), "utf-8"
        )
        committed(clone, clone.name)

    found = meet(tmp_path, ours, theirs)

    assert found["memctl.yaml"].count(b"inline_bytes:") == 1
    earlier = [data for name, data in found.items() if name.startswith("versions/memctl.yaml/")]
    assert len(earlier) == 2, "what gave way is kept"


def test_what_one_side_forgot_the_other_does_not_bring_back(samples: Path, tmp_path: Path) -> None:
    ours, theirs = pair(tmp_path, samples)
    listed = json.loads(memctl("-C", ours, "atom", "list", "--format", "json").out)["data"]
    atom = listed[0]
    memctl("-q", "-C", ours, "atom", "forget", atom["id"], "--now", "2026-05-01T10:00:00Z")
    memctl("-q", "-C", theirs, "atom", "correct", atom["id"], "It is so.", "--now", "2026-05-02T10:00:00Z")
    committed(ours, "ours")
    committed(theirs, "theirs")

    found = meet(tmp_path, ours, theirs)

    told = {name: data for name, data in found.items() if b"It is so." in data}
    assert told == {}
    shown = json.loads(memctl("-C", ours, "atom", "show", atom["id"], "--format", "json").out)
    assert "forgotten" in json.dumps(shown)


def test_a_link_that_comes_in_with_a_merge_is_not_followed(samples: Path, tmp_path: Path) -> None:
    ours, theirs = pair(tmp_path, samples)
    secret = tmp_path / "secret.txt"
    secret.write_text("the password\n")
    (ours / "persona.md").write_text("mine\n")
    committed(ours, "ours")
    (theirs / "persona.md").unlink()
    (theirs / "persona.md").symlink_to(secret)
    committed(theirs, "theirs")

    git(ours, "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main", code=None)
    memctl("-q", "-C", ours, "check", "--fix", code=None)

    assert secret.read_text() == "the password\n"
    assert not (ours / "persona.md").is_symlink() or "CHK102" in memctl("-C", ours, "check", code=1).out
