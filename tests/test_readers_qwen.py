"""Chats of Qwen Code: a tree of records that hold contents."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import check_beginnings, events, facts, files, messages, parts, tally, text, written
from transcripts.qwen import CHAT, RESPONSE, record

from memctl.model import Call, Image, Message, Result, Skipped, Text, Thinking
from memctl.readers import qwen
from memctl.readers.source import Source, open_source

CHATS = files("qwen_code")


@pytest.mark.shared
@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.name)
def test_a_shared_chat_gives_what_an_independent_count_finds(path: Path) -> None:
    decoder, rest, count = json.JSONDecoder(), path.read_text().strip(), Counter[str]()
    while rest:
        value, end = decoder.raw_decode(rest)
        rest = rest[end:].strip()
        if value["message"]["parts"] and value.get("subtype") != "notification":
            count[{"tool_result": "tool"}.get(value["type"], value["type"])] += 1
        count["calls"] += sum("functionCall" in part for part in value["message"]["parts"])
        count["results"] += sum("functionResponse" in part for part in value["message"]["parts"])
    source = open_source(path)
    assert qwen.detect(source)
    assert tally([one for one in qwen.read(source) if isinstance(one, Message)]) == count
    check_beginnings(qwen, path.read_bytes())


def test_a_chat_reads_in_order_with_its_parts_and_parents() -> None:
    found = messages(qwen, CHAT)
    assert [(one.id, one.role, one.parent) for one in found] == [
        ("1", "user", None),
        ("2", "assistant", "1"),
        ("3", "tool", "2"),
        ("5", "assistant", "3"),
        ("6", "user", "5"),
        ("8", "user", "6"),
        ("a", "user", "1"),
    ]
    assert found[1].parts == (Thinking("hm"), Call("c1", "read_file", {"path": "a"}))
    assert found[1].usage == {"totalTokenCount": 4}
    assert found[2].parts == (Result("c1", (Text("x = 1"),), False, "read_file"),)
    assert [one.marks for one in found[4:]] == [("command",), ("compact_summary",), ()]
    assert facts(qwen, CHAT)["q1"] == {
        "agent": "Qwen Code",
        "cwd": "/w",
        "branch": "main",
        "version": "0.21",
        "model": "q",
        "title": "Reading a",
        "started": "2026-08-17T12:00:00.000Z",
    }
    assert Skipped("system.ui_telemetry", "q1") in events(qwen, written(CHAT))
    check_beginnings(qwen, written(CHAT))


@pytest.mark.parametrize(
    ("more", "mark"),
    [
        ({"subtype": "notification"}, ("notification",)),
        ({"subtype": "cron"}, ("notification",)),
        ({"subtype": "goal_runtime"}, ("meta",)),
        ({"provenance": "system"}, ("meta",)),
        ({"provenance": "real_user"}, ()),
        ({"subtype": "mid_turn_user_message"}, ()),
    ],
)
def test_what_no_person_typed_is_marked(more: dict[str, Any], mark: tuple[str, ...]) -> None:
    assert [one.marks for one in messages(qwen, [record("1", "user", [{"text": "x"}], **more)])] == [mark]


def test_a_result_says_whether_it_failed_and_keeps_what_stands_beside_it() -> None:
    failed = record(
        "1",
        "tool_result",
        [RESPONSE, {"inlineData": {"mimeType": "image/png", "data": "QUJD"}}],
        toolCallResult={"status": "error"},
    )
    shown = record(
        "2", "tool_result", [], toolCallResult={"callId": "c2", "status": "success", "resultDisplay": "shown"}
    )
    assert parts(messages(qwen, [failed, shown]), Result) == [
        Result("c1", (Text("x = 1"), Image("image/png", data="QUJD")), True, "read_file"),
        Result("c2", (Text("shown"),), False),
    ]


def test_objects_glued_in_one_line_are_read() -> None:
    data = written(CHAT[:2]).replace(b"\n", b"")
    assert qwen.detect(Source.from_bytes(data))
    assert [text(one) for one in events(qwen, data) if isinstance(one, Message) and text(one)] == ["read a"]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_chats() -> None:
    for path in files(
        "codex", "pi", "gemini_cli", "claude_code", "other_agents", "openai_messages", "swe_agent"
    ):
        assert not qwen.detect(open_source(path)), path.name
