"""A source: what shape bytes have, what stands first, and every value, in any encoding and packing."""

import gzip
import io
import json
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from reading import JSON, written

from memctl.errors import InputError, MemctlError
from memctl.model import Damage
from memctl.readers import source as source_module
from memctl.readers.source import Line, Source, Unreadable, open_source

RECORDS: list[dict[str, Any]] = [
    {"type": "a", "text": "one\u2028two\u0085three\x0b\x0c"},
    {"type": "b", "text": "日本語 🎉", "n": 2**70},
    {"type": "c", "inner": [{"x": None}, []]},
]
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "utf-16 little endian": lambda data: data.decode().encode("utf-16"),
    "utf-16 big endian": lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines": lambda data: b"\n \r\n" + data.replace(b"\n", b"\n\n"),
    "no last newline": lambda data: data.rstrip(b"\n"),
    "padding behind": lambda data: data + bytes(4096),
    "padding before": lambda data: bytes(4096) + data,
    "utf-16 little endian without a mark": lambda data: data.decode().encode("utf-16-le"),
    "utf-16 big endian without a mark": lambda data: data.decode().encode("utf-16-be"),
    "gzip": gzip.compress,
    "padded gzip": lambda data: gzip.compress(data) + bytes(100_000),
    "gzip of utf-16": lambda data: gzip.compress(data.decode().encode("utf-16")),
    "two gzip members": lambda data: gzip.compress(data[:30]) + gzip.compress(data[30:]),
}


def values(source: Source) -> list[Any]:
    return [item.value for item in source.lines() if isinstance(item, Line)]


def damages(source: Source) -> list[Damage]:
    return [item for item in source.lines() if isinstance(item, Damage)]


# --------------------------------------------------------------------------- encodings


@pytest.mark.parametrize("packing", PACKINGS.values(), ids=PACKINGS)
def test_lines_are_the_same_in_every_encoding_and_packing(packing: Callable[[bytes], bytes]) -> None:
    source = Source.from_bytes(packing(written(RECORDS)))

    assert source.shape == "jsonl"
    assert list(source.head()) == RECORDS
    assert values(source) == RECORDS
    assert damages(source) == []
    assert source.unfinished is None


@pytest.mark.parametrize("packing", PACKINGS.values(), ids=PACKINGS)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_the_same_in_every_encoding_and_packing(
    packing: Callable[[bytes], bytes], indent: int | None
) -> None:
    source = Source.from_bytes(packing(json.dumps(RECORDS, indent=indent).encode() + b"\n"))

    assert source.shape == "json"
    assert source.document() == RECORDS
    assert source.head() == (RECORDS,)
    assert values(source) == RECORDS


def test_characters_beyond_the_basic_plane_survive_utf_16_cut_into_blocks() -> None:
    record = {"text": "🎉" * 100_000}
    data = json.dumps([record], ensure_ascii=False).encode("utf-16")

    assert Source.from_bytes(data).document() == [record]


@settings(max_examples=30)
@given(st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), min_size=2, max_size=4))
def test_any_records_come_back(records: list[Any]) -> None:
    assert values(Source.from_bytes(written(records))) == records


def test_text_is_given_with_every_byte_recoverable() -> None:
    source = Source.from_bytes(b"\xef\xbb\xbf# caf\xe9\r\n\0\0")

    assert source.shape == "text"
    assert source.text() == "# caf\udce9\r\n"


# --------------------------------------------------------------------------- shape and head


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (b"", "empty"),
        (b"\n\n\n", "empty"),
        (bytes(3_000_000), "empty"),
        (b'{"a":1}\n{"b":2}\n', "jsonl"),
        (b'[{"a":1}]\n[{"b":2}]\n', "jsonl"),
        (b'null\n{"a":1}\n{"b":2}\n', "jsonl"),
        (b'garbage\n{"a":1}\n{"b":2}\n', "jsonl"),
        (b'{"cut in the mid\n{"a":1}\n', "jsonl"),
        (b'{"a":1}{"b":2}\n{"c":3}\n', "jsonl"),
        (b'{"a":1}\n', "json"),
        (b'{"a":1}{"b":2}\n', "json"),
        (b'{\n "a": 1\n}\n', "json"),
        (b'[\n{"a":1},\n{"b":2}\n]\n', "json"),
        (b'[{"a":1},\n{"b":2}]', "json"),
        (b'{"messages": [\n{"a":1},\n{"b":2}\n]}', "json"),
        (b'{\n  "a": [\n    {"b": 1}\n  ]\n}', "json"),
        (b"[]", "json"),
        (b"{}", "json"),
        (b"# aider chat started at 2026-01-01\n", "text"),
        (b'# notes\n\n```\n{"a": 1}\n```\n', "text"),
        (b"[2026-01-01] user: hello\n[2026-01-01] bot: hi\n", "text"),
        (b"[link](x)\n", "text"),
        ("用户：你好\n".encode(), "text"),
        ("用户：你好\n".encode("gbk"), "text"),
        (b"\x1b[31mred\x1b[0m\n", "text"),
        (b"SQLite format 3\0" + bytes(range(100)), "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
    ],
)
def test_shape(data: bytes, shape: str) -> None:
    assert Source.from_bytes(data).shape == shape


def test_objects_one_after_the_other_are_read_like_lines() -> None:
    """`jq .` prints a transcript like this."""
    data = "\n".join(json.dumps(record, indent=2) for record in RECORDS).encode()

    assert values(Source.from_bytes(data)) == RECORDS


def test_head_is_bounded_but_holds_a_first_object_of_any_size() -> None:
    long = {"text": "x" * 3_000_000}
    source = Source.from_bytes(written([long, *({"n": n} for n in range(100))]))

    assert source.shape == "jsonl"
    assert source.head() == (long,)
    assert len(Source.from_bytes(written([{"n": n} for n in range(100)])).head()) == 20


class Endless(io.BytesIO):
    """A transcript that never ends: whoever reads all of it never returns."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """Go back to the start where others end."""
        line = super().readline(size)
        if not line:
            self.seek(0)
        return line or super().readline(size)


def test_lines_are_streamed() -> None:
    source = Source("endless", 0, lambda: Endless(b'{"n":1}\n' * 100))

    assert source.shape == "jsonl"
    assert len(source.head()) == 20
    assert [item.value for item in islice(source.lines(), 10_000) if isinstance(item, Line)] == [
        {"n": 1}
    ] * 10_000


# --------------------------------------------------------------------------- damage


def test_a_bad_line_costs_that_line_and_says_where_it_was() -> None:
    good = json.dumps(RECORDS[1], ensure_ascii=False).encode()
    source = Source.from_bytes(good + b"\nbad line\n" + good + b"\n")

    assert values(source) == [RECORDS[1]] * 2
    assert damages(source) == [Damage(2, len(good) + 1, "Expecting value", b"bad line")]


def test_line_numbers_and_offsets_are_those_of_the_file() -> None:
    data = b'\xef\xbb\xbf{"a":1}\n\n{"b":1}{"c":1}\n'

    assert list(Source.from_bytes(data).lines()) == [
        Line(1, 3, {"a": 1}),
        Line(3, 12, {"b": 1}),
        Line(3, 19, {"c": 1}),
    ]


@pytest.mark.parametrize("cut", range(8, 16))
def test_a_last_line_without_its_newline_is_not_there_yet(cut: int) -> None:
    data = b'{"a":1}\n{"b":1}\n{"c":1}\n'
    source = Source.from_bytes(data[: 8 + cut])

    assert damages(source) == []
    assert values(source) == [{"a": 1}, {"b": 1}, {"c": 1}][: 1 + (cut >= 7) + (cut >= 15)]
    assert source.unfinished == (16 if 8 < cut < 15 else None)


def test_a_first_line_that_is_not_there_yet_is_no_damage() -> None:
    source = Source.from_bytes(b'{"type":"user","mess')

    assert list(source.lines()) == []
    assert source.unfinished == 0


def test_asking_for_the_head_leaves_what_lines_found() -> None:
    source = Source.from_bytes(b'{"a":1}\n{"b":1}\n{"c"')
    list(source.lines())
    source.head()

    assert source.unfinished == 16


def test_a_line_over_the_limit_costs_that_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "LINE_BYTES", 100)
    long = json.dumps({"text": "x" * 500}).encode()
    source = Source.from_bytes(b'{"a":1}\n' + long + b'\n{"b":1}\n' + bytes(1000) + b'\n{"c":1}\n')

    assert values(source) == [{"a": 1}, {"b": 1}, {"c": 1}]
    assert [(item.line, item.offset) for item in damages(source)] == [(2, 8)]


def test_a_gzip_file_cut_short_gives_its_lines_and_one_damage() -> None:
    lines = written([{"n": n, "text": os.urandom(20).hex()} for n in range(2_000)])
    packed = gzip.compress(lines)
    source = Source.from_bytes(packed[: len(packed) // 2])

    found = list(source.lines())
    assert len(found) > 100
    assert [isinstance(item, Damage) for item in found] == [False] * (len(found) - 1) + [True]
    with pytest.raises(Unreadable):
        source.document()


@pytest.mark.parametrize(
    ("spoil", "kept"),
    [
        (lambda packed: packed[:-12], 2),  # cut before its end
        (lambda packed: packed + b"garbage", 3),
        (lambda packed: packed + gzip.compress(b'{"n":4}\n')[:-9], 3),
    ],
    ids=["cut", "garbage behind", "second member cut"],
)
def test_a_small_damaged_gzip_file_gives_its_good_lines(spoil: Callable[[bytes], bytes], kept: int) -> None:
    lines = written(
        [{"n": 1, "text": "one"}, {"n": 2, "text": "two"}, {"n": 3, "text": os.urandom(50).hex()}]
    )
    source = Source.from_bytes(spoil(gzip.compress(lines)))

    found = list(source.lines())

    assert source.shape == "jsonl"
    assert sum(isinstance(item, Line) for item in found) >= kept
    assert [item.reason for item in found if isinstance(item, Damage)][-1].startswith("damaged gzip: ")


def test_a_gzip_file_damaged_from_its_beginning_is_not_called_empty() -> None:
    source = Source.from_bytes(gzip.compress(b'{"a":1}\n')[:11])

    assert (source.shape, source.trouble) == ("empty", "damaged gzip: it ends too early")


def test_a_document_that_is_damaged_says_line_and_column() -> None:
    source = Source.from_bytes(b'{\n  "a": 1,\n  "\xe6\x97\xa5": oops\n}\n', name="x.json")

    with pytest.raises(Unreadable, match=r"^x\.json:3:8: not JSON: Expecting value$") as caught:
        source.document()
    assert (caught.value.line, caught.value.column, caught.value.offset) == (3, 8, 21)
    assert source.head() == ()
    assert list(source.lines()) == [Damage(3, 21, "not JSON: Expecting value")]


def test_a_document_nested_too_deep_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="levels deep"):
        Source.from_bytes(b'[{"a":\n' * 2_000 + b"1" + b"}]" * 2_000).document()


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"a":1}', b"[", b"\n", b"\0", b'{"', b"}", b"\xff\xfe", b"\x1f\x8b"])).map(
        b"".join
    )
)
def test_no_bytes_raise_anything_but_our_own_errors(data: bytes) -> None:
    source = Source.from_bytes(data)

    assert source.shape in ("jsonl", "json", "text", "binary", "empty")
    source.head()
    list(source.lines())
    for read in (source.document, source.text):
        with suppress(MemctlError):
            read()


# --------------------------------------------------------------------------- where sources come from


def test_a_file_is_opened_by_path(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(written(RECORDS))
    source = open_source(path)

    assert (source.name, source.size) == (str(path), path.stat().st_size)
    assert values(source) == values(source) == RECORDS
    assert open_source(path, name="shown").name == "shown"


def test_a_path_that_cannot_be_read_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing: No such file"):
        open_source(tmp_path / "missing")
    with pytest.raises(InputError, match="is a directory"):
        open_source(tmp_path)


def test_a_file_that_vanishes_is_an_error_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(written(RECORDS))
    source = open_source(path)
    path.unlink()

    with pytest.raises(InputError, match=r"x\.jsonl: No such file"):
        list(source.lines())


@pytest.mark.parametrize("limit", [64, 1 << 20])
def test_a_stream_can_be_read_several_times_at_once(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long one goes through a file without a name."""
    monkeypatch.setattr(source_module, "SPOOL_BYTES", limit)
    records = [{"n": n} for n in range(5_000)]
    data = written(records)
    source = Source.from_stream(io.BytesIO(data), name="-")

    assert (source.name, source.size) == ("-", len(data))
    assert [one for one, _ in zip(source.lines(), source.lines(), strict=True)] == list(source.lines())
    assert values(source) == records


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    if os.fork() == 0:
        path.write_bytes(written(RECORDS))
        os._exit(0)
    source = open_source(path)
    os.wait()

    assert values(source) == values(source) == RECORDS
