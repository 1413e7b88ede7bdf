"""The part of a text that answers a question: what a hit shows of a long document."""

import re
from collections.abc import Collection

from memctl.index.terms import terms
from memctl.text.widths import one_line

PASSAGE = 400  # characters a hit shows

_END = re.compile(r"\n+|(?<=[.!?])\s+|(?<=[。！？；])")
_LOOKED_AT = 400  # sentences that are compared; a hit further down is shown from its beginning


def passage(text: str, question: Collection[str], limit: int = PASSAGE) -> str:
    """Give at most *limit* characters of a text on one line: the sentences with most of a question's terms.

    *question* are terms as `terms.query_terms` gives them; `…` stands where something was left out.
    """
    whole = " ".join(text.split())
    if len(whole) <= limit:
        return whole
    sentences = [" ".join(one.split()) for one in _END.split(text)][:_LOOKED_AT]
    wanted = set(question)
    worth = [len(wanted.intersection(terms(sentence))) for sentence in sentences]
    best = max(range(len(sentences)), key=lambda at: (worth[at], -at)) if any(worth) else 0
    chosen, after = sentences[best], best + 1
    if best and len(sentences[best - 1]) + len(chosen) + 2 < limit // 2:  # what leads up to it
        best -= 1
        chosen = f"{sentences[best]} {chosen}"
    while after < len(sentences) and len(chosen) + len(sentences[after]) + 2 < limit:
        chosen = f"{chosen} {sentences[after]}".strip()
        after += 1
    if best:
        chosen = f"…{chosen}"
    return one_line(f"{chosen} …" if after < len(sentences) and len(chosen) + 2 <= limit else chosen, limit)
