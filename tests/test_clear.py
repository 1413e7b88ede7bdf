"""Clear: no trace of what was cleared in any file, cache or index, nothing brings it back, siblings stay."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dying import DIE_AT
from running import memctl, snapshot

from memctl.layers import blocks

NOW = "2026-05-01T12:00:00Z"
DOOMED, SIBLING = "zqxdoomed", "zqxsibling"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the search index a place that the tests can look through."""
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def transcript(folder: Path, token: str, *, day: str = "2026-04-02") -> Path:
    """Write a Claude Code session that says its token in every kind of place."""
    folder.mkdir(parents=True, exist_ok=True)
    session = f"{token}-session"
    lines: list[dict[str, Any]] = []

    def line(role: str, content: Any) -> None:
        number = len(lines)
        lines.append(
            {
                "type": role,
                "uuid": f"{token}-{number}",
                "parentUuid": f"{token}-{number - 1}" if number else None,
                "sessionId": session,
                "cwd": f"/home/ana/work/{token}project",
                "timestamp": f"{day}T09:{number:02d}:00Z",
                "message": {"role": role, "content": content},
            }
        )

    def call(name: str, arguments: dict[str, Any], result: str) -> None:
        key = f"call-{token}-{len(lines)}"
        line("assistant", [{"type": "tool_use", "id": key, "name": name, "input": arguments}])
        line("user", [{"type": "tool_result", "tool_use_id": key, "content": result}])

    line("user", f"Fix the parser of {token} in {token}.py. I prefer small commits with long messages.")
    call("Read", {"file_path": f"/src/{token}.py"}, f"def {token}():\n    pass\n" * 60)
    call("Bash", {"command": f"pytest test_{token}.py"}, f"1 failed: test_{token}")
    line("assistant", [{"type": "text", "text": f"The cause is that {token} reads one line too many."}])
    line(
        "user",
        f"We decided to keep {token} on MQTT because HTTP was too slow. Always call it {token} in docs.",
    )
    line("assistant", [{"type": "text", "text": "Noted."}])
    line("user", f"Now write the guide of {token}: {token}.md")
    call("Write", {"file_path": f"/src/{token}.md", "content": f"About {token}"}, f"wrote {token}.md")
    path = folder / f"{session}.jsonl"
    text = "".join(json.dumps(one) + "\n" for one in lines)
    path.write_text(text + f'{{"broken {token}\n' + json.dumps(lines[-1]) + "\n", encoding="utf-8")
    return path


def with_everything(home: Path, logs: Path, embedder: str = "none") -> None:
    """Make a directory in which two sessions have left something in every place there is."""
    home.mkdir()
    (home / "memctl.yaml").write_text(f"format: 1\nrecall:\n  embedder: {embedder}\n", encoding="utf-8")
    for token in (DOOMED, SIBLING):
        whole = transcript(logs, token)
        text = whole.read_bytes()
        whole.write_bytes(b"".join(text.splitlines(keepends=True)[:6]))  # so that there are earlier versions
        memctl("-q", "-C", home, "ingest", logs)
        memctl("-q", "-C", home, "extract")
        whole.write_bytes(text)
        memctl("-q", "-C", home, "ingest", logs)
        memctl("-q", "-C", home, "extract")
    scene = next(path for path in (home / "scene_blocks").iterdir() if SIBLING in path.name)
    for page in (scene, home / "persona.md"):
        page.write_text(page.read_text() + "\nA person's own words.\n")
    memctl("-q", "-C", home, "atom", "correct", _atom(home, "MQTT"), f"{SIBLING} speaks MQTT.")
    memctl("-q", "-C", home, "extract")
    offload = next(home.glob(f"offload-{DOOMED}*"))
    ref = next(entry["result_ref"] for entry in map(json.loads, _lines(offload)) if entry["result_ref"])
    orphan = home / f"{ref[:-8]}00000000.md"
    orphan.write_bytes((home / ref).read_bytes())
    memctl("-q", "-C", home, "compact", "--now", NOW)
    task = next(path for path in (home / "tasks").iterdir() if DOOMED in path.read_text())
    triples = [
        {"subject": task.stem, "relation": "CONTAINS_INFO", "object": f"{DOOMED}Info", "task_id": task.stem},
        {"subject": "a", "relation": "b", "object": f"{SIBLING}Info", "at": "2026-04-01T00:00:00Z"},
    ]
    (home / "graph.jsonl").write_text("".join(json.dumps(one) + "\n" for one in triples))
    for number, token in enumerate((DOOMED, SIBLING)):
        note = home / ".memctl" / "notes" / str(number)
        note.parent.mkdir(exist_ok=True)
        note.write_text(str(logs / f"{token}-session.jsonl"))
    memctl("-q", "-C", home, "recall", DOOMED)


def _atom(home: Path, words: str) -> str:
    listed = memctl("-C", home, "atom", "list", "--print", "id,content").out.splitlines()
    return next(line for line in listed if words in line and SIBLING in line).split("\t")[0]


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().split(b"\n") if line]


def traces(token: str, *folders: Path) -> list[str]:
    """Give every file that has a token in its name or bytes; git's own store left out."""
    return sorted(
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.parts
        if token in str(path.relative_to(folder)) or token.encode() in path.read_bytes()
    )


def test_a_cleared_session_leaves_no_trace_and_its_sibling_stays(tmp_path: Path, cache: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs, "use-v3")
    places = {Path(path).relative_to(tmp_path).parts[1] for path in traces(DOOMED, home, cache)}
    assert places >= {"conversations", "mmds", "refs", "records", "scene_blocks", "tasks", "versions"}
    assert places >= {".memctl", "persona.md", "graph.jsonl"}
    private = {Path(path).relative_to(home / ".memctl").parts[0] for path in traces(DOOMED, home / ".memctl")}
    assert private >= {"quarantine", "trash", "cursors.json", "extracted.json"}
    moved = ("versions", "quarantine", "notes")  # a pass takes the notes that hooks left
    stays = {path for path in traces(SIBLING, home) if not any(name in path for name in moved)}

    told = memctl("-C", home, "clear", "--session", f"{DOOMED}-session", "--yes", "--now", NOW)

    assert told.out.startswith("cleared 1 session (l0, l1, l2, l3, tasks, graph): ")
    assert traces(DOOMED, home, cache) == []
    assert "was cleared on 2026-05-01" in memctl("-C", home, "drill", f"{DOOMED}-session", code=1).err
    assert "was cleared" in memctl("-C", home, "drill", "001-N1", code=1).err
    assert stays - set(traces(SIBLING, home)) == set()
    assert memctl("-C", home, "recall", SIBLING).out
    assert DOOMED not in memctl("-C", home, "recall", DOOMED, code=None).out.replace(f"{DOOMED!r}", "")
    assert memctl("-C", home, "atom", "list").out.count("small commits") == 1
    assert "A person's own words." in (home / "persona.md").read_text()
    assert any("A person's own words." in path.read_text() for path in (home / "scene_blocks").iterdir())
    # nor does any later pass over the same transcripts bring it back
    memctl("-q", "-C", home, "ingest", logs)
    memctl("-q", "-C", home, "extract")
    memctl("-q", "-C", home, "compact", "--now", NOW)
    memctl("-q", "-C", home, "ingest", logs)
    assert traces(DOOMED, home, cache) == []
    refused = memctl("-C", home, "ingest", logs / f"{DOOMED}-session.jsonl", code=3)
    assert "was cleared on 2026-05-01; --again imports it again" in refused.err
    memctl("-q", "-C", home, "ingest", "--again", logs / f"{DOOMED}-session.jsonl")
    assert memctl("-C", home, "drill", f"session:{DOOMED}-session").out
    memctl("-q", "-C", home, "ingest", logs)
    memctl("-q", "-C", home, "extract")
    assert DOOMED in (home / "persona.md").read_text()


def test_numbers_and_atoms_keep_their_ids(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    ids = set(memctl("-C", home, "atom", "list", "--status", "all", "--print", "id").out.split())
    highest = max(int(path.name[:3]) for path in (home / "mmds").iterdir())

    memctl("-q", "-C", home, "clear", "--yes")

    assert ids == set(memctl("-C", home, "atom", "list", "--status", "all", "--print", "id").out.split())
    transcript(logs, "zqxlater")
    memctl("-q", "-C", home, "ingest", logs / "zqxlater-session.jsonl")
    assert min(int(path.name[:3]) for path in (home / "mmds").iterdir()) == highest + 1


def test_a_cleared_scope_leaves_no_trace_and_other_scopes_stay(tmp_path: Path, cache: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    for user, token in (("alice", DOOMED), ("bob", SIBLING)):
        _scope(home, user)
        transcript(logs / user, token)
        memctl("-q", "-C", home, "ingest", logs / user)
        memctl("-q", "-C", home, "extract")
        memctl("-q", "-C", home, "recall", token)
    note = home / "scopes" / "~any" / "~any" / "alice" / "scene_blocks" / "sub" / "note.md"
    note.parent.mkdir()
    note.write_text(f"A runbook of {DOOMED}.\n")
    _scope(home, "alice")
    settings = (home / "memctl.yaml").read_bytes()
    stays = {path for path in traces(SIBLING, home) if "quarantine" not in path}

    memctl("-q", "-C", home, "clear", "--yes")

    assert traces(DOOMED, home, cache) == []
    assert stays == {path for path in traces(SIBLING, home) if "quarantine" not in path}
    assert settings == (home / "memctl.yaml").read_bytes()
    memctl("-q", "-C", home, "ingest", logs / "alice", code=None)
    memctl("-q", "-C", home, "extract")
    assert traces(DOOMED, home, cache) == []


def _scope(home: Path, user: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "memctl.yaml").write_text(f"format: 1\nscope:\n  user: {user}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("layer", "stays"),
    [
        ("l1", ["conversations", "mmds", "refs"]),
        ("l2", ["conversations", "records", "persona.md"]),
        ("l3", ["conversations", "records", "scene_blocks"]),
        ("l0,tasks", ["records", "scene_blocks"]),
    ],
)
def test_a_cleared_layer_stays_empty_and_the_others_stay(
    tmp_path: Path, layer: str, stays: list[str]
) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    gone = {"l1": "records", "l2": "scene_blocks", "l3": "persona.md", "l0,tasks": "conversations"}[layer]

    memctl("-q", "-C", home, "clear", "--layer", layer, "--yes")

    for again in (False, True):
        if again:
            memctl("-q", "-C", home, "ingest", logs, code=None)
            memctl("-q", "-C", home, "extract")
            memctl("-q", "-C", home, "compact")
        left = {Path(path).relative_to(home).parts[0] for path in traces("zqx", home)}
        assert gone not in left
        assert left >= set(stays)


def test_it_asks_and_says_what_it_would_do(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    before = snapshot(home)

    memctl("-C", home, "clear", code=2)
    memctl("-C", home, "clear", "--layer", "l7", "--yes", code=2)
    memctl("-C", home, "clear", "--session", "nobody", "--yes", code=1)
    listed = memctl("-C", home, "clear", "--session", DOOMED, "--dry-run").out

    assert before == snapshot(home)
    assert f"conversations/{DOOMED}-session.jsonl" in listed
    assert not any(SIBLING in line for line in listed.splitlines() if "versions" not in line)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    told = memctl("-C", home, "clear", "--session", DOOMED, "--yes").err
    assert "git history still holds" in told
    assert f"--path memory/conversations/{DOOMED}-session.jsonl" in told


def test_a_subagents_session_goes_with_the_one_that_began_it(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    path = transcript(logs, DOOMED)
    transcript(logs, SIBLING)
    child = {
        "type": "user",
        "uuid": "child-1",
        "sessionId": f"{DOOMED}-session",
        "agentId": "c0ffee",
        "isSidechain": True,
        "timestamp": "2026-04-02T09:30:00Z",
        "message": {"role": "user", "content": f"Look into {DOOMED}"},
    }
    own = logs / "subagents" / "agent-c0ffee.jsonl"
    own.parent.mkdir()
    own.write_text(json.dumps(child) + "\n", encoding="utf-8")
    memctl("-q", "-C", home, "ingest", logs)
    assert len(list((home / "conversations").iterdir())) == 3

    memctl("-q", "-C", home, "clear", "--session", DOOMED, "--yes")
    memctl("-q", "-C", home, "ingest", logs)

    assert path.exists()
    assert [path.stem for path in (home / "conversations").iterdir()] == [f"{SIBLING}-session"]


def test_a_merge_with_an_older_clone_brings_nothing_back(tmp_path: Path, cache: Path) -> None:
    home, logs, other = tmp_path / "memory", tmp_path / "logs", tmp_path / "clone"
    with_everything(home, logs)

    def git(where: Path, *arguments: str, check: bool = True) -> None:
        subprocess.run(["git", "-C", str(where), *arguments], check=check, capture_output=True)

    git(home, "init", "-q", "-b", "main")
    git(home, "add", "-A")
    git(home, "commit", "-qm", "all")
    subprocess.run(["git", "clone", "-q", str(home), str(other)], check=True, capture_output=True)
    with (logs / f"{DOOMED}-session.jsonl").open("a") as stream:
        more: dict[str, Any] = {
            "type": "user",
            "uuid": "late",
            "sessionId": f"{DOOMED}-session",
            "cwd": "/home/ana/work/x",
        }
        more |= {"timestamp": "2026-04-03T09:00:00Z"}
        more |= {
            "message": {"role": "user", "content": f"I like {DOOMED} in blue. Never use red for {DOOMED}."}
        }
        stream.write(json.dumps(more) + "\n")
    memctl("-q", "-C", other, "ingest", logs)
    memctl("-q", "-C", other, "extract")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "grown")
    memctl("-q", "-C", home, "clear", "--session", DOOMED, "--yes")
    git(home, "add", "-A")
    git(home, "commit", "-qm", "cleared")
    git(home, "pull", "-q", "--no-rebase", str(other), "main", check=False)
    assert traces(DOOMED, home / "conversations", home / "records")

    memctl("-q", "-C", home, "check", "--fix", code=None)
    memctl("-q", "-C", home, "extract")

    assert traces(DOOMED, home, cache) == []
    assert traces(SIBLING, home / "conversations", home / "records", home / "mmds")
    git(home, "commit", "-qm", "merged")
    memctl("-q", "-C", home, "ingest", logs)
    assert traces(DOOMED, home, cache) == []


# --------------------------------------------------------------------------- kills


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9 here")
def test_killed_at_every_step_the_next_pass_completes(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    pristine = {
        path.relative_to(home): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and "lock" not in path.name
    }
    options = ["clear", "--session", DOOMED, "--yes", "--now", NOW]
    memctl("-q", "-C", home, *options)
    after: tuple[tuple[str | Path, ...], ...] = (("extract",), ("ingest", logs))
    wanted = []
    for step in after:
        memctl("-q", "-C", home, *step)
        wanted.append(snapshot(home))
    for left in range(1, 200, 3):  # before the first step nothing was acknowledged nor begun
        other = tmp_path / f"killed{left}"
        for name, data in pristine.items():
            (other / name).parent.mkdir(parents=True, exist_ok=True)
            (other / name).write_bytes(data)
        command = [sys.executable, "-c", DIE_AT, str(left), "-q", "-C", str(other), *options]
        child = subprocess.run(command, check=False, capture_output=True)
        memctl("-q", "-C", other, *after[left % 2])
        assert traces(DOOMED, other) == [], f"killed before step {left}"
        assert wanted[left % 2] == snapshot(other), f"killed before step {left}"
        if child.returncode == 0:
            assert left > 15
            return
    pytest.fail("the run never came to its end")


def test_a_task_that_belonged_to_a_cleared_one_stands_alone(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", transcript(tmp_path / "in", DOOMED))
    task = min(path.stem for path in (home / "tasks").iterdir())
    memctl("-q", "-C", home, "task", "set-state", task, "in_progress", "--now", "2026-04-03T10:00:00Z")
    words = ("-d", "mine", "--parent", task, "--now", "2026-04-03T11:00:00Z")
    memctl("-q", "-C", home, "task", "create", "Mine", *words)
    mine = next((home / "tasks").glob("Mine*"))
    assert mine.read_text("utf-8").count(task) == 2, "as its parent, and as what was at hand before"

    memctl("-q", "-C", home, "clear", "--session", f"{DOOMED}-session", "--yes", "--now", NOW)

    assert task not in mine.read_text("utf-8")
    memctl("-C", home, "check", "--strict")


def test_earlier_versions_that_do_not_tell_of_a_cleared_session_stay_byte_for_byte(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    chat = tmp_path / "chat.json"
    words = "I prefer tea over coffee. My sister is called Ottilie."
    chat.write_text(json.dumps({"session_id": "chat-tea", "messages": [{"role": "user", "content": words}]}))
    before = _versions(home)
    memctl("-q", "-C", home, "ingest", chat)
    memctl("-q", "-C", home, "extract")
    persona = home / "persona.md"
    persona.write_text(persona.read_text() + "\nHer brother lives in Graz.\n")
    memctl("-q", "-C", home, "extract")
    with_tea = _versions(home)
    kept = {name: data for name, data in with_tea.items() if b"Ottilie" not in data}
    assert before.keys() <= kept.keys()

    told = memctl("-C", home, "clear", "--session", "chat-tea", "--yes", "--now", NOW)

    after = _versions(home)
    assert {name: after[name] for name in kept} == kept, told.out
    assert not any(b"Ottilie" in data for data in after.values())
    assert any(b"A person's own words." in data for data in after.values())
    assert "Her brother lives in Graz." in persona.read_text()


def test_an_earlier_version_that_rests_on_nothing_known_loses_what_memctl_wrote(tmp_path: Path) -> None:
    home, logs = tmp_path / "memory", tmp_path / "logs"
    with_everything(home, logs)
    version = next((home / "versions" / "persona.md").iterdir())
    text = version.read_text()
    body = re.sub(r"(m_|canvas:)[^ ]+", "m_000000000000", blocks.parse(text).body or "")
    version.write_text(
        blocks.resealed(text, f"{body}- Zebedee <!-- m_000000000000 -->\n") + "\nA person's line.\n"
    )

    memctl("-q", "-C", home, "clear", "--session", f"{DOOMED}-session", "--yes", "--now", NOW)

    assert "A person's line." in version.read_text()
    assert "Zebedee" not in version.read_text()


def _versions(home: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(home).items() if name.startswith("versions/")}
