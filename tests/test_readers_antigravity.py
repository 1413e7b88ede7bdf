"""Antigravity's transcripts: the steps of a conversation."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, spoiled, tally, text, written

from memctl.model import Call, Message, Result, Skipped, Text, Thinking
from memctl.readers import antigravity, detect
from memctl.readers.source import Source, open_source

FOLDER = SESSIONS / "other_agents" / "antigravity"
FILES = sorted(FOLDER.glob("*.jsonl"))
SETTINGS = (
    "<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Gem 3.\n"
    "</USER_SETTINGS_CHANGE>"
)


def step(number: int, source: str, kind: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"step_index": number, "source": source, "type": kind, "status": "DONE"}
    made |= {"content": content} if content is not None else {}
    return {**made, "created_at": f"2026-06-26T21:16:{number:02}Z", **more}


STEPS = [
    step(0, "USER_EXPLICIT", "USER_INPUT", f"<USER_REQUEST>\nList it.\n</USER_REQUEST>\n{SETTINGS}"),
    step(1, "SYSTEM", "CONVERSATION_HISTORY"),
    step(
        2,
        "MODEL",
        "PLANNER_RESPONSE",
        thinking="hm",
        tool_calls=[{"name": "list_dir", "args": {"D": '"/w"'}}],
    ),
    step(3, "MODEL", "LIST_DIRECTORY", "a.txt"),
    step(4, "MODEL", "PLANNER_RESPONSE", "One file."),
    step(5, "SYSTEM", "CHECKPOINT", "# Resuming from a compaction"),
    step(6, "SYSTEM", "SYSTEM_MESSAGE", "not sent by the user"),
    step(7, "USER_EXPLICIT", "USER_INPUT", "bare words"),
    step(7, "MODEL", "RUN_COMMAND", "failed", status="ERROR"),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_shared_transcript_gives_what_an_independent_count_finds(path: Path) -> None:
    count: Counter[str] = Counter()
    for line in map(json.loads, path.read_text().strip().split("\n")):
        kind = line["type"]
        if kind == "USER_INPUT":
            count["user"] += 1  # the settings behind the words are marked
        elif kind == "PLANNER_RESPONSE":
            count["assistant"] += 1
            count["calls"] += len(line.get("tool_calls", ()))
        elif line["source"] == "MODEL":
            count["tool"] += 1
            count["results"] += 1
        elif "content" in line and kind != "CHECKPOINT":
            count["system"] += 1
    source = open_source(path)
    assert antigravity.detect(source)
    assert +tally([one for one in antigravity.read(source) if isinstance(one, Message)]) == +count
    check_beginnings(antigravity, path.read_bytes())


def test_steps_read_in_order_and_settings_are_not_the_users_words() -> None:
    found = messages(antigravity, STEPS)
    assert [(one.id, one.role, one.marks, text(one)) for one in found] == [
        ("0", "user", (), "List it."),
        ("0/context", "user", ("environment",), SETTINGS),
        ("2", "assistant", (), ""),
        ("3", "tool", (), ""),
        ("4", "assistant", (), "One file."),
        ("5", "user", ("compact_summary",), "# Resuming from a compaction"),
        ("6", "system", (), "not sent by the user"),
        ("7", "user", (), "bare words"),
        ("7#2", "tool", (), ""),
    ]
    assert found[2].parts == (Thinking("hm"), Call(None, "list_dir", {"D": '"/w"'}))
    assert parts(found, Result) == [
        Result(None, (Text("a.txt"),), None, "list_directory"),
        Result(None, (Text("failed"),), True, "run_command"),
    ]
    assert facts(antigravity, STEPS) == {
        "#1": {"agent": "Antigravity", "started": "2026-06-26T21:16:00Z", "model": "Gem 3"}
    }
    assert Skipped("CONVERSATION_HISTORY", "#1") in events(antigravity, written(STEPS))
    check_beginnings(antigravity, written(STEPS))


def test_a_transcript_is_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(written(STEPS)))
    assert found is not None
    assert found.name == "antigravity"
    for folder in ("codex", "pi", "claude_code", "cursor", "gemini_cli"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not antigravity.detect(open_source(path)), path.name
    for path in FOLDER.glob("*.md"):
        assert not antigravity.detect(open_source(path))


@given(spoiled(STEPS))
@settings(max_examples=80)
def test_whatever_stands_in_the_steps_any_cut_is_a_beginning(lines: list[Any]) -> None:
    check_beginnings(antigravity, written(lines))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    events(antigravity, data)
