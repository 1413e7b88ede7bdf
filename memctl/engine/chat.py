"""Ask an OpenAI-compatible chat endpoint: time limits, retries with back-off, a rate limit, usage (DESIGN 11).

One POST and its answer; a client library would load for longer than most of the answers take. Nothing is sent
but to the address in the settings: redirects are not followed.
"""

import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memctl.errors import MemctlError, UsageError
from memctl.model import EngineSettings, Json
from memctl.text.tokens import count_tokens

_LONGEST = 4_000_000  # bytes of an answer that are read
_BACK_OFF = (0.5, 2.0, 8.0)  # seconds before each further try
_MOST_WAIT = 30.0  # seconds that a Retry-After is obeyed
_RETRIED = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

# How an endpoint is asked for JSON of a form: what OpenAI and vLLM take, what llama.cpp takes, what older ones do.
_FORMS: tuple[Callable[[Mapping[str, Json]], Json], ...] = (
    lambda schema: {"type": "json_schema", "json_schema": {"name": schema["title"], "schema": schema}},
    lambda schema: {"type": "json_object", "schema": schema},
    lambda _: {"type": "json_object"},
)
_REFUSED = frozenset(
    (400, 422)
)  # by which an endpoint says that it does not know a field; some name it in a 500

Turn = tuple[str, str]  # (role, text)


class NoAnswerError(MemctlError):
    """The endpoint gave no answer that can be used.

    final: asking it again makes no sense. status: of HTTP, 0 without. wait: the seconds it asks for, 0 for none.
    """

    def __init__(self, message: str, *, final: bool = False, status: int = 0, wait: float = 0) -> None:
        super().__init__(message)
        self.final = final
        self.status = status
        self.wait = wait


@dataclass
class Usage:
    """What was asked so far: requests sent, tokens in and out (as the endpoint counts them, else estimated)."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.tokens_in + self.tokens_out


@dataclass
class Chat:
    """A configured endpoint. most: tokens after which nothing more is asked; 0 for no limit."""

    settings: EngineSettings
    most: int = 0
    usage: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _next: float = 0.0
    _form: int = 0  # of `_FORMS`, as far as the endpoint has refused those before
    _stopped: str = ""

    @property
    def actor(self) -> str:
        """The model as atoms name it."""
        return f"llm:{self.settings.model}"

    @property
    def stopped(self) -> str:
        """Why nothing more is asked; "" as long as it is."""
        return self._stopped

    def ask(self, turns: Sequence[Turn], schema: Mapping[str, Json] | None = None) -> str:
        """Give the text of an answer; *schema* is that of the JSON it should be.

        Raises NoAnswerError when there is none, also when the limit is reached.
        """
        size = sum(count_tokens(text) for _, text in turns)
        with self._lock:
            if not self._stopped and self.most and self.usage.tokens + size > self.most:
                self._stopped = f"--max-tokens {self.most:,} is reached"
            if self._stopped:
                raise NoAnswerError(self._stopped, final=True)
        trouble = NoAnswerError("no answer")
        for attempt in range(self.settings.retries + 1):
            self._pace()
            try:
                return self._in_form(turns, size, schema)
            except NoAnswerError as error:
                if error.final:
                    self._stopped = self._stopped or str(error)
                    raise
                trouble = error
            if attempt < self.settings.retries:
                wait = trouble.wait or _BACK_OFF[min(attempt, len(_BACK_OFF) - 1)]
                time.sleep(min(wait, _MOST_WAIT))
        raise trouble

    def _pace(self) -> None:
        """Wait until the rate limit lets the next request go."""
        if not self.settings.per_minute:
            return
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + 60 / self.settings.per_minute
        time.sleep(max(0.0, start - now))

    def _in_form(self, turns: Sequence[Turn], size: int, schema: Mapping[str, Json] | None) -> str:
        """Ask for JSON in the way that the endpoint knows, and plainly where it knows none."""
        while schema is not None and (form := self._form) < len(_FORMS):
            try:
                return self._once(turns, size, {"response_format": _FORMS[form](schema)})
            except NoAnswerError as error:
                if error.status not in _REFUSED and "response_format" not in str(error):
                    raise
            with self._lock:
                self._form = max(self._form, form + 1)
            self._pace()
        return self._once(turns, size, {})

    def _once(self, turns: Sequence[Turn], size: int, more: Mapping[str, Json]) -> str:
        body = {
            **more,
            "model": self.settings.model,
            "messages": [{"role": role, "content": text} for role, text in turns],
            "temperature": 0,
            "max_tokens": self.settings.answer_tokens,
            "stream": False,
        }
        data = self._post(json.dumps(body).encode())
        try:
            answer = json.loads(data)
            choice = answer["choices"][0]
            text = _text(choice["message"]["content"])
        except (ValueError, LookupError, TypeError) as error:
            raise NoAnswerError(f"{self.settings.base_url} answers with something else: {error}") from None
        self._count(answer.get("usage"), size, text)
        if choice.get("finish_reason") == "length":
            raise NoAnswerError("the answer was cut off at its limit of tokens")
        return text

    def _post(self, body: bytes) -> bytes:
        import http.client
        import urllib.error
        import urllib.request

        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := os.environ.get(self.settings.key_env):
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.settings.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(address, body, headers)  # noqa: S310 - http(s) only, checked in the settings
        with self._lock:
            self.usage.requests += 1
        over = time.monotonic() + self.settings.timeout
        try:
            with _opener(address).open(request, timeout=self.settings.timeout) as answer:
                return _read(answer, over)
        except urllib.error.HTTPError as error:
            raise _of_status(error, address) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise NoAnswerError(f"{address} does not answer: {str(reason)[:200]}") from None

    def _count(self, usage: Json, size: int, text: str) -> None:
        given = usage if isinstance(usage, dict) else {}
        with self._lock:
            self.usage.tokens_in += _number(given, "prompt_tokens", size)
            self.usage.tokens_out += _number(given, "completion_tokens", count_tokens(text))


def configured(settings: EngineSettings | None, most: int) -> Chat:
    """Give the endpoint of the settings; raises UsageError when none is configured."""
    if not settings or not settings.base_url or not settings.model:
        raise UsageError(
            "--engine llm needs `engine:` with `base_url:` and `model:` in memctl.yaml; nothing was sent"
        )
    return Chat(settings, most)


def _opener(address: str) -> Any:
    """Give an opener that follows no redirect, and asks this machine without a proxy."""
    import urllib.request

    class _Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_arguments: Any, **_more: Any) -> None:
            return None

    host = address.partition("://")[2].partition("/")[0].rpartition("@")[2]
    near = any(host == one or host.startswith(f"{one}:") for one in _LOOPBACK)
    return urllib.request.build_opener(_Stays, *([urllib.request.ProxyHandler({})] if near else []))


def _read(answer: Any, over: float) -> bytes:
    """Read an answer that may drip: no longer than until *over*, no more than is sensible."""
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(1 << 16):
        size += len(piece)
        if size > _LONGEST:
            raise ValueError("the answer has no end")
        if time.monotonic() > over:
            raise TimeoutError("timed out")
        pieces.append(piece)
    return b"".join(pieces)


def _of_status(error: Any, address: str) -> NoAnswerError:
    """Say what an HTTP status means: wait and try again, or no more."""
    try:
        said = error.read(2_000).decode("utf-8", "replace")
    except OSError:
        said = ""
    message = " ".join(said.split())[:200]
    code = error.code
    wait = str(error.headers.get("Retry-After") or "") if code in _RETRIED else ""
    return NoAnswerError(
        f"{address} answers {code}{f': {message}' if message else ''}",
        final=code in (401, 403, 404),
        status=code,
        wait=float(wait) if re.fullmatch(r"\d+(\.\d+)?", wait, re.ASCII) else 0,
    )


def _text(content: Json) -> str:
    """Read a message's content: a text, or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise TypeError("no text in it")
    return content


def _number(given: Mapping[str, Json], name: str, default: int) -> int:
    value = given.get(name)
    return (
        value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else default
    )
