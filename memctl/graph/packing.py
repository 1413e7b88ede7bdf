"""Packing: the lines of a large graph become arrays of what holds of it, and its names one text."""

import gc
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count
from typing import TYPE_CHECKING, Any
from zlib import crc32

from memctl.graph import vocabulary
from memctl.graph.lines import Row, read_rows

if TYPE_CHECKING:  # small graphs need none
    import numpy as np

    Array = np.ndarray[Any, Any]

Fold = Callable[[str], str]

_BLOCK = 4 << 20  # bytes of lines that are read together


def pack(data: bytes, fold: Fold) -> tuple[dict[str, "Array"], list[str], str, tuple[bytes, bytes]]:
    """Give the arrays, the relations, the time of the last line, and the two texts of names."""
    collects = gc.isenabled()
    gc.disable()  # millions of values that form no cycle
    try:
        return _made(data, fold)
    finally:
        if collects:
            gc.enable()


def _made(data: bytes, fold: Fold) -> tuple[dict[str, "Array"], list[str], str, tuple[bytes, bytes]]:
    import numpy as np

    said = _Said()
    for block in _blocks(data):
        said.take(*block)
    columns = {name: np.concatenate(parts) for name, parts in said.columns.items()}
    if said.unordered:  # after a merge
        order = said.sorted(data, columns)
        columns = {name: column[order] for name, column in columns.items()}
    relations = [name.decode("utf-8", "surrogatepass") for name in said.relations]
    live = _live(columns, relations)
    columns = {name: column[live] for name, column in columns.items()}
    both = np.empty(2 * len(live), dtype=np.int64)
    both[0::2], both[1::2] = columns["subject"], columns["object"]
    used, first = np.unique(both, return_index=True)
    used = used[np.argsort(first)]  # in the order in which they are met
    places = np.zeros(max(len(said.names), 1), dtype=np.int32)
    places[used] = np.arange(len(used), dtype=np.int32)
    known = list(said.names)
    raw = [known[place] for place in used.tolist()]
    arrays: dict[str, Array] = {name: columns[name] for name in ("relation", "inferred", "start", "size")}
    for end in ("subject", "object"):
        arrays[end] = places[columns[end]]
        arrays[f"by_{end}"] = np.argsort(arrays[end], kind="stable").astype(np.int32)
    folded = _folded(raw, fold)
    arrays["end"] = np.concatenate(([0], np.cumsum(_widths(raw))))
    arrays["line"] = np.concatenate(([0], np.cumsum(_widths(folded) + 1)))
    arrays["hash"], arrays["hashed"] = hashes = _hashes(raw)
    arrays["folded_hash"], arrays["folded_hashed"] = hashes if folded == raw else _hashes(folded)
    last = max(said.times, default=b"").decode("utf-8", "surrogatepass")
    return arrays, relations, last, (b"\n".join(folded) + b"\n", b"".join(raw))


def _widths(texts: list[bytes]) -> "Array":
    import numpy as np

    return np.fromiter(map(len, texts), np.int64, len(texts))


def _hashes(texts: list[bytes]) -> "tuple[Array, Array]":
    """Give the hashes of texts in order, and whose they are."""
    import numpy as np

    hashes = np.fromiter(map(crc32, texts), np.uint32, len(texts))
    order = np.argsort(hashes, kind="stable")
    return hashes[order], order


def _folded(names: list[bytes], fold: Fold) -> list[bytes]:
    """Write names as they are compared, each on one line."""
    whole = b"\n".join(names)
    if whole.isascii() and whole.count(b"\n") == len(names) - 1:
        return whole.lower().split(b"\n")
    told = [name.decode("utf-8", "surrogatepass").replace("\n", " ") for name in names]
    lines = fold("\n".join(told)).lower().split("\n")
    if len(lines) != len(names):  # folding made or took a line
        lines = [fold(name).lower().replace("\n", " ") for name in told]
    return [line.encode("utf-8", "surrogatepass") for line in lines]


def _blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the lines of a file in blocks, each with where it begins."""
    start = 0
    if not data:
        yield 0, b""
    while start < len(data):
        end = data.find(b"\n", min(start + _BLOCK, len(data)))
        end = len(data) if end < 0 else end
        yield start, data[start:end].removesuffix(b"\n")
        start = end + 1


class _Said:
    """What all lines say, in columns; names and relations by number."""

    def __init__(self) -> None:
        self.names: defaultdict[bytes, int] = defaultdict(count().__next__)
        self.relations: defaultdict[bytes, int] = defaultdict(count().__next__)
        self.columns: dict[str, list[Array]] = {
            name: [] for name in (*("subject", "relation", "object", "start", "size"), *_FLAGS)
        }
        self.times: list[bytes] = []
        self.unordered = False

    def take(self, begin: int, block: bytes) -> None:
        """Take a block of lines, which begins there; those that are no triples are left out."""
        import numpy as np

        ends = np.append(np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE), len(block))
        starts = np.concatenate(([0], ends[:-1] + 1))
        found = _as_written(block, len(ends))
        if found is None and len(ends) > _FEW:  # most of them may be as usual
            half = int(ends[len(ends) // 2])
            self.take(begin, block[:half])
            self.take(begin + half + 1, block[half + 1 :])
            return
        if found is None:
            kept, told, flags = _with_care(block.split(b"\n"))
            starts, ends = starts[kept], ends[kept]
        else:
            told, flags = found
        subjects, relations, objects, times = told
        before = self.times[-1:] + times
        self.unordered = self.unordered or before != sorted(before)
        self.times += times
        number, known, size = self.names.__getitem__, self.relations.__getitem__, len(starts)
        columns = {
            "subject": np.fromiter(map(number, subjects), np.int32, size),
            "relation": np.fromiter(map(known, relations), np.int32, size),
            "object": np.fromiter(map(number, objects), np.int32, size),
            "start": starts + begin,
            "size": ends - starts,
        }
        for name, column in chain(columns.items(), zip(_FLAGS, flags, strict=True)):
            self.columns[name].append(column)

    def sorted(self, data: bytes, columns: Mapping[str, "Array"]) -> list[int]:
        """Give the lines in order of time, then deleted ones, then by bytes (DESIGN 2.7)."""
        starts, sizes = columns["start"].tolist(), columns["size"].tolist()
        pieces = [data[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        keys = list(zip(self.times, columns["deleted"].tolist(), pieces, strict=True))
        return sorted(range(len(keys)), key=keys.__getitem__)


_Columns = tuple[list[bytes], list[bytes], list[bytes], list[bytes]]

_NEWLINE = ord("\n")
_FEW = 250  # lines that are read one by one
_FLAGS = ("inferred", "deleted", "beside")
# A line that memctl wrote, without escapes: subject, relation, object, time, and what is said beside.
_TEXT = rb'"([^"\\\x00-\x1f]+)"'
_LINE = re.compile(
    rb'^\{"subject":%b,"relation":%b,"object":%b,"task_id":(?:null|"[^"\\\x00-\x1f]*"),'
    rb'"at":"([^"\\\x00-\x1f]*)Z","source":"[^"\\\x00-\x1f]*"'
    rb'(,"speculation":true)?(,"add":true)?(,"deleted":true)?\}$' % (_TEXT, _TEXT, _TEXT),
    re.MULTILINE,
)


def _as_written(block: bytes, size: int) -> "tuple[_Columns, Array] | None":
    """Read subjects, relations, objects, times and flags of lines that all look as memctl writes the most of them.

    None when one of them does not: faster than reading JSON, where that is what they are.
    """
    import numpy as np

    found = _LINE.findall(block)
    if len(found) != size:
        return None
    try:
        block.decode()
    except UnicodeDecodeError:
        return None
    subjects, relations, objects, times, inferred, beside, deleted = map(list, zip(*found, strict=True))
    flags = np.array([list(map(bool, column)) for column in (inferred, deleted, beside)], dtype=np.uint8)
    return (subjects, relations, objects, times), flags


def _with_care(lines: list[bytes]) -> "tuple[list[int], _Columns, Array]":
    """Read lines one by one: the places of those that are triples, their columns and flags."""
    import numpy as np

    kept: list[int] = []
    rows: list[Row] = []
    for at, line in enumerate(lines):
        if found := read_rows([line]):
            kept.append(at)
            rows += found
    named = zip(*(row[:3] + row[4:5] for row in rows), strict=True) if rows else ((), (), (), ())
    subjects, relations, objects, times = (_encoded(column) for column in named)
    flags = np.array([[row[3], row[5], row[7]] for row in rows], dtype=np.uint8).reshape(-1, 3).T
    return kept, (subjects, relations, objects, times), flags


def _encoded(texts: Iterable[str]) -> list[bytes]:
    return [text.encode("utf-8", "surrogatepass") for text in texts]


def _live(columns: Mapping[str, "Array"], relations: list[str]) -> "Array":
    """Give the numbers of the lines that hold after everything that was said (`current._live`)."""
    import numpy as np

    many = np.array([one in vocabulary.MANY for one in relations] or [False])[columns["relation"]]
    slot = columns["subject"].astype(np.int64) * max(len(relations), 1) + columns["relation"]
    deleted, beside = columns["deleted"] != 0, columns["beside"] != 0
    several = np.flatnonzero(many)
    order = several[np.lexsort((several, columns["object"][several], slot[several]))]
    last = np.ones(len(order), dtype=bool)
    same = (slot[order][1:] == slot[order][:-1]) & (
        columns["object"][order][1:] == columns["object"][order][:-1]
    )
    last[:-1] = ~same
    held = order[last]
    live = [held[~deleted[held]]]
    single = np.flatnonzero(~many)
    hot = np.isin(slot[single], np.unique(slot[single][(deleted | beside)[single]]))
    plain = single[~hot]
    order = plain[np.argsort(slot[plain], kind="stable")]
    last = np.ones(len(order), dtype=bool)
    last[:-1] = slot[order][1:] != slot[order][:-1]
    live.append(order[last])
    holding: dict[int, dict[int, int]] = {}
    for at in single[hot].tolist():
        of_slot = holding.setdefault(int(slot[at]), {})
        name = int(columns["object"][at])
        if deleted[at] or beside[at]:
            of_slot.pop(name, None)
        else:
            of_slot.clear()
        if not deleted[at]:
            of_slot[name] = at
    live.append(np.array([at for one in holding.values() for at in one.values()], dtype=np.int64))
    return np.sort(np.concatenate(live))
