"""What must not come back: fingerprints of forgotten atoms, and masking what still says them (DESIGN 5)."""

from collections.abc import Iterable

from memctl.layers import speech
from memctl.layers.likeness import fingerprint, key
from memctl.model import Atom

MASK = "[forgotten]"


class Forgotten:
    """The fingerprints of what people had forgotten in one scope.

    Of a forgotten atom only these are kept: of each content it had, and of each sentence it came from.
    """

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self._marks: frozenset[str] = frozenset(
            mark for atom in atoms if atom.status == "forgotten" for mark in fingerprints(atom)
        )

    def __bool__(self) -> bool:
        return bool(self._marks)

    def has(self, mark: str) -> bool:
        """Tell whether a fingerprint is one of something forgotten."""
        return mark in self._marks

    def hides(self, text: str) -> bool:
        """Tell whether a text says what was forgotten, whatever its case, width, spacing or look-alikes."""
        if not self._marks:
            return False
        if fingerprint(text) in self._marks:
            return True
        return any(fingerprint(one) in self._marks for one in speech.split(text))

    def masked(self, text: str, mask: str = MASK) -> str:
        """Give a text with every forgotten sentence replaced; the same text when there is none."""
        if not self._marks or not text:
            return text
        pieces = [(start, end) for start, end in _places(text) if fingerprint(text[start:end]) in self._marks]
        for start, end in reversed(pieces):
            text = text[:start] + mask + text[end:]
        return text


def fingerprints(atom: Atom) -> tuple[str, ...]:
    """Give the fingerprints that are left of a forgotten atom."""
    marks = atom.metadata.get("fingerprints")
    return tuple(mark for mark in marks if isinstance(mark, str)) if isinstance(marks, list) else ()


def marks_of(versions: Iterable[Atom]) -> list[str]:
    """Give the fingerprints that forgetting an atom leaves: of its contents, their sentences, and its sources."""
    marks: list[str] = []
    for atom in versions:
        for text in (atom.content, *speech.split(atom.content)):
            if key(text):
                marks.append(fingerprint(text))
        marks += [*atom.said, *fingerprints(atom)]
    return list(dict.fromkeys(marks))


def _places(text: str) -> Iterable[tuple[int, int]]:
    """Give where the sentences of a text stand; those that were changed by cutting (wrapped lines) are not found."""
    at = 0
    for sentence in speech.split(text):
        start = text.find(sentence, at)
        if start >= 0:
            yield start, start + len(sentence)
            at = start + len(sentence)
