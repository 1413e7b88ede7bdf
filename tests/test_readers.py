"""The table of formats: found by content, read by name, guessed at; and files that are no transcripts."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import JSON, SESSIONS, files, written

from memctl.errors import UsageError
from memctl.model import Damage, Message
from memctl.readers import FORMATS, Source, detect, nearest, open_source, read, sidecar

SAMPLES: dict[str, list[Any]] = {
    "codex": [{"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "c"}}],
    "pi": [
        {"type": "session", "version": 3, "id": "p", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "x"}},
    ],
    "gemini": [{"sessionId": "g", "projectHash": "ab", "startTime": "2026-01-01T00:00:00Z", "messages": []}],
    "claude-code": [
        {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "x"}}
    ],
    "openai-responses": [{"type": "function_call", "call_id": "k", "name": "f", "arguments": "{}"}],
    "anthropic": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}],
    "openai": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_is_known_by_its_content(name: str) -> None:
    found = detect(Source.from_bytes(written(SAMPLES[name])))

    assert found is not None
    assert found.name == name


def test_names_are_for_typing_and_modules_can_be_imported() -> None:
    assert len({known.name for known in FORMATS}) == len(FORMATS)
    for known in FORMATS:
        assert known.name == known.name.lower().replace("_", "-")
        assert list(read(Source.from_bytes(b""), known.name)) == []


def test_an_unknown_name_is_a_usage_error_that_lists_the_names() -> None:
    with pytest.raises(UsageError, match=r"no format 'claud'; choose from .*claude-code"):
        list(read(Source.from_bytes(b"{}"), "claud"))


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"words", b"{}", b"[]", b"\x00\x01\x02", b'{"a": 1}\n{"b": 2}\n', b"[{"]
)
def test_a_file_of_no_format_gives_nothing(data: bytes) -> None:
    assert detect(Source.from_bytes(data)) is None
    assert list(read(Source.from_bytes(data))) == []


@pytest.mark.parametrize("name", ["openai", "anthropic", "claude-code", "openai-responses"])
def test_a_document_that_cannot_be_read_is_one_damage(name: str) -> None:
    source = Source.from_bytes(b'{\n "messages": [oops]\n}')

    assert list(read(source, name)) == [Damage(2, 16, "not JSON: Expecting value")]


def test_an_unknown_file_has_nearest_formats() -> None:
    line = {"parentUuid": None, "isSidechain": False, "gitBranch": "main", "role": "x"}

    assert nearest(Source.from_bytes(written([line, line])))[0] == "claude-code"
    assert nearest(Source.from_bytes(json.dumps([[line]]).encode()))[0] == "claude-code"
    assert nearest(Source.from_bytes(b'{"x": 1}')) == []
    assert nearest(Source.from_bytes(b"words")) == []


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([{"traceSchema": "openclaw-trajectory", "type": "session.started"}] * 2, "a trace"),
        ({"agent:main": {"sessionId": "s", "updatedAt": 1}}, "a session index"),
        ({"version": 1, "entries": [{"sessionId": "s", "fullPath": "/x"}]}, "a session index"),
        ([{"session_id": "s", "ts": 1, "text": "fix"}] * 2, "a prompt history"),
        ([{"display": "fix", "pastedContents": {}, "timestamp": 1, "project": "/w"}], "a prompt history"),
        ([{"sessionId": "s", "messageId": 0, "type": "user", "message": "fix"}], "a prompt history"),
        ({"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/x"}, "the input of a hook"),
        ([{"message": {"role": "assistant", "id": "m", "usage": {}}, "costUSD": 1}] * 2, "usage figures"),
        ([{"content": "x", "status": "pending", "activeForm": "y"}], "a todo list"),
        ({"checkpoint_id": "c", "session_id": "s", "strategy": "x"}, "checkpoint metadata"),
        ({"agentType": "Explore", "description": "x"}, "subagent metadata"),
        ({"permissions": {"allow": []}}, "settings"),
        ({"mcpServers": {}}, "settings"),
    ],
)
def test_files_beside_transcripts_are_known(values: Any, reason: str) -> None:
    data = json.dumps(values).encode()
    for form in [data, *([written(values)] if isinstance(values, list) else [])]:
        found = sidecar(Source.from_bytes(form))
        assert found is not None
        assert found.startswith(reason)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_transcript_is_no_sidecar(name: str) -> None:
    assert sidecar(Source.from_bytes(written(SAMPLES[name]))) is None
    assert sidecar(Source.from_bytes(json.dumps(SAMPLES[name]).encode())) is None


@settings(max_examples=40)
@given(JSON | st.lists(JSON, max_size=3), st.booleans())
def test_any_json_is_judged(value: Any, lines: bool) -> None:
    source = Source.from_bytes(
        written(value if isinstance(value, list) else [value]) if lines else json.dumps(value).encode()
    )

    sidecar(source)
    nearest(source)


FOLDERS = {"claude_code": "claude-code", "derived_edge_cases": "claude-code", "openai_messages": "openai"}


@pytest.mark.shared
@pytest.mark.parametrize("path", files(*FOLDERS), ids=lambda path: path.relative_to(SESSIONS).as_posix())
def test_real_files_land_on_their_format(path: Any) -> None:
    source = open_source(path)
    found = detect(source)
    transcript = path.name not in ("empty.jsonl", "only_newlines.jsonl") and sidecar(source) is None

    assert (found.name if found else None) == (
        FOLDERS[path.relative_to(SESSIONS).parts[0]] if transcript else None
    )
    assert any(isinstance(event, Message) for event in read(source)) == transcript
