"""Judge one sentence: does it say something that will matter again, and what (DESIGN 5, L1).

The tables of `cues` decide; here is only how they are read. No cue, no memory.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from memctl.layers.cues import Cue, Language, language, names
from memctl.layers.tongues import HAN, HANGUL, KANA, tongues

_FIRM = frozenset(("fact", "opinion", "method"))  # kinds that a doubt in the same sentence takes away
REFUSED = "no"  # tag of cues that count only behind an opening that says no
LOCAL = "local"  # tag of cues without a mark of standing: beside a request they are about that request
_LONGEST = 420  # characters: longer sentences are documents
_LEAST = 8  # characters of content; CJK says more with less
_LEAST_CJK = 4
_HIDDEN = re.compile(
    r"\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|「[^」\n]{2,300}」|『[^』\n]{2,300}』|`[^`\n]{1,200}`|(?<!\w)'[^'\n]{3,200}'(?!\w)"
)
# A name of the code at hand; the name of a style is none.
_SYMBOL = re.compile(r"\b(?!\w+[_Cc]ase\b)(?:[A-Za-z]+_\w|[a-z]{2,}[A-Z][a-z]|self\.|this\.)")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says.

    content: the user's words, without those around them. parts: what the cue named in them (person, choice, topic).
    """

    kind: str
    content: str
    tags: tuple[str, ...]
    tongue: str
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Rules:
    language: Language
    openings: re.Pattern[str]
    announces: re.Pattern[str]
    vague: re.Pattern[str]
    opines: re.Pattern[str]
    refuses: re.Pattern[str]
    unsure: re.Pattern[str]
    personal: re.Pattern[str]
    nobodys: re.Pattern[str]
    dictated: re.Pattern[str]
    objectless: re.Pattern[str]
    leaning: re.Pattern[str]
    remark: re.Pattern[str]
    cues: tuple[tuple[Cue, re.Pattern[str]], ...]
    request: re.Pattern[str]
    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    pointing: re.Pattern[str]
    follows: Mapping[str, re.Pattern[str]]


@cache
def rules(tongue: str) -> _Rules:
    """Compile a language's table."""
    table = language(tongue)
    return _Rules(
        language=table,
        openings=re.compile(rf"\A(?:{table.openings})", re.IGNORECASE),
        announces=re.compile(table.announces),
        vague=re.compile(table.vague),
        opines=re.compile(table.opines),
        refuses=re.compile(table.refuses),
        unsure=re.compile(table.unsure),
        personal=re.compile(table.personal),
        nobodys=re.compile(f"{table.makes_up}|{table.reported}"),
        dictated=re.compile(table.dictated),
        objectless=re.compile(table.objectless),
        leaning=re.compile(table.leaning),
        remark=re.compile(table.remark, re.IGNORECASE),
        cues=tuple((cue, re.compile(cue.pattern)) for cue in table.cues),
        request=re.compile(table.request),
        question=re.compile(table.question),
        hypothetical=re.compile(table.hypothetical),
        pointing=re.compile(table.pointing),
        follows={kind: re.compile(pattern) for kind, pattern in table.follows},
    )


def tongue_of(text: str) -> str:
    """Tell a text's language; of those that small words do not tell apart, the one in which it says something.

    "" when unsure.
    """
    found = tongues(text)
    if len(found) == 1:
        return found[0]
    seen = plain(text[:_LONGEST])
    heard = (name for name in found if any(cue.search(seen) for _, cue in rules(name).cues))
    return next(heard, "english" if text.isascii() else "")


def plain(text: str) -> str:
    """Prepare a sentence for the cues: lower case and straight quotes, every character in its place."""
    text = text.replace("’", "'").replace("‘", "'")
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def bare(sentence: str, tongue: str) -> tuple[str, str]:
    """Take the opening words from a sentence: (what is left, the openings)."""
    openings = rules(tongue).openings
    rest, taken = sentence, ""
    for _ in range(4):
        found = openings.match(rest.replace("’", "'"))
        if not found or found.end() == 0 or found.end() >= len(rest):
            break
        taken += rest[: found.end()].lower()
        rest = rest[found.end() :]
    return rest, taken


def is_question(sentence: str, tongue: str) -> bool:
    """Tell whether a sentence asks."""
    return rules(tongue).question.search(plain(sentence)) is not None


def is_request(sentence: str, tongue: str) -> bool:
    """Tell whether a sentence asks the agent for something now."""
    return rules(tongue).request.search(plain(bare(sentence, tongue)[0])) is not None


def goes_on(sentence: str, tongue: str, kind: str) -> bool:
    """Tell whether a sentence only goes on with one of *kind* before it."""
    follows = rules(tongue).follows.get(kind)
    return (
        follows is not None
        and follows.search(plain(sentence)) is not None
        and not is_question(sentence, tongue)
        and not is_request(sentence, tongue)
    )


def judge(sentence: str, tongue: str) -> Claim | None:
    """Say what a sentence claims; None for a question, a request, a greeting, and all that no cue speaks for."""
    if not tongue or len(sentence) > _LONGEST or tongue not in names():
        return None
    table = rules(tongue)
    rest, taken = bare(sentence, tongue)
    seen = _HIDDEN.sub(lambda found: "§" * len(found[0]), plain(rest))
    if table.question.search(plain(sentence)) or table.hypothetical.search(seen):
        return None
    if table.nobodys.search(seen) or table.dictated.search(_HIDDEN.sub("", plain(sentence))):
        return None
    requested = table.request.search(seen) is not None
    refused = table.refuses.search(taken) is not None
    for cue, pattern in table.cues:
        if requested and cue.kind not in ("instruction", "decision", "correction"):
            continue
        if (REFUSED in cue.tags and not refused) or (LOCAL in cue.tags and _SYMBOL.search(rest)):
            continue
        found = pattern.search(seen)
        if found is None:
            continue
        content, parts = _content(cue, found, rest, table)
        if cue.tags != ("choice",) and not _long_enough(content):
            content = _finished(rest)  # "settled on weekly releases": the verb is half of what is said
        if not _stands_alone(content, cue, table) or (cue.kind in _FIRM and table.unsure.search(seen)):
            continue
        return Claim(cue.kind, content, tuple(tag for tag in cue.tags if tag != REFUSED), tongue, parts)
    if requested or table.unsure.search(seen) or table.pointing.search(seen) or not _long_enough(rest):
        return None
    if table.announces.search(taken):
        return Claim("fact", _finished(rest), (), tongue)
    if table.opines.search(taken) and not table.personal.match(seen):
        return Claim("opinion", _finished(rest), (), tongue)
    return None


def _content(cue: Cue, found: re.Match[str], sentence: str, table: _Rules) -> tuple[str, dict[str, str]]:
    parts = {
        name: sentence[found.start(name) : found.end(name)].strip()
        for name, value in found.groupdict().items()
        if value is not None
    }
    values = dict.fromkeys(("topic", "person", "choice"), "") | parts
    if cue.kind == "fact":
        sentence = table.remark.sub("", sentence)
    content = cue.keep.format(whole=sentence, rest=sentence[found.end() :].strip(" ，,：:"), **values)
    if cue.keep.startswith("{topic}") and not parts.get("topic"):
        content = content.lstrip(":： ")
    return _finished(content), parts


def _finished(content: str) -> str:
    """Write a content as a sentence: a capital first, no stray marks at its ends."""
    content = content.strip().strip("，,；;:：- ")
    if content[:1].islower() and not re.match(r"[a-z]*[A-Z_./(\u3040-\uffef]|[a-z]+\d", content):
        content = content[0].upper() + content[1:]
    return content


def _stands_alone(content: str, cue: Cue, table: _Rules) -> bool:
    """Tell whether a content names what it is about."""
    if cue.tags == ("choice",):
        return True
    seen = plain(content)
    if not _long_enough(content) or table.objectless.match(seen):
        return False
    if cue.kind in ("correction", "instruction"):
        return cue.kind == "correction" or not table.leaning.match(seen)
    return not table.vague.search(seen) and (cue.kind == "event" or not table.pointing.search(seen))


def _long_enough(content: str) -> bool:
    cjk = sum(len(script.findall(content)) for script in (HAN, KANA, HANGUL))
    return cjk >= _LEAST_CJK or (len(content) >= _LEAST and len(re.split(r"[\s'’]+", content)) >= 3)
