"""Claude.ai exports."""

import json

from reading import events, messages, written
from transcripts.claude_ai import CHAT

from memctl.model import Call, Raw, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import claude_ai, detect
from memctl.readers.source import Source


def test_an_answer_is_parted_where_results_stand() -> None:
    found = messages(claude_ai, [CHAT])
    assert [(one.id, one.role, one.parent) for one in found] == [
        ("m1", "user", None),
        ("m2", "assistant", "m1"),
        ("m2/results", "tool", "m2"),
        ("m2/3", "assistant", "m2/results"),
        ("m3", "user", "m2"),
    ]
    assert found[0].parts == (Text("look"), Raw({"file_name": "a", "extracted_content": "x"}))
    assert found[1].parts == (Thinking("hm"), Text("Searching."), Call("t1", "web_search", {"query": "port"}))
    assert found[2].parts == (Result("t1", (Text("r"),), None, "web_search"),)
    assert found[4].parts == (Text("old form"),)
    assert Skipped("empty:assistant", "#1") in events(claude_ai, written([CHAT]))


def test_the_session_has_its_facts() -> None:
    session = next(one for one in events(claude_ai, written([CHAT])) if isinstance(one, SessionFacts))
    assert (session.id, session.facts) == (
        "v-1",
        {"agent": "Claude.ai", "title": "Ports", "started": "2026-03-01T07:59:00Z"},
    )


def test_the_form_of_the_compliance_interface_is_read_too() -> None:
    turns = [{"id": "1", "role": "user", "content": [{"type": "text", "text": "hi"}]}]
    chat = {"id": "claude_chat_1", "name": "x", "model": "m", "chat_messages": turns}
    assert [(one.id, one.role) for one in messages(claude_ai, [chat])] == [("1", "user")]


def test_a_message_that_stands_twice_keeps_ids_unique() -> None:
    chat = {**CHAT, "chat_messages": [CHAT["chat_messages"][0]] * 2}
    assert [one.id for one in messages(claude_ai, [chat])] == ["m1", None]


def test_an_export_is_known() -> None:
    for document in ([CHAT], CHAT):
        found = detect(Source.from_bytes(json.dumps(document).encode()))
        assert found is not None
        assert found.name == "claude-ai"
    assert not claude_ai.detect(Source.from_bytes(b'[{"uuid": "p", "name": "n", "docs": []}]'))
