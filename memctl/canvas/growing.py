"""A task while it grows: its nodes, what it is known by, and to which of them the next call belongs."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from memctl.canvas.attempts import Attempts
from memctl.canvas.cards import CHANGING, READING, VERIFYING, Card, fails, later, stores
from memctl.canvas.endings import hands_over, keeps, submits, types
from memctl.canvas.farewells import Closing, closing_of, is_over, proposes
from memctl.canvas.goals import AIM, aim_of, announces, ended, goal_of, wish_of, wished
from memctl.canvas.judge import (
    Vocabulary,
    asks,
    brings_together,
    corrects,
    finished,
    leads_nowhere,
    only_agrees,
    orders,
    unfinished,
)
from memctl.canvas.lastwords import closing, left_open, question_in
from memctl.canvas.pieces import last_part, plain
from memctl.canvas.plans import Item, Plan
from memctl.canvas.subjects import Subject, is_name, subject_of
from memctl.model import Prompt, Step
from memctl.summarize import conclusion, conclusions
from memctl.summarize.targets import NAMELESS
from memctl.text.widths import one_line

_ALONE = CHANGING | VERIFYING | {"agent"}  # each call is a step of its own
_MOST_TARGETS = 5  # of a node that reads several files: more could not be told from its title
_MOST_BURST = 12  # nodes back to which a conclusion is given when it names their target
_MOST_KNOWN = 6000  # names and words that a task is known by
_MOST_NAMES = 24  # names of one call that its task is known by
_MOST_NODES = 8_000  # of a task before its further steps are told by the hundred
_CROWD = 100  # calls of such a node
_CONCLUSION = 280  # characters of a conclusion: the decisive word often stands last
_MOST_CONCLUSIONS = 3  # of one message
_FEW_CALLS = 5  # calls after which a prompt no longer says what they were for
_MOST_WISHES = 8  # wishes remembered, to know one that is written again
_WISH = 110  # characters of a wish before the words that add to it
_NAMED = 4  # characters of a target's name that are no accident in a sentence
_CLOSING = 280  # characters of the closing words
_LEFT = 160  # characters of what the agent leaves open in between
_QUESTION, _MOST_ASKED = 60, 2  # characters of a question that was answered without a call; how many of them
_TELLING = 100  # characters of words with which work is handed in that say how it ended
_COMMITS = re.compile(r"(?:git|jj|hg) commit\b")
_MOST_COMMITS = 64  # that the user may take back one after the other
_REFUSED = re.compile(
    r"\A(?:(.{1,80}): )?(?:refused|interrupted|rejected) by (?:the )?user((?:: .*)?)", re.DOTALL
)
_CORRECTION = 240  # characters kept of a correction


@dataclass(slots=True, eq=False)
class Task:
    """A task while it grows.

    provisional: the goal is a greeting or the agent's words, for want of a prompt that names one.
    name: the goal as it was known at the first call. canvas: the number that placed calls of it name.
    order: its cards in the order they were first worked on; current: where the last call went.
    turn: how often the user spoke; question: how often anyone did. why, resumed: told on the edge to the
    next node; heard: what the user said since the last call; wishes: the last of them. stopped: the user has
    just stopped the agent; undone: changes taken back since the last call; commits: the cards of what can be
    taken back. burst: the cards since the agent last spoke. changes: something was edited. finished, answered:
    what the agent's words after the last call mean; words: those words. closed: how the user closed it after the
    last call. settled: the agent had reported when the user went on to ask about it. over: the user was handed
    over to a person. reported: it is a subagent's, and has
    been reported. private: the words are the agent's reasoning.
    """

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    goal: str = ""
    provisional: bool = False
    name: str = ""
    created: str | None = None
    updated: str | None = None
    resumed_at: list[str | None] = field(default_factory=list)
    ordinal: int | None = None
    canvas: int | None = None
    calls: int = 0
    cards: dict[int, Card] = field(default_factory=dict)
    highest: int = 0
    order: list[Card] = field(default_factory=list)
    current: Card | None = None
    plan: Plan = field(default_factory=Plan)
    attempts: Attempts = field(default_factory=Attempts)
    turn: int = 0
    question: int = 0
    why: str = ""
    heard: str = ""
    stopped: bool = False
    undone: int = 0
    commits: list[Card] = field(default_factory=list)
    wishes: list[str] = field(default_factory=list)
    resumed: bool = False
    burst: list[Card] = field(default_factory=list)
    finished: bool = False
    answered: bool = False
    reply: str = ""
    words: str = ""
    changes: bool = False
    closed: Closing = ""
    settled: bool = False
    over: bool = False
    reported: bool = False
    own: bool = False  # its calls are the user's own
    private: bool = False

    # ------------------------------------------------------------------- words

    def hear(self, prompt: Prompt) -> None:
        """Take the user's words: they give the goal, correct the step at hand, or say what comes next."""
        agrees = only_agrees(prompt.text) or types(prompt)
        if not self.goal or (self.provisional and not agrees and self.calls <= _FEW_CALLS):
            told = prompt.command or prompt.text  # "--verbose" alone is no goal
            self.goal, self.created = aim_of(told), self.created or prompt.timestamp
            self.provisional = agrees
        elif (
            not (agrees or corrects(prompt.text))
            and self.calls <= _FEW_CALLS
            and announces(self.goal)
            and (wish := wished(prompt.text))
        ):
            self.goal = one_line(f"{ended(self.goal)} {wish}", AIM)
        self._learn(subject_of(prompt.text))
        closing: Closing = "leave" if is_over(prompt.text) else closing_of(prompt.text)
        self.closed = "" if closing == "thanks" and proposes(self.words) else closing
        self.settled = self._rests and not corrects(prompt.text) and not orders(prompt.text)
        self._close_turn()
        self.turn += 1
        self.question += 1
        self.answered = False
        if self.calls and not agrees:
            self.finished = False
            self.plan.suspended = True
            self._steer(prompt.text)

    @property
    def unnamed(self) -> bool:
        """Whether the goal says nothing: there is none, or only the user's consent to something."""
        return not self.goal or (self.provisional and self.turn > 0 and only_agrees(self.goal))

    @property
    def hollow(self) -> bool:
        """Whether no words of the user have said yet what the task is for, and little has been done."""
        return self.provisional and self.calls <= _FEW_CALLS

    @property
    def _rests(self) -> bool:
        """Whether the last step succeeded and the agent has said so, or answered what was asked since."""
        last = self.current
        if last is None or last.failing or last.pending or last.undid or self.stopped:
            return False
        return self.settled or self.finished or self.answered

    def leave(self) -> None:
        """Take note that work on another task has begun: what was changed or kept last is taken as it is.

        Where the agent has spoken since, its words have said whether that was all.
        """
        last = self.current
        if last is None or self.words or self.stopped:
            return
        if not (last.failing or last.pending or last.undid):
            self.finished |= last.kind in CHANGING or last.stores

    def _close_turn(self) -> None:
        """Keep what the agent left open when it gave the word back to the user."""
        if self.current is not None and self.words:
            self.current.left = left_open(self.words, _LEFT)
            self.current.posed = question_in(self.words, _LEFT)
            if self.heard and self.reply:
                self.current.asked.append(
                    f"asked '{one_line(plain(self.heard), _QUESTION)}': {plain(self.reply)}"
                )
                self.heard = ""
                del self.current.asked[:-_MOST_ASKED]
        self.words = ""

    def last_words(self) -> str:
        """Give the agent's closing words, when it has spoken since the last call or with one that hands in."""
        words = closing(self.words, _CLOSING) if self.words and not self.private else ""
        told = plain(conclusion(self.words, longest=_CONCLUSION))
        return "" if words.rstrip(".… ") == told.rstrip(".… ") else words  # it stands on a node already

    def _steer(self, text: str) -> None:
        """Keep the user's words: a correction on the node at hand, a wish on the way to the next."""
        words = self.heard = wish_of(text)
        stopped, self.stopped = self.stopped, False
        if (stopped or corrects(text)) and self.current is not None:
            self.current.correct(one_line(text, _CORRECTION))
            self.current.led_nowhere |= leads_nowhere(text)
            if orders(text):  # what comes next answers this, and no longer what was asked before
                self.why, self.reply = words, ""
        elif words not in self.wishes:  # a queued prompt is written twice
            if self.why and not self.reply:  # the agent only asked back: the wish stands
                words = f"{one_line(self.why, _WISH)} … {words}"
            self.why, self.reply = words, ""
            self.wishes.append(words)
            del self.wishes[:-_MOST_WISHES]

    def stop(self, act: str) -> None:
        """Take note that the user stopped the agent, or took back its last change (`/undo`)."""
        self.stopped, self.finished = True, False
        if not act.startswith("/"):
            if self.current is not None:
                self.current.correct("interrupted the agent")
            return
        self.undone += 1
        taken = self.commits.pop() if self.commits else self.current
        if taken is not None and self.current is not None:
            taken.taken_back = True
            self.current.undid = self.undone

    def listen(self, text: str, *, private: bool = False) -> None:
        """Take the agent's words: what they conclude goes to the calls before them. private: its reasoning."""
        if not text.strip():
            return
        self.question += 1
        self.words, self.private = text, private
        self.vocabulary.recent, self.vocabulary.asked = subject_of(text), asks(text)
        if not self.goal and not self.calls and not private:
            self.goal, self.provisional = goal_of(text), True
        concluding, *others = conclusions(text, _MOST_CONCLUSIONS, longest=_CONCLUSION, private=private) or [
            ""
        ]
        if self.current is not None:
            self.finished = finished(text)
            self.answered = not asks(text) and not unfinished(text)
            self.current.led_nowhere |= leads_nowhere(concluding or text)
            if concluding:
                self._conclude(concluding, *others)
                self.reply = concluding if self.heard else ""
        self.burst.clear()

    def _conclude(self, concluding: str, *others: str) -> None:
        """Give the agent's words to the steps they name; when they name none, to the last."""
        lowered = concluding.lower()
        named = [card for card in self.burst if _is_named(card, lowered)]
        for card in named or [card for card in self.burst if card is self.current]:
            card.conclude(concluding, *others)

    # ------------------------------------------------------------------- calls

    def place(self, step: Step, items: list[Item] | None, number: int | None) -> Card:
        """Choose the node of a call from what stands before it.

        items: what a plan call names. number: the node on which the call was placed when it was first seen.
        """
        card: Card | None = None
        if items is not None:
            card = self.plan.take(step, items, self.turn, self.current, self._add_item)
        elif number is None:
            card = self.plan.owner
            if card is None and self.current is not None and self._joins(self.current, step):
                card = self.current
            elif card is None and len(self.cards) >= _MOST_NODES:
                card = self._crowded()
        if number is not None:
            card = self.cards.get(number) or self._add(number)
        return card or self._add()

    def _crowded(self) -> Card | None:
        """Choose the node of a call in a task of very many: steps are then told by the hundred.

        A canvas shows some dozen nodes of them anyway, and what is known of each takes memory.
        """
        last = self.current
        fits = last is not None and last.item is None and last.turn == self.turn and last.calls < _CROWD
        return last if fits else None

    def _joins(self, card: Card, step: Step) -> bool:
        """Say whether a call goes on with *card*: one target, or one question, and nothing ended it."""
        if card.item is not None or card.turn != self.turn or card.ended(step.message):
            return False
        if step.target == NAMELESS:
            return False  # nothing says that two results are of one thing
        kinds = card.kinds.keys()
        if step.kind in _ALONE or kinds & _ALONE or stores(step) or card.stores or card.hands_in:
            return False
        if card.targets.get(step.target) == step.kind or step.kind == "plan":
            return True
        together = (step.kind in READING and kinds <= READING) or (step.kind == "vcs" and kinds == {"vcs"})
        return together and card.question == self.question and len(card.targets) < _MOST_TARGETS

    def _add(self, number: int = 0) -> Card:
        """Make a card, by default with the next free number."""
        card = Card(number or self.highest + 1)
        self.highest = max(self.highest, card.number)
        self.cards[card.number] = card
        return card

    def _add_item(self, text: str) -> Card:
        card = self._add()
        card.item = text
        self.order.append(card)
        self._learn(subject_of(text))
        return card

    def take(self, card: Card, step: Step, *, closes: bool) -> None:
        """Put a call on its card, and note its result. closes: it hands the work in."""
        if card.calls == 0:
            self._begin(card, step)
        card.take(step)
        self.undone = 0
        if step.kind == "vcs" and _COMMITS.match(step.target):
            self.commits.append(card)
            del self.commits[:-_MOST_COMMITS]
        if step.status == "error" and (refused := _REFUSED.search(step.summary)):
            self.stopped = True
            card.correct(one_line(f"refused {refused[1] or step.target}{refused[2]}", _CORRECTION))
        card.stores |= stores(step) or submits(step)
        card.hands_in |= closes
        self.current = card
        self.calls += 1
        self.words = self.words if closes and len(self.words) >= _TELLING else ""
        card.closing = ""
        self.updated = later(self.updated, step.timestamp)
        self.created = self.created or step.timestamp
        self.changes |= step.kind in CHANGING
        if step.done or not self.finished:
            kept = (self.finished or self.settled) and step.kind in VERIFYING and not fails(step)
            self.finished = closes or keeps(step) or kept
        self.answered, self.closed, self.settled = False, "", False
        self.over = hands_over(step)
        if card not in self.burst:
            self.burst.append(card)
            del self.burst[:-_MOST_BURST]
        self._learn(_subject_of_target(step.target))
        self._learn(Subject(frozenset(_names(step)), frozenset()))
        if step.done and step.plan is None:
            self.attempts.note(card, step)

    def _begin(self, card: Card, step: Step) -> None:
        """Note what led to a node, when its first call comes."""
        card.first = self.calls + 1
        if card.item is None:
            self.order.append(card)
        card.turn, card.question = self.turn, self.question
        card.why, card.resumed = self.why, self.resumed
        card.gathers = brings_together(step.target) or brings_together(step.said)
        self.why, self.heard, self.reply, self.resumed = "", "", "", False

    def _learn(self, subject: Subject) -> None:
        """Let the task be known by *subject* too; a task of very many names has enough of them."""
        if subject and len(self.vocabulary.names) + len(self.vocabulary.words) < _MOST_KNOWN:
            self.vocabulary.learn(subject)

    # ------------------------------------------------------------------- where it stands

    @property
    def done(self) -> bool:
        """Whether the task has reached its goal: no item open, the last step not failed, and said so.

        The user says so by thanking, and takes leave even of what failed. A task that changed nothing was a
        question: it is done once the agent has answered; so is one whose work was reported before a question. Work that
        another agent gave ends with the report, and what a person was handed is no more the agent's.
        """
        if self.over or (self.reported and not self.stopped):
            return True
        if self.plan.open:
            return False
        if self.current and self.current.undid:
            return self.finished
        if self.closed == "leave":
            return True
        if self.current and self.current.failing:
            return False
        return bool(self.closed) or self.finished or (self.answered and (self.settled or not self.changes))

    @property
    def standing(self) -> Card | None:
        """The node where the task stands: the last one worked on, unless what it was for has been said."""
        last = self.current
        if self.done or last is None:
            return None
        told = self.answered and not last.pending and last.kind not in CHANGING
        return None if told or self.settled else last


def _is_named(card: Card, words: str) -> bool:
    names = map(last_part, card.targets)
    return any(len(name) >= _NAMED and name.lower() in words for name in names)


def _names(step: Step) -> list[str]:
    return [last_part(name).lower() for name in step.names[:_MOST_NAMES] if is_name(name)]


@lru_cache(maxsize=1024)
def _subject_of_target(target: str) -> Subject:
    """Find what a target names; targets are short and come again."""
    return subject_of(target)
