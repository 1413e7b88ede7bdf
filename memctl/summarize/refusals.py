"""Calls that never ran: what harnesses write in place of a result when a person or a policy refused one."""

from dataclasses import replace

import orjson

from memctl.summarize.outcomes import Outcome
from memctl.summarize.patterns import regex

_REFUSALS = (
    ("The user doesn't want to", "refused by the user"),
    ("The user does not want to", "refused by the user"),
    ("[Request interrupted by user", "interrupted by the user"),
    ("The user rejected", "refused by the user"),
    ("User rejected", "refused by the user"),
    ("The user denied", "refused by the user"),
    ("Tool use rejected", "refused by the user"),
    ("exec command rejected by user", "refused by the user"),
    ("patch rejected by user", "refused by the user"),
    ("user rejected MCP tool call", "refused by the user"),
    ("approval required by policy", "permission not granted"),
    ("This action was rejected due to unacceptable risk", "permission denied"),
    ("aborted by user", "interrupted by the user"),
    ("Request was aborted", "interrupted"),
    ("Operation aborted", "interrupted"),
    ("[Operation Cancelled]", "refused by the user"),
    ("Permission to use ", "permission denied"),
    ("Claude requested permissions to", "permission not granted"),
    ("This command requires approval", "permission not granted"),
)


_WHY = "the user said:"  # what follows is the reason for a refusal
_REFUSAL_STARTS = tuple(start for start, _ in _REFUSALS)
# Codex's; the command stands in between.
_REJECTED = regex(
    r"exec_command failed for [^\n]{0,3000}\brejected by (?P<who>user)\b"
    r"|Command '[^\n]{0,3000}' was rejected: (?:approval required|rejected by (?P<person>user))"
)


def refused(outcome: Outcome) -> Outcome:
    """Tell why a call never ran, or did not run to its end, where its result says so."""
    head = outcome.text[:100].lstrip()
    if head.startswith('{"status":"denied"') and outcome.size < 4000:  # Roo
        why = _feedback(outcome.text)
        return replace(
            outcome, refused=f"refused by the user: {why}" if why else "refused by the user", failed=True
        )
    if head == "aborted":
        return replace(outcome, refused="interrupted", failed=True)
    if outcome.size < 4000 and (found := _REJECTED.match(outcome.text)):
        by_user = found["who"] or found["person"]
        said = "refused by the user" if by_user else "permission not granted"
        return replace(outcome, refused=said, failed=True)
    if outcome.size < 4000 and head.startswith(_REFUSAL_STARTS):
        said = next(said for start, said in _REFUSALS if head.startswith(start))
        why = (
            outcome.text.partition(_WHY)[2]
            or outcome.text.partition("<feedback>")[2].partition("</feedback>")[0]
        )
        why = why.strip().partition("\n\n")[0]
        return replace(outcome, refused=f"{said}: {why}" if why else said, failed=True)
    return outcome


def _feedback(text: str) -> str:
    try:
        value = orjson.loads(text)
    except ValueError:
        return ""
    said = value.get("feedback") if isinstance(value, dict) else None
    return said.strip().partition("\n\n")[0] if isinstance(said, str) else ""
