"""Copilot CLI's event logs."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, tally, text, written
from transcripts.copilot import LOG, event

from memctl.model import Call, Image, Message, Raw, Result, Skipped, Text, Thinking
from memctl.readers import copilot, detect
from memctl.readers.source import Source, open_source

LOGS = sorted((SESSIONS / "other_agents" / "copilot").glob("*.jsonl"))


@pytest.mark.shared
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_shared_log_gives_what_an_independent_count_finds(path: Path) -> None:
    """A call that no message asks for counts once its result or the end of its turn is there."""
    count: Counter[str] = Counter()
    asked: set[str] = set()
    lines = [json.loads(line) for line in path.read_text().strip().split("\n")]
    for line in lines:
        kind, data = line["type"], line["data"]
        if kind in ("user.message", "system.message"):
            count[kind.partition(".")[0]] += 1
        elif kind == "assistant.message":
            count["assistant"] += 1
            count["calls"] += len(data["toolRequests"])
            asked |= {call["toolCallId"] for call in data["toolRequests"]}
        elif kind == "tool.execution_complete":
            count["tool"] += 1
            count["results"] += 1
    alone = {line["data"]["toolCallId"] for line in lines if line["type"] == "tool.execution_start"} - asked
    count["calls"] += len(alone)
    count["assistant"] += len(alone)
    source = open_source(path)
    assert copilot.detect(source)
    assert +tally([one for one in copilot.read(source) if isinstance(one, Message)]) == +count
    check_beginnings(copilot, path.read_bytes())


def test_a_log_reads_in_order_with_its_parents() -> None:
    found = [one for one in messages(copilot, LOG) if one.session == "s-1"]
    assert [(one.id, one.role, one.parent, one.marks) for one in found] == [
        ("3", "user", None, ()),
        ("6", "assistant", "3", ()),
        ("7", "tool", "6", ()),
        ("12/call", "assistant", "11", ()),
        ("12", "tool", "12/call", ()),
        ("14", "assistant", "12", ()),
        ("15", "user", "14", ("instructions",)),
        ("16", "user", "15", ("compact_summary",)),
        ("17", "assistant", "16", ("api_error",)),
        ("18", "user", "17", ("command",)),
    ]
    assert found[0].parts == (Text("list"), Raw({"path": "a"}))
    assert found[1].parts == (Thinking("think"), Text("Listing."), Call("c1", "bash", {"command": "ls"}))
    assert (found[1].model, found[1].usage) == ("m", {"outputTokens": 12})
    assert parts(found, Result)[1] == Result("c2", (Text("no"),), True)
    assert Skipped("hook.start", "s-1") in events(copilot, written(LOG))
    check_beginnings(copilot, written(LOG))


def test_a_subagent_is_a_session_of_its_own() -> None:
    found = [one for one in messages(copilot, LOG) if one.session == "s-1.c2"]
    assert [(one.role, text(one)) for one in found] == [("assistant", "Found it.")]
    assert facts(copilot, LOG) == {
        "s-1": {
            "agent": "Copilot CLI",
            "cwd": "/w",
            "branch": "main",
            "version": "1.0.11",
            "started": "2026-03-26T17:50:00.000Z",
            "model": "m",
        },
        "s-1.c2": {"agent": "explore", "parent": "s-1", "parent_call": "c2"},
    }
    asked = {**LOG[5], "data": {"toolRequests": [{"toolCallId": "c2", "name": "task", "arguments": {}}]}}
    assert facts(copilot, [LOG[0], asked, LOG[10]])["s-1.c2"]["parent_call"] == "c2"
    inside = {**LOG[10], "data": {"content": "In it."}, "agentId": "child"}
    assert facts(copilot, [LOG[0], inside])["s-1.child"] == {"agent": "Copilot CLI", "parent": "s-1"}


def test_what_was_only_shown_while_it_came_is_no_message() -> None:
    passing = {**event("2", "assistant.message", "1", content="Lis"), "ephemeral": True}
    assert messages(copilot, [LOG[0], passing]) == []


def test_reasoning_that_a_message_repeats_is_given_once() -> None:
    lines = [*LOG[:4], event("5", "assistant.message", "4", content="x", reasoningText="think")]
    assert parts(messages(copilot, lines), Thinking) == [Thinking("think")]


def test_contents_of_a_result_may_be_pictures() -> None:
    contents = [{"type": "text", "text": "shot"}, {"type": "image", "data": "QUJD", "mimeType": "image/png"}]
    lines = [
        event("1", "tool.execution_complete", toolCallId="c", success=True, result={"contents": contents})
    ]
    assert parts(messages(copilot, lines), Result) == [
        Result("c", (Text("shot"), Image("image/png", data="QUJD")), False)
    ]


@pytest.mark.shared(in_part=True)
def test_a_log_is_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(written(LOG)))
    assert found is not None
    assert found.name == "copilot"
    for folder in ("codex", "pi", "openclaw", "claude_code", "cursor"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not copilot.detect(open_source(path)), path.name
