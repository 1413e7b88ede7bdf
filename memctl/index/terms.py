"""Text to search terms: words with English stemming, the parts of identifiers and paths, CJK bigrams, dates.

The same function serves documents and queries, so that whatever can be typed can be found (DESIGN 6).
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from memctl.index import closed_classes
from memctl.index.dates import date_terms

# Scripts written without spaces: kana, Han, Hangul (particles stick to its words), Thai, Lao, Khmer, Burmese.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_PIECE = re.compile(
    rf"(?P<dense>[{_DENSE}]+)"
    r"|(?P<symbol>[\u2600-\u27bf\U0001f300-\U0001faff])"
    r"|(?P<sharp>\b[A-Za-z](?:\+\+|#)(?!\w))"
    # A word with what joins the parts of identifiers, paths and versions; marks belong to Indic letters.
    rf"|(?P<word>(?:(?![{_DENSE}])[\w\u0900-\u0dff])+(?:[.:/\\'’@-](?:(?![{_DENSE}])[\w\u0900-\u0dff])+)*)"
)
_MARKS = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff\ufe0f]")
_JOINTS = re.compile(r"[.:/\\'’@-]")
_CONTRACTION = re.compile(r"['’](?:s|t|re|ve|ll|d|m)\Z")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+")
_PLAIN = re.compile(r"[a-z]+|[A-Z][a-z]*|[^\x00-\x7f]+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")

# Words that say how a question is put, not what it is about. Never looked up, never stored.
_STOP = frozenset(
    """
    a about again all also am an and any are aren as at be because been being both but by can cannot
    could couldn did didn do does doesn doing don down each either else for from had hadn has hasn
    have haven having he her here hers herself him himself his how i if in into is isn it its itself
    just ll me might more most much must my myself no nor not of off on once only or other our ours
    ourselves out over own please re same shall she should shouldn so some such than that the their
    theirs them themselves then there these they this those through to too under until up upon us ve
    very was wasn we were weren what when where which while who whom whose why will with would
    wouldn yes yet you your yours yourself yourselves
    """.split()
)


def terms(text: str) -> list[str]:
    """Give the search terms of *text* in order, repeated as often as they occur.

    Width, case and accents do not count. A run of CJK gives its single characters and its overlapping pairs.
    """
    folded = fold(text)
    found: list[str] = []
    for match in _PIECE.finditer(folded):
        if dense := match["dense"]:
            found += dense
            found += _pairs(dense)
        else:
            found += _word_terms(match)
    found += date_terms(folded)
    return found


def query_terms(text: str) -> list[str]:
    """Give the terms a question is looked up by, each once, in order.

    A CJK run of two characters or more is looked up by its pairs; single characters are for questions of one
    and for what stands alone between words of closed classes, which say nothing of what is asked.
    """
    folded = fold(text)
    idle = _idle(folded)
    found: list[str] = []
    for match in _PIECE.finditer(folded):
        if dense := match["dense"]:
            found += closed_classes.pairs(dense)
        else:
            found += (term for term in _word_terms(match) if term not in idle)
    found += date_terms(folded)
    return list(dict.fromkeys(found))


def _idle(text: str) -> frozenset[str]:
    """Give the terms that say nothing in a question of a language other than English."""
    return frozenset(map(stem, closed_classes.foreign(text, _STOP)))


def every_term(text: str) -> list[str]:
    """Give the terms of a text as `query_terms` does, words of closed classes in CJK runs among them."""
    folded = fold(text)
    found: list[str] = []
    for match in _PIECE.finditer(folded):
        if dense := match["dense"]:
            found += _pairs(dense) if len(dense) > 1 else [dense]
        else:
            found += _word_terms(match)
    found += date_terms(folded)
    return list(dict.fromkeys(found))


def fold(text: str) -> str:
    """Write *text* in one width and without accents and invisible characters; case is kept."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))


def _pairs(dense: str) -> Iterator[str]:
    return (dense[at : at + 2] for at in range(len(dense) - 1))


def _word_terms(match: re.Match[str]) -> Iterator[str]:
    word = match["word"]
    if word is None:
        yield match[0].lower()
    elif _PLAIN.fullmatch(word):
        if (lower := word.lower()) not in _STOP:
            yield stem(lower)
    else:
        yield from _compound(word)


def _compound(word: str) -> Iterator[str]:
    """Give the parts of an identifier, path, version or contraction, and its names as a whole."""
    if ordinal := _ORDINAL.fullmatch(word):
        yield ordinal[1]
        return
    word = _CONTRACTION.sub("", word)
    names = [name.strip("_") for name in _JOINTS.split(word)]
    for name in names:
        parts = [part.lower() for part in _PARTS.findall(name)]
        if len(parts) > 1:
            yield name.lower()
        for part in parts:
            if part not in _STOP and (len(part) > 1 or len(parts) == 1 or part.isdigit()):
                yield stem(part)
    if "." in word:  # core.py, module.function, 3.11.2: also the last two names as they stand
        dotted = _JOINTS.sub(".", word).lower().split(".")
        yield ".".join(dotted[-2:])
        if len(dotted) > 2 and all(name.isdigit() for name in dotted):
            yield ".".join(dotted)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Give the stem of an English word; other words stay as they are."""
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    from whoosh.lang.porter import stem as porter

    return str(porter(word))  # type: ignore[no-untyped-call]  # whoosh is typed in part
