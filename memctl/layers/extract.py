"""Extract: the messages of one session become drafts of atoms, by rules alone (DESIGN 5, L1)."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from memctl.layers import speakers, speech
from memctl.layers.dates import When, when
from memctl.layers.judge import LOCAL, Claim, goes_on, is_question, is_request, judge, plain, rules, tongue_of
from memctl.layers.likeness import fingerprint
from memctl.layers.scenery import Scenery
from memctl.layers.wording import chosen, is_binding, of_person, of_the_user, subject, with_name, with_person
from memctl.model import ABSOLUTE
from memctl.store.messages import Mark

_TYPES = {
    "correction": ("work_fact", 80),
    "decision": ("work_fact", 75),
    "commitment": ("work_task", 70),
    "preference": ("persona", 75),
    "identity": ("persona", 80),
    "instruction": ("instruction", 85),
    "method": ("work_method", 70),
    "dead_end": ("work_method", 65),
    "artifact": ("work_artifact", 60),
    "opinion": ("persona", 50),
    "fact": ("work_fact", 60),
    "event": ("episodic", 55),
}
"""Type and priority of an atom, by what its sentence is (DESIGN 2.5)."""

FORGOTTEN = "forgotten"  # kind of a draft that only says where something forgotten stands again
_STRESS = 10
_DATED = frozenset(("commitment", "decision", "event", "fact"))
_AHEAD = frozenset(("commitment", "decision"))
_ABOUT_USER = frozenset(("preference", "identity", "event"))
_ASIDE = frozenset(("fact", "opinion"))  # in a message that asks for something they are about the asking
_TO_AGENTS = frozenset(("instruction", "correction"))  # said to another person they are none for an agent
_MOST_SENTENCES = {"decision": 3, "commitment": 2, "opinion": 2, "fact": 2, "preference": 2}
_LONGEST = 420
_LETTER = re.compile(r"\w")
# An agent that asks for what it needs to go on: the answer is about that one request.
_WANTS_DATA = re.compile(
    r"(?:please|could you|can you|you (?:need|have) to|i(?:'ll| will| would)? need)[^.?!]{0,40}"
    r"\b(?:provide|specify|enter|tell|give)\b (?:me )?(?:with )?(?:the|your|its|an?)\b"
    r"|请(?:您|你)?(?:提供|告诉|告知|输入)|(?:教えて|入力して|提供して)ください|알려\s?주",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as extraction wants it; the agent's words are read only for what a choice names."""

    id: str
    role: str
    content: str
    marks: tuple[Mark, ...] = ()
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What one message says that will matter again, before it is compared with what is known.

    said: fingerprints of its sentences. heard: ids of the agent's messages that a choice was made from.
    speaker: who said it where persons talk with each other.
    """

    content: str
    type: str
    kind: str
    priority: int
    source: str
    time: str | None
    tags: tuple[str, ...]
    said: tuple[str, ...]
    scene: str = ""
    start: str | None = None
    end: str | None = None
    heard: tuple[str, ...] = ()
    speaker: str = ""


@dataclass
class _Open:
    """A claim that the next sentence may still go on with."""

    claim: Claim
    paragraph: int
    sentences: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    heard: tuple[str, ...] = ()


def drafts(
    messages: Iterable[Heard],
    hidden: Callable[[str], bool] = lambda _mark: False,
    persons: tuple[str, ...] = (),
) -> Iterator[Draft]:
    """Give the drafts of one session in order; *hidden* tells fingerprints of what was forgotten.

    persons: who talks with each other, where messages begin with their names (`speakers.names`).
    """
    offered: Heard | None = None
    scenery = Scenery()
    for message in messages:
        if message.role == "assistant" and message.content:
            offered = message
        if message.role != "user":
            continue
        words = speech.own_words(message.content, message.marks)
        listed = speech.sentences(words)
        for sentence in listed:
            if hidden(fingerprint(sentence.text)):
                yield _quoting(fingerprint(sentence.text), message)
        name = speakers.speaker(message.content) if persons else ""
        found = list(_claims(listed, hidden, offered, name)) if listed else []
        claimed = {mark for one in found for mark in one.said}
        topic = [
            one.text
            for one in listed
            if fingerprint(one.text) not in claimed and not hidden(fingerprint(one.text))
        ]
        scene = scenery.hear(topic, message.time)
        for one in found:
            draft = replace(_draft(one, message), scene=scene)
            if not name:
                yield draft
            elif draft.kind not in _TO_AGENTS:
                yield replace(draft, content=speakers.as_said_by(draft.content, name, persons), speaker=name)


def _claims(
    listed: list[speech.Sentence], hidden: Callable[[str], bool], offered: Heard | None, name: str = ""
) -> Iterator[_Open]:
    whole = tongue_of(" ".join(one.text for one in listed))
    tongues = [tongue_of(one.text) if not one.text.isascii() else whole for one in listed]
    wanted = offered is not None and _WANTS_DATA.search(offered.content) is not None
    asking = [
        bool(tongue) and (is_question(one.text, tongue) or is_request(one.text, tongue))
        for one, tongue in zip(listed, tongues, strict=True)
    ]
    current: _Open | None = None
    person, claimed, passed = "", "", False
    for at, (sentence, tongue) in enumerate(zip(listed, tongues, strict=True)):
        mark = fingerprint(sentence.text)
        if hidden(mark) or not tongue or not _is_prose(sentence.text):
            if current:
                yield current
            current, person = None, ""
            continue
        text = speakers.without_name(sentence.text, name) if name else sentence.text
        named = with_name(text, person, tongue)
        claim = judge(named, tongue)
        if current and _continues(current, sentence, tongue, claim):
            current.sentences.append(sentence.text)
            current.said.append(mark)
            continue
        if current and not claim and current.claim.kind == "decision" and not passed:
            passed = True  # a reason may stand between a decision and the rest of it
            continue
        if current:
            yield current
        current, passed = None, False
        asks = wanted or sum(asking) > asking[at]
        if claim and _is_wanted(claim, claimed, asks=asks, leaning=named != text):
            current = _opened(claim, person, sentence, mark, offered)
            claimed = claim.kind
        person = subject(text, tongue) or person
    if current:
        yield current


def _is_wanted(claim: Claim, claimed: str, *, asks: bool, leaning: bool) -> bool:
    """Tell whether a claim is more than an aside of its message.

    *claimed*: the kind of the claim before it. *asks*: the message asks for something, and what it says
    beside that is about the asking; so are rules without a mark of standing. *leaning*: it goes on about
    the person of the sentence before.
    """
    if asks and (claim.kind in _ASIDE or LOCAL in claim.tags):
        return False
    if (leaning and claim.kind == claimed) or (claimed == "preference" and claim.kind == "opinion"):
        return False  # gives the reason
    return not (claimed and claim.kind == "commitment" and not is_binding(claim))


def _opened(
    claim: Claim, person: str, sentence: speech.Sentence, mark: str, offered: Heard | None
) -> _Open | None:
    if "choice" not in claim.tags:
        if claim.kind == "commitment" and person and not claim.parts.get("person"):
            claim = replace(claim, content=of_person(claim.content, person))
        return _Open(claim, sentence.paragraph, [], [mark])
    content = chosen(claim.parts.get("choice", ""), offered.content if offered else "", claim.tongue)
    if not content or offered is None:
        return None
    return _Open(replace(claim, content=content), sentence.paragraph, [], [mark], (offered.id,))


def _continues(current: _Open, sentence: speech.Sentence, tongue: str, claim: Claim | None) -> bool:
    kind = current.claim.kind
    length = len(current.claim.content) + sum(map(len, current.sentences)) + len(sentence.text)
    if (
        sentence.paragraph != current.paragraph
        or len(current.sentences) + 1 >= _MOST_SENTENCES.get(kind, 1)
        or length > _LONGEST
        or "choice" in current.claim.tags
    ):
        return False
    if kind == "opinion" and claim and claim.kind != "opinion":
        return False
    return goes_on(sentence.text, tongue, kind)


def _is_prose(sentence: str) -> bool:
    letters = len(_LETTER.findall(sentence)) + sentence.count(" ")
    return letters >= 0.7 * len(sentence) and "://" not in sentence[:8]


# --------------------------------------------------------------------------- one draft


def _quoting(mark: str, message: Heard) -> Draft:
    """Say that a message says again what was forgotten: no content, only where."""
    return Draft("", "", FORGOTTEN, 0, message.id, message.time, (), (mark,))


def _draft(one: _Open, message: Heard) -> Draft:
    claim = one.claim
    table = rules(claim.tongue).language
    content = with_person(claim, claim.content)
    if claim.kind in _ABOUT_USER:
        content = of_the_user(content, claim.tongue)
    content = table.gap.join([content, *one.sentences])
    seen = plain(" ".join([claim.content, *one.sentences]))
    kind_type, priority = _TYPES[claim.kind]
    if claim.kind == "instruction" and re.search(table.absolute, seen):
        priority = ABSOLUTE
    elif re.search(table.stressed, seen):
        priority = min(100, priority + _STRESS)
    named = when(content, message.time, ahead=claim.kind in _AHEAD) if claim.kind in _DATED else None
    if named and named.pointing:
        content = _dated(content, named, claim.tongue)
    return Draft(
        content=content,
        type=kind_type,
        kind=claim.kind,
        priority=priority,
        source=message.id,
        time=message.time,
        tags=(claim.kind, *(tag for tag in claim.tags if tag not in ("choice", LOCAL))),
        said=tuple(one.said),
        start=named.first if named and claim.kind != "fact" else None,
        end=named.last if named and claim.kind != "fact" else None,
        heard=one.heard,
    )


def _dated(content: str, named: When, tongue: str) -> str:
    """Write the absolute date behind the relative words it stands for, in their language."""
    between = rules(tongue).language.until
    days = named.first if named.first == named.last else f"{named.first}{between}{named.last}"
    before, after = content[: named.end], content[named.end :]
    if before[-1].isascii():
        return f"{before} ({days}){after}"
    return f"{before}（{days}）{after}"
