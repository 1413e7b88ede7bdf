"""A task drawn: nodes, edges, and the canvas that holds them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from memctl.model.values import Json

NodeStatus = Literal["todo", "doing", "done", "paused", "blocked"]
CanvasStatus = Literal["active", "paused", "completed", "cancelled", "archived"]
_NODE_ID = re.compile(r"([0-9]{1,9})-N([0-9]{1,9})")
Shape = Literal["read", "edit", "verify", "run", "store", "finding", "dead_end"]


@dataclass(frozen=True, slots=True)
class Node:
    """One step on a canvas. *folded* are the numbers of the nodes folded into it, as closed ranges."""

    number: int
    title: str
    status: NodeStatus
    summary: str
    timestamp: str | None
    shape: Shape = "read"
    folded: tuple[tuple[int, int], ...] = ()


class Edge(NamedTuple):
    """From one node number to another; *label* says why; *dotted* edges mean "uses"."""

    source: int
    target: int
    label: str = ""
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class Canvas:
    """A task drawn as a Mermaid flowchart (DESIGN 2.4).

    number: the NNN of its file and of its node ids (`NNN-Nk` for node number k).
    upto: seq of the last message it knows. progress: percent of nodes done, folded ones included.
    extra: other header keys (was, before, ...), kept in their order.
    """

    number: int
    goal: str
    status: CanvasStatus
    progress: int
    created: str | None
    updated: str | None
    session: str
    upto: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    by: str = "rules"
    extra: Mapping[str, Json] = field(default_factory=dict)


def node_id(canvas: int, number: int) -> str:
    """Write a node's id: canvas 3, node 4 is `003-N4`."""
    return f"{canvas:03d}-N{number}"


def node_of(name: str | None) -> tuple[int, int] | None:
    """Read a node's id: its canvas and its number; None for what is none, as one of more than nine digits."""
    found = _NODE_ID.fullmatch(name or "")
    return (int(found[1]), int(found[2])) if found else None
