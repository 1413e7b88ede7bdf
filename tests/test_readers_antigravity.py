"""Antigravity's transcripts: the steps of a conversation."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, tally, text, written
from transcripts.antigravity import SETTINGS, STEPS

from memctl.model import Call, Message, Result, Skipped, Text, Thinking
from memctl.readers import antigravity, detect
from memctl.readers.source import Source, open_source

FOLDER = SESSIONS / "other_agents" / "antigravity"
FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.shared
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


@pytest.mark.shared(in_part=True)
def test_a_transcript_is_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(written(STEPS)))
    assert found is not None
    assert found.name == "antigravity"
    for folder in ("codex", "pi", "claude_code", "cursor", "gemini_cli"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not antigravity.detect(open_source(path)), path.name
    for path in FOLDER.glob("*.md"):
        assert not antigravity.detect(open_source(path))
