"""LongMemEval's chats, in both layouts."""

import json
from collections import Counter
from typing import Any

import pytest
from reading import SESSIONS, events, messages, tally, text, written
from transcripts.longmemeval import ORIGINAL, REME

from memctl.model import Message, SessionFacts, Skipped
from memctl.readers import detect, longmemeval
from memctl.readers.source import Source, open_source

CASES = sorted((SESSIONS.parent / "bench").glob("ReMe__*.json"))


@pytest.mark.shared
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_shared_case_gives_what_an_independent_count_finds(path: Any) -> None:
    sessions = json.loads(path.read_text())["sessions"]
    count = Counter(message["role"] for session in sessions for message in session["messages"])
    source = open_source(path)
    assert longmemeval.detect(source)
    found = list(longmemeval.read(source))
    turns = [one for one in found if isinstance(one, Message)]
    assert +tally(turns) == count
    assert len(turns) == 475
    assert all(one.timestamp for one in turns)
    assert {one.id for one in found if isinstance(one, SessionFacts)} == {
        one["session_id"] for one in sessions
    }


def test_both_layouts_are_read_and_a_shared_chat_once() -> None:
    lines = [REME, ORIGINAL]
    assert [(text(one), one.timestamp) for one in messages(longmemeval, lines)] == [
        ("I run on Mondays.", "2023-05-20T07:22"),
        ("Good.", "2023-05-20T07:22"),
        ("x", "2023-05-21T08:00:00"),
        ("y", None),
        ("z", None),
    ]
    found = events(longmemeval, written(lines))
    assert [one.id for one in found if isinstance(one, SessionFacts)] == ["s1", "s2", "s3", None]
    assert Skipped("a chat given before") in found


@pytest.mark.shared(in_part=True)
def test_cases_are_known_alone_and_in_lists_and_others_are_not_taken() -> None:
    for document in (REME, ORIGINAL, [ORIGINAL, REME]):
        found = detect(Source.from_bytes(json.dumps(document).encode()))
        assert found is not None
        assert found.name == "longmemeval"
    for folder in ("sharegpt", "openai_messages", "chatgpt_export", "gemini_cli", "other_agents"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not longmemeval.detect(open_source(path)), path.name
