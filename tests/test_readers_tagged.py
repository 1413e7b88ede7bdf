"""Tags that open models write into their text: thinking, calls and responses; and layouts of data sets."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from running import entries, memctl, messages

from memctl.model import Call, Text, Thinking
from memctl.readers.tagged import answer_parts, responses

CALL = '<tool_call>\n{"name": "dim", "arguments": {"room": "attic"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>\n7 * 8\n</think>\n\nIt is 56.", (Thinking("7 * 8"), Text("It is 56."))),
        ("7 * 8\n</think>\n\nIt is 56.", (Thinking("7 * 8"), Text("It is 56."))),
        (
            "<|begin_of_thought|>sum<|end_of_thought|>\n<|begin_of_solution|>9<|end_of_solution|>",
            (Thinking("sum"), Text("9")),
        ),
        (f"Dimming.\n{CALL}", (Text("Dimming."), Call(None, "dim", {"room": "attic"}))),
        (f"<think>a</think>{CALL}", (Thinking("a"), Call(None, "dim", {"room": "attic"}))),
        (
            "<tool_call>\n<function=dim>\n<parameter=room>\nattic\n</parameter>\n</function>\n</tool_call>",
            (Call(None, "dim", {"room": "attic"}),),
        ),
    ],
)
def test_tags_become_parts(text: str, parts: tuple[object, ...]) -> None:
    assert answer_parts(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "The parser drops `</think>` at the end.",
        "<think>never closed",
        "<tool_call>no json</tool_call>",
        'It writes `<tool_call>{"name": "x"}</tool_call>` inline.',
        "a < b and b > a",
        '<tool_call>["list"]</tool_call>',
    ],
)
def test_what_only_speaks_of_tags_stays_text(text: str) -> None:
    assert answer_parts(text) == (Text(text),)


@given(
    st.lists(st.sampled_from([CALL, "<think>", "</think>\n", "words", "\n", "<tool_call>", "</tool_call>"]))
)
def test_no_word_is_lost(pieces: list[str]) -> None:
    text = "".join(pieces)
    kept = "".join(part.text for part in answer_parts(text) if isinstance(part, Text | Thinking))
    calls = sum(isinstance(part, Call) for part in answer_parts(text))

    assert kept.count("words") + calls >= text.count("words")
    assert kept.count("words") == text.count("words")


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>\n" * 60_000,
        "<tool_call>\n" * 60_000 + "</tool_call>",
        f"<tool_call><function=a>{'<parameter=b>' * 60_000}</function></tool_call>",
        "<think>a</think><|begin_of_solution|>" + "a \n" * 60_000,
        "<tool_response>\n" * 60_000,
    ],
)
def test_tags_that_are_never_closed_end(text: str) -> None:
    assert answer_parts(text)
    assert responses(text) == ()


def test_responses_answer_the_calls_in_their_order(tmp_path: Path) -> None:
    turns = [
        {"from": "human", "value": "Dim the attic and look at the porch"},
        {"from": "gpt", "value": f"{CALL}\n" + CALL.replace("dim", "look").replace("attic", "porch")},
        {
            "from": "tool",
            "value": "<tool_response>\nok\n</tool_response>\n<tool_response>\nbright\n</tool_response>",
        },
        {"from": "gpt", "value": "Done."},
    ]
    (tmp_path / "a.json").write_text(json.dumps([{"conversations": turns}]), "utf-8")

    memctl("-q", "-C", tmp_path / "m", "ingest", tmp_path / "a.json")

    found = entries(tmp_path / "m")
    assert [(entry["tool"], entry["result"]) for entry in found] == [("dim", "ok"), ("look", "bright")]


def test_a_text_beside_responses_is_no_result() -> None:
    assert responses("<tool_response>a</tool_response> and more") == ()
    assert responses("") == ()


def test_calls_that_stand_beside_the_text_are_not_read_twice(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "dim", "arguments": '{"room":"attic"}'}}
    chat = [
        {"role": "user", "content": "Dim the attic"},
        {"role": "assistant", "content": f"<think>which</think>{CALL}", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
    ]
    (tmp_path / "a.json").write_text(json.dumps(chat), "utf-8")

    memctl("-q", "-C", tmp_path / "m", "ingest", tmp_path / "a.json")

    assert [entry["tool_call_id"] for entry in entries(tmp_path / "m")] == ["c1"]


# --------------------------------------------------------------------------- layouts

ASKED = {"role": "user", "content": "Name a river"}
LENA, TREE = ({"role": "assistant", "content": name} for name in ("Lena", "a tree"))


@pytest.mark.parametrize(
    "row",
    [
        {"conversation_id": "c1", "conversation": [ASKED, LENA]},
        {"messages": json.dumps([ASKED, LENA])},
        {"input": [ASKED], "output": "Lena"},
        {"custom_id": "1", "body": {"messages": [ASKED, LENA]}},
        {"request": {"messages": [ASKED]}, "response": {"choices": [{"message": LENA}]}},
        {"request": {"messages": [ASKED]}, "response": {"body": {"choices": [{"message": LENA}]}}},
    ],
)
def test_a_row_of_a_data_set_or_log_is_a_conversation(tmp_path: Path, row: dict[str, object]) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", "utf-8")

    memctl("-q", "-C", tmp_path / "m", "ingest", tmp_path / "a.jsonl")

    said = [(message["role"], message["content"]) for message in messages(tmp_path / "m")]
    assert said == [("user", "Name a river"), ("assistant", "Lena")]


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": [ASKED], "chosen": [LENA], "rejected": [TREE]},
        {"chosen": [ASKED, LENA], "rejected": [ASKED, TREE]},
        {"prompt": "Name a river", "chosen": "Lena", "rejected": "a tree"},
        {"prompt": "Name a river", "chosen": [ASKED, LENA], "rejected": [ASKED, TREE]},
    ],
)
def test_of_two_answers_both_are_kept_and_one_is_marked(tmp_path: Path, row: dict[str, object]) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", "utf-8")

    memctl("-q", "-C", tmp_path / "m", "ingest", tmp_path / "a.jsonl")

    said = [(one["role"], one["content"], bool(one.get("mark"))) for one in messages(tmp_path / "m")]
    assert said == [
        ("user", "Name a river", False),
        ("assistant", "a tree", True),
        ("assistant", "Lena", False),
    ]
