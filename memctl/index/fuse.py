"""Two rankings into one: reciprocal rank fusion (DESIGN 6)."""

from collections.abc import Mapping, Sequence

K = 60  # of RRF: how slowly a rank's worth falls


def fuse(rankings: Mapping[str, Sequence[int]], weights: Mapping[str, float]) -> list[tuple[int, float]]:
    """Give the documents of all rankings with their fused score, best first.

    A score is the weighted sum of 1/(K + rank) over the rankings, as a part of what the first rank in all
    of them would give: 1 at most, whatever the weights. It does not depend on the order of the rankings.
    """
    most = sum(weights[name] for name in rankings) / (K + 1)
    scores: dict[int, float] = {}
    for name in sorted(rankings):
        for rank, docnum in enumerate(rankings[name], 1):
            scores[docnum] = scores.get(docnum, 0.0) + weights[name] / (K + rank) / most
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))
