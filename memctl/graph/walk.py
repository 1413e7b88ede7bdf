"""A walk over the graph from some nodes: breadth first, cycles and all, up to a number of edges."""

from collections.abc import Mapping
from dataclasses import dataclass

from memctl.graph.current import Graph
from memctl.graph.lines import Row, triple_of
from memctl.graph.vocabulary import HAS_STATE
from memctl.model import Triple


@dataclass(frozen=True, slots=True)
class Step:
    """An edge that was met: *distance* from the nearest start, 1 for its own; *score* of that start."""

    triple: Triple
    distance: int
    score: float


def walk(graph: Graph, starts: Mapping[str, float], depth: int, most: int) -> list[Step]:
    """Give the edges within *depth* steps of the nodes in *starts* (with their scores), nearest first.

    At most *most* of them: of one distance those from the best start, then the newest; what was inferred
    behind what was said. A state is no way from one task to another.
    """
    steps: list[tuple[int, Row, float]] = []
    reached = dict(starts)
    front = dict(starts)
    met: set[int] = set()
    for distance in range(1, depth + 1):
        found: list[tuple[bool, float, int, Row]] = []
        for at in range(len(graph.edges) - 1, -1, -1):  # the newest first
            edge = graph.edges[at]
            subject, name = edge[0], edge[2]
            if (subject in front or name in front) and at not in met:
                score = max(front.get(subject, 0.0), 0.0 if edge[1] == HAS_STATE else front.get(name, 0.0))
                if score or edge[1] != HAS_STATE:
                    met.add(at)
                    found.append((edge[3], -score, len(graph.edges) - at, edge))
        found.sort(key=lambda one: one[:3])
        kept = found[: most - len(steps)]
        steps += [(distance, edge, -score) for _, score, _, edge in kept]
        if len(steps) >= most or not kept:
            break
        front = {}
        for _, score, _, edge in kept:
            for node in (edge[0],) if edge[1] == HAS_STATE else (edge[0], edge[2]):
                if node not in reached:
                    reached[node] = front[node] = -score
    steps.sort(key=lambda one: one[1][3])  # stable: what was inferred comes last
    return [Step(triple_of(edge), distance, score) for distance, edge, score in steps]
