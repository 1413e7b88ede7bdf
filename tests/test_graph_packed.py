"""A large graph is packed in the cache, and answers as the same graph read whole does."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings, strategies as st
from running import memctl, snapshot

from memctl.ask import graph as asking
from memctl.graph import current, packing
from memctl.graph.lines import row_of
from memctl.index.terms import fold
from memctl.model import Triple
from memctl.store import Store, initialise, open_store

NAMES = ["a", "b", "red panda", "Red Panda", "成语接龙", "x\\y", 'q"q', "café", "Task_a"]
RELATIONS = ["r", "likes", "RELATES_TO", "CONTAINS_INFO", "HAS_STATE"]

TASK = b"task_id: Task_a\nstate: paused\ninfo_nodes: [b]\nupdated: 2026-03-07T12:00:00Z\n"

triples = st.builds(
    Triple,
    subject=st.sampled_from(NAMES),
    relation=st.sampled_from(RELATIONS),
    object=st.sampled_from(NAMES),
    at=st.just(""),
    task=st.sampled_from([None, "t"]),
    speculation=st.booleans(),
    beside=st.sampled_from([False, False, True]),
    deleted=st.sampled_from([False, False, True]),
)
QUERIES = ["red panda,成语", "InfoNode", "likes", "what does b like, caf", "TaskNode,a"]


def lines_of(listed: list[Triple], first: int) -> bytes:
    stamped = [replace(one, at=f"2026-03-07T12:00:{first + place:02d}Z") for place, one in enumerate(listed)]
    return b"".join(row_of(one)[6] + b"\n" for one in stamped)


def answers(store: Store) -> list[object]:
    found: list[object] = []
    for query in QUERIES:
        for depth, most in ((1, 3), (5, 50)):
            one = asking.recall(store, query, depth, most, words_only=True, note=print)
            found.append((sorted(one.starts.items()), one.steps, sorted(one.kinds.items())))
    return found


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(triples, max_size=12), st.lists(triples, max_size=6), st.booleans())
def test_it_answers_as_the_graph_read_whole(
    tmp_path_factory: pytest.TempPathFactory, said: list[Triple], later: list[Triple], unordered: bool
) -> None:
    home = tmp_path_factory.mktemp("graph")
    initialise(home)
    store = open_store(home)
    (home / "tasks").mkdir()
    (home / "tasks" / "Task_a.yaml").write_bytes(TASK)
    data = [lines_of(said[:5], 10), lines_of(said[5:], 20)]
    hostile = b'{"subject": 7}\n\n[1]\n{"subject":"a","relation":"r"}\n\xff\n' if len(said) % 2 else b""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMCTL_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        for both in (data[::-1] if unordered else data, [*data, lines_of(later, 40)]):
            store.graph.write_bytes(hostile.join(both))
            os.utime(store.graph, ns=(1, len(both)))
            patch.setattr(current, "LEAST", 1 << 60)
            whole = answers(store)
            patch.setattr(current, "LEAST", 0)
            for _ in range(2):
                assert answers(store) == whole


def test_what_is_kept_is_used_while_the_file_grows_at_its_end_and_made_anew_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, home = tmp_path / "cache", tmp_path / "memory"
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(cache))
    monkeypatch.setattr(current, "LEAST", 0)
    memctl("-q", "-C", home, "init")
    memctl("-C", home, "graph", "commit", "kim", "likes", "tea", "kim", "RELATES_TO", "lee")
    made: list[int] = []
    make = packing.pack

    def counted(data: bytes, fold: packing.Fold) -> Any:
        made.append(len(data))
        return make(data, fold)

    monkeypatch.setattr(packing, "pack", counted)

    def recalled() -> str:
        return memctl("-C", home, "graph", "recall", "kim", "--mode", "words").out

    before = snapshot(home)
    assert "tea" in recalled()
    assert "tea" in recalled()
    assert len(made) == 1
    assert before == snapshot(home)
    memctl("-C", home, "graph", "commit", "kim", "likes", "coffee", "kim", "RELATES_TO", "zoe")
    assert "coffee" in recalled()
    assert "tea" not in recalled()
    assert {"lee", "zoe"} <= set(recalled().split())
    assert len(made) == 1
    kept = next(cache.rglob("graph.pack"))
    assert kept.stat().st_mode & 0o077 == 0 or os.name == "nt"
    kept.write_bytes(kept.read_bytes()[:-9])
    assert "coffee" in recalled()
    assert len(made) == 2
    graph = home / "graph.jsonl"
    graph.write_bytes(graph.read_bytes().replace(b"tea", b"cup").replace(b"coffee", b"cocoas"))
    assert "cocoas" in recalled()
    assert len(made) == 3
    memctl("-C", home, "clear", "--layer", "graph", "--yes")
    assert not list(cache.rglob("graph.pack"))


def test_meaning_finds_what_no_word_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(current, "LEAST", 0)
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    for number in range(2):  # packed, then packed with a line behind
        memctl(
            "-C",
            home,
            "graph",
            "commit",
            "favourite food",
            "is",
            "noodles",
            f"workplace {number}",
            "is",
            "a lighthouse",
        )
        found = memctl("-C", home, "graph", "recall", "what does she like to eat", "--depth", "1")
        assert "noodles" in found.out
        assert "lighthouse" not in found.out


def test_a_hub_of_many_edges_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(current, "LEAST", 0)
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    with (home / "graph.jsonl").open("w", encoding="utf-8") as stream:
        for at in range(20_000):
            fields = {
                "subject": f"n{at}",
                "relation": "RELATES_TO",
                "object": "hub",
                "at": "2026-03-07T12:00:00Z",
            }
            stream.write(json.dumps(fields) + "\n")
    with current.opened(open_store(home), lambda: None, fold) as graph:
        assert graph.first == 20_000
    found = memctl("-C", home, "graph", "recall", "hub", "-k", "5", "--print", "subject").out.split()
    assert found == [f"n{at}" for at in range(19_999, 19_994, -1)]
