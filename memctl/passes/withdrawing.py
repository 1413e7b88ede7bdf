"""Withdrawing: what the atoms are without the evidence of sessions that were cleared (DESIGN 8)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from memctl.layers.forgetting import fingerprints
from memctl.layers.groups import instant
from memctl.model import Atom, Json
from memctl.store import Store, atoms
from memctl.store.atoms import Found

Gone = Callable[[str], bool]  # of a session id


@dataclass
class Withdrawn:
    """Atoms, each in the place of all its lines; and conversations to hear again, by file name.

    standing: those among the atoms of which nothing has gone: they stand again, since what replaced them has.
    """

    atoms: dict[str, Atom] = field(default_factory=dict)
    unheard: set[str] = field(default_factory=set)
    standing: set[str] = field(default_factory=set)


def withdrawn(store: Store, gone: Gone, by_hand: str = "") -> Withdrawn:
    """Say what becomes of the atoms that sessions gave which are *gone*; reads only.

    What came only from them goes: the id stays, with whose it is, and without words. What has other evidence
    is taken from that again, in its own words. What a person corrected stays, without that evidence, unless
    it was said up to the time *by_hand*.
    """
    found = Withdrawn()
    versions = atoms.versions(store)
    for name, listed in versions.items():
        if not _is_touched(listed, gone, by_hand):
            continue
        atom = atoms.current(listed)
        left = [source for source in atom.sources if not gone(atoms.of_session(atom, source)[0])]
        if atom.actor == "human" and not (by_hand and _is_said_by(atom, by_hand)):
            kept = _moved(atom, left, gone)
        elif not left:
            kept = emptied(atom)
        else:
            sessions = {atoms.of_session(atom, source)[0] for source in left}
            paths = [store.conversation(session) for session in sorted(sessions)]
            if atom.actor == "rules" and all(path.is_file() for path in paths):
                kept = emptied(atom)
                found.unheard.update(path.name for path in paths)
            else:
                kept = _moved(atom, left, gone)
        found.atoms[name] = kept
    touched = set(found.atoms)
    _stand_again(found.atoms, versions)
    found.standing = found.atoms.keys() - touched
    return found


def emptied(atom: Atom) -> Atom:
    """Give what is left of a cleared atom: its id, its times, whose it is.

    Without fingerprints: what says the same again may be remembered again.
    """
    return replace(
        atom,
        content="",
        scene="",
        sources=(),
        metadata={"tags": list(atom.tags)},
        times=(),
        session="",
        actor="rules",
        status="forgotten",
        version=atom.version + 1,
        supersedes=(),
        extra={},
    )


def _is_touched(listed: Iterable[Found], gone: Gone, by_hand: str) -> bool:
    return any(
        (found.atom.session and gone(found.atom.session))
        or any(gone(atoms.of_session(found.atom, source)[0]) for source in found.atom.sources)
        or (
            by_hand
            and found.atom.content
            and found.atom.actor == "human"
            and _is_said_by(found.atom, by_hand)
        )
        for found in listed
    )


def _is_said_by(atom: Atom, time: str) -> bool:
    return instant(atom.updated or atom.created or "") <= instant(time)


def _moved(atom: Atom, left: list[str], gone: Gone) -> Atom:
    """Give an atom that keeps its words, with what is left of its evidence."""
    home = atoms.of_session(atom, left[0])[0] if left else ""
    named = (atoms.of_session(atom, source) for source in left)
    sources = tuple(message if session == home else f"{session}/{message}" for session, message in named)
    metadata: dict[str, Json] = dict(atom.metadata)
    if gone(atom.session):
        metadata = {"tags": list(atom.tags)}
        if marks := fingerprints(atom):
            metadata["fingerprints"] = list(marks)
    return replace(
        atom,
        session=home,
        sources=sources,
        scene=atom.scene if atom.session == home else "",
        metadata=metadata,
        version=atom.version + 1,
    )


def _stand_again(changed: dict[str, Atom], versions: dict[str, list[Found]]) -> None:
    """Let a value stand again whose only successors have gone."""
    replaced_by: dict[str, list[str]] = {}
    current = {name: changed.get(name) or atoms.current(listed) for name, listed in versions.items()}
    for atom in current.values():
        for name in atom.supersedes if atom.status == "active" else ():
            replaced_by.setdefault(name, []).append(atom.id)
    for name in list(changed):
        before = atoms.current(versions[name])
        for older in before.supersedes if changed[name].status == "forgotten" else ():
            other = current.get(older)
            if other is not None and other.status == "superseded" and older not in replaced_by:
                changed[older] = replace(other, status="active", version=other.version + 1)
