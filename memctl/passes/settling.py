"""Settling: join the lines of two clones in append-only files.

A union merge keeps the lines of both, in an order that depends on who merged whom. Here they get one order,
each once; what was forgotten on one side stays forgotten, whatever the other side brings back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from memctl import files
from memctl.layers import forgetting
from memctl.model import Atom, Json
from memctl.passes import versions
from memctl.passes.atoms import HUMAN, emptied, scrub_written
from memctl.store import Store, atoms
from memctl.store.atoms import Found

_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")


def settle(store: Store) -> list[Path]:
    """Put the lines of a scope's records, graph and list of cleared things in order; give what changed.

    Conflict markers go; a line that is no JSON stays as it is, at the end, for `check` to report. The caller
    holds the lock.
    """
    batch = store.batch()
    changed = _without_markers(store, batch)
    changed += _settle_records(store, batch)
    for path, times in ((store.graph, ("at",)), (store.cleared, ("time", "at"))):
        if path.is_file() and not path.is_symlink():
            lines = _lines(path)
            if batch.write_if_changed(path, _joined(_in_order(lines, times))):
                changed.append(path)
    batch.commit()
    return changed


def silence(store: Store) -> None:
    """Take what people forgot out of the earlier versions of files; run when scenes and persona are written."""
    gone = {
        name
        for name, atom in atoms.latest(store).items()
        if atom.status == "forgotten" and atom.actor == HUMAN
    }
    if gone:
        batch = store.batch()
        versions.scrub(store, batch, gone)
        batch.commit()


def _lines(path: Path) -> list[bytes]:
    return [line for line in files.read_bytes(path).split(b"\n") if line.strip()]


def _joined(lines: Iterable[bytes]) -> list[bytes]:
    return [line + b"\n" for line in lines]


def _in_order(lines: Iterable[bytes], times: tuple[str, ...]) -> list[bytes]:
    """Give lines once each, in order of their time, then bytes."""

    def key(line: bytes) -> tuple[bool, str, bytes]:
        fields = _fields(line)
        time = next((fields[name] for name in times if isinstance(fields.get(name), str)), "")
        return not fields, time.removesuffix("Z"), line  # a fraction of a second stands before the Z

    return sorted(set(lines), key=key)


def _fields(line: bytes) -> Mapping[str, Json]:
    try:
        fields = files.decode(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _without_markers(store: Store, batch: files.Batch) -> list[Path]:
    """Take conflict markers out of JSONL files: no record begins like one, and both sides are kept."""
    changed = []
    for path in (*store.conversations(), *store.offloads(), *store.shards(), store.graph):
        if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
            continue
        data = files.read_bytes(path)
        kept = data
        if b"<<<<<<<" in data or b">>>>>>>" in data:
            kept = b"".join(_joined(line for line in _lines(path) if not line.startswith(_MARKERS)))
        elif data and not data.endswith(b"\n") and _fields(data.rpartition(b"\n")[2]):
            kept = data + b"\n"
        if kept != data:
            batch.write(path, [kept])
            changed.append(path)
    batch.commit()
    return changed


# --------------------------------------------------------------------------- records


def _settle_records(store: Store, batch: files.Batch) -> list[Path]:
    """Put each shard in order of atoms, each with its versions together."""
    known = atoms.versions(store)
    gone = _forgotten(store, known)
    first = {name: _order(listed) for name, listed in known.items()}
    changed = []
    written: set[str] = set()
    for path in store.shards():
        rows: list[tuple[tuple[str, str], int, str, bytes]] = []
        torn: list[bytes] = []
        for line in dict.fromkeys(_lines(path)):
            fields = _fields(line)
            name = fields.get("id")
            if not isinstance(name, str):
                torn.append(line)
            elif name not in gone:
                atom = atoms.from_fields(fields)
                rows.append((first[name], atom.version, atom.updated or "", line))
            elif name not in written:
                written.add(name)
                rows.append((first[name], 0, "", atoms.to_line(gone[name]).rstrip(b"\n")))
        if batch.write_if_changed(path, _joined([*(row[-1] for row in sorted(rows)), *torn])):
            changed.append(path)
    batch.commit()
    for name in sorted(name for name, atom in gone.items() if atom.status == "forgotten"):
        scrub_written(store, batch, name)
        batch.commit()
    return changed


def _order(listed: list[Found]) -> tuple[str, str]:
    return min(found.atom.created or "" for found in listed), listed[0].atom.id


def _forgotten(store: Store, known: Mapping[str, list[Found]]) -> dict[str, Atom]:
    """Give what people forgot, with the fingerprints of all that any version says.

    An atom of the other side that says the same in other words is forgotten with it; one whose scene is
    named by it loses that name.
    """
    current = {name: atoms.current(listed) for name, listed in known.items()}
    gone: dict[str, Atom] = {}
    for name, atom in current.items():
        if atom.status != "forgotten" or atom.actor != HUMAN:
            continue
        listed = sorted((found.atom for found in known[name]), key=atoms.to_line)
        marks = [*forgetting.fingerprints(atom), *forgetting.marks_of(listed)]
        metadata: dict[str, Json] = {**atom.metadata, "fingerprints": list(dict.fromkeys(marks))}
        gone[name] = replace(atom, content="", scene="", metadata=metadata)
    if not gone:
        return {}
    hidden = forgetting.load(store, gone.values())
    newest = max(gone.values(), key=lambda atom: (atom.updated or "", atom.id))
    for name, atom in current.items():
        if atom.status == "active" and name not in gone and hidden.hides(atom.content):
            listed = sorted((found.atom for found in known[name]), key=atoms.to_line)
            gone[name] = emptied(atom, listed, newest.updated)
        elif atom.scene and name not in gone and hidden.hides(atom.scene):
            gone[name] = replace(atom, scene="", version=atom.version + 1)
    return gone
