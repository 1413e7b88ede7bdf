"""One line of JSON, however it was written: glued objects, NUL padding, surrogates, numbers beyond a double.

`orjson` reads nearly everything; what it refuses or would change goes through `json` (DESIGN 2.8).
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import orjson

from memctl.model import Damage, Json
from memctl.model.values import integer, number

MAX_DEPTH = 200  # orjson writes 254 levels at most, and a value is wrapped when it is stored

_BLANK = b" \t\r\n\0\x1e"  # NUL: padding after a crash; RS: RFC 7464 text sequences
_BETWEEN = re.compile(r"[\s\0\x1e,\ufeff]*")
_DAMAGES = 100  # a line with more damaged pieces is not taken apart to its end
_PIECES = re.compile(rb"[^\0]+")
_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
# NaN and Infinity are no JSON, though some programs write them: as strings they are kept and can be stored.
_DECODER = json.JSONDecoder(strict=False, parse_float=number, parse_int=integer, parse_constant=str)


class Line(NamedTuple):
    """A value and where it stands: line (from 1) and byte offset in the decoded source."""

    number: int
    offset: int
    value: Json


def parse(data: bytes) -> Json:
    """Read *data* as one JSON value, exactly: numbers of any size, lone surrogates, invalid UTF-8.

    Raises:
        ValueError: *data* is not one JSON value (then a `json.JSONDecodeError`), or is nested deeper
            than `MAX_DEPTH`.

    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _checked(_decode(decode(data)))
    trouble = _trouble(value)
    if trouble == "deep":
        raise ValueError(_TOO_DEEP)
    return _decode(decode(data)) if trouble else value


def parse_sequence(text: str) -> Iterator[tuple[int, int, Json]]:
    """Read objects and lists written one after the other, with at most blanks and commas between.

    Yields:
        Start and end of each value in *text*, and the value.

    Raises:
        ValueError: what stands at some place is neither an object nor a list; the values before it
            have been given.

    """
    position = _end_of(_BETWEEN, text, 0)
    while position < len(text):
        if text[position] not in "{[":
            raise json.JSONDecodeError("no JSON object", text, position)
        value, end = _decode_at(text, position)
        yield position, end, _checked(value)
        position = _end_of(_BETWEEN, text, end)


def parse_line(data: bytes, number: int, offset: int) -> Iterator[Line | Damage]:
    """Read one line that may hold several objects, padding, or damage; blank lines give nothing."""
    data = data.rstrip(_BLANK)
    start = len(data) - len(data.lstrip(_BLANK))
    if start == len(data):
        return
    try:
        yield Line(number, offset + start, parse(data[start:]))
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    else:
        return
    # A crash leaves half a line and NULs before the next good one; no NUL is JSON outside a string.
    damaged = 0
    for piece in _PIECES.finditer(data):
        if damaged == _DAMAGES:
            yield Damage(number, offset + piece.start(), reason, data[piece.start() :])
            return
        for item in _parse_glued(piece[0], number, offset + piece.start(), reason):
            damaged += isinstance(item, Damage)
            yield item


def decode(data: bytes) -> str:
    """Decode UTF-8 so that `encode` gives the same bytes back, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Undo `decode`; a lone surrogate that was an escape in the JSON is written as its three bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _parse_glued(data: bytes, number: int, offset: int, reason: str) -> Iterator[Line | Damage]:
    text = decode(data)
    if not text.strip(" \t\r\n\0\x1e,\ufeff"):
        return
    done = 0
    try:
        for start, end, value in parse_sequence(text):
            offset += len(encode(text[done:start]))
            yield Line(number, offset, value)
            offset += len(encode(text[start:end]))
            done = end
    except ValueError as error:
        if done or not reason:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        yield Damage(number, offset, reason, encode(text[done:]))


def _decode(text: str) -> Json:
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _decode_at(text: str, position: int) -> tuple[Json, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _checked(value: Json) -> Json:
    if _trouble(value) == "deep":
        raise ValueError(_TOO_DEEP)
    return value


def _trouble(value: Json) -> str:
    """Say whether *value* is nested too deep ("deep") or holds what may have been another number ("float")."""
    level = [value]
    trouble = ""
    for _ in range(MAX_DEPTH):
        inner = []
        for outer in level:
            for item in outer.values() if type(outer) is dict else outer if type(outer) is list else ():
                kind = type(item)
                if kind is dict or kind is list:
                    inner.append(item)
                elif kind is float:  # orjson rounds without a word, integers over 64 bits, too
                    trouble = "float"
        if not inner:
            return trouble
        level = inner
    return "deep"


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
