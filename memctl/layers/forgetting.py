"""What must not come back: fingerprints of forgotten atoms, and masking what still says them (DESIGN 5)."""

from collections.abc import Iterable

from memctl.layers import speech
from memctl.layers.likeness import ends, fingerprint, is_negated, key, stands_in, words
from memctl.model import Atom
from memctl.store import Store, messages
from memctl.store.atoms import of_session

MASK = "[forgotten]"
_LEAST = 6  # letters of a saying that is looked for inside other texts
_TOLD = 3  # content words of a saying that are looked for in the sentences of other texts
_CUT = ("…", "...")  # ends a text that was cut
_QUOTED = 16  # letters of a text that may be a cut piece of a saying


class Forgotten:
    """The fingerprints of what people had forgotten in one scope.

    Of a forgotten atom only these are kept: of each content it had, and of each sentence it came from.
    """

    def __init__(self, atoms: Iterable[Atom], sayings: Iterable[str] = ()) -> None:
        """*sayings*: the forgotten sentences where the conversation still has them, for what quotes them."""
        told = ((words(text), is_negated(text)) for text in sayings)
        self._told = tuple(sorted({one for one in told if len(set(one[0])) >= _TOLD}))
        keyed = {found: ends(text) for text in sayings if len(found := key(text)) >= _LEAST}
        self._keys = tuple(sorted(keyed.items()))
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
        if fingerprint(text) in self._marks or any(
            fingerprint(one) in self._marks for one in speech.split(text)
        ):
            return True
        found = key(text)
        if len(found) >= _QUOTED:
            cut = text.rstrip().endswith(_CUT)
            if any(stands_in(found, one, places, cut=cut) for one, places in self._keys):
                return True
        return any(one in found and stands_in(one, found, ends(text)) for one, _ in self._keys)

    def echoes(self, text: str) -> bool:
        """Tell whether a text says what was forgotten in words around it, as an agent repeats a person.

        For what is only shown; what is stored is judged by `hides`, so that nothing else is forgotten with it.
        """
        if self.hides(text):
            return True
        return bool(self._told) and any(
            negated == is_negated(one) and _in_order(told, words(one))
            for one in speech.split(text)
            for told, negated in self._told
        )

    def names(self, name: str) -> bool:
        """Tell whether a name of the graph says what was forgotten, or is some words of one such saying."""
        return self.echoes(name) or self._within(name)

    def tells(self, subject: str, relation: str, name: str) -> bool:
        """Tell whether a triple says what was forgotten: one of its names does, or all of it together."""
        told = f"{relation.replace('_', ' ')} {name}"
        return self.names(subject) or self.names(name) or self.names(told) or self.echoes(f"{subject} {told}")

    def _within(self, text: str) -> bool:
        found = frozenset(words(text))
        return len(found) > 1 and any(found.issubset(told) for told, _ in self._told)

    def masked(self, text: str, mask: str = MASK) -> str:
        """Give a text with every forgotten sentence replaced; the same text when there is none."""
        if not self._marks or not text:
            return text
        pieces = [(start, end) for start, end in _places(text) if fingerprint(text[start:end]) in self._marks]
        for start, end in reversed(pieces):
            text = text[:start] + mask + text[end:]
        return text


def load(store: Store, atoms: Iterable[Atom]) -> Forgotten:
    """Give what a scope has forgotten, with the sentences that its conversations still say."""
    gone = [atom for atom in atoms if atom.status == "forgotten"]
    wanted: dict[str, set[str]] = {}
    marks = {mark for atom in gone for mark in fingerprints(atom)}
    for atom in gone:
        for name in atom.sources:
            session, message = of_session(atom, name)
            wanted.setdefault(session, set()).add(message)
    sayings: list[str] = []
    for session in sorted(wanted):
        for stored in messages.conversation(store.conversation(session)):
            if stored.id in wanted[session]:
                own = speech.own_words(stored.content, stored.marks)
                sayings += [one for one in speech.split(own) if fingerprint(one) in marks]
    return Forgotten(gone, sayings)


def fingerprints(atom: Atom) -> tuple[str, ...]:
    """Give the fingerprints that are left of a forgotten atom."""
    marks = atom.metadata.get("fingerprints")
    return tuple(mark for mark in marks if isinstance(mark, str)) if isinstance(marks, list) else ()


def marks_of(versions: Iterable[Atom]) -> list[str]:
    """Give the fingerprints that forgetting an atom leaves: of its contents and of its sources' sentences."""
    marks: list[str] = []
    for atom in versions:
        for text in (atom.content, *speech.split(atom.content)):
            marks += [fingerprint(text)] if key(text) else []
        # "option 2" is said of many things.
        said = () if "context_message_ids" in atom.metadata else atom.said
        marks += [*said, *fingerprints(atom)]
    return list(dict.fromkeys(marks))


def _in_order(told: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """Tell whether all words of a saying stand in another text, in their order."""
    left = iter(found)
    return all(word in left for word in told)


def _places(text: str) -> Iterable[tuple[int, int]]:
    """Give where the sentences of a text stand; those that wrapped lines changed are not found."""
    at = 0
    for sentence in speech.split(text):
        start = text.find(sentence, at)
        if start >= 0:
            yield start, start + len(sentence)
            at = start + len(sentence)
