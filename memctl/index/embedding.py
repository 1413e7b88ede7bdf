"""Making the vectors of many documents beside other work: the model computes while Whoosh writes."""

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from memctl.index import vectors
from memctl.index.documents import Document
from memctl.index.embedders import Embedder, EmbedderError

_TOGETHER = 500  # documents that are embedded in one go; neighbours among them are embedded once
_MOST_THREADS = 4  # each runs the model on one core; an endpoint is asked that many things at once


class Embedding:
    """Vectors in the making. Which documents are embedded together depends on their order alone."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._threads = min(_MOST_THREADS, _cores())
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: list[Document] = []
        self._numbers: list[int] = []
        self._running: deque[Future[Any]] = deque()
        self._rows: list[Any] = []
        self._why = ""

    def add(self, number: int, document: Document) -> None:
        """Take a document; some hundreds of them are begun together."""
        if self._why:
            return
        self._numbers.append(number)
        self._waiting.append(document)
        if len(self._waiting) >= _TOGETHER:
            self._begin()

    def finish(self) -> tuple[list[int], list[Any]]:
        """Wait for all; give the documents' numbers and their vectors, in arrays one after the other.

        Raises EmbedderError when the embedder failed.
        """
        if self._waiting:
            self._begin()
        while self._running:
            self._collect()
        self.close()
        if self._why:
            raise EmbedderError(self._why)
        return self._numbers, self._rows

    def close(self) -> None:
        """Stop what has not begun."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _begin(self) -> None:
        documents, self._waiting = self._waiting, []
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads)
        self._running.append(self._pool.submit(vectors.embed, self._embedder, documents))
        while len(self._running) > self._threads + 1:  # bounds the memory
            self._collect()

    def _collect(self) -> None:
        done = self._running.popleft()
        if self._why:
            done.cancel()
            return
        try:
            self._rows.append(done.result())
        except EmbedderError as error:
            self._why = str(error)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
