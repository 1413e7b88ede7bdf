"""A node while it grows: what is known of it, bounded however many calls it gets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from memctl.canvas.pieces import is_dull, last_part
from memctl.model import Step
from memctl.summarize.weighing import weight
from memctl.text.names import normal_time

READING = frozenset(["read", "list"])
CHANGING = frozenset(["edit", "write"])
VERIFYING = frozenset(["test", "build"])
EXPLORING = frozenset(["read", "list", "search", "web", "mcp", "agent", "other"])

_STORES = re.compile(
    r"(?:git|jj|hg|svn|gh|glab)(?: pr| release| issue)? (?:commit|push|merge|rebase|cherry-pick|revert|reset|"
    r"stash|tag|apply|am|pull|add|create|switch|checkout|clone|restore)\b"
)
_UNDOES = re.compile(r"git (?:checkout|restore|revert|reset|stash)\b(.*)")
_MOST_FACTS = 4
_PAST, _AGAIN = 4, 1  # weight of a failure, and of another result, after which a test has passed
_MOST_TARGETS = 12
_MOST_CORRECTIONS = 3
_MOST_REMARKS = 6
_SAME_WORDS = 60  # characters with which a correction that is sent again begins


@dataclass(slots=True)
class Fact:
    """One result's summary. weight: how much it tells (a failure more than a success, a late one more)."""

    text: str
    target: str
    weight: int
    order: int
    failed: bool


@dataclass(slots=True, eq=False)
class Card:
    """What is known of a node.

    item: the plan item it stands for. turn: the user's turn in which it was made. question: how many times
    the agent had spoken before it. closed: the message whose result ends it (a later call starts another
    node). failing: failures not yet overcome. why: the user's words that led to it. remarks: what else the agent concluded.
    closing: its closing words after the task's last call; left: what it left open at the end of a turn.
    asked: what the user asked after it and the agent answered without a call.
    about: the thing that its last result shows. posed: what the agent asked the user after it.
    stores: it keeps the work or submits it; hands_in: the agent's words say that the work is done with it.
    taken_back: the user undid it; undid: how many changes the user undid after it.
    differs: how its call differs from an earlier one that looks the same.
    """

    number: int
    turn: int = 0
    question: int = 0
    first: int = 0
    item: str | None = None
    state: str = "todo"
    dropped: bool = False
    host: "Card | None" = None
    kinds: dict[str, None] = field(default_factory=dict)
    tools: dict[str, None] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    calls: int = 0
    pending: int = 0
    message: int = -1
    closed: int | None = None
    failing: int = 0
    turned: str = ""
    reddened: bool = False
    facts: list[Fact] = field(default_factory=list)
    conclusion: str = ""
    remarks: list[str] = field(default_factory=list)
    closing: str = ""
    left: str = ""
    asked: list[str] = field(default_factory=list)
    corrections: list[str] = field(default_factory=list)
    why: str = ""
    about: str = ""
    posed: str = ""
    differs: str = ""
    taken_back: bool = False
    undid: int = 0
    resumed: bool = False
    led_nowhere: bool = False
    gathers: bool = False
    stores: bool = False
    hands_in: bool = False
    uses: dict[int, None] = field(default_factory=dict)
    users: set[int] = field(default_factory=set)
    timestamp: str | None = None

    @property
    def kind(self) -> str:
        """The kind of its first call that is no plan call."""
        return next((kind for kind in self.kinds if kind != "plan"), "plan" if self.kinds else "")

    def ended(self, message: int) -> bool:
        """Say whether a call of *message* has seen this node end: an error, a red or green verdict."""
        return self.closed is not None and self.closed < message

    def take(self, step: Step) -> None:
        """Add a call and, as far as it is there, its result."""
        self.calls += 1
        self.kinds[step.kind] = None
        if len(self.tools) < _MOST_TARGETS:
            self.tools[step.tool] = None
        if step.kind != "plan" and (step.target in self.targets or len(self.targets) < _MOST_TARGETS):
            self.targets.setdefault(step.target, step.kind)
        self.message = max(self.message, step.message)
        self.timestamp = later(self.timestamp, step.timestamp)
        if not step.done:
            self.pending += 1
            return
        failed = fails(step)
        self.about = step.about or self.about
        self.differs = step.differs
        if failed or step.turned:
            self.closed = step.answered if self.closed is None else min(step.answered, self.closed)
        if step.turned:
            self.turned = step.turned
            self.reddened = self.reddened or step.turned == "red"
        if step.kind in VERIFYING and not failed:
            for fact in self.facts:  # what was red must not push out what is green now, nor older greens both
                fact.weight = min(fact.weight, _PAST if fact.failed else _AGAIN)
        if step.summary and (step.kind != "plan" or failed):
            self._note(Fact(step.summary, step.target, _weight(step, failed=failed), self.calls, failed))

    def _note(self, fact: Fact) -> None:
        """Keep the facts that tell most; of equal ones the latest."""
        self.facts = [known for known in self.facts if known.text != fact.text]
        self.facts.append(fact)
        if len(self.facts) > _MOST_FACTS:
            self.facts.remove(min(self.facts, key=lambda known: (known.weight, known.order)))

    def conclude(self, words: str, *others: str) -> None:
        """Keep what the agent concluded: the latest apart, of the others the few that say most."""
        for earlier in (*others, self.conclusion):
            if earlier and earlier not in self.remarks:
                self.remarks.append(earlier)
        self.conclusion = words
        if len(self.remarks) > _MOST_REMARKS:
            most = sorted(range(len(self.remarks)), key=lambda at: (-weight(self.remarks[at]), -at))
            self.remarks = [self.remarks[at] for at in sorted(most[:_MOST_REMARKS])]

    def correct(self, words: str) -> None:
        """Keep what the user corrected here; the first and the latest of many, the same words once."""
        for earlier in self.corrections:
            if earlier.startswith(words):
                return
            same = _shared(earlier, words)
            if len(same) >= _SAME_WORDS:  # sent again with something changed at its end
                words = f"… {words[len(same) :].strip()}"
                break
        self.corrections.append(words)
        if len(self.corrections) > _MOST_CORRECTIONS:
            del self.corrections[1]


def _shared(one: str, other: str) -> str:
    """Give the words with which two texts begin alike."""
    pairs = zip(one, other, strict=False)
    at = next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))
    return other[:at].rpartition(" ")[0]


def fails(step: Step) -> bool:
    """Say whether a call failed: an error, or a verdict that is red."""
    return step.status == "error" or step.turned == "red"


def stores(step: Step) -> bool:
    """Say whether a call changes the repository's history: a commit, a push, a checkout."""
    return step.kind == "vcs" and _STORES.match(step.target) is not None


def undone(step: Step) -> Sequence[str]:
    """Name the files whose changes a call throws away (`git checkout core.py`), by their last path part."""
    match = _UNDOES.match(step.target) if step.kind == "vcs" else None
    return [last_part(word) for word in match[1].split() if "." in word] if match else ()


def _weight(step: Step, *, failed: bool) -> int:
    if failed:
        return 5
    if is_dull(step.summary):
        return 0
    if step.turned or stores(step):
        return 4
    return {"edit": 3, "write": 3, "test": 3, "build": 3, "run": 3, "web": 3, "agent": 3, "search": 2}.get(
        step.kind, 1
    )


def later(one: str | None, other: str | None) -> str | None:
    """Give the later of two times, as written; None counts as no time."""
    if one is None or other is None:
        return other if one is None else one
    return other if _instant(other) >= _instant(one) else one


@lru_cache(maxsize=4096)  # each is compared as often as nodes fold
def _instant(time: str) -> tuple[float, str]:
    try:
        return datetime.fromisoformat(normal_time(time)[0]).timestamp(), time
    except (ValueError, OverflowError):
        return 0.0, time
