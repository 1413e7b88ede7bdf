"""Draw a task as the canvas that fits: over its limit, runs of old nodes fold into one (DESIGN 2.4).

Folding works on nodes as they are written, so that a canvas by a model or a person folds by the same rule.
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import log2

from memctl.canvas.escape import escape_label
from memctl.canvas.gist import gist, gists, worst
from memctl.canvas.grow import TaskGrowth
from memctl.canvas.lastwords import MARK
from memctl.canvas.mmd import percent_done, write_canvas
from memctl.canvas.pieces import LONGEST, SUMMARY, TITLE, USUAL, trimmed
from memctl.canvas.worth import telling, value
from memctl.model import Canvas, Edge, Node, NodeStatus
from memctl.text.widths import one_line

NEWEST = 6  # nodes that never fold
SHORT = 60  # characters of a summary when folding done nodes is not enough
_CHAPTER = 5.0  # how much rather a run ends where the user spoke than anywhere else
_AGE = 2.0  # how much rather the oldest nodes fold than the newest
_FEW = 40  # runs that are folded one pair at a time, so that no more folds than must
_FRAME = 80  # characters of a node beside its texts: id, brackets, markers, an edge
_LABEL = 40  # characters of an edge's label while nodes fold; longer ones come back as far as there is room
_LABELS = (110, 96, 76, 60, 50)
_WIDEST = (206, 150)  # characters of a label after the summaries have had their share
_LENGTHS = (SHORT, 100, 140, 180, 220, 260, SUMMARY, 340, 380, LONGEST)  # of a summary, while room is shared
# Characters kept for the words of what folds, while more nodes are drawn than this.
_RESERVE, _DRAWN = 600, 10
_MANY = 14  # by how little more a word tells when it stands for twice as many nodes
_PATIENCE = 0.6  # part of the excess that merged nodes must save before the text is measured again


def draw(task: TaskGrowth, number: int, session: str, upto: int, max_chars: int = 4000) -> Canvas:
    """Draw *task* as canvas *number* of *session*, its text under *max_chars* characters long.

    upto: seq of the last message known. Every node of the task is drawn, or listed in the `folded` ranges
    of one that is.
    """
    progress = percent_done(task.nodes)
    canvas = Canvas(
        number,
        task.goal,
        task.status,
        progress,
        task.created,
        task.updated,
        session,
        upto,
        task.nodes,
        task.edges,
    )
    return fold(canvas, max_chars)


def fold(canvas: Canvas, max_chars: int = 4000) -> Canvas:
    """Fold *canvas* until its text has fewer than *max_chars* characters.

    In this order, no further than needed: labels of edges cut; summaries cut to 150 characters; runs of
    done nodes, older and shorter runs first; summaries cut to 60 characters, the oldest first; runs of any
    status; blocked nodes last. None of the newest six folds. A folded node keeps its first id, lists the
    others, takes the worst status, the last member's shape, the edges to the outside with the newest label,
    and says what the run found. Where even that is too long (hostile text), titles and summaries are cut
    further.
    """
    folding = _Folding(canvas, max_chars)
    past = frozenset(["done", "paused"])
    steps: tuple[Callable[[], None], ...] = (
        folding.narrow,
        folding.trim,
        partial(folding.merge, past),
        folding.shorten,
        partial(folding.merge, past | {"todo", "doing"}),
        partial(folding.merge, past | {"todo", "doing", "blocked"}),
        folding.squeeze,
    )
    for step in steps:
        if folding.fits():
            break
        step()
    else:
        return folding.canvas
    folding.widen(_LABELS)
    folding.share()
    folding.widen(_WIDEST)
    return folding.canvas


_Form = tuple[Node, int, float]  # a way to tell a run, the characters of its summary, and what they are worth
_Offer = tuple[float, int, int, int]  # price, place of the left run, members of it and of its neighbour


@dataclass(slots=True)
class _Run:
    """Nodes that stand as one.

    first: place of the first among all. status: the worst. node: what is drawn; None until it is drawn
    again. size: characters it takes, or will take at most. value: of all that its members say. alive: not
    yet part of a longer run.
    """

    first: int
    members: list[Node]
    status: NodeStatus
    node: Node | None
    size: int
    value: float
    alive: bool = True
    before: "_Run | None" = None
    after: "_Run | None" = None


class _Folding:
    """A canvas on its way to fit."""

    def __init__(self, canvas: Canvas, max_chars: int) -> None:
        self.whole = canvas
        self.canvas = canvas
        self.max_chars = max_chars - 1  # under the limit
        self.length = len(write_canvas(canvas))
        nodes = sorted(canvas.nodes, key=lambda node: node.number)
        self.runs = [
            _Run(at, [node], node.status, node, _size(node), value(node)) for at, node in enumerate(nodes)
        ]
        for left, right in pairwise(self.runs):
            left.after, right.before = right, left
        self.total = len(nodes)
        self.short = False
        self.usual = SUMMARY  # characters of a summary
        self.label: int | None = None  # characters of a label; None: as it is
        turns = [edge for edge in canvas.edges if edge.label.startswith(("user: ", "resumed"))]
        self.chapters = {edge.target for edge in turns}
        self.endings = {edge.source for edge in turns}
        self.wishes = {
            edge.target: edge.label.removeprefix("user: ")
            for edge in turns
            if edge.label.startswith("user: ")
        }

    def fits(self) -> bool:
        """Say whether the text is short enough."""
        return self.length <= self.max_chars

    def narrow(self) -> None:
        """Cut the labels of edges: what folds away lengthens none of them in vain."""
        self.label = _LABEL
        self._redraw()

    def trim(self) -> None:
        """Cut the summaries of all nodes to the usual length; closing words stay whole."""
        self.usual = USUAL
        for run in self.runs:
            node = run.members[0]
            if MARK not in node.summary:
                run.node = replace(node, summary=trimmed(node.summary, USUAL))
                run.size = _size(run.node)
        self._redraw()

    def share(self) -> None:
        """Give the room that there is to the words that are worth most, wherever they stand.

        Every summary begins with 60 characters; then the longer form that tells most for its length is taken,
        the newest of equals, until nothing more fits.
        """
        if self.usual == SUMMARY or self.short:
            return
        before = [(run, self._drawn(run)) for run in self.runs]
        forms = [self._forms(run) for run in self.runs]
        for run, told in zip(self.runs, forms, strict=True):
            run.node = told[0][0]
        self._redraw()
        room = self.max_chars - self.length
        heap = [offer for at in range(len(forms)) if (offer := _better(forms[at], 0, at))]
        heapq.heapify(heap)
        while heap:
            _density, at, taken, cost = heapq.heappop(heap)
            at = -at
            if cost <= room:
                room -= cost
                self.runs[at].node = forms[at][taken][0]
                offer = _better(forms[at], taken, at)
            else:
                forms[at] = forms[at][:taken]
                drawn = next(i for i, (node, _, _) in enumerate(forms[at]) if node is self.runs[at].node)
                offer = _better(forms[at], drawn, at)
            if offer:
                heapq.heappush(heap, offer)
        self._redraw()
        if not self.fits():
            for run, node in before:
                run.node = node
            self._redraw()

    def _forms(self, run: _Run) -> list[_Form]:
        """Tell a run in ever more words, as long as that tells more."""
        forms: list[_Form] = []
        many = 1 + log2(len(run.members)) / _MANY
        most = max(LONGEST if len(run.members) > 1 else SUMMARY, len(run.members[0].summary))
        for node in self._told(run, [limit for limit in _LENGTHS if limit <= most]):
            size = len(escape_label(node.summary))
            if not forms or size > forms[-1][1]:
                forms.append((node, size, telling(node) * many))
        return forms

    def widen(self, limits: Sequence[int]) -> None:
        """Give labels their words back, as many as there is room for: they say what the user wanted."""
        narrow, canvas, length = self.label, self.canvas, self.length
        for limit in limits if narrow is not None else ():
            self.label = limit
            self._redraw()
            if self.fits():
                return
        self.label, self.canvas, self.length = narrow, canvas, length

    def merge(self, statuses: frozenset[str]) -> None:
        """Fold runs whose members all have one of *statuses*, until the text fits or none is left."""
        heap: list[_Offer] = []
        for run in self.runs:
            self._offer(heap, run, statuses)
        first = {run.first: run for run in self.runs}
        while heap and (
            not self.fits()
            or (
                len(self.runs) > _DRAWN
                and self.length > self.max_chars - _RESERVE
                and "blocked" not in statuses
            )
        ):
            excess = (self.length - self.max_chars) * _PATIENCE if len(self.runs) > _FEW else 0
            saved = 0
            while heap and saved <= excess:
                _price, place, count, next_count = heapq.heappop(heap)
                left = first[place]
                right = left.after
                if not left.alive or len(left.members) != count:
                    continue  # it has been folded since
                if right is None or len(right.members) != next_count:
                    continue
                run = first[place] = self._merged(left, right)
                saved += left.size + right.size - run.size
                if run.before is not None:
                    self._offer(heap, run.before, statuses)
                self._offer(heap, run, statuses)
            self.runs = [run for run in first.values() if run.alive]
            self._redraw()

    def _offer(self, heap: list[_Offer], left: _Run, statuses: frozenset[str]) -> None:
        """Propose to fold *left* with its neighbour, at the price of the detail that is lost."""
        right = left.after
        if right is None or right.first + len(right.members) > self.total - NEWEST:
            return
        if left.status not in statuses or right.status not in statuses:
            return
        count = len(left.members) + len(right.members)
        price = (left.value + right.value) * (1 + _AGE * (left.first + count / 2) / self.total)
        if right.members[0].number in self.chapters:
            price *= _CHAPTER
        if left.members[-1].title == right.members[0].title:
            price /= _CHAPTER
        heapq.heappush(heap, (price, left.first, len(left.members), len(right.members)))

    @staticmethod
    def _merged(left: _Run, right: _Run) -> _Run:
        members = left.members + right.members
        size = min(left.size + right.size - _FRAME, _FRAME + TITLE + USUAL)
        status = worst(left.status, right.status)
        said = left.value + right.value
        run = _Run(left.first, members, status, None, size, said, before=left.before, after=right.after)
        left.alive = right.alive = False
        if run.before is not None:
            run.before.after = run
        if run.after is not None:
            run.after.before = run
        return run

    def shorten(self) -> None:
        """Cut summaries to 60 characters until the text fits: of single nodes first, the oldest first."""
        for run in sorted(self.runs, key=lambda run: (len(run.members) > 1, run.first)):
            if self.fits():
                break
            self.short = len(run.members) > 1  # then longer runs need no more than that either
            node = self._drawn(run)
            run.node = replace(node, summary=one_line(node.summary, SHORT))
            self.length -= len(node.summary) - len(run.node.summary)
        self._redraw()

    def squeeze(self) -> None:
        """Cut titles, summaries, labels and the goal ever shorter: text that is mostly escapes."""
        for limit in (48, 32, 16, 8):
            for run in self.runs:
                node = self._drawn(run)
                run.node = replace(
                    node, title=one_line(node.title, limit), summary=one_line(node.summary, limit)
                )
            self._redraw()
            edges = tuple(edge._replace(label=one_line(edge.label, limit)) for edge in self.canvas.edges)
            self.canvas = replace(self.canvas, goal=one_line(self.whole.goal, 2 * limit), edges=edges)
            self.length = len(write_canvas(self.canvas))
            if self.fits():
                break

    def _redraw(self) -> None:
        nodes = tuple(map(self._drawn, self.runs))
        edges = _outside(self.runs, self.whole.edges)
        if self.label is not None:
            edges = tuple(edge._replace(label=one_line(edge.label, self.label)) for edge in edges)
        self.canvas = replace(self.canvas, nodes=nodes, edges=edges)
        self.length = len(write_canvas(self.canvas))

    def _told(self, run: _Run, limits: Sequence[int]) -> Iterable[Node]:
        """Tell a run in each number of characters."""
        if len(run.members) == 1:
            node = run.members[0]
            return (replace(node, summary=trimmed(node.summary, limit)) for limit in limits)
        return gists(run.members, limits, self.endings, self.wishes)

    def _drawn(self, run: _Run) -> Node:
        """Give the node of a run; one that has just been merged is told now."""
        if run.node is None:
            run.node = gist(run.members, SHORT if self.short else self.usual, self.endings, self.wishes)
            run.size = _size(run.node)
        return run.node


def _better(forms: Sequence[_Form], drawn: int, at: int) -> _Offer | None:
    """Find the longer form of a run that tells most for its length: (density, run, form, characters)."""
    _, size, worth = forms[drawn]
    longer = [
        ((worth - more) / (wider - size), -at, form, wider - size)
        for form, (_, wider, more) in enumerate(forms[drawn + 1 :], drawn + 1)
        if more > worth
    ]
    return min(longer, default=None)


def _size(node: Node) -> int:
    """Guess how long a node is as it is written; the text itself is measured after each round."""
    return _FRAME + len(node.title) + len(node.summary) + len(node.timestamp or "")


def _outside(runs: Sequence[_Run], edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Give the edges between runs: one of a kind between two, with the newest label; solid before dotted."""
    owner = {member.number: run.members[0].number for run in runs for member in run.members}
    found: dict[tuple[int, int], Edge] = {}
    for edge in edges:
        pair = (owner.get(edge.source, edge.source), owner.get(edge.target, edge.target))
        if pair[0] == pair[1]:
            continue
        known = found.get(pair)
        if known is None or (known.dotted and not edge.dotted):
            found[pair] = Edge(*pair, edge.label, edge.dotted)
        elif edge.label and known.dotted == edge.dotted:
            found[pair] = known._replace(label=edge.label)
    return tuple(found.values())
