"""What a draft is to what is known: new, said again, a newer value, or more of the same (DESIGN 5)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memctl.layers.extract import Draft
from memctl.layers.forgetting import Forgotten, fingerprints
from memctl.layers.likeness import contained, fingerprint, words
from memctl.layers.sameness import SAME, is_other_value, is_work, likeness, speaker_of
from memctl.layers.stances import SINGLE, places, puts_an_end
from memctl.model import Atom, Json
from memctl.text.names import normal_time, short_hash

_COMMON = 200  # atoms that share a word before it tells nothing any more
_MOST_SOURCES = 50  # evidence kept of one atom


@dataclass(frozen=True, slots=True)
class Place:
    """Where drafts come from: the session, its project, whose memory it is, and who made the drafts."""

    session: str
    project: str = ""
    user: str = ""
    agent: str = ""
    team: str = ""
    actor: str = "rules"


@dataclass
class Counts:
    """What became of the drafts."""

    store: int = 0
    skip: int = 0
    update: int = 0
    merge: int = 0
    forgotten: int = 0
    kept: int = 0  # held back by what a person corrected


class Known:
    """The atoms of a scope, and what drafts do to them; `changed` are those that need another line."""

    def __init__(self, atoms: Mapping[str, Atom], earlier: Mapping[str, Iterable[str]]) -> None:
        """*earlier*: the contents that atoms had before, by id."""
        self.atoms = dict(atoms)
        self.forgotten = Forgotten(atoms.values())
        self.counts = Counts()
        self._changed: dict[str, None] = {}
        self._marks: dict[str, str] = {}  # fingerprint of a content or source sentence -> id
        self._by_word: defaultdict[str, list[str]] = defaultdict(list)
        self._by_place: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._replaced_by: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._words: dict[str, frozenset[str]] = {}
        self._gone = {mark: atom.id for atom in atoms.values() for mark in fingerprints(atom)}
        self._earlier = {name: tuple(contents) for name, contents in earlier.items()}
        for atom in atoms.values():
            self._index(atom)
            if atom.status != "forgotten":
                for content in self._earlier.get(atom.id, ()):
                    self._marks.setdefault(fingerprint(content), atom.id)

    def changed(self) -> list[Atom]:
        """Give the atoms that are new or changed, in the order they first were."""
        return [self.atoms[name] for name in self._changed]

    def take(self, draft: Draft, place: Place) -> None:
        """Take the next draft."""
        for mark in (*draft.said, fingerprint(draft.content)):
            if mark in self._gone:
                self._still_forgotten(self.atoms[self._gone[mark]], draft, place)
                return
        same = self._marks.get(fingerprint(draft.content)) or self._said_before(draft)
        other = self._standing(self.atoms[same]) if same is not None else self._nearest(draft, place)
        if same is None and other is not None and other.actor == "human":
            self.counts.kept += 1
            return
        self._end_others(self._placed(other, draft, place, again=same is not None), draft, place)

    def _placed(self, other: Atom | None, draft: Draft, place: Place, *, again: bool) -> str:
        """Give the id of the atom that a draft became or was added to; *again*: *other* was said before."""
        if other is None:
            return self._store(draft, place).id
        if again:
            self._say_again(other, draft, place)
        elif is_other_value(other.content, draft.content):
            if _is_ordered(other, draft, place):
                return self._update(other, draft, place)
            return self._store(draft, place).id
        elif len(words(draft.content)) > len(words(other.content)) and not _is_older(draft, other):
            self._merge(other, draft, place)
        else:
            self._say_again(other, draft, place)
        return other.id

    def _end_others(self, name: str, draft: Draft, place: Place) -> None:
        """Supersede what a draft puts an end to, or the draft's atom by what was said later and ends it."""
        listed = [self._by_place[key] for key in places(draft.content)]
        near = sorted({one for names in listed if len(names) <= _COMMON for one in names})
        for other in (self.atoms[one] for one in near if one != name):
            atom = self.atoms[name]
            if (
                atom.status != "active"
                or atom.actor == "human"
                or other.actor == "human"
                or _is_of_another(other, draft, place)
                or is_work(other.type) != is_work(draft.type)
                or not _is_ordered(other, draft, place)
            ):
                continue
            if _is_older(draft, other):
                if puts_an_end(other.content, draft.content):
                    self._supersede(atom, other)
            elif other.status == "active" and puts_an_end(draft.content, other.content):
                self._supersede(other, atom)

    def _supersede(self, old: Atom, new: Atom) -> None:
        self.counts.update += 1
        self._put(replace(old, status="superseded", version=old.version + 1))
        replaced = tuple(dict.fromkeys((*new.supersedes, old.id)))
        # What this run has made or changed needs no other version: only its last state is written.
        version = new.version if new.id in self._changed else new.version + 1
        self._put(replace(new, supersedes=replaced, version=version))

    def _say_again(self, atom: Atom, draft: Draft, place: Place) -> None:
        """Take what is known already; a model's words take the place of those by the rules, never the reverse."""
        if atom.actor == "rules" and place.actor != "rules" and atom.status == "active":
            self._merge(atom, draft, place)
        else:
            self._again(atom, draft, place)

    # ----------------------------------------------------------------- finding

    def _standing(self, atom: Atom) -> Atom:
        """Give the atom that another one was merged into: it says the same, and has the evidence now."""
        if atom.status != "superseded" or atom.sources:
            return atom
        into = [one for one in self.atoms.values() if one.status == "active" and atom.id in one.supersedes]
        return into[0] if into and not is_other_value(into[0].content, atom.content) else atom

    def _said_before(self, draft: Draft) -> str | None:
        """Give the atom that came of exactly these sentences before, even under older rules."""
        ids = {self._marks.get(mark) for mark in draft.said}
        found = next(iter(ids)) if len(ids) == 1 and not draft.heard else None
        if found is None or speaker_of(self.atoms[found]) != draft.speaker:
            return None
        # "She hates it" means another thing where another person was named before.
        known = " ".join((self.atoms[found].content, *self._earlier.get(found, ())))
        return found if contained(words(draft.content), words(known)) >= SAME else None

    def _nearest(self, draft: Draft, place: Place) -> Atom | None:
        ours = frozenset(words(draft.content))
        shared: defaultdict[str, int] = defaultdict(int)
        for word in sorted(ours):
            listed = self._by_word[word]
            if len(listed) <= _COMMON:
                for name in listed:
                    shared[name] += 1
        best: tuple[float, str] | None = None
        for name, count in shared.items():
            atom = self.atoms[name]
            if _is_elsewhere(atom, draft, place) or count * 4 < min(len(ours), len(self._words[name])):
                continue
            score = self._likeness(draft, atom)
            if score and (best is None or (score, name) > best):
                best = (score, name)
        return self.atoms[best[1]] if best else None

    def _likeness(self, draft: Draft, atom: Atom) -> float:
        contents = (atom.content, *(self._earlier.get(atom.id, ()) if atom.actor == "human" else ()))
        return max(likeness(draft.content, content) for content in contents)

    def _index(self, atom: Atom) -> None:
        if atom.status == "forgotten":
            return
        for name in atom.supersedes:
            self._replaced_by[name][atom.id] = None
        # "option 2" is said of many things.
        said = () if "context_message_ids" in atom.metadata else atom.said
        for mark in (fingerprint(atom.content), *said):
            self._marks.setdefault(mark, atom.id)
        found = frozenset(words(atom.content))
        for word in sorted(found - self._words.get(atom.id, frozenset())):
            self._by_word[word].append(atom.id)
        self._words[atom.id] = found
        for key in places(atom.content):
            # Where there is one value, the active atom has it; a thing given up may have been so before.
            if atom.status == "active" or key not in SINGLE:
                self._by_place[key][atom.id] = None
            else:
                self._by_place[key].pop(atom.id, None)

    # ----------------------------------------------------------------- changing

    def _put(self, atom: Atom) -> None:
        self.atoms[atom.id] = atom
        self._changed.setdefault(atom.id)
        self._index(atom)

    def _store(self, draft: Draft, place: Place) -> Atom:
        atom = made(draft, place)
        known = self.atoms.get(atom.id)
        if known is not None:  # what a session that was cleared said, and another says
            atom = replace(atom, version=known.version + 1)
        self.counts.store += 1
        self._put(atom)
        return atom

    def _still_forgotten(self, atom: Atom, draft: Draft, place: Place) -> None:
        """Remember where a forgotten thing was said again: answers leave these messages out too."""
        self.counts.forgotten += 1
        source = draft.source if place.session == atom.session else f"{place.session}/{draft.source}"
        if source not in atom.sources:
            self._put(replace(atom, sources=(*atom.sources, source), version=atom.version + 1))

    def _again(self, atom: Atom, draft: Draft, place: Place) -> None:
        more = with_source(atom, draft, place)
        self.counts.skip += 1
        if more == atom:
            return
        self._put(more)
        if atom.status == "superseded":
            self._return_to(more, draft)

    def _return_to(self, atom: Atom, draft: Draft) -> None:
        """Let a value that was given up stand again when it is said again after its successor."""
        over = self._over(atom)
        tops = [one for one in over if one.status == "active"]
        if not tops or not draft.time or any(one.actor == "human" or _is_older(draft, one) for one in tops):
            return
        self._put(replace(atom, status="active", supersedes=tuple(one.id for one in tops)))
        for other in over:
            left = tuple(name for name in other.supersedes if name != atom.id)
            if other in tops or left != other.supersedes:
                self._put(replace(other, status="superseded", supersedes=left, version=other.version + 1))

    def _over(self, atom: Atom) -> list[Atom]:
        """Give the atoms that took an atom's place, directly or through others, in order of their ids."""
        names, waiting = {atom.id}, [atom.id]
        while waiting:
            name = waiting.pop()
            for other in self._replaced_by[name]:
                if name in self.atoms[other].supersedes and other not in names:
                    names.add(other)
                    waiting.append(other)
        return [self.atoms[name] for name in sorted(names - {atom.id})]

    def _merge(self, atom: Atom, draft: Draft, place: Place) -> None:
        if atom.actor != "rules" and place.actor == "rules":
            self._again(atom, draft, place)
            return
        more = with_source(atom, draft, place)
        if more == atom and atom.actor == place.actor:
            self.counts.skip += 1
            return
        self.counts.merge += 1
        version = more.version if more != atom else atom.version + 1
        priority = stronger(atom.priority, draft.priority)
        self._put(replace(more, content=draft.content, priority=priority, actor=place.actor, version=version))

    def _update(self, atom: Atom, draft: Draft, place: Place) -> str:
        """Let the newer of two values stand, and give the draft's id; the other stays, readable and superseded."""
        new = self._store(draft, place)
        self.counts.store -= 1
        self.counts.update += 1
        if _is_older(draft, atom):
            self._put(replace(new, status="superseded"))
            self._put(replace(atom, supersedes=(*atom.supersedes, new.id), version=atom.version + 1))
        else:
            self._put(replace(new, supersedes=(atom.id,)))
            self._put(replace(atom, status="superseded", version=atom.version + 1))
        return new.id


def made(draft: Draft, place: Place) -> Atom:
    """Make an atom of a draft."""
    metadata: dict[str, Json] = {"tags": list(draft.tags)}
    if place.project:
        metadata["project"] = place.project
    if draft.start:
        metadata |= {"activity_start_time": draft.start, "activity_end_time": draft.end or draft.start}
    if draft.heard:
        metadata["context_message_ids"] = list(draft.heard)
    if draft.speaker:
        metadata["speaker"] = draft.speaker
    metadata["said"] = list(draft.said)
    return Atom(
        id=f"m_{short_hash(12, draft.content, place.team, place.agent, place.user)}",
        content=draft.content,
        type=draft.type,
        priority=draft.priority,
        scene=draft.scene,
        sources=(draft.source,),
        metadata=metadata,
        times=(draft.time,) if draft.time else (),
        created=draft.time,
        updated=draft.time,
        version=1,
        session=place.session,
        actor=place.actor,
        user=place.user,
        agent=place.agent,
        team=place.team,
    )


def with_source(atom: Atom, draft: Draft, place: Place) -> Atom:
    """Add a draft's message to an atom's evidence; the same atom when it is there already."""
    source = draft.source if place.session == atom.session else f"{place.session}/{draft.source}"
    said = [*atom.said, *(mark for mark in draft.said if mark not in atom.said)]
    if (source in atom.sources or len(atom.sources) >= _MOST_SOURCES) and len(said) == len(atom.said):
        return atom
    sources = atom.sources if source in atom.sources else (*atom.sources, source)
    times = tuple(sorted({*atom.times, draft.time})) if draft.time else atom.times
    updated = atom.updated
    if atom.actor != "human" and draft.time and (updated is None or _moment(draft.time) > _moment(updated)):
        updated = draft.time
    return replace(
        atom,
        sources=sources,
        times=times,
        updated=updated,
        version=atom.version + 1,
        metadata={**atom.metadata, "said": said},
    )


def _is_elsewhere(atom: Atom, draft: Draft, place: Place) -> bool:
    """Tell whether an atom is none that a draft could be compared with: not active, or of another project."""
    return atom.status != "active" or _is_of_another(atom, draft, place)


def _is_of_another(atom: Atom, draft: Draft, place: Place) -> bool:
    """Tell whether an atom and a draft are about the work of two projects, or two persons' words."""
    if speaker_of(atom) != draft.speaker:
        return True
    work = is_work(atom.type) and is_work(draft.type)
    return work and atom.metadata.get("project", "") != place.project


def stronger(one: int, other: int) -> int:
    """Give the weightier of two priorities; an absolute rule (-1) is over all."""
    return -1 if -1 in (one, other) else max(one, other)


def _is_ordered(atom: Atom, draft: Draft, place: Place) -> bool:
    """Tell whether it is known which of two was said later: by their times, or within one session."""
    return atom.session == place.session or (atom.updated is not None and draft.time is not None)


def _is_older(draft: Draft, atom: Atom) -> bool:
    return draft.time is not None and atom.updated is not None and _moment(draft.time) < _moment(atom.updated)


def _moment(time: str) -> datetime:
    try:
        return datetime.fromisoformat(normal_time(time)[0])
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
