"""A server that answers in any bytes, and the ways in which an endpoint fails."""

import contextlib
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import models
from claude_chat import line, written
from running import Result, memctl

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
    "status line": (always(b"NONSENSE\r\n\r\n"), "an HTTP response: NONSENSE"),
    "nothing": (always(b""), "closed"),
    "chunk": (
        always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
        "did not answer",
    ),
    "cut in an error": (
        always(b"HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
        "answered 500",
    ),
    "deep": (always(http(b"[" * 100_000)), "too deeply"),
    "deep objects": (always(http(b'{"a":' * 100_000)), "too deeply"),
    "many digits": (always(http(b"1" * 10_000)), "too long a number"),
    "no JSON": (always(http(b"<html>")), "other than JSON"),
    "no text": (always(http(b"\xff\xfe\xfd")), "other than JSON"),
    "long header": (always(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n"), "did not answer"),
    "many headers": (always(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"), "did not answer"),
    "odd wait": (always(http(b"", "429 X", "Retry-After: \xb2")), "answered 429"),
    "long wait": (always(http(b"", "403 X", "Retry-After: " + "9" * 500)), "answered 403"),
    "status": (always(http(b"no", "599 X")), "answered 599: no"),
    "elsewhere without an address": (always(http(b"", "302 X")), "not followed"),
    "elsewhere, broken": (always(http(b"", "307 X", "Location: http://[::1/")), "not followed"),
}


def vault(folder: Path) -> Path:
    """Make a memory directory of three things said, and give it."""
    said = [
        "I prefer tabs over spaces in Go files.",
        "The vault opens with zucchini.",
        "We deploy on Mondays.",
    ]
    lines = [line("user", f"u{at}", text, "talk") for at, text in enumerate(said)]
    memctl("-q", "-C", folder / "memory", "ingest", written(folder / "talk.jsonl", lines))
    return folder / "memory"


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
