"""Which nodes a query names: by name, by kind, by the words of names and relations (DESIGN 6, 2.7)."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, AnyStr

from memctl.graph import vocabulary
from memctl.graph.current import Graph

if TYPE_CHECKING:  # small graphs need none
    from memctl.graph.packed import Packed

Terms = Callable[[str], Sequence[str]]  # text to search terms, as the index has them

_SEPARATORS = re.compile("[,，、;；\n]")
_MOST_KEYWORDS = 40
_MOST_NODES = 2000  # candidates that are looked at closely
_MOST_OF_KIND = 12  # nodes that a kind alone names
_MOST_OF_RELATION = 200  # edges that a relation alone names, the newest

_LONGEST_WORD = 2000  # characters of a keyword whose parts are looked up as names
_LONGEST_PART = 64  # ... of such a part
_LEAST = 0.3  # of a keyword's terms must be in a name

EXACT, KIND, ALL_WORDS, WITHIN, RELATION = 4.0, 3.0, 2.0, 1.5, 1.0


def keywords(query: str) -> list[str]:
    """Cut a query at its commas, as TrulyMEM writes them; one without commas is one keyword."""
    found = (" ".join(piece.split()) for piece in _SEPARATORS.split(query[:10_000]))
    return list(dict.fromkeys(word for word in found if word))[:_MOST_KEYWORDS]


def match(
    graph: Graph, words: Sequence[str], fold: Callable[[str], str], terms: Terms, asked: Terms
) -> dict[str, float]:
    """Give the nodes that the keywords name, with how well: the best match of each keyword, added up.

    fold: writes text in one width and without accents. terms, asked: the terms of a name, and those that a
    keyword is looked up by. In linear time: all names are looked through at once
    for the words, and only those that hold one are looked at closely.
    """
    scores: dict[str, float] = defaultdict(float)
    names = list(dict.fromkeys(name for edge in graph.edges for name in (edge[0], edge[2])))
    wanted = [_Wanted(word, fold(word).lower(), frozenset(asked(word))) for word in words]
    listed = _candidates(names, wanted, fold)
    if graph.packed is not None:
        listed = list(dict.fromkeys((*_packed_candidates(graph.packed, wanted), *listed)))
    for name in listed:
        folded, held = fold(name).lower(), frozenset(terms(name))
        for one in wanted:
            scores[name] += one.score(folded, held)
    _by_kind(graph, words, scores)
    _by_relation(graph, wanted, fold, terms, scores)
    return {name: score for name, score in scores.items() if score > 0}


class _Wanted:
    """A keyword with what it is recognised by."""

    def __init__(self, word: str, folded: str, terms: frozenset[str]) -> None:
        self.word, self.folded, self.terms = word, folded, terms
        self.kind = vocabulary.kind_asked(word)  # such a word means all of a kind, not a word in names
        self.phrase = len(folded) >= (4 if folded.isascii() else 2)

    def score(self, folded: str, held: frozenset[str]) -> float:
        """Say how well a name fits."""
        if folded == self.folded:
            return EXACT
        if not self.terms or self.kind is not None:
            return 0.0
        share = len(self.terms & held) / len(self.terms)
        if share == 1:
            return ALL_WORDS
        named = held <= self.terms if folded.isascii() else len(folded) >= 2 and folded in self.folded
        if (self.phrase and self.folded in folded) or (named and held):
            return WITHIN
        return share if share >= _LEAST else 0.0


def _candidates(names: Sequence[str], wanted: Sequence[_Wanted], fold: Callable[[str], str]) -> list[str]:
    """Give the names that hold a word of a keyword, in their order."""
    needles = _needles(wanted)
    if not needles or not names:
        return []
    whole = "\n".join(name.replace("\n", " ") for name in names)
    lines = fold(whole).lower().split("\n")
    if len(lines) != len(names):  # folding made or took a line
        lines = [fold(name).lower() for name in names]
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    found = _holding("\n".join(lines), starts, needles)
    longest = max(len(one.folded) for one in wanted)
    short = [
        place
        for place, line in enumerate(lines)
        if 2 <= len(line) < longest and any(line in one.folded for one in wanted)
    ]
    return [names[place] for place in dict.fromkeys((*found, *short[:_MOST_NODES])) if place < len(names)]


def _packed_candidates(packed: "Packed", wanted: list["_Wanted"]) -> list[str]:
    """Give the same of the names of a packed graph, of short ones those that are a part of a keyword."""
    needles = [needle.encode("utf-8", "surrogatepass") for needle in _needles(wanted)]
    found = _holding(packed.text, packed.lines, needles)
    parts = {
        one.folded[at : at + size]
        for one in wanted
        for at in range(min(len(one.folded), _LONGEST_WORD))
        for size in range(2, _LONGEST_PART)
        if at + size <= len(one.folded)
    }
    short = packed.places_of_lines(sorted(parts))[:_MOST_NODES]
    return [packed.name(place) for place in dict.fromkeys((*found, *short)) if packed.holds(place)]


def _needles(wanted: Sequence["_Wanted"]) -> list[str]:
    return sorted(
        {needle for one in wanted for needle in (one.folded, *one.terms, *one.folded.split()) if needle}
    )


def _holding(text: AnyStr, starts: Sequence[int], needles: Sequence[AnyStr]) -> list[int]:
    """Give the lines of *text* that hold one of *needles*, the first so many. starts: where lines begin."""
    found: set[int] = set()
    for needle in needles:
        at = left = 0
        while left < _MOST_NODES and (hit := text.find(needle, at)) >= 0:
            place = bisect_right(starts, hit) - 1
            found.add(place)
            at, left = starts[place + 1], left + 1
    return sorted(found)[:_MOST_NODES]


def _by_kind(graph: Graph, words: Sequence[str], scores: dict[str, float]) -> None:
    asked = {kind for word in words if (kind := vocabulary.kind_asked(word)) is not None}
    ranked = [task.id for task in graph.tasks] if "TaskNode" in asked else []
    for kind in sorted(asked - {"TaskNode"}):
        ranked += graph.of_kind(kind, _MOST_OF_KIND)
    for place, name in enumerate(ranked[: _MOST_OF_KIND * max(len(asked), 1)]):
        scores[name] += KIND - place / 100  # tasks come by need, and keep that order


def _by_relation(
    graph: Graph,
    wanted: Sequence[_Wanted],
    fold: Callable[[str], str],
    terms: Terms,
    scores: dict[str, float],
) -> None:
    packed = graph.packed
    relations = dict.fromkeys((*(packed.relations if packed else ()), *(edge[1] for edge in graph.edges)))
    named: dict[str, float] = {}
    for relation in relations:
        folded, held = fold(relation).lower(), frozenset(terms(relation))
        best = max((one.score(folded, held) for one in wanted), default=0.0)
        if best >= 1:
            named[relation] = RELATION * best / EXACT
    if not named:
        return
    ends = (edge[:3] for edge in reversed(graph.edges) if edge[1] in named)
    older = map(packed.ends, packed.of_relations(named, _MOST_OF_RELATION)) if packed else ()
    for subject, relation, _ in islice(chain(ends, older), _MOST_OF_RELATION):
        scores[subject] += named[relation]
