"""Memories that a model finds: grounded in what the user said, and below what a person says."""

import json
from pathlib import Path

from answering import give, memory, talk
from running import memctl, snapshot


def test_memories_are_grounded_in_what_the_user_said(tmp_path: Path) -> None:
    home = talk(tmp_path, "By the way, our deploys go out on Thursdays at 14:30 from the staging branch.")
    good = memory("Deploys go out on Thursdays at 14:30 from the staging branch.", "u0", type="work_fact")
    before = snapshot(home)
    for wrong, reason in [
        (memory("Deploys go out on Thursdays at 15:45 from staging.", "u0"), "15:45"),
        (memory("The user likes chocolate cake and long walks.", "u0"), "not what its messages say"),
        (good | {"source_message_ids": ["u7"]}, "not a user message"),
        (good | {"source_message_ids": []}, "no source_message_ids"),
        (good | {"type": "secret"}, "is not one of"),
        (good | {"content": ""}, "no content"),
    ]:
        assert reason in give(home, "atoms", "talk", {"memories": [good, wrong]}, code=3)
    assert snapshot(home) == before

    give(home, "atoms", "talk", {"memories": [good]})

    (row,) = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    assert row["actor"] == "llm:m"
    assert row["source_message_ids"] == ["u0"]
    after = snapshot(home)
    memctl("-q", "-C", home, "extract")
    kept = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    assert [one["id"] for one in kept] == [row["id"]]
    assert kept[0]["content"] == good["content"]
    assert after.keys() == snapshot(home).keys()


def test_a_model_words_what_the_rules_found_and_a_person_outranks_both(tmp_path: Path) -> None:
    home = talk(tmp_path, "I prefer tabs over spaces in Go files.")
    memctl("-q", "-C", home, "extract")
    (rule,) = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    said = memory("The user prefers tabs over spaces in Go files.", "u0")

    give(home, "atoms", "talk", {"memories": [said]})
    (model,) = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]
    memctl(
        "-C", home, "atom", "correct", rule["id"], "The user prefers spaces.", "--now", "2026-05-01T00:00:00Z"
    )
    give(home, "atoms", "talk", {"memories": [said]})
    (person,) = json.loads(memctl("-C", home, "atom", "list", "--format", "json").out)["data"]

    assert (model["id"], model["actor"], model["content"]) == (rule["id"], "llm:m", said["content"])
    assert (person["id"], person["actor"]) == (rule["id"], "human")
    assert person["content"] == "The user prefers spaces."


def test_what_was_forgotten_stays_away_from_models_too(tmp_path: Path) -> None:
    home = talk(tmp_path, "I prefer tabs over spaces in Go files.")
    memctl("-q", "-C", home, "extract")
    name = memctl("-C", home, "atom", "list", "--print", "id").out.strip()
    memctl("-q", "-C", home, "atom", "forget", name)

    give(
        home, "atoms", "talk", {"memories": [memory("The user prefers tabs over spaces in Go files.", "u0")]}
    )

    assert memctl("-C", home, "atom", "list", code=0).out == ""
