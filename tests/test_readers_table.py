"""Every shared file lands on the format its index says; what is no transcript is left and says why."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, written

from memctl.model import Message, SessionFacts
from memctl.readers import FORMATS, Source, detect, open_source, read, sidecar

INDEX = SESSIONS / "INDEX.md"

# What the index calls a kind, and the format that reads it.
KINDS = {
    "aider chat history md": "aider",
    "chatgpt export": "chatgpt",
    "claude lines as json array": "claude-code",
    "claude_code jsonl": "claude-code",
    "codex rollout jsonl": "codex",
    "cursor agent-transcript jsonl": "cursor",
    "gemini chat json": "gemini",
    "gemini chat jsonl": "gemini",
    "mini-swe-agent mini-swe-agent-1.1": "mini-swe-agent",
    "mini-swe-agent v1 list": "mini-swe-agent",
    "openai chat messages": "openai",
    "opencode storage session": "opencode",
    "pi/openclaw session jsonl": "pi",
    "plain text": "plain-chat",
    "qwen code jsonl": "qwen",
    "sharegpt": "sharegpt",
    "swe-agent .traj": "swe-agent",
    "tau-bench few-shot (messages_display text)": "tau-bench",
    "?": "gemini",  # the index gave up on a content that is not a list
}
OTHERS = {"hermes": "openai"}  # other agents have a format of their own name
NONE = {
    "claude_code/ccusage__chat.jsonl": "usage figures without messages",
    "claude_code/ccusage__test-transcript.jsonl": "usage figures without messages",
    "claude_code/cli__ad-ff0201aecb-0.NOT_A_SESSION.metadata.json": "checkpoint metadata",
    "derived_edge_cases/empty.jsonl": None,
    "derived_edge_cases/only_newlines.jsonl": None,
    "opencode/storage_v2/migration": None,
    "other_agents/antigravity/agent-sessions__small.md": None,
    "other_agents/grok/agent-sessions__subagent-summary.json": "the summary of a session (Grok)",
    "other_agents/grok/agent-sessions__summary.json": "the summary of a session (Grok)",
    "other_agents/kimi/agent-sessions__assistant_tools.state.json": "the state of a session (Kimi)",
    "other_agents/kimi/agent-sessions__state.json": "the state of a session (Kimi)",
    "plain_text/cli__ad-ff0201aecb-0.context.md": (
        "the prompts of a session (Entire); its transcript has them"
    ),
}
PIECES = {"opencode storage message": "a message of opencode", "opencode storage part": "a part of a message"}
SILENT = (  # of their format, but no message stands in them
    "aider__chat-history-search-replace-gold.txt",
    "agent-sessions__codex_05",
    "ccusage__",
)


def rows() -> Iterator[tuple[str, str]]:
    """Give the path and kind of each file of the index."""
    if INDEX.is_file():
        for line in INDEX.read_text().split("\n"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 5 and re.match(r"[\w-]+/", cells[1]):
                yield cells[1], cells[2]


ROWS = list(rows())


@pytest.mark.shared
@pytest.mark.skipif(not INDEX.is_file(), reason="the shared transcripts are not here")
def test_the_index_names_every_file() -> None:
    found = {path.relative_to(SESSIONS).as_posix() for path in SESSIONS.rglob("*") if path.is_file()}
    assert {path for path, _ in ROWS} == found - {"INDEX.md"}


@pytest.mark.shared
@pytest.mark.parametrize(("path", "kind"), ROWS, ids=lambda value: value if "/" in value else "")
def test_a_shared_file_lands_on_its_format_or_says_why_not(path: str, kind: str) -> None:
    source = open_source(SESSIONS / path)
    found = detect(source)
    piece = PIECES.get(kind)
    if path in NONE or piece:
        assert found is None
        reason = sidecar(source)
        assert (reason or "").startswith(piece) if piece else reason == NONE[path]
        return
    folder = path.split("/")[1]
    wanted = OTHERS.get(folder, folder) if kind == "other agent" else KINDS[kind]
    assert found is not None
    assert found.name == wanted
    events = list(read(source, found.name)) if source.size < 300_000 else []
    if events and not Path(path).name.startswith(SILENT):
        assert any(isinstance(event, Message) for event in events)


@pytest.mark.shared
@pytest.mark.skipif(not INDEX.is_file(), reason="the shared transcripts are not here")
def test_no_file_that_is_no_transcript_is_taken() -> None:
    for path in [
        *SESSIONS.glob("*.md"),
        *SESSIONS.parent.glob("*.md"),
        *(SESSIONS.parent / "cases").rglob("*.*"),
    ]:
        assert detect(open_source(path)) is None, path.name


def test_no_text_of_this_project_is_taken() -> None:
    root = Path(__file__).resolve().parents[1]
    samples = {"sample_sessions", "tests"}  # the tests quote transcripts
    for path in [*root.glob("*.*"), *root.glob("*/*.*"), *root.glob("memctl/*/*.py")]:
        if path.is_file() and path.parent.name not in samples:
            assert detect(open_source(path)) is None, path


HERMES = {
    "session_id": "20260429_h",
    "model": "m",
    "platform": "cli",
    "session_start": "2026-04-29T20:05:00.000Z",
    "cwd": "/w",
    "system_prompt": "You are Hermes.",
    "messages": [
        {"role": "user", "content": "where?"},
        {
            "role": "assistant",
            "content": "Looking.",
            "reasoning": "pwd",
            "reasoning_content": "pwd",
            "tool_calls": [
                {"id": "c", "call_id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "content": "/w", "tool_call_id": "c", "tool_name": "sh"},
        {"role": "session_meta"},
    ],
}


def test_hermes_is_read_as_the_chat_messages_it_is() -> None:
    source = Source.from_bytes(json.dumps(HERMES).encode())
    found = detect(source)
    assert found is not None
    assert found.name == "openai"
    events = list(read(source))
    session = next(event for event in events if isinstance(event, SessionFacts))
    assert (session.id, session.facts["cwd"], session.facts["model"]) == ("20260429_h", "/w", "m")
    messages = [event for event in events if isinstance(event, Message)]
    assert [(one.role, len(one.parts)) for one in messages] == [
        ("system", 1),
        ("user", 1),
        ("assistant", 3),
        ("tool", 1),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"# 2026-01-02 10:00:00.123456\n+hello\n", "a prompt history (Aider)"),
        (b"TO LLM 2026-01-02T10:00:00\n-------\nSYSTEM x\n", "a log of model requests (Aider)"),
        (b"# Session Context\n\n## User Prompts\n\n### Prompt 1\n", "the prompts of a session (Entire)"),
        ({"sessionId": "s", "sessionDir": "/x", "workDir": "/w"}, "a session index (Kimi)"),
        (
            [
                {"type": "metadata", "protocol_version": "1.3"},
                {"timestamp": 1, "message": {"type": "T", "payload": {}}},
            ],
            "the wire",
        ),
        (
            [{"timestamp": 1, "session_id": "s", "prompt": "x", "is_bash": False}],
            "a prompt history (Grok)",
        ),
        (
            {"model": "m", "autonomyMode": "low", "reasoningEffort": "off"},
            "the settings of a session (Droid)",
        ),
        (
            {"id": "u", "email": "a@b.example", "chatgpt_plus_user": True},
            "the account that exported the conversations (ChatGPT)",
        ),
        ([{"id": "1", "conversation_id": "c", "rating": "up", "create_time": "x"}], "ratings of answers"),
        ([{"id": "1", "conversation_id": "c", "title": "t", "is_anonymous": True}], "an index of shared"),
        (
            [{"uuid": "u", "full_name": "A", "email_address": "a@b.example"}],
            "the account that exported the conversations (Claude.ai)",
        ),
        ([{"uuid": "p", "name": "n", "docs": [], "prompt_template": ""}], "a project and its documents"),
        ([{"conversations_memory": "x", "account_uuid": "u"}], "memories of conversations"),
    ],
)
def test_files_beside_transcripts_say_what_they_are(data: Any, reason: str) -> None:
    source = Source.from_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    assert detect(source) is None
    assert (sidecar(source) or "").startswith(reason)
    if isinstance(data, list):
        assert (sidecar(Source.from_bytes(written(data))) or "").startswith(reason)


def test_every_format_is_named_once_and_has_words_for_people() -> None:
    assert len({known.name for known in FORMATS}) == len(FORMATS)
    assert all(known.title for known in FORMATS)
    page = (Path(__file__).resolve().parents[1] / "man" / "memctl-formats.7").read_text("utf-8")
    for known in FORMATS:
        assert known.name.replace("-", r"\-") in page, known.name
