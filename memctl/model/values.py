"""What all values are made of."""

from typing import Any, Self

import orjson

Json = Any  # a parsed JSON value; transcripts may hold anything


class Number(float):
    """A JSON number that Python's own would not write back as it was: `1.10`, `1e400`, twenty decimals.

    Counts as the nearest double; *text* is the number as the transcript has it, and is what is stored.
    """

    __slots__ = ("text",)

    def __new__(cls, text: str) -> Self:
        """Keep the text of a JSON number; raises ValueError for another text."""
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # float's own gives a float
        """Let a copy or another process have the same text."""
        return (self.text,)


def number(text: str) -> float:
    """Read a JSON number with a fraction or an exponent, so that writing it gives *text* again."""
    value = float(text)
    return value if orjson.dumps(value) == text.encode() else Number(text)


def integer(text: str) -> int | float:
    """Read a JSON integer; one of more digits than Python converts is a `Number`."""
    try:
        return int(text)
    except ValueError:
        return Number(text)
