"""What an agent says and does not hold: doubts, what it takes back at once, and in its reasoning what it only weighs."""

import re

from memctl.summarize.patterns import regex

# "I'm not sure that's valid syntax.": whoever says so has found nothing.
_DOUBTS = regex(
    r"(?:actually,? |hmm+,? |but |wait,? |so |though )*"
    r"(?:i(?:'m| am) (?:not |un)(?:\w+ )?(?:sure|certain|convinced)\b|i(?:'m| am) (?:confused|guessing)\b"
    r"|(?:i |we )?(?:doubt|wonder)\b"
    r"|(?:it(?:'s| is) )?(?:not (?:clear|obvious|sure)\b|unclear (?:if|whether|why|how|what)\b)"
    r"|i (?:don't|do not) (?:know|understand|see) (?:why|whether|if|how|what)\b"
    r"|is (?:that|this|it) (?:right|valid|true)\b)"
    r"|我?不(?:太|是很)?(?:确定|清楚|知道)(?:是不是|是否|为什么|吗)?"
    r"|.{0,24}(?:かどうか(?:わか|分か)らない|か不明)|.{0,24}(?:잘 )?모르겠",
    re.IGNORECASE,
)
# What the next sentence begins with when it takes back the one before it.
_TAKES_BACK = regex(
    r"(?:but |oh |ah |no,? |hmm+[,. ]*)*(?:wait|actually|no[,.!]|hold on|hmm+|on second thought|scratch that"
    r"|that(?:'s| is) (?:not (?:right|true|it|the (?:issue|problem|cause|case))|wrong))(?![\w-])"
    r"|不对|等等|等一下|いや、|待って|아니[,. ]|잠깐",
    re.IGNORECASE,
)
# ... when it is still to be seen, in reasoning that nobody is told.
_CHECKS = regex(
    r"(?:so |but |and |first,? |now,? )*"
    r"(?:let me|let's|i(?:'ll| will| should| need to| have to| want to)|need to|must) (?:first |just |quickly |now |also )*"
    r"(?:verify|double[- ]check|confirm|make sure|test (?:this|that|it)|check (?:if|whether|that|this))\b"
    r"|让我(?:先)?(?:验证|确认|核实)|(?:確認|検証)して(?:みよう|みる)|확인해 ?보",
    re.IGNORECASE,
)
_WEIGHS = regex(
    r"(?:option|approach|alternative|idea|possibility) ?(?:[a-d1-9]\b|one|two)|(?:options|possibilities|alternatives)\b"
    r"|alternatively\b|(?:or|maybe|perhaps|possibly)\b|(?:i|we) (?:could|might|may)\b"
    r"|(?:one|another|a (?:better|simpler|different)) (?:option|approach|way|idea|possibility|alternative)\b"
    r"|(?:it|this|that) (?:could|might|may) be\b|what if\b|if (?:i|we)\b"
    r"|方案[一二三1-3]|或者|也许|也可以|あるいは|または|아니면|혹은",
    re.IGNORECASE,
)


_DENIES = regex(
    r"(?:but |oh |ah |no,? |hmm+[,. ]*|wait[,. ]*|actually,? )*"
    r"(?:that|this|it)(?:'s| is| was) (?:not (?:quite )?(?:right|true|it|correct)|wrong|incorrect)[.!]*",
    re.IGNORECASE,
)


def doubts(sentence: str) -> bool:
    """Say whether a sentence doubts what it says, or only takes back the one before it."""
    return _DOUBTS.match(sentence) is not None or _DENIES.fullmatch(sentence) is not None


def taken_back(following: str) -> bool:
    """Say whether the sentence *following* another takes that back."""
    return _TAKES_BACK.match(following) is not None


def weighs(sentence: str, following: str) -> bool:
    """Say whether a sentence of an agent's reasoning only weighs an option, or is checked by the one *following*."""
    return _WEIGHS.match(sentence) is not None or _CHECKS.match(following) is not None
