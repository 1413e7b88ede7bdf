"""A fast estimate of how many o200k tokens a text has (DESIGN 7): no vocabulary, no network.

Every character belongs to one of 16 classes. How likely a token begins at a character depends, closely
enough, on its class and the class before it, so the sum over all pairs of neighbours is the estimate.
All pairs are looked up at once: a text is one big integer of class numbers, and shifting it by a
character lays every neighbour beside its own. Integers only: the same count on every machine.
"""

import re
import string
from collections.abc import Callable

from memctl.text.token_weights import LATIN_CLASSES, LATIN_PAIRS, LISTED, SCRIPT_PAIRS, SCRIPT_RANGES

_CHUNK = 1 << 14  # characters; big integers of this size stay in the cache
_PIECES = 64
_UNIT = 200  # of one token
_SCRIPT_UNIT, _SCRIPT_ZERO = 4, 50  # a step of SCRIPT_PAIRS, and where it is nothing
_NOT_LATIN = re.compile(r"[^\x00-\xff]+")


def count_tokens(text: str) -> int:
    """Estimate the o200k tokens of *text*; 0 for the empty text, else at least 1.

    Texts of 1,000 characters or more are right within 10 % in nine of ten cases (English, code, JSON,
    logs, Chinese, Japanese, Korean, emoji); other languages within 20 %. Linear, some 80 MB/s of ASCII;
    of more than a million characters 64 evenly spaced pieces speak for the rest.
    """
    length = len(text)
    if length <= _CHUNK * _PIECES:
        cost = sum(_cost(text, start) for start in range(0, length, _CHUNK))
    else:
        pieces = sum(_cost(text, length * piece // _PIECES) for piece in range(_PIECES))
        cost = pieces * length // (_CHUNK * _PIECES)
    return max((cost + _UNIT // 2) // _UNIT, min(length, 1))


def exact_counter() -> Callable[[str], int]:
    """Give a function that counts o200k tokens exactly, with the extra `tokens` (bpe-openai); no network.

    Lone surrogates, which have no UTF-8, count as U+FFFD. Raises ImportError when the extra is not there.
    """
    import bpe_openai

    encode = bpe_openai.get_encoding("o200k_base").encode_ordinary

    def count(text: str) -> int:
        return len(encode(text.encode("utf-8", "replace").decode("utf-8")))

    return count


def _cost(text: str, start: int) -> int:
    """Sum the pairs of one chunk of *text*, in `_UNIT`; the character before it only gives its class."""
    skip = 1 if start else 0
    chunk = text[start - skip : start + _CHUNK]
    try:
        latin, cost = chunk.encode("latin-1"), 0
    except UnicodeEncodeError:
        latin, cost = chunk.encode("latin-1", "replace"), _script_cost(chunk, skip)
    return cost + sum(_pairs(latin.translate(_LATIN))[skip:].translate(_LATIN_WEIGHTS))


def _script_cost(chunk: str, skip: int) -> int:
    """Sum the pairs of *chunk* that hold a character outside Latin-1, in `_UNIT`.

    Latin pairs cost nothing here, so the runs with one neighbour on each side say it all.
    """
    runs = [chunk[max(run.start() - 1, 0) : run.end() + 1] for run in _NOT_LATIN.finditer(chunk)]
    codes = bytes(map(_SCRIPT.__getitem__, "".join(runs)))
    costs = _pairs(codes)[skip:].translate(_SCRIPT_WEIGHTS)
    return _SCRIPT_UNIT * (sum(costs) - _SCRIPT_ZERO * len(costs))


def _pairs(codes: bytes) -> bytes:
    """Give for each of *codes* (0 to 15) one byte: the code before in the high half, itself in the low."""
    number = int.from_bytes(codes, "little")
    return (number | number << 12).to_bytes(len(codes) + 2, "little")[: len(codes)]


# --------------------------------------------------------------------------- classes


def _latin_classes() -> bytes:
    classes = bytearray([15]) * 256
    for number, characters in enumerate(LATIN_CLASSES):
        for character in characters:
            classes[ord(character)] = number
    for point in (*range(0xC0, 0xD7), *range(0xD8, 0xDF)):
        classes[point] = 5
    for point in (*range(0xDF, 0xF7), *range(0xF8, 0x100)):
        classes[point] = 1
    return bytes(classes)


class _ScriptClasses(dict[str, int]):
    """The class of every character; one that is not listed by itself is found when first asked for."""

    def __missing__(self, character: str) -> int:
        point = ord(character)
        known = (number for first, last, number in SCRIPT_RANGES if first <= point <= last)
        self[character] = next(known, 6)
        return self[character]


def _script_classes() -> _ScriptClasses:
    classes = _ScriptClasses(dict.fromkeys(map(chr, range(0xC0)), 0))
    classes.update(dict.fromkeys(string.ascii_letters + string.digits, 1))
    classes.update(dict.fromkeys(map(chr, range(0xC0, 0x100)), 1) | {"×": 0, "÷": 0})
    for number, characters in LISTED.items():
        classes.update(dict.fromkeys("".join(characters.split()), number))
    return classes


_LATIN = _latin_classes()
_LATIN_WEIGHTS = bytes(map(int, LATIN_PAIRS.split()))
_SCRIPT = _script_classes()
_SCRIPT_WEIGHTS = bytes(map(int, SCRIPT_PAIRS.split()))
