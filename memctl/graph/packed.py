"""A large graph, packed: the edges that hold as arrays and the names as one text, so that no line need be read.

Made from `graph.jsonl` in some seconds and kept in the user's cache directory, where it is used as long as the
file only grows at its end.
"""

import contextlib
import hashlib
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zlib import crc32

from memctl import files
from memctl.errors import MemctlError
from memctl.graph import packing, vocabulary
from memctl.graph.lines import Row, read_rows
from memctl.graph.packing import Fold

if TYPE_CHECKING:  # small graphs need none
    import numpy as np

    Array = np.ndarray[Any, Any]

_MOST_BEHIND = 4 << 20  # bytes that were added since, which are read each time
_NAME = "graph.pack"
_FORMAT = 1
_ARRAYS = {
    "subject": "i4",  # of each edge, oldest first: the places of its names in the list of names
    "relation": "i4",
    "object": "i4",
    "inferred": "u1",
    "start": "i8",  # where its line stands in the file
    "size": "i4",
    "by_subject": "i4",  # the edges in order of their subjects, then of age
    "by_object": "i4",
    "end": "i8",  # of each name in the text of names
    "line": "i8",  # where each name begins in the text of folded names, and its end
    "hash": "u4",  # of names, in order
    "hashed": "i4",  # and whose they are
    "folded_hash": "u4",
    "folded_hashed": "i4",
}


@dataclass(frozen=True, slots=True)
class Opened:
    """A packed graph, and the lines that were said since."""

    packed: "Packed"
    behind: list[Row]


def opened(stream: BinaryIO, folder: Path | None, fold: Fold) -> Opened:
    """Give a graph's file packed, from *folder* where it is kept there, else made anew and kept.

    stream: the file, from which single lines are read later. fold: writes names as they are compared.
    """
    status = os.fstat(stream.fileno())
    kept = folder / _NAME if folder is not None else None
    found = _kept(kept, stream, status) if kept is not None else None
    if found is not None:
        return found
    stream.seek(0)
    data = stream.read()
    made = packing.pack(data, fold)
    head = {"format": _FORMAT, "size": len(data), "time": status.st_mtime_ns, "digest": _digest(data)}
    whole = b"".join(_chunks(head, made))
    if kept is not None:
        with contextlib.suppress(MemctlError):  # a full disk: it is made again
            files.write_beside(kept, whole)
    return Opened(_read(whole, stream), [])


def _kept(path: Path, stream: BinaryIO, status: os.stat_result) -> Opened | None:
    """Read what is kept; None when it is not of this file, or of a beginning with much behind it."""
    try:
        data = path.read_bytes()
        packed = _read(data, stream)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    size = packed.head["size"]
    if (size, packed.head["time"]) == (status.st_size, status.st_mtime_ns):
        return Opened(packed, [])
    if not size <= status.st_size <= size + _MOST_BEHIND:
        return None
    whole = stream.read()
    if _digest(whole[:size]) != packed.head["digest"]:
        return None
    behind = read_rows(whole[size:].split(b"\n"))
    if any(row[4] < packed.head["last"] for row in behind):
        return None
    return Opened(packed, behind)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


# --------------------------------------------------------------------------- asking


class Packed:
    """The edges of a large graph that hold, by number from the oldest on, and their names by place."""

    def __init__(
        self,
        head: Mapping[str, Any],
        arrays: Mapping[str, "Array"],
        texts: tuple[bytes, bytes],
        stream: BinaryIO,
    ) -> None:
        self.head = head
        self.relations: list[str] = head["relations"]
        self.arrays = arrays
        self.text, self._names = texts  # folded, and as they are
        self.lines = cast("Sequence[int]", arrays["line"])
        self.hidden: set[int] = set()  # edges that hold no more since something else was said
        self._stream = stream

    def __len__(self) -> int:
        return len(self.arrays["subject"])

    def name(self, place: int) -> str:
        """Give a name by its place."""
        end = self.arrays["end"]
        return self._names[int(end[place]) : int(end[place + 1])].decode("utf-8", "surrogatepass")

    def folded(self, place: int) -> str:
        """Give a name as it is compared."""
        return self.text[int(self.lines[place]) : int(self.lines[place + 1]) - 1].decode(
            "utf-8", "surrogatepass"
        )

    @property
    def names(self) -> int:
        """How many names there are."""
        return len(self.arrays["end"]) - 1

    def place(self, name: str) -> int | None:
        """Give the place of a name; None when no edge that holds has it."""
        found = self._hashed("hash", "hashed", [name.encode("utf-8", "surrogatepass")])
        return next((place for place in found if self.name(place) == name), None)

    def places_of_lines(self, texts: Sequence[str]) -> list[int]:
        """Give the places of names that are one of *texts* as they are compared."""
        wanted = set(texts)
        keys = [text.encode("utf-8", "surrogatepass") for text in wanted]
        found = self._hashed("folded_hash", "folded_hashed", keys)
        return [place for place in found if self.folded(place) in wanted]

    def _hashed(self, hashes: str, places: str, keys: Sequence[bytes]) -> list[int]:
        import numpy as np

        listed, owners = self.arrays[hashes], self.arrays[places]
        wanted = np.unique(np.array(list(map(crc32, keys)), dtype=np.uint32))
        first, last = np.searchsorted(listed, wanted, "left"), np.searchsorted(listed, wanted, "right")
        return sorted(int(owner) for low, high in zip(first, last, strict=True) for owner in owners[low:high])

    def row(self, at: int) -> Row:
        """Read the line of an edge."""
        self._stream.seek(int(self.arrays["start"][at]))
        return read_rows([self._stream.read(int(self.arrays["size"][at]))])[0]

    def of_slot(self, subject: str, relation: str, objects: Iterable[str] = ()) -> list[int]:
        """Give the edges of a subject and relation, oldest first; of a many-valued one those to *objects*, if any."""
        import numpy as np

        place = self.place(subject)
        if place is None or relation not in self.relations:
            return []
        found = self._around(place, "subject")
        found = found[self.arrays["relation"][found] == self.relations.index(relation)]
        if relation in vocabulary.MANY and objects:
            ends = [end for name in objects if (end := self.place(name)) is not None]
            found = found[np.isin(self.arrays["object"][found], ends)]
        return [int(at) for at in found]

    def touching(self, front: Iterable[str], met: set[int], most: int) -> list[int]:
        """Give the edges at nodes of *front*, in order: of each node the newest *most* that were not met.

        What was inferred is counted apart. A state leads nowhere but from its task.
        """
        import numpy as np

        gone = np.array(sorted(met | self.hidden), dtype=np.int64)
        inferred, relation = self.arrays["inferred"], self.arrays["relation"]
        state = self.relations.index(vocabulary.HAS_STATE) if vocabulary.HAS_STATE in self.relations else -1
        found: set[int] = set()
        for node in front:
            place = self.place(node)
            if place is None:
                continue
            ends = self._around(place, "object")
            near = np.union1d(self._around(place, "subject"), ends[relation[ends] != state])
            near = near[~np.isin(near, gone)] if len(gone) else near
            if len(near) > most:
                guessed = inferred[near] != 0
                near = np.concatenate((near[guessed][-most:], near[~guessed][-most:]))
            found.update(near.tolist())
        return sorted(found)

    def _around(self, place: int, end: str) -> "Array":
        """Give the edges whose subject or object stands at a place, oldest first."""
        order, column = self.arrays[f"by_{end}"], self.arrays[end]
        low = _bisect(column, order, place)
        return order[low : _bisect(column, order, place + 1)]

    def holds(self, place: int) -> bool:
        """Tell whether a name still stands in an edge that holds."""
        ends = (self._around(place, end) for end in ("subject", "object"))
        return not self.hidden or any(int(at) not in self.hidden for found in ends for at in found)

    def kind(self, name: str) -> str | None:
        """Give the relation that says last of what kind a node is; None when none does."""
        import numpy as np

        place = self.place(name)
        telling = [at for at, one in enumerate(self.relations) if one in vocabulary.KIND_OF_OBJECT]
        if place is None or not telling:
            return None
        found = self._around(place, "object")
        found = found[np.isin(self.arrays["relation"][found], telling)]
        last = next((int(at) for at in found[::-1] if int(at) not in self.hidden), None)
        return None if last is None else self.relations[int(self.arrays["relation"][last])]

    def of_relations(self, relations: Iterable[str], most: int) -> Iterator[int]:
        """Give the edges of some relations, the newest first, at most *most*."""
        import numpy as np

        wanted = [self.relations.index(one) for one in relations if one in self.relations]
        found = np.flatnonzero(np.isin(self.arrays["relation"], wanted))[-most - len(self.hidden) :]
        return (int(at) for at in found[::-1] if int(at) not in self.hidden)

    def ends(self, at: int) -> tuple[str, str, str]:
        """Give subject, relation and object of an edge without reading its line."""
        subject, relation, name = (int(self.arrays[one][at]) for one in ("subject", "relation", "object"))
        return self.name(subject), self.relations[relation], self.name(name)


def _bisect(column: "Array", order: "Array", place: int) -> int:
    return bisect_right(order, place - 1, key=column.__getitem__)


# --------------------------------------------------------------------------- keeping


def _chunks(
    head: Mapping[str, Any], made: tuple[dict[str, "Array"], list[str], str, tuple[bytes, bytes]]
) -> list[bytes]:
    """Write a packed graph: a line of JSON, then its arrays and texts one after the other."""
    arrays, relations, last, texts = made
    pieces = [arrays[name].astype(f"<{kind}").tobytes() for name, kind in _ARRAYS.items()]
    sizes = [len(piece) for piece in (*pieces, *texts)]
    line = files.encode({**head, "relations": relations, "last": last, "sizes": sizes})
    padding = b" " * (-(len(line) + 1) % 8)
    padded = [piece + b"\0" * (-len(piece) % 8) for piece in (*pieces, *texts)]
    return [line + padding + b"\n", *padded]


def _read(data: bytes, stream: BinaryIO) -> Packed:
    """Read a packed graph; its lines are read from *stream*. Raises ValueError for what is none."""
    import numpy as np

    start = data.index(b"\n") + 1
    head = files.decode(data[:start])
    if not isinstance(head, dict) or head.get("format") != _FORMAT or len(head["sizes"]) != len(_ARRAYS) + 2:
        raise ValueError("another format")
    pieces: list[tuple[int, int]] = []
    for size in head["sizes"]:
        pieces.append((start, size))
        start += size + -size % 8
    if start != len(data):
        raise ValueError("cut")
    arrays = {
        name: np.frombuffer(data, f"<{kind}", size // np.dtype(kind).itemsize, at)
        for (name, kind), (at, size) in zip(_ARRAYS.items(), pieces[:-2], strict=True)
    }
    (one, width), (other, size) = pieces[-2:]
    return Packed(head, arrays, (data[one : one + width], data[other : other + size]), stream)
