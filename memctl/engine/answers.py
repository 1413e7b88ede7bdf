"""Read a model's answer leniently: fences, prose around, comments, trailing commas, wrong quotes (DESIGN 11).

Lenient in form only. An answer that ends in the middle is none: half of it must never be applied.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from memctl.errors import RefusedError
from memctl.model import Json

_LONGEST = 400_000  # characters of an answer that are read
_DEEPEST = 40
_MOST_STARTS = 64  # brackets in the prose around that are tried
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_SPACE = re.compile(r"(?:\s|//[^\n]*\n|#[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*)?\.?\d+(?:[eE][+-]?\d{1,3})?")
_NAMES: Mapping[str, Json] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "undefined": None,
    "NaN": None,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "`": "`"}


def read(text: str, wanted: Iterable[str]) -> dict[str, Json]:
    """Give the JSON object in an answer that has one of the keys *wanted*; raises RefusedError when none has.

    A bare list is taken as the value of the first key wanted.
    """
    names = tuple(wanted)
    text = _THOUGHT.sub("", text[:_LONGEST].removeprefix("\ufeff"))
    torn = False
    at = tries = 0
    while tries < _MOST_STARTS:
        starts = [place for bracket in "{[" if (place := text.find(bracket, at)) >= 0]
        if not starts:
            break
        start = min(starts)
        tries += 1
        reader = _Reader(text, start)
        try:
            value = reader.value(0)
        except ValueError:
            torn |= reader.at >= len(text) and bool(text[start + 1 :].strip())
            at = start + 1
            continue
        at = reader.at
        if isinstance(value, dict) and any(name in value for name in names):
            return value
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            return {names[0]: value}
    if torn:
        raise RefusedError(["the answer ends in the middle of its JSON; answer again, shorter but complete"])
    if not text.strip():
        raise RefusedError(["the answer is empty"])
    raise RefusedError([f"there is no JSON object with {' or '.join(map(repr, names))} in the answer"])


class _Reader:
    """A JSON reader that forgives what models get wrong; linear, and no deeper than `_DEEPEST`."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def value(self, depth: int) -> Json:
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        self._space()
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char in _QUOTES and char:
            return self._string(_QUOTES[char])
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            digits = found[0].replace("_", "")
            return float(digits) if {".", "e", "E"} & set(digits) else int(digits[:300])
        if found := _WORD.match(self.text, self.at):
            self.at = found.end()
            if found[0] in _NAMES:
                return _NAMES[found[0]]
        raise ValueError(f"no value at {self.at}")

    def _space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _next(self, closer: str) -> bool:
        """Pass commas; say whether another item follows, and pass the closing bracket when none does."""
        self._space()
        while self.text.startswith(",", self.at):
            self.at += 1
            self._space()
        if self.text.startswith(closer, self.at):
            self.at += 1
            return False
        if self.at >= len(self.text):
            raise ValueError("the text ends here")
        return True

    def _object(self, depth: int) -> dict[str, Json]:
        self.at += 1
        found: dict[str, Json] = {}
        while self._next("}"):
            char = self.text[self.at]
            if char in _QUOTES:
                name = self._string(_QUOTES[char])
            elif word := _WORD.match(self.text, self.at):
                name, self.at = word[0], word.end()
            else:
                raise ValueError(f"no name at {self.at}")
            self._space()
            if self.text[self.at : self.at + 1] not in (":", "=", "："):
                raise ValueError(f"no colon at {self.at}")
            self.at += 1
            found[name] = self.value(depth + 1)
        return found

    def _list(self, depth: int) -> list[Json]:
        self.at += 1
        found: list[Json] = []
        while self._next("]"):
            found.append(self.value(depth + 1))
        return found

    def _string(self, closer: str) -> str:
        """Read a string; line breaks and other controls may stand in it as they are."""
        pieces: list[str] = []
        at = self.at + 1
        stop = re.compile(f"[{re.escape(closer)}\\\\]")
        while found := stop.search(self.text, at):
            pieces.append(self.text[at : found.start()])
            at = found.end()
            if found[0] == closer:
                self.at = at
                return "".join(pieces)
            piece, at = self._escape(at)
            pieces.append(piece)
        self.at = len(self.text)
        raise ValueError("a string that is not closed")

    def _escape(self, at: int) -> tuple[str, int]:
        text = self.text
        char = text[at : at + 1]
        if char == "u":
            digits = text[at + 1 : at + 5]
            if re.fullmatch("[0-9a-fA-F]{4}", digits):
                point = int(digits, 16)
                low = text[at + 5 : at + 11]
                if 0xD800 <= point < 0xDC00 and re.fullmatch(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}", low):
                    return chr(
                        0x10000 + ((point - 0xD800) << 10) + int(text[at + 7 : at + 11], 16) - 0xDC00
                    ), at + 11
                return chr(point) if not 0xD800 <= point < 0xE000 else "\ufffd", at + 5
        return _ESCAPES.get(char, char), at + 1


# --------------------------------------------------------------------------- types


def field(value: Mapping[str, Json], *names: str) -> Json:
    """Give the first of several names a value has; None for none."""
    return next((value[name] for name in names if value.get(name) is not None), None)


def rows(value: Json) -> list[Mapping[str, Json]]:
    """Read a list of objects; a single object is a list of one, a mapping of objects gives its values."""
    if isinstance(value, dict):
        inner = list(value.values())
        value = inner if inner and all(isinstance(one, dict) for one in inner) else [value]
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(value: Json) -> str:
    """Read a text: a number as it is written, a list as lines; "" for anything else."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value).strip()
    return ""


def number(value: Json, default: int | None = None) -> int | None:
    """Read a whole number, also one written as text; *default* where there is none."""
    if isinstance(value, bool):
        return default
    if isinstance(value, int | float):
        return int(value) if abs(value) < 1e15 else default
    found = (
        re.match(r"\s*([+-]?\d{1,9})(?:\.\d+)?\s*(?:/\s*\d+|%)?\s*\Z", value)
        if isinstance(value, str)
        else None
    )
    return int(found[1]) if found else default


def texts(value: Json) -> list[str]:
    """Read a list of texts; a single text is a list of one, a text with commas is cut at them."""
    if isinstance(value, str):
        return [piece.strip() for piece in value.split(",") if piece.strip()]
    return [found for one in value if (found := text(one))] if isinstance(value, list) else []


def listed(items: Sequence[str], most: int = 8) -> str:
    """Name a few of many things in a refusal."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
