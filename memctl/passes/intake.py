"""Intake: the events of one source become L0 records, refs and drafts of entries, session by session.

Nothing here depends on what comes later in the source: a transcript cut anywhere gives the same
records for what it holds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from memctl import files
from memctl.model import Damage, Event, Message, SessionFacts, Skipped
from memctl.passes.recording import Recorder, SessionIntake, message_id
from memctl.passes.spool import Spool
from memctl.passes.twins import made_id
from memctl.store import Store
from memctl.text.redaction import redact

_LINKS = frozenset(("parent", "parent_call", "started"))  # facts that lead to another session or make an id

_REFS_A_FLUSH = 2_000  # a batch of refs is made durable together


class Intake:
    """Takes the events of one source for one store."""

    def __init__(self, store: Store, batch: files.Batch) -> None:
        """Begin a source; *batch* takes the refs. `resume` says how sessions are chosen."""
        self.sessions: dict[str, SessionIntake] = {}
        self.damages: list[Damage] = []
        self.skipped: Counter[str] = Counter()
        self._store = store
        self._facts: dict[str, SessionFacts] = {}
        self._early: dict[str, list[Message]] = {}  # before the first user message of a session without id
        self._makers: dict[str, Recorder] = {}
        self._alike: Counter[tuple[str, ...]] = Counter()
        self._batch = batch
        self._out: set[str] = set()  # keys of the sessions that are left out

    def resume(
        self, choose_id: Callable[[str, str, str | None], str], stays_out: Callable[[str], bool]
    ) -> None:
        """Say how sessions are chosen from here on.

        choose_id: gives the session id to store under, from (session key, session id, id of the first
            message): an id that was used again after a reset is another session, and so is (None for the
            message: the id was made) another run that begins alike.
        stays_out: tells a session that was cleared; such a one, and what a subagent did for it, is left out.
        """
        self._choose_id = choose_id
        self._stays_out = stays_out

    def __getstate__(self) -> dict[str, object]:
        """Give what is known so far, without the ways to choose."""
        ways = ("_choose_id", "_stays_out")
        return {name: value for name, value in self.__dict__.items() if name not in ways}

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events; whatever was stored before an error stays."""
        for event in events:
            match event:
                case Message():
                    self._message(event)
                case SessionFacts():
                    self._session(event)
                case Damage():
                    self.damages.append(event)
                case Skipped():
                    self._skip(event)
            if len(self._batch) >= _REFS_A_FLUSH:
                self._batch.commit()

    def finish(self) -> None:
        """Draft what is still open; no event comes any more."""
        for maker in self._makers.values():
            maker.finish()
        self._batch.commit()

    @property
    def without_user(self) -> int:
        """Count of conversations without id and user message: they make no session (DESIGN 2.1)."""
        return len(self._early)

    @property
    def links(self) -> list[SessionFacts]:
        """Give the facts of sessions that have no message here: a parent knows who started its subagents."""
        return [
            facts for key, facts in self._facts.items() if facts.id is not None and key not in self._makers
        ]

    def _session(self, event: SessionFacts) -> None:
        if self._store.config.redact:  # a title is made of what was said, and goes far
            event = replace(event, facts=_redacted(event.facts))
        known = self._facts.get(event.key)
        merged = replace(event, facts={**event.facts, **known.facts}) if known else event
        self._facts[event.key] = merged
        maker = self._makers.get(event.key)
        if maker:
            maker.intake.facts = dict(merged.facts)

    def _skip(self, event: Skipped) -> None:
        maker = self._makers.get(event.session) if event.session else None
        counter = maker.intake.skipped if maker else self.skipped
        counter[event.kind] += 1

    def _message(self, message: Message) -> None:
        if message.session in self._out:
            return
        maker = self._makers.get(message.session)
        if maker is None:
            facts = self._facts.get(message.session) or SessionFacts(message.session, message.session, "")
            if facts.id is None and message.role != "user":
                self._early.setdefault(message.session, []).append(message)
                return
            early = self._early.pop(message.session, [])
            begun = self._begin(facts, message, (early or [message])[0])
            if begun is None:
                self._out.add(message.session)
                return
            maker = begun
            for waiting in early:
                maker.take(waiting)
        maker.take(message)

    def _begin(self, facts: SessionFacts, message: Message, first: Message) -> Recorder | None:
        named = facts.id if facts.id is not None else made_id(facts, message, self._alike)
        of_first = message_id(named, first, 0) if facts.id is not None else None
        chosen = self._choose_id(facts.key, named, of_first)
        owner = facts.facts.get("parent", "") if is_spawned(named, facts.facts) else chosen
        if self._stays_out(chosen) or self._stays_out(owner):
            return None
        intake = self.sessions.get(chosen)
        if intake is None:
            home = self._store.home
            intake = SessionIntake(chosen, facts.format, Spool(home), Spool(home), dict(facts.facts))
            self.sessions[chosen] = intake
        maker = Recorder(self._store, self._batch, intake, named)
        self._makers[facts.key] = maker
        return maker


def _redacted(facts: Mapping[str, str]) -> dict[str, str]:
    return {name: value if name in _LINKS else redact(value)[0] for name, value in facts.items()}


def is_spawned(session: str, facts: Mapping[str, object]) -> bool:
    """Tell whether a session is that of a subagent, which belongs to the one that began it."""
    return bool(facts.get("parent_call")) or (bool(facts.get("parent")) and session.startswith("agent-"))
