"""Atoms that say the same, as two clones may have learnt it, become one (DESIGN 8, `compact`)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memctl.layers.dedup import stronger
from memctl.layers.groups import instant
from memctl.layers.likeness import words
from memctl.layers.sameness import says_same
from memctl.model import Atom
from memctl.store.atoms import authority, qualified

_COMMON = 200  # atoms that share a word before it tells nothing any more


@dataclass(frozen=True, slots=True)
class Merge:
    """One atom that takes the evidence of others, and these others, superseded."""

    kept: Atom
    gone: tuple[Atom, ...]


def merges(atoms: Iterable[Atom]) -> list[Merge]:
    """Say which active atoms are to be merged, in order of the ids of those that stay.

    A person's words stay over a model's over the rules', then what says more, then the older. What a person
    wrote is never given up, whatever else says the same. A pure function: the order of *atoms* is no matter.
    """
    active = sorted((atom for atom in atoms if atom.status == "active"), key=_weight)
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    standing: list[Atom] = []
    taken: defaultdict[int, list[Atom]] = defaultdict(list)
    for atom in active:
        found = set(words(atom.content))
        other = None if atom.actor == "human" else _first(atom, found, standing, by_word)
        if other is not None:
            taken[other].append(atom)
            continue
        for word in sorted(found):
            by_word[word].append(len(standing))
        standing.append(atom)
    made = [_merged(standing[at], gone) for at, gone in taken.items()]
    return sorted(made, key=lambda one: one.kept.id)


def _weight(atom: Atom) -> tuple[int, int, object, str]:
    return (
        -authority(atom.actor),
        -len(set(words(atom.content))),
        instant(atom.created or "9999-12-31"),
        atom.id,
    )


def _first(
    atom: Atom, found: set[str], standing: list[Atom], by_word: defaultdict[str, list[int]]
) -> int | None:
    """Give the place of the weightiest atom that says the same."""
    near = {at for word in found if len(by_word[word]) <= _COMMON for at in by_word[word]}
    return next((at for at in sorted(near) if says_same(standing[at], atom)), None)


def _merged(kept: Atom, gone: list[Atom]) -> Merge:
    """Join the evidence of atoms in the one that stays; the others keep their words and their session."""
    sources, times, said = list(kept.sources), {*kept.times}, list(kept.said)
    priority, updated = kept.priority, kept.updated
    for atom in gone:
        names = (qualified(atom.session, name, kept.session) for name in atom.sources)
        sources += [name for name in names if name not in sources]
        times |= {*atom.times}
        said += [mark for mark in atom.said if mark not in said]
        priority = stronger(priority, atom.priority)
        if kept.actor != "human" and atom.updated and instant(atom.updated) > instant(updated or ""):
            updated = atom.updated
    replaced = tuple(dict.fromkeys((*kept.supersedes, *(atom.id for atom in gone))))
    more = replace(
        kept,
        priority=priority,
        sources=tuple(sources),
        times=tuple(sorted(times)),
        updated=updated,
        supersedes=replaced,
        metadata={**kept.metadata, "said": said} if said else kept.metadata,
        version=max(kept.version, *(atom.version for atom in gone)) + 1,
    )
    left = tuple(
        replace(
            atom,
            status="superseded",
            sources=(),
            times=(),
            scene="",
            metadata={},
            version=atom.version + 1,
        )
        for atom in gone
    )
    return Merge(more, left)
