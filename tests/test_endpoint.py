"""Endpoints that answer badly: the key stays where it was sent, and words or rules answer instead; it is never a bug."""

import contextlib
import json
import random
import shutil
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import models
import pytest
from claude_chat import line, written
from running import Result, memctl, snapshot
from serving import configure

from memctl import endpoint
from memctl.index.place import ENVIRONMENT

Answer = Callable[[dict[str, Any]], bytes | Iterator[bytes]]


@dataclass
class Raw:
    """A server that sends bytes as they are and closes. requests: head and body of each."""

    url: str
    answer: Answer
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


@contextlib.contextmanager
def raw(answer: Answer) -> Iterator[Raw]:
    """Serve what *answer* makes of the JSON asked for."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            head = ""
            while (one := self.rfile.readline().decode("latin-1")).strip():
                head += one
            sizes = [one for one in head.lower().split("\r\n") if one.startswith("content-length:")]
            size = int(sizes[0].partition(":")[2]) if sizes else 0
            body = json.loads(self.rfile.read(size) or b"{}")
            server.requests.append((head, body))
            with contextlib.suppress(OSError):  # the client gave up
                answer = server.answer(body)
                for piece in [answer] if isinstance(answer, bytes) else answer:
                    self.wfile.write(piece)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as tcp:
        server = Raw(f"http://127.0.0.1:{tcp.server_address[1]}/v1", answer)
        thread = threading.Thread(target=tcp.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            tcp.shutdown()
            thread.join()


def http(body: bytes, status: str = "200 OK", *more: str, longer: int = 0) -> bytes:
    """Write an answer; *longer* bytes more are promised than come."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) + longer}", *more, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def rows(make: Callable[[int], Any]) -> Callable[[dict[str, Any]], bytes]:
    """Answer with an embedding for each text."""

    def answer(asked: dict[str, Any]) -> bytes:
        count = len(asked["input"])
        data = [{"index": at, "embedding": make(at)} for at in range(count)]
        return http(json.dumps({"data": data}).encode())

    return answer


def right(asked: dict[str, Any]) -> bytes:
    """Answer rightly, whatever is asked."""
    if "input" in asked:
        return rows(lambda at: [1.0, 0.5 + at, 0.25])(asked)
    prompt = "\n\n".join(turn["content"] for turn in asked["messages"][:2])
    message = {"role": "assistant", "content": models.answer(prompt)}
    return http(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode())


def cut(asked: dict[str, Any]) -> bytes:
    return right(asked)[:-5]


def whole_but_short(asked: dict[str, Any]) -> bytes:
    return http(right(asked).partition(b"\r\n\r\n")[2], longer=50)


def always(data: bytes) -> Answer:
    return lambda _: data


BROKEN: dict[str, tuple[Answer, str]] = {  # (what comes, what is said of it)
    "cut": (cut, "was cut off"),
    "shorter than promised": (whole_but_short, "was cut off"),
    "status line": (always(b"NONSENSE\r\n\r\n"), "like HTTP: NONSENSE"),
    "nothing": (always(b""), "closed"),
    "chunk": (
        always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
        "did not answer",
    ),
    "cut in an error": (
        always(b"HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
        "answers 500",
    ),
    "deep": (always(http(b"[" * 100_000)), "too deeply"),
    "deep objects": (always(http(b'{"a":' * 100_000)), "too deeply"),
    "many digits": (always(http(b"1" * 10_000)), "too long a number"),
    "no JSON": (always(http(b"<html>")), "other than JSON"),
    "no text": (always(http(b"\xff\xfe\xfd")), "other than JSON"),
    "long header": (always(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n"), "did not answer"),
    "many headers": (always(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"), "did not answer"),
    "odd wait": (always(http(b"", "429 X", "Retry-After: \xb2")), "answers 429"),
    "long wait": (always(http(b"", "403 X", "Retry-After: " + "9" * 500)), "answers 403"),
    "status": (always(http(b"no", "599 X")), "answers 599: no"),
    "elsewhere without an address": (always(http(b"", "302 X")), "not followed"),
    "elsewhere, broken": (always(http(b"", "307 X", "Location: http://[::1/")), "not followed"),
}
NO_VECTORS: dict[str, tuple[Answer, str]] = {
    "ragged": (rows(lambda at: [0.1] * (at % 2 + 2)), "vectors of 2 numbers"),
    "texts": (rows(lambda _: ["a", "b"]), "no list of numbers"),
    "digits": (rows(lambda _: ["1", "2"]), "no list of numbers"),
    "objects": (rows(lambda _: {"a": 1}), "no list of numbers"),
    "numbers": (rows(lambda _: 5), "no list of numbers"),
    "nulls": (rows(lambda _: [None, 1]), "no list of numbers"),
    "truths": (rows(lambda _: [True, False]), "no list of numbers"),
    "nested": (rows(lambda _: [[1, 2], [3]]), "no list of numbers"),
    "empty": (rows(lambda _: []), "no list of numbers"),
    "zeros": (rows(lambda _: [0, 0.0, -0.0]), "all zeros"),
    "large": (rows(lambda _: [10**400, 1]), "too large"),
    "nan": (rows(lambda _: [float("nan"), 1]), "not finite"),
    "infinite": (rows(lambda _: [float("-inf"), 1]), "not finite"),
    "no list": (always(http(b'{"data": {"a": 1}}')), "no list of them"),
    "no object": (always(http(b"[]")), "no list of them"),
    "rows of nothing": (always(http(b'{"data": [null, 1]}')), "no list of them"),
    "too few": (always(http(b'{"data": []}')), "0 for"),
    "odd places": (
        lambda asked: http(
            json.dumps({"data": [{"index": "a", "embedding": [1]} for _ in asked["input"]]}).encode()
        ),
        "does not assign",
    ),
    "endless": (always(http(b" " * 33_000_000)), "no end"),
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


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a small memory directory that is only read."""
    folder = tmp_path_factory.mktemp("talk")
    said = [
        "I prefer tabs over spaces in Go files.",
        "The vault opens with zucchini.",
        "We deploy on Mondays.",
    ]
    lines = [line("user", f"u{at}", text, "talk") for at, text in enumerate(said)]
    memctl("-q", "-C", folder / "memory", "ingest", written(folder / "talk.jsonl", lines))
    return folder / "memory"


@pytest.fixture
def home(tmp_path: Path, remembered: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a memory directory of one's own, with a cache of its own."""
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "cache"))
    shutil.copytree(remembered, tmp_path / "memory")
    return tmp_path / "memory"


def embed_with(home: Path, url: str) -> None:
    (home / "memctl.yaml").write_text(f"format: 1\nrecall:\n  embedder: {json.dumps(url + '#m')}\n")


def recalled(home: Path, *more: str) -> Result:
    """Ask; words find the answer whatever the embedder does, and what is wrong is said once."""
    found = memctl("-C", home, "recall", "the vault", *more)
    assert "zucchini" in found.out
    return found


def assert_said_once(found: Result, what: str) -> None:
    assert found.err.count("searching by words only") == 1, found.err
    assert all(told.startswith("memctl: ") for told in found.err.rstrip("\n").split("\n")), found.err
    assert found.err.count(what) == 1, found.err
    assert "damaged" not in found.err


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


@pytest.fixture(scope="module")
def served(remembered: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Raw]]:
    """Give a directory with an index of vectors in the cache beside it, and the server that gave them."""
    folder = tmp_path_factory.mktemp("indexed")
    shutil.copytree(remembered, folder / "memory")
    with raw(right) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENVIRONMENT, str(folder / "cache"))
        embed_with(folder / "memory", server.url)
        assert recalled(folder / "memory").err == ""
        yield folder / "memory", server


@pytest.fixture
def indexed(served: tuple[Path, Raw], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Raw]]:
    """Give them with the server answering rightly, and leave it so."""
    home, server = served
    monkeypatch.setenv(ENVIRONMENT, str(home.parent / "cache"))
    yield home, server
    server.answer = right


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
        ("http://[::1/v1", "its host"),
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


# --------------------------------------------------------------------------- an engine


@pytest.fixture(scope="module")
def by_rules(remembered: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Give what the rules alone make of the directory."""
    folder = tmp_path_factory.mktemp("rules") / "memory"
    shutil.copytree(remembered, folder)
    memctl("-q", "-C", folder, "extract")
    return words(folder)


def words(home: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(home).items() if name != "memctl.yaml"}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_rules_stand_where_an_engine_fails(kind: str, home: Path, by_rules: dict[str, bytes]) -> None:
    answer, what = BROKEN[kind]
    with raw(answer) as server:
        configure(home, server.url, retries=0)
        told = memctl("-C", home, "extract", "--engine", "llm").out
        assert server.requests

    assert f"{server.url}/chat/completions" in told
    assert what in told
    assert "rules' work stands" in told
    assert words(home) == by_rules
    memctl("-C", home, "check")


# --------------------------------------------------------------------------- the key


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_and_the_key_stays(
    status: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRETKEY")
    monkeypatch.setenv("OPENAI_API_KEY", "SECRETKEY")
    with raw(right) as thief:
        away = http(b"", f"{status} X", f"Location: {thief.url.replace('127.0.0.1', 'localhost')}/embeddings")
        with raw(always(away)) as server:
            embed_with(home, server.url)
            assert_said_once(recalled(home), f"answers {status}")
            configure(home, server.url)
            assert f"answers {status}" in memctl("-C", home, "extract", "--engine", "llm").out

            assert {"Authorization: Bearer SECRETKEY" in head for head, _ in server.requests} == {True}
            assert len(server.requests) == 2  # neither asks again
            assert thief.requests == []


def test_a_key_that_comes_back_or_is_none_is_not_shown(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRETKEY\n")
    with raw(always(http(b"no SECRETKEY here", "401 X"))) as server:
        embed_with(home, server.url)
        assert_said_once(recalled(home), "answers 401: no KEY here")
        monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRET\nKEY")
        memctl("-C", home, "index", "build")
        assert "SECRET" not in (told := recalled(home).err)
        assert "its key" in told
        assert len(server.requests) == 1

    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not any(b"SECRET" in data for data in kept)


def test_an_answer_that_drips_ends_with_its_time() -> None:
    def dripping(_: dict[str, Any]) -> Iterator[bytes]:
        for letter in http(b"[" + b" " * 30 + b"]"):
            time.sleep(0.02)  # what is waited for once is shorter than the limit, all of it longer
            yield bytes([letter])

    with (
        raw(dripping) as server,
        pytest.raises(endpoint.NoAnswerError, match=r"127\.0\.0\.1.*timed out"),
    ):
        endpoint.post(server.url, {}, key="", timeout=0.5, most=100)


# --------------------------------------------------------------------------- any answer


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Spoil an answer in one to four places."""
    pieces = [
        b"",
        b"\0",
        b"\xff",
        b"[",
        b"{",
        b'"',
        b"null",
        b"-1",
        b"1e999",
        b"\r\n",
        b"9" * 30,
        b"NaN",
        b"\\ud800",
    ]
    spoiled = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(spoiled) + 1)
        end = start + chance.choice([0, 0, 1, 2, 8, 40])
        spoiled[start:end] = chance.choice(
            [*pieces, bytes(spoiled[start:end]) * 3, bytes([chance.randrange(256)])]
        )
    return bytes(spoiled[: chance.randrange(len(spoiled) + 1)] if chance.random() < 0.1 else spoiled)


def test_no_spoiled_answer_at_a_question_is_a_bug(indexed: tuple[Path, Raw]) -> None:
    home, server = indexed
    chance = random.Random(5)  # noqa: S311 - seeded on purpose
    server.answer = lambda asked: mutated(right(asked), chance)
    for _ in range(100):
        assert "damaged" not in recalled(home).err


def test_no_spoiled_answer_while_the_index_is_made_is_a_bug(home: Path) -> None:
    chance = random.Random(6)  # noqa: S311 - seeded on purpose
    with raw(lambda asked: mutated(right(asked), chance)) as server:
        embed_with(home, server.url)
        for _ in range(20):
            memctl("-C", home, "index", "build")


def test_no_spoiled_answer_of_an_engine_is_a_bug(home: Path, tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - seeded on purpose
    with raw(lambda asked: mutated(right(asked), chance)) as server:
        configure(home, server.url, retries=0)
        for number in range(100):
            if len(server.requests) >= 100:
                break
            one = shutil.copytree(home, tmp_path / f"{number}")
            memctl("-q", "-C", one, "extract", "--engine", "llm")
            memctl("-C", one, "check")
        assert len(server.requests) >= 100
