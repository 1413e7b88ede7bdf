"""The messages that an atom came from, with the words that say it."""

from dataclasses import dataclass

from memctl.layers import speech
from memctl.layers.forgetting import Forgotten
from memctl.layers.likeness import fingerprint
from memctl.model import Atom
from memctl.store import Store, messages
from memctl.store.atoms import of_session


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
    words = speech.own_words(stored.content, stored.marks)
    said = set(atom.said)
    return " ".join(one for one in speech.split(words) if fingerprint(one) in said) or words
