"""Notes for agents (CLAUDE.md, AGENTS.md, memory notes): each statement an instruction, its file the evidence."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from running import memctl, snapshot
from transcripts.notes import NOTES

from memctl.readers.notes import statements

SAID = [
    "Robin keeps the shelf of the town library.",
    "Run `pytest -q` before every commit.",
    "Never touch the generated files under build/.",
    "提交信息用中文写。",
    "Ask before deleting anything.",
]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Give a project with notes for agents."""
    folder = tmp_path / "robin"
    (folder / "memory").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text(NOTES, encoding="utf-8")
    (folder / "AGENTS.md").write_text("- Answer in German.\n")
    (folder / "memory" / "habits.md").write_text("The user reads mail at noon only.\n")
    (folder / "README.md").write_text("- This is a read me, no note.\n")
    return folder


def test_statements_are_items_and_paragraphs() -> None:
    assert statements(NOTES) == SAID
    assert statements(NOTES.replace("\n", "\r\n")) == SAID
    assert statements("") == []


def test_notes_become_instructions_with_their_file_as_evidence(notes: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    told = memctl("-C", home, "ingest", notes)
    assert "7 instructions" in told.out
    rows = memctl("-C", home, "atom", "list", "--format", "json").data
    assert {row["content"] for row in rows} == {
        *SAID,
        "Answer in German.",
        "The user reads mail at noon only.",
    }
    assert {row["type"] for row in rows} == {"instruction"}
    for row in rows:
        assert row["sessionId"].startswith("notes:")
        for source in row["source_message_ids"]:
            shown = memctl("-C", home, "drill", f"message:{row['sessionId']}/{source}").out
            assert row["content"] in shown
    sessions = memctl("-C", home, "session", "list", "--format", "json").data
    assert {Path(row["source"]).name for row in sessions} == {"CLAUDE.md", "AGENTS.md", "habits.md"}
    assert "German" in memctl("-C", home, "recall", "which language to answer in, German?").out


def test_notes_are_taken_once_and_grow(notes: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", notes)
    before = snapshot(home)
    memctl("-q", "-C", home, "ingest", notes)
    assert before == snapshot(home)
    (notes / "AGENTS.md").write_text("- Answer in German.\n- Keep answers under ten lines.\n")
    memctl("-q", "-C", home, "ingest", notes)
    contents = [row["content"] for row in memctl("-C", home, "atom", "list", "--format", "json").data]
    assert len(contents) == 8
    assert "Keep answers under ten lines." in contents


def test_what_was_forgotten_stays_forgotten(notes: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", notes)
    rows = memctl("-C", home, "atom", "list", "--format", "json").data
    gone = next(row["id"] for row in rows if "German" in row["content"])
    memctl("-C", home, "atom", "forget", gone)
    (notes / "AGENTS.md").write_text("- Answer in German.\n- Something else entirely, about tea.\n")
    memctl("-q", "-C", home, "ingest", notes)
    memctl("-q", "-C", home, "extract")
    assert "German" not in memctl("-C", home, "atom", "list").out


def test_secrets_in_notes_do_not_get_in(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    (tmp_path / "CLAUDE.md").write_text(f"- The token is {secret} for deploys.\n")
    memctl("-q", "-C", tmp_path / "memory", "ingest", tmp_path / "CLAUDE.md")
    assert all(secret.encode() not in data for data in snapshot(tmp_path / "memory").values())


@given(st.text(st.sampled_from("-*# \n`~<!>|ab1.@=_[]x\t"), max_size=200))
def test_any_text_is_cut_without_losing_its_words(text: str) -> None:
    for statement in statements(text):
        assert statement == " ".join(statement.split())
        assert all(word in text for word in statement.split())
