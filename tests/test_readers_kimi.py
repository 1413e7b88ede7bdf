"""Kimi Code's wire logs."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import SESSIONS, check_beginnings, events, facts, messages, parts, tally, text, written
from transcripts.kimi import LOG, said

from memctl.model import Call, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import detect, kimi
from memctl.readers.source import Source, open_source

LOGS = sorted((SESSIONS / "other_agents" / "kimi").glob("*.jsonl"))


@pytest.mark.shared
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_a_shared_log_gives_what_an_independent_count_finds(path: Path) -> None:
    """Prompts are counted where they enter the context: `turn.prompt` is the same words before that."""
    count: Counter[str] = Counter()
    marked = 0
    prompts: set[str] = set()
    for line in map(json.loads, path.read_text().strip().split("\n")):
        if prompt := line.get("systemPrompt"):
            count["system"] += prompt not in prompts
            prompts.add(prompt)
        if line["type"] == "context.append_message":
            count["user"] += 1
            marked += line["message"]["origin"]["kind"] != "user"
        kind = line.get("event", {}).get("type")
        count["calls"] += kind == "tool.call"
        count["results"] += kind == "tool.result"
        count["tool"] += kind == "tool.result"  # one call a step in these files
        count["assistant"] += kind == "step.end"
    source = open_source(path)
    assert kimi.detect(source)
    count["user"] -= marked
    assert +tally([one for one in kimi.read(source) if isinstance(one, Message)]) == +count
    check_beginnings(kimi, path.read_bytes())


def test_a_log_reads_in_order_a_step_at_a_time() -> None:
    found = messages(kimi, LOG)
    assert [(one.id, one.role, one.marks) for one in found] == [
        (None, "system", ()),
        (None, "user", ()),
        ("s1", "assistant", ()),
        ("s1/results", "tool", ()),
        ("s2", "assistant", ()),
        (None, "user", ("meta",)),
        ("s2#2", "assistant", ()),
        (None, "user", ("compact_summary",)),
    ]
    assert found[2].parts == (Thinking("glob"), Call("Glob_0", "Glob", {"pattern": "*"}))
    assert (found[2].model, found[2].usage) == ("k2", {"inputOther": 9, "output": 2})
    assert found[3].parts == (Result("Glob_0", (Text("a\n"), Text("cut")), False),)
    assert found[1].timestamp == "2026-07-25T03:36:45.094Z"
    assert text(found[6]) == "And more."
    assert Skipped("turn.prompt", "#1") in events(kimi, written(LOG))
    check_beginnings(kimi, written(LOG))


def test_sessions_that_begin_alike_are_told_apart_by_their_start() -> None:
    session = next(one for one in events(kimi, written(LOG)) if isinstance(one, SessionFacts))
    assert (session.id, session.seed) == (None, "2026-07-25T03:35:09.920Z")
    assert facts(kimi, LOG)["#1"] == {
        "agent": "Kimi Code",
        "cwd": "/w",
        "model": "k2",
        "started": "2026-07-25T03:35:09.920Z",
    }


def test_calls_of_an_older_wire_are_read() -> None:
    line = said("", role="assistant")
    line["message"]["toolCalls"] = [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]
    assert parts(messages(kimi, [line]), Call) == [Call("c", "f", "{}")]


@pytest.mark.shared(in_part=True)
def test_a_log_is_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(written(LOG)))
    assert found is not None
    assert found.name == "kimi"
    for folder in ("codex", "pi", "claude_code", "cursor", "gemini_cli"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not kimi.detect(open_source(path)), path.name
