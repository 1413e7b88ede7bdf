"""Subagents and questions to people: what came back, by the sentence that concludes."""

import re

from memctl.summarize.conclusions import conclusion
from memctl.summarize.contents import patched
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.running import shown
from memctl.summarize.values import described, value
from memctl.summarize.wording import LIMIT, clip, lead
from memctl.text.numbers import how_many

_THOUGHTS = ("think", "sequentialthinking", "reportintent")  # tools that only write down what they are given
_NOTED = regex(
    r"(?:\A|\n)(?:agentId: |<usage>|<task_id>|<retrieval_status>|task_id: "
    r"|<task_metadata>)[^\n]*(?:(?:\n[^\n<]{0,200}){1,8}</usage>)?"
)
_REJECTED = regex(r"\s*+(?:wrong|incorrect|invalid) (?:\w+ )?\w+[.!]*\s*\Z", re.IGNORECASE)


def agent(_request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize what a subagent reported."""
    if outcome.broke:
        return Finding(lead(target, first_line(outcome.text) or "failed"), 7, failed=True)
    text = _NOTED.sub("\n", outcome.text[:20_000]).strip()
    if not text:
        return Finding(lead(target, "no report"), 9)
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    found = described(text, room)
    if found is not None:
        return Finding(lead(target, found.text), found.score, found.failed)
    said = conclusion(text, report=True)
    if not said:
        return Finding(lead(target, shown(Outcome(text, text.count("\n") + 1, len(text)), room)[0]), 3)
    size = f" ({how_many(outcome.lines, 'line')})" if outcome.lines > 3 else ""
    return Finding(lead(target, clip(said, room - len(size)) + size), 4)


def other(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize any other call by its result."""
    if request.key in _THOUGHTS and not outcome.broke:
        thought = request.string("thought", "intent", "content", "text") or request.text
        return Finding(conclusion(thought) or clip(thought, LIMIT) or target, 5)
    if request.key in (
        "attemptcompletion",
        "finish",
        "completetask",
        "submit",
        "claimdone",
        "done",
        "finalanswer",
    ):
        said = (
            request.string("result", "message", "answer", "summary", "output", "final_thought")
            or outcome.text
        )
        told = patched(said.lstrip(), LIMIT - len(target) - 2) or conclusion(said)  # a patch is no prose
        wrong = outcome.broke or _REJECTED.match(outcome.text) is not None
        return Finding(
            lead(target if target != said else "", told or clip(first_line(said), 150) or "submitted"),
            5,
            wrong,
        )
    return value(request, target, outcome)
