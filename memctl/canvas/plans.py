"""The agent's own plan as the map: its items are nodes, and own the work done under them (DESIGN 4.2)."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memctl.canvas.cards import Card
from memctl.model import Step

_ITEM_TOOLS = frozenset(["taskcreate", "taskupdate"])  # name single items; other plan tools the whole plan
_NUMBERED = re.compile(r"#([0-9]{1,6})(?![0-9])")

Item = tuple[str, str]  # its text, and its state: todo, doing or done


class Numbering:
    """The items of a session by the number that the plan tool gave them: `#4` is the fourth created."""

    def __init__(self) -> None:
        self._created: list[str] = []

    def items(self, step: Step) -> list[Item]:
        """Give the items that a plan call names, by the texts they were created with."""
        items = list(step.plan or ())
        if step.tool.lower() == "taskcreate":
            self._created += (text for text, _ in items)
        elif step.tool.lower() in _ITEM_TOOLS:
            items = [(self._text(text), state) for text, state in items]
        return items

    def _text(self, text: str) -> str:
        match = _NUMBERED.match(text)
        if match and 0 < int(match[1]) <= len(self._created):
            return self._created[int(match[1]) - 1]
        return text


@dataclass(slots=True)
class Plan:
    """The plan of one task.

    items: by first text. doing: the item at hand; suspended: the user has asked for something else since.
    """

    items: dict[str, Card] = field(default_factory=dict)
    doing: Card | None = None
    suspended: bool = False

    @property
    def owner(self) -> Card | None:
        """The node that owns the work done now."""
        return None if self.suspended else self.doing

    @property
    def open(self) -> bool:
        """Whether an item is still to be begun."""
        return any(card.state == "todo" and not card.dropped for card in self.items.values())

    def take(
        self,
        step: Step,
        items: Iterable[Item],
        task_turn: int,
        current: Card | None,
        add: Callable[[str], Card],
    ) -> Card | None:
        """Take what a call says of the plan; give the node of the item begun, else done, else *current*.

        task_turn: the user's turn; an item done in an earlier one that is to be done again is another item.
        add: makes the node of a new item.
        """
        begun: Card | None = None
        done: Card | None = None
        ticked: list[Card] = []
        listed: dict[str, None] = {}
        for text, state in items:
            listed[text] = None
            card = self.items.get(text)
            if card is None or (card.state == "done" and state == "todo" and card.turn < task_turn):
                card = self.items[text] = add(text)
            was, card.state, card.dropped = card.state, state, False
            if state == "doing" and (was != "doing" or begun is None):
                begun = card
            elif state == "done" and was != "done":
                done = card
                ticked.append(card)
        if step.tool.lower() not in _ITEM_TOOLS:
            for text, card in self.items.items():
                card.dropped = text not in listed
            self.doing = None
        elif self.doing is not None and self.doing.state != "doing":
            self.doing = None
        self.doing, self.suspended = begun or self.doing, False
        host = begun or done or current
        for card in ticked:
            if card is not host and not card.calls:
                card.host = host
        return host

    def hosted(self) -> dict[int, list[int]]:
        """Give the items that were ticked off without work of their own, by the node that stands for them."""
        found: dict[int, list[int]] = {}
        for card in self.items.values():
            if card.host is not None and not card.calls:
                found.setdefault(card.host.number, []).append(card.number)
        return found
