"""Taking: one source is read as the format it has, and its messages and results are stored."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memctl import files, readers
from memctl.errors import InputError, MemctlError
from memctl.model import Damage, Json, Message, SessionFacts
from memctl.passes import conversations, sources
from memctl.passes.intake import Intake
from memctl.passes.recording import SessionIntake, message_id
from memctl.passes.report import Row
from memctl.passes.shards import IN_SHARDS
from memctl.passes.sources import Candidate
from memctl.passes.spool import Spool, key_of
from memctl.passes.twins import Runs
from memctl.store import Store, cleared, messages
from memctl.store.cleared import Cleared
from memctl.text.names import short_hash
from memctl.text.redaction import redact

_FILES_A_FLUSH = 500  # files put in place together


@dataclass
class Aside:
    """A source as it was read, with everything that came of it still aside.

    row: what it came to so far. named: the session ids it uses itself. links: what it says of sessions
    that stand elsewhere. cleared: hashes of its sessions that were cleared, and when.
    """

    row: Row
    batch: files.Batch
    sessions: list[SessionIntake] = field(default_factory=list)
    links: list[SessionFacts] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    cleared: dict[str, str] = field(default_factory=dict)


def read(
    store: Store, candidate: Candidate, format_name: str | None, *, holds: bool = False, again: bool = False
) -> Aside:
    """Read one source into records and drafts; its refs are put in place at once unless *holds*.

    Sessions that were cleared are left out unless *again*, which lifts that. What is wrong with the source is in
    its row, and so is an exception that a reader should not have raised; only what is wrong with the store is
    raised.
    """
    aside = Aside(Row(candidate.shown, candidate.named), store.batch())
    aside.batch.holds = holds
    row = aside.row
    intake: Intake | None = None
    try:
        source = sources.opened(candidate)
        found = format_name or _format_of(source)
        if found is None:
            row.outcome, row.reason = "skipped", _why_not(source)
            return aside
        row.format = found
        gone = cleared.load(store)
        intake = Intake(store, aside.batch)
        intake.resume(
            chooser(store, source, found, aside.named, gone), gate(gone, aside.cleared, again=again)
        )
        intake.take(readers.read(source, found))
        intake.finish()
    except InputError as error:
        where = "" if candidate.shown in str(error) else f"{candidate.shown}: "
        row.outcome, row.reason = "failed", f"{where}{error}"
        return aside
    except (MemctlError, OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a bug of one reader; the other sources know nothing of it
        row.met(error, "reading it")
        aside.sessions = list(intake.sessions.values()) if intake else []
        drop(aside)
        aside.sessions = []
        return aside
    aside.sessions, aside.links = list(intake.sessions.values()), intake.links
    row.sessions, row.damages = len(aside.sessions), intake.damages
    if not aside.sessions:
        row.reason = "no messages in it"
    if aside.cleared and not again:
        day = max(aside.cleared.values())[:10]
        row.left_out = len(aside.cleared)
        if not aside.sessions:
            row.outcome, row.damages = "skipped", []
            row.reason = f"its session was cleared on {day}; --again imports it again"
    return aside


def gate(gone: Cleared, found: dict[str, str], *, again: bool) -> Callable[[str], bool]:
    """Make the function that tells the sessions that stay out, and takes note of them."""

    def stays_out(session: str) -> bool:
        if not session or not gone.has(session, "l0"):
            return False
        found[cleared.mark(session)] = gone.when(session)
        return not again

    return stays_out


def put(store: Store, candidate: Candidate, aside: Aside) -> None:
    """Store what was read: refs, then the messages of each session."""
    if aside.cleared and aside.row.left_out == 0 and store.keeps:
        cleared.lift(store, aside.cleared)
    aside.batch.holds = False
    aside.batch.commit()
    row, batch = aside.row, store.batch()
    for session in aside.sessions:
        merged = conversations.merge(store, batch, session, _base_name(candidate))
        row.new += merged.new
        row.counts.update(session.counts)
        session.records.close()
        session.drafts.rest()
        if len(batch) >= _FILES_A_FLUSH:
            batch.commit()
    quarantine(store, batch, candidate, row.damages)
    batch.commit()


def drop(aside: Aside) -> None:
    """Throw away what was read."""
    aside.batch.drop()
    for session in aside.sessions:
        session.records.close()
        session.drafts.close()


def link(store: Store, links: list[SessionFacts]) -> list[str]:
    """Tell sessions that stand in files of their own what the files of their parents say of them.

    Gives those to which that was new.
    """
    batch = store.batch()
    changed: dict[str, None] = {}
    for facts in links:
        if facts.id is not None and store.conversation(facts.id).is_file():
            told = SessionIntake(
                facts.id, facts.format, Spool(store.home), Spool(store.home), dict(facts.facts)
            )
            if conversations.merge(store, batch, told, "").changed:
                changed[facts.id] = None
    batch.commit()
    return list(changed)


def _format_of(source: readers.Source) -> str | None:
    found = readers.detect(source)
    return found.name if found else None


def _why_not(source: readers.Source) -> str:
    """Say why a source is no transcript, and what it comes nearest to."""
    if reason := readers.sidecar(source):
        return reason
    if source.shape == "empty":
        return source.trouble or "the file is empty"
    if source.shape == "binary":
        return "a binary file, not a transcript"
    nearest = readers.nearest(source)
    hint = f"; nearest: {', '.join(nearest)} (--from NAME reads it as that)" if nearest else ""
    return f"not a transcript format that memctl knows{hint}"


def _base_name(candidate: Candidate) -> str:
    return candidate.path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def chooser(
    store: Store, source: readers.Source, format_name: str, named: set[str], gone: Cleared
) -> Callable[[str, str, str | None], str]:
    """Make the function that tells a session from another one of the same id (DESIGN 2.1).

    An id that a reset used again, with messages that share nothing with what is stored, is another
    session: the id and a hash of its first message. *named* collects the ids asked for. Of a session whose id
    was made (no first message is given) `twins` says which it is.
    """
    runs = Runs(store, source, format_name, gone)

    def choose(key: str, session: str, first: str | None) -> str:
        named.add(session)
        if format_name == IN_SHARDS:
            return session
        if first is None:
            return runs.choose(key, session)
        if not store.conversation(session).is_file():
            other = f"{session}~{short_hash(8, first)}"
            of_other = gone.has(session, "l0") and store.conversation(other).is_file()
            return other if of_other else session
        stored = conversations.stored_keys(store, session)
        if not stored or key_of(first) in stored:
            return session
        if messages.facts(store.conversation(session)).get("format") == IN_SHARDS:
            return session  # the original names sessions as the agent does, and messages as it likes
        other = f"{session}~{short_hash(8, first)}"
        if store.conversation(other).is_file():
            return other
        shares = any(known in stored for known in _keys_of(source, format_name, key, session))
        return session if shares else other

    return choose


def _keys_of(source: readers.Source, format_name: str, key: str, session: str) -> Iterable[int]:
    """Read a source once more for the keys of one session's messages."""
    equals: Counter[str] = Counter()
    for event in readers.read(source, format_name):
        if isinstance(event, Message) and event.session == key:
            likeness = message_id(session, event, 0)
            yield key_of(message_id(session, event, equals[likeness]))
            equals[likeness] += 1


def quarantine(store: Store, batch: files.Batch, candidate: Candidate, damages: list[Damage]) -> None:
    """Keep what could not be read, secrets replaced, where a person can look at it."""
    path = store.private("quarantine", f"{short_hash(12, _base_name(candidate), candidate.shown)}.jsonl")
    if not damages:
        return
    records: list[Json] = [
        {
            "source": candidate.shown,
            "line": damage.line,
            "offset": damage.offset,
            "reason": damage.reason,
            "data": redact(damage.data.decode("utf-8", "backslashreplace"))[0],
        }
        for damage in damages
    ]
    batch.write_if_changed(path, (files.encode(record) + b"\n" for record in records))
