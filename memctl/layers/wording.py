"""How an atom reads when it stands alone: who it is about, what was chosen, to whom it was promised."""

import re

from memctl.layers.judge import Claim, bare, plain, rules
from memctl.text.widths import one_line

_PRONOUN = re.compile(r"\b(?:her|him|them)\b(?! own)")
_OWN = {
    "my": "their",
    "me": "them",
    "mine": "theirs",
    "myself": "themselves",
    "i": "they",
    "i'm": "they're",
    "i've": "they've",
    "i'd": "they'd",
    "i'll": "they'll",
    "am": "are",
    "i was": "they were",
    "i am": "they are",
}
_SELF = re.compile(r"\b(?:my|me|mine|myself|I was|I am|I|I'm|I've|I'd|I'll)\b(?!')")
_INNER = re.compile(
    r"(?<=[a-z,)] )I(?:(['’](?:ve|m))(?= )| ((?:[a-z]+ly |also |just |never |always |still |often |even )*)([a-z]+(?:'t)?)(?!\w))"
)
_IRREGULAR = {
    "have": "has",
    "do": "does",
    "go": "goes",
    "don't": "doesn't",
    "haven't": "hasn't",
    "am": "is",
    "be": "is",
}
# Forms that are no present: the regular past, the irregular ones, modal verbs. The regular past has a vowel before
# its -ed, and no e ("shred", "need") but that of a verb in -ee ("agreed").
_PAST = re.compile(
    r"(?!(?:em|im)bed\Z)\w*[aeiouy]\w*(?<!e)ed|\w*(?:agr|fr|guarant|decr)eed"
    r"|\w*n't|(?:re|un|over|under|out|mis|fore|with)?(?:went|left|bought|sold|got|met|took|gave|had|saw|ran|won"
    r"|lost|broke|flew|drove|began|made|wrote|grew|was|were|spoke|learnt|built|knew|threw|drew|blew|thought"
    r"|brought|caught|taught|fought|sought|felt|kept|slept|meant|dealt|spent|sent|lent|bent|heard|told|said|paid"
    r"|laid|found|held|stood|sat|led|fed|bred|fled|sped|bled|fell|ate|came|became|rang|sang|swam|drank|sank|rode"
    r"|rose|chose|froze"
    r"|woke|wore|tore|swore|stole|shook|forgot|hid|bit|lit|did|done|shot|dug|hung|stuck|struck|swung|dreamt"
    r"|burnt|spelt|can|could|would|will|must|should|might|may|been)"
)
_EITHER = frozenset("read put set shed cut let hit cost hurt quit bet shut split spread input reset".split())
_HABITS = re.compile(r"usually|always|often|sometimes|typically|normally|generally|mostly|rarely")
_NUMERALS = dict(
    zip("一二三四五六七八九十", ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"), strict=True)
)
_LINE = 200
# Words that begin sentences in capitals and name no one.
_NO_NAMES = frozenset(
    """
    the a an this that these those there here it its my our your his her their we they he she you i if when what
    how why who where which and but or so also just please thanks yes no now then after before since because
    while some all each every most many quick hard re section decision update currently
    """.split()
)


def subject(sentence: str, tongue: str) -> str:
    """Give the person or thing with a name that a sentence begins with; "" when there is none."""
    found = re.match(rules(tongue).language.named, bare(sentence, tongue)[0])
    return found[1] if found and found[1].lower() not in _NO_NAMES else ""


def with_name(sentence: str, person: str, tongue: str) -> str:
    """Put the person last named in the place of a pronoun that a sentence begins with."""
    pronoun = re.match(rules(tongue).language.person, plain(sentence)) if person else None
    if not pronoun:
        return sentence
    space = rules(tongue).language.gap if sentence[pronoun.end() : pronoun.end() + 1].isalnum() else ""
    return f"{person}{space}{sentence[pronoun.end() :]}"


def of_person(content: str, person: str) -> str:
    """Say in a promise whose things or wishes it is about: "stop converting her files" names her."""
    named, count = re.subn(r"\b(?:her|his)\b(?= [a-z])", f"{person}'s", content, count=1)
    return named if count else re.sub(r"\b(?:her|him)\b", person, content, count=1)


def is_binding(claim: Claim) -> bool:
    """Tell whether a commitment is more than the next step: to someone, by a date, or for good."""
    binding = rules(claim.tongue).language.binding
    return bool(claim.parts.get("person")) or re.search(binding, claim.content, re.IGNORECASE) is not None


def with_person(claim: Claim, content: str) -> str:
    """Name the person to whom a promise was made, in the place of a pronoun or behind it."""
    person = claim.parts.get("person", "")
    if claim.kind != "commitment" or not person or person.lower() in content.lower():
        return content
    if claim.tongue != "english":
        return content
    named, count = _PRONOUN.subn(lambda _found: person, content, count=1)
    if count:
        return named
    return f"{content.rstrip('.')} (promised to {person})"


def of_the_user(content: str, tongue: str) -> str:
    """Make the user the subject of what they said of themselves: "I prefer tabs" is "User prefers tabs"."""
    for pattern, subject in rules(tongue).language.first_person:
        found = re.match(pattern, content.replace("’", "'"), re.IGNORECASE)
        if not found:
            continue
        rest = content[found.end() :].replace("’", "'")
        groups = found.groupdict()
        if "verb" in groups:
            adverb = groups["adverb"] or ""
            verb = _third(groups["verb"], is_habit=_HABITS.search(adverb.lower()) is not None)
            subject = f"User {adverb}{verb}"  # noqa: PLW2901 - completes the template
        if tongue == "english":
            rest = _SELF.sub(lambda self: _OWN[self[0].lower()], rest)
        return subject + rest
    if tongue == "english" and (inner := _INNER.search(content)):  # "Yesterday I moved"
        verb = {"'ve": "has", "’ve": "has", "'m": "is", "’m": "is"}.get(inner[1] or "", "")
        before = content[: inner.start()] + (inner[2] or "")
        verb = verb or f"{inner[2]}{_third(inner[3], is_habit=_HABITS.search(before.lower()) is not None)}"
        rest = _SELF.sub(lambda self: _OWN[self[0].lower()], content[inner.end() :].replace("’", "'"))
        return f"{content[: inner.start()]}User {verb}{rest}"
    return content


def _third(verb: str, *, is_habit: bool) -> str:
    """Write an English verb in the third person; past and modal forms stay, "set" where it tells no habit."""
    low = verb.lower()
    if verb.isupper() and len(verb) > 1:
        verb = low
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if _PAST.fullmatch(low) or (low in _EITHER and not is_habit):
        return verb
    if low.endswith(("s", "x", "ch", "sh", "z", "o")):
        return f"{verb}es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def chosen(choice: str, offered: str, tongue: str) -> str:
    """Say what a choice ("option 2", "方案二") means, from the agent's message that offered it; "" when it does not say."""
    table = rules(tongue).language
    called = f"(?:{table.options}|{rules('english').language.options})"  # an agent may list in English
    one = rf"{called}?\s*([a-z]|[0-9]{{1,2}}|[一二三四五六七八九十])[个种번]?{called}?"
    named = re.fullmatch(one, choice.strip(), re.IGNORECASE)
    if not named:
        return ""
    mark = _NUMERALS.get(named[1], named[1])
    other = next((sign for sign, number in _NUMERALS.items() if number == mark), mark)
    either = f"(?:{re.escape(mark)}|{other})"
    line = re.compile(
        rf"^[\s*#>•-]{{0,8}}(?:{called}\s?{either}(?![\w%])|{either}\s?[.)、）:：](?!\d))"
        r"[\s*:：.)、）—–-]{0,8}(?P<title>\S[^\n]{3,400})",
        re.IGNORECASE | re.MULTILINE,
    )
    found = None
    for found in line.finditer(offered[:20_000]):  # noqa: B007 - the last list of options is the one on offer
        pass
    if not found:
        return ""
    title = one_line(found["title"].replace("**", "").replace("`", "").strip(" *:："), _LINE)
    choice = choice.strip()
    return table.chose.format(
        choice=table.listed.format(choice=choice) if len(choice) <= 2 else choice, title=title
    )
