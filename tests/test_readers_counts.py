"""No message lost: what the readers give is counted against the JSON itself, read without their help."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, files

from memctl.model import Call, Message, Result
from memctl.readers import open_source, read


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """Give the objects of a file, however they are written."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    text = data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-8-sig", "replace").replace("\0", "")
    try:
        values = json.loads(text)
    except ValueError:
        decoder = json.JSONDecoder()
        values = []
        for line in text.split("\n"):
            position = 0
            while line[position:].strip():
                try:
                    value, position = decoder.raw_decode(line, position)
                except ValueError:
                    break
                values.append(value)
    for value in values if isinstance(values, list) else [values]:
        if isinstance(value, dict):
            yield value


def blocks(line: dict[str, Any]) -> list[Any]:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def unique(path: Path) -> Iterator[dict[str, Any]]:
    """Give Claude Code's lines, a subagent's out of their progress lines, each once."""
    seen = set()
    for record in objects(path):
        line = record
        if line.get("type") == "progress" and line.get("data", {}).get("type") == "agent_progress":
            line = {**line["data"]["message"], "sessionId": "agent-" + line["data"]["agentId"]}
        elif line.get("isSidechain") and line.get("agentId"):
            line = {**line, "sessionId": "agent-" + line["agentId"]}
        key = (line.get("sessionId"), line["uuid"], json.dumps(blocks(line))) if "uuid" in line else object()
        if key not in seen:
            seen.add(key)
            yield line


def counted_in_claude_code(path: Path) -> Counter[str]:
    count: Counter[str] = Counter()
    answers: set[tuple[Any, Any]] = set()
    queued: list[str] = []
    for line in unique(path):
        kind = line.get("type")
        found = blocks(line)
        kinds = [block["type"] if isinstance(block, dict) else "text" for block in found]
        if kind == "assistant":
            name = line["message"].get("id")
            answers.add((line.get("sessionId"), name or len(answers)))
        elif kind in ("user", "human") and (found or "toolUseResult" in line):
            count["tool" if set(kinds) <= {"tool_result"} else "user"] += 1
            count["result"] += not found
        elif kind == "queue-operation" and line["operation"] == "enqueue":
            queued.append(line["content"])
        elif kind == "queue-operation" and queued:
            queued.pop(0)
            count["user"] += line["operation"] == "remove"
        elif kind in ("tool_use", "tool_result"):
            count["assistant" if kind == "tool_use" else "tool"] += 1
            kinds = [kind]
        count["call"] += kinds.count("tool_use")
        count["result"] += kinds.count("tool_result")
    count["assistant"] += len(answers)
    return +count


def counted_in_conversations(path: Path) -> Counter[str]:
    return Counter(message["role"] for value in objects(path) for message in value["messages"])


def given(path: Path) -> Counter[str]:
    count: Counter[str] = Counter()
    for event in read(open_source(path)):
        if isinstance(event, Message):
            count[event.role] += 1
            count["call"] += sum(isinstance(part, Call) for part in event.parts)
            count["result"] += sum(isinstance(part, Result) for part in event.parts)
    return +count


CLAUDE = [
    path
    for path in files("claude_code", "derived_edge_cases")
    if path.suffix != ".json" or "array" in path.name
]
USAGE_ONLY = ("ccusage__chat.jsonl", "ccusage__test-transcript.jsonl")


@pytest.mark.shared
@pytest.mark.parametrize("path", CLAUDE, ids=lambda path: path.relative_to(SESSIONS).as_posix())
def test_no_message_of_claude_code_is_lost(path: Path) -> None:
    expected = Counter() if path.name in USAGE_ONLY else counted_in_claude_code(path)

    assert given(path) == expected


@pytest.mark.shared
@pytest.mark.parametrize("path", files("openai_messages"), ids=lambda path: path.name)
def test_no_message_of_a_conversation_is_lost(path: Path) -> None:
    assert given(path) == counted_in_conversations(path)


def test_the_count_sees_what_it_counts(tmp_path: Path) -> None:
    """Guard the guard: on a file of its own, with every kind once."""
    path = tmp_path / "x.jsonl"
    lines = [
        {"type": "user", "uuid": "1", "sessionId": "s", "message": {"content": "go"}},
        {
            "type": "assistant",
            "uuid": "2",
            "sessionId": "s",
            "message": {"id": "m", "content": [{"type": "text", "text": "x"}]},
        },
        {
            "type": "assistant",
            "uuid": "3",
            "sessionId": "s",
            "message": {"id": "m", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
        },
        {
            "type": "user",
            "uuid": "4",
            "sessionId": "s",
            "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "y"}]},
        },
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "s", "content": "more"},
        {"type": "queue-operation", "operation": "remove", "sessionId": "s"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")

    assert (
        counted_in_claude_code(path) == Counter(user=2, assistant=1, tool=1, call=1, result=1) == given(path)
    )
