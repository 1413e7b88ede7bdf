"""Relative times in words ("yesterday", "by Friday", "上周五") made absolute by the time of their message.

A time that is not sure is none: "a few days ago", "前天" within "目前天气".
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

from memctl.layers.date_spans import month_named
from memctl.layers.date_words import RULES, Rule, other_language


@cache
def _pattern(language: int) -> re.Pattern[str]:
    """Give the pattern of the rules of a language by its place, made when a sentence of it first speaks of a time."""
    return re.compile(
        "|".join(f"(?P<r{number}>{rule.pattern})" for number, rule in enumerate(RULES[language][1])),
        re.IGNORECASE,
    )


_ABSOLUTE = re.compile(
    r"""(?P<iso>(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01]))(?!\d)
      | (?P<cjk>(?:(?P<cy>(?:19|20)\d\d)\s?[年년]\s?)?(?P<cm>1[0-2]|0?[1-9])\s?[月월]\s?(?P<cd>3[01]|[12]\d|0?[1-9])\s?[日号일])
      | \b(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)
        \.?\s(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b(?:,?\s(?P<y>(?:19|20)\d\d))?
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class When:
    """A time that a text names: its first and last day, and where the words end.

    pointing: the words ("yesterday", "下周") mean nothing without the day they were said; a weekday or the
    end of a month still says something.
    """

    first: str
    last: str
    end: int
    pointing: bool


def when(text: str, said: str | None, *, ahead: bool) -> When | None:
    """Find the first time that *text* names, relative ones from *said*, the ISO time of the message.

    *ahead*: the text speaks of what will be, so a bare weekday is the coming one. None when there is none,
    or a relative one and no time to count from.
    """
    today = _date(said)
    if today and (found := _relative(text, today, ahead=ahead)):
        return found
    named = _ABSOLUTE.search(text)
    day = _named(named, today, ahead=ahead) if named else None
    return When(day.isoformat(), day.isoformat(), named.end(), pointing=False) if named and day else None


def _date(said: str | None) -> date | None:
    try:
        return date.fromisoformat(said[:10]) if said else None
    except ValueError:
        return None


def _relative(text: str, today: date, *, ahead: bool) -> When | None:
    """Find the first relative time, of whatever language; of two at one place the longer."""
    lowered = text.lower()
    best: tuple[tuple[int, int], When] | None = None
    for language, (triggers, rules) in enumerate(RULES):
        if any(word in lowered for word in triggers):
            for found in _pattern(language).finditer(text):
                rule = rules[int((found.lastgroup or "r0")[1:])]
                place = found.start(), -found.end()
                if best is not None and place >= best[0]:
                    break
                span = None if _is_foreign(rule, text) else _span(rule, found[0], today, ahead=ahead)
                if span is not None:
                    first, last = (day.isoformat() for day in span)
                    best = place, When(first, last, found.end(), pointing=rule.pointing)
                    break
    return best[1] if best else None


def _is_foreign(rule: Rule, text: str) -> bool:
    return bool(rule.language) and other_language(text, rule.language)


def _span(rule: Rule, words: str, today: date, *, ahead: bool) -> tuple[date, date] | None:
    try:
        return rule.span(words.lower(), today, ahead)
    except (OverflowError, ValueError):  # beyond the calendar
        return None


def _named(found: re.Match[str], today: date | None, *, ahead: bool) -> date | None:
    """Read an absolute date; without its year it is the nearest in the direction the text looks."""
    try:
        if found["iso"]:
            year, month, day = (int(part) for part in re.split(r"[-/.]", found["iso"]))
            return date(year, month, day)
        month = int(found["cm"]) if found["cjk"] else month_named(found["name"])
        day = int(found["cd"] or found["d"])
        given = found["cy"] or found["y"]
        if given or today is None:
            return date(int(given), month, day) if given else None
        here = date(today.year, month, day)
        if ahead and here < today:
            return date(today.year + 1, month, day)
        return date(today.year - 1, month, day) if not ahead and here > today else here
    except ValueError:
        return None
