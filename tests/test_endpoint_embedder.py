"""An embedder that fails: words answer, and what is wrong is said once."""

import json
from pathlib import Path

import pytest
from claude_chat import line, written
from endpoints import (
    BROKEN,
    Answer,
    Raw,
    always,
    assert_said_once,
    embed_with,
    http,
    raw,
    recalled,
    right,
    rows,
)
from running import memctl, snapshot
from serving import configure

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.home(copy_of="remembered")]


NO_VECTORS: dict[str, tuple[Answer, str]] = {
    "ragged": (rows(lambda at: [0.1] * (at % 2 + 2)), "vectors of 2 numbers"),
    "texts": (rows(lambda _: ["a", "b"]), "not a list of numbers"),
    "digits": (rows(lambda _: ["1", "2"]), "not a list of numbers"),
    "objects": (rows(lambda _: {"a": 1}), "not a list of numbers"),
    "numbers": (rows(lambda _: 5), "not a list of numbers"),
    "nulls": (rows(lambda _: [None, 1]), "not a list of numbers"),
    "truths": (rows(lambda _: [True, False]), "not a list of numbers"),
    "nested": (rows(lambda _: [[1, 2], [3]]), "not a list of numbers"),
    "empty": (rows(lambda _: []), "not a list of numbers"),
    "zeros": (rows(lambda _: [0, 0.0, -0.0]), "all zeros"),
    "large": (rows(lambda _: [10**400, 1]), "too large"),
    "nan": (rows(lambda _: [float("nan"), 1]), "not finite"),
    "infinite": (rows(lambda _: [float("-inf"), 1]), "not finite"),
    "no list": (always(http(b'{"data": {"a": 1}}')), "not a list of them"),
    "no object": (always(http(b"[]")), "not a list of them"),
    "rows of nothing": (always(http(b'{"data": [null, 1]}')), "not a list of them"),
    "too few": (always(http(b'{"data": []}')), "0 for"),
    "odd places": (
        lambda asked: http(
            json.dumps({"data": [{"index": "a", "embedding": [1]} for _ in asked["input"]]}).encode()
        ),
        "does not assign",
    ),
    "endless": (always(http(b" " * 33_000_000)), "too long"),
}


ADDRESSES = (
    "http://127.0.0.1:abc/v1",
    "http://127.0.0.1:99999/v1",
    "http://[::1/v1",
    "http://a b/v1",
    "http://a\tb/v1",
    "http:///v1",
    "http://\u00e9\u202e/v1",
    "http://me:word@127.0.0.1/v1",
)


@pytest.mark.parametrize("kind", [*BROKEN, *NO_VECTORS])
def test_words_answer_where_an_embedder_fails_while_the_index_is_made(kind: str, home: Path) -> None:
    answer, what = (BROKEN | NO_VECTORS)[kind]
    with raw(answer) as server:
        embed_with(home, server.url)
        assert_said_once(recalled(home), what)
        asked = len(server.requests)
        assert_said_once(recalled(home), what)

        assert len(server.requests) == asked


ONE_TEXT = [kind for kind in NO_VECTORS if kind != "ragged"]


@pytest.mark.parametrize("kind", [*BROKEN, *ONE_TEXT, "another dimension"])
def test_words_answer_where_an_embedder_fails_at_a_question(
    kind: str, indexed: tuple[Path, Raw], tmp_path: Path
) -> None:
    home, server = indexed
    other: tuple[Answer, str] = (rows(lambda _: [1, 2]), "index build")
    server.answer, what = (BROKEN | NO_VECTORS | {"another dimension": other})[kind]
    questions = tmp_path / "questions"
    questions.write_text("the vault\nvault zucchini\n")
    found = memctl("-C", home, "recall", "--queries", questions)
    alone = memctl("-C", home, "recall", "the vault", "--mode", "vector", code=2)

    assert "zucchini" in found.out
    assert_said_once(found, what)
    assert what in alone.err
    server.answer = right
    assert recalled(home).err == ""


def test_vectors_of_any_size_have_length_1(home: Path) -> None:
    with raw(rows(lambda at: [1e-300 if at else 1e300, 5e-324])) as server:
        embed_with(home, server.url)

        assert recalled(home).err == ""


def test_an_embedder_that_gives_other_vectors_later_is_told(home: Path, tmp_path: Path) -> None:
    with raw(right) as server:
        embed_with(home, server.url)
        recalled(home)
        more = written(tmp_path / "more.jsonl", [line("user", "u9", "The vault is in Porto.", "more")])
        memctl("-q", "-C", home, "ingest", more)
        server.answer = rows(lambda _: [1, 2])
        assert_said_once(recalled(home), "index build")
        memctl("-C", home, "index", "build")

        assert recalled(home).err == ""


def test_the_reason_told_is_that_of_the_settings_as_they_are_now(home: Path) -> None:
    for address, what in (
        ("http://[::1/v1", "the host"),
        ("http:///v1", "no host"),
        ("http://h:x/v1", "port"),
    ):
        embed_with(home, address)
        assert_said_once(recalled(home), what)


@pytest.mark.parametrize("kind", ["deep", "zeros", "ragged"])
def test_a_graph_is_compared_by_words_where_an_embedder_fails(kind: str, home: Path) -> None:
    memctl("-q", "-C", home, "graph", "commit", "alice", "drinks", "green_tea")
    memctl("-q", "-C", home, "graph", "commit", "bob", "drinks", "coffee")
    answer, what = (BROKEN | NO_VECTORS)[kind]
    with raw(answer) as server:
        embed_with(home, server.url)
        assert "green_tea" in memctl("-C", home, "graph", "recall", "tea").out
        told = memctl("-C", home, "graph", "recall", "beverage", code=1).err
    assert told.count(what) == told.count("comparing by words only") == 1
    embed_with(home, "http://[::1/v1")
    told = memctl("-C", home, "graph", "recall", "beverage", code=1).err

    assert told.count("cannot be used") == told.count("comparing by words only") == 1


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_none_is_said_and_never_asked(address: str, home: Path) -> None:
    embed_with(home, address)
    assert_said_once(found := recalled(home), "cannot be used")
    assert "word@" not in found.err
    configure(home, json.dumps(address))
    before = snapshot(home)
    told = memctl("-C", home, "extract", "--engine", "llm", code=2).err

    assert "engine.base_url" in told
    assert "nothing was sent" in told
    assert "word@" not in told
    assert snapshot(home) == before
