"""Chat messages, OpenAI's and Anthropic's: one conversation or many, calls, results and old forms."""

import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import JSON, events, facts, messages, parts, text, written
from transcripts.chat import BLOCKS, WEATHER

from memctl.model import Call, Damage, Image, Message, Raw, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import anthropic, detect, openai_chat
from memctl.readers.source import Source


def document(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **style).encode()


def given_by(reader: ModuleType, data: bytes) -> list[list[Message]]:
    """Give the messages of each conversation."""
    found: dict[str, list[Message]] = {}
    for event in events(reader, data):
        if isinstance(event, SessionFacts):
            found.setdefault(event.key, [])
        elif isinstance(event, Message):
            found[event.session].append(event)
    return list(found.values())


def one(message: dict[str, Any]) -> Message:
    (found,) = messages(openai_chat, [message, {"role": "user", "content": []}])
    return found


# --------------------------------------------------------------------------- conversations


@pytest.mark.parametrize(("reader", "talk"), [(openai_chat, WEATHER), (anthropic, BLOCKS)])
@pytest.mark.parametrize(
    ("write", "count"),
    [
        (document, 1),
        (lambda talk: document(talk, indent=2), 1),
        (lambda talk: document({"messages": talk, "tools": []}), 1),
        (lambda talk: document([{"messages": talk, "label": True}, {"messages": talk, "label": False}]), 2),
        (lambda talk: document([talk, talk, talk]), 3),
        (lambda talk: document([{"prompt": talk[:-1], "completion": talk[-1:], "rejected": talk}]), 1),
        (written, 1),
        (lambda talk: written([{"messages": talk}]), 1),
        (lambda talk: written([{"messages": talk, "id": 1}, {"messages": talk, "id": 2}]), 2),
        (lambda talk: written([talk, talk]), 2),
    ],
)
def test_conversations_are_found_however_they_are_kept(
    reader: ModuleType, talk: list[Any], write: Any, count: int
) -> None:
    data = write(talk)
    found = given_by(reader, data)

    assert reader.detect(Source.from_bytes(data))
    assert len(found) == count
    for conversation in found:
        assert [(m.role, m.parts) for m in conversation] == [
            (m.role, m.parts) for m in given_by(reader, document(talk))[0]
        ]


def test_a_conversation_is_anthropics_by_any_of_its_blocks() -> None:
    assert not anthropic.detect(Source.from_bytes(document(WEATHER)))
    assert not anthropic.detect(Source.from_bytes(document(BLOCKS[:1])))
    assert openai_chat.detect(Source.from_bytes(document(BLOCKS[:1])))
    late = [{"role": "user", "content": "x"}] * 100 + BLOCKS
    assert anthropic.detect(Source.from_bytes(document(late)))


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        [1, 2],
        [[]],
        {"messages": []},
        {"messages": [{"info": {"role": "user"}, "parts": []}]},
        [{"role": "user", "message": {"content": [{"type": "text", "text": "x"}]}}],
        [{"role": "user", "parts": [{"text": "x"}]}],
        [{"role": ["user"], "content": "x"}],
        {"conversations": [{"from": "human", "value": "x"}]},
    ],
)
def test_look_alikes_are_no_chat(value: Any) -> None:
    for data in (document(value), written([value, value])):
        assert not openai_chat.detect(Source.from_bytes(data))
        assert not anthropic.detect(Source.from_bytes(data))


@pytest.mark.parametrize("answer", [{"tool_calls": []}, {"refusal": "no"}, {"function_call": None}])
def test_a_chat_may_hold_messages_without_content(answer: dict[str, Any]) -> None:
    chat = json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", **answer}]).encode()

    found = detect(Source.from_bytes(chat))

    assert found is not None
    assert found.name == "openai"
    said = [event for event in events(openai_chat, chat) if isinstance(event, Message)]
    assert [text(message) for message in said] == ["hi", *filter(None, [answer.get("refusal")])]


def test_what_stands_around_the_messages_is_told_of_the_session() -> None:
    around = {
        "session_id": "s1",
        "model": "m-1",
        "cwd": "/w",
        "session_start": "2026-04-29T20:00:00Z",
        "system": "Be kind.",
        "messages": WEATHER[1:],
    }
    found = events(openai_chat, document(around))

    assert found[0] == SessionFacts(
        "#1", "s1", "openai", "", {"cwd": "/w", "model": "m-1", "started": "2026-04-29T20:00:00Z"}
    )
    assert [m.role for m in found[1:3] if isinstance(m, Message)] == ["system", "user"]


def test_runs_of_one_task_are_told_apart() -> None:
    runs = [{"task_id": 3, "trial": trial, "messages": WEATHER} for trial in range(2)]

    seeds = [event.seed for event in events(openai_chat, document(runs)) if isinstance(event, SessionFacts)]
    assert seeds == ['{"task_id":3,"trial":0}', '{"task_id":3,"trial":1}']


@pytest.mark.parametrize("key", ["session_id", "sessionId", "conversation_id", "thread_id"])
def test_lines_of_several_sessions_may_alternate(key: str) -> None:
    lines = [
        {key: name, "role": role, "content": f"{role} {name}", "id": "1"}
        for role in ("user", "assistant")
        for name in ("s1", "s2")
    ]
    assert sorted(facts(openai_chat, lines)) == ["s1", "s2"]
    said: dict[str, list[str | None]] = {}
    for one in messages(openai_chat, lines):
        said.setdefault(text(one)[-2:], []).append(one.id)
    assert said == {"s1": ["1", "1#2"], "s2": ["1", "1#2"]}


def test_a_damaged_line_costs_that_conversation() -> None:
    data = written([{"messages": WEATHER}]) + b'{"messages": [oops\n' + written([{"messages": BLOCKS}])
    found = events(openai_chat, data)

    assert [event.line for event in found if isinstance(event, Damage)] == [2]
    assert len(given_by(openai_chat, data)) == 2


def test_lines_that_are_no_conversation_are_counted() -> None:
    found = events(openai_chat, written([*WEATHER, {"x": 1}, 42, None]))

    assert [event.kind for event in found if isinstance(event, Skipped)] == ["not a conversation"] * 3


# --------------------------------------------------------------------------- messages


def test_arguments_are_the_string_that_the_transcript_has() -> None:
    (found,) = given_by(openai_chat, document(WEATHER))

    assert parts(found, Call) == [Call("c1", "weather", '{ "city":"Ghent" }'), Call("c2", "clock", "{}")]
    assert parts(found, Result) == [
        Result("c1", (Text("rain"),), name="weather"),
        Result("c2", (Text("08:00"),)),
    ]
    assert [message.role for message in found] == ["system", "user", "assistant", "tool", "tool", "assistant"]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("system", "system"),
        ("developer", "system"),
        ("user", "user"),
        ("assistant", "assistant"),
        ("ai", "assistant"),
    ],
)
def test_roles(name: str, role: str) -> None:
    assert one({"role": name, "content": "x"}).role == role


def test_a_role_from_the_future_is_kept_but_speaks_for_nobody() -> None:
    (_, found) = messages(openai_chat, [{"messages": [WEATHER[1], {"role": "critic", "content": "hm"}]}])

    assert (found.role, text(found)) == ("system", "hm")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x", (Text("x"),)),
        ([{"type": "text", "text": "x"}], (Text("x"),)),
        ([{"type": "text", "value": "x"}], (Text("x"),)),
        ([{"type": "text", "text": {"value": "x", "annotations": []}}], (Text("x"),)),
        ([{"type": "input_text", "text": "x"}, {"type": "text", "text": ""}], (Text("x"),)),
        (
            [{"type": "image_url", "image_url": {"url": "https://a/b.png"}}],
            (Image("", url="https://a/b.png"),),
        ),
        (
            [{"type": "image_url", "image_url": "data:image/png;base64,iVBO"}],
            (Image("image/png", data="iVBO"),),
        ),
        ([{"type": "image_url", "value": "data/1.jpg"}], (Image("", url="data/1.jpg"),)),
        ([{"type": "image", "source": {"type": "url", "url": "https://a"}}], (Image("", url="https://a"),)),
        (
            [{"type": "input_audio", "input_audio": {"data": "AA"}}],
            (Raw({"type": "input_audio", "input_audio": {"data": "AA"}}),),
        ),
        ([{"type": "refusal", "refusal": "no"}], (Text("no"),)),
        (["x", None, 3], (Text("x"), Raw(3))),
    ],
)
def test_content(content: Any, expected: tuple[Any, ...]) -> None:
    assert one({"role": "user", "content": content}).parts == expected


@pytest.mark.parametrize(
    "extra",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]},
        {"reasoning": "longer", "thinking_blocks": [{"type": "thinking", "thinking": "hm"}]},
    ],
)
def test_reasoning_comes_before_the_words(extra: dict[str, Any]) -> None:
    assert one({"role": "assistant", "content": "x", **extra}).parts == (Thinking("hm"), Text("x"))


@pytest.mark.parametrize(
    ("extra", "call"),
    [
        ({"tool_calls": [{"id": "1", "name": "f", "arguments": "{}"}]}, Call("1", "f", "{}")),
        ({"tool_calls": [{"id": 7, "name": "f", "args": {"x": 1}}]}, Call("7", "f", {"x": 1})),
        (
            {"tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "f", "input": "x"}}]},
            Call("1", "f", "x"),
        ),
        ({"function_call": {"name": "f", "arguments": "{}"}}, Call(None, "f", "{}")),
        ({"tool_calls": None, "function_call": None, "refusal": "no"}, None),
    ],
)
def test_forms_of_calls(extra: dict[str, Any], call: Call | None) -> None:
    assert parts([one({"role": "assistant", "content": None, **extra})], Call) == ([call] if call else [])


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"role": "function", "name": "f", "content": "1"}, (Result(None, (Text("1"),), name="f"),)),
        ({"role": "tool", "tool_call_id": "a", "content": None}, (Result("a", ()),)),
        ({"role": "tool", "tool_call_ids": ["a"], "content": "x"}, (Result("a", (Text("x"),)),)),
        (
            {"role": "tool", "tool_call_ids": ["a", "b"], "content": "x"},
            (Result("a", (Text("x"),)), Result("b", ())),
        ),
        (
            {"role": "tool", "tool_call_ids": ["a", "b"], "content": [{"type": "text", "text": "x"}, "y"]},
            (Result("a", (Text("x"),)), Result("b", (Text("y"),))),
        ),
        (
            {"role": "tool", "tool_call_id": "a", "content": "x", "is_error": True},
            (Result("a", (Text("x"),), is_error=True),),
        ),
        (
            {"role": "tool", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]},
            (Result("a", (Text("x"),)),),
        ),
    ],
)
def test_forms_of_results(message: dict[str, Any], expected: tuple[Any, ...]) -> None:
    found = one(message)

    assert (found.role, found.parts) == ("tool", expected)


def test_times_models_ids_and_usage_are_taken_where_they_are() -> None:
    talk = [
        {"role": "user", "content": "x", "id": "m1", "ts": 1_767_596_401_000},
        {"role": "assistant", "content": "y", "id": "m1", "timestamp": "2026-01-05T07:00:03Z", "model": "m"},
        {
            "role": "assistant",
            "content": "z",
            "created_at": 1_767_596_404,
            "usage": {"prompt_tokens": 3, "d": {}},
        },
    ]
    (found,) = given_by(openai_chat, document(talk))

    assert [m.timestamp for m in found] == [
        "2026-01-05T07:00:01.000Z",
        "2026-01-05T07:00:03Z",
        "2026-01-05T07:00:04.000Z",
    ]
    assert [m.id for m in found] == ["m1", "m1#2", None]
    assert (found[1].model, found[2].usage) == ("m", {"prompt_tokens": 3})


def test_noise_is_marked_only_when_it_is_all_the_user_says() -> None:
    noise = "<environment_details>\n# Files\n</environment_details>"

    assert one({"role": "user", "content": noise}).marks == ("environment",)
    assert one({"role": "user", "content": noise + " fix it"}).marks == ()
    assert one({"role": "system", "content": noise}).marks == ()


def test_a_message_that_says_nothing_is_counted() -> None:
    found = events(openai_chat, document([*WEATHER, {"role": "assistant", "content": ""}]))

    assert [event.kind for event in found if isinstance(event, Skipped)] == ["empty:assistant"]


# --------------------------------------------------------------------------- laws


@settings(max_examples=40)
@given(JSON, st.booleans())
def test_any_json_is_read(value: Any, whole: bool) -> None:
    data = document({"messages": [{"role": "user", "content": value}, value]} if whole else value)

    events(openai_chat, data)
    assert facts(openai_chat, [value]) is not None
