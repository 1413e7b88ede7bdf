"""Results that are one number: what `wc` or `grep -c` counted."""

from memctl.summarize.essence import FINDERS
from memctl.summarize.outcomes import Outcome
from memctl.summarize.requests import Request
from memctl.summarize.shell import Simple
from memctl.text.numbers import how_many, whole

_LONGEST = 12  # digits of a count
_UNITS = {"c": "byte", "m": "character", "w": "word", "l": "line"}
_ENTRIES = frozenset(["ls", "dir", "exa", "eza"])


def counted(request: Request, kind: str, outcome: Outcome) -> str:
    """Say what a command line counted, and how many (`3 entries`); "" when its result is no count."""
    number, _, name = outcome.text.strip().partition(" ")
    if outcome.broke or not number.isdecimal() or len(number) > _LONGEST:
        return ""
    main, words = request.line.main, request.line.words
    last = next((part for part in request.parts if part.program == "wc"), None)
    if name and (last is None or name not in last.operands):
        return ""
    if last is not None:
        unit = _unit(last)
        noun, plural = _lines_of(words, kind) if unit == "line" and last is not main else (unit, "")
    elif kind == "search" and ("--count" in words or _has_flag(words, "c")):
        noun, plural = "match", "matches"
    else:
        return ""
    return how_many(whole(number), noun, plural)


def _unit(counter: Simple) -> str:
    """Give what `wc` counts: lines, where nothing else is asked for."""
    return next((unit for flag, unit in _UNITS.items() if _has_flag(counter.words, flag)), "line")


def _lines_of(words: tuple[str, ...], kind: str) -> tuple[str, str]:
    """Name the lines that a command prints, one and many."""
    if kind == "list" and words[0] in _ENTRIES and not _has_flag(words, "l") and not _has_flag(words, "R"):
        return "entry", "entries"
    if kind == "search":
        files = words[0] in FINDERS or _has_flag(words, "l") or "--files-with-matches" in words
        return ("file", "") if files else ("match", "matches")
    return "line", ""


def _has_flag(words: tuple[str, ...], flag: str) -> bool:
    return any(word[:1] == "-" != word[1:2] and flag in word for word in words[1:])
