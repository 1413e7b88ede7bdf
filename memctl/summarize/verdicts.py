"""The verdict of a test run or a check, whatever program gave it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from memctl.summarize.patterns import regex
from memctl.summarize.wording import LIMIT, clip, joined


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test run or a check came to.

    red: something failed; None when nothing was tried ("no tests ran"). counts: "2 failed, 31 passed".
    failures: the first ones, each with its error
    ("test_auth.py::test_expiry AssertionError: 3 == 4 (test_auth.py:12)"). listed: the counts are of what was
    printed; the program itself did not say how many there are.
    """

    red: bool | None
    counts: str
    failures: tuple[str, ...] = ()
    listed: bool = False

    def at_least(self) -> "Verdict":
        """Say `80+ errors`: its output was cut, so there may be more."""
        return replace(self, counts=_COUNTED.sub(_or_more, self.counts))

    def text(self, about: str) -> str:
        """Write it in one line; *about* is what was run."""
        if self.failures:
            room = LIMIT - len(self.counts) - 2
            each = room if len(self.failures) == 1 else room * 5 // 8  # so that one long error leaves room
            told = joined((clip(text, each) for text in self.failures[:_TOLD]), room, "; ", rest=False)
            return clip(f"{self.counts}: {told}")
        return clip(f"{clip(about, LIMIT // 2)}: {self.counts}" if about else self.counts)


_COUNTED = regex(r"(?<![\w.])(?P<number>\d[\d,]*) (?:(?P<noun>error|warning|problem|issue)s?|failed)\b")
_TOLD = 5  # failures that can find room in a summary
COLOURS: dict[bool | None, Literal["red", "green", ""]] = {True: "red", False: "green", None: ""}
Parser = Callable[
    [str], Verdict | None
]  # the text of a run to its verdict; None when another program wrote it


def _or_more(count: re.Match[str]) -> str:
    return f"{count['number']}+ {count['noun']}s" if count["noun"] else f"{count['number']}+ failed"


def counted(pairs: Iterable[tuple[int, str]]) -> str:
    """Write `2 failed, 31 passed`, what is none left out."""
    return ", ".join(f"{number:,} {word}" for number, word in pairs if number > 0)


def failure(name: str, said: str = "", place: str = "") -> str:
    """Write one failure: its name, its error and its place, where the name does not say them."""
    said = clip(said, 110)
    text = f"{clip(name, 90)} {said}".strip() if not said.startswith(name) else said
    return f"{text} ({place})" if place and place not in text else text
