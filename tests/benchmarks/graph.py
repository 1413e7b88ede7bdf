"""A graph of a million triples: commit, recall and walk, as ratios to reading the same lines with orjson.

Run `python tests/benchmarks/graph.py [TRIPLES]`; it needs about a gigabyte of memory.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import orjson

from memctl.graph import current, matching
from memctl.graph.walk import walk
from memctl.index.terms import fold, query_terms, terms
from memctl.passes import graph as passes
from memctl.store import initialise, open_store

_NEW = {"subject": "node_77", "relation": "leads_to", "object": "home"}


def main(count: int) -> None:
    """Print what each step takes of processor time, in terms of the reference."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        home = Path(folder)
        initialise(home)
        store = open_store(home)
        facts = [
            json.dumps(
                {"subject": f"node_{at}", "relation": "leads_to", "object": f"node_{at * 7 % count}"}
            ).encode()
            for at in range(count)
        ]
        begun = time.process_time()
        for line in facts:
            orjson.loads(line)
        reference = time.process_time() - begun
        print(f"reference: orjson.loads of {count:,} lines, {reference:.2f} s")

        def told(what: str, begun: float) -> None:
            took = time.process_time() - begun
            print(f"{what:<40} {took / reference:6.1f} x   {took:.2f} s")

        begun = time.process_time()
        passes.commit(store, passes.read_lines(b"\n".join(facts)), "2026-03-07T12:00:00Z", defaults={})
        told("commit", begun)
        for what in ("asked, made", "asked, kept", "asked, grown since"):
            if what.endswith("since"):
                passes.commit(store, [(1, _NEW)], "2026-03-08T12:00:00Z", defaults={})
            for depth in (2, 10) if what.endswith("kept") else (10,):
                begun = time.process_time()
                with current.opened(store, lambda: Path(cache), fold) as graph:
                    starts = matching.match(graph, ["node_77", "nowhere"], fold, terms, query_terms)
                    steps = walk(graph, starts, depth, 50)
                told(f"{what}, depth {depth}: {len(steps)} triples", begun)
        begun = time.process_time()
        current.load(store, with_tasks=False, about=("node_77", "node_78"))
        told("what is said of two nodes", begun)
        begun = time.process_time()
        current.load(store)
        told("read whole", begun)
        print(f"{len(starts)} nodes named")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
