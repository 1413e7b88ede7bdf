"""BM25 over long posting lists, with numpy: the same sums as `lexical` makes, in the same order."""

from collections.abc import Iterable, Sequence

import numpy as np

_Lists = Sequence[tuple[float, Sequence[tuple[Sequence[int], Sequence[float] | None]]]]


def best_of_many(
    lists: _Lists,
    sizes: bytes,
    norms: Sequence[float],
    most: int,
    allowed: frozenset[int] | None,
    also: Iterable[int],
) -> tuple[list[int], dict[int, float]]:
    """Rank documents by posting lists; arguments and answer are those of `Lexicon.search`.

    lists: of each term its factor and its postings. sizes: of each document, 0 for a deleted one; norms: of
    each size.
    """
    size = np.frombuffer(sizes, dtype=np.uint8)
    norm = np.asarray(norms)[size]
    scores = np.zeros(len(size))
    for factor, postings in lists:
        for ids, weights in postings:
            docnums = np.asarray(ids)
            weight = np.ones(len(docnums)) if weights is None else np.asarray(weights, dtype=np.float64)
            scores[docnums] += factor * weight / (weight + norm[docnums])
    scores[size == 0] = 0.0
    found = np.flatnonzero(scores)
    if allowed is not None:
        found = np.intersect1d(found, np.fromiter(allowed, dtype=np.int64, count=len(allowed)))
    if len(found) > most:  # ties with the last are kept until all are in order
        last = np.partition(scores[found], len(found) - most)[len(found) - most]
        found = found[scores[found] >= last]
    best = [int(docnum) for docnum in found[np.lexsort((found, -scores[found]))][:most]]
    wanted = (*best, *also)
    return best, {docnum: float(scores[docnum]) for docnum in wanted if scores[docnum]}
