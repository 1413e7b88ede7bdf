"""Trajectories of SWE-agent: steps in full, joined with the history around them."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import events, files, messages, parts, tally, text, written
from transcripts.swe_agent import CALLING, TEXT_MODE, step

from memctl.model import Call, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import swe_agent
from memctl.readers.source import open_source

TRAJECTORIES = files("swe_agent")


@pytest.mark.shared
@pytest.mark.parametrize("path", TRAJECTORIES, ids=lambda path: path.name[-40:])
def test_a_shared_trajectory_gives_what_an_independent_count_finds(path: Path) -> None:
    run = json.loads(path.read_text())
    steps = len(run["trajectory"])
    around = Counter(one["role"] for one in run["history"] if not one.get("is_demo"))
    source = open_source(path)
    assert swe_agent.detect(source)
    found = [one for one in swe_agent.read(source) if isinstance(one, Message)]
    expected = Counter(
        system=around["system"], user=1, assistant=steps, tool=steps, calls=steps, results=steps
    )
    assert tally(found) == expected
    assert next(text(one) for one in found if one.role == "user").startswith("We're currently solving")
    assert [Text(step["observation"]) for step in run["trajectory"] if step["observation"]] == [
        block for result in parts(found, Result) for block in result.blocks
    ]


def test_steps_are_told_in_full_and_in_order_with_what_stands_around_them() -> None:
    found = messages(swe_agent, [TEXT_MODE])
    assert [one.role for one in found] == [
        "system",
        "user",
        *["assistant", "tool"] * 3,
        "user",
        "assistant",
        "tool",
    ]
    assert [(part.id, part.name, part.arguments) for part in parts(found, Call)] == [
        (None, "bash", "ls -F\n"),
        (None, "bash", "vim\n"),
        (None, "open", "open a.py\n"),
        (None, "submit", "submit\n"),
    ]
    assert [part.blocks[0].text for part in parts(found, Result)] == [
        "a.py\n",
        "not allowed",
        "x = 1 and much more",
        "diff",
    ]
    assert text(found[8]) == "Your output was not formatted correctly."
    assert found[2].parts[0] == Text("look")
    assert [text(one) for one in found[:2]] == ["S", "the issue"]
    assert Skipped("demonstration", "session") in events(swe_agent, written([TEXT_MODE]))


def test_calls_of_the_interface_keep_their_ids_and_arguments() -> None:
    found = messages(swe_agent, [CALLING])
    assert [one.role for one in found] == ["user", "assistant", "tool"]
    assert found[1].parts == (Thinking("hm", "S"), Text("find"), Call("c1", "find_file", '{"file_name":"a"}'))
    assert found[2].parts == (Result("c1", (Text("found"),)),)


def test_facts_come_from_state_and_configuration_and_runs_are_told_apart() -> None:
    [facts] = [one for one in events(swe_agent, written([CALLING])) if isinstance(one, SessionFacts)]
    assert facts.facts == {"agent": "SWE-agent", "cwd": "/repo", "model": "m-1"}
    other = {**CALLING, "trajectory": [step("another way", "ls", "")]}
    [others] = [one for one in events(swe_agent, written([other])) if isinstance(one, SessionFacts)]
    assert facts.id is None
    assert facts.seed != others.seed


def test_a_demonstration_that_is_only_history_is_read() -> None:
    found = messages(swe_agent, [{"trajectory": [], "history": TEXT_MODE["history"]}])
    assert [one.role for one in found] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "user",
        "assistant",
    ]


def test_a_longer_trajectory_begins_as_the_shorter_one() -> None:
    whole = messages(swe_agent, [TEXT_MODE])
    for cut in range(1, 4):
        shorter = {
            **TEXT_MODE,
            "trajectory": TEXT_MODE["trajectory"][:cut],
            "history": TEXT_MODE["history"][: 3 + cut],
        }
        beginning = messages(swe_agent, [shorter])
        assert beginning[:-1] == whole[: len(beginning) - 1]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_trajectories() -> None:
    for path in files(
        "codex", "pi", "gemini_cli", "mini_swe_agent", "openai_messages", "sharegpt", "chatgpt_export"
    ):
        assert not swe_agent.detect(open_source(path)), path.name
