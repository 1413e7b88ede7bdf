"""The ingest pass: transcripts become conversations, refs, entries, canvases and tasks (DESIGN 4).

Sources are taken one after the other and stored at once; then every session that got something is
derived, in order of its first time. Killed anywhere, what is stored is whole, and the next run does the
rest: a source is remembered only after everything that came from it is in place.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memctl import files, readers
from memctl.errors import InputError
from memctl.model import Damage, Json, Message, SessionFacts
from memctl.passes import canvases, conversations, sources
from memctl.passes.derive import derive
from memctl.passes.intake import Intake
from memctl.passes.recording import SessionIntake, message_id
from memctl.passes.sources import Candidate, Cursors
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, messages
from memctl.text.names import normal_time, short_hash
from memctl.text.redaction import redact

_FILES_A_FLUSH = 500  # files put in place together


@dataclass
class Row:
    """What one source came to.

    outcome: taken, unchanged, skipped (no transcript) or failed; reason: why, for people.
    """

    path: str
    named: bool
    format: str = ""
    outcome: str = "taken"
    reason: str = ""
    sessions: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    new: int = 0
    damages: list[Damage] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Tell whether the source gave nothing that can be used."""
        return self.outcome in ("skipped", "failed") or (self.outcome == "taken" and self.sessions == 0)


@dataclass
class Report:
    """What an ingest did: a row a source, the sessions that changed and the canvases they have."""

    rows: list[Row] = field(default_factory=list)
    sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)

    def total(self, name: str) -> int:
        """Add up one count over all sources."""
        return sum(row.counts[name] for row in self.rows)


Progress = Callable[[str, int], None]  # (path, its bytes), after each source


def ingest(
    store: Store,
    found: Iterable[Candidate],
    *,
    format_name: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Take every transcript among the files *found*; the caller holds the lock.

    Raises StoreError when the directory cannot be written; what is wrong with one source is in its row.
    """
    report = Report()
    cursors = Cursors(store)
    waiting: dict[str, list[Spool]] = {}
    links: list[SessionFacts] = []
    finished: list[tuple[Candidate, list[int] | None, list[str], str]] = []
    for candidate in found:
        state = sources.state_of(candidate)
        row = Row(candidate.path, candidate.named)
        report.rows.append(row)
        seen = cursors.seen(candidate) if format_name is None else None
        if seen is not None:
            row.outcome, row.reason = ("skipped", seen) if seen else ("unchanged", "")
        else:
            taken, linked = _take(store, candidate, row, format_name)
            links += linked
            for session in taken:
                waiting.setdefault(session.id, []).append(session.drafts)
                report.sessions.setdefault(session.id, ())
                if row.new and session.id not in report.changed:
                    report.changed.append(session.id)
            if row.outcome != "failed":
                finished.append((candidate, state, [session.id for session in taken], row.reason))
        if progress:
            progress(row.path, candidate.size)
    if not store.keeps:  # a rehearsal ends with the counts
        return report
    _link(store, links)
    _derive_all(store, waiting, report)
    for candidate, state, sessions, reason in finished:
        cursors.remember(candidate, state, sessions, reason)
    cursors.save()
    return report


# --------------------------------------------------------------------------- one source


def _take(
    store: Store, candidate: Candidate, row: Row, format_name: str | None
) -> tuple[list[SessionIntake], list[SessionFacts]]:
    """Store one source's messages and results, say in *row* what it came to, and give what it links to."""
    try:
        source = sources.opened(candidate)
        found = format_name or _format_of(source)
        if found is None:
            row.outcome, row.reason = "skipped", _why_not(source)
            return [], []
        row.format = found
        intake = Intake(store, _chooser(store, source, found))
        intake.take(readers.read(source, found))
    except InputError as error:
        row.outcome, row.reason = "failed", str(error)
        return [], []
    batch = store.batch()
    for session in intake.sessions.values():
        merged = conversations.merge(store, batch, session, _base_name(candidate))
        row.new += merged.new
        row.counts.update(session.counts)
        session.records.close()
        session.drafts.rest()
        if len(batch) >= _FILES_A_FLUSH:
            batch.commit()
    row.sessions = len(intake.sessions)
    row.damages = intake.damages
    if row.sessions == 0:
        row.reason = "no messages in it"
    _quarantine(store, batch, candidate, intake.damages)
    batch.commit()
    return list(intake.sessions.values()), intake.links


def _link(store: Store, links: list[SessionFacts]) -> None:
    """Tell sessions that stand in files of their own what the files of their parents say of them."""
    batch = store.batch()
    for facts in links:
        if facts.id is not None and store.conversation(facts.id).is_file():
            told = SessionIntake(
                facts.id, facts.format, Spool(store.home), Spool(store.home), dict(facts.facts)
            )
            conversations.merge(store, batch, told, "")
    batch.commit()


def _format_of(source: readers.Source) -> str | None:
    found = readers.detect(source)
    return found.name if found else None


def _why_not(source: readers.Source) -> str:
    """Say why a source is no transcript, and what it comes nearest to."""
    if reason := readers.sidecar(source):
        return reason
    if source.shape in ("empty", "binary"):
        return "the file is empty" if source.shape == "empty" else "a binary file, no transcript"
    nearest = readers.nearest(source)
    hint = f"; nearest: {', '.join(nearest)} (--from NAME reads it as that)" if nearest else ""
    return f"no transcript format that memctl knows{hint}"


def _base_name(candidate: Candidate) -> str:
    return candidate.path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _chooser(store: Store, source: readers.Source, format_name: str) -> Callable[[str, str, str], str]:
    """Make the function that tells a session from another one of the same id (DESIGN 2.1).

    An id that a reset used again, with messages that share nothing with what is stored, is another
    session: the id and a hash of its first message.
    """

    def choose(key: str, session: str, first: str) -> str:
        if not store.conversation(session).is_file():
            return session
        stored = conversations.stored_keys(store, session)
        if not stored or key_of(first) in stored:
            return session
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


def _quarantine(store: Store, batch: files.Batch, candidate: Candidate, damages: list[Damage]) -> None:
    """Keep what could not be read, secrets replaced, where a person can look at it."""
    path = store.private("quarantine", f"{short_hash(12, _base_name(candidate), candidate.path)}.jsonl")
    if not damages:
        return
    records: list[Json] = [
        {
            "source": candidate.path,
            "line": damage.line,
            "offset": damage.offset,
            "reason": damage.reason,
            "data": redact(damage.data.decode("utf-8", "backslashreplace"))[0],
        }
        for damage in damages
    ]
    batch.write_if_changed(path, (files.encode(record) + b"\n" for record in records))


# --------------------------------------------------------------------------- all sessions


def _derive_all(store: Store, waiting: dict[str, list[Spool]], report: Report) -> None:
    """Derive the sessions that got something, in order of (first time, id), undated last."""
    numbers = canvases.Numbers(store)
    batch = store.batch()
    for session in sorted(waiting, key=lambda name: (_instant(store, name), name)):
        drafts = waiting[session]
        derived = derive(store, batch, session, _joined(drafts), numbers)
        report.sessions[session] = derived.canvases
        if derived.changed and session not in report.changed:
            report.changed.append(session)
        for spool in drafts:
            spool.close()
        if len(batch) >= _FILES_A_FLUSH:
            batch.commit()
    batch.commit()


def _joined(drafts: list[Spool]) -> Spool:
    """Join the drafts that several sources gave one session; the longer result stays."""
    if len(drafts) == 1:
        return drafts[0]
    joined = drafts[0]
    for spool in drafts[1:]:
        for key in spool.keys():  # noqa: SIM118 - a spool is no mapping
            line, other = spool.get(key) or b"", joined.get(key)
            if other is None or len(other) < len(line):
                joined.put(key, line)
    return joined


def _instant(store: Store, session: str) -> tuple[bool, datetime]:
    time = messages.facts(store.conversation(session)).get("timestamp")
    try:
        return False, datetime.fromisoformat(normal_time(str(time))[0])
    except ValueError:
        return True, datetime.max.replace(tzinfo=UTC)
