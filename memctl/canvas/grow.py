"""Grow a session's canvases: which call stands on which node of which task (DESIGN 4.2).

One pass over the happenings. A call's place is decided by what stands before the call; what is said of a
node (title, summary, status, edges) is worked out afterwards, from all that is known.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from memctl.canvas.cards import CHANGING, READING, VERIFYING, Card, fails, last_part, later, stores, undone
from memctl.canvas.drawing import draw_node, names_lines
from memctl.canvas.goals import goal_of
from memctl.canvas.judge import (
    Vocabulary,
    brings_together,
    corrects,
    finished,
    hands_in,
    judge,
    leads_nowhere,
    only_agrees,
)
from memctl.canvas.subjects import Subject, is_name, subject_of
from memctl.canvas.weave import weave
from memctl.model import CanvasStatus, Edge, Happening, Node, Prompt, Said, Step
from memctl.summarize import conclusion
from memctl.text.widths import one_line

_ALONE = CHANGING | VERIFYING | {"agent"}  # each call is a step of its own
_LAST_TOOLS = frozenset(["submit", "finish", "attempt_completion", "task_complete", "final_answer"])
_ITEM_TOOLS = frozenset(["taskcreate", "taskupdate"])  # name single items; other plan tools the whole plan
_MOST_TARGETS = 5  # of a node that reads several files: more could not be told from its title
_MOST_BURST = 12  # nodes back to which a conclusion is given when it names their target
_MOST_KNOWN = 6000  # names and words a task is known by
_NUMBERED = re.compile(r"#([0-9]{1,6})(?![0-9])")
_PLACED = re.compile(r"([0-9]{1,9})-N([0-9]{1,9})\Z")


@dataclass(frozen=True, slots=True)
class TaskGrowth:
    """A task of the session as it stands, unfolded.

    ordinal: from 0, in the order of the tasks' first calls. nodes: numbered from 1, in order; one that
    stands for others already lists them as folded. created: time of the prompt (else call) that began it.
    updated: newest time of its entries. resumed_at: times at which it was taken up again after another
    task. calls: how many it has. name: the goal as it was known at the first call, for names that stay.
    """

    ordinal: int
    goal: str
    name: str
    status: CanvasStatus
    created: str | None
    updated: str | None
    resumed_at: tuple[str | None, ...]
    calls: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """What grew: the tasks that have calls, and for each call's key its (task ordinal, node number)."""

    tasks: tuple[TaskGrowth, ...]
    places: dict[str, tuple[int, int]]


def grow(happenings: Iterable[Happening]) -> Growth:
    """Place every call of a session on a node of a task, and draw the nodes (DESIGN 4.2).

    A pure function in linear time. Causal: a call's place never depends on its own result nor on anything
    after the call, so that growing a beginning gives a restriction of the same places.
    """
    session = _Session()
    for happening in happenings:
        if isinstance(happening, Step):
            session.step(happening)
        elif isinstance(happening, Prompt):
            session.prompt(happening)
        else:
            session.said(happening)
    return session.growth()


@dataclass(slots=True)
class _Task:
    """A task while it grows.

    canvas: the number that placed calls of it name. order: its cards in the order they were first worked
    on. current: where the last call went; item: the plan item being worked on, suspended when the user
    has asked for something else. turn: how often the user spoke; question: how often anyone did.
    failures: by what was attempted, the node of the latest failure that nothing has overcome.
    why, resumed: told on the edge to the next node; wish: the last why.
    burst: the cards since the agent last spoke. finished, answered: what its words after the last call
    mean.
    """

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    goal: str = ""
    name: str = ""
    created: str | None = None
    updated: str | None = None
    ordinal: int | None = None
    canvas: int | None = None
    cards: dict[int, Card] = field(default_factory=dict)
    highest: int = 0
    order: list[Card] = field(default_factory=list)
    current: Card | None = None
    items: dict[str, Card] = field(default_factory=dict)
    item: Card | None = None
    suspended: bool = False
    turn: int = 0
    question: int = 0
    calls: int = 0
    why: str = ""
    wish: str = ""
    resumed: bool = False
    resumed_at: list[str | None] = field(default_factory=list)
    burst: list[Card] = field(default_factory=list)
    failures: dict[tuple[str, str], Card] = field(default_factory=dict)
    edited: dict[str, Card] = field(default_factory=dict)
    finished: bool = False
    answered: bool = False

    def add(self, number: int = 0) -> Card:
        """Make a card, by default with the next free number."""
        card = Card(number or self.highest + 1, turn=self.turn, question=self.question)
        self.highest = max(self.highest, card.number)
        self.cards[card.number] = card
        return card

    def learn(self, subject: Subject) -> None:
        """Let the task be known by *subject* too; a task of very many names has enough of them."""
        if len(self.vocabulary.names) + len(self.vocabulary.words) < _MOST_KNOWN:
            self.vocabulary.learn(subject)


class _Session:
    """The tasks of a session so far, the one at hand, and where each call went."""

    def __init__(self) -> None:
        self.tasks: list[_Task] = []
        self.active: int | None = None
        self.begun: list[_Task] = []
        self.canvases: dict[int, _Task] = {}
        self.places: dict[str, tuple[_Task, Card]] = {}
        self.last_message = -1
        self.last_said = -1
        self.words = ""
        self.batch = 0
        self.created: list[str] = []  # items by the number that the plan tool gave them

    @property
    def task(self) -> _Task | None:
        return None if self.active is None else self.tasks[self.active]

    def _pass(self, message: int) -> None:
        """Note that results may have come: messages that are no happening lie between two that are.

        A call sees the results of earlier batches only. Calls of one message, or of messages one right
        after the other, run side by side: none has seen what the others found.
        """
        if message > self.last_message + 1:
            self.batch += 1
        self.last_message = max(self.last_message, message)

    # ------------------------------------------------------------------- words

    def prompt(self, prompt: Prompt) -> None:
        """Take the user's words: they choose the task, and may correct the step at hand."""
        self._pass(prompt.message)
        if not prompt.text.strip():
            return
        verdict = judge(prompt.text, [task.vocabulary for task in self.tasks], self.active)
        before = self.task
        subject = subject_of(prompt.text)
        if verdict.kind == "resume" and verdict.task is not None:
            if before is not None and not before.calls:
                self.tasks.pop()  # talk between two tasks makes none
            self.active = verdict.task
            resumed = self.tasks[verdict.task]
            resumed.resumed = bool(resumed.calls)
            resumed.resumed_at.append(prompt.timestamp)
        elif verdict.kind == "new" and (before is None or before.calls):
            self.tasks.append(_Task())
            self.active = len(self.tasks) - 1
        elif verdict.kind == "new":
            self.tasks[-1] = _Task()
        task = self.tasks[self.active or 0]
        agrees = only_agrees(prompt.text)
        if not task.goal or (not task.calls and not agrees and only_agrees(task.goal)):
            task.goal, task.created = goal_of(prompt.text), task.created or prompt.timestamp
        task.learn(subject)
        task.turn += 1
        task.question += 1
        task.answered = False
        if task.calls and not agrees:
            task.finished = False
            task.suspended = True
            self._steer(task, prompt.text)

    @staticmethod
    def _steer(task: _Task, text: str) -> None:
        """Show the user's words: a correction on the node at hand, a wish on the way to the next."""
        words = goal_of(text)
        if corrects(text) and task.current is not None:
            task.current.correct(one_line(text, 120))
            if leads_nowhere(text):
                task.current.led_nowhere = True
        elif words != task.wish:  # a queued prompt is written twice
            task.why = task.wish = words

    def said(self, said: Said) -> None:
        """Take the agent's words: what they conclude goes to the calls before them."""
        self._pass(said.message)
        self.last_said, self.words = said.message, said.text
        self._listen(said.text)

    def _listen(self, text: str) -> None:
        task = self.task
        if task is None or not text.strip():
            return
        task.question += 1
        task.vocabulary.recent = subject_of(text)
        concluding = conclusion(text)
        if task.current is not None:
            task.finished = finished(text)
            task.answered = bool(concluding)
            if concluding:
                self._conclude(task, concluding)
            if leads_nowhere(concluding or text):
                task.current.led_nowhere = True
        task.burst.clear()

    @staticmethod
    def _conclude(task: _Task, concluding: str) -> None:
        lowered = concluding.lower()
        for card in task.burst:
            if card is task.current or any(
                len(name) >= 4 and name.lower() in lowered for name in map(last_part, card.targets)
            ):
                card.conclusion = concluding

    # ------------------------------------------------------------------- calls

    def step(self, step: Step) -> None:
        """Place a call, then take note of its result."""
        self._pass(step.message)
        if step.said and step.message != self.last_said:
            self.last_said = step.message
            self._listen(step.said)
        closes = _closes(step, self.words if step.message == self.last_said else "")
        task = self._task_of(step)
        if task.ordinal is None:
            task.ordinal = len(self.begun)
            task.name = task.goal or f"{step.kind} {step.target}"
            self.begun.append(task)
        card = self._place(task, step)
        self.places[step.key] = (task, card)
        if card.calls == 0:
            self._begin(task, card, step)
        card.take(step, self.batch)
        card.stores = card.stores or stores(step) or closes
        task.current = card
        task.calls += 1
        task.updated = later(task.updated, step.timestamp)
        task.created = task.created or step.timestamp
        if step.done or not task.finished:
            task.finished = closes
        task.answered = False
        if card not in task.burst[-_MOST_BURST:]:
            task.burst.append(card)
            del task.burst[:-_MOST_BURST]
        self._learn(task, step)
        self._use(task, card, step)
        if step.done and step.kind != "plan":
            self._judge_result(task, card, step)

    def _task_of(self, step: Step) -> _Task:
        """Choose the task of a call: the active one, unless the call was placed on another canvas before."""
        if self.active is None:
            self.tasks.append(_Task())
            self.active = 0
        task = self.tasks[self.active]
        match = _PLACED.match(step.placed or "")
        if match is None:
            return task
        canvas = int(match[1])
        known = self.canvases.get(canvas)
        if known is None:
            if task.canvas is not None:
                task = _Task(goal=task.goal, created=step.timestamp)
                self.tasks.append(task)
            task.canvas = canvas
            self.canvases[canvas] = known = task
        self.active = next(index for index, each in enumerate(self.tasks) if each is known)
        return known

    def _place(self, task: _Task, step: Step) -> Card:
        """Choose the node of a call from what stands before it."""
        match = _PLACED.match(step.placed or "")
        if step.plan is not None:
            card = self._plan(task, step)
        elif match:
            card = None
        elif task.item is not None and not task.suspended:
            card = task.item
        elif task.current is not None and self._joins(task, task.current, step):
            card = task.current
        else:
            card = None
        if match:
            number = int(match[2])
            return task.cards.get(number) or task.add(number)
        return card or task.add()

    def _joins(self, task: _Task, card: Card, step: Step) -> bool:
        """Say whether a call goes on with *card*: one target, or one question, and nothing ended it."""
        if card.item is not None or card.turn != task.turn:
            return False
        if card.closed is not None and card.closed < self.batch:
            return False
        kinds = card.kinds.keys()
        if step.kind in _ALONE or kinds & _ALONE or stores(step) or card.stores:
            return False
        if card.targets.get(step.target) == step.kind or step.kind == "plan":
            return True
        together = (step.kind in READING and kinds <= READING) or (step.kind == "vcs" and kinds == {"vcs"})
        return together and card.question == task.question and len(card.targets) < _MOST_TARGETS

    def _named_items(self, step: Step) -> tuple[tuple[str, str], ...]:
        """Give the items of a plan call by their first texts: `#4` is the fourth that was created."""
        tool = step.tool.lower()
        items = step.plan or ()
        if tool == "taskcreate":
            self.created += (text for text, _ in items)
        elif tool in _ITEM_TOOLS:
            numbered = [(_NUMBERED.match(text), text, state) for text, state in items]
            return tuple(
                (self.created[int(match[1]) - 1], state)
                if match and 0 < int(match[1]) <= len(self.created)
                else (text, state)
                for match, text, state in numbered
            )
        return items

    def _plan(self, task: _Task, step: Step) -> Card | None:
        """Take a plan: its items are nodes. Gives the node of the item the call sets to doing or done."""
        whole = step.tool.lower() not in _ITEM_TOOLS
        doing: Card | None = None
        done: Card | None = None
        unhosted: list[Card] = []
        for text, state in self._named_items(step):
            card = task.items.get(text)
            if card is None or (card.state == "done" and state == "todo" and card.turn < task.turn):
                card = task.items[text] = task.add()
                card.item = text
                task.order.append(card)
                task.learn(subject_of(text))
                was = "todo"
            else:
                was = card.state
            card.state, card.dropped = state, False
            if state == "doing":
                doing = card if was != "doing" or doing is None else doing
            elif state == "done" and was != "done":
                done = card
                if not card.calls:
                    unhosted.append(card)
        if whole:
            listed = {text for text, _ in step.plan or ()}
            for text, card in task.items.items():
                card.dropped = text not in listed
        task.suspended = False
        if doing is not None:
            task.item = doing
        elif whole or (task.item is not None and task.item.state != "doing"):
            task.item = None
        host = doing or done or task.current
        for card in unhosted:
            if card is not host:
                card.host = host
        return host

    def _begin(self, task: _Task, card: Card, step: Step) -> None:
        """Note what led to a node, when its first call comes."""
        if card.item is None:
            task.order.append(card)
        card.turn, card.question = task.turn, task.question
        card.why, card.resumed = task.why, task.resumed
        card.gathers = brings_together(step.target) or brings_together(step.said)
        task.why, task.resumed = "", False

    @staticmethod
    def _learn(task: _Task, step: Step) -> None:
        task.learn(_subject_of_target(step.target))
        names = frozenset(last_part(name).lower() for name in step.names[:24] if is_name(name))
        if names:
            task.learn(Subject(names, frozenset()))

    def _use(self, task: _Task, card: Card, step: Step) -> None:
        for key in step.uses:
            place = self.places.get(key)
            if place is not None and place[0] is task and place[1] is not card:
                card.uses[place[1].number] = None
                place[1].users.add(card.number)

    @staticmethod
    def _judge_result(task: _Task, card: Card, step: Step) -> None:
        """Keep account of failures: what failed is blocked until the same thing is tried again."""
        own, *others = _attempts(step)
        failed = fails(step)
        overcome = [task.failures.pop(own, None)]
        if not failed:
            overcome += [task.failures.pop(key, None) for key in others]
        for before in overcome:
            if before is not None:
                before.failing -= 1
        if failed:
            card.failing += 1
            task.failures[own] = card
        if step.kind in CHANGING:
            task.edited[last_part(step.target)] = card
        for name in undone(step):
            if name in task.edited:
                task.edited.pop(name).led_nowhere = True

    # ------------------------------------------------------------------- the end

    def growth(self) -> Growth:
        """Draw what grew."""
        tasks = tuple(self._drawn(task) for task in self.begun)
        places = {key: (task.ordinal or 0, card.number) for key, (task, card) in self.places.items()}
        return Growth(tasks, places)

    def _drawn(self, task: _Task) -> TaskGrowth:
        done = task.finished and not _open_ends(task)
        standing = _standing(task, done=done)
        hosted: dict[int, list[int]] = {}
        for card in task.items.values():
            if card.host is not None and not card.calls:
                hosted.setdefault(card.host.number, []).append(card.number)
        gone = {number for numbers in hosted.values() for number in numbers}
        nodes = [
            _with_folded(draw_node(card, doing=card is standing, finished=done), hosted.get(card.number, []))
            for _, card in sorted(task.cards.items())
            if card.number not in gone
        ]
        edges = weave([card for card in task.order if card.number not in gone])
        status: CanvasStatus = "completed" if done else "active" if task is self.task else "paused"
        goal = task.goal or (nodes[0].title if nodes else "")
        return TaskGrowth(
            task.ordinal or 0,
            goal,
            task.name,
            status,
            task.created,
            task.updated,
            tuple(task.resumed_at),
            task.calls,
            tuple(nodes),
            edges,
        )


@lru_cache(maxsize=1024)
def _subject_of_target(target: str) -> Subject:
    """Find what a target names; targets are short and come again."""
    return subject_of(target)


def _attempts(step: Step) -> tuple[tuple[str, str], ...]:
    """Name what a call attempts, first; and what its success shows to be overcome besides.

    Trying the same thing again takes the place of the failure before. Whatever else is found ends a search
    that failed; a test or build that passes shows that the code compiles.
    """
    kind, target = step.kind, step.target
    if kind in VERIFYING:
        words = " ".join(takewhile(_is_plain, target.split()[:3]))
        return (("build", ""),) if kind == "build" else (("test", words), ("build", ""))
    if kind in CHANGING:
        return (("edit", "" if names_lines(target) else last_part(target)),)
    if kind in READING or kind == "search":
        return (("look", ""),)
    return ((kind, target),)


def _is_plain(word: str) -> bool:
    """Say whether a word of a command says what is run, not on which files or how."""
    return not word.startswith("-") and "/" not in word and "." not in word


def _closes(step: Step, words: str) -> bool:
    """Say whether a call hands the work in, by its tool or by the *words* before it."""
    if step.tool.lower() in _LAST_TOOLS or step.target.partition(" ")[0] == "submit":
        return True
    return hands_in(step.said or words)


def _open_ends(task: _Task) -> bool:
    """Say whether something is plainly left: an item of the plan, a test that is still red."""
    last = task.current
    unfinished = any(
        card.state != "done" and not card.dropped and card.state != "doing" for card in task.items.values()
    )
    return unfinished or (last is not None and last.failing > 0)


def _standing(task: _Task, *, done: bool) -> Card | None:
    """Give the node where the task stands: the last one worked on, unless what it was for is said."""
    last = task.current
    if done or last is None or (task.answered and last.kind not in CHANGING | {"run"} and not last.pending):
        return None
    return last


def _with_folded(node: Node, numbers: list[int]) -> Node:
    """Let *node* stand for plan items that were ticked off without any work of their own."""
    if not numbers:
        return node
    ranges = tuple((number, number) for number in sorted(numbers))
    return Node(node.number, node.title, node.status, node.summary, node.timestamp, node.shape, ranges)
