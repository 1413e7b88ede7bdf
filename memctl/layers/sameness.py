"""When two contents say the same, or give one thing another value."""

import re

from memctl.layers.likeness import contained, fingerprint, is_negated, overlap, stems, words
from memctl.layers.stances import puts_an_end
from memctl.model import Atom
from memctl.text.letters import CJK

_ALIKE = 0.75  # overlap of content words from which two atoms say the same
_PART_OF = 0.9  # part of the shorter one's words that the longer one has
_LEAST = 3  # content words below which only equal words count as alike
# "X is Y": the subject stands before the verb, the value behind it.
_VALUE = re.compile(
    r"\A(?P<subject>.{3,80}?)"
    r"(?:\s(?:is|are|was|will be|=|ist|sind|est|sont|es|son|é|são)\s(?:now |at |on |set to )?"
    r"|[是为](?!什么)|改为|：|は|(?<=[가-힣])[은는]\s)(?P<value>.{1,160})\Z"
)
_EXACT = re.compile(
    r"\d|\b[A-Z][\w-]+|\S+@\S+|[A-Za-z][\w./-]*[./_][\w./-]+|[A-Z]{2,}|[A-Za-z]+(?=[。，]|[.!]?\Z)"
)
_EXCLUSIVE = re.compile(
    r"\b(?:prefers?|uses?|using|lives?|works?|moved|deploys?|targets?|hosted|named|called|default|version)\b"
    r"|偏好|更喜欢|使用|统一用|住在|工作|默认|改用|使う|使用|住んで|사용|선호"
)
# Words between two things that make their order tell.
_ORDERED = re.compile(
    r"\b(?:over|than|instead|rather|before|after|above|below|not|to|into|then|beats)\b|"
    rf"[{CJK}]"
)
SAME = 0.6  # part of the words that one sentence with a part exchanged keeps
_NUMBER = re.compile(r"\d[\d.,:]*")


def says_same(one: Atom, other: Atom) -> bool:
    """Tell whether two atoms say the same of the same thing; the judgement is that of `Known.take`."""
    work = is_work(one.type) and is_work(other.type)
    if work and one.metadata.get("project", "") != other.metadata.get("project", ""):
        return False
    if speaker_of(one) != speaker_of(other):
        return False
    if fingerprint(one.content) == fingerprint(other.content):
        return True
    alike = likeness(one.content, other.content)
    return alike > 0 and not is_other_value(one.content, other.content)


def is_work(kind: str) -> bool:
    """Tell whether an atom of a type is about the work of one project; what is about a person holds in all."""
    return kind not in ("persona", "episodic")


def speaker_of(atom: Atom) -> str:
    """Give whose words an atom has, where persons talked with each other; "" for the user."""
    return str(atom.metadata.get("speaker") or "")


def likeness(one: str, other: str) -> float:
    """Give how alike two contents are, 0 when they speak of different things."""
    ours, theirs = frozenset(stems(one)), frozenset(stems(other))
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
    if len(mine) == 1 and not (_shape(ours["value"]) and _shape(theirs["value"])):
        return False  # of a person or a thing alone many things are true at once
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
    return first > 0 and first + last >= SAME * longer and min(len(ours), len(theirs)) > first + last


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


def is_other_value(one: str, other: str) -> bool:
    """Tell whether of two alike contents one denies the other or gives another value."""
    if is_negated(one) != is_negated(other) or _one_subject(one, other):
        return fingerprint(one) != fingerprint(other)
    if puts_an_end(one, other) or puts_an_end(other, one):
        return True
    if set(_NUMBER.findall(one)) - set(_NUMBER.findall(other)) and set(_NUMBER.findall(other)) - set(
        _NUMBER.findall(one)
    ):
        return True
    ours, theirs = stems(one), stems(other)
    if set(ours) == set(theirs) and not (_ORDERED.search(one.lower()) or _ORDERED.search(other.lower())):
        return False  # "dark roast from Ethiopia", "Ethiopian dark roast"
    if set(ours) == set(theirs):  # the same words in another order: "tabs over spaces", "spaces over tabs"
        return [word for word in ours if word in theirs] != [word for word in theirs if word in ours]
    mine, yours = set(ours) - set(theirs), set(theirs) - set(ours)
    return len(mine) == 1 and len(yours) == 1  # one word exchanged for another
