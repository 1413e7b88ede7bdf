"""Finding by words: a Whoosh index of weighted terms, scored by BM25 over its posting lists.

A document's own words and those of its title and neighbours are one bag of weighted terms, so that a
score is BM25F as it was meant: weights are added before they saturate. Whoosh's own searcher would score
one posting at a time; here a list is read block by block, which is what keeps 100,000 documents fast.
"""

import math
import weakref
from array import array
from bisect import bisect_left
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats, index as whoosh_index
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage

from memctl import files
from memctl.index.documents import LAYERS, STEP, Document, Layer

K1 = 1.2  # BM25's usual constants; LoCoMo is flat around them (tests/benchmarks/locomo.py)
B = 0.75

_BLOCK = 1024  # postings in a block: all of a term's are read anyway, so few large ones are fastest
_STORED = 20_000  # characters of a text that are kept for showing the passage that matched
_SIZES = 15  # steps per doubling in which a document's size is kept: 4.7 % apart, 255 is 130,000 terms
_SHARE = 0.2  # of a question's weight that must be known here, unless this many of its terms are
_KNOWN = 3
_GONE = 255  # layer of a deleted document
MANY = 20_000  # documents from which on scoring them with numpy pays for loading it

# Blocks of a posting list: document numbers, ascending, and their weights; None where all are 1.
Postings = Sequence[tuple[Sequence[int], Sequence[float] | None]]


class Bag(fields.FieldType):
    """A field of weighted terms, given as a dict; a term's weight is what BM25 takes for its frequency."""

    def __init__(self) -> None:
        self.format = formats.Existence()
        self.analyzer = None
        self.scorable = False
        self.stored = False
        self.unique = False
        self.vector = None
        self.column_type = None
        self.spelling = False

    def index(
        self, value: dict[str, float], **_options: Any
    ) -> Generator[tuple[bytes, int, float, bytes], None, None]:
        """Give Whoosh its postings: (term, frequency, weight, no more)."""
        return ((_encoded(term), 1, weight, b"") for term, weight in value.items())


class Name(fields.ID):
    """A field of one exact value, which may hold a lone surrogate as ids of transcripts do."""

    def index(self, value: str, **_options: Any) -> Generator[tuple[bytes, int, float, bytes], None, None]:
        """Give Whoosh its posting."""
        yield _encoded(value), 1, 1.0, b""

    def to_bytes(self, value: str | bytes) -> bytes:
        """Give the value as it is kept; for what Whoosh looks up itself."""
        return value if isinstance(value, bytes) else _encoded(value)

    def from_bytes(self, bs: Any) -> str:
        """Give a value that was kept."""
        return str(bs, "utf-8", "surrogatepass")


class Names(Name):
    """A field of several exact values."""

    def index(
        self, value: Iterable[str], **_options: Any
    ) -> Generator[tuple[bytes, int, float, bytes], None, None]:
        """Give Whoosh their postings."""
        return ((_encoded(one), 1, 1.0, b"") for one in value)


def _encoded(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _schema() -> Any:
    number: Any = columns.NumericColumn  # whoosh is typed in part
    return fields.Schema(
        terms=Bag(),
        place=Name(unique=True),
        source=Name(),
        session=Name(),
        day=Name(),
        corrects=Names(),
        number=fields.COLUMN(number("I")),
        size=fields.COLUMN(number("B")),
        layer=fields.COLUMN(number("B")),
        document=fields.STORED(),
    )


@dataclass(frozen=True, slots=True)
class Stored:
    """What the index keeps of a document. *number* names its vector and never changes."""

    number: int
    fingerprint: str
    key: str
    id: str
    layer: Layer
    text: str
    path: str
    line: int
    title: str
    session: str
    time: str | None
    evidence: tuple[str, ...]
    role: str
    kind: str


# --------------------------------------------------------------------------- writing


def write(
    folder: Path,
    added: Iterable[tuple[int, str, Document]],
    dropped: Iterable[str] = (),
    *,
    fresh: bool = False,
    pack: bool = False,
) -> None:
    """Add documents, each with its number and source, and drop others by `place_in`.

    fresh: into an empty folder. pack: into one segment, so that no byte of a dropped document is left.
    """
    made: Any = (
        whoosh_index.create_in(str(folder), _schema()) if fresh else whoosh_index.open_dir(str(folder))
    )
    codec: Any = W3Codec
    writer = made.writer(limitmb=192, codec=codec(blocklimit=_BLOCK, compression=0))
    for place in dropped:
        writer.delete_by_term("place", place)
    for number, source, document in added:
        writer.add_document(
            terms=document.weights,
            place=place_in(source, document.key),
            source=source,
            session=document.session or None,
            day=document.time[:10] if document.time else None,
            corrects=sorted({message_id(*one) for one in document.corrects}) or None,
            number=number,
            size=_size(document.size),
            layer=LAYERS.index(document.layer),
            document=_kept(number, document),
        )
    writer.commit(optimize=pack)
    _write_facts(folder, made.reader())
    made.close()


def place_in(source: str, key: str) -> str:
    """Give what a document goes by in the index, unique among all sources."""
    return f"{source}|{key}"


def message_id(session: str, name: str) -> str:
    """Give the id of a message as a document has it."""
    return f"message:{session}/{name}"


def _kept(number: int, document: Document) -> tuple[Any, ...]:
    return (
        number,
        document.fingerprint,
        document.key,
        document.id,
        document.layer,
        document.text[:_STORED],
        document.path,
        document.line,
        document.title[:_STORED],
        document.session,
        document.time,
        document.evidence,
        document.role,
        document.kind,
    )


def _size(total: float) -> int:
    return min(255, max(1, round(_SIZES * math.log2(1 + total))))


def _write_facts(folder: Path, reader: Any) -> None:
    """Write what a search needs of every document side by side: one read instead of three columns."""
    sizes, layers, numbers = bytearray(), bytearray(), array("I")
    for leaf, _ in reader.leaf_readers():
        count = leaf.doc_count_all()
        if not count:  # the reader of an index of nothing has no columns
            continue
        columns_of = [leaf.column_reader(name) for name in ("size", "layer", "number")]
        for docnum in range(count):
            gone = leaf.is_deleted(docnum)
            sizes.append(0 if gone else columns_of[0][docnum])
            layers.append(_GONE if gone else columns_of[1][docnum])
            numbers.append(columns_of[2][docnum])
    for name, data in (("sizes", bytes(sizes)), ("layers", bytes(layers)), ("numbers", numbers.tobytes())):
        path = folder / name
        files.remove(path)  # it may be a link to the generation before, which must stay as it is
        with files.create(path) as stream:
            stream.write(data)


# --------------------------------------------------------------------------- reading


class Lexicon:
    """An opened index. Documents go by their Whoosh number, which holds for this generation alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Whoosh's memory map copies what it maps: reading the few blocks that are asked for is faster.
        storage: Any = FileStorage
        made: Any = storage(str(folder), supports_mmap=False, readonly=True).open_index()
        self._reader: Any = made.reader()
        self._read: dict[str, Postings] = {}
        self.idf: Mapping[str, float] = {}  # what each known term of the last question says
        # The share of the last question that is known here, by what its terms say or by their number.
        self.known = 1.0
        weakref.finalize(self, self._reader.close)
        self._leaves: list[tuple[Any, int]] = list(self._reader.leaf_readers())
        self._sizes = (folder / "sizes").read_bytes()
        known = [_of_size(byte) for byte in range(256)]
        self.count = len(self._sizes) - self._sizes.count(0)
        self._whole = self.count == len(self._sizes)
        total = sum(known[byte] * self._sizes.count(byte) for byte in range(1, 256))
        average = total / self.count if self.count else 1.0
        self._norms = [K1 * (1 - B + B * size / average) for size in known]

    @cached_property
    def layers(self) -> bytes:
        """The layer of each document, as a number of LAYERS; 255 for a deleted one."""
        layers = (self._folder / "layers").read_bytes()
        if len(layers) != len(self._sizes):
            raise ValueError("layers and sizes are of different documents")
        return layers

    @cached_property
    def numbers(self) -> "array[int]":
        """The lasting number of each document, by which its vector goes."""
        found = array("I")
        found.frombytes((self._folder / "numbers").read_bytes())
        return found

    @cached_property
    def docnums(self) -> dict[int, int]:
        """The document of each lasting number; deleted ones left out."""
        layers = self.layers
        return {number: at for at, number in enumerate(self.numbers) if layers[at] != _GONE}

    def search(
        self,
        terms: Sequence[str],
        most: int,
        allowed: frozenset[int] | None,
        also: Iterable[int] = (),
        boosts: Mapping[str, float] | None = None,
    ) -> tuple[list[int], dict[int, float]]:
        """Rank the documents that hold any of *terms*.

        Gives the best of the *allowed*, best first, and the scores of these and of those of *also* that
        have one.
        Nothing when hardly any of the question is known here: that would be noise, not an answer; a question
        that gives its terms' *boosts* says for itself what an answer is.
        """
        known = unknown = 0.0
        self._read, self.idf, self.known = {}, (idfs := dict[str, float]()), 1.0
        lists: list[tuple[float, Postings]] = []
        for term in terms:
            postings = self._read[term] = list(self._postings("terms", term))
            if self._whole:
                there = sum(len(ids) for ids, _ in postings)
            else:
                there = sum(1 for ids, _ in postings for docnum in ids if self._sizes[docnum])
            idf = math.log(1 + (self.count - there + 0.5) / (there + 0.5))
            if there:
                known += idf
                idfs[term] = idf
                lists.append((idf * (K1 + 1) * (boosts or {}).get(term, 1.0), postings))
            else:
                unknown += idf
        if lists:
            self.known = max(known / (known + unknown), len(lists) / len(terms))
        if boosts is None and len(lists) < _KNOWN and known < _SHARE * (known + unknown):
            return [], {}
        if self.count > MANY:
            from memctl.index.scoring import best_of_many

            return best_of_many(lists, self._sizes, self._norms, most, allowed, also)
        scores = self._scores(lists)
        found = scores if allowed is None else allowed.intersection(scores)
        best = sorted(sorted(found), key=scores.__getitem__, reverse=True)[:most]
        return best, {docnum: scores[docnum] for docnum in (*best, *also) if docnum in scores}

    def _scores(self, lists: Sequence[tuple[float, Postings]]) -> dict[int, float]:
        """Score every document of some posting lists; the first of each pair is the term's factor."""
        sizes, norms, scores = self._sizes, self._norms, dict[int, float]()
        score_of = scores.get
        for factor, postings in lists:
            usual = [factor / (1.0 + norm) for norm in norms]  # for the weight 1
            for ids, weights in postings:
                if weights is None:
                    for docnum in ids:
                        scores[docnum] = score_of(docnum, 0.0) + usual[sizes[docnum]]
                    continue
                for docnum, weight in zip(ids, weights, strict=True):
                    gain = (
                        usual[sizes[docnum]]
                        if weight == 1.0
                        else factor * weight / (weight + norms[sizes[docnum]])
                    )
                    scores[docnum] = score_of(docnum, 0.0) + gain
        if self._whole:
            return scores
        return {docnum: score for docnum, score in scores.items() if sizes[docnum]}

    def own(self, docnums: Collection[int]) -> dict[str, frozenset[int]]:
        """Tell for each known term of the last question which of these hold it themselves, not by neighbours."""
        wanted, held = frozenset(docnums), dict[str, frozenset[int]]()
        for term in self.idf:
            mine: list[int] = []
            for ids, weights in self._read[term]:
                there = wanted.intersection(ids)
                if weights is None or not there:
                    mine += there
                    continue
                mine += [docnum for docnum in there if not weights[bisect_left(ids, docnum)] % STEP]
            held[term] = frozenset(mine)
        return held

    def correcting(self, name: str) -> tuple[str, ...]:
        """Give the ids of the atoms that replaced what a message says."""
        return tuple(sorted({self.stored(docnum).id for docnum in self.with_value("corrects", name)}))

    def at_place(self, source: str, key: str) -> Stored | None:
        """Give the document that goes by a key in a source."""
        docnum = next(self.with_value("place", place_in(source, key)), None)
        return None if docnum is None else self.stored(docnum)

    def matches(self, terms: Sequence[str], docnums: Iterable[int]) -> dict[int, list[str]]:
        """Tell which of *terms* each document holds."""
        held: dict[int, list[str]] = {docnum: [] for docnum in docnums}
        for term in terms:
            for ids, _ in self._postings("terms", term):
                for docnum in ids:
                    if docnum in held:
                        held[docnum].append(term)
        return held

    def with_value(self, field: str, value: str) -> Iterator[int]:
        """Give the documents whose field (source, session, day) has exactly this value."""
        for ids, _ in self._postings(field, value):
            yield from (docnum for docnum in ids if self._sizes[docnum])

    def values(self, field: str, start: str = "") -> Iterator[str]:
        """Give the values of a field from *start* on, in order."""
        for value in self._reader.field_terms(field):
            text = value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else str(value)
            if text >= start:
                yield text

    def stored(self, docnum: int) -> Stored:
        """Give what is kept of a document."""
        return Stored(*self._reader.stored_fields(docnum)["document"])

    def _postings(self, field: str, value: str) -> Iterator[tuple[Sequence[int], Sequence[float] | None]]:
        """Give a term's documents with their weights (None: all 1), block by block; deleted ones included."""
        term = _encoded(value)
        for leaf, offset in self._leaves:
            if (field, term) not in leaf:
                continue
            matcher = leaf.postings(field, term)
            if hasattr(matcher, "child"):  # deleted documents are left out by their size, all at once
                matcher = matcher.child
                matcher.reset()
            for ids, weights in _blocks(matcher):
                yield (ids if not offset else [docnum + offset for docnum in ids]), weights


def _blocks(matcher: Any) -> Iterator[tuple[Sequence[int], Sequence[float] | None]]:
    """Read a matcher's blocks whole where its kind has them, else posting by posting."""
    if not hasattr(matcher, "_next_block"):
        ids, weights = [], []
        while matcher.is_active():
            ids.append(matcher.id())
            weights.append(matcher.weight())
            matcher.next()
        yield ids, weights
        return
    while matcher.is_active():
        matcher.weight()  # reads the block
        ids, weights = matcher._data[:2]  # noqa: SLF001 - whole blocks are what makes this fast
        same = isinstance(weights, float)  # one for the whole block
        yield list(accumulate(ids)), matcher._weights if same else weights  # noqa: SLF001 - as above
        matcher._next_block()  # noqa: SLF001 - as above


def _of_size(byte: int) -> float:
    return float(2 ** (byte / _SIZES) - 1)
