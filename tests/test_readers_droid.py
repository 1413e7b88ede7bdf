"""Factory Droid: its stored sessions, and the stream it prints."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, tally, text, written
from transcripts.droid import STORED, STREAM, streamed

from memctl.model import Call, Message, Result, Skipped, Text
from memctl.readers import detect, droid
from memctl.readers.source import Source, open_source

FILES = sorted((SESSIONS / "other_agents" / "droid").glob("*.jsonl"))


@pytest.mark.shared
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shared_file_gives_what_an_independent_count_finds(path: Path) -> None:
    count: Counter[str] = Counter()
    for line in map(json.loads, path.read_text().strip().split("\n")):
        kind = line["type"]
        if kind == "message" and "message" in line:
            kinds = [block["type"] for block in line["message"]["content"]]
            count["tool" if set(kinds) == {"tool_result"} else line["message"]["role"]] += 1
            count["calls"] += kinds.count("tool_use")
            count["results"] += kinds.count("tool_result")
        elif kind == "message":
            count[line["role"]] += 1
        elif kind in ("tool_call", "completion", "error"):
            count["assistant"] += 1
            count["calls"] += kind == "tool_call"
        elif kind == "tool_result":
            count["tool"] += 1
            count["results"] += 1
    source = open_source(path)
    assert droid.detect(source)
    assert +tally([one for one in droid.read(source) if isinstance(one, Message)]) == +count
    check_beginnings(droid, path.read_bytes())


def test_a_stored_session_reads_in_order_with_unique_names() -> None:
    found = messages(droid, STORED)
    assert [(one.id, one.role, one.parent, one.marks) for one in found] == [
        ("m1", "user", None, ()),
        ("m2", "assistant", "m1", ()),
        ("m3", "tool", "m2", ()),
        ("m1#2", "assistant", "m3", ()),
        ("m4", "user", None, ("meta",)),
    ]
    assert facts(droid, STORED) == {
        "d1": {"agent": "Droid", "cwd": "/w", "title": "Ports", "version": "0.81"}
    }
    assert Skipped("empty:None", "d1") not in events(droid, written(STORED))


def test_a_stream_reads_in_order_and_its_last_words_once() -> None:
    found = messages(droid, STREAM)
    assert [(one.role, text(one), one.marks) for one in found] == [
        ("user", "go", ()),
        ("assistant", "", ()),
        ("tool", "", ()),
        ("tool", "", ()),
        ("assistant", "Done.", ()),
        ("assistant", "stopped", ("api_error",)),
    ]
    assert parts(found, Call) == [Call("call_1", "Execute", {"command": "ls"})]
    assert parts(found, Result) == [
        Result("call_1", (Text("a\n\nw"),), True, "Execute"),
        Result("c2", (Text("no such file"),), True),
    ]
    assert found[0].timestamp == "2026-01-07T19:04:00.310Z"
    assert found[1].model == "m"
    assert facts(droid, STREAM)["x1"]["cwd"] == "/w"


def test_last_words_that_were_not_said_before_are_a_message() -> None:
    found = messages(droid, [STREAM[1], streamed("completion", finalText="Done.", usage={"input_tokens": 3})])
    assert [(one.role, text(one), one.usage) for one in found][1] == (
        "assistant",
        "Done.",
        {"input_tokens": 3},
    )


@pytest.mark.shared(in_part=True)
def test_both_forms_are_known_and_others_are_not_taken() -> None:
    for lines in (STORED, STREAM):
        found = detect(Source.from_bytes(written(lines)))
        assert found is not None
        assert found.name == "droid"
    for folder in ("codex", "pi", "openclaw", "claude_code", "cursor", "openai_messages"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not droid.detect(open_source(path)), path.name
