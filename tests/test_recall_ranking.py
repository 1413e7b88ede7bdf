"""What comes first: what holds the words asked for, before what merely stands near it; and nothing from noise."""

from pathlib import Path

import pytest
from recalling import atom, atoms, hits, noise, talk
from running import memctl

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=noise)]


@pytest.mark.parametrize(
    "question",
    [
        "xqzzvplk",
        "zzzz",
        "asdfgh",
        '"',
        "*",
        "???",
        "the",
        "a",
        "…",
        "why is it",
        "\u200b.",
        "[]{}",
        "!!! ???",
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_what_cannot_be_looked_up_finds_nothing(home: Path, question: str, mode: str) -> None:
    assert hits(home, question, "--mode", mode, code=1) == []
    assert memctl("-C", home, "recall", "--inject", question, "--mode", mode, code=1).out == ""


def test_a_text_of_hardly_a_word_is_found_by_its_word_alone(home: Path) -> None:
    assert hits(home, "yo")[0]["text"] == "yo"
    near = memctl("-C", home, "recall", "okay fine then", "--mode", "vector", "--format", "json", code=None)
    assert not {"Ok", "👍", "yo", "네", "Noted."} & {hit["text"] for hit in near.data["hits"]}


def test_a_question_of_known_names_may_be_answered_by_its_meaning(tmp_path: Path) -> None:
    seen = ("mirrors", "friends", "the sea", "crowds", "my dog", "the house")
    said = [("user", f"Jon: Gina, I love to dance in front of {what} each evening.") for what in seen]
    talk(tmp_path, "talk", said)
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "talk.json", "-q")

    assert hits(tmp_path / "memory", "What do Jon and Gina have in common?")


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("4512", "ERR_CERT_4512"),
        ("CERT", "ERR_CERT_4512"),
        ("exit code 127", "127"),
        ("why exit code 127", "127"),
        ("민수", "민수"),
        ("Lisbon", "Lisbon"),
    ],
)
def test_what_holds_the_words_comes_before_what_stands_near_it(home: Path, question: str, held: str) -> None:
    assert held in hits(home, question, "-k", "2")[0]["text"]


def test_what_says_the_question_again_does_not_fill_the_top(home: Path) -> None:
    found = [hit["text"] for hit in hits(home, "why did the nightly backup not run")]

    assert "disk was full" in found[0]
    assert sum(text.lower().startswith("why did the nightly") for text in found) <= 1


def test_an_atom_comes_before_the_talk_about_the_same(home: Path, tmp_path: Path) -> None:
    said = [("user", f"Please make a commit of part {number} of the work.") for number in range(40)]
    talk(tmp_path, "more", said)
    memctl("-C", home, "ingest", tmp_path / "more.json", "-q")
    atoms(home, [atom("m_00000000000a", "Each commit must hold code that works.")])

    assert hits(home, "commit", "-k", "3")[0]["layer"] == "atom"
