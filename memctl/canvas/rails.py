"""Rails: a graph drawn beside a list, as `git log --graph` does. Numbers in, box-drawing cells out.

Every node takes one row block, in order. An edge runs in a lane down to its target; all edges to one
target share a lane, so siblings that meet again join visibly. Where a node's edges leave their lane,
one connector row turns off to the side.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

_VERTICAL, _HORIZONTAL = "│", "─"
# What a cell of a connector row looks like: goes up, goes down, goes left, goes right.
_CORNERS = {
    (True, True, False, False): "│",
    (False, False, True, True): "─",
    (True, True, False, True): "├",
    (True, True, True, False): "┤",
    (True, True, True, True): "┼",
    (False, True, True, False): "╮",
    (False, True, False, True): "╭",
    (False, True, True, True): "┬",
    (True, False, True, False): "╯",
    (True, False, False, True): "╰",
    (True, False, True, True): "┴",
    (False, False, False, False): " ",
}


@dataclass(frozen=True, slots=True)
class Rail:
    """The lanes at one node.

    lane: the node's own lane. above: cells over the node's row. beside: cells on its row, with a space
    for the node's own mark. below: cells under its row. connector: the row that leads to the lanes of the
    next node, or "" when no lane turns. loose: nodes before this one whose edge to it found no lane.
    """

    lane: int
    above: str
    beside: str
    below: str
    connector: str
    loose: tuple[int, ...]


def lay_rails(count: int, edges: Collection[tuple[int, int]], most: int) -> list[Rail]:
    """Lay *edges* (pairs of node positions, source before target) beside *count* nodes in *most* lanes."""
    targets: list[list[int]] = [[] for _ in range(count)]
    for source, target in sorted(set(edges)):
        targets[source].append(target)
    lanes: list[int | None] = []  # the target each lane leads to
    loose: list[list[int]] = [[] for _ in range(count)]
    rails = []
    for node in range(count):
        above = [lane is not None for lane in lanes]
        own = lanes.index(node) if node in lanes else _free_lane(lanes, 0)
        lanes[own] = None
        beside = [lane is not None for lane in lanes]
        joined = []
        for target in targets[node]:
            if target in lanes:
                joined.append(lanes.index(target))
                continue
            lane = _free_lane(lanes, own)
            if lane >= most:
                lanes.pop()
                loose[target].append(node)
                continue
            lanes[lane] = target
            joined.append(lane)
        below = [*beside]
        below[own] = bool(joined)
        connector = _connector(own, joined, below, lanes)
        while lanes and lanes[-1] is None:
            lanes.pop()
        rails.append(Rail(own, _cells(above), _cells(beside), _cells(below), connector, tuple(loose[node])))
    return rails


def order_nodes(count: int, edges: Collection[tuple[int, int]]) -> tuple[list[int], set[tuple[int, int]]]:
    """Put the nodes 0 to *count* - 1 in an order in which edges lead down, and give the edges that cannot.

    Of the nodes that may come next, one that the last node leads to goes first, and of those the one that
    stands first in the text.
    """
    targets: list[list[int]] = [[] for _ in range(count)]
    for source, target in sorted(set(edges)):
        targets[source].append(target)
    back = _back_edges(targets)
    waiting = [0] * count
    for source in range(count):
        for target in targets[source]:
            waiting[target] += (source, target) not in back
    order: list[int] = []
    ready = [node for node in reversed(range(count)) if not waiting[node]]
    while ready:
        node = ready.pop()
        order.append(node)
        for target in reversed(targets[node]):
            if (node, target) not in back:
                waiting[target] -= 1
                if not waiting[target]:
                    ready.append(target)
    return order, back


def _back_edges(targets: list[list[int]]) -> set[tuple[int, int]]:
    """Find the edges that close a circle, when nodes are walked in their order."""
    back: set[tuple[int, int]] = set()
    state = [0] * len(targets)  # 1: on the way from the root, 2: done
    for root in range(len(targets)):
        walk = [] if state[root] else [(root, iter(targets[root]))]
        state[root] = state[root] or 1
        while walk:
            node, rest = walk[-1]
            target = next(rest, None)
            if target is None:
                state[node] = 2
                walk.pop()
            elif state[target] == 1:
                back.add((node, target))
            elif not state[target]:
                state[target] = 1
                walk.append((target, iter(targets[target])))
    return back


def _free_lane(lanes: list[int | None], wanted: int) -> int:
    """Find a free lane, *wanted* first, then the nearest to its right, then the leftmost; else add one."""
    order: list[int] = [*range(wanted, len(lanes)), *range(min(wanted, len(lanes)))]
    for lane in order:
        if lanes[lane] is None:
            return lane
    lanes.append(None)
    return len(lanes) - 1


def _cells(active: Sequence[bool]) -> str:
    return " ".join(_VERTICAL if lane else " " for lane in active)


def _connector(own: int, joined: list[int], below: list[bool], lanes: list[int | None]) -> str:
    if not joined or joined == [own]:
        return ""
    first, last = min(own, *joined), max(own, *joined)
    cells = []
    for lane in range(max(len(lanes), len(below))):
        up = lane < len(below) and below[lane]
        down = lane < len(lanes) and lanes[lane] is not None
        if lane == own or lane in joined:
            cell = _CORNERS[up, down, first < lane, lane < last]
        elif up or not first < lane < last:
            cell = _VERTICAL if up else " "  # passes over the turn
        else:
            cell = _HORIZONTAL
        cells.append(cell + (_HORIZONTAL if first <= lane < last else " "))
    return "".join(cells).rstrip()
