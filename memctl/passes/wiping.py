"""Wiping: what was cleared is taken out of every file, cursor and index (DESIGN 8).

Run by every pass and by `check --fix`: an older clone that is merged, or a transcript that is taken in again,
brings nothing back. Everything that leads to a session goes before its conversation, so that a run that was
killed is finished by the next one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from memctl import files
from memctl.canvas.cutting import without
from memctl.canvas.header import read_header
from memctl.errors import MemctlError
from memctl.model import Json, Task, node_of
from memctl.passes import plans, scrubbing, trash
from memctl.passes.heard import Cursor
from memctl.passes.sources import Cursors
from memctl.passes.withdrawing import Withdrawn, withdrawn
from memctl.store import Store, atoms, cleared, entries, number_of, refs
from memctl.store.cleared import Cleared
from memctl.tasks import listing, taskfile
from memctl.text.names import short_hash

_REF = re.compile(rb'"ref":"(refs/[^"\\]+)"')  # of a picture, in a conversation
_ORIGINALS = ("state.json", "sessions-registry.json")


@dataclass
class Work:
    """What is to be wiped: files to drop, in order; tasks, triples and atoms to write anew."""

    dropped: dict[Path, None] = field(default_factory=dict)
    tasks: dict[Path, Task] = field(default_factory=dict)
    graph: list[bytes] | None = None  # the triples that stay, where any goes
    atoms: Withdrawn = field(default_factory=Withdrawn)
    canvases: set[str] = field(default_factory=set)  # file names
    former: set[str] = field(default_factory=set)  # what these were called before they gave way to others
    cut: dict[Path, bytes] = field(
        default_factory=dict
    )  # canvases that several sessions share, without its nodes
    sessions: set[str] = field(default_factory=set)  # file names of conversations

    def __bool__(self) -> bool:
        return bool(self.dropped or self.tasks or self.graph is not None or self.atoms.atoms)

    @property
    def gone(self) -> set[str]:
        """Give what evidence comments may name of it."""
        return {
            *self.atoms.atoms.keys() - self.atoms.standing,
            *(f"canvas:{name.removesuffix('.mmd')}" for name in (*self.canvases, *self.former)),
        }


def apply(store: Store, *, thorough: bool = False) -> Work | None:
    """Wipe what was cleared and is there again, or still; give it, None for nothing. The caller holds the lock.

    Scenes and persona are left without memctl's part, for `extract.renew` to write. thorough: look at every
    ref, too, not only at those that a cleared session's entries name.
    """
    plan = plans.read(store)
    pending = plan is not None and plan.get("pass") == "clear"
    if plan is not None and pending:
        cleared.append(store, cleared.from_fields(plan.get("records")))
    gone = cleared.load(store)
    if not gone and not pending:
        return None
    whole = frozenset(plan.get("whole", ()) if plan is not None and pending else ())
    work = survey(store, gone, whole=whole, thorough=thorough or pending)
    if not work and not pending:
        return None
    if not pending:
        plans.write(store, {"pass": "clear", "records": [], "whole": []})
    _wipe(store, gone, work, pages=pending)
    _forget_index(store)
    plans.done(store)
    return work


# --------------------------------------------------------------------------- what there is


def survey(store: Store, gone: Cleared, *, whole: Iterable[str] = (), thorough: bool = True) -> Work:
    """Say what is to be wiped; reads only. *whole*: layers of which everything goes."""
    work = Work()
    every = frozenset(whole)
    offloads = [path for path in store.offloads() if "l0" in every or gone.has_file(path, "l0")]
    talks = [path for path in store.conversations() if "l0" in every or gone.has_file(path, "l0")]
    heard = [path for path in store.conversations() if "l1" in every or gone.has_file(path, "l1")]
    work.sessions = {path.name for path in (*talks, *heard)}
    named, drawn = _named_by(offloads)
    named |= _refs_in(talks)
    if named:  # what others name, too, is not this session's alone
        others, kept = _named_by([path for path in store.offloads() if path not in offloads])
        named, drawn = named - others, drawn - kept
    _refs(store, gone, work, named, every, thorough=thorough)
    _canvases(store, gone, work, named, every)
    _shared_canvases(store, work, drawn)
    _tasks(store, gone, work, every)
    work.graph = _triples(store, gone, every)
    by_hand = gone.sessions.get("*", {}).get("l1", "")
    work.atoms = withdrawn(store, lambda session: "l1" in every or gone.has(session, "l1"), by_hand)
    work.dropped |= dict.fromkeys(_pages(store, every))
    if "l0" in every:
        work.dropped |= dict.fromkeys(path for name in _ORIGINALS if (path := store.at(name)).is_file())
    work.dropped |= dict.fromkeys([*offloads, *talks])
    return work


_Drawn = set[tuple[str, int]]  # canvas files, each with a node's number


def _named_by(offloads: Iterable[Path]) -> tuple[set[str], _Drawn]:
    """Give the refs and canvases (as `mmds/NAME`) that entries name, and the nodes on which they stand."""
    found: set[str] = set()
    drawn: _Drawn = set()
    for path in offloads:
        for one in entries.read(path):
            found.update(filter(None, (one.entry.result_ref,)))
            if one.entry.mmd:
                found.add(f"mmds/{one.entry.mmd}")
                if placed := node_of(one.entry.node_id):
                    drawn.add((one.entry.mmd, placed[1]))
    return found, drawn


def _refs_in(talks: Iterable[Path]) -> set[str]:
    """Give the refs that messages name."""
    lines = (line for path in talks for _, line in files.lines_of(path))
    return {name.decode("utf-8", "replace") for line in lines for name in _REF.findall(line)}


def _refs(
    store: Store, gone: Cleared, work: Work, named: set[str], every: frozenset[str], *, thorough: bool
) -> None:
    for path in store.refs() if named or thorough or "l0" in every else ():
        name = store.relative(path)
        if (
            "l0" in every
            or name in named
            or refs.beside(name) in named
            or (thorough and gone.has(session_of_ref(path), "l0"))
        ):
            work.dropped[path] = None
    for thing in trash.listed(store) if named or thorough or "l0" in every else ():
        if "l0" in every or gone.has(session_of_ref(thing.place), "l0"):
            work.dropped[thing.place] = None


def session_of_ref(path: Path) -> str:
    """Give the session that a ref's header names; "" for what is none of memctl's."""
    try:
        with files.open_file(path) as stream:
            return refs.parse(stream.read(1 << 14)).fields.get("session", "")
    except (OSError, MemctlError):
        return ""


def _canvases(store: Store, gone: Cleared, work: Work, named: set[str], every: frozenset[str]) -> None:
    for path in store.canvases():
        owner = session_of_canvas(path)
        if "l0" in every or gone.has(owner, "l0") or (not owner and f"mmds/{path.name}" in named):
            work.dropped[path] = None
            work.canvases.add(path.name)
            work.former |= _former_names(path)
    kept = store.versions(store.folder("mmds"))
    for path in sorted(kept.rglob("*")) if kept.is_dir() else ():
        if path.is_file() and ("l0" in every or path.parent.name in work.canvases):
            work.dropped[path] = None


def _shared_canvases(store: Store, work: Work, drawn: _Drawn) -> None:
    """Take nodes that only a cleared session drew off the canvases of the original that others draw on, too."""
    for path in store.canvases() if drawn else ():
        away = {node for name, node in drawn if name == path.name}
        if away and path.name not in work.canvases and not path.is_symlink() and not session_of_canvas(path):
            text = files.read_bytes(path).decode("utf-8", "replace")
            work.cut[path] = without(text, number_of(path), away).encode()


def session_of_canvas(path: Path) -> str:
    """Give the session that a canvas's header names; "" when it names none."""
    if path.is_symlink():
        return ""
    return read_header(files.read_bytes(path).decode("utf-8", "replace"))[0].session


def _former_names(path: Path) -> set[str]:
    """Give the names that a canvas had before it gave way to others of its number."""
    if path.is_symlink():
        return set()
    was = read_header(files.read_bytes(path).decode("utf-8", "replace"))[0].extra.get("was")
    label = path.name.partition("-")[2]
    return {f"{number}-{label}" for number in was} if isinstance(was, list) else set()


def _tasks(store: Store, gone: Cleared, work: Work, every: frozenset[str]) -> None:
    def still(name: str | None) -> str | None:
        """Give a link to another task unless that one is cleared."""
        return None if name and short_hash(16, store.task(name).stem) in gone.tasks else name

    for path in store.tasks():
        task = listing.at(path)
        left = tuple(name for name in task.canvases if name not in work.canvases) if task else ()
        if (
            "tasks" in every
            or short_hash(16, path.stem) in gone.tasks
            or (task and task.derived and task.canvases and not left)
        ):
            work.dropped[path] = None
        elif task:
            kept = replace(task, canvases=left, parent=still(task.parent), previous=still(task.previous))
            if kept != task:
                work.tasks[path] = kept


def _triples(store: Store, gone: Cleared, every: frozenset[str]) -> list[bytes] | None:
    """Give the triples that stay where any goes, as those said of a cleared task do; None for none."""
    path = store.graph
    kept, goes = [], False
    until = gone.sessions.get("*", {}).get("graph", "")
    for _, line in files.lines_of(path):
        try:
            fields = files.decode(line)
        except ValueError:
            fields = None
        said = fields if isinstance(fields, dict) else {}
        named = {short_hash(16, str(said.get(name))) for name in ("task_id", "subject", "object")}
        old = bool(until) and str(said.get("at") or "") <= until
        if "graph" in every or old or named & gone.tasks or gone.has(str(said.get("source") or ""), "l0"):
            goes = True
        else:
            kept.append(line + b"\n")
    return kept if goes else None


def _pages(store: Store, every: frozenset[str]) -> Iterator[Path]:
    """Give the files of L2 and L3 that go with their whole layer, people's own and all versions, too."""
    for layer, place in (("l2", store.folder("scene_blocks")), ("l3", store.persona)):
        for root in (place, store.versions(place)) if layer in every else ():
            if root.is_file():
                yield root
            yield from sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())


# --------------------------------------------------------------------------- taking it out


def _wipe(store: Store, gone: Cleared, work: Work, *, pages: bool) -> None:
    batch = store.batch()
    if pages or work.gone:
        scrubbing.scrub(store, batch, work.gone)
        batch.commit()
    _forget_private(store, gone, work)
    for path, data in work.cut.items():
        batch.write(path, [data])
    for path, task in work.tasks.items():
        batch.write(path, [taskfile.write(task)])
    if work.graph is not None:
        batch.write(store.graph, work.graph)
    atoms.replace_lines(store, batch, {name: atoms.to_line(atom) for name, atom in work.atoms.atoms.items()})
    batch.commit()
    for path in work.dropped:
        files.remove(path)
        files.drop_empty(path.parent, store.root)


def _forget_private(store: Store, gone: Cleared, work: Work) -> None:
    """Take cleared sessions out of the cursors, and what may be theirs out of the quarantine."""
    cursors = Cursors(store)
    sources = cursors.of_sessions(lambda name: Path(name).name in work.sessions)
    _clean_quarantine(store, gone, cursors, sources)
    cursors.drop(sources)
    _clean_notes(store, gone, sources)
    Cursor(store).unhear(work.sessions, work.atoms.unheard - work.sessions)


def _clean_notes(store: Store, gone: Cleared, sources: set[str]) -> None:
    """Drop what hooks noted of a cleared session: a transcript's path names it; and what they logged."""
    folder = store.private("notes")
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        transcript = files.read_bytes(path).decode("utf-8", "surrogateescape")
        if transcript in sources or gone.has(Path(transcript).stem, "l0"):
            files.remove(path)
    files.remove(store.private("hook.log"))


def _clean_quarantine(store: Store, gone: Cleared, cursors: Cursors, sources: set[str]) -> None:
    """Drop what cannot be told from a cleared session's: its own, and what no known source stands behind."""
    folder = store.private("quarantine")
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        stem, damaged, _ = path.name.partition(".damaged-")
        if damaged:
            if gone.has_file(Path(f"{stem}.jsonl"), "l0"):
                files.remove(path)
            continue
        known = cursors.key_of_shown(_source(path))
        if known is None or known in sources:
            files.remove(path)


def _source(path: Path) -> str:
    for _, line in files.lines_of(path):
        try:
            fields: Json = files.decode(line)
        except ValueError:
            return ""
        return str(fields.get("source", "")) if isinstance(fields, dict) else ""
    return ""


def _forget_index(store: Store) -> None:
    """Remove the search index: what is dropped from one stays in its files until they are packed."""
    from memctl.index import place

    place.remove(place.place_of(store))
