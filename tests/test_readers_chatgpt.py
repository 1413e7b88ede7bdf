"""ChatGPT exports: trees of messages."""

import json
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, events, files, messages, parts, text, written
from transcripts.chatgpt import CHAT, node, said

from memctl.model import Call, Image, Message, Raw, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import chatgpt, detect
from memctl.readers.source import Source, open_source


@pytest.mark.shared
@pytest.mark.parametrize("path", files("chatgpt_export"), ids=lambda path: path.name)
def test_a_shared_export_gives_each_message_of_each_tree(path: Path) -> None:
    wanted = [
        (name, one["message"]["author"]["role"], "\n".join(one["message"]["content"]["parts"]))
        for chat in json.loads(path.read_text())
        for name, one in chat["mapping"].items()
        if one["message"]
    ]
    source = open_source(path)
    assert chatgpt.detect(source)
    found = [one for one in chatgpt.read(source) if isinstance(one, Message)]
    assert sorted((one.id, one.role, text(one)) for one in found) == sorted(wanted)
    assert len(found) == 4


def test_every_branch_is_given_with_parents_and_the_current_one_last() -> None:
    found = messages(chatgpt, [CHAT])
    assert [(one.id, one.role, one.parent) for one in found] == [
        ("set", "user", None),
        ("q", "user", "set"),
        ("old", "assistant", "q"),
        ("t", "assistant", "q"),
        ("c", "assistant", "t"),
        ("r", "tool", "c"),
        ("a", "assistant", "r"),
        ("hid", "user", "a"),
        ("pic", "user", "hid"),
        ("quote", "tool", "pic"),
        ("end", "assistant", "quote"),
    ]
    other = {**CHAT, "current_node": "old"}
    assert [one.id for one in messages(chatgpt, [other])][-1] == "old"


def test_contents_become_parts() -> None:
    found = {one.id: one for one in messages(chatgpt, [CHAT])}
    assert found["t"].parts == (Thinking("Sum\n\n1+1"),)
    assert found["c"].parts == (Call(None, "python", "1+1"),)
    assert found["r"].parts == (Result(None, (Text("2"),), None, "python"),)
    assert found["pic"].parts == (Image("", url="file-service://f1"), Text("what is it?"))
    assert found["quote"].parts == (Result(None, (Text("X\nhttps://x\nt"),), None, None),)
    assert found["end"].parts == (Thinking("Thought for 1s"),)
    unknown = {**CHAT, "mapping": node("u", None, said("user", {"content_type": "video", "url": "v"}))}
    assert parts(messages(chatgpt, [unknown]), Raw) == [Raw({"content_type": "video", "url": "v"})]


def test_what_no_person_said_is_marked_and_empty_messages_are_counted() -> None:
    found = {one.id: one.marks for one in messages(chatgpt, [CHAT])}
    assert (found["set"], found["hid"], found["q"]) == (("instructions",), ("meta",), ())
    assert Skipped("empty:system", "#1") in events(chatgpt, written([CHAT]))


def test_times_may_be_numbers_or_words_and_the_session_has_its_facts() -> None:
    found = {one.id: one.timestamp for one in messages(chatgpt, [CHAT])}
    assert found["q"] == "2026-01-05T07:00:00.500Z"
    assert found["a"] == "2026-01-05T07:00:02.000Z"
    assert found["t"] is None
    session = next(one for one in events(chatgpt, written([CHAT])) if isinstance(one, SessionFacts))
    assert (session.key, session.id) == ("#1", "c-1")
    assert session.facts == {
        "agent": "ChatGPT",
        "title": "Sums",
        "model": "gpt-x",
        "started": "2026-01-05T07:00:00.000Z",
    }


def test_a_tree_with_a_ring_or_lost_parents_loses_no_message() -> None:
    ring = {
        **node("a", "b", said("user", "1")),
        **node("b", "a", said("assistant", "2")),
        **node("c", "gone", said("user", "3")),
    }
    chat = {**CHAT, "mapping": ring, "current_node": "a"}
    assert sorted(text(one) for one in messages(chatgpt, [chat])) == ["1", "2", "3"]


def test_a_long_tree_is_walked_without_recursion() -> None:
    chain: dict[str, Any] = node("0", None)
    for number in range(1, 3000):
        chain |= node(str(number), str(number - 1), said("user", str(number)))
    assert len(messages(chatgpt, [{**CHAT, "mapping": chain, "current_node": "2999"}])) == 2999


@pytest.mark.shared(in_part=True)
def test_an_export_is_known_as_a_list_or_alone() -> None:
    for document in ([CHAT], CHAT):
        found = detect(Source.from_bytes(json.dumps(document).encode()))
        assert found is not None
        assert found.name == "chatgpt"
    for folder in ("gemini_cli", "sharegpt", "openai_messages", "opencode"):
        for path in (SESSIONS / folder).rglob("*.json"):
            assert not chatgpt.detect(open_source(path)), path.name
