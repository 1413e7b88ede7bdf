"""Scopes: nothing that belongs to one team, agent or user is ever an answer to another."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dying import DIE_AT
from running import memctl, snapshot

from memctl.errors import DamagedError, UsageError
from memctl.passes import plans
from memctl.store import atoms, messages, open_store

ALICE = ("--team", "red", "--agent", "coder", "--user", "alice")
BOB = ("--team", "red", "--agent", "coder", "--user", "bob")
MARK = {ALICE: "pomegranate", BOB: "quicksilver", (): "windlass"}


def chat(word: str) -> str:
    call = {"id": f"call_{word}", "type": "function"}
    call["function"] = {"name": "bash", "arguments": json.dumps({"command": f"cat {word}.txt"})}  # type: ignore[assignment]
    said = [
        {"role": "user", "content": f"I always prefer {word} for the garden plan. Look into {word}.txt."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{word}", "content": f"the plan of {word}\n" * 40},
        {"role": "assistant", "content": f"The plan says {word}."},
    ]
    return json.dumps(said)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory in which three scopes have the same things under other words."""
    folder = tmp_path_factory.mktemp("scopes")
    home = folder / "memory"
    for scope, word in MARK.items():
        source = folder / f"{word}.json"
        source.write_text(chat(word))
        memctl("-q", "-C", home, *scope, "ingest", source)
        memctl("-q", "-C", home, *scope, "extract")
        memctl(
            "-C",
            home,
            *scope,
            "task",
            "create",
            f"Task_{word}",
            "-d",
            f"grow {word}",
            "--info",
            f"{word}_bed",
        )
        memctl("-C", home, *scope, "graph", "commit", f"{word}_bed", "holds", word)
        memctl("-C", home, *scope, "graph", "role", "set", f"role={word}-gardener")
    return home


READING = [
    ["status"],
    ["session", "list"],
    ["canvas", "list"],
    ["canvas", "show", "1"],
    ["render", "1"],
    ["grep", "."],
    ["drill", "001-N1"],
    ["atom", "list", "--status", "all"],
    ["recall", "garden plan"],
    ["recall", "--inject", "garden plan"],
    ["recall", "--mode", "vector", "garden plan"],
    ["task", "list"],
    ["task", "current"],
    ["graph", "recall", "TaskNode,working_memory,task_chain", "--depth", "5"],
    ["graph", "recall", "AI,persona,role", "--depth", "5"],
    ["graph", "recall", "bed", "--depth", "5"],
    ["graph", "role", "show"],
    ["check", "--format", "json"],
]


@pytest.mark.parametrize("scope", list(MARK), ids=lambda scope: scope[-1] if scope else "default")
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_no_answer_crosses(home: Path, scope: tuple[str, ...], words: list[str]) -> None:
    found = memctl("-C", home, *scope, *words, code=None)
    for other, word in MARK.items():
        if other != scope:
            assert word not in found.out + found.err
    if words[0] not in ("status", "check", "drill") and "vector" not in words:
        assert MARK[scope] in found.out


@pytest.mark.parametrize("scope", list(MARK), ids=lambda scope: scope[-1] if scope else "default")
def test_ids_of_others_name_nothing(home: Path, scope: tuple[str, ...]) -> None:
    for other, word in MARK.items():
        for words in (
            ["drill", f"call_{word}"],
            ["drill", f"Task_{word}"],
            ["task", "show", f"Task_{word}"],
            ["grep", word],
            ["graph", "recall", "--mode", "words", word],
            ["recall", "--mode", "bm25", word],
        ):
            memctl("-C", home, *scope, *words, code=0 if other == scope else 1)


def test_each_scope_has_files_of_its_own(home: Path) -> None:
    for name, data in snapshot(home).items():
        text = name + data.decode("utf-8", "replace")
        assert sum(word in text for word in MARK.values()) <= 1, name
        if MARK[ALICE] in text:
            assert name.startswith("scopes/red/coder/alice/")
        if MARK[()] in text:
            assert not name.startswith("scopes/")


def test_the_settings_name_the_scope_and_the_command_line_a_part_of_it(home: Path) -> None:
    settings = home / "memctl.yaml"
    before = settings.read_bytes()
    settings.write_text("scope:\n  team: red\n  agent: coder\n  user: alice\n")
    try:
        assert MARK[ALICE] in memctl("-C", home, "task", "list").out
        assert MARK[BOB] in memctl("-C", home, "task", "list", "--user", "bob").out
        assert MARK[()] in memctl("-C", home, "--team", "", "--agent", "", "--user", "", "task", "list").out
        assert memctl("-C", home, "task", "list", "--team", "blue").out == ""
    finally:
        settings.write_bytes(before)


@pytest.mark.parametrize("name", ["../../evil", "/etc", "a/b", "..", "~any", "CON", "x" * 300, "Ä ö"])
def test_a_scope_is_a_folder_inside_whatever_its_name(tmp_path: Path, name: str) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    memctl("-C", home, "--user", name, "task", "create", "Task_a")
    assert memctl("-C", home, "--user", name, "task", "list").out.startswith("Task_a")
    assert memctl("-C", home, "task", "list").out == ""
    found = [path for path in tmp_path.rglob("*.yaml") if path.name.lower().startswith("task_a")]
    assert len(found) == 1
    assert found[0].is_relative_to(home / "scopes")
    assert len(found[0].relative_to(home).parts) == 6


def test_atoms_of_two_scopes_have_other_ids(tmp_path: Path) -> None:
    source = tmp_path / "same.json"
    source.write_text(chat("cardamom"))
    ids = []
    for scope in (ALICE, BOB):
        memory = tmp_path / "memory"
        memctl("-q", "-C", memory, *scope, "ingest", source)
        memctl("-q", "-C", memory, *scope, "extract")
        rows = memctl("-C", memory, *scope, "atom", "list", "--format", "json").data
        assert {(row["teamId"], row["agentId"], row["userId"]) for row in rows} == {
            ("red", "coder", scope[-1])
        }
        ids.append({row["id"] for row in rows})
    assert not ids[0] & ids[1]


def test_a_message_without_a_session_is_refused() -> None:
    with pytest.raises(UsageError, match="session"):
        messages.record({"id": "1", "sessionId": "", "role": "user", "content": "x"})


def test_an_atom_without_a_session_is_refused(tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path, "init")
    store = open_store(tmp_path)
    with pytest.raises(UsageError, match="session"):
        atoms.append(store, store.batch(), [atoms.from_fields({"id": "m_1a2b3c4d5e6f", "content": "x"})])


ALIKE = (["--team", "a-b", "--agent", "c"], ["--team", "a", "--agent", "b-c"])  # joined by "-" they are one


def test_a_run_killed_in_one_scope_is_finished_in_no_other(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    source = tmp_path / "chat.json"
    source.write_text(chat("heliotrope"))
    for scope in ALIKE:
        memctl("-q", "-C", home, "ingest", source, *scope)
        memctl("-q", "-C", home, "extract", *scope)
        memctl("-q", "-C", home, "compact", "--now", "2026-01-01T00:00:00Z", *scope)
    killed, other = (open_store(home, (scope[1], scope[3], None)).root for scope in ALIKE)
    before = snapshot(other)
    command = [sys.executable, "-c", DIE_AT, "3", "-C", str(home), "clear", "--yes", *ALIKE[0]]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -9
    assert snapshot(killed)

    for arguments in (["compact", "--now", "2026-01-01T00:00:00Z"], ["extract"], ["ingest", str(source)]):
        memctl("-q", "-C", home, *arguments, *ALIKE[1])
    assert snapshot(other) == before

    memctl("-q", "-C", home, "extract", *ALIKE[0])
    assert b"heliotrope" not in b"".join(snapshot(killed).values())


def test_each_scope_has_private_files_of_its_own_whatever_its_name(tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "memory", "init")
    parts = ("", "a", "b", "a-b", "b-a", "-", "a-", "~any", "a/b", "x" * 300)
    stores = [open_store(tmp_path / "memory", (team, agent, None)) for team in parts for agent in parts]

    paths = {store.private_of_scope("plan") for store in stores}

    assert len(paths) == len(stores)
    assert all(len(path.name) < 64 for path in paths)


def test_a_plan_that_may_be_of_two_scopes_is_refused_by_name(tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "memory", "init")
    store = open_store(tmp_path / "memory", ("a-b", "c", None))
    former = store.private("plan-scopes-a-b-c-~any")
    former.parent.mkdir(exist_ok=True)
    former.write_text('{"pass":"clear"}')

    with pytest.raises(DamagedError, match="plan-scopes-a-b-c-~any"):
        plans.read(store)
