"""How well the rules find what should be remembered: precision, recall, F1, beside two baselines.

`python tests/benchmarks/extraction.py [FILE] [--time ISO] [--show]` reads texts with the memories expected of
them (FILE defaults to ../shared/bench/memory_extraction.jsonl). A found memory matches an expected one when
their common content words over the larger of the two are at least 0.6 (CJK: pairs of characters, 0.45) and it
is not over 1.5 times as long in the same units.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from memctl.layers.extract import Heard, drafts

SHARED = Path(__file__).resolve().parents[3] / "shared" / "bench"
LONGEST = 1.5
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def units(text: str, small: frozenset[str]) -> set[str]:
    """Give what two texts are compared by: content words, or pairs of characters of a CJK text."""
    if len(CJK.findall(text)) > 4:
        run = "".join(re.findall(r"\w", text.lower()))
        return {run[at : at + 2] for at in range(len(run) - 1)}
    return {word for word in re.findall(r"\w+", text.lower()) if word not in small}


def matches(found: str, expected: str, small: frozenset[str]) -> bool:
    """Tell whether a found memory is the expected one."""
    ours, theirs = units(found, small), units(expected, small)
    if not ours or not theirs or len(ours) > LONGEST * len(theirs):
        return False
    least = 0.45 if CJK.search(expected) else 0.6
    return len(ours & theirs) / max(len(ours), len(theirs)) >= least


def paired(found: list[str], expected: list[str], small: frozenset[str]) -> list[int | None]:
    """Give for each found memory the expected one it is, each at most once."""
    left = set(range(len(expected)))
    pairs: list[int | None] = []
    for text in found:
        hit = next((at for at in sorted(left) if matches(text, expected[at], small)), None)
        left.discard(hit if hit is not None else -1)
        pairs.append(hit)
    return pairs


def rules(text: str, time: str | None) -> list[str]:
    """Give what memctl remembers of a text said by the user."""
    return [draft.content for draft in drafts([Heard("m", "user", text, (), time)])]


def whole(text: str, _time: str | None) -> list[str]:
    """Baseline: the whole text is the memory."""
    return [text]


def first(text: str, _time: str | None) -> list[str]:
    """Baseline: the first sentence is the memory."""
    return [re.split(r"(?<=[.!?])\s|(?<=[。！？])", text)[0]]


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("file", nargs="?", type=Path, default=SHARED / "memory_extraction.jsonl")
    options.add_argument("--time", default=None, help="the time of every message; none by default")
    options.add_argument("--show", action="store_true", help="print every memory: + matched, - not, ? missed")
    given = options.parse_args()
    listed = SHARED / "stopwords.txt"
    small = frozenset(listed.read_text(encoding="utf-8").split()) if listed.is_file() else frozenset()
    rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").split("\n") if line.strip()]
    tongues = [name for name in rows[0] if name in rows[0]["expected"]]
    engines: dict[str, Callable[[str, str | None], list[str]]] = {
        "rules": rules,
        "first sentence": first,
        "whole text": whole,
    }
    for tongue in tongues:
        for name, engine in engines.items():
            hits = found_count = expected_count = 0
            by_type: Counter[str] = Counter()
            hit_types: Counter[str] = Counter()
            for row in rows:
                found = engine(row[tongue], given.time)
                wanted = row["expected"][tongue]
                pairs = paired(found, [one["content"] for one in wanted], small)
                hit = {pair for pair in pairs if pair is not None}
                hits += len(hit)
                found_count += len(found)
                expected_count += len(wanted)
                by_type.update(one["type"] for one in wanted)
                hit_types.update(wanted[at]["type"] for at in hit)
                if given.show and engine is rules:
                    print(row["id"], tongue)
                    for text, pair in zip(found, pairs, strict=True):
                        print("  ", "-" if pair is None else "+", text)
                    for at, one in enumerate(wanted):
                        if at not in hit:
                            print("   ?", one["type"], one["content"])
            precision = hits / found_count if found_count else 0.0
            recall = hits / expected_count if expected_count else 0.0
            f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
            print(f"{tongue}  {name:<15} precision {precision:.2f}  recall {recall:.2f}  F1 {f1:.2f}", end="")
            kinds = "  ".join(f"{kind} {hit_types[kind]}/{count}" for kind, count in sorted(by_type.items()))
            print(f"   {kinds}" if engine is rules else "")


if __name__ == "__main__":
    main()
