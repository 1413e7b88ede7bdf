"""The words by which people say what will matter again: one table per language, all of one shape.

A table is data: to teach memctl a way of speaking, add a `Cue` to a language and a line to its test.
"""

from functools import cache
from importlib import import_module

from memctl.layers.cues.shape import Cue, Language

_MODULES = (
    "english",
    "chinese",
    "japanese",
    "korean",
    "german",
    "french",
    "italian",
    "spanish",
    "portuguese",
    "russian",
)


@cache
def language(name: str) -> Language:
    """Give the table of a language: its English name in small letters."""
    made: Language = import_module(f"{__name__}.{name}").LANGUAGE
    return made


def names() -> tuple[str, ...]:
    """Name the languages there are tables for."""
    return _MODULES


__all__ = ["Cue", "Language", "language", "names"]
