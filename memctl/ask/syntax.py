"""`recall --syntax`: a question in Whoosh's query language, as what must hold of a memory (DESIGN 6).

Words are looked for in a memory's own text, not in that of its neighbours; the fields are layer, session
and day. Whoosh reads the language leniently; what it would pass over in silence is an error here.
"""

import fnmatch
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from memctl.errors import UsageError
from memctl.index.documents import LAYERS
from memctl.index.lexical import Lexicon, Stored
from memctl.index.terms import every_term, fold, terms

FIELDS = ("layer", "session", "day")
Holds = Callable[[int, Stored], bool]

_WORDS = "terms"
_OPERATORS = ("AND", "OR", "NOT", "ANDNOT", "ANDMAYBE", "REQUIRE")
_TWICE = re.compile(rf"\b(?:AND|OR|{'|'.join(_OPERATORS[3:])})\s+(?:AND|OR|{'|'.join(_OPERATORS[3:])})\b")
_EXPANDED = 200  # words that a pattern with * or ? is ranked by
_DAY = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_LONGEST = 20_000  # characters of a question
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was read: what must hold, and by which terms its memories are ranked, each with its boost.

    said: the words alone, for the vectors. all: memories may match without holding one of the terms.
    """

    tree: Any
    boosts: Mapping[str, float]
    patterns: tuple[str, ...]
    said: str
    all: bool


def parse(text: str) -> Asked:
    """Read a question; raises UsageError for what is not the language."""
    from whoosh.qparser.default import QueryParser

    if len(text) > _LONGEST:
        raise UsageError(
            f"--syntax takes questions of at most {_LONGEST:,} characters; this one has {len(text):,}"
        )
    _refuse_open(text)
    if _TWICE.search(text):
        raise UsageError(f"--syntax: two operators side by side in {text!r}")
    parser: Any = QueryParser(_WORDS, None)
    try:
        tree = parser.parse(text)
    except Exception as error:  # whatever whoosh's parser raises, the question was at fault
        raise UsageError(f"--syntax: cannot read {text!r}: {error}") from error
    boosts: dict[str, float] = {}
    said: list[str] = []
    patterns: list[str] = []
    for leaf, wanted in _leaves(tree, wanted=True):
        _check(leaf)
        if leaf.field() != _WORDS or not wanted:
            continue
        kind = type(leaf).__name__
        if kind in ("Prefix", "Wildcard"):
            patterns.append(_pattern(leaf))
        elif kind in ("Term", "Phrase"):
            words = leaf.text if kind == "Term" else " ".join(leaf.words)
            said.append(words)
            for term in every_term(words):
                boosts[term] = max(boosts.get(term, 0.0), leaf.boost)
    if not any(_is_about_something(leaf) for leaf, _ in _leaves(tree, wanted=True)):
        raise UsageError(f"--syntax: {text!r} searches for nothing")
    return Asked(tree, boosts, tuple(patterns), " ".join(said), bool(patterns) or not boosts)


def ranking(asked: Asked, lexicon: Lexicon) -> dict[str, float]:
    """Give the terms to rank by with their boosts: those of the question, and words that fit its patterns."""
    found = dict(asked.boosts)
    for pattern in asked.patterns:
        start = re.split(r"[*?]", pattern, maxsplit=1)[0]
        if start:
            for term in lexicon.values(_WORDS, start):
                if not term.startswith(start) or len(found) >= _EXPANDED:
                    break
                if fnmatch.fnmatchcase(term, _literal(pattern)):
                    found.setdefault(term, 1.0)
    return found


def holds(asked: Asked, lexicon: Lexicon) -> Holds:
    """Give what tells whether a document, by its number and what is kept of it, is asked for."""
    return _holds(asked.tree, lexicon)


# --------------------------------------------------------------------------- what is refused


def _refuse_open(text: str) -> None:
    """Refuse quotes and brackets without their other half."""
    bare = re.sub(r'"[^"]*"', " ", text)
    if '"' in bare:
        raise UsageError(f"--syntax: a quotation mark is not closed in {text!r}")
    depth = 0
    for one in bare:
        depth += (one == "(") - (one == ")")
        if depth < 0:
            break
    if depth:
        raise UsageError(
            f"--syntax: a parenthesis is not closed, or closed without being opened, in {text!r}"
        )


def _check(leaf: Any) -> None:
    kind, field = type(leaf).__name__, leaf.field()
    if kind not in _LEAVES:
        raise UsageError(f"--syntax: {kind} is not supported")
    if field not in (_WORDS, *FIELDS):
        raise UsageError(
            f"--syntax: no field {field!r}; choose from {', '.join(FIELDS)}, "
            "or put text with a colon in quotation marks"
        )
    if kind == "TermRange" and field != "day":
        raise UsageError("--syntax: only day takes a range: day:[2026-04-01 TO 2026-04-30]")
    if field == "day":
        ends = (leaf.start, leaf.end) if kind == "TermRange" else (leaf.text,) if kind == "Term" else ()
        for end in filter(None, ends):
            if not _DAY.fullmatch(end) and not end.startswith(("[", "{")):
                raise UsageError(f"--syntax: day takes ISO dates (2026-04-01, 2026-04, 2026), not {end!r}")
    if kind == "Phrase" and leaf.slop != 1:
        raise UsageError("--syntax: ~N after a phrase is not supported")
    if kind == "Term" and leaf.text.startswith(("[", "{")):
        raise UsageError("--syntax: write a range as day:[2026-04-01 TO 2026-04-30]")
    if kind == "Term" and field == _WORDS and leaf.text in _OPERATORS:
        raise UsageError(f"--syntax: {leaf.text} needs an operand on both sides")
    if kind == "Term" and field == "layer" and leaf.text not in LAYERS:
        raise UsageError(f"--syntax: no layer {leaf.text!r}; choose from {', '.join(LAYERS)}")


def _is_about_something(leaf: Any) -> bool:
    """Tell whether a leaf looks for anything: `the` alone does not."""
    return type(leaf).__name__ != "Term" or leaf.field() != _WORDS or bool(every_term(leaf.text))


def _leaves(tree: Any, *, wanted: bool) -> Iterator[tuple[Any, bool]]:
    """Give the leaves of a question, each with whether it is looked for, not kept out."""
    kind = type(tree).__name__
    if kind in ("And", "Or", "AndMaybe", "Require"):
        for child in tree.children():
            yield from _leaves(child, wanted=wanted)
    elif kind == "Not":
        yield from _leaves(tree.query, wanted=not wanted)
    elif kind == "AndNot":
        yield from _leaves(tree.a, wanted=wanted)
        yield from _leaves(tree.b, wanted=not wanted)
    elif kind != "_NullQuery":
        yield tree, wanted


# --------------------------------------------------------------------------- what holds


def _holds(tree: Any, lexicon: Lexicon) -> Holds:
    kind = type(tree).__name__
    if kind in ("And", "Or", "Require"):
        parts = [_holds(child, lexicon) for child in tree.children() if type(child).__name__ != "_NullQuery"]
        every = any if kind == "Or" else all
        return lambda docnum, found: every(part(docnum, found) for part in parts)
    if kind == "Not":
        inner = _holds(tree.query, lexicon)
        return lambda docnum, found: not inner(docnum, found)
    if kind in ("AndNot", "AndMaybe"):
        first, second = _holds(tree.a, lexicon), _holds(tree.b, lexicon)
        if kind == "AndMaybe":
            return first
        return lambda docnum, found: first(docnum, found) and not second(docnum, found)
    return _LEAVES[kind](tree, lexicon)


def _term(leaf: Any, lexicon: Lexicon) -> Holds:
    if leaf.field() != _WORDS:
        return partial(_begins, leaf.field(), leaf.text)
    wanted = every_term(leaf.text)
    there = [frozenset(lexicon.with_value(_WORDS, term)) for term in wanted]

    def held(docnum: int, found: Stored) -> bool:
        if not all(docnum in one for one in there):
            return False
        # A message is indexed with its neighbours' words; only its own count here.
        return found.layer != "message" or set(wanted) <= set(
            terms(f"{_own(found)}\n{(found.time or '')[:10]}")
        )

    return held


def _phrase(leaf: Any, _lexicon: Lexicon) -> Holds:
    wanted = _flat(" ".join(leaf.words))
    if leaf.field() != _WORDS:
        return partial(_begins, leaf.field(), " ".join(leaf.words))
    if not wanted.isascii():  # scripts without spaces have no word to begin and end with
        wanted = wanted.strip()
    return lambda _docnum, found: wanted in _flat(_own(found))


def _wild(leaf: Any, _lexicon: Lexicon) -> Holds:
    pattern, field = _literal(_pattern(leaf)), leaf.field()
    if field != _WORDS:
        return lambda _docnum, found: fnmatch.fnmatchcase(_value(field, found).lower(), pattern)

    def held(_docnum: int, found: Stored) -> bool:
        text = fold(_own(found)).lower()
        return any(fnmatch.fnmatchcase(word, pattern) for word in {*text.split(), *_WORD.findall(text)})

    return held


def _range(leaf: Any, _lexicon: Lexicon) -> Holds:
    low, high = leaf.start or "", leaf.end or ""

    def held(_docnum: int, found: Stored) -> bool:
        day = _value("day", found)
        above = not low or day[: len(low)] > low or (not leaf.startexcl and day[: len(low)] == low)
        below = not high or day[: len(high)] < high or (not leaf.endexcl and day[: len(high)] == high)
        return bool(day) and above and below

    return held


_LEAVES: Mapping[str, Callable[[Any, Lexicon], Holds]] = {
    "Term": _term,
    "Phrase": _phrase,
    "Prefix": _wild,
    "Wildcard": _wild,
    "TermRange": _range,
    "Every": lambda _leaf, _lexicon: lambda _docnum, _found: True,
}


def _begins(field: str, start: str, _docnum: int, found: Stored) -> bool:
    return _value(field, found).startswith(start)


def _value(field: str, found: Stored) -> str:
    return {"layer": found.layer, "session": found.session, "day": (found.time or "")[:10]}[field]


def _own(found: Stored) -> str:
    return f"{found.title}\n{found.text}"


def _flat(text: str) -> str:
    return f" {' '.join(_WORD.findall(fold(text).lower()))} "


def _pattern(leaf: Any) -> str:
    """Write a pattern as one of * and ?, in lower case as what it is compared with."""
    return fold(leaf.text).lower() + ("*" if type(leaf).__name__ == "Prefix" else "")


def _literal(pattern: str) -> str:
    return pattern.replace("[", "[[]")
