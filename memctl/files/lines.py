"""JSON lines, written so that the same value always gives the same bytes."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from memctl.errors import StoreError
from memctl.files.paths import open_file

if TYPE_CHECKING:  # start-up is a feature, and the values are many
    from memctl.model import Json

_LONG_NUMBER = b"0" * 19  # orjson may turn an integer of so many digits into a float without a word
_DIGITS_AS_ZERO = bytes.maketrans(b"123456789", b"000000000")


def encode(record: "Json", *, marked: bool = False) -> bytes:
    """Write one JSON value compactly, without a newline; numbers as they were read (`model.values.Number`).

    marked: put a tab before each number that is not as orjson would write it, so that `decode` knows
    without looking at every digit. No other tab is written.
    """
    try:
        return orjson.dumps(record, default=_marked if marked else _as_written)
    except (TypeError, ValueError, RecursionError):
        # Lone surrogates, integers over 64 bits: escaped, so that the file itself is always UTF-8.
        return _escaped(record, "\t" if marked else "").encode("ascii")


def _marked(value: object) -> orjson.Fragment:
    return orjson.Fragment(f"\t{_number_text(value)}")


def _as_written(value: object) -> orjson.Fragment:
    return orjson.Fragment(_number_text(value))


def _number_text(value: object) -> str:
    text = getattr(value, "text", None)
    if isinstance(value, float) and isinstance(text, str):
        return text
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _escaped(value: "Json", mark: str) -> str:
    """Write what orjson refuses; `json` itself would write floats another way."""
    if isinstance(value, dict):
        pairs = (f"{json.dumps(str(key))}:{_escaped(item, mark)}" for key, item in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_escaped(item, mark) for item in value) + "]"
    if isinstance(value, float):
        text = getattr(value, "text", None)
        return f"{mark}{text}" if text else orjson.dumps(value).decode()
    return json.dumps(value)


def decode(line: bytes) -> "Json":
    """Read one JSON value that `encode` wrote (marked), exactly; raises ValueError when it is none."""
    if b"\t" not in line and _LONG_NUMBER not in line.translate(_DIGITS_AS_ZERO):
        with contextlib.suppress(ValueError):
            return orjson.loads(line)
    from memctl.model.values import integer, number

    try:
        return json.loads(line.decode("utf-8", "surrogateescape"), parse_float=number, parse_int=integer)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def lines_of(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Give (line number from 1, line without its newline) of a file of ours; blank lines left out.

    start: the byte at which to begin; lines are then numbered from there.

    A torn last line (a crash of another tool, a cut copy) is given like any other; whoever decodes it
    reports it.
    """
    try:
        with open_file(path) as stream:
            stream.seek(start)
            for number, line in enumerate(stream, 1):
                stripped = line.strip()
                if stripped:
                    yield number, stripped
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


def first_line(path: Path) -> int:
    """Count the bytes of a file's first line, newline included."""
    with open_file(path) as stream:
        return len(stream.readline())


def piece_of(path: Path, start: int, end: int) -> Iterator[bytes]:
    """Give the bytes of a file from *start* to *end*."""
    if start < end:
        with open_file(path) as stream:
            stream.seek(start)
            while start < end and (piece := stream.read(min(end - start, 1 << 20))):
                start += len(piece)
                yield piece
