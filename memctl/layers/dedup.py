"""What a draft is to what is known: new, said again, a newer value, or more of the same (DESIGN 5)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memctl.layers.extract import Draft
from memctl.layers.forgetting import Forgotten, fingerprints
from memctl.layers.likeness import contained, fingerprint, is_negated, overlap, words
from memctl.model import Atom, Json
from memctl.text.names import normal_time, short_hash

_ALIKE = 0.75  # overlap of content words from which two atoms say the same
_PART_OF = 0.9  # part of the shorter one's words that the longer one has
_LEAST = 3  # content words below which only equal words count as alike
_COMMON = 200  # atoms that share a word before it tells nothing any more
_MOST_SOURCES = 50  # evidence kept of one atom
# "X is Y": the subject stands before the verb, the value behind it.
_VALUE = re.compile(
    r"\A(?P<subject>.{3,80}?)"
    r"(?:\s(?:is|are|was|will be|=|ist|sind|est|sont|es|son|é|são)\s(?:now |at |on |set to )?"
    r"|[是为](?!什么)|改为|：|は|(?<=[가-힣])[은는]\s)(?P<value>.{1,160})\Z"
)
_EXACT = re.compile(
    r"\d|\b[A-Z][\w-]+|\S+@\S+|[A-Za-z][\w./-]*[./_][\w./-]+|[A-Z]{2,}|[A-Za-z]+(?=[。，]|\Z)"
)
_EXCLUSIVE = re.compile(
    r"\b(?:prefers?|uses?|using|lives?|works?|moved|deploys?|targets?|hosted|named|called|default|version)\b"
    r"|偏好|更喜欢|使用|统一用|住在|工作|默认|改用|使う|使用|住んで|사용|선호"
)
_SAME = 0.6  # part of the words that one sentence with a part exchanged keeps
_NUMBER = re.compile(r"\d[\d.,:]*")


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
        if same is not None:
            self._say_again(self._standing(self.atoms[same]), draft, place)
            return
        other = self._nearest(draft, place)
        if other is None:
            self._store(draft, place)
        elif other.actor == "human":
            self.counts.kept += 1
        elif _is_other_value(other.content, draft.content):
            if _is_ordered(other, draft, place):
                self._update(other, draft, place)
            else:
                self._store(draft, place)
        elif len(words(draft.content)) > len(words(other.content)) and not _is_older(draft, other):
            self._merge(other, draft, place)
        else:
            self._say_again(other, draft, place)

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
        return into[0] if into and not _is_other_value(into[0].content, atom.content) else atom

    def _said_before(self, draft: Draft) -> str | None:
        """Give the atom that came of exactly these sentences before, even under older rules."""
        ids = {self._marks.get(mark) for mark in draft.said}
        found = next(iter(ids)) if len(ids) == 1 and not draft.heard else None
        if found is None:
            return None
        # "She hates it" means another thing where another person was named before.
        known = " ".join((self.atoms[found].content, *self._earlier.get(found, ())))
        return found if contained(words(draft.content), words(known)) >= _SAME else None

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
            score = self._likeness(draft, ours, atom)
            if score and (best is None or (score, name) > best):
                best = (score, name)
        return self.atoms[best[1]] if best else None

    def _likeness(self, draft: Draft, ours: frozenset[str], atom: Atom) -> float:
        contents = (atom.content, *(self._earlier.get(atom.id, ()) if atom.actor == "human" else ()))
        return max(_likeness(draft.content, ours, content) for content in contents)

    def _index(self, atom: Atom) -> None:
        if atom.status == "forgotten":
            return
        said = (
            () if "context_message_ids" in atom.metadata else atom.said
        )  # "option 2" is said of many things
        for mark in (fingerprint(atom.content), *said):
            self._marks.setdefault(mark, atom.id)
        found = frozenset(words(atom.content))
        for word in sorted(found - self._words.get(atom.id, frozenset())):
            self._by_word[word].append(atom.id)
        self._words[atom.id] = found

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
        for other in [one for one in self.atoms.values() if atom.id in one.supersedes]:
            if (
                other.status == "active"
                and other.actor != "human"
                and draft.time
                and not _is_older(draft, other)
            ):
                self._put(replace(atom, status="active", supersedes=(other.id,)))
                left = tuple(name for name in other.supersedes if name != atom.id)
                self._put(replace(other, status="superseded", supersedes=left, version=other.version + 1))

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

    def _update(self, atom: Atom, draft: Draft, place: Place) -> None:
        """Let the newer of two values stand; the other stays, readable and superseded."""
        new = self._store(draft, place)
        self.counts.store -= 1
        self.counts.update += 1
        if _is_older(draft, atom):
            self._put(replace(new, status="superseded"))
            self._put(replace(atom, supersedes=(*atom.supersedes, new.id), version=atom.version + 1))
        else:
            self._put(replace(new, supersedes=(atom.id,)))
            self._put(replace(atom, status="superseded", version=atom.version + 1))


def made(draft: Draft, place: Place) -> Atom:
    """Make an atom of a draft."""
    metadata: dict[str, Json] = {"tags": list(draft.tags)}
    if place.project:
        metadata["project"] = place.project
    if draft.start:
        metadata |= {"activity_start_time": draft.start, "activity_end_time": draft.end or draft.start}
    if draft.heard:
        metadata["context_message_ids"] = list(draft.heard)
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


# --------------------------------------------------------------------------- likeness


def _is_elsewhere(atom: Atom, draft: Draft, place: Place) -> bool:
    """Tell whether an atom is none that a draft could be compared with: not active, or of another project."""
    if atom.status != "active":
        return True
    work = not {"persona", "episodic"} & {atom.type, draft.type}
    return work and atom.metadata.get("project", "") != place.project


def says_same(one: Atom, other: Atom) -> bool:
    """Tell whether two atoms say the same of the same thing; the judgement is that of `Known.take`."""
    work = not {"persona", "episodic"} & {one.type, other.type}
    if work and one.metadata.get("project", "") != other.metadata.get("project", ""):
        return False
    if fingerprint(one.content) == fingerprint(other.content):
        return True
    alike = _likeness(one.content, frozenset(words(one.content)), other.content)
    return alike > 0 and not _is_other_value(one.content, other.content)


def _likeness(one: str, ours: frozenset[str], other: str) -> float:
    """Give how alike two contents are, 0 when they speak of different things."""
    theirs = frozenset(words(other))
    if not ours or not theirs:
        return 0.0
    either = overlap(ours, theirs)
    if either >= _ALIKE or (min(len(ours), len(theirs)) < _LEAST and either == 1):
        return either
    shorter, longer = sorted((ours, theirs), key=len)
    if len(shorter) >= _LEAST and contained(shorter, longer) >= _PART_OF and len(longer) <= 2 * len(shorter):
        return either
    return either or 0.01 if _one_subject(one, other) else 0.0


def _one_subject(one: str, other: str) -> bool:
    """Tell whether two contents give one subject two values that can only be one of them."""
    if _is_exchanged(one, other):
        return True
    ours, theirs = _VALUE.match(one), _VALUE.match(other)
    if not ours or not theirs:
        return False
    mine, yours = words(ours["subject"]), words(theirs["subject"])
    exact = bool(_EXACT.search(ours["value"])) and bool(_EXACT.search(theirs["value"]))
    return bool(mine) and mine == yours and exact and _shape(ours["value"]) == _shape(theirs["value"])


def _is_exchanged(one: str, other: str) -> bool:
    """Tell whether two contents are one sentence with a part exchanged, about what can only be one thing."""
    ours, theirs = words(one), words(other)
    if ours == theirs or not (_EXCLUSIVE.search(one) and _EXCLUSIVE.search(other)):
        return False
    first = _common(ours, theirs)
    last = min(_common(ours[::-1], theirs[::-1]), min(len(ours), len(theirs)) - first)
    longer = max(len(ours), len(theirs))
    return first > 0 and first + last >= _SAME * longer and min(len(ours), len(theirs)) > first + last


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the words that two lists begin with together."""
    count = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        count += 1
    return count


def _shape(value: str) -> bool:
    """Tell values that are numbers or dates from those that are names."""
    return bool(_NUMBER.search(value))


def _is_other_value(one: str, other: str) -> bool:
    """Tell whether of two alike contents one denies the other or gives another value."""
    if is_negated(one) != is_negated(other) or _one_subject(one, other):
        return fingerprint(one) != fingerprint(other)
    if set(_NUMBER.findall(one)) - set(_NUMBER.findall(other)) and set(_NUMBER.findall(other)) - set(
        _NUMBER.findall(one)
    ):
        return True
    ours, theirs = words(one), words(other)
    if set(ours) == set(theirs):  # the same words in another order: "tabs over spaces", "spaces over tabs"
        return [word for word in ours if word in theirs] != [word for word in theirs if word in ours]
    mine, yours = set(ours) - set(theirs), set(theirs) - set(ours)
    return len(mine) == 1 and len(yours) == 1  # one word exchanged for another


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
