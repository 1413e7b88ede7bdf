"""The compact pass: keep the directory small and up to date, every hour from cron (DESIGN 8).

`plan` says what is to be done and reads only; the plan is kept until it is carried out, so that a run that
was killed is finished by the next one. Now is used to choose, and for nothing that is written.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from memctl import files
from memctl.canvas import archiving
from memctl.canvas.mmd import parse_canvas
from memctl.errors import LockedError
from memctl.layers.groups import instant
from memctl.layers.merging import merges
from memctl.model import Atom, Canvas, Json
from memctl.passes import archive, extract, plans, trash, wiping
from memctl.passes.canvases import Numbers
from memctl.passes.heal import heal
from memctl.passes.listing import fingerprint
from memctl.passes.pointers import of_old_tasks, orphans, pointers
from memctl.passes.sources import Cursors
from memctl.store import Store, atoms, number_of
from memctl.tasks import listing, taskfile
from memctl.text.names import short_hash

LEAST_DAYS = 3  # of retention, and
LEAST_CANVASES = 15  # whose refs are kept whatever their age: DESIGN 8, the original's rules

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Action:
    """One step of a plan.

    do: archive, trim, merge or trash. thing: a file by its path in the scope, an atom by its id. why: for
    people. seen: a hash of what the step was planned for; what has changed since is left for the next plan.
    line: the atom's line to be. into: of merged atoms the one that stays; they are written together.
    """

    do: str
    thing: str
    why: str
    seen: str = ""
    line: str = ""
    into: str = ""
    size: int = 0


@dataclass
class Report:
    """What a compact did. changed: paths in the scope that are new, changed or gone."""

    actions: list[Action] = field(default_factory=list)
    healed: list[str] = field(default_factory=list)
    scenes: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def total(self, do: str) -> int:
        """Count the steps of one kind."""
        return sum(action.do == do for action in self.actions)


def compact(store: Store, now: str, say: Say) -> Report:
    """Run the pass; the caller holds the lock. *now*: ISO time. *say* is told what a person should know."""
    report = Report()
    wiping.apply(store, thorough=True)
    cursors = Cursors(store)
    as_left = cursors.whole == fingerprint(store)
    if not as_left:
        report.healed = heal(store, Numbers(store))
    left = plans.read(store)
    if left is not None and left.get("pass") == "compact":
        actions = [Action(**action) for action in left["actions"]]
        _apply(store, _still_wanted(store, actions), str(left["now"]), report)
    actions = plan(store, now)
    if actions:
        plans.write(store, {"pass": "compact", "now": now, "actions": [_fields(one) for one in actions]})
        _apply(store, actions, now, report)
    written = extract.renew(store)
    report.scenes = [*written.changed, *written.removed]
    report.changed = sorted({*report.changed, *report.scenes})
    if not as_left or report.changed:
        cursors.whole = fingerprint(store)
        cursors.save()
    plans.done(store)
    _refresh_index(store, say)
    return report


# --------------------------------------------------------------------------- plan


def plan(store: Store, now: str) -> list[Action]:
    """Say what is to be done: canvases to archive, atoms to merge, refs for the trash. Reads only."""
    known = pointers(store)
    drawn = dict(_canvases(store))
    archives = [*_archives(drawn, known.newest, instant(now), store.config.idle_days)]
    aside = {name for name, (canvas, _) in drawn.items() if canvas.status == "archived"}
    return [
        *archives,
        *_trims(store, {*aside, *(action.thing.removeprefix("mmds/") for action in archives)}),
        *_merges(store),
        *_trash(store, orphans(store, known), "nothing points to it"),
        *_trash(
            store,
            of_old_tasks(store, known, _kept(store, drawn, known.newest, instant(now))),
            f"its task is more than {max(store.config.retention_days, LEAST_DAYS)} days old",
        ),
    ]


def _canvases(store: Store) -> Iterable[tuple[str, tuple[Canvas, str]]]:
    """Give the canvases by file name, each with a hash of its text; "" when it could not be archived."""
    for path in store.canvases():
        if not path.is_symlink():
            data = files.read_bytes(path)
            text = data.decode("utf-8", "surrogateescape")
            canvas = parse_canvas(data.decode("utf-8", "replace"), number_of(path))[0]
            if canvas is not None:
                yield path.name, (canvas, _hash(data) if archiving.can_be_archived(text) else "")


def _archives(
    drawn: dict[str, tuple[Canvas, str]], newest: str, now: datetime, idle_days: int
) -> Iterable[Action]:
    """Archive what is finished, and what nobody worked on for long but is not the last that was."""
    for name, (canvas, seen) in drawn.items():
        why = ""
        if canvas.status in ("completed", "cancelled"):
            why = canvas.status
        elif canvas.status != "archived" and name != newest and _is_before(canvas, now, idle_days):
            why = f"idle since {str(canvas.updated)[:10]}"
        if why and seen:
            yield Action("archive", f"mmds/{name}", why, seen)


def _trims(store: Store, archived: set[str]) -> Iterable[Action]:
    """Have the derived tasks of archived canvases say no more than they must."""
    for path in store.tasks():
        task = listing.at(path)
        if task is None or not task.derived or not task.canvases or not archived.issuperset(task.canvases):
            continue
        data = files.read_bytes(path)
        if taskfile.brief(data) != data:
            yield Action("trim", store.relative(path), "its canvas is archived", _hash(data))


def _is_before(canvas: Canvas, now: datetime, days: int) -> bool:
    try:
        return canvas.updated is not None and instant(canvas.updated) + timedelta(days=days) < now
    except OverflowError:  # after the last year
        return False


def _merges(store: Store) -> Iterable[Action]:
    """Write each merged atom in one line, in the place of all its lines."""
    versions = atoms.versions(store)
    current = {name: atoms.current(listed) for name, listed in versions.items()}
    for merge in merges(current.values()):
        for atom in (merge.kept, *merge.gone):
            why = f"says the same as {merge.kept.id}" if atom is not merge.kept else "said more than once"
            seen = _lines_hash(found.atom for found in versions[atom.id])
            yield Action("merge", atom.id, why, seen, _line(atom), merge.kept.id)


def _line(atom: Atom) -> str:
    return atoms.to_line(atom).decode()


def _lines_hash(listed: Iterable[Atom]) -> str:
    return short_hash(16, sorted(map(_line, listed)))


def _kept(store: Store, drawn: dict[str, tuple[Canvas, str]], newest: str, now: datetime) -> set[str]:
    """Name the canvases whose refs retention leaves alone; all where the user set none."""
    days = store.config.retention_days
    if not days:
        return set(drawn)
    by_age = sorted(drawn, key=lambda name: (instant(drawn[name][0].updated or "9999-12-31"), name))
    young = {name for name in drawn if not _is_before(drawn[name][0], now, max(days, LEAST_DAYS))}
    return {newest, *young, *by_age[-LEAST_CANVASES:]}


def _trash(store: Store, paths: Iterable[Path], why: str) -> Iterable[Action]:
    for path in paths:
        yield Action("trash", store.relative(path), why, size=path.stat().st_size)


# --------------------------------------------------------------------------- apply


def _apply(store: Store, actions: list[Action], now: str, report: Report) -> None:
    """Carry out a plan; each step may have been done before."""
    batch = store.batch()
    for action in actions:
        if action.do == "archive":
            path = store.canvas(action.thing.removeprefix("mmds/"))
            if path.is_file() and _hash(files.read_bytes(path)) == action.seen:
                archive.archive(store, batch, path)
                report.changed.append(action.thing)
                report.actions.append(action)
    for action in (one for one in actions if one.do == "trim"):
        at = files.inside(store.root, action.thing)
        data = files.read_bytes(at) if at.is_file() else b""
        if data and _hash(data) == action.seen:
            batch.write(at, [taskfile.brief(data)])
            report.changed.append(action.thing)
            report.actions.append(action)
    lines = _lines(store, actions)
    report.changed += map(store.relative, atoms.replace_lines(store, batch, lines))
    report.actions += [action for action in actions if action.do == "merge" and action.thing in lines]
    batch.commit()
    for action in (one for one in actions if one.do == "trash"):
        ref = files.inside(store.root, action.thing)
        if ref.is_file():
            trash.put(store, ref, now)
            report.changed.append(action.thing)
            report.actions.append(action)


def _lines(store: Store, actions: list[Action]) -> dict[str, bytes]:
    """Give the lines of the atoms that still are what they were when they were planned for, or done."""
    planned = [action for action in actions if action.do == "merge"]
    if not planned:
        return {}
    now = {
        name: _lines_hash(found.atom for found in listed) for name, listed in atoms.versions(store).items()
    }
    stale = {
        action.into
        for action in planned
        if now.get(action.thing) not in (action.seen, short_hash(16, [action.line]))
    }
    return {
        action.thing: action.line.encode()
        for action in planned
        if action.into not in stale and now[action.thing] == action.seen
    }


def _still_wanted(store: Store, actions: list[Action]) -> list[Action]:
    """Leave out refs that somebody has pointed to since a plan was made."""
    loose = {store.relative(path) for path in orphans(store, pointers(store))}
    return [
        action
        for action in actions
        if action.do != "trash" or action.thing in loose or action.why != "nothing points to it"
    ]


def _fields(action: Action) -> dict[str, Json]:
    return {name: getattr(action, name) for name in Action.__slots__}


def _hash(data: bytes) -> str:
    return short_hash(16, data.decode("utf-8", "surrogateescape"))


# --------------------------------------------------------------------------- index


def _refresh_index(store: Store, say: Say) -> None:
    """Bring the search index up to date where there is one; without, the first recall makes it."""
    from memctl.index import place, refresh

    found = place.place_of(store)
    try:
        if found.why or place.read_manifest(found) is None:
            return
    except ValueError:  # damaged: opening builds it anew
        pass
    try:
        refresh.opened(store, say)
    except LockedError as error:
        say(str(error))
