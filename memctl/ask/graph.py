"""Asking the graph: which nodes a query means, by words and by meaning, and what lies around them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.graph import current, matching, vocabulary
from memctl.graph.current import Graph
from memctl.graph.walk import Step, walk
from memctl.index.terms import fold, query_terms, terms
from memctl.model import NodeKind
from memctl.store import Store

if TYPE_CHECKING:  # most memories have forgotten nothing
    from memctl.layers.forgetting import Forgotten

Note = Callable[[str], None]

_MOST_EMBEDDED = 2000  # names whose meaning is compared; reading more would take seconds
_NEAR = 0.43  # names are some words, and short texts are near each other: more than recall.min_cosine


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found: the nodes it names with their scores, and the edges around them, nearest first."""

    starts: Mapping[str, float]
    steps: tuple[Step, ...]
    kinds: Mapping[str, NodeKind]
    signals: tuple[str, ...]


def recall(store: Store, query: str, depth: int, most: int, *, words_only: bool = False, note: Note) -> Found:
    """Find the nodes that a query names and walk from them.

    query: keywords with commas, or a sentence. Meaning is compared for what no word names.
    """
    with current.opened(store, lambda: _folder(store), fold) as graph:
        return _found(store, graph, query, depth, most, words_only=words_only, note=note)


def _found(
    store: Store, graph: Graph, query: str, depth: int, most: int, *, words_only: bool, note: Note
) -> Found:
    words = matching.keywords(query)
    starts = matching.match(graph, words, fold, terms, query_terms)
    signals = ["words"]
    unnamed = [word for word in words if vocabulary.kind_asked(word) is None]
    if not starts and unnamed and not words_only and (graph.edges or graph.packed):
        near = _near(store, graph, unnamed, note)
        if near is not None:
            starts, signals = near, ["words", "vectors"]
    forgotten = _forgotten(store)
    if forgotten is not None:
        starts = {name: score for name, score in starts.items() if not forgotten.names(name)}
    steps = walk(graph, starts, depth, most)
    if forgotten is not None:
        said = [(step, step.triple) for step in steps]
        steps = [step for step, one in said if not forgotten.tells(one.subject, one.relation, one.object)]
    names = {*starts, *(name for step in steps for name in (step.triple.subject, step.triple.object))}
    return Found(starts, tuple(steps), graph.kinds(names), tuple(signals))


def _folder(store: Store) -> Path | None:
    """Give the folder in the cache where a large graph is kept packed; None where nothing is kept."""
    from memctl.index.place import place_of

    place = place_of(store)
    return None if place.why else place.folder


def _forgotten(store: Store) -> "Forgotten | None":
    """Give what a person had forgotten, which no answer repeats; None when nothing was."""
    if not any(b'"forgotten"' in files.read_bytes(path) for path in store.shards()):
        return None
    from memctl.layers import forgetting
    from memctl.store import atoms

    return forgetting.load(store, atoms.latest(store).values())


def _near(store: Store, graph: Graph, words: list[str], note: Note) -> dict[str, float] | None:
    """Give the nodes whose names mean something like the keywords; None where meaning cannot be compared."""
    from memctl.index import embedders
    from memctl.index.place import place_of

    packed = graph.packed
    new = dict.fromkeys(name for edge in graph.edges for name in (edge[0], edge[2]))
    count = len(new) + (packed.names if packed else 0)
    if why := embedders.missing(store.config.embedder):
        if why != embedders.missing(embedders.NONE):
            note(f"{why}; comparing by words only")
        return None
    if count > _MOST_EMBEDDED:
        note(f"the graph has {count:,} nodes; comparing by words only")
        return None
    old = (packed.name(place) for place in range(packed.names) if packed.holds(place)) if packed else ()
    names = list(dict.fromkeys((*old, *new)))
    try:
        embedder = embedders.load(store.config.embedder, place_of(store).shared)
        vectors = embedder.encode([name.replace("_", " ") for name in names])
        asked = embedder.encode([word.replace("_", " ") for word in words])
    except embedders.EmbedderError as error:
        note(f"{error}; comparing by words only")
        return None
    cosines = (asked @ vectors.T).max(axis=0)
    limit = max(store.config.min_cosine, _NEAR)
    return {name: float(cosine) for name, cosine in zip(names, cosines, strict=True) if cosine >= limit}
