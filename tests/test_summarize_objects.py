"""JSON answers of domain tools: their summaries say what the values say, and what a later answer changed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from memctl.cli.app import run
from memctl.store import entries, open_store
from memctl.summarize import difference, summarize

BOOKING = {
    "booking_id": "KX44",
    "user_id": "ada_1",
    "status": "open",
    "cabin": "business",
    "legs": [
        {"leg_number": "LX12", "from": "ZRH", "to": "OSL", "price": 410},
        {"leg_number": "LX90", "from": "OSL", "to": "BGO", "price": 95},
    ],
    "payment_history": [{"payment_id": "card_7", "amount": 505}],
    "created_at": "2031-05-03T16:28:04",
    "insured": False,
}
LAMP = {
    "name": "Lamp",
    "product_id": "551",
    "variants": {
        "9001": {"item_id": "9001", "options": {"colour": "red"}, "available": False, "price": 12.5},
        "9002": {"item_id": "9002", "options": {"colour": "blue"}, "available": True, "price": 13.0},
    },
}

SAID: list[tuple[Any, list[str]]] = [
    (BOOKING, ["booking KX44", "status open", "cabin business", "LX12", "410", "LX90", "card_7 505"]),
    (LAMP, ["product Lamp", "9001 not available 12.5 red", "9002 available 13.0 blue"]),
    (
        {"name": {"first_name": "Ada", "last_name": "Byron"}, "email": "a@b.example", "orders": ["#1", "#2"]},
        ["Ada Byron", "email a@b.example", "orders: #1, #2"],
    ),
    (
        {
            "user_id": "ada_1",
            "order_number": "77",
            "status": "open",
            "customer": {"first_name": "Ada", "last_name": "Byron", "phone": "1"},
        },
        ["get_thing: order 77: status open, customer: Ada Byron"],
    ),
    ([[{"leg_number": "A1"}, {"leg_number": "B2"}], [{"leg_number": "C3"}]], ["2 items: A1 + B2, C3"]),
    (
        [{"id": 1, "title": "Crash on start", "state": "open"}, {"id": 2, "title": "Slow", "state": "shut"}],
        ["2 items: Crash on start 1 open; Slow 2 shut"],
    ),
    (
        {"results": [{"name": "甲", "price": 3, "status": "ok"}, {"name": "乙", "price": 4, "status": "ok"}]},
        ["2 results: all status ok: 甲 3; 乙 4"],
    ),
]


@pytest.mark.parametrize(("value", "said"), SAID, ids=range(len(SAID)))
def test_an_answer_is_told_by_its_values(value: Any, said: list[str]) -> None:
    text = summarize("get_thing", {}, json.dumps(value, ensure_ascii=False)).text

    assert [piece for piece in said if piece not in text] == [], text


def test_dates_and_the_ids_of_others_do_not_follow_what_tells() -> None:
    text = summarize("get_thing", {}, json.dumps(BOOKING)).text

    assert "insured" in text
    assert "created_at" not in text


def test_a_long_list_shows_some_items_with_their_values_and_counts_the_others() -> None:
    rows = {
        str(at): {"item_id": str(at), "available": at % 2 == 0, "price": at / 7} for at in range(7000, 7040)
    }
    text = summarize("get_thing", {}, json.dumps({"product_id": "8", "name": "Mug", "variants": rows})).text

    assert "7000 available 1000.0; 7001 not available" in text
    assert text[-4:-2].strip() == "+" or text.rpartition("+")[2].isdecimal()


CHANGES = [
    ({"status": "shut"}, "booking KX44 changed (still cabin business): status open → shut"),
    ({"insured": True}, "booking KX44 changed (still status open): insured false → true"),
    (
        {"payment_history": [*BOOKING["payment_history"], {"payment_id": "card_7", "amount": -505}]},  # type: ignore[misc]
        "booking KX44 changed (still status open): payment_history + card_7 -505",
    ),
    (
        {"legs": BOOKING["legs"][:1]},  # type: ignore[index]
        "booking KX44 changed (still status open): legs - LX90 95 OSL",
    ),
]


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=range(len(CHANGES)))
def test_a_later_answer_of_the_same_thing_says_what_changed(change: dict[str, Any], said: str) -> None:
    found = difference("get_booking", {}, json.dumps(BOOKING), json.dumps({**BOOKING, **change}))

    assert found == f"get_booking: {said}"


def test_what_did_not_change_is_said_with_its_state_and_other_things_are_not_compared() -> None:
    same = difference("get_booking", {}, json.dumps(BOOKING), json.dumps(BOOKING))
    other = json.dumps({**BOOKING, "booking_id": "QQ1"})

    assert same.startswith("get_booking: booking KX44: status open")
    assert same.endswith("(unchanged)")
    assert difference("get_booking", {}, json.dumps(BOOKING), other) == ""
    assert difference("get_booking", {}, json.dumps(BOOKING), "gone") == ""


def test_a_long_list_is_compared_in_one_pass_and_says_what_came_to_it() -> None:
    """Twenty thousand numbers, backwards: comparing each with each takes half a minute."""
    many = [*range(20_000)]
    one = json.dumps({"id": "x1", "values": many}, separators=(",", ":"))
    other = json.dumps({"id": "x1", "values": [*reversed(many), -7]}, separators=(",", ":"))

    assert difference("get", {}, one, other) == "get: x1 changed: values + -7"
    assert difference("get", {}, other, one) == "get: x1 changed: values - -7"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "name", "order_id", "status", "price", "items", "x"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(_VALUES, _VALUES)
def test_any_two_answers_are_told_in_one_short_line(one: Any, other: Any) -> None:
    before, after = json.dumps(one), json.dumps(other)

    for text in (summarize("fetch", {}, before).text, difference("fetch", {}, before, after)):
        assert len(text) <= 200
        assert "\n" not in text


def test_the_entry_of_a_later_answer_says_the_difference_in_one_step_or_two(tmp_path: Path) -> None:
    """Results of calls that the transcript does not have: their nodes are named by what they show."""
    shut = {**BOOKING, "status": "shut", "note": "x" * 600}
    lines = [
        "user: Please cancel my trip KX44.",
        "assistant: None",
        f"tool: {json.dumps(BOOKING)}",
        "assistant: Booking KX44 is open and can be cancelled. Shall I?",
        "user: Yes, cancel it.",
        "assistant: None",
        f"tool: {json.dumps(shut)}",
        "assistant: Booking KX44 was cancelled; 505 goes back to card_7.",
        "user: Thank you!",
    ]
    path = tmp_path / "chat.jsonl"
    for home, cuts in (("once", [len(lines)]), ("twice", [5, len(lines)])):
        for cut in cuts:
            path.write_text(json.dumps({"messages_display": "\n".join(lines[:cut])}) + "\n", encoding="utf-8")
            run(["-q", "-C", str(tmp_path / home), "ingest", str(path)])
    stores = [open_store(tmp_path / home) for home in ("once", "twice")]
    found = [[entry.entry.summary for entry in entries.read(one.offloads()[0])] for one in stores]

    assert found[0] == found[1]
    assert "status open, cabin business" in found[0][0]
    assert "status open → shut" in found[0][1]
    canvas = next((tmp_path / "once" / "mmds").glob("*.mmd")).read_text(encoding="utf-8")
    assert '["booking KX44<br/>' in canvas
    assert '["booking KX44 changed<br/>' in canvas
    assert "result: unknown" not in canvas
