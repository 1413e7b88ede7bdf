"""The sentence with which an agent concludes (DESIGN 4.1), and its joining with the facts of a result."""

import re
from dataclasses import replace

from memctl.model import Summary
from memctl.summarize.doubting import doubts, taken_back, weighs
from memctl.summarize.patterns import regex
from memctl.summarize.sentences import placed
from memctl.summarize.weighing import finds_cause, plans, weight
from memctl.summarize.wording import LIMIT, clause, clip

_BESIDE = 45  # characters in which words can stand beside facts that come first
LONGEST = 150  # characters of a conclusion
_ENOUGH = 2.7  # the weight from which a sentence counts as a conclusion
_REPORT, _MOST = 20_000, 96  # characters and sentences of a report that are looked at
_LATER = 0.12  # what each sentence before it takes away: agents react first, and plan after

_ADRIFT = 1.0  # ... and what a sentence loses that says "this" of what stands before it
_LEANING = regex(
    r"(?:this|these|those|they|such) (?:\w+ )?(?:is|are|was|were|has|have|will|would|can|could|should"
    r"|works?|means?|makes?|allows?|gives?|approach|way|pattern|method|template)\b",
    re.IGNORECASE,
)

# "There's the bug!", "Now I see the issue": what follows is the cause, and is told as it.
_ANNOUNCES = regex(
    r"(?:(?:there|here|that)(?:'s| is)|this is|found|i think i(?:'ve)? (?:see|found)"
    r"|(?:i|we)(?:'ve| have)? (?:can )?(?:now )?(?:clearly )?"
    r"(?:see|found|understand|know|identified|spotted|located))(?: now)?"
    r" (?:what )?(?:the|a|an|our|my) (?:(?:actual|real|main|core|subtle|small|little) )?"
    r"(?P<noun>(?:root )?(?:bug|problem|issue|cause|culprit|error|mistake))(?: now| here)?(?P<end>[.!:,;]| -| —|\Z)",
    re.IGNORECASE,
)
_FOLLOWING = 4  # sentences from the one that names the cause on
_BRIEF = 120  # characters of a sentence that names the cause, whose next sentences say more of it
_SCANT = 32  # characters of a conclusion that only means something with the sentence before it
# What stands before the point: "Perfect! Now I can see that ..."
_OPENERS = regex(
    r"(?:(?:great|good|perfect|excellent|nice|ok|okay|hmm+|interesting|interestingly|actually|wait|yes"
    r"|no|ah|aha|oh|indeed|right|awesome|wonderful|alright|well|so|now(?! that)|but|and|then|however|"
    r"great news|good news|good catch|as expected|unfortunately|fantastic|success|done|got it"
    r"|i see(?=[,.!:—–-])|you're (?:absolutely |quite )?right|good (?:point|question)|of course|sure"
    r"|absolutely|as you can see|looks good)\b(?: progress| work)?[\s!.,:;—–-]+)+",
    re.IGNORECASE,
)
_SEEING = regex(
    r"(?:i|we) (?:can )?(?:now )?(?:also )?(?:clearly )?(?:see|notice|observe|found|realized?|know"
    r"|learned|discovered|confirmed|noticed)(?: now| clearly| here)? that\b[:,]? |(?:looking at|from"
    r"|based on|according to) [^,]{1,80}, (?=\S)|this (?:shows|means|confirms|indicates) that ",
    re.IGNORECASE,
)
_CJK_OPENERS = regex(
    r"(?:(?:好的?|很好|太好了|完美|明白了?|可以|是的|不错|看来"
    r"|はい|なるほど|よし|了解です|わかりました|네|좋습니다|좋아요|알겠습니다)[，,。！!、：: ]+)+"
)
# The plan that follows: "..., so let me run the tests".
_TURN = regex(
    r"(?:[,;:—–]|\s-)\s*(?:so |and |but |then |now |next,? )*(?:let me|let's|let us|i'll|i will"
    r"|i'm going to|we'll|we will|i need to|i should|we need to|we should|i can now|we can now|now i"
    r"|next i)\b.*$|[，；,](?:所以|因此|那么|接下来)?(?:让我|我来|我将|我先|我会|我需要|下面|接下来).*$",
    re.IGNORECASE,
)
_WORD = regex(r"[\w]{3,}|\d+")
_COMMON = frozenset(
    "the and with for that this from has have was were are not all now its their into will can".split()
)
_FAILURE = regex(
    r"\b(?:fail\w*|errors?|broke\w*|breaks?|wrong\w*|missing|miss(?:es|ed)?|not|cannot|\w+n't|unable"
    r"|invalid|refus\w+|den(?:y|ied)|reject\w*|crash\w*|timed? ?out|too (?:long|large|many|few)|mismatch\w*|conflict\w*"
    r"|bug|issue|problem|cause[sd]?|lacks?|without|unknown|undefined|unexpected\w*)\b"
    r"|失败|失敗|错误|錯誤|不|没|沒|未|无法|無法|缺|报错|异常|原因|エラー|ない|ません|できな|오류|실패|없|않|못",
    re.IGNORECASE,
)
_FEW_BLANKS, _SCANT_CJK = 2, 6  # blanks, or characters of a text without, in what a colon announces
# Words with which nothing ends: what they lead to is missing.
_HANGING = regex(
    r"(?:^|[ ,;，；])(?:(?:which|that|this|these|it|they) )?(?:is|are|was|were|because|means?|includes?|including|requires?"
    r"|needs?|has|have|contains?|shows?|leads?|leading to|due to|such as|so|and|or|but|as|of|to|by|for|with|from|in|on|at"
    r"|like|than|when|where|if|into|be)$|(?:the |as )?(?:following|follows|below)(?: \w+)?$"
    r"|(?:如下|以下|包括|是|为|有|因为|由于|原因|は|が|を|に|の)$",
    re.IGNORECASE,
)
_ENDS = tuple(".!?:;。！？：；…")
_NOT_LETTERS = regex(r"[\W_]+")
_CODE_FIRST = regex(r"[a-z]+[A-Z_(./\d]")


def conclusion(text: str, *, report: bool = False, longest: int = LONGEST, private: bool = False) -> str:
    """Return the sentence of an agent's message that concludes, "" when none does.

    "The State struct has StartedAt but no EndedAt" concludes; "Let me now look at state.go" does not.
    report: the text is a long one, whose point may stand anywhere. longest: characters it may have. private: it
    is the agent's reasoning, in which an option and what is still to be verified are no conclusions.
    """
    return next(iter(conclusions(text, 1, report=report, longest=longest, private=private)), "")


def conclusions(
    text: str, most: int, *, report: bool = False, longest: int = LONGEST, private: bool = False
) -> list[str]:
    """Return up to *most* sentences of an agent's message that conclude, the best first."""
    ranked: list[tuple[float, int, str]] = []
    told = placed(text, _REPORT, _MOST) if report else placed(text)
    found = [sentence for sentence, _ in told]
    for position, sentence in enumerate(found):
        said = _bare(sentence)
        following, goes_on = told[position + 1] if position + 1 < len(told) else ("", False)
        if doubts(sentence) or doubts(said) or taken_back(following):
            continue
        if private and weighs(said, following):
            continue
        if said.endswith((":", "：")) and not _ANNOUNCES.match(said):
            said = f"{said} {following}" if goes_on and _tells(following) else _before_colon(said)
        if announced := _ANNOUNCES.match(said):
            rest = said[announced.end() :].strip()
            if not rest and goes_on and _tells(following):
                rest = _bare(following)
            if rest and finds_cause(rest):
                said = rest
            elif rest and not rest.endswith(("?", "？", ":", "：")):
                said = f"The {announced['noun'].lower()}: {rest}"
        if finds_cause(said) and len(said) < _BRIEF:
            said = _with_what_follows(said, found, position, longest)
        weighed = weight(said[:600]) - position * (_LATER / 6 if report else _LATER)
        if weighed and _LEANING.match(said):  # "This approach works because they ...": which approach?
            weighed -= _ADRIFT
            before = _bare(found[position - 1]) if position else ""
            if before and len(before) + len(said) < longest and _leads(before):
                said = f"{before} {said}"
        elif weighed >= _ENOUGH and len(said) < _SCANT and said.isascii() and position:
            before = _bare(found[position - 1])  # "Something went wrong.": what did?
            if len(before) >= _SCANT // 2 and _leads(before):
                said = f"{before} {said}"
        if weighed >= _ENOUGH:
            ranked.append((-weighed, position, said))
    return [clause(said.rstrip(":： "), longest) for _, _, said in sorted(ranked)[:most]]


def _tells(following: str) -> bool:
    """Say whether what stands behind a colon can be told with what announces it: no scrap, and no heading itself."""
    if following.endswith((":", "：", "?", "？")):
        return False
    return following.count(" ") >= _FEW_BLANKS or (not following.isascii() and len(following) >= _SCANT_CJK)


def _before_colon(said: str) -> str:
    """End a sentence before the colon that leads to a list; "" when it says nothing without what follows."""
    bare = said.rstrip(":： ")
    while match := _HANGING.search(bare):
        before = bare[: match.start()].rstrip()
        if not before.endswith((",", ";", "，", "；", "—", "–")):
            return ""
        bare = before.rstrip(",;，；—– ")
    return bare


def _leads(before: str) -> bool:
    """Say whether the sentence before another can stand before it: it states something."""
    return not before.endswith(("?", "？", ":", "：")) and not plans(before)


def _with_what_follows(said: str, found: list[str], position: int, longest: int) -> str:
    """Give a sentence that names the cause with those that follow and go on with it, as far as there is room."""
    for following in found[position + 1 : position + _FOLLOWING]:
        bare = _bare(following)
        if bare in said:
            continue
        if len(said) + len(bare) + 1 > longest or not weight(bare) or bare.endswith((":", "：")):
            break
        said = f"{said}{'' if said.endswith(_ENDS) else ';'} {bare}"
    return said


def _bare(sentence: str) -> str:
    """Take off what stands before the point and the plan that follows it."""
    said = sentence[:600]
    if match := _OPENERS.match(said):
        said = said[match.end() :]
    if match := _SEEING.match(said):
        said = said[match.end() :]
    if not said.isascii() and (match := _CJK_OPENERS.match(said)):
        said = said[match.end() :]
    if match := _TURN.search(said):
        said = said[: match.start()]
    said = said.strip()
    if said[:1].islower() and said[:1].isascii() and sentence[:1].isupper() and not _CODE_FIRST.match(said):
        return said[:1].upper() + said[1:]
    return said


def combine(summary: Summary, conclusion: str) -> Summary:
    """Join the agent's *conclusion* with the facts of *summary*, at most 200 characters.

    A summary that says everything comes first; else the conclusion does, and the facts stand beside it.
    """
    said = clause(conclusion, LONGEST).rstrip("。. ")
    if not said or summary.status == "missing" or _says(summary.text, said):
        return summary
    facts = summary.text
    if summary.about:  # the values of the thing it shows, and how they changed; the node has the words
        return replace(summary, text=clip(f"{facts}; {said}")) if len(facts) <= LIMIT - _BESIDE else summary
    if summary.status == "error" and not _speaks_of_failure(said) and _words(facts).isdisjoint(_words(said)):
        return summary  # what is said of something else would hide what broke
    if (
        summary.score >= 9 and len(facts) <= LIMIT - _BESIDE
    ):  # words about something else would only dilute it
        related = not _words(facts).isdisjoint(_words(said))
        return replace(summary, text=clip(f"{facts}; {said}")) if related else summary
    if summary.status == "error" or LIMIT - len(said) - 3 < 40:  # what broke must stay readable
        said = clause(said, max(80, LIMIT - min(len(facts), 110) - 3))
    text = f"{said} ({clip(facts, LIMIT - len(said) - 3)})"
    return replace(summary, text=text, score=min(10, summary.score + 2 * (summary.score < 7)))


def facts_of(text: str, conclusion: str) -> str:
    """Take the agent's *conclusion* out of a text that `summarize.combine` made; the result's facts are left.

    Growth puts the agent's words beside the facts itself, and a node says no sentence twice.
    """
    said = conclusion.rstrip("。. ")
    if not said:
        return text
    if text.endswith(")"):
        at = text.find(" (")
        best = -1
        while at >= 0 and said.startswith(text[:at].rstrip("…")):
            best, at = at, text.find(" (", at + 1)
        if best > 0:
            return text[best + 2 : -1]
    facts, semicolon, last = text.rpartition("; ")
    return facts if semicolon and last and said.startswith(last.rstrip("…")) else text


def may_quote(text: str, words: str) -> bool:
    """Whether `facts_of` could find a conclusion of these *words* of an agent in *text*; cheaper than to look.

    A conclusion's words stand in the agent's, in their order; only "The bug:" may be put before them.
    """
    ends = [text.rpartition("; ")[2]] if "; " in text else []
    if text.endswith(")") and " (" in text:
        ends.append(text)
    firsts = {_NOT_LETTERS.sub("", word).lower() for end in ends for word in end.split(maxsplit=1)[:1]}
    said = _NOT_LETTERS.sub("", words).lower() if firsts else ""
    return any(first == "the" or first in said for first in firsts)


def _speaks_of_failure(said: str) -> bool:
    return _FAILURE.search(said) is not None


def _says(facts: str, said: str) -> bool:
    """Whether the facts already hold nearly every word of the conclusion."""
    words = _words(said)
    return bool(words) and len(words - _words(facts)) <= len(words) // 5


def _words(text: str) -> set[str]:
    """Return the words of a text that can tie it to another: names, numbers, longer words."""
    return {word for word in _WORD.findall(text.lower().replace("_", " ")) if word not in _COMMON}
