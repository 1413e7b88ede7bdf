"""LoCoMo's conversations of two persons."""

import json
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, events, messages, text, written
from transcripts.locomo import BARE, SAMPLE

from memctl.model import Image, Message, SessionFacts, Skipped, Text
from memctl.readers import detect, locomo
from memctl.readers.source import Source, open_source

DEV = SESSIONS.parent / "bench" / "locomo_dev.json"


@pytest.mark.shared
@pytest.mark.skipif(not DEV.is_file(), reason="the shared benchmarks are not here")
def test_the_shared_conversations_give_every_turn_of_every_session() -> None:
    turns = {
        (f"{sample['sample_id']}_{name}", turn["dia_id"]): f"{turn['speaker']}: {turn['text']}"
        for sample in json.loads(DEV.read_text())
        for name, session in sample["conversation"].items()
        if isinstance(session, list)
        for turn in session
    }
    source = open_source(DEV)
    assert locomo.detect(source)
    found = [one for one in locomo.read(source) if isinstance(one, Message)]
    assert {(one.session, one.id): text(one).split("\n[picture: ")[0] for one in found} == turns
    assert len(found) == 2080
    assert all(one.timestamp for one in found)
    assert sum("[picture: " in text(one) for one in found) == sum(
        "blip_caption" in turn
        for sample in json.loads(DEV.read_text())
        for session in sample["conversation"].values()
        if isinstance(session, list)
        for turn in session
    )


def test_a_session_of_a_sample_is_a_session_in_order_of_its_number() -> None:
    found = messages(locomo, [SAMPLE])
    assert [(one.session, one.id, one.role, text(one), one.timestamp) for one in found] == [
        ("conv-1_session_2", "D2:1", "user", "Ann: hi", "2023-05-08T13:56:00"),
        ("conv-1_session_2", "D2:2", "user", "Bo: look\n[picture: a dog]", "2023-05-08T13:56:00"),
        ("conv-1_session_2", None, "user", "Bo: again", "2023-05-08T13:56:00"),
        ("conv-1_session_10", "D10:1", "user", "Bo: later", "2023-06-03T00:05:00"),
    ]
    assert found[1].parts[1] == Image("", url="https://x/1.jpg")
    skipped = [one for one in events(locomo, written([SAMPLE])) if isinstance(one, Skipped)]
    assert [one.kind for one in skipped] == ["empty turn", "a session without turns"]
    session = next(one for one in events(locomo, written([SAMPLE])) if isinstance(one, SessionFacts))
    assert (session.id, session.facts) == (
        "conv-1_session_2",
        {"title": "Ann and Bo, session 2", "started": "2023-05-08T13:56:00"},
    )


def test_the_bare_form_is_read() -> None:
    assert locomo.detect(Source.from_bytes(json.dumps(BARE).encode()))
    found = messages(locomo, [BARE])
    assert [(one.session, text(one), one.timestamp) for one in found] == [
        ("#1.1", "Ann: hi", "2023-05-08T13:56:00")
    ]
    assert found[0].parts == (Text("Ann: hi"),)


@pytest.mark.parametrize(
    ("spoken", "iso"),
    [
        ("12:00 pm on 1 January, 2024", "2024-01-01T12:00:00"),
        ("11:59 PM on 31 Dec 2024", "2024-12-31T23:59:00"),
        ("1:56 pm on 8 Mayor, 2023", "2023-05-08T13:56:00"),
        ("1:56 pm on 8 Xyz, 2023", None),
        (7, None),
        ("yesterday", None),
    ],
)
def test_times_are_read_as_they_are_spoken(spoken: Any, iso: str | None) -> None:
    assert locomo.spoken_time(spoken) == iso


@pytest.mark.shared(in_part=True)
def test_samples_are_known_and_others_are_not_taken() -> None:
    found = detect(Source.from_bytes(json.dumps([SAMPLE]).encode()))
    assert found is not None
    assert found.name == "locomo"
    for folder in ("sharegpt", "openai_messages", "chatgpt_export", "gemini_cli"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not locomo.detect(open_source(path)), path.name


@pytest.mark.shared(in_part=True)
def test_the_file_of_a_test_is_where_it_is_looked_for() -> None:
    """Guard the skip above: a folder that is there has the file."""
    assert DEV.is_file() or not Path(SESSIONS.parent / "bench").is_dir()
