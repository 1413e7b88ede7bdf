"""Grok's chat histories."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import SESSIONS, check_beginnings, messages, parts, tally, written
from transcripts.grok import HISTORY

from memctl.model import Call, Image, Message, Result, SessionFacts, Text, Thinking
from memctl.readers import detect, grok
from memctl.readers.source import Source, open_source

FILES = sorted((SESSIONS / "other_agents" / "grok").glob("*.jsonl"))


@pytest.mark.shared
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shared_history_gives_what_an_independent_count_finds(path: Path) -> None:
    count: Counter[str] = Counter()
    lines = [json.loads(line) for line in path.read_text().strip().split("\n")]
    for place, line in enumerate(lines):
        kind = line["type"]
        following = lines[place + 1]["type"] if place + 1 < len(lines) else ""
        if kind in ("system", "assistant") or (kind == "user" and "synthetic_reason" not in line):
            count[kind] += 1
        elif kind == "backend_tool_call" or (kind == "reasoning" and following != "assistant"):
            count["assistant"] += 1
        elif kind == "tool_result":
            count["tool"] += 1
            count["results"] += 1
        count["calls"] += len(line.get("tool_calls", ())) + (kind == "backend_tool_call")
    source = open_source(path)
    assert grok.detect(source)
    assert +tally([one for one in grok.read(source) if isinstance(one, Message)]) == +count
    check_beginnings(grok, path.read_bytes())


def test_a_history_reads_in_order_and_reasoning_joins_its_answer() -> None:
    found = messages(grok, HISTORY)
    assert [(one.id, one.role, one.marks) for one in found] == [
        (None, "system", ()),
        (None, "user", ("environment",)),
        (None, "user", ()),
        ("rs_1", "assistant", ()),
        (None, "tool", ()),
        (None, "assistant", ()),
        (None, "assistant", ()),
        (None, "assistant", ()),
        ("rs_2", "assistant", ()),
        (None, "user", ()),
    ]
    assert found[3].parts == (Thinking("Read."), Text("I will."), Call("c1", "read_file", '{"f":"a"}'))
    assert found[3].model == "grok-4.5"
    assert parts(found, Result) == [Result("c1", (Text("x"), Image("image/png", data="QUJD")))]
    assert found[6].parts == (Call("ws_1", "web_search", {"query": "q"}),)
    assert found[7].parts == (Thinking("inline"), Text("Done."))
    assert found[9].parts == (Image("image/png", data="QUJD"),)
    check_beginnings(grok, written(HISTORY))


def test_the_summary_beside_a_history_names_its_session(tmp_path: Path) -> None:
    summary = {"info": {"id": "g-1", "cwd": "/w"}, "generated_title": "Reading", "head_branch": "main"}
    summary |= {
        "current_model_id": "grok-4.5",
        "created_at": "2026-07-31T10:13:27.574131Z",
        "parent_session_id": "g-0",
    }
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    (tmp_path / "chat_history.jsonl").write_bytes(written(HISTORY))
    found = list(grok.read(open_source(tmp_path / "chat_history.jsonl")))
    assert found[0] == SessionFacts(
        "g-1",
        "g-1",
        "grok",
        facts={
            "agent": "Grok",
            "cwd": "/w",
            "branch": "main",
            "model": "grok-4.5",
            "title": "Reading",
            "parent": "g-0",
            "started": "2026-07-31T10:13:27.574131Z",
        },
    )
    (tmp_path / "summary.json").write_text('{"info": {')
    assert next(grok.read(open_source(tmp_path / "chat_history.jsonl"))) == SessionFacts(
        "#1", None, "grok", facts={"agent": "Grok"}
    )


@pytest.mark.shared(in_part=True)
def test_a_history_is_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(written(HISTORY)))
    assert found is not None
    assert found.name == "grok"
    items = [
        {"type": "reasoning", "encrypted_content": "x", "summary": []},
        {"type": "message", "role": "user"},
    ]
    assert not grok.detect(Source.from_bytes(written(items)))
    for folder in ("codex", "pi", "claude_code", "cursor", "qwen_code"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not grok.detect(open_source(path)), path.name
