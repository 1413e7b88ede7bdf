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


def main(count: int) -> None:
    """Print what each step takes of processor time, in terms of the reference."""
    with tempfile.TemporaryDirectory() as folder:
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
            print(f"{what:<28} {took / reference:6.1f} x   {took:.2f} s")

        begun = time.process_time()
        passes.commit(store, passes.read_lines(b"\n".join(facts)), "2026-03-07T12:00:00Z", defaults={})
        told("commit", begun)
        begun = time.process_time()
        graph = current.load(store)
        told("load", begun)
        begun = time.process_time()
        starts = matching.match(graph, ["node_77", "nowhere"], fold, terms, query_terms)
        told("match", begun)
        for depth in (2, 10):
            begun = time.process_time()
            steps = walk(graph, {"node_77": 4.0}, depth, 50)
            told(f"walk, depth {depth}, {len(steps)} triples", begun)
        print(f"{len(starts)} nodes named")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
