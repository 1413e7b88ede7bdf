"""Healing: redo what a merge, a checkout or a lost file left undone in derived files.

A merge of two clones may leave two lines of one record, two canvases of one number, canvases with conflict
markers or behind their session. Conversations and entries are the truth; everything else follows from them
(DESIGN 2.4). Run by every writing pass; a directory that did not change since the last one costs a listing.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.model import Canvas, Entry
from memctl.passes import canvases, conversations, handwork, tracking
from memctl.passes.derive import derive
from memctl.passes.parting import part
from memctl.passes.recording import SessionIntake
from memctl.passes.spool import Spool
from memctl.store import Store, entries, messages, number_of
from memctl.tasks import taskfile
from memctl.text.names import short_hash


@dataclass(frozen=True, slots=True)
class _Drawn:
    path: Path
    canvas: Canvas


def heal(store: Store, numbers: canvases.Numbers) -> list[str]:
    """Put derived files right; give the sessions that were written anew."""
    tracking.settle(store)
    clashing = handwork.settle(store)
    batch = store.batch()
    parted = part(store)
    healed: dict[str, None] = dict.fromkeys(_part_ways(store))
    for path in store.conversations():
        session = messages.session_of(path)
        if store.conversation(session) == path and (session in parted or _is_torn(store, session)):
            _write_clean(store, batch, session)
            batch.commit()
            derive(store, batch, session, None, numbers)
            batch.commit()
            healed[session] = None
    for path in store.offloads():
        session = entries.session_of(path)
        if not session or not store.conversation(session).is_file():
            continue
        if session in clashing or _lacks_a_canvas(store, session, path):
            derive(store, batch, session, None, numbers)
            batch.commit()
            healed[session] = None
    for session in _settle_numbers(store, numbers):
        healed[session] = None
    return list(healed)


# --------------------------------------------------------------------------- records


def _is_torn(store: Store, session: str) -> bool:
    """Tell whether a union merge left records twice or out of order."""
    listed = list(entries.read(store.offload(session)))
    own, theirs = entries.parted(listed)
    seqs = [stored.seq for stored in messages.read(store.conversation(session))]
    return len(own) + len(theirs) < len(listed) or seqs != sorted(set(seqs))


def _write_clean(store: Store, batch: files.Batch, session: str) -> None:
    """Write a session's messages once each, in the longest known order."""
    nothing = SessionIntake(session, "", Spool(store.home), Spool(store.home))
    conversations.merge(store, batch, nothing, "")


# --------------------------------------------------------------------------- canvases


def _lacks_a_canvas(store: Store, session: str, offload: Path) -> bool:
    """Tell whether a canvas that the entries name is gone, cannot be read, or is behind its session."""
    last = 0
    for stored in messages.read(store.conversation(session)):
        last = max(last, stored.seq)
    for name in entries.canvas_names(offload, own=True):
        drawn = _read(store.canvas(name))
        if drawn is None or drawn.canvas.upto < last or drawn.canvas.session not in ("", session):
            return True
    return False


def _read(path: Path) -> _Drawn | None:
    if not path.is_file() or path.is_symlink():
        return None
    canvas = parse_canvas(files.read_bytes(path).decode("utf-8", "replace"), number_of(path))[0]
    return _Drawn(path, canvas) if canvas is not None else None


def _part_ways(store: Store) -> list[str]:
    """Give each session files of its own where two clones named canvases of two sessions the same.

    The session that came first keeps the name; the others' entries name one that no other can have, and
    their numbers are settled like any that clash.
    """
    sessions: dict[str, list[tuple[str, str]]] = defaultdict(list)  # canvas -> (first time, session)
    for path in store.offloads():
        first = next(entries.read(path), None)
        if first is not None and first.entry.session_id:
            for name in entries.canvas_names(path, own=True):
                sessions[name].append((first.entry.timestamp or "~", first.entry.session_id))
    moved = []
    for name, found in sorted(sessions.items()):
        for _, session in sorted(found)[1:]:
            _rename(store, session, name, f"{name.removesuffix('.mmd')}~{short_hash(8, session)}.mmd")
            moved.append(session)
    return moved


def _rename(store: Store, session: str, name: str, new: str) -> None:
    """Let the entries of a session name another canvas file; what is drawn there already is theirs."""
    batch = store.batch()
    offload = store.offload(session)
    lines = []
    for found in entries.read(offload):
        entry = found.entry
        lines.append(entries.to_line(replace(entry, mmd=new) if entry.mmd == name else entry))
    drawn = _read(store.canvas(name))
    if drawn is not None and drawn.canvas.session == session and not store.canvas(new).exists():
        batch.write(store.canvas(new), [files.read_bytes(drawn.path)])
    batch.write(offload, lines)
    batch.commit()


def _settle_numbers(store: Store, numbers: canvases.Numbers) -> list[str]:
    """Give each canvas a number of its own; the one that gives way remembers what it was called.

    Of two with one number the earlier `createdTime`, then the smaller session id, keeps it.
    """
    by_number: dict[int, list[_Drawn]] = defaultdict(list)
    for path in store.canvases():
        drawn = _read(path)
        if drawn is not None:
            by_number[drawn.canvas.number].append(drawn)
    named = {name for path in store.offloads() for name in entries.canvas_names(path)}
    touched = []
    for drawn in [one for found in by_number.values() for one in found]:
        if drawn.path.name not in named and (other := _twin(drawn, by_number, named)):
            _remember(store, other, drawn)
            by_number[drawn.canvas.number].remove(drawn)
            touched.append(drawn.canvas.session)
    for number, found in sorted(by_number.items()):
        found.sort(key=lambda one: (one.canvas.created or "~", one.canvas.session))
        for drawn in found[1:]:
            _renumber(store, drawn, number, numbers.take())
            touched.append(drawn.canvas.session)
    return touched


def _twin(drawn: _Drawn, by_number: dict[int, list[_Drawn]], named: set[str]) -> _Drawn | None:
    """Find the canvas of the same task that the entries name: both clones had drawn it."""
    for found in by_number.values():
        for other in found:
            same = (other.canvas.session, other.canvas.created) == (
                drawn.canvas.session,
                drawn.canvas.created,
            )
            if same and other.path.name in named and other.canvas.goal == drawn.canvas.goal:
                return other
    return None


def _remember(store: Store, kept: _Drawn, gone: _Drawn) -> None:
    """Let a canvas answer to the number of its twin, then drop the twin."""
    data = files.read_bytes(gone.path)
    if canvases.by_others(gone.canvas, data):
        batch = store.batch()
        canvases.keep_version(store, batch, kept.path.name, data)
        batch.commit()
    known = [str(number) for one in (kept, gone) for number in one.canvas.extra.get("was", [])]
    was = sorted({*known, f"{gone.canvas.number:03d}"} - {f"{kept.canvas.number:03d}"})
    if was:
        moved = replace(kept.canvas, extra={**kept.canvas.extra, "was": was})
        text = canvases.moved(moved, kept.canvas, files.read_bytes(kept.path))
        files.write_atomic(store.home, kept.path, [text.encode()])
    if gone.path != kept.path:
        batch = store.batch()
        _list_instead(store, batch, gone.path.name, kept.path.name)
        batch.commit()
        files.remove(gone.path)


def _list_instead(store: Store, batch: files.Batch, gone: str, kept: str) -> None:
    """Let the tasks that list a canvas list another in its place, once."""
    for path in store.tasks():
        data = files.read_bytes(path)
        listed = taskfile.listing_instead(data, gone, kept)
        if listed != data:
            batch.write(path, [listed])


def _stands_on(entry: Entry, drawn: _Drawn, number: int) -> bool:
    """Tell whether an entry's node is on a canvas; one of the original may name its number alone."""
    head, dash, node = (entry.node_id or "").partition("-N")
    if not (dash and head == f"{number:03d}" and node.isdecimal() and len(node) < 10):
        return False
    return entry.mmd == drawn.path.name or not (entry.mmd or drawn.canvas.session)


def _renumber(store: Store, drawn: _Drawn, number: int, new: int) -> None:
    """Move a canvas, the nodes of its entries and its task to a new number."""
    label = drawn.path.stem.partition("-")[2]
    place = canvases.Place(new, f"{new:03d}-{label}.mmd" if label else f"{new:03d}.mmd")
    was = [*map(str, drawn.canvas.extra.get("was", [])), f"{number:03d}"]
    moved = replace(drawn.canvas, number=new, extra={**drawn.canvas.extra, "was": was})
    batch = store.batch()
    drawing = canvases.moved(moved, drawn.canvas, files.read_bytes(drawn.path))
    batch.write(store.canvas(place.file_name), [drawing.encode()])
    # The original's canvas names no session; entries of several may stand on it.
    for offload in [store.offload(drawn.canvas.session)] if drawn.canvas.session else store.offloads():
        lines = {at: line + b"\n" for at, line in files.lines_of(offload)}
        standing = [found for found in entries.read(offload) if _stands_on(found.entry, drawn, number)]
        for found in standing:
            node = place.node_id(int((found.entry.node_id or "").partition("-N")[2]))
            lines[found.number] = entries.to_line(replace(found.entry, mmd=place.file_name, node_id=node))
        if standing:
            batch.write(offload, list(lines.values()))
    _list_instead(store, batch, drawn.path.name, place.file_name)
    batch.commit()
    files.remove(drawn.path)
