"""Tokens of a context by level: the raw list, what each level removed, what front and canvas add."""

from memctl.context.build import Context
from memctl.context.pressure import LEVELS
from memctl.context.sizes import Counter
from memctl.model import Json

_TOOK = {
    "mild": "results replaced",
    "aggressive": "oldest dropped",
    "emergency": "more dropped",
    "last": "newest cut",
}


def stats(made: Context, count: Counter) -> list[dict[str, Json]]:
    """Give rows of (what, tokens, runs): raw, a row for each level that ran, front, canvas, memories, list."""
    state = made.state
    rows: list[dict[str, Json]] = [_row("raw", state.raw)]
    taken = {level: [cut.before - cut.after for cut in state.cuts if cut.level == level] for level in LEVELS}
    as_it_came = state.raw - state.listed - sum(map(sum, taken.values()))  # by the caps that "last" set
    for level, tokens in taken.items():
        if tokens:
            more = as_it_came if level == "last" else 0
            rows.append(_row(f"{level}: {_TOOK[level]}", -sum(tokens) - more, len(tokens)))
    blocks = (("front", made.front), ("canvas", made.canvas), ("memories", made.memories))
    added = [(name, count(block)) for name, block in blocks if block]
    rows += [_row(name, tokens) for name, tokens in added]
    rows.append(_row("list", state.listed + sum(tokens for _, tokens in added)))
    return rows


def _row(what: str, tokens: int, runs: int | None = None) -> dict[str, Json]:
    return {"what": what, "tokens": tokens, "runs": runs}
