"""The tokenizer of the default embedder: sentencepiece for many texts, a mapped vocabulary for a question.

sentencepiece builds its trie of 128,000 pieces anew at every start, which takes longer than all the rest of
a cold question; a question holds some dozens of them. Both give the same ids.
"""

import mmap
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

_FEW = 20  # texts that are cut without sentencepiece; more are worth loading it
_FILES = ("pieces", "places", "ids", "scores", "stable")
_SPACE = "\u2581"
_PENALTY = 10.0  # of a character that no piece holds, below the rarest piece: sentencepiece's kUnkPenalty
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_PLANE = 0x10000


class Pieces:
    """Cuts texts into the ids of a model's pieces. *folder* holds what `keep` wrote, or nothing."""

    def __init__(self, model: Path, folder: Path) -> None:
        self._model = model
        self._left = _FEW
        self._mapped: Vocabulary | None = None
        try:
            self._mapped = Vocabulary(folder)
        except (OSError, ValueError, TypeError, IndexError):  # not there yet, or damaged
            self._left = 0

    @cached_property
    def processor(self) -> Any:
        """The model in sentencepiece."""
        import sentencepiece

        found = sentencepiece.SentencePieceProcessor()
        found.Load(str(self._model))
        return found

    def encode(self, text: str, **_options: object) -> list[int]:
        """Give the ids of a text between the marks of its beginning and end."""
        text = text.encode("utf-8", "replace").decode()
        if self._left and self._mapped is not None and self._mapped.knows(text):
            self._left -= 1
            return [_BEGIN, *self._mapped.cut(text), _END]
        return [_BEGIN, *self.processor.EncodeAsIds(text), _END]


class Vocabulary:
    """A model's pieces in order, mapped from files, so that only those that are looked at are read.

    Raises OSError, ValueError, TypeError or IndexError when the files are not there or not whole.
    """

    def __init__(self, folder: Path) -> None:
        pieces, places, ids, scores, stable = (_map(folder / name) for name in _FILES)
        self._pieces = pieces
        self._places = memoryview(places).cast("I")
        self._ids = memoryview(ids).cast("I")
        self._scores = memoryview(scores).cast("f")
        self._stable = stable
        self._least = self._scores[len(self._ids)]
        if (
            len(self._places) != len(self._ids) + 1
            or self._places[-1] != len(pieces)
            or len(stable) != _PLANE
        ):
            raise ValueError("the vocabulary is damaged")

    def knows(self, text: str) -> bool:
        """Tell whether the model's own normaliser would leave a text as it is."""
        stable = self._stable
        return all(ord(one) < _PLANE and stable[ord(one)] for one in text)

    def cut(self, text: str) -> list[int]:
        """Give the ids of the likeliest pieces of a text that it `knows`.

        As sentencepiece's unigram model: the best sum of scores, the earliest start among equals.
        """
        from numpy import float32  # its sums are of single precision, and so ours must be

        said = _SPACE + text.replace(" ", _SPACE)
        penalty = float32(self._least) - float32(_PENALTY)
        best: list[Any] = [float32(0), *[None] * len(said)]
        ways: list[tuple[int, int]] = [(0, 0)] * (len(said) + 1)
        for start in range(len(said)):
            base = best[start]
            alone = False
            for end, number in self._at(said, start):
                alone |= end == start + 1
                score = base + float32(self._scores[number])
                if best[end] is None or score > best[end]:
                    best[end], ways[end] = score, (start, self._ids[number])
            if not alone and (best[start + 1] is None or base + penalty > best[start + 1]):
                best[start + 1], ways[start + 1] = base + penalty, (start, _UNKNOWN)
        return _back(ways)

    def _at(self, said: str, start: int) -> list[tuple[int, int]]:
        """Give the pieces that stand at *start* as (end, number), the shortest first."""
        found = []
        low, count = 0, len(self._ids)
        for end in range(start + 1, len(said) + 1):
            wanted = said[start:end].encode()
            low = bisect_left(range(count), wanted, low, count, key=self._piece)
            if low == count:
                break
            piece = self._piece(low)
            if piece == wanted:
                found.append((end, low))
            elif not piece.startswith(wanted):
                break
        return found

    def _piece(self, number: int) -> bytes:
        return self._pieces[self._places[number] : self._places[number + 1]]


def _map(path: Path) -> mmap.mmap:
    with path.open("rb") as stream:
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _back(ways: list[tuple[int, int]]) -> list[int]:
    """Walk back from the end; unknown characters side by side count as one, as in sentencepiece."""
    ids: list[int] = []
    end = len(ways) - 1
    while end > 0:
        end, found = ways[end]
        if found != _UNKNOWN or not ids or ids[-1] != _UNKNOWN:
            ids.append(found)
    return ids[::-1]


def keep(processor: Any, write: Callable[[str, bytes], object]) -> None:
    """Write the vocabulary of a loaded model for `Vocabulary` to map."""
    usual = [
        number
        for number in range(processor.GetPieceSize())
        if not (processor.IsControl(number) or processor.IsUnknown(number) or processor.IsUnused(number))
    ]
    named = sorted((processor.IdToPiece(number).encode(), number) for number in usual)
    places = array("I", [0])
    for piece, _ in named:
        places.append(places[-1] + len(piece))
    scores = array("f", [processor.GetScore(number) for _, number in named])
    scores.append(min(scores))
    write("pieces", b"".join(piece for piece, _ in named))
    write("places", places.tobytes())
    write("ids", array("I", [number for _, number in named]).tobytes())
    write("scores", scores.tobytes())
    write("stable", bytes(_is_stable(processor, chr(code)) for code in range(_PLANE)))


def _is_stable(processor: Any, one: str) -> bool:
    """Tell whether a character stays itself wherever it stands; marks may join what is before them."""
    if one == " ":
        return True
    if "\ud800" <= one <= "\udfff" or one == _SPACE or unicodedata.combining(one) or one.isspace():
        return False
    return bool(processor.Normalize(f"a{one}a") == f"{_SPACE}a{one}a")
