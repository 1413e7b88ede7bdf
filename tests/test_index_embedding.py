"""Vectors in the making: beside other work, in the order of the documents; an endpoint's too."""

import http.server
import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recalling import hits, memory

from memctl.index import embedding
from memctl.index.documents import Document
from memctl.index.embedders import Embedder, EmbedderError
from memctl.index.embedding import Embedding
from memctl.index.place import ENVIRONMENT


def document(number: int) -> Document:
    return Document(key=f"k{number}", id=f"m{number}", layer="atom", text="x" * (number % 97 + 1), path="p")


def by_length(texts: Sequence[str]) -> Any:
    """Turn texts into vectors that tell their lengths."""
    return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_TOGETHER", 7)


@pytest.mark.parametrize("count", [0, 1, 7, 100])
def test_vectors_come_in_the_order_of_their_documents(count: int) -> None:
    making = Embedding(Embedder("length", by_length))
    for number in range(count):
        making.add(number, document(number))
    numbers, rows = making.finish()

    assert numbers == list(range(count))
    together = np.concatenate(rows) if rows else np.empty((0, 2))
    lengths = [float(round(row[0] / row[1])) for row in together]
    assert lengths == [float(number % 97 + 1) for number in range(count)]


def test_an_embedder_that_fails_is_asked_no_more_than_what_was_begun() -> None:
    asked: list[int] = []

    def failing(texts: Sequence[str]) -> Any:
        asked.append(len(texts))
        raise EmbedderError("no answer")

    making = Embedding(Embedder("failing", failing))
    for number in range(700):
        making.add(number, document(number))
    with pytest.raises(EmbedderError, match="no answer"):
        making.finish()

    assert len(asked) < 20


class _Endpoint(http.server.BaseHTTPRequestHandler):
    """Answers as an OpenAI-compatible endpoint: a vector that counts the letters of a text."""

    asked: list[dict[str, Any]] = []  # noqa: RUF012 - shared with the test on purpose

    def do_POST(self) -> None:
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body | {"path": self.path})
        data = [
            {"index": at, "embedding": [text.lower().count(chr(97 + letter)) + 0.1 for letter in range(26)]}
            for at, text in enumerate(body["input"])
        ]
        answer = json.dumps({"data": data[::-1]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Give the address of an endpoint."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_endpoint_is_asked_because_the_settings_say_so(
    tmp_path: Path, endpoint: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(cache))
    home = memory(tmp_path)
    (home / "memctl.yaml").write_text(f"format: 1\nrecall:\n  embedder: {endpoint}#letters\n")
    found = hits(home, "timezone of the expiry", "--mode", "vector", "--explain")

    assert found[0]["why"]["signals"] == ["vectors"]
    assert found[0]["why"]["cosine"] > 0.5
    assert {body["model"] for body in _Endpoint.asked} == {"letters"}
    assert {body["path"] for body in _Endpoint.asked} == {"/v1/embeddings"}
