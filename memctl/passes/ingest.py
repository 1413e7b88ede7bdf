"""The ingest pass: transcripts become conversations, refs, entries, canvases and tasks (DESIGN 4).

Sources are taken one after the other and stored at once; then every session that got something is
derived, in order of its first time. Killed anywhere, what is stored is whole, and the next run does the
rest: a source is remembered only after everything that came from it is in place.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memctl.passes import sources
from memctl.passes.report import Report, Row
from memctl.passes.sources import Candidate, Cursors
from memctl.store import Store

if TYPE_CHECKING:  # a run over unchanged files reads and draws nothing
    from memctl.model import SessionFacts
    from memctl.passes.spool import Spool

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
            from memctl.passes import taking

            taken, linked = taking.take(store, candidate, row, format_name)
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
    if waiting or links:
        from memctl.passes import taking
        from memctl.passes.derive import derive_all

        taking.link(store, links)
        derive_all(store, waiting, report)
    for candidate, state, sessions, reason in finished:
        cursors.remember(candidate, state, sessions, reason)
    cursors.save()
    return report
