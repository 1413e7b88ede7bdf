"""The sentence with which an agent concludes, and its joining with the hard facts of a result."""

from dataclasses import replace

from memctl.model import Summary
from memctl.summarize.wording import clip


def conclusion(text: str) -> str:
    """Return the sentence of an agent's message that concludes, at most 150 characters; "" for none."""
    first = next((line for line in text[:4000].split("\n") if line.strip()), "")
    return "" if first.startswith(("Let me", "Now ", "I'll", "I will")) else clip(first, 150)


def combine(summary: Summary, conclusion: str) -> Summary:
    """Join the agent's *conclusion* with the facts of *summary*, at most 200 characters."""
    if not conclusion:
        return summary
    return replace(summary, text=clip(f"{conclusion} ({summary.text})"))
