"""Where persons talk with each other, each memory names who said it; a date's words are in its language."""

from pathlib import Path

import pytest
from extracting import listed, transcript
from hypothesis import given, strategies as st
from running import memctl

from memctl.layers import speakers
from memctl.layers.extract import Heard, drafts

TALK = """Ines: I prefer rye over wheat. I live in Braga.
Rui: I live in Faro. I love my old oven.
Ines: I have been working on a quilt since 2019, which I use to calm down.
Rui: Never push to main without asking me, and I love my old oven.
Ines: I love my old oven. Your oven was a gift, I was happy about it yesterday.
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "talk.txt").write_text(TALK, encoding="utf-8")
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "talk.txt")
    memctl("-C", tmp_path / "memory", "extract")
    return tmp_path / "memory"


def test_each_of_two_speakers_is_named_and_neither_takes_the_others_place(home: Path) -> None:
    contents = {atom["content"] for atom in listed(home)}

    assert {
        "Ines prefers rye over wheat.",
        "Ines lives in Braga.",
        "Rui lives in Faro.",
        "Rui loves their old oven.",
        "Ines loves their old oven.",
        "Ines has been working on a quilt since 2019, which they use to calm down.",
    } <= contents
    assert not [content for content in contents if "User" in content or "push to main" in content]
    assert memctl("-C", home, "check").out == ""


def test_extracting_again_changes_nothing(home: Path) -> None:
    before = sorted((path, path.read_bytes()) for path in home.rglob("*.jsonl"))
    memctl("-C", home, "extract")
    assert sorted((path, path.read_bytes()) for path in home.rglob("*.jsonl")) == before


def test_a_conversation_with_an_agent_or_one_person_has_no_speakers() -> None:
    said = [Heard("1", "user", "Ines: I like rye."), Heard("2", "user", "Rui: I like wheat.")]

    assert speakers.names(said) == ("Ines", "Rui")
    assert speakers.names([*said, Heard("3", "assistant", "Noted.")]) == ()
    assert speakers.names([*said, Heard("3", "assistant", "Ana: Noted.")]) == ()
    assert speakers.names([*said, Heard("3", "user", "and me")]) == ()
    assert speakers.names(said[:1]) == ()
    assert speakers.names([Heard("1", "user", "Note: x y"), Heard("2", "user", "Error: x y")]) == ()


@given(st.text(max_size=80), st.sampled_from(["Ines", "김민수", "王芳"]))
def test_naming_a_speaker_keeps_the_words(content: str, name: str) -> None:
    found = speakers.as_said_by(f"x{content}", name, (name, "Rui"))
    assert name.lower() in found.lower()
    assert speakers.without_name(f"{name}: {content}x", name).endswith("x")


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("上个月我去了成都出差。", "上个月（2026-02-01 至 2026-02-28）我"),
        ("先月、札幌に引っ越しました。", "先月（2026-02-01～2026-02-28）、"),
        ("지난달에 부산으로 이사했어요.", "지난달（2026-02-01~2026-02-28）에"),
        ("Last month I moved to Braga.", "Last month (2026-02-01 to 2026-02-28) User"),
    ],
)
def test_the_two_ends_of_a_time_are_joined_in_the_language_of_the_text(text: str, dated: str) -> None:
    (draft,) = drafts([Heard("m", "user", text, (), "2026-03-04T09:00:00Z")])
    assert draft.content.startswith(dated)


def test_an_atom_is_shown_with_the_words_it_came_from(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    said = "Look at this.\n\nI prefer rye over wheat. My name is Ana."
    memctl("-C", home, "ingest", transcript(tmp_path / "logs", "one", said))
    memctl("-C", home, "extract")
    rye = next(atom["id"] for atom in listed(home) if "rye" in atom["content"])

    assert (
        "  from        2026-03-04T09:00:00Z  I prefer rye over wheat.\n"
        in memctl("-C", home, "atom", "show", rye).out
    )
    (source,) = memctl("-C", home, "atom", "show", rye, "--format", "json").data["messages"]
    assert source == {
        "session": "one",
        "message": "one-0",
        "time": "2026-03-04T09:00:00Z",
        "words": "I prefer rye over wheat.",
    }
    memctl("-C", home, "atom", "forget", rye)
    assert "over wheat" not in memctl("-C", home, "atom", "show", rye).out


def test_your_is_the_others_only_where_there_is_one() -> None:
    assert speakers.as_said_by("User loves your oven.", "Ines", ["Ines", "Rui"]) == "Ines loves Rui's oven."
    assert (
        speakers.as_said_by("User loves your oven.", "Ines", ["Ines", "Rui", "Tia"])
        == "Ines loves your oven."
    )
