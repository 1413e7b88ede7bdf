"""Events of OpenHands: the SDK's, and those before it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reading import check_beginnings, events, files, messages, parts, text, written
from transcripts.openhands import NEW, OLD, asks

from memctl.model import Call, Image, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import openhands, sidecar
from memctl.readers.source import Source, open_source


def test_events_of_the_sdk_read_in_order_with_the_calls_of_one_answer_joined() -> None:
    found = messages(openhands, NEW)
    assert [(one.id, one.role) for one in found] == [
        ("e0", "system"),
        ("e1", "user"),
        ("e2", "assistant"),
        ("e4", "tool"),
        ("e5", "tool"),
        ("e6", "assistant"),
        ("e7", "tool"),
        ("e9", "user"),
        ("e10", "system"),
        ("e11", "assistant"),
    ]
    assert found[2].parts == (
        Thinking("hm"),
        Text("I look."),
        Call("terminal:0", "terminal", '{"command":"ls"}'),
        Call("terminal:1", "terminal", '{"command":"ls"}'),
    )
    assert found[7].marks == ("compact_summary",)
    assert Skipped("CondensationRequest", "#1") in events(openhands, written(NEW))


def test_a_call_id_used_again_is_told_apart_and_answered_by_its_action() -> None:
    found = messages(openhands, NEW)
    assert [part.id for part in parts(found, Call)] == ["terminal:0", "terminal:1", "e6"]
    assert [(part.call_id, part.blocks, part.is_error) for part in parts(found, Result)] == [
        ("terminal:0", (Text("a"),), False),
        ("terminal:1", (Text("b"),), True),
        ("e6", (Text("c"),), False),
    ]


@pytest.mark.parametrize(
    ("more", "blocks", "failed"),
    [
        ({"kind": "AgentErrorEvent", "error": "unknown tool"}, (Text("unknown tool"),), True),
        ({"kind": "UserRejectObservation", "rejection_reason": "no"}, (Text("no"),), True),
        (
            {"kind": "ObservationEvent", "observation": {"kind": "X", "content": "plain", "exit_code": 2}},
            (Text("plain"),),
            True,
        ),
        ({"kind": "ObservationEvent", "observation": {"kind": "X", "rows": 2}}, (Text('{"rows":2}'),), None),
    ],
)
def test_every_shape_of_an_observation_is_read(
    more: dict[str, Any], blocks: Any, failed: bool | None
) -> None:
    answer = {"id": "e9", "source": "environment", "tool_call_id": "c", **more}
    [result] = parts(messages(openhands, [asks("e2", "c"), answer]), Result)
    assert (result.call_id, result.blocks, result.is_error) == ("c", blocks, failed)


def test_events_before_the_sdk_read_in_order() -> None:
    found = messages(openhands, OLD)
    assert [(one.id, one.role) for one in found] == [
        ("0", "system"),
        ("1", "user"),
        ("4", "assistant"),
        ("7", "tool"),
        ("8", "tool"),
        ("9", "assistant"),
        ("10", "tool"),
        ("12", "system"),
        ("13", "assistant"),
    ]
    assert found[1].parts == (Text("hi"), Image("image/png", data="QUJD"))
    assert found[2].parts == (
        Text("I look."),
        Call("k1", "execute_bash", '{"command": "ls"}'),
        Call("k2", "execute_bash", '{"command": "ls"}'),
    )
    assert (found[2].model, found[2].usage) == ("m", {"total_tokens": 9})
    assert parts(found, Call)[2:] == [
        Call("9", "read", {"path": "a.py"}),
        Call("13", "finish", {"outputs": {}}),
    ]
    assert [(part.call_id, part.is_error) for part in parts(found, Result)] == [
        ("k1", True),
        ("k2", True),
        ("9", None),
    ]


def test_conversations_without_an_id_are_told_apart_by_their_first_event() -> None:
    seeds = []
    for first in ("e1", "other"):
        lines = [{**NEW[1], "id": first}]
        [one] = [one for one in events(openhands, written(lines)) if isinstance(one, SessionFacts)]
        assert one.id is None
        seeds.append(one.seed)
    assert seeds[0] != seeds[1]


def test_the_runs_of_an_evaluation_are_sessions() -> None:
    lines: list[Any] = [
        {"instance_id": "x-1", "history": OLD},
        {"instance_id": "x-2", "history": [[OLD[1], OLD[0]]]},
    ]
    assert openhands.detect(Source.from_bytes(written(lines)))
    assert [one.id for one in events(openhands, written(lines)) if isinstance(one, SessionFacts)] == [
        "x-1",
        "x-2",
    ]
    assert [text(one) for one in messages(openhands, lines) if one.session == "x-2"] == ["hi", "S"]


@pytest.mark.parametrize("lines", [NEW, OLD])
def test_a_log_is_known_as_lines_or_a_list_and_any_cut_is_a_beginning(lines: list[Any]) -> None:
    for data in (written(lines), json.dumps(lines).encode()):
        assert openhands.detect(Source.from_bytes(data))
    assert messages(openhands, [lines]) == messages(openhands, lines)
    check_beginnings(openhands, written(lines))


def test_events_that_are_files_belong_to_the_state_beside_them(tmp_path: Path) -> None:
    state = tmp_path / "base_state.json"
    agent, workspace = {"llm": {"model": "m"}}, {"working_dir": "/w"}
    state.write_text(json.dumps({"id": "o1", "agent": agent, "workspace": workspace, "max_iterations": 500}))
    (tmp_path / "events").mkdir()
    for number, one in enumerate(NEW):
        (tmp_path / "events" / f"event-{number:05}-{one['id']}.json").write_text(json.dumps(one))
    (tmp_path / "events" / "event-00099-x.json").write_text('{"kind": "Mess')
    source = open_source(state)
    assert openhands.detect(source)
    found = list(openhands.read(source))
    assert found[0] == SessionFacts(
        "o1", "o1", "openhands", facts={"agent": "OpenHands", "cwd": "/w", "model": "m"}
    )
    alone = [replace(one, session="o1") for one in messages(openhands, NEW)]
    assert [one for one in found if isinstance(one, Message)] == alone
    piece = open_source(next((tmp_path / "events").iterdir()))
    assert not openhands.detect(piece)
    assert sidecar(piece)


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_events() -> None:
    for path in files(
        "codex", "gemini_cli", "claude_code", "mini_swe_agent", "swe_agent", "openai_messages", "other_agents"
    ):
        assert not openhands.detect(open_source(path)), path.name
