"""Which of what was found comes first: the ranks of both signals, and what a memory itself holds (DESIGN 6).

Two ranks alone would let near neighbours outvote the one memory that holds what was asked for.
"""

import re
from collections.abc import Mapping, Sequence

from memctl.index.documents import UPPER
from memctl.index.fuse import fuse
from memctl.index.lexical import Lexicon, Stored
from memctl.index.terms import every_term, query_terms

# Measured by tests/benchmarks/locomo.py; recall@10 is flat around them.
_SCORE = 0.2  # what a BM25 score weighs beside the fused ranks
_ALL = 0.8  # share of a question's weight from which on a memory holds what is asked
_SOME = 0.3  # share of it that a number in it must at least have a part in
_CLOSE = 0.75  # of the best BM25 score, which its own must come near
_NEIGHBOURS = 0.9  # of a memory that holds nothing of the question itself
_WRITTEN = 1.15  # of what was written to be remembered, over the talk it came from
_ECHO = 0.3  # of a message that says the question again, and no more
_LATER = 0.5  # of a message whose word was corrected later
_UNDERSTOOD = 0.5  # share of a question that must be known here for its words to count in full
_FALL = 4  # ... and how fast they count for less below
_LOOKS = 0.4  # of a step or sentence that only looks, when the question is how or why
_LOOKING = frozenset(("list", "read", "search"))
_ONE = re.compile(r"(?:[^.!?。！？；\n]|[.!?](?!\s|$))*[.!?。！？]?")  # a text of one sentence
_QUESTION = 3  # words from which on a question can be said again
_LONG = 400  # characters of a text that says more than that
_AGAIN = 0.6  # share of a question's weight that says it again
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def ranked(
    lexicon: Lexicon,
    rankings: Mapping[str, Sequence[int]],
    scores: Mapping[int, float],
    cosines: Mapping[int, float],
    weight: float,
) -> list[tuple[int, float]]:
    """Give the documents of both rankings with a score of 0 to 1, best first.

    What itself holds nearly all of a question, or all of its numbers and the like, stands above the rest, in
    the order of its scores; the rest in the order of its ranks. scores: BM25; weight: of the vectors. Words
    count for as much of the question as is known here at all: one known word of six tells less than meaning.
    """
    most, nearest = max(scores.values(), default=0.0), max(cosines.values(), default=0.0)
    idf = lexicon.idf
    total = sum(idf.values())
    known = min(1.0, (lexicon.known / _UNDERSTOOD) ** _FALL)
    total /= known
    found = fuse(rankings, {"words": known, "vectors": weight or 1e-9})
    held = lexicon.own([docnum for docnum, _ in found])
    shares: dict[int, float] = {}
    for term, docnums in held.items():
        for docnum in docnums if not _is_date(term) else ():
            shares[docnum] = shares.get(docnum, 0.0) + idf[term] / total
    exact = [docnums for term, docnums in held.items() if _is_exact(term)]
    to_the_letter = frozenset[int]().union(*exact).intersection(*exact)
    rows: list[tuple[int, float, bool]] = []
    for docnum, fused in found:
        words = scores.get(docnum, 0.0) / most if most else 0.0
        share = shares.get(docnum, 0.0)
        whole = share >= _ALL or (share >= _SOME and docnum in to_the_letter)
        whole &= words >= _CLOSE or len(idf) == 1  # a very long text holds every word
        if whole:
            near = max(0.0, cosines.get(docnum, 0.0)) / nearest if nearest > 0 else 0.0
            score = (words + weight * near) / (1 + weight)
        elif idf:
            score = (fused + _SCORE * known * words) / (1 + _SCORE * known) * (1.0 if share else _NEIGHBOURS)
        else:
            score = fused
        if lexicon.layers[docnum] < UPPER:
            score = min(1.0, score * _WRITTEN)
        rows.append((docnum, score, whole))
    if any(whole for _, _, whole in rows):
        rows = [(docnum, (score + whole) / 2, whole) for docnum, score, whole in rows]
    return sorted(((docnum, score) for docnum, score, _ in rows), key=lambda one: (-one[1], one[0]))


def _is_exact(term: str) -> bool:
    """Tell whether a term is meant to the letter: a number, a name with digits; a date is not."""
    return not _is_date(term) and any(map(str.isdigit, term))


def _is_date(term: str) -> bool:
    """Tell whether a term is a date: all that was said on a day has it."""
    return term.startswith("@") or _YEAR.fullmatch(term) is not None


def lowered(score: float, *, corrected: bool, echoes: bool, looks: bool) -> float:
    """Give the score of a message whose word was corrected later, that only says the question again, or looks."""
    return score * (_LATER if corrected else 1.0) * (_ECHO if echoes else 1.0) * (_LOOKS if looks else 1.0)


def only_looks(found: Stored) -> bool:
    """Tell whether a hit only looks for something or says that it will: how and why it does not say."""
    if found.layer == "entry":
        return found.kind in _LOOKING and not _concludes(found.text)
    text = found.text.rstrip()
    if found.layer != "message" or len(text) > _LONG:
        return False
    return _ONE.fullmatch(text) is not None and text.endswith((":", "："))


def _concludes(summary: str) -> bool:
    """Tell whether a call's summary begins with what the agent concluded from it; it comes before the facts."""
    from memctl.summarize.conclusions import conclusion  # only where it is asked how

    return summary.endswith(")") and bool(conclusion(summary.partition(" (")[0]))


def repeats(text: str, idf: Mapping[str, float]) -> bool:
    """Tell whether a text only says a question again: it adds no word, or asks it with a word or two more."""
    if len(idf) < _QUESTION or len(text) > _LONG:
        return False
    said = query_terms(text)
    both = [term for term in said if term in idf]
    more = 2 if text.rstrip().endswith(("?", "？")) else 0
    return len(said) - len(both) <= more and sum(map(idf.__getitem__, both)) >= _AGAIN * sum(idf.values())


def says_little(text: str, least: int) -> bool:
    """Tell whether a text has too few words for its vector to mean anything: "Ok" is near everything."""
    return len(every_term(text[:300])) < least
