"""Cursor: transcripts of its agent, and chats exported as Markdown."""

import json
from collections import Counter
from pathlib import Path

import pytest
from beginnings import text_messages
from reading import (
    SESSIONS,
    check_beginnings,
    events,
    facts,
    files,
    messages,
    parts,
    tally,
    text,
    written,
)
from transcripts.cursor import EXPORT, LINES

from memctl.model import Call, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import cursor, detect
from memctl.readers.source import Source, open_source


@pytest.mark.shared
@pytest.mark.parametrize("path", files("cursor"), ids=lambda path: path.name)
def test_a_shared_transcript_gives_what_an_independent_count_finds(path: Path) -> None:
    count: Counter[str] = Counter()
    for line in map(json.loads, path.read_text().strip().split("\n")):
        kinds = [block["type"].replace("-", "_") for block in line.get("message", {}).get("content", ())]
        results = kinds.count("tool_result")
        count["calls"] += kinds.count("tool_use") + kinds.count("tool_call")
        count["results"] += results
        count["tool"] += bool(results)
        if "role" in line and len(kinds) > results:
            count[line["role"]] += 1
    source = open_source(path)
    assert cursor.detect(source)
    assert tally([one for one in cursor.read(source) if isinstance(one, Message)]) == count
    check_beginnings(cursor, path.read_bytes())


def test_a_transcript_reads_in_order_with_its_parts() -> None:
    found = messages(cursor, LINES)
    assert [one.role for one in found] == ["user", "assistant", "tool", "user", "assistant"]
    assert found[1].parts == (
        Thinking("[REDACTED]"),
        Thinking("look"),
        Text("Listing."),
        Call(None, "Shell", {"command": "ls"}),
        Call("c2", "read_file", {"path": "a"}),
    )
    assert parts(found, Result) == [Result(None, (Text("a"),)), Result("c2", (Text("x"),))]
    assert text(found[4]) == "Seen."
    assert found[4].model == "m"
    assert Skipped("turn_ended", "#1") in events(cursor, written(LINES))
    assert facts(cursor, LINES) == {"#1": {"agent": "Cursor"}}
    check_beginnings(cursor, written(LINES))


def test_an_export_is_parted_where_a_rule_stands_before_a_heading() -> None:
    found = text_messages(cursor, EXPORT)
    assert [(one.id, one.role) for one in found] == [("1", "user"), ("2", "assistant"), ("3", "user")]
    assert text(found[0]) == "---\n\n# Plan\n\ntwo parts"
    assert text(found[1]).startswith(
        "First:\n\n---\n\n### One\n**User** stands here.\n\n**Cursor**\n\n```yaml"
    )
    assert text(found[1]).endswith("a: 1\n---\n```")
    assert text(found[2]) == "again"


@pytest.mark.parametrize(
    "when",
    [
        "12/29/2025 at 15:57:23 GMT-3",
        "29/12/2025 at 15:57:23 GMT+5:30",
        "2025/12/16 at GMT+8 16:06:09",
        "8/13/2026 at 11:26:03 PDT",
    ],
)
def test_an_export_is_known_whatever_the_locale_wrote(when: str) -> None:
    export = f"# A title\n_Exported on {when} from Cursor (3.0.16)_\n\n---\n\n**Cursor**\n\nHi.\n"
    source = Source.from_bytes(export.encode())
    found = detect(source)
    assert found is not None
    assert found.name == "cursor"
    session = next(one for one in cursor.read(source) if isinstance(one, SessionFacts))
    assert session.facts == {"agent": "Cursor", "title": "A title", "version": "3.0.16"}


@pytest.mark.shared(in_part=True)
def test_what_only_looks_alike_is_not_taken() -> None:
    for other in (
        "# T\n\nnothing\n\n_Exported on x from Word (1)_\n",
        "Exported on x from Cursor (1)\n",
        '{"role":"user","message":{"content":"x"},"uuid":"u","sessionId":"s"}\n' * 2,
        '{"role":"user","content":"x"}\n' * 2,
    ):
        assert not cursor.detect(Source.from_bytes(other.encode()))
    for folder in ("claude_code", "codex", "pi", "openai_messages", "aider", "plain_text", "other_agents"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not cursor.detect(open_source(path)), path.name
