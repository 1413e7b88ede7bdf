"""Twins: runs without a session id that begin with the same words are told apart by where they part (DESIGN 2.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memctl import readers
from memctl.model import Call, Json, Message, SessionFacts
from memctl.passes.recording import clean, message_id
from memctl.passes.spool import key_of
from memctl.store import Store, messages, parts
from memctl.store.cleared import Cleared
from memctl.text.names import short_hash

_OWN = "msg-"  # an id that hashes the whole of what a message says
_LONG_ID = 16  # letters of a native id that no other run gives; a shorter one may be a place in a list
_GROWING = 2  # messages at the end of a beginning that may still grow: a call and its result


class Told(NamedTuple):
    """A message as it is compared. text: what it says where its id may be another run's too, else ""."""

    key: int
    text: str


class Runs:
    """The runs without an id of one source, beside those that are stored."""

    def __init__(self, store: Store, source: readers.Source, format_name: str, gone: Cleared) -> None:
        """Nothing is read before it is asked for."""
        self._store = store
        self._source = source
        self._format = format_name
        self._gone = gone
        self._given: dict[str, list[Told]] | None = None

    def choose(self, key: str, session: str) -> str:
        """Give the session id for a run: that of the stored one of which it is a copy, a beginning or the rest.

        A run that parts from all of them gets the id with a hash of where it does: from each it meets it goes
        on to the one whose id names the message that it has there.
        """
        if not self._store.conversation(session).is_file():
            return self._sibling(key, session) if self._gone.has(session, "l0") else session
        chosen = session
        while self._store.conversation(chosen).is_file():
            parts_at = self._parting(key, chosen)
            if parts_at is None:
                return chosen
            chosen = next_id(session, chosen, parts_at)
        return chosen

    def _sibling(self, key: str, session: str) -> str:
        """Find a run among those that parted from one that was cleared since."""
        for path in self._store.conversations():
            name = messages.session_of(path)
            if name.startswith(f"{session}~") and self._parting(key, name) is None:
                return name
        return session

    def _parting(self, key: str, stored: str) -> str | None:
        """Give the key of the message at which a run parts from a stored one; None where one begins the other."""
        if self._given is None:
            self._given = _runs_of(self._source, self._format, redacts=self._store.config.redact)
        return parting(self._given.get(key, []), _stored(self._store, stored))


def parting(ours: Sequence[Told], theirs: Sequence[Told]) -> str | None:
    """Give the key of the message at which a run parts from another; None where one begins the other."""
    shorter = min(len(ours), len(theirs))
    for place, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one == other:
            continue
        grows = one.text.startswith(other.text) or other.text.startswith(one.text)
        if one.key != other.key or not (grows and place >= shorter - _GROWING):
            return f"{one.key:016x}"
    return None


def next_id(session: str, chosen: str, parts_at: str) -> str:
    """Give the id to look at next for a run that was made the id *session* and parts from the run *chosen*."""
    return f"{session}~{short_hash(8, chosen, parts_at)}"


def made_id(facts: SessionFacts, message: Message, alike: Counter[tuple[str, ...]]) -> str:
    """Make the id of a session without one from its first user message; *alike* counts them in a source."""
    start = message.timestamp or facts.facts.get("started", "")
    seed = (parts.readable(message.parts), start, facts.seed)
    alike[seed] += 1
    return f"t-{short_hash(12, *seed, alike[seed])}"


def _runs_of(source: readers.Source, format_name: str, *, redacts: bool) -> dict[str, list[Told]]:
    """Read a source once more for what its runs without an id say, from the first user message on."""
    alike: Counter[tuple[str, ...]] = Counter()
    known: dict[str, SessionFacts] = {}
    names: dict[str, str] = {}
    equals: Counter[int] = Counter()
    runs: dict[str, dict[int, str]] = {}
    for event in readers.read(source, format_name):
        if isinstance(event, SessionFacts):
            before = known.get(event.key)
            facts = {**event.facts, **(before.facts if before else {})}
            known[event.key] = SessionFacts(event.key, event.id, event.format, event.seed, facts)
        if not isinstance(event, Message):
            continue
        run = known.get(event.session)
        if run is None or run.id is not None:
            continue
        if event.session not in names:
            if event.role != "user":
                continue
            names[event.session] = made_id(run, event, alike)
        name = names[event.session]
        identity = message_id(name, event, 0)
        if event.id is None:
            likeness = key_of(identity)
            identity = message_id(name, event, equals[likeness])
            equals[likeness] += 1
        text = "" if _is_sure(identity) else _told(event, redacts=redacts)
        said = runs.setdefault(event.session, {})
        at = key_of(identity)
        said[at] = max(said.get(at, ""), text, key=len)
    return {key: [Told(*one) for one in said.items()] for key, said in runs.items()}


def _is_sure(identity: str) -> bool:
    return identity.startswith(_OWN) or len(identity) >= _LONG_ID


def _told(message: Message, *, redacts: bool) -> str:
    found = [clean(part)[0] for part in message.parts] if redacts else list(message.parts)
    calls = [(part.name, part.arguments) for part in found if isinstance(part, Call)]
    return _written(message.role, parts.readable(tuple(found)), calls)


def _written(role: str, words: str, calls: Iterable[tuple[Json, Json]]) -> str:
    listed = "".join(f"\0{name}\0{short_hash(12, arguments)}" for name, arguments in calls)
    return f"{role}\0{words}{listed}"


def _stored(store: Store, session: str) -> list[Told]:
    """Give what a stored run says, from its first user message on."""
    told: dict[int, Told] = {}
    places: list[tuple[int, int]] = []
    users: set[int] = set()
    for stored in messages.read(store.conversation(session)):
        if stored.role == messages.SESSION_ROLE or stored.fields.get("sessionId", session) != session:
            continue  # a stray line of another session says nothing of this one
        if stored.fields.get("from"):  # an export holds the words alone, without the calls between them
            continue
        one = of_record(stored)
        places.append((stored.seq, one.key))
        if stored.role == "user":
            users.add(one.key)
        told[one.key] = one
    order = messages.order_of(places)
    first = next((place for place, key in enumerate(order) if key in users), 0)
    return [told[key] for key in order[first:]]


def of_record(stored: messages.Stored) -> Told:
    """Give what a stored message says, to be compared."""
    key = key_of(stored.id)
    if _is_sure(stored.id):
        return Told(key, "")
    calls = [(part.get("name"), part.get("arguments")) for part in stored.parts if part.get("type") == "call"]
    return Told(key, _written(stored.role, stored.content, calls))
