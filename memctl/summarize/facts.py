"""What a result itself said, taken out of a text that also holds the agent's conclusion."""

from memctl.summarize.conclusions import LONGEST
from memctl.summarize.wording import clip


def facts_of(text: str, conclusion: str) -> str:
    """Take the agent's *conclusion* out of a text that `combine` made; the result's facts are left."""
    said = clip(conclusion, LONGEST).rstrip("。. ")
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
