"""Items of the Responses API: alone, in lines, and in the responses around them."""

import json
from typing import Any

import pytest
from reading import events, facts, messages, written
from transcripts.responses import ITEMS, RESPONSE

from memctl.model import Call, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import openai_responses
from memctl.readers.source import Source

PARTS = [
    ("user", (Text("free the port"),)),
    ("assistant", (Thinking("look", "g"),)),
    ("assistant", (Call("k1", "shell", '{"c": 1}'),)),
    ("tool", (Result("k1", (Text("8080"),)),)),
    ("assistant", (Text("Freed."),)),
]


def said(data: bytes) -> list[Message]:
    assert openai_responses.detect(Source.from_bytes(data))
    return [event for event in events(openai_responses, data) if isinstance(event, Message)]


@pytest.mark.parametrize(
    "data", [json.dumps(ITEMS).encode(), json.dumps(ITEMS, indent=1).encode(), written(ITEMS)]
)
def test_items_are_messages_however_they_are_kept(data: bytes) -> None:
    found = said(data)

    assert [(one.role, one.parts) for one in found] == PARTS
    assert [(one.session, one.id) for one in found] == [
        ("#1", name) for name in (None, "rs1", "fc1", None, "ms1")
    ]


def test_a_response_gives_its_instructions_input_and_output() -> None:
    found = said(json.dumps(RESPONSE).encode())

    assert [one.role for one in found] == ["system", "user", "assistant", "assistant"]
    assert [(one.model, one.timestamp) for one in found[2:]] == [("m-1", "2026-01-05T07:00:04.000Z")] * 2
    assert [one.usage for one in found] == [None, None, None, {"input_tokens": 9, "output_tokens": 3}]
    assert facts(openai_responses, [RESPONSE])["#1"] == {
        "model": "m-1",
        "started": "2026-01-05T07:00:04.000Z",
    }


def test_a_response_that_names_one_before_it_continues_it() -> None:
    after: dict[str, Any] = {"id": "resp2", "previous_response_id": "resp1", "instructions": "Be brief."}
    after |= {"input": ITEMS[3:4], "output": ITEMS[4:]}
    alone = {**RESPONSE, "id": "resp3", "conversation": {"id": "conv"}}
    found = events(openai_responses, written([RESPONSE, after, alone]))

    sessions = [(event.key, event.id) for event in found if isinstance(event, SessionFacts)]
    assert sessions == [("#1", None), ("#2", "conv")]
    first = [event for event in found if isinstance(event, Message) and event.session == "#1"]
    assert [(one.role, one.parts) for one in first[1:]] == PARTS


def test_an_item_from_the_future_is_counted() -> None:
    found = events(openai_responses, written([*ITEMS, {"type": "dream", "x": 1}, "words"]))

    assert [event.kind for event in found if isinstance(event, Skipped)] == ["item:dream", "item:None"]


def test_an_id_used_twice_names_two_messages() -> None:
    assert [one.id for one in messages(openai_responses, [ITEMS[4], ITEMS[4]])] == ["ms1", "ms1#2"]


@pytest.mark.parametrize(
    "values",
    [
        [{"role": "user", "content": "x"}],
        [
            {"type": "user", "content": "x"},
            {"type": "reasoning", "summary": []},
            {"type": "assistant", "content": "y"},
        ],
        [{"type": "response_item", "payload": ITEMS[2]}],
        [{"output": ["a", "b"], "status": "completed"}],
        [{"type": ["message"], "role": "user"}],
        [],
    ],
)
def test_look_alikes_are_no_items(values: list[Any]) -> None:
    for data in (json.dumps(values).encode(), written(values), written(values * 2)):
        assert not openai_responses.detect(Source.from_bytes(data))
