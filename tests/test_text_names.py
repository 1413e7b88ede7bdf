"""Names made from ids, times and titles: safe everywhere, never the same for two."""

import hashlib
import json
import re
import unicodedata
from datetime import datetime
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from memctl.text.names import day_of, file_time, label, month_of, normal_time, safe_name, short_hash

DEVICES = ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))]

# --------------------------------------------------------------------------- session ids

NAMES = {
    "4f79a5ed-1b2c": "4f79a5ed-1b2c",
    "a/b": "a%2fb",
    "..": "%2e%2e",
    ".": "%2e",
    ".hidden": "%2ehidden",
    "end.": "end%2e",
    "a b%": "a%20b%25",
    "港": "%e6%b8%af",
    "~x": "%7ex",
    "\ud83d": "%ed%a0%bd",
    "con": "%63on",
    "nul.txt": "%6eul.txt",
    "console": "console",
    "com10": "com10",
}


@pytest.mark.parametrize(("session", "name"), NAMES.items())
def test_a_session_id_is_percent_encoded_where_it_must_be(session: str, name: str) -> None:
    assert safe_name(session) == name


def test_an_upper_case_letter_adds_the_hash_of_the_id() -> None:
    assert safe_name("Abc") == f"Abc~{short_hash(8, 'Abc')}"
    assert safe_name("CON") == f"%43ON~{short_hash(8, 'CON')}"


def test_a_long_id_is_cut_before_an_escape_and_gets_its_hash() -> None:
    assert safe_name("x" * 120) == "x" * 120
    assert safe_name("x" * 121) == "x" * 111 + "~" + short_hash(8, "x" * 121)
    for before in range(3):
        name = safe_name("x" * (108 + before) + "/" * 20)
        assert re.fullmatch(r"(?:x|%2f)+~[0-9a-f]{8}", name)
        assert 118 <= len(name) <= 120


ids = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="aAbB.%/~-_é港\ud83d", max_size=8),
    st.sampled_from(["", *DEVICES, *(f"{device}.x" for device in DEVICES), "x" * 130, "X" * 130, "é" * 60]),
    st.text(alphabet="ab/", min_size=100, max_size=140),
)


@given(ids, ids)
def test_two_ids_never_share_a_name_even_without_case(one: str, other: str) -> None:
    assume(one != other)

    assert safe_name(one).lower() != safe_name(other).lower()


@given(ids)
def test_a_name_is_safe_in_every_file_system(session: str) -> None:
    name = safe_name(session)

    assert re.fullmatch(r"[A-Za-z0-9._~%-]{1,120}", name)
    assert not name.startswith(".")
    assert not name.endswith(".")
    assert name.partition(".")[0].lower() not in DEVICES


# --------------------------------------------------------------------------- hashes


def test_a_hash_is_of_the_compact_ascii_json_of_its_parts() -> None:
    assert short_hash(12, "é", 1, None) == hashlib.sha256(b'["\\u00e9",1,null]').hexdigest()[:12]
    assert short_hash(12, "a", "b") != short_hash(12, "ab")
    assert short_hash(12, "\ud83d") != short_hash(12, "\ufffd")


def _nested(depth: int) -> Any:
    value: Any = [1, {"k": "é"}, []]
    for level in range(depth):
        value = {"a": value, "b": 2.5} if level % 2 else ["x", value, None]
    return value


def test_a_value_deeper_than_the_recursion_limit_is_hashed_the_same_way() -> None:
    deep, text = _nested(5_000), json.dumps([_nested(50)], separators=(",", ":"))

    assert len(short_hash(64, deep)) == 64
    assert short_hash(64, _nested(50)) == hashlib.sha256(text.encode()).hexdigest()
    assert short_hash(64, deep) != short_hash(64, [deep])
    while isinstance(deep, dict) or (len(deep) == 3 and deep[0] == "x"):  # freed without recursion
        deep = deep["a"] if isinstance(deep, dict) else deep[1]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25)
@given(json_values)
def test_deep_values_are_hashed_as_json_writes_them(value: Any) -> None:
    deep, depth = value, 5_000
    for _ in range(depth):
        deep = [deep]
    text = "[" * (depth + 1) + json.dumps(value, separators=(",", ":")) + "]" * (depth + 1)

    assert short_hash(64, deep) == hashlib.sha256(text.encode()).hexdigest()
    for _ in range(depth):  # freed without recursion
        (deep,) = deep


# --------------------------------------------------------------------------- times

TIMES = {
    "2026-04-12T21:00:33.872+08:00": (
        "2026-04-12T21:00:33.872+08:00",
        False,
        "2026-04-12T21-00-33-872p08-00",
    ),
    "2026-04-12T21:00:33Z": ("2026-04-12T21:00:33Z", False, "2026-04-12T21-00-33Z"),
    "2026-04-12T21:00:33-05:00": ("2026-04-12T21:00:33-05:00", False, "2026-04-12T21-00-33m05-00"),
    "2026-02-16 01:35:18.573255": ("2026-02-16T01:35:18.573255Z", True, "2026-02-16T01-35-18-573255Z"),
    "2026-04-12t21:00:33z": ("2026-04-12T21:00:33Z", False, "2026-04-12T21-00-33Z"),
    "2026-04-12T21:00+0530": ("2026-04-12T21:00:00+05:30", False, "2026-04-12T21-00-00p05-30"),
    "2026-04-12 21:00:33 UTC": ("2026-04-12T21:00:33Z", False, "2026-04-12T21-00-33Z"),
    "20260412T210033Z": ("2026-04-12T21:00:33Z", False, "2026-04-12T21-00-33Z"),
    "2026-04-12T21:00:33,5+08": ("2026-04-12T21:00:33.5+08:00", False, "2026-04-12T21-00-33-5p08-00"),
    "2026-04-12": ("2026-04-12T00:00:00Z", True, "2026-04-12T00-00-00Z"),
    "2026-01-01T00:00:00." + "1" * 40 + "Z": (
        "2026-01-01T00:00:00.111111111Z",
        False,
        "2026-01-01T00-00-00-111111111Z",
    ),
}


@pytest.mark.parametrize(("given_", "normal", "assumed", "name"), [(t, *rest) for t, rest in TIMES.items()])
def test_a_time_keeps_its_digits_and_zone(given_: str, normal: str, assumed: bool, name: str) -> None:
    assert normal_time(given_) == (normal, assumed)
    assert file_time(given_) == name
    assert normal_time(normal) == (normal, False)


def test_day_and_month_are_those_written_not_those_in_utc() -> None:
    assert day_of("2026-05-01T00:30:00+08:00") == "2026-05-01"
    assert month_of("2026-05-01T00:30:00+08:00") == "2026-05"


NO_TIMES = [
    *["", "now", "2026-02-30T00:00:00Z", "2026-04-12T25:00:00Z", "2026-13-01", "2026-04", "1767596401000"],
    *["2026-04-12T21:00:33+99:00", "2026-04-12T21:00:33Z/../x", "0000-01-01", "٢٠٢٦-٠٤-١٢"],
    *["2026-0412T00:00Z"],
    # In linear time: each of these was read as often as it has blanks.
    *["2026-04-12 21:00:33.0" + " " * 200_000 + "x", "2026-04-12" + " " * 200_000 + "21:00"],
    "2026-04-12T21:00:33." + "0" * 200_000,
]


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_time_is_an_error(text: str) -> None:
    for function in (normal_time, file_time, month_of, day_of):
        with pytest.raises(ValueError, match=r"\S"):
            function(text)


def test_blanks_around_a_time_do_not_count_for_its_length() -> None:
    blank = " \t\n" * 100_000

    assert normal_time(f"{blank}2026-04-12 21:00:33.0{blank}") == ("2026-04-12T21:00:33.0Z", True)


@given(st.datetimes(timezones=st.timezones() | st.none()))
def test_every_time_python_writes_is_read(moment: datetime) -> None:
    offset = moment.utcoffset()
    assume(offset is None or offset.total_seconds() % 60 == 0)
    normal, assumed = normal_time(moment.isoformat())

    assert assumed == (moment.tzinfo is None)
    assert datetime.fromisoformat(normal).replace(tzinfo=None) == moment.replace(tzinfo=None)
    assert re.fullmatch(r"[0-9TZpm-]+", file_time(normal))


# --------------------------------------------------------------------------- labels

LABELS = {
    "Fix the separability matrix": "fix-the-separability",
    "auth expiry": "auth-expiry",
    "刚才那个港校表格继续": "刚才那个港校表格继续",
    "一二三四五六七八九十一二三四五六七八九十一二": "一二三四五六七八九十一二三四五六七八九十",
    "修复 auth.ts 的过期测试，然后提交到主分支": "修复-auth-ts-的过期测试-然后提",
    "fix CompoundModelsSeparabilityMatrix": "fix-compoundmodelsse",
    "../../etc/passwd": "etc-passwd",
    "con": "con-",
    "NUL.txt": "nul-txt",
    "e\u0301tude": "\u00e9tude",
    "❤\ufe0f": "untitled",
    "🚀 launch\u200b\u202e": "launch",
    "": "untitled",
    "\ud83d": "untitled",
    "한국 대학 등록금": "한국-대학-등록금",
}


@pytest.mark.parametrize(("text", "name"), LABELS.items())
def test_a_label_is_short_and_says_what_it_is_about(text: str, name: str) -> None:
    assert label(text) == name


titles = (
    st.text() | st.sampled_from(DEVICES) | st.text(alphabet="aA .-港한é\u0301\ufe0f\U00020000", max_size=40)
)


@given(titles, st.integers(8, 30))
def test_a_label_is_safe_in_every_file_system(text: str, limit: int) -> None:
    name = label(text, limit)

    assert 1 <= len(name) <= max(limit, len("untitled"))
    assert name == unicodedata.normalize("NFC", name)
    assert not set(name) & set('/\\:*?"<>|.~ \x00')
    assert name not in DEVICES
    assert label(name, limit) == name
    name.encode()
