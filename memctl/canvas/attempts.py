"""What has failed and not been overcome: a failure blocks its node until the same thing is tried again."""

import re
from dataclasses import dataclass, field
from itertools import takewhile

from memctl.canvas.cards import CHANGING, READING, VERIFYING, Card, fails, undone
from memctl.canvas.endings import submits
from memctl.canvas.naming import names_lines
from memctl.canvas.pieces import last_part
from memctl.model import Step

_Attempt = tuple[str, str]
_PLAN: _Attempt = ("plan", "")  # refused, and overcome once the work goes on
_START: _Attempt = ("start", "")
_NO_RUNNER = re.compile(
    r"No module named '?(?:pytest|nose|tox|ruff|mypy)\b|command not found|is not recognized|: not found\b|missing script",
    re.IGNORECASE,
)
_INLINE = re.compile(r"([\w.-]{1,40}): ")  # `python: import app`


@dataclass(slots=True)
class Attempts:
    """The attempts of one task.

    failures: by what was attempted, the nodes of the failures that nothing has overcome, one for each.
    edited: by file name, the node of its latest change.
    """

    failures: dict[_Attempt, list[Card]] = field(default_factory=dict)
    edited: dict[str, Card] = field(default_factory=dict)

    def note(self, card: Card, step: Step) -> None:
        """Take note of the result of *step*, which stands on *card*."""
        own, *others = _attempted(step)
        failed = fails(step)
        if step.kind in VERIFYING and not failed:
            others.append(_START)
        elif step.kind in VERIFYING and _NO_RUNNER.search(step.summary):
            own = _START  # nothing was verified: any run that does start overcomes it
        if failed:
            card.failing += 1
            self.failures.setdefault(own, []).append(card)
        else:
            for attempt in (own, *others):
                for before in self.failures.pop(attempt, ()):
                    before.failing -= 1
        if step.kind in CHANGING:
            self.edited[last_part(step.target)] = card
        for name in undone(step):
            if name in self.edited:
                self.edited.pop(name).led_nowhere = True


def _attempted(step: Step) -> tuple[_Attempt, ...]:
    """Name what a call attempts, first; and what its success shows to be overcome besides.

    Only the same thing done overcomes a failure, however often it fails again. Whatever else is found ends a
    search that failed; a test or build that passes shows that the code compiles.
    """
    kind, target = step.kind, step.target
    if kind in VERIFYING:
        words = " ".join(takewhile(_is_plain, target.split()[:3]))
        return (("build", ""),) if kind == "build" else (("test", words), ("build", ""))
    if kind in CHANGING:
        return (("edit", "" if names_lines(target) else last_part(target)), _PLAN)
    if kind == "plan":
        return (_PLAN,)
    if submits(step):
        return (("submit", step.key),)  # a wrong answer stays wrong, whatever is handed in after it
    if kind in READING or kind == "search":
        return (("look", ""),)
    if kind == "run" and (program := _INLINE.match(target)):
        return ((kind, program[1]),)  # code written for the occasion: the next try is never the same
    return ((kind, target),)


def _is_plain(word: str) -> bool:
    """Say whether a word of a command says what is run, not on which files or how."""
    return not word.startswith("-") and "/" not in word and "." not in word
