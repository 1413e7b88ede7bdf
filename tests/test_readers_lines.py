"""One line of JSON: every value comes back exactly, and damage costs its own piece only."""

import copy
import json
import math
import pickle

import pytest
from hypothesis import given, settings, strategies as st
from reading import JSON

from memctl import files
from memctl.model import Damage
from memctl.readers.lines import MAX_DEPTH, Line, decode, encode, parse, parse_line

RECORDS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)


def values(data: bytes) -> list[object]:
    return [item.value for item in parse_line(data, 1, 0) if isinstance(item, Line)]


def damage(data: bytes) -> list[bytes]:
    return [item.data for item in parse_line(data, 1, 0) if isinstance(item, Damage)]


@pytest.mark.parametrize(
    "number", [2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 12345678901234567890123456789, 10**400]
)
def test_integers_of_any_size_stay_exact(number: int) -> None:
    assert parse(json.dumps({"n": [number]}).encode()) == {"n": [number]}


@pytest.mark.parametrize("digit", "123456789")
def test_stored_integers_of_any_digits_stay_exact(digit: str) -> None:
    number = int(digit * 25)

    assert files.decode(files.encode({"n": number})) == {"n": number}


def test_large_floats_stay_floats() -> None:
    value = parse(b"[1e300, 9.3e18, 1e999, 1.5]")

    assert value == [1e300, 9.3e18, math.inf, 1.5]
    assert all(isinstance(number, float) for number in value)


LITERALS = st.from_regex(
    r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?", fullmatch=True
).filter(
    lambda text: text != "-0"  # the integer 0 has no sign
)


@settings(max_examples=300)
@given(literals=st.lists(LITERALS, min_size=1, max_size=5), lone=st.booleans())
def test_numbers_are_stored_as_they_were_written(literals: list[str], *, lone: bool) -> None:
    text = r"\ud83d" if lone else "e5"
    data = ('{"a":{"b":[' + ",".join(literals) + f'],"c":{literals[0]},"d":"{text}"}}}}').encode()

    stored = files.encode(parse(data), marked=True)

    assert stored.replace(b"\t", b"") == data
    assert files.encode(files.decode(stored)) == data
    assert files.encode(pickle.loads(pickle.dumps(copy.deepcopy(files.decode(stored))))) == data  # noqa: S301 - our own
    assert json.loads(stored) == json.loads(data)


def test_an_integer_of_any_length_is_stored_as_it_was_written() -> None:
    data = b'{"n":' + b"7" * 9_000 + b"}"

    assert files.encode(files.decode(files.encode(parse(data), marked=True))) == data


def test_words_that_are_no_json_numbers_are_kept_as_strings() -> None:
    assert parse(b'{"a":[NaN,Infinity,-Infinity]}') == {"a": ["NaN", "Infinity", "-Infinity"]}


def test_a_lone_surrogate_and_a_nul_escape_are_kept() -> None:
    assert parse(rb'{"t":"a \ud83d b \u0000"}') == {"t": "a \ud83d b \0"}


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse(rb'["\ud83d\ude00"]') == ["😀"]


def test_bytes_that_are_not_utf8_come_back_as_they_were() -> None:
    assert encode(parse(b'["caf\xe9 \xff"]')[0]) == b"caf\xe9 \xff"


def test_a_raw_tab_inside_a_string_is_no_reason_to_lose_the_line() -> None:
    assert parse(b'["a\tb"]') == ["a\tb"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 2_000, 200_000])
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_nesting_too_deep_is_damage_and_never_a_recursion_error(depth: int, opening: bytes) -> None:
    closing = {b"[": b"]", b'{"a":': b"}"}[opening]
    data = opening * depth + b"1" + closing * depth

    assert damage(data) == [data]
    assert values(data) == []


def test_the_deepest_nesting_allowed_is_read() -> None:
    data = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH

    assert len(values(data)) == 1
    json.dumps(values(data))


def test_objects_glued_together_are_read_one_by_one() -> None:
    line = b'{"a":1}{"b":"}{"}[3]'

    assert list(parse_line(line, 7, 100)) == [
        Line(7, 100, {"a": 1}),
        Line(7, 107, {"b": "}{"}),
        Line(7, 117, [3]),
    ]


def test_offsets_count_bytes_and_not_characters() -> None:
    line = '{"a":"日本"}{"b":1}'.encode()

    assert [item.offset for item in parse_line(line, 1, 10) if isinstance(item, Line)] == [10, 24]


def test_what_follows_good_objects_is_damage_with_its_bytes() -> None:
    line = b'{"a":1}{"b":'

    assert list(parse_line(line, 3, 50)) == [
        Line(3, 50, {"a": 1}),
        Damage(3, 57, "Expecting value", b'{"b":'),
    ]


def test_half_a_line_before_nuls_costs_only_itself() -> None:
    line = b'{"type":"us\0\0\0\0{"b":1}\0'

    assert values(line) == [{"b": 1}]
    assert damage(line) == [b'{"type":"us']


@pytest.mark.parametrize("blank", [b"", b"\n", b"\r\n", b"  \t\n", b"\0\0\0\0", b"\x1e\n"])
def test_blank_lines_and_padding_are_nothing(blank: bytes) -> None:
    assert list(parse_line(blank, 1, 0)) == []


@pytest.mark.parametrize("line", [b"null", b"42", b'"words"', b"true", b"1.5"])
def test_values_that_are_no_objects_are_values(line: bytes) -> None:
    assert values(line + b"\r\n") == [json.loads(line)]


@pytest.mark.parametrize("line", [b"this is garbage", b"12 abc", b'{"a":1', b"NULL", b"}{", b"\xff\xfe\xfd"])
def test_what_is_no_json_is_damage_with_its_bytes(line: bytes) -> None:
    assert values(line + b"\n") == []
    assert b"".join(damage(line + b"\n")) == line


@settings(max_examples=30)
@given(st.lists(RECORDS, min_size=1, max_size=4), st.sampled_from([b"", b" ", b"\0\0", b",", b"\x1e"]))
def test_any_objects_on_one_line_come_back(records: list[object], between: bytes) -> None:
    line = between.join(json.dumps(record).encode() for record in records)

    assert values(line + b"\r\n") == records


@given(st.binary(max_size=60))
def test_any_bytes_give_values_and_damage_in_order_and_nothing_else(data: bytes) -> None:
    found = list(parse_line(data, 1, 0))

    offsets = [item.offset for item in found]
    assert offsets == sorted(offsets)
    for item in found:
        if isinstance(item, Damage):
            assert data[item.offset : item.offset + len(item.data)] == item.data


@given(st.binary(max_size=60))
def test_decoding_can_be_undone(data: bytes) -> None:
    assert encode(decode(data)) == data


def test_a_line_of_endless_damage_is_not_taken_apart_to_its_end() -> None:
    line = b"[\0" * 10_000

    found = damage(line)
    assert len(found) == 101
    assert sum(map(len, found)) == 100 + len(line) - 201
