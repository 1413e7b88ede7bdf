"""How a task ends by a call: it hands the work in, keeps what was asked for, or hands the user to a person."""

import re
from collections.abc import Sequence

from memctl.canvas.pieces import SEPARATOR
from memctl.model import Node, Prompt, Step
from memctl.summarize.patterns import regex
from memctl.summarize.sentences import sentences
from memctl.summarize.weighing import plans

_REPORT = 2_000  # characters at the end of a report
_OPENING = regex(
    r"(?:(?:now|next|then|so|and|ok(?:ay)?|great|good|perfect|right|alright)\b[,.!:]* +)*", re.IGNORECASE
)
_LAST_TOOLS = frozenset(["submit", "finish", "attempt_completion", "task_complete", "final_answer"])
# The command that ends a run of mini-swe-agent; its loop stops there and writes no result.
_LAST_WORDS = regex(r"echo (?:COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT)")
# What Aider does by itself once an answer's edits are applied.
_KEEPING_TOOLS = frozenset(["git_commit"])
_HANDS_OVER = regex(
    r"(?:transfer|escalat|hand_?(?:off|over)|connect|forward|route)\w*(?:human|person|representative|operator|live_?agent)"
)
_HANDED_OVER = regex(
    r"(?:[^:]{0,60}: )?(?:transfer (?:was )?success(?:ful|fully)?|(?:you (?:were|have been) |successfully )?"
    r"transferred to an? (?:human|live)\b)"
    r"|转接(?:人工)?成功|已转(?:接)?人工",
    re.IGNORECASE,
)


# A command that the user ran from within the conversation: it says nothing of what for.
_TYPED = frozenset(["/git", "/run", "/test", "/lint", "/diff", "/commit", "/ls"])
_HASH = regex(r" \([0-9a-f]{7,40}\)\Z")


def types(prompt: Prompt) -> bool:
    """Say whether the user only ran a command: `/git diff`, `!ls`."""
    return prompt.command.partition(" ")[0] in _TYPED or prompt.text.startswith("!")


def goal_from(nodes: Sequence[Node], asked: str) -> str:
    """Say what a task was for that nobody named: what it kept, by the first commit's subject, else its first step.

    asked: the user's words, which name nothing ("do that").
    """
    kept = next((_HASH.sub("", node.summary) for node in nodes if node.title == "git commit"), "")
    said = kept.partition(SEPARATOR)[0] if kept and kept != "no result" else nodes[0].title
    return f"{asked.rstrip(' .!')}: {said}" if asked else said


def submits(step: Step) -> bool:
    """Say whether a call hands the work in, by its tool or its command."""
    if step.tool.lower() in _LAST_TOOLS or step.target.partition(" ")[0] == "submit":
        return True
    return _LAST_WORDS.fullmatch(step.target) is not None


def keeps(step: Step) -> bool:
    """Say whether a call is the harness's own, with which it keeps an answer's edits at the end of a turn."""
    return step.tool.lower() in _KEEPING_TOOLS


def reports(words: str) -> bool:
    """Say whether the agent's last words are a report, and do not say what comes next."""
    last = (sentences(words[-_REPORT:], _REPORT, _REPORT) or [""])[-1]
    last = last[_OPENING.match(last).end() :]  # type: ignore[union-attr]  # it matches the empty text
    return bool(last) and not plans(last) and not last.endswith((":", "："))


def hands_over(step: Step) -> bool:
    """Say whether a call has handed the user over to a person: what is asked then is no more the agent's."""
    if not step.done or step.status != "ok":
        return False
    return _HANDS_OVER.match(step.tool.lower()) is not None or _HANDED_OVER.match(step.summary) is not None
