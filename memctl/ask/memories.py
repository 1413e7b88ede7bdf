"""Cards of what is remembered: persona leads to scenes, scenes to atoms and canvases, atoms to messages."""

from dataclasses import dataclass
from pathlib import Path

from memctl import files
from memctl.ask.find import Thing
from memctl.layers import blocks
from memctl.layers.scenes import evidence_of
from memctl.model import Atom
from memctl.store import Store, atoms, sessions
from memctl.text.widths import one_line

Rows = tuple[tuple[str, str], ...]
_LINE = 200


@dataclass(frozen=True, slots=True)
class Told:
    """What a card says: title, facts as (label, text), rows of what is below, and text to show in full."""

    title: str
    facts: list[tuple[str, str]]
    below: Rows
    content: str = ""


def atom_card(store: Store, thing: Thing) -> Told:
    """Describe an atom; below it are the messages it came from."""
    atom = thing.atom
    assert atom is not None, "an atom thing has its atom"  # noqa: S101 - states an invariant
    times = [str(atom.metadata.get(f"activity_{name}_time") or "") for name in ("start", "end")]
    facts = [
        ("content", atom.content or "(forgotten)"),
        ("type", f"{atom.type}, {', '.join(atom.tags)}" if atom.tags else atom.type),
        ("status", f"{atom.status}, by {atom.actor}, version {atom.version}"),
        ("priority", "an absolute rule" if atom.priority < 0 else str(atom.priority)),
        ("project", str(atom.metadata.get("project") or "")),
        ("scene", atom.scene),
        ("about", " to ".join(dict.fromkeys(time for time in times if time))),
        ("said", " to ".join(dict.fromkeys(time for time in (atom.created, atom.updated) if time))),
        ("instead of", ", ".join(atom.supersedes)),
    ]
    if atom.status == "forgotten":
        return Told(f"{atom.id}  forgotten", facts, ())
    below = tuple(_message(store, *atoms.of_session(atom, name)) for name in atom.sources)
    return Told(atom.id, facts, (*below, *((name, "atom it took the place of") for name in atom.supersedes)))


def _message(store: Store, session: str, message: str) -> tuple[str, str]:
    path = store.conversation(session)
    if path.is_file() and message.isascii() and files.encode(message) not in files.read_bytes(path):
        return f"message:{session}/{message}", "no longer in the conversations"
    for stored in sessions.conversation(store, session):
        if stored.id == message:
            return f"message:{session}/{message}", f"{stored.role}: {one_line(stored.content, _LINE)}"
    return f"message:{session}/{message}", "no longer in the conversations"


def page_card(store: Store, thing: Thing) -> Told:
    """Describe a scene or the persona; below it is what its statements rest on."""
    text = _text(thing.path)
    part = blocks.parse(text)
    meta = blocks.fields(text)
    by = "a person's own" if part.body is None else "memctl"
    facts = [(name, meta[name]) for name in ("summary", "heat", "created", "updated") if meta.get(name)]
    facts.append(
        ("written by", f"{by}{', with a person' if part.body is not None and part.outside.strip() else ''}")
    )
    known = atoms.latest(store)
    below: list[tuple[str, str]] = []
    if thing.kind == "persona":
        below += [(store.relative(path), _about(path)) for path in store.scenes()]
    for name in _evidence(text):
        if name.startswith("m_"):
            below.append((name, _line(known.get(name))))
        else:
            below.append((name, "canvas"))
    return Told(thing.id, facts, tuple(below), "" if part.body is not None else text)


def above(store: Store, thing: Thing) -> Rows:
    """Give what says a thing: of an atom the scenes and the persona, of a scene the persona."""
    if thing.kind == "persona":
        return ()
    rows: list[tuple[str, str]] = []
    if thing.atom is not None:
        later = [atom for atom in atoms.latest(store).values() if thing.atom.id in atom.supersedes]
        rows += [(atom.id, f"took its place: {_line(atom)}") for atom in later]
        needle = f"<!-- {thing.atom.id}"
        rows += [(store.relative(path), _about(path)) for path in store.scenes() if needle in _text(path)]
        if store.persona.is_file() and needle in _text(store.persona):
            rows.append(("persona", "persona"))
    elif store.persona.is_file():
        rows.append(("persona", "persona"))
    return tuple(rows)


def made_of(store: Store, session: str, message: str) -> Rows:
    """Give the atoms that came from a message."""
    return tuple(
        (atom.id, f"atom: {_line(atom)}")
        for atom in atoms.latest(store).values()
        if atom.status != "forgotten"
        and (session, message) in {atoms.of_session(atom, name) for name in atom.sources}
    )


def _evidence(text: str) -> list[str]:
    return list(dict.fromkeys(name for line in text.split("\n") for name in evidence_of(line)))


def _line(atom: Atom | None) -> str:
    if atom is None:
        return "no longer in the records"
    return f"{atom.type}: {one_line(atom.content, _LINE)}" if atom.content else "forgotten"


def _about(path: Path) -> str:
    text = _text(path)
    summary = blocks.fields(text).get("summary", "")
    return f"scene: {one_line(summary, _LINE)}" if summary else "scene"


def _text(path: Path) -> str:
    return files.read_bytes(path).decode("utf-8", "replace")
