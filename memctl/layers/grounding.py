"""Whether the evidence of an atom is there and still says it; for `check` (DESIGN 9, the chain)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memctl.layers import speech
from memctl.layers.forgetting import Forgotten
from memctl.layers.likeness import fingerprint
from memctl.model import Atom
from memctl.store import Store, messages
from memctl.store.atoms import of_session


@dataclass(frozen=True, slots=True)
class Weakness:
    """A break in an atom's evidence.

    what: `missing` (the message is gone), `not_user` (no person said it), `unsaid` (the message does not say
    it any more) or `none` (an atom by the rules without any source). source: `session/message`.
    """

    atom: str
    what: Literal["missing", "not_user", "unsaid", "none"]
    source: str


def says(atom: Atom, content: str, marks: Iterable[Iterable[object]] = ()) -> bool:
    """Tell whether a message still says what an atom came from; one without fingerprints is believed."""
    if not atom.said:
        return True
    said = set(atom.said)
    words = speech.own_words(content, marks)
    return any(fingerprint(one.text) in said for one in speech.sentences(words)) or any(
        fingerprint(one) in said for one in speech.split(words)
    )


@dataclass(frozen=True, slots=True)
class Source:
    """A message that an atom came from: the sentences that say it, as they were said; "" when it is not there."""

    session: str
    message: str
    time: str | None
    words: str


def evidence(store: Store, atom: Atom, forgotten: Forgotten) -> list[Source]:
    """Give the messages that an atom came from, in its order; without words that were forgotten."""
    wanted: dict[str, set[str]] = {}
    places = [of_session(atom, name) for name in atom.sources]
    for session, message in places:
        wanted.setdefault(session, set()).add(message)
    found: dict[tuple[str, str], Source] = {}
    for session, names in wanted.items():
        for stored in messages.conversation(store.conversation(session)):
            if stored.id in names:
                time = stored.fields.get("timestamp")
                words = "" if atom.status == "forgotten" else forgotten.masked(_saying(atom, stored))
                found[session, stored.id] = Source(
                    session, stored.id, time if isinstance(time, str) else None, words
                )
    return [found.get(place) or Source(*place, None, "") for place in places]


def _saying(atom: Atom, stored: messages.Stored) -> str:
    """Give the sentences of a message that an atom came from; the user's own words when none is marked."""
    words = speech.own_words(stored.content, [tuple(mark) for mark in stored.marks])
    said = set(atom.said)
    return " ".join(one for one in speech.split(words) if fingerprint(one) in said) or words


def weaknesses(store: Store, atoms: Iterable[Atom]) -> Iterator[Weakness]:
    """Give what is wrong with the evidence of atoms; each conversation is read once."""
    wanted: dict[str, dict[str, list[Atom]]] = {}
    for atom in atoms:
        if atom.status == "forgotten":
            continue
        if not atom.sources and atom.actor == "rules":
            yield Weakness(atom.id, "none", "")
        for name in atom.sources:
            session, message = of_session(atom, name)
            wanted.setdefault(session, {}).setdefault(message, []).append(atom)
    for session in sorted(wanted):
        waiting = wanted[session]
        for stored in messages.conversation(store.conversation(session)):
            for atom in waiting.pop(stored.id, ()):
                source = f"{session}/{stored.id}"
                if stored.role != "user":
                    yield Weakness(atom.id, "not_user", source)
                elif atom.actor != "human" and not says(
                    atom, stored.content, [tuple(mark) for mark in stored.marks]
                ):
                    yield Weakness(atom.id, "unsaid", source)
        for message, listed in waiting.items():
            for atom in listed:
                yield Weakness(atom.id, "missing", f"{session}/{message}")
