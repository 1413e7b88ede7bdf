"""recall: the memories of all layers that a question is about, best first (DESIGN 6)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from memctl.ask import ranking
from memctl.ask.passages import PASSAGE, passage
from memctl.ask.since import at_or_after, moment
from memctl.errors import MemctlError, NotFoundError, UsageError
from memctl.index import embedders, refresh
from memctl.index.closed_classes import asks_what_came
from memctl.index.documents import LAYERS, UPPER, Layer
from memctl.index.embedders import Embedder, EmbedderError
from memctl.index.lexical import Lexicon, Stored, message_id
from memctl.index.refresh import Opened, Progress, Say
from memctl.index.terms import fold, query_terms
from memctl.store import Store, atoms
from memctl.text.instructions import reads_like_an_instruction
from memctl.text.widths import printable

if TYPE_CHECKING:  # start-up is a feature
    from memctl.ask.syntax import Holds

Mode = Literal["hybrid", "bm25", "vector"]
Signal = Literal["words", "vectors"]

_POOL = 300  # ranks of each signal that are fused, at least; deeper ones weigh next to nothing
_LONGEST = 20_000  # characters of a question that are looked at, and
_TERMS = 300  # different words: more would take long and tell no more
# Cosine that is asked for when no word of a question is known: talk is full of texts that are near anything.
_ALONE, _ONE_WORD = 0.5, 0.6
_LATIN = "\u024f"  # the last letter of Latin scripts
_WORDS = 3  # different words that a text must have to be found by its meaning alone; an atom needs fewer
_LOWERED = 30  # hits beyond those asked for among which one that comes later may take the place of another
_SHORT = 40  # letters up to which the same text may stand in an answer twice
_LOOKED_AT = 500  # messages of a session among which one is looked for
_EVIDENCE = 4  # ids of what a memory came from that are looked at
_READS_THE_INDEX = ("whoosh", "faiss", "memctl.index.lexical", "memctl.index.vectors", "memctl.index.scoring")
_LETTERS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Query:
    """A question. most: hits at most. layers: () for all. since: ISO date or time, "" for any.

    session: an id or its first letters. min_score: 0 to 1, where 1 is first in every signal.
    explain: also find out which of its terms each hit holds. syntax: text is in Whoosh's query language.
    """

    text: str
    most: int = 10
    layers: tuple[Layer, ...] = ()
    since: str = ""
    session: str = ""
    min_score: float = 0.0
    explain: bool = False
    syntax: bool = False


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit is one: its rank among the words and the vectors (from 1, None when it is in none)."""

    words_rank: int | None = None
    words_score: float | None = None
    terms: tuple[str, ...] = ()  # only when asked for
    vectors_rank: int | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that a question is about. *text* is the passage shown, on one line; *rank* counts from 1.

    suspect: its text, or the message it came from, reads like an instruction to a model.
    corrected: the atoms that say it otherwise since.
    """

    rank: int
    score: float
    found: Stored
    text: str
    suspect: bool
    corrected: tuple[str, ...] = ()
    why: Why = field(default_factory=Why)


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of one question, best first, and the signals that ran."""

    question: str
    hits: tuple[Hit, ...]
    signals: tuple[Signal, ...]


def _is_damage(error: Exception) -> bool:
    """Tell an exception that came out of reading the index's files from a bug of what is made of them.

    Flipped bits raise nearly anything (tried: 17 kinds, TypeError and MemoryError among them), so it is told by
    where it comes from.
    """
    at = error.__traceback__
    while at is not None:
        if str(at.tb_frame.f_globals.get("__name__")).startswith(_READS_THE_INDEX):
            return True
        at = at.tb_next
    return False


class Recall:
    """An index opened for questions; the parts a mode does not need are never loaded."""

    def __init__(self, store: Store, mode: Mode, say: Say, progress: Progress = refresh.unseen) -> None:
        self._store, self._mode, self._progress = store, mode, progress
        self._said: set[str] = set()
        self._told = say
        self._silent = ""  # why the embedder is asked no more
        self._vectors: Any = None
        self._embedder: Embedder | None = None
        self._open(refresh.opened(store, self._say, progress))

    def ask(self, query: Query) -> Answer:
        """Answer a question; an index that turns out to be damaged is built anew, once."""
        try:
            return self._answer(query)
        except MemctlError:
            raise
        except Exception as error:
            if not _is_damage(error):
                raise
            self._open(self._rebuilt(error))
            return self._answer(query)

    def _say(self, text: str) -> None:
        self._said.add(text)
        self._told(text)

    def _open(self, found: Opened) -> None:
        self._vectors = self._embedder = None
        self._opened = found
        try:
            self._lexicon = Lexicon(found.folder)
        except Exception as error:
            if not _is_damage(error):
                raise
            replaced = not found.folder.exists()  # by another process, just now
            again = (
                refresh.opened(self._store, self._say, self._progress) if replaced else self._rebuilt(error)
            )
            self._opened = found = again
            self._lexicon = Lexicon(found.folder)

    def _rebuilt(self, error: Exception) -> Opened:
        return refresh.rebuilt(self._store, self._say, self._progress, f"{type(error).__name__}: {error}")

    # ----------------------------------------------------------------- one question

    def _answer(self, query: Query) -> Answer:
        lexicon = self._lexicon
        lexicon.idf, lexicon.known = {}, 1.0
        allowed = self._allowed(query)
        pool = max(_POOL, 4 * query.most)
        asked, said, holds, boosts, every = self._terms(query), query.text, None, None, False
        if not asked and not query.syntax:
            return Answer(query.text, (), ())
        if query.syntax:
            from memctl.ask import syntax

            parsed = syntax.parse(query.text)
            holds, boosts = syntax.holds(parsed, lexicon), syntax.ranking(parsed, lexicon)
            asked, said, every, pool = list(boosts), parsed.said, parsed.all, max(pool, lexicon.count)
        rankings: dict[str, list[int]] = {}
        scores: dict[int, float] = {}
        cosines = self._cosines(said, pool, allowed)
        near = cosines or {}
        if self._mode != "vector":
            rankings["words"], scores = lexicon.search(asked, pool, allowed, near, boosts)
        if cosines is not None:
            rankings["vectors"] = list(near)
        upper = talk = self._store.config.min_cosine
        foreign = any(letter > _LATIN for term in asked for letter in term)  # its script may be nowhere here
        if not lexicon.idf and self._mode == "hybrid" and not foreign:
            talk = max(talk, _ALONE if len(asked) > 1 else _ONE_WORD)
            upper = upper if len(asked) > 1 else talk
        ranked = ranking.ranked(lexicon, rankings, scores, near, self._store.config.vector_weight)
        if every:  # what fits without a word that could rank it comes last
            there = {docnum for docnum, _ in ranked}
            rest = range(len(lexicon.layers)) if allowed is None else sorted(allowed)
            ranked = [*ranked, *((docnum, 0.0) for docnum in rest if docnum not in there)]
        fused = [
            (docnum, score)
            for docnum, score in ranked
            if holds is not None
            or docnum in scores
            or near.get(docnum, 0.0) >= (upper if lexicon.layers[docnum] < UPPER else talk)
        ]
        kept = self._kept(query, fused, holds, scores)
        ranks = {
            name: {docnum: rank for rank, docnum in enumerate(listed, 1)} for name, listed in rankings.items()
        }
        terms = lexicon.matches(asked, [docnum for docnum, *_ in kept]) if query.explain else {}
        hits = []
        for rank, (docnum, score, found, corrected) in enumerate(kept, 1):
            why = Why(
                ranks.get("words", {}).get(docnum),
                scores.get(docnum),
                tuple(terms.get(docnum, ())),
                ranks.get("vectors", {}).get(docnum),
                near.get(docnum),
            )
            text = passage(found.text, asked, PASSAGE)
            hits.append(Hit(rank, score, found, text, self._is_suspect(found), corrected, why))
        signals: tuple[Signal, ...] = tuple(name for name in ("words", "vectors") if name in rankings)
        return Answer(query.text, tuple(hits), signals)

    def _terms(self, query: Query) -> list[str]:
        """Give the terms a question is looked up by; of a very long one the first."""
        asked = query_terms(query.text[:_LONGEST])
        if len(asked) > _TERMS or len(query.text) > _LONGEST:
            if not query.syntax:
                few = min(len(asked), _TERMS)
                words = f"{few} different words" if few > 1 else "word"
                self._say(
                    f"the question is long; looking up its first {words}"
                    if few
                    else f"the question is long, and its first {_LONGEST:,} characters contain no searchable words"
                )
            asked = asked[:_TERMS]
        return asked

    def _kept(
        self,
        query: Query,
        fused: Sequence[tuple[int, float]],
        holds: "Holds | None",
        scores: Mapping[int, float],
    ) -> list[tuple[int, float, Stored, tuple[str, ...]]]:
        """Read the first hits of which *holds* is true, each with its number, its score and what corrected it.

        What says the same in the same layer is given once. A message that was corrected later, or only says
        the question again, gives way to those behind it; so does a step that only looked, where it is asked how.
        """
        kept: list[tuple[int, float, Stored, tuple[str, ...]]] = []
        since = moment(query.since) if query.since else None
        what_came = holds is None and asks_what_came(fold(query.text[:_LONGEST]))
        seen: set[tuple[str, str, str]] = set()
        for docnum, score in fused:
            if len(kept) >= query.most + _LOWERED or score < query.min_score:
                break
            if self._lexicon.layers[docnum] >= len(LAYERS):
                continue  # deleted
            found = self._lexicon.stored(docnum)
            if holds is not None and not holds(docnum, found):
                continue
            if since is not None and not at_or_after(found.time, since):
                continue
            if holds is None and docnum not in scores and ranking.says_little(_said(found), _least(found)):
                continue
            echoes = (
                holds is None and found.layer == "message" and ranking.repeats(found.text, self._lexicon.idf)
            )
            said = _letters(_said(found))
            same = (found.layer, "", "") if echoes else (found.layer, found.title, said)
            if same in seen and (echoes or len(said) > _SHORT):
                continue
            seen.add(same)
            corrected = self._lexicon.correcting(found.id) if found.layer == "message" else ()
            looks = what_came and ranking.only_looks(found)
            lowered = ranking.lowered(score, corrected=bool(corrected), echoes=echoes, looks=looks)
            if lowered >= query.min_score:
                kept.append((docnum, lowered, found, corrected))
        return sorted(kept, key=lambda one: -one[1])[: query.most]

    def _is_suspect(self, found: Stored, deep: int = 2) -> bool:
        """Tell whether a memory, or one of the first messages it came from, speaks to a model.

        deep: from a section to its atoms, and from an atom to its messages.
        """
        if reads_like_an_instruction(_said(found)):
            return True
        if not deep or found.layer not in LAYERS[:UPPER]:
            return False
        came_from = (self._evidence(found, name) for name in found.evidence[:_EVIDENCE])
        return any(one is not None and self._is_suspect(one, deep - 1) for one in came_from)

    def _evidence(self, found: Stored, name: str) -> Stored | None:
        lexicon = self._lexicon
        if atoms.is_id(name):
            return lexicon.at_place("records", f"atom:{name}")
        session, slash, message = name.rpartition("/")
        session, message = (session, message) if slash else (found.session, name)
        wanted = message_id(session, message)
        source = self._store.relative(self._store.conversation(session))
        if there := lexicon.at_place(source, wanted):
            return there
        within = islice(lexicon.with_value("session", session), _LOOKED_AT)  # a file of several sessions
        return next((one for one in map(lexicon.stored, within) if one.id == wanted), None)

    # ----------------------------------------------------------------- vectors

    def _cosines(self, said: str, pool: int, allowed: frozenset[int] | None) -> dict[int, float] | None:
        """Give the nearest documents with their cosine, best first; None when that signal is absent."""
        if self._mode == "bm25" or not said.strip():
            return None
        why = self._silent or self._vectors_why()
        if why:
            self._without(why)
            return None
        if not self._lexicon.count:
            return {}
        if self._embedder is None:
            raise TypeError("an embedder without a reason is loaded")
        try:
            row = self._embedder.encode([said])[0]
            embedders.fits(
                row, self._opened.manifest.dimension, "the index", "; `memctl index build` rebuilds it"
            )
        except EmbedderError as error:
            self._silent = str(error)
            self._without(self._silent)
            return None
        docnums, numbers = self._lexicon.docnums, self._lexicon.numbers
        near = None if allowed is None else [numbers[docnum] for docnum in allowed]
        found = self._vectors.search(row, pool, near)
        return {docnums[number]: cosine for number, cosine in found if number in docnums}

    def _without(self, why: str) -> None:
        """Say, once, that words alone answer; raises UsageError where vectors alone were asked for."""
        if self._mode == "vector":
            raise UsageError(f"--mode vector needs vectors: {why}")
        told = embedders.without(why)
        if why != embedders.missing(embedders.NONE) and told not in self._said:
            self._say(told)

    def _vectors_why(self) -> str:
        """Load what vectors need; say why there are none."""
        manifest = self._opened.manifest
        if self._vectors is not None:
            return ""
        if manifest.embedder == embedders.NONE:
            now = embedders.missing(self._store.config.embedder)  # the index may know of an earlier reason
            return now or manifest.why or embedders.missing(embedders.NONE)
        from memctl.index.vectors import Vectors

        try:
            self._embedder = embedders.load(manifest.embedder, self._opened.place.shared)
        except EmbedderError as error:
            return str(error)
        if self._lexicon.count:
            self._vectors = Vectors(self._opened.folder)
        return ""

    # ----------------------------------------------------------------- filters

    def _allowed(self, query: Query) -> frozenset[int] | None:
        """Give the documents that a query's filters let through; None when it has none."""
        lexicon = self._lexicon
        allowed: set[int] | None = None
        if query.layers:
            wanted = {LAYERS.index(layer) for layer in query.layers}
            allowed = {docnum for docnum, layer in enumerate(lexicon.layers) if layer in wanted}
        if query.session:
            sessions = [
                name for name in lexicon.values("session", query.session) if name.startswith(query.session)
            ]
            exact = [name for name in sessions if name == query.session] or sessions
            if not exact:  # as it is printed
                exact = [name for name in lexicon.values("session") if printable(name) == query.session]
            within = {docnum for name in exact for docnum in lexicon.with_value("session", name)}
            if not within:
                raise NotFoundError(f"session {query.session!r} is not in the index")
            allowed = within if allowed is None else allowed & within
        if query.since:
            since = moment(query.since).date()  # zones differ by a day; before the first there is none
            first = (since - timedelta(days=min(1, since.toordinal() - 1))).isoformat()
            within = {
                docnum for day in lexicon.values("day", first) for docnum in lexicon.with_value("day", day)
            }
            allowed = within if allowed is None else allowed & within
        return None if allowed is None else frozenset(allowed)


def _said(found: Stored) -> str:
    return f"{found.title}\n{found.text}" if found.title else found.text


def _least(found: Stored) -> int:
    return _WORDS - (found.layer in LAYERS[:UPPER])


def _letters(text: str) -> str:
    return " ".join(_LETTERS.findall(fold(text).casefold()))


# --------------------------------------------------------------------------- budget


def within(answer: Answer, budget: int, measure: Callable[[Sequence[Hit]], int]) -> Answer:
    """Keep the best hits that fit into *budget* as *measure* counts what is printed; the last may be cut."""
    kept: list[Hit] = []
    for hit in answer.hits:
        if measure([*kept, hit]) <= budget:
            kept.append(hit)
            continue
        cut = next((one for one in shorter(answer, hit) if measure([*kept, one]) <= budget), None)
        kept += [] if cut is None else [cut]
        break
    return replace(answer, hits=tuple(kept))


def shorter(answer: Answer, hit: Hit) -> Iterator[Hit]:
    """Give a hit with less and less of its text, what holds the question's words first."""
    asked = query_terms(answer.question)
    for limit in (200, 100, 50):
        yield replace(hit, text=passage(hit.found.text, asked, limit))
