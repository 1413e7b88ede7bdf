"""Whether what a model says is in what it was shown: its names and numbers, and its words (DESIGN 5)."""

import re
import unicodedata

from memctl.layers.likeness import words

# What a model makes up most harmfully: numbers, dates, paths, identifiers.
_EXACT = re.compile(r"[A-Za-z0-9_][\w./:@+-]*[A-Za-z0-9_]|\d+")
_PART = re.compile(r"[^\W_]+")


def unfounded(said: str, shown: str, most: int = 3) -> list[str]:
    """Give the numbers, paths and identifiers of *said* that stand nowhere in *shown*, at most *most*.

    A plain word may be a paraphrase and passes; so do numbers of one digit, which count.
    """
    seen = _folded(shown)
    found: list[str] = []
    for match in _EXACT.finditer(unicodedata.normalize("NFKC", said)):
        name = match[0].rstrip(".:")
        if _is_exact(name) and name.lower() not in seen and not _pieces_stand(name, seen):
            found.append(name)
            if len(found) == most:
                break
    return found


def share(said: str, shown: str) -> float:
    """Give the part of the content words of *said* that stand in *shown*: 1 for all of them."""
    ours = words(said)
    theirs = set(words(shown))
    return sum(_stands(word, theirs) for word in ours) / len(ours) if ours else 0.0


def _stands(word: str, theirs: set[str]) -> bool:
    """Tell whether a word stands there, also with another ending (prefers, preferred)."""
    if word in theirs:
        return True
    stem = word[: max(4, len(word) - 3)]
    return len(word) > 4 and word.isascii() and any(other.startswith(stem) for other in theirs)


def _is_exact(name: str) -> bool:
    digits = sum(char.isdigit() for char in name)
    if digits:
        return len(name) > 1
    return any(char in name for char in "_/@") or ("." in name and len(name) > 4)


def _pieces_stand(name: str, seen: str) -> bool:
    """Tell whether the parts of a name all stand there: `2026-03-01` of a time, `auth.py:14` of a trace."""
    pieces = _PART.findall(name.lower())
    return len(pieces) > 1 and all(piece in seen for piece in pieces)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().replace("\\/", "/")
