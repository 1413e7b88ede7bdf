"""Grow a session's canvases: which call stands on which node of which task (DESIGN 4.2).

One pass over the happenings. A call's place is decided by what stands before the call; what is said of a
node (title, summary, status, edges) is worked out afterwards, from all that is known.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memctl.canvas.cards import Card
from memctl.canvas.drawing import draw_node
from memctl.canvas.endings import goal_from, reports, submits, types
from memctl.canvas.goals import with_title
from memctl.canvas.growing import Task
from memctl.canvas.judge import Verdict, hands_in, judge
from memctl.canvas.plans import Numbering
from memctl.canvas.weave import weave
from memctl.model import CanvasStatus, Edge, Happening, Node, Prompt, Said, Step, node_of

_USERS_OWN = "bashExecution"  # a command that the user ran beside the agent (pi)


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
    return next(stages([happenings]))


def stages(parts: Iterable[Iterable[Happening]]) -> Iterator[Growth]:
    """Grow a session part by part; give what `grow` would after each of them."""
    session = Session()
    for part in parts:
        for happening in part:
            session.take(happening)
        yield session.growth()


def entitle(growth: Growth, title: str) -> Growth:
    """Let the transcript's own title stand in the goal of the task that it must mean: half of all calls."""
    tasks = growth.tasks
    main = max(tasks, key=lambda task: task.calls, default=None)
    if main is None or not title or 2 * main.calls < sum(task.calls for task in tasks):
        return growth
    named = replace(main, goal=with_title(main.goal, title))
    return replace(growth, tasks=tuple(named if task is main else task for task in tasks))


class Session:
    """A session while it grows: its tasks so far, the one at hand, and where each call went."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.active: int | None = None
        self.begun: list[Task] = []  # in the order of their first calls
        self.canvases: dict[int, int] = {}  # number of a canvas that placed calls name -> its task
        self.places: dict[str, tuple[Task, Card]] = {}
        self.numbering = Numbering()
        self.words = ""  # of the agent, in message last_said
        self.last_said = -1
        self.delegated = False  # another agent gave the work: it ends with a report
        self.ended = False  # that agent has got the report, which may stand there alone

    def take(self, happening: Happening) -> None:
        """Take what happens next."""
        if isinstance(happening, Step):
            self.step(happening)
        elif isinstance(happening, Prompt):
            self.prompt(happening)
        else:
            self.said(happening)

    def settle(self, numbers: Mapping[int, int]) -> None:
        """Let each task, by its ordinal, have the number of its canvas, as if its calls had been placed on it."""
        for at, task in enumerate(self.tasks):
            number = None if task.ordinal is None else numbers.get(task.ordinal)
            if number is not None:
                task.canvas = number
                self.canvases[number] = at

    def prompt(self, prompt: Prompt) -> None:
        """Take the user's words: they begin, continue or resume a task."""
        if prompt.act and self.active is not None:
            self.tasks[self.active].stop(prompt.act)
        if not prompt.text.strip():
            return
        waits = self._waits()
        verdict = judge(prompt.text, [task.vocabulary for task in self.tasks], self.active)
        if self.active is not None and verdict.kind == "new":
            task = self.tasks[self.active]
            if types(prompt) or (task.calls and task.hollow):
                verdict = Verdict("continue", self.active)
        if verdict.task is None or verdict.task < len(self.tasks) - 1:
            self._forget_talk()
        if verdict.kind == "new" and not waits:
            self._begin()
        elif verdict.kind == "resume":
            self.active = verdict.task
        task = self.tasks[self.active or 0]
        if verdict.kind == "resume":
            task.resumed = True
            task.resumed_at.append(prompt.timestamp)
        task.hear(prompt)

    def _waits(self) -> bool:
        """Tell whether the task at hand holds only what the user ran before saying what is wanted."""
        task = None if self.active is None else self.tasks[self.active]
        return task is not None and task.own and not task.goal

    def _begin(self, goal: str = "") -> int:
        """Begin a task, which is then at hand; give its index."""
        self.tasks.append(Task(goal=goal))
        self.active = len(self.tasks) - 1
        return self.active

    def _forget_talk(self) -> None:
        """Drop the last task when it has no call: talk alone makes no task."""
        if self.tasks and not self.tasks[-1].calls:
            self.tasks.pop()

    def said(self, said: Said) -> None:
        """Take the agent's words."""
        self.last_said, self.words = said.message, said.text
        if self.active is None:
            self._begin()
        self.tasks[self.active or 0].listen(said.text, private=said.private)

    def step(self, step: Step) -> None:
        """Place a call, then take note of its result."""
        if step.said and step.message != self.last_said:
            self.said(Said(step.message, step.said, step.timestamp))
        placed = node_of(step.placed)
        task = self._task(placed[0] if placed else None)
        if task.ordinal is None:
            if self.begun:
                self.begun[-1].leave()
            task.ordinal = len(self.begun)
            task.name = task.goal or step.target
            self.begun.append(task)
        task.own = step.tool == _USERS_OWN and (task.own or not task.calls)
        items = None if step.plan is None else self.numbering.items(step)
        card = task.place(step, items, placed[1] if placed else None)
        self.places[step.key] = (task, card)
        closes = submits(step) or (step.message == self.last_said and hands_in(self.words))
        task.take(card, step, closes=closes)
        self._use(task, card, step)

    def _task(self, canvas: int | None) -> Task:
        """Give the task at hand; a call that was placed on *canvas* before turns to the task of that."""
        if self.active is None:
            self._begin()
        active = self.active or 0
        if canvas is not None and canvas not in self.canvases:
            if self.tasks[active].canvas is not None:
                active = self._begin(self.tasks[active].goal)
            self.canvases[canvas] = active
            self.tasks[active].canvas = canvas
        elif canvas is not None:
            active = self.canvases[canvas]
        self.active = active
        return self.tasks[active]

    def _use(self, task: Task, card: Card, step: Step) -> None:
        """Note whose findings a call uses, as far as they stand on the same canvas."""
        for key in step.uses:
            owner, source = self.places.get(key, (None, card))
            if owner is task and source is not card:
                card.uses[source.number] = None
                source.users.add(card.number)

    def growth(self) -> Growth:
        """Draw what grew."""
        at_hand = None if self.active is None else self.tasks[self.active]
        if at_hand is not None:
            at_hand.reported = self.delegated and (self.ended or reports(at_hand.words))
        tasks = tuple(_drawn(task, at_hand=task is at_hand) for task in self.begun)
        return Growth(
            tasks, {key: (task.ordinal or 0, card.number) for key, (task, card) in self.places.items()}
        )


def _drawn(task: Task, *, at_hand: bool) -> TaskGrowth:
    """Draw a task: its nodes, its edges, and where it stands."""
    hosted = task.plan.hosted()
    hidden = {number for numbers in hosted.values() for number in numbers}
    nodes: list[Node] = []
    standing = None if task.standing is None else task.standing.number
    for number, card in sorted(task.cards.items()):
        if number not in hidden:
            asked = (task.why, task.reply) if card is task.current else ("", "")
            words = task.last_words() if card is task.current else ""
            drawn = replace(card, closing=words) if words else card
            node = draw_node(drawn, doing=number == standing, finished=task.done, asked=asked)
            listed = tuple((other, other) for other in sorted(hosted.get(number, ())))
            nodes.append(replace(node, folded=listed) if listed else node)
    status: CanvasStatus = "completed" if task.done else "active" if at_hand else "paused"
    return TaskGrowth(
        ordinal=task.ordinal or 0,
        goal=goal_from(nodes, task.goal) if task.unnamed else task.goal,
        name=task.name,
        status=status,
        created=task.created,
        updated=task.updated,
        resumed_at=tuple(task.resumed_at),
        calls=task.calls,
        nodes=tuple(nodes),
        edges=weave(sorted((card for card in task.order if card.number not in hidden), key=_begun)),
    )


def _begun(card: Card) -> tuple[bool, int]:
    """Order cards by when they were begun; items of the plan that nobody has begun come last."""
    return card.first == 0, card.first
