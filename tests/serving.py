"""A server on loopback that speaks the OpenAI protocol, with scripted answers: good, bad, slow, cut, hostile."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import models

Script = Callable[["Asked"], Any]


@dataclass
class Asked:
    """One request: its turns, and how many came before it."""

    turns: list[dict[str, str]]
    number: int
    headers: dict[str, str]
    form: Any = None  # the `response_format` asked for

    @property
    def prompt(self) -> str:
        """The whole prompt, without second tries."""
        return "\n\n".join(turn["content"] for turn in self.turns[:2])

    @property
    def again(self) -> bool:
        """Whether it is a second try."""
        return len(self.turns) > 2


@dataclass
class Raw:
    """An answer with its HTTP status."""

    status: int
    body: Any


@dataclass
class Server:
    """A running server and what it was asked."""

    url: str
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0


def good(asked: Asked) -> str:
    """Answer as a model that plays by the rules."""
    return models.answer(asked.prompt)


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """Serve; *script* gives a text, a dict for the whole body, bytes to send raw, or an int as HTTP status."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                server.at_once += 1
                server.most_at_once = max(server.most_at_once, server.at_once)
                asked = Asked(
                    body["messages"], len(server.asked), dict(self.headers), body.get("response_format")
                )
                server.asked.append(asked)
            try:
                self.reply(script(asked))
            except OSError:  # the client gave up
                pass
            finally:
                with lock:
                    server.at_once -= 1

        def reply(self, answer: Any) -> None:
            status = 200
            if isinstance(answer, Raw):
                status, answer = answer.status, answer.body
            if isinstance(answer, int):
                status, answer = answer, {"error": {"message": "scripted"}}
            if isinstance(answer, str):
                message = {"role": "assistant", "content": answer}
                answer = {
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
                }
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    server = Server(f"http://127.0.0.1:{httpd.server_address[1]}/v1")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def configure(home: Path, url: str, **more: Any) -> None:
    """Name the server in a directory's settings."""
    lines = [
        f"  {name}: {value}" for name, value in {"base_url": url, "model": "m", "timeout": 5, **more}.items()
    ]
    (home / "memctl.yaml").write_text("\n".join(["format: 1", "engine:", *lines, ""]))
