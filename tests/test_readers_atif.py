"""Trajectories in the interchange format of Harbor, and its traces."""

import json
from typing import Any

import pytest
from reading import events, facts, files, messages, parts, text, written
from transcripts.atif import CALL, TRAJECTORY, trace

from memctl.model import Call, Image, Raw, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import atif
from memctl.readers.source import Source, open_source


def step(source: str = "agent", **more: Any) -> dict[str, Any]:
    return {**TRAJECTORY, "steps": [{"step_id": 1, "source": source, "message": "", **more}]}


def test_a_step_is_words_with_calls_and_then_what_came_of_them() -> None:
    found = messages(atif, [TRAJECTORY])
    assert [one.role for one in found] == ["system", "user", "assistant", "tool"]
    assert found[2].parts == (
        Thinking("hm"),
        Text("ok"),
        Call("c1", "bash", {"cmd": "ls"}),
        Call("c2", "bash", {"cmd": "ls"}),
    )
    assert (found[2].model, found[2].usage) == ("m-2", {"prompt_tokens": 5, "completion_tokens": 2})
    assert found[3].parts == (Result("c2", (Text("b"),)), Result("c1", (Text("a"),), True))
    assert facts(atif, [TRAJECTORY]) == {
        "z": {"agent": "demo", "version": "1", "model": "m", "cwd": "/app", "started": "2026-01-01T00:00:00Z"}
    }
    assert all(one.id is None for one in found)


@pytest.mark.parametrize(
    ("more", "results"),
    [
        (
            {"tool_calls": [CALL], "observation": {"results": [{"content": "by place"}]}},
            [Result("c1", (Text("by place"),))],
        ),
        ({"observation": {"results": [{"content": "no call"}]}}, [Result(None, (Text("no call"),))]),
        ({"tool_calls": [CALL], "observation": {"results": [{"content": None}]}}, [Result("c1", ())]),
        ({"tool_calls": [CALL], "observation": None}, []),
        (
            {
                "observation": {
                    "results": [
                        {
                            "content": [
                                {"type": "text", "text": "t"},
                                {
                                    "type": "image",
                                    "source": {"media_type": "image/png", "path": "images/1.png"},
                                },
                            ]
                        }
                    ]
                }
            },
            [Result(None, (Text("t"), Image("image/png", url="images/1.png")))],
        ),
        (
            {
                "observation": {
                    "results": [{"source_call_id": "c1", "subagent_trajectory_ref": [{"session_id": "s"}]}]
                }
            },
            [Result("c1", (Raw({"subagent_trajectory_ref": [{"session_id": "s"}]}),))],
        ),
    ],
)
def test_every_shape_of_an_observation_is_read(more: dict[str, Any], results: list[Result]) -> None:
    assert parts(messages(atif, [step(**more)]), Result) == results


def test_a_system_step_may_carry_an_observation() -> None:
    found = messages(atif, [step("system", observation={"results": [{"content": "screen"}]})])
    assert [one.role for one in found] == ["tool"]


def test_subagents_inside_are_sessions_with_a_parent() -> None:
    inner = {**step("user", message="part"), "session_id": "inner"}
    found = [
        one
        for one in events(atif, written([{**TRAJECTORY, "subagent_trajectories": [inner]}]))
        if isinstance(one, SessionFacts)
    ]
    assert [(one.id, one.facts.get("parent")) for one in found] == [("z", None), ("inner", "z")]


def test_of_the_traces_of_a_run_the_last_episode_is_read() -> None:
    lines = [[trace(0, "a", "b"), trace(0, "x", run="r2"), trace(1, "a", "b", "c", "d")]]
    assert atif.detect(Source.from_bytes(json.dumps(lines[0]).encode()))
    found = messages(atif, lines)
    assert [(one.session, text(one)) for one in found] == [
        ("r1", "a"),
        ("r1", "b"),
        ("r1", "c"),
        ("r1", "d"),
        ("r2", "x"),
    ]
    assert Skipped("an earlier episode") in events(atif, written(lines))
    assert facts(atif, lines)["r1"] == {"agent": "terminus-2", "model": "m", "title": "hello"}


def test_a_longer_trajectory_begins_as_the_shorter_one() -> None:
    whole = messages(atif, [TRAJECTORY])
    for cut in range(3):
        beginning = messages(atif, [{**TRAJECTORY, "steps": TRAJECTORY["steps"][:cut]}])
        assert beginning == whole[: len(beginning)]


@pytest.mark.shared(in_part=True)
def test_other_transcripts_are_not_taken_for_trajectories() -> None:
    assert atif.detect(Source.from_bytes(json.dumps(TRAJECTORY).encode()))
    for path in files("codex", "gemini_cli", "mini_swe_agent", "swe_agent", "openai_messages", "sharegpt"):
        assert not atif.detect(open_source(path)), path.name
