"""What can be found: one `Document` for each piece of memory, with the words it is found by.

A message is found by its own words and, for less, by those of its neighbours: the question before it,
what was said next (DESIGN 6).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from memctl.index.terms import terms
from memctl.text.names import short_hash

Layer = Literal["persona", "scene", "atom", "canvas", "entry", "message"]
LAYERS: tuple[Layer, ...] = get_args(Layer)  # from the top down, the order in which hits are printed
UPPER = LAYERS.index("canvas")  # the number of layers that were written to be remembered: the first ones

# What the words (and vectors) of neighbours count beside a message's own, nearest first. A question
# stands before its answer, so what comes before counts more. Measured by tests/benchmarks/locomo.py.
BEFORE = (0.7, 0.4)
AFTER = (0.5, 0.3)

_TITLE = 1.0  # words of a title count twice where they also stand in the text
STEP = 2**-12  # of a term's weight; an odd number of half steps says that only neighbours hold the term
_SEARCHED = 100_000  # characters of one text that are looked at; more was pasted, and its head names it


@dataclass(frozen=True, slots=True)
class Speech:
    """The text of a message that was said, and its terms, so that neighbours need not cut it again."""

    text: str
    terms: Mapping[str, int]


@dataclass(frozen=True)
class Document:
    """One piece of memory that can be found.

    key: unique among all documents. id: what `memctl drill` takes.
    path: of the plain file, relative to the scope's root, forward slashes; line: from 1, 0 for the whole.
    text: what is shown, and with title what is searched. names: more text to be found by, never shown.
    time: ISO 8601. evidence: ids that lead on: sources, node, ref.
    before, after: neighbours of a message, nearest first. corrects: the messages, as (session, id), whose
    word an atom has replaced. kind: of a call, as its entry has it.
    """

    key: str
    id: str
    layer: Layer
    text: str
    path: str
    line: int = 0
    title: str = ""
    names: str = ""
    session: str = ""
    time: str | None = None
    evidence: tuple[str, ...] = ()
    role: str = ""
    before: tuple[Speech, ...] = ()
    after: tuple[Speech, ...] = ()
    corrects: tuple[tuple[str, str], ...] = ()
    kind: str = ""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that is indexed or stored."""
        shown = (self.key, self.id, self.layer, self.text, self.path, self.line, self.title, self.names)
        more = (self.session, self.time, self.evidence, self.role, self.corrects, self.kind)
        return short_hash(20, shown, more, [one.text for one in (*self.before, *self.after)])

    @cached_property
    def weights(self) -> dict[str, float]:
        """The terms it is found by, each with its weight: how often it occurs, in parts for neighbours."""
        counted = Counter[str](terms(self.text[:_SEARCHED]))
        weights: dict[str, float] = dict(counted)
        for term, count in Counter(terms(f"{self.title}\n{self.names}")).items():
            weights[term] = weights.get(term, 0.0) + _TITLE * count
        if self.time:
            for term in terms(self.time[:10]):
                if term.startswith("@") or len(term) == 4:  # the dates and the year
                    weights[term] = weights.get(term, 0.0) + 1.0
        own = frozenset(weights)
        for neighbours, factors in ((self.before, BEFORE), (self.after, AFTER)):
            for neighbour, factor in zip(neighbours, factors, strict=False):
                for term, count in neighbour.terms.items():
                    weights[term] = weights.get(term, 0.0) + factor * count
        if self.before or self.after:
            for term, weight in weights.items():
                weights[term] = round(weight / STEP) * STEP + (0.0 if term in own else STEP / 2)
        return weights

    @cached_property
    def size(self) -> float:
        """The sum of its weights, as it would be with a neighbour in every place.

        Else the first and last message of a session would look short, and what stands beside them be found
        before what holds the words itself.
        """
        total = sum(self.weights.values())
        if not self.before and not self.after:
            return total
        sides = ((self.before, BEFORE), (self.after, AFTER))
        there = sum(sum(factors[: len(neighbours)]) for neighbours, factors in sides)
        shares = [
            factor * sum(neighbour.terms.values())
            for neighbours, factors in sides
            for neighbour, factor in zip(neighbours, factors, strict=False)
        ]
        return total + sum(shares) * (sum(BEFORE) + sum(AFTER) - there) / there


def speech(text: str) -> Speech:
    """Cut a message's text into terms once."""
    return Speech(text, Counter(terms(text[:_SEARCHED])))
