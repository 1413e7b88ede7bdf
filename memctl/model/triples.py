"""An edge of the graph: subject, relation, object, and where it comes from (DESIGN 2.7)."""

from dataclasses import dataclass
from typing import Literal

NodeKind = Literal["PersonaNode", "TaskNode", "StateNode", "InfoNode", "EntityNode"]


@dataclass(frozen=True, slots=True)
class Triple:
    """One line of `graph.jsonl`.

    at: when it was said, ISO 8601 in UTC. task: id of the task it belongs to. source: who or what says it.
    speculation: it was inferred, not said. beside: it stands beside other objects of its relation instead of
    taking their place. deleted: it holds no more.
    """

    subject: str
    relation: str
    object: str
    at: str
    task: str | None = None
    source: str = "human"
    speculation: bool = False
    beside: bool = False
    deleted: bool = False
