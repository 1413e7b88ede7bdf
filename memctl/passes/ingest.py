"""The ingest pass: transcripts become conversations, refs, entries, canvases and tasks (DESIGN 4).

Sources are taken one after the other and stored at once; then every session that got something is
derived, in order of its first time. Killed anywhere, what is stored is whole, and the next run does the
rest: a source is remembered only after everything that came from it is in place.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from memctl import files
from memctl.errors import InputError, MemctlError
from memctl.passes import notes, plans
from memctl.passes.listing import fingerprint
from memctl.passes.report import Report, Row, traced
from memctl.passes.sources import Candidate, Cursors, candidates
from memctl.store import Store

if TYPE_CHECKING:  # a run over unchanged files reads and draws nothing
    from memctl.model import SessionFacts
    from memctl.passes.spool import Spool
    from memctl.passes.taking import Aside

_MOST_JOBS = 61  # processes of a pool, as Windows can wait for
_NOTES = "notes"  # the format whose statements are instructions

Progress = Callable[[str, int], None]  # (path, its bytes), after each source


def ingest(
    store: Store,
    found: Iterable[Candidate],
    *,
    format_name: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    again: bool = False,
    heals: bool = True,
) -> Report:
    """Take every transcript among the files *found*, and those that hooks left notes of.

    The caller holds the lock. jobs: how many processes read; what is written does not depend on it. again: take
    in what was cleared, too. heals: False leaves what a merge or a lost file left undone to the next pass, for
    callers in a hurry. An exception that nobody foresaw stops the source or session that met it and no other
    (`Report.bugs`). Raises StoreError when the directory cannot be written; what is wrong with one source is
    in its row.
    """
    report = Report()
    if store.keeps and _was_cleared(store):
        from memctl.passes.clear import finish

        finish(store)
    cursors = Cursors(store)
    noted = notes.left(str(store.home)) if store.keeps else []
    found = _with_noted(found, noted)
    as_left = cursors.whole == fingerprint(store)
    waiting: dict[str, list[Spool]] = {}
    links: list[SessionFacts] = []
    written: list[str] = []  # sessions that are notes for agents
    finished: list[tuple[Candidate, list[str], Row, bool]] = []
    for candidate, row, aside in _taken(store, cursors, found, format_name, jobs, again=again):
        report.rows.append(row)
        if aside is not None:
            links += aside.links
            report.new["messages"] += row.new
            for session in aside.sessions:
                waiting.setdefault(session.id, []).append(session.drafts)
                report.sessions.setdefault(session.id, ())
                if row.new and session.id not in report.changed:
                    report.changed.append(session.id)
            if row.format == _NOTES:
                written += [session.id for session in aside.sessions]
            if row.outcome != "failed":
                sessions = [session.id for session in aside.sessions]
                finished.append((candidate, sessions, row, bool(aside.cleared)))
        if progress:
            progress(row.path, candidate.size)
    report.bugs = [row.bug for row in report.rows if row.bug]
    if not store.keeps:  # a rehearsal ends with the counts
        return report
    if waiting or links:
        from memctl.passes import handwork, taking
        from memctl.passes.derive import derive_all

        clashing = handwork.settle(store) if not as_left and heals else []
        for name in (*taking.link(store, links), *clashing):
            waiting.setdefault(name, [])
        failed = derive_all(store, waiting, report)
        report.bugs += map(traced, failed.values())
        for name, error in failed.items():
            for row in (row for _, sessions, row, _ in finished if name in sessions):
                row.met(error, f"summarizing session {name}; its messages were imported")
        if written:
            from memctl.passes.extract import instruct

            report.new["instructions"] += instruct(store, written)
    if not as_left and heals:
        from memctl.passes.canvases import Numbers
        from memctl.passes.heal import heal

        try:
            report.healed = heal(store, Numbers(store))
        except (MemctlError, OSError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - a bug that a session of before meets
            report.bugs.append(traced(error))
            as_left, heals = False, False
    if (not as_left and heals) or (as_left and (waiting or links)):
        cursors.whole = fingerprint(store)
    for candidate, sessions, row, hidden in finished:
        if not row.bug:
            cursors.remember(candidate, sessions, row.reason, hidden=hidden)
    cursors.save()
    notes.drop(noted)
    return report


def take_noted(store: Store) -> None:
    """Take in the transcripts that hooks left notes of, if there are any; the caller holds the lock."""
    if notes.left(str(store.home)):
        ingest(store, [])


def sessions_of(store: Store, found: Iterable[Candidate]) -> list[str]:
    """Give the sessions that files went into, those of unchanged files too, in the order of the files."""
    from memctl.store import messages

    cursors = Cursors(store)
    paths = dict.fromkeys(path for candidate in found for path in cursors.sessions(candidate))
    return [messages.session_of(path) for path in paths if path.is_file()]


def nothing_new(store: Store, found: Iterable[Candidate]) -> Report | None:
    """Look, without the lock, whether an ingest of *found* would change nothing; its report then, else None.

    Cron runs over folders that rest most of the time: they need not load the lock. Where another pass is
    at work, or was killed, there is no telling without it.
    """
    if not files.at_rest(store.home) or _was_cleared(store) or notes.left(str(store.home)):
        return None
    cursors = Cursors(store)
    rows = []
    for candidate in found:
        seen = cursors.seen(candidate)
        if seen is None:
            return None
        rows.append(_known(candidate, seen))
    return Report(rows) if cursors.whole == fingerprint(store) else None


def _known(candidate: Candidate, seen: str) -> Row:
    outcome = "skipped" if seen else "unchanged"
    return Row(candidate.shown, candidate.named, outcome=outcome, reason=seen)


def _was_cleared(store: Store) -> bool:
    return store.cleared.is_file() or plans.path_of(store).is_file()


def _with_noted(found: Iterable[Candidate], noted: list[tuple[str, str]]) -> list[Candidate]:
    """Add the transcripts that hooks left notes of, unless they are among those named."""
    listed = list(found)
    named = {os.path.abspath(candidate.path) for candidate in listed}
    for path in dict.fromkeys(path for _, path in noted):
        if path not in named and notes.is_growing(path):  # it may be another thing by now
            with contextlib.suppress(InputError):  # gone since it was noted
                listed += [replace(one, named=False) for one in candidates([path])]
    return listed


def _taken(
    store: Store,
    cursors: Cursors,
    found: Iterable[Candidate],
    format_name: str | None,
    jobs: int,
    *,
    again: bool,
) -> "Iterator[tuple[Candidate, Row, Aside | None]]":
    """Read and store the sources that are new or changed, in order; give each with what it came to."""
    anew = format_name or again
    looked = [(candidate, None if anew else cursors.seen(candidate)) for candidate in found]
    fresh = [candidate for candidate, seen in looked if seen is None]
    asides = _read(store, fresh, format_name, jobs, again=again)
    stored: set[str] = set()
    for candidate, seen in looked:
        if seen is not None:
            yield candidate, _known(candidate, seen), None
            continue
        from memctl.passes import taking

        aside = next(asides)
        if jobs > 1 and aside.named & stored:  # read before an earlier source of the same session was stored
            taking.drop(aside)
            aside = taking.read(store, candidate, format_name, again=again)
        taking.put(store, candidate, aside)
        stored |= aside.named
        yield candidate, aside.row, aside


def _read(
    store: Store, fresh: list[Candidate], format_name: str | None, jobs: int, *, again: bool
) -> "Iterator[Aside]":
    """Read sources, in this process or several; in order either way."""
    if not fresh:
        return
    from memctl.passes import taking

    if jobs == 1 or len(fresh) == 1:
        yield from (taking.read(store, candidate, format_name, again=again) for candidate in fresh)
        return
    from concurrent.futures import ProcessPoolExecutor

    read = partial(taking.read, store, format_name=format_name, holds=True, again=again)
    with ProcessPoolExecutor(min(jobs, len(fresh), _MOST_JOBS)) as pool:
        yield from pool.map(read, fresh)
