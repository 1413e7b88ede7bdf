"""Prompt and apply: any program may be the engine; what breaks a rule changes no byte; what it wrote stays."""

import json
import shutil
from pathlib import Path

import models
import pytest
from answering import SESSION, asked, give
from running import memctl, snapshot

from memctl.engine.table import KINDS
from memctl.store import entries

pytestmark = pytest.mark.home(copy_of="extracted")


def subjects(home: Path) -> list[tuple[str, str]]:
    """List something to ask about for every kind."""
    scene = next(path.name for path in sorted((home / "scene_blocks").iterdir()))
    return [
        ("summaries", SESSION),
        ("task", SESSION),
        ("canvas", "1"),
        ("atoms", SESSION),
        ("scene", scene),
        ("persona", ""),
    ]


def settled(home: Path, samples: Path) -> dict[str, bytes]:
    """Let scenes follow the canvases, give the directory, and check that the passes leave it so."""
    memctl("-q", "-C", home, "extract")
    before = snapshot(home)
    (home / ".memctl" / "cursors.json").unlink(missing_ok=True)
    memctl("-q", "-C", home, "ingest", samples)
    assert snapshot(home) == before
    memctl("-q", "-C", home, "extract")
    assert snapshot(home) == before
    memctl("-C", home, "check")
    return before


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "dedup"])
def test_an_answer_is_taken_and_survives_every_later_pass(kind: str, home: Path, samples: Path) -> None:
    subject = dict(subjects(home))[kind]
    before = snapshot(home)

    give(home, kind, subject, models.answer(asked(home, kind, subject)))

    after = snapshot(home)
    assert after != before
    kept = settled(home, samples)
    if kind in ("atoms", "scene", "persona"):
        assert kept == after


def test_a_model_s_words_reach_what_people_see(home: Path) -> None:
    give(home, "summaries", SESSION, models.answer(asked(home, "summaries", SESSION)))
    listed = entries.latest(home / f"offload-{SESSION}.jsonl")
    assert {found.entry.extra.get("by") for found in listed} == {"llm:m"}
    assert "In short: " in memctl("-C", home, "grep", ".").out
    memctl("-C", home, "prompt", "summaries", SESSION, code=1)  # nothing is left to ask

    give(home, "canvas", "1", models.answer(asked(home, "canvas", "1")))
    shown = " ".join(memctl("-C", home, "canvas", "show", "1").out.split())
    assert "by llm" in shown
    assert "so In short: " in shown

    give(home, "persona", "", models.answer(asked(home, "persona")))
    assert "In a model's words" in (home / "persona.md").read_text()


def test_half_a_thousand_ways_to_write_the_same_json(home: Path) -> None:
    good = json.loads(models.answer(asked(home, "task", SESSION)))
    pretty = json.dumps(good, indent=2)
    ways = [
        f"Sure! Here is {{the}} answer:\n```json\n{pretty}\n```\nAnything else?",
        f'<think>{{"tasks": []}} hm</think>{pretty}',
        pretty.replace('"tasks"', "tasks").replace("\n}", ",\n}").replace("\n  ]", ",\n  ]"),
        pretty.replace('"status": "completed"', "'status': 'Completed'"),
        json.dumps(good["tasks"]),
        json.dumps({"tasks": {"001": good["tasks"][0]}}),
        pretty.replace('"001"', "1") + "\n\n# done",
        "\ufeff// the answer\n" + pretty,
        pretty.replace(" (judged)", "\n (judged)\t"),
    ]
    results = set()
    for way in ways:
        copy = home.with_name("copy")
        shutil.copytree(home, copy)
        give(copy, "task", SESSION, way)
        results.add(frozenset(snapshot(copy).items()))
        shutil.rmtree(copy)

    assert len(results) == 1


BAD = [
    "",
    "I cannot do that.",
    "{",
    "[]",
    "null",
    '{"tasks": 3}',
    "{" * 100_000,
    '{"memories": [{"content": "',
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_answer_is_refused_and_changes_nothing(kind: str, home: Path) -> None:
    subject = dict(subjects(home)).get(kind, "")
    before = snapshot(home)
    for bad in BAD:
        told = give(home, kind, subject, bad, code=3)
        assert "rejected and nothing was changed" in told
        assert "Traceback" not in told
    assert snapshot(home) == before


def test_a_truncated_answer_is_refused_wherever_it_ends(home: Path) -> None:
    before = snapshot(home)
    for kind, subject in subjects(home):
        whole = models.answer(asked(home, kind, subject))
        for end in range(1, len(whole) - 1, max(1, len(whole) // 7)):
            give(home, kind, subject, whole[:end], code=3)
    assert snapshot(home) == before
