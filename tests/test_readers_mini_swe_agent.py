"""Trajectories of mini-swe-agent: calls, or commands in a code block."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import facts, files, messages, parts, tally, text
from transcripts.mini_swe_agent import BLOCKS, CALLING

from memctl.model import Call, Message, Result, Text
from memctl.readers import mini_swe_agent
from memctl.readers.source import Source, open_source

TRAJECTORIES = files("mini_swe_agent")


@pytest.mark.shared
@pytest.mark.parametrize("path", TRAJECTORIES, ids=lambda path: path.name)
def test_a_shared_trajectory_gives_what_an_independent_count_finds(path: Path) -> None:
    run = json.loads(path.read_text())
    found = run["messages"] if isinstance(run, dict) else run
    count = Counter(
        {"exit": "system"}.get(one["role"], one["role"])
        for one in found
        if one["content"] or one.get("tool_calls")
    )
    count["results"] = count["tool"]
    count["calls"] = sum(len(one.get("tool_calls") or []) for one in found)
    if isinstance(run, list):  # the answers are in the user's name
        answers = sum(one["content"].startswith("<returncode>") for one in found)
        count += Counter(calls=count["assistant"], results=answers, tool=answers)
        count["user"] -= answers
    source = open_source(path)
    assert mini_swe_agent.detect(source)
    assert tally([one for one in mini_swe_agent.read(source) if isinstance(one, Message)]) == count


def test_calls_results_times_and_usage_are_read() -> None:
    found = messages(mini_swe_agent, [CALLING])
    assert [one.role for one in found] == ["system", "user", "assistant", "tool", "user", "system"]
    assert found[2].parts == (Text("go"), Call("c1", "bash", '{"command": "ls"}'))
    assert found[3].parts == (Result("c1", (Text("<returncode>1</returncode>"),), True),)
    assert [one.timestamp for one in found[2:4]] == ["2026-05-28T20:26:40.500Z", "2026-05-28T20:26:41.000Z"]
    assert (found[2].model, found[2].usage) == ("m-1", {"total_tokens": 3})
    assert found[4].marks == ("meta",)
    assert facts(mini_swe_agent, [CALLING])["x-1"] == {
        "agent": "mini-swe-agent",
        "version": "2.2.7",
        "model": "m",
        "cwd": "/testbed",
        "started": "2026-05-28T20:26:40.500Z",
    }


def test_the_one_command_of_a_code_block_is_a_call_and_the_next_answer_its_result() -> None:
    found = messages(mini_swe_agent, [BLOCKS])
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert found[1].parts == (Text("THOUGHT: look"), Call(None, "bash", "ls -la"))
    assert parts(found, Result) == [Result(None, (Text(str(BLOCKS[2]["content"])),), False, "bash")]
    assert text(found[3]) == BLOCKS[3]["content"]
    assert found[5].parts == (Call(None, "bash", "submit"),)


def test_older_versions_are_known_by_their_return_codes() -> None:
    for older in (BLOCKS, {"messages": BLOCKS, "info": {}}):
        assert mini_swe_agent.detect(Source.from_bytes(json.dumps(older).encode()))
    assert not mini_swe_agent.detect(Source.from_bytes(json.dumps(BLOCKS[:2]).encode()))


def test_the_programs_reminder_of_the_format_is_no_prompt() -> None:
    reminder = "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."
    for content in (reminder, [{"type": "text", "text": reminder}]):
        told = {"role": "user", "content": content}
        run = [
            *BLOCKS[:1],
            {"role": "assistant", "content": "THOUGHT: two\n\n```bash\nls\n```\n\n```bash\npwd\n```"},
            told,
        ]
        assert messages(mini_swe_agent, [run])[-1].marks == ("meta",)
        assert messages(mini_swe_agent, [[*BLOCKS[:2], told]])[-1].role == "tool"
        assert messages(mini_swe_agent, [[told]])[-1].marks == ()


def test_what_came_of_a_command_may_be_a_list_of_blocks() -> None:
    answer = [{"type": "text", "text": BLOCKS[2]["content"]}]
    run = [*BLOCKS[:2], {"role": "user", "content": answer}]
    assert mini_swe_agent.detect(Source.from_bytes(json.dumps(run).encode()))
    assert parts(messages(mini_swe_agent, [run]), Result) == [
        Result(None, (Text(str(BLOCKS[2]["content"])),), False, "bash")
    ]


def test_a_longer_trajectory_begins_as_the_shorter_one() -> None:
    for run in (BLOCKS, CALLING["messages"]):
        assert isinstance(run, list)
        whole = messages(mini_swe_agent, [{"messages": run}])
        for cut in range(len(run)):
            beginning = messages(mini_swe_agent, [{"messages": run[:cut]}])
            assert beginning == whole[: len(beginning)]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_trajectories() -> None:
    for path in files(
        "codex", "pi", "gemini_cli", "swe_agent", "openai_messages", "sharegpt", "chatgpt_export"
    ):
        assert not mini_swe_agent.detect(open_source(path)), path.name
