"""Options of recall, and odd questions: too long, too small, not there, or no text."""

import json
from pathlib import Path
from typing import Any

import pytest
from recalling import atom, atoms, hits, noise
from running import memctl

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=noise)]


@pytest.mark.parametrize("text", ["".join(chr(0x4E00 + at % 20_000) for at in range(120_000))])
def test_a_long_question_is_cut_and_that_is_said(home: Path, text: str) -> None:
    asked = home.parent / "asked"
    asked.write_text(f"{text}\n{' '.join(f'word{at}' for at in range(5_000))} Lisbon\nLisbon\n", "utf-8")
    result = memctl("-C", home, "recall", "--queries", asked, "--mode", "bm25", "--format", "jsonl")

    assert result.err.count("the question is long") == 2
    assert json.loads(result.out.strip().split("\n")[-1])["hits"]
    assert "20,000 characters" in memctl("-C", home, "recall", "--syntax", "a1 " * 9_000, code=2).err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("?! " * 7_000, "its first 20,000 characters contain no searchable words"),
        ("Lisbon  " * 3_000, "its first word\n"),
    ],
)
def test_a_long_question_of_hardly_a_word_is_told_apart(home: Path, text: str, said: str) -> None:
    result = memctl("-C", home, "recall", text, "--mode", "bm25", code=None)

    assert said in result.err


def test_a_budget_too_small_is_said(home: Path) -> None:
    for more in ([], ["--inject"], ["--format", "json"]):
        result = memctl("-C", home, "recall", "Lisbon", "--budget", "3", *more, code=1)
        assert "every match is larger than --budget 3" in result.err
    memctl("-C", home, "recall", "Lisbon", "--budget", "0", code=2)


def test_a_session_that_is_not_there_is_said(home: Path) -> None:
    told = memctl("-C", home, "recall", "Lisbon", "--session", "nope", code=1).err
    assert "session 'nope' is not in" in told


@pytest.mark.parametrize(
    "options",
    [
        ["--min-score", "nan"],
        ["--layer", ""],
        ["--layer", " , "],
        ["--syntax", "day:[x TO y]"],
        ["--syntax", "day:[2026-04-01 TO soon]"],
        ["--syntax", "day:soon"],
    ],
)
def test_options_that_make_no_sense_are_usage_errors(home: Path, options: list[str]) -> None:
    question = [] if "--syntax" in options else ["Lisbon"]
    memctl("-C", home, "recall", *options, *question, code=2)


def test_questions_are_read_in_utf_16_and_refused_in_what_is_no_text(home: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.write_bytes("Lisbon\n민수\n".encode("utf-16"))
    out = memctl("-C", home, "recall", "--queries", asked, "--format", "jsonl").out
    assert [bool(json.loads(line)["hits"]) for line in out.strip().split("\n")] == [True, True]

    asked.write_bytes("Lisbon\n".encode("utf-16-le"))
    assert "not UTF-8 text" in memctl("-C", home, "recall", "--queries", asked, code=3).err


def test_a_section_is_as_old_as_what_it_holds(home: Path) -> None:
    old: dict[str, Any] = {"timestamps": ["2024-01-05T10:00:00Z"]}
    atoms(home, [atom("m_000000000010", "The user grows quinces.", **old)])
    (home / "scene_blocks").mkdir(exist_ok=True)
    (home / "scene_blocks" / "general.md").write_text(
        "-----META-START-----\nsummary: all\nupdated: 2026-05-01T00:00:00Z\n-----META-END-----\n"
        "# General\n\n- The user grows quinces. <!-- m_000000000010 -->\n"
    )

    assert {"scene", "atom"} <= {hit["layer"] for hit in hits(home, "quinces")}
    late = hits(home, "quinces", "--since", "2026-01-01", "--mode", "bm25", code=1)
    assert late == []
