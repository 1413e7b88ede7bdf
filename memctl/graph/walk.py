"""A walk over the graph from some nodes: breadth first, cycles and all, up to a number of edges."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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


_SCANNED = 3  # steps for which looking through all edges is faster than an index of their nodes


def walk(graph: Graph, starts: Mapping[str, float], depth: int, most: int) -> list[Step]:
    """Give the edges within *depth* steps of the nodes in *starts* (with their scores), nearest first.

    At most *most* of them: of one distance those from the best start, then the newest; what was inferred
    behind what was said. A state is no way from one task to another.
    """
    steps: list[tuple[int, Row, float]] = []
    reached = dict(starts)
    front = dict(starts)
    met: set[int] = set()
    around = _Around(graph)
    for distance in range(1, depth + 1):
        found: list[tuple[bool, float, int, Row]] = []
        for at, edge in around.touching(front, met, most, distance):
            if at not in met and (edge[1] != HAS_STATE or edge[0] in front):
                score = max(front.get(edge[0], 0.0), 0.0 if edge[1] == HAS_STATE else front.get(edge[2], 0.0))
                met.add(at)
                found.append((edge[3], -score, -at, edge))
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


class _Around:
    """Finds the edges of a graph at some nodes."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._index: dict[str, list[int]] = {}

    def touching(
        self, front: Mapping[str, float], met: set[int], most: int, distance: int
    ) -> Iterator[tuple[int, Row]]:
        """Give edges with their numbers, oldest first: all that could be among the best *most*."""
        packed, edges, first = self._graph.packed, self._graph.edges, self._graph.first
        if packed is not None:
            for at in packed.touching(front, met, most):
                yield at, packed.row(at)
        if distance <= _SCANNED:
            near = [at for at, edge in enumerate(edges) if edge[0] in front or edge[2] in front]
        else:
            self._index = self._index or _touching(edges)
            near = sorted({at for node in front for at in self._index.get(node, ())})
        for at in near:
            yield first + at, edges[at]


def _touching(edges: Sequence[Row]) -> dict[str, list[int]]:
    """Give for each node the places of its edges."""
    found: dict[str, list[int]] = defaultdict(list)
    for at, edge in enumerate(edges):
        found[edge[0]].append(at)
        if edge[2] != edge[0]:
            found[edge[2]].append(at)
    return found
