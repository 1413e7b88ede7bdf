"""Join the nodes of a task by edges: after what, side by side, using what (DESIGN 4.2)."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from memctl.canvas.cards import CHANGING, EXPLORING, READING, VERIFYING, Card
from memctl.canvas.subjects import subject_of
from memctl.model import Edge
from memctl.text.widths import one_line

_LABEL = 40  # characters of an edge's label
_WISH = 200  # ... of one that gives the user's words; a canvas that is too long cuts it first
_MOST_USES = 2  # dotted edges into one node and out of one: more would hide the rest
_MOST_ENDS = 8  # loose ends that meet in one node


def weave(cards: Sequence[Card]) -> tuple[Edge, ...]:
    """Draw the edges among *cards*, given in the order in which they were first worked on.

    Steps of one intent that use nothing of each other hang side by side below what came before them, and
    meet at the first step that uses them or that is of another intent. Red test, edit, test again are
    joined by labelled edges; dotted edges say "uses" where no solid edge joins the two already.
    """
    edges: dict[tuple[int, int], Edge] = {}
    group: list[Card] = []  # side by side
    base: list[Card] = []  # what the group hangs below
    loose: list[Card] = []  # explored, and not yet used
    for card in cards:
        if group and _beside(card, group):
            ends = base
            group.append(card)
        else:
            ends = _ends(card, group, loose)
            met = {end.number for end in ends}
            loose = [end for end in loose + group if end.number not in met][-_MOST_ENDS:]
            if card.kind not in EXPLORING:
                loose = []
            base, group = ends, [card]
        for end in ends:
            if end.number != card.number:
                edges.setdefault(
                    (end.number, card.number), Edge(end.number, card.number, _label(end, card, ends))
                )
    solid = list(edges.values())
    return tuple(solid + _uses(cards, edges.keys()))


def _uses(cards: Sequence[Card], joined: Collection[tuple[int, int]]) -> list[Edge]:
    """Draw who uses what: of each finding the first users, where no solid edge joins them already."""
    shown: dict[int, int] = {}
    dotted = []
    finders = {card.number: card for card in cards if card.kind not in CHANGING}
    for card in cards:
        sources = [
            number
            for number in sorted(card.uses, reverse=True)
            if number in finders and (card.kind not in VERIFYING or finders[number].reddened)
        ]
        for source in sources[:_MOST_USES]:
            shown[source] = shown.get(source, 0) + 1
            near = (source, card.number) in joined or (card.number, source) in joined
            if shown[source] <= _MOST_USES and not near:
                dotted.append(Edge(source, card.number, "uses", dotted=True))
    return dotted


def _beside(card: Card, group: Sequence[Card]) -> bool:
    """Say whether *card* is a sibling of *group*: one intent, another target, nothing used."""
    last = group[-1]
    if card.item is not None or last.item is not None or card.why or card.resumed:
        return False
    if card.uses and any(other.number in card.uses for other in group):
        return False
    if card.message == last.message and _intent(card) == _intent(last):
        return True  # calls of one turn are the sure case
    return (
        card.kind in EXPLORING
        and _intent(card) == _intent(last)
        and not _gathers(card, group)
        and not (last.failing or card.targets.keys() & last.targets.keys())
    )


def _gathers(card: Card, group: Sequence[Card]) -> bool:
    """Say whether *card* brings together what a group found: it says so, or names the subjects of several."""
    if card.gathers:
        return True
    subjects = [_words(other) for other in group[-_MOST_ENDS:]]
    common = frozenset.intersection(*subjects)
    named = _words(card) - common
    return sum(1 for words in subjects if (words - common) & named) > 1


def _words(card: Card) -> frozenset[str]:
    return _words_of(" ".join(card.targets))


@lru_cache(maxsize=64)  # a group is looked at again for each that may join it
def _words_of(targets: str) -> frozenset[str]:
    subject = subject_of(targets)
    return subject.names | subject.words


def _intent(card: Card) -> str:
    """Name what a node is for: its kind, and for what is looked up also the tool."""
    if card.kind in READING:
        return "read"
    return f"{card.kind} {next(iter(card.tools), '')}" if card.kind in EXPLORING else card.kind


def _ends(card: Card, group: list[Card], loose: list[Card]) -> list[Card]:
    """Choose what *card* comes after: the members of the group that it uses, else all that is open."""
    if card.kind not in EXPLORING:
        return [*loose, *group][-_MOST_ENDS:]
    used = [end for end in [*loose, *group] if end.number in card.uses]
    if used and len(group) > 1:
        return used[-_MOST_ENDS:]
    return group[-_MOST_ENDS:]


def _label(end: Card, card: Card, ends: Sequence[Card]) -> str:
    """Say why *card* came after *end*: the user's words, a red test, a green one after an edit."""
    if end is not ends[-1]:
        return ""
    if card.resumed:
        return "resumed"
    if card.why:
        return one_line(f"user: {card.why}", _WISH)
    if end.reddened and end.turned == "red" and card.kind not in VERIFYING:
        return one_line(_failure(end), _LABEL)
    if card.kind in VERIFYING and card.turned and end.kind in CHANGING:
        return "green" if card.turned == "green" else "red"
    return ""


def _failure(card: Card) -> str:
    """Say briefly how a test failed."""
    fact = next((fact.text for fact in card.facts if fact.failed), "")
    for target in card.targets:
        fact = fact.removeprefix(target).lstrip(": ")
    return fact.partition(":")[0].partition(";")[0] or "red"
