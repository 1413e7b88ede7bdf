"""Dates as search terms: "May 23, 2023", "23 May", "2023-05-23" and 5月23日 all give the same ones."""

import re
from collections.abc import Iterator

_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WRITTEN = re.compile(
    rf"\b(?:(?P<before>[0-3]?[0-9])(?:st|nd|rd|th)? (?:of )?)?(?P<month>{_MONTH})\b\.?"
    r"(?: (?P<after>[0-3]?[0-9])(?:st|nd|rd|th)?\b(?![:.][0-9]))?,?(?: (?P<year>(?:19|20)[0-9]{2})\b)?",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?<![0-9])(?P<year>(?:19|20)[0-9]{2})[-/.](?P<month>[01]?[0-9])(?:[-/.](?P<day>[0-3]?[0-9]))?(?![0-9])"
)
_CJK = re.compile(
    "(?:(?P<year>(?:19|20)[0-9]{2}) ?[年년] ?)?(?P<month>[01]?[0-9]) ?[月월]"
    "(?: ?(?P<day>[0-3]?[0-9]) ?[日号號일])?"
)


def date_terms(text: str) -> Iterator[str]:
    """Give the terms of every date in *text*: `@2023-05` for a month of a year, `@05-23` for a day.

    A month alone gives nothing, nor does a date that no calendar has.
    """
    for match in _WRITTEN.finditer(text):
        day = match["before"] or match["after"]
        if day or match["year"]:
            yield from _terms(match["year"], _MONTHS[match["month"].lower()], day)
    if any(char in text for char in "-/."):
        for match in _NUMBERS.finditer(text):
            yield from _terms(match["year"], int(match["month"]), match["day"])
    if any(char in text for char in "月월"):
        for match in _CJK.finditer(text):
            if match["year"] or match["day"]:
                yield from _terms(match["year"], int(match["month"]), match["day"])


def _terms(year: str | None, month: int, day: str | None) -> Iterator[str]:
    if not 1 <= month <= 12:
        return
    if year:
        yield f"@{year}-{month:02d}"
    if day and 1 <= int(day) <= 31:
        yield f"@{month:02d}-{int(day):02d}"
