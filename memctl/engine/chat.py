"""Ask an OpenAI-compatible chat endpoint: retries with back-off, a rate limit, usage (DESIGN 11)."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from memctl import endpoint
from memctl.endpoint import NoAnswerError
from memctl.errors import UsageError
from memctl.model import EngineSettings, Json
from memctl.text.tokens import count_tokens

_LONGEST = 4_000_000  # bytes of an answer that are read
_BACK_OFF = (0.5, 2.0, 8.0)  # seconds before each further try
_MOST_WAIT = 30.0  # seconds that a Retry-After is obeyed

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
    _lock: threading.Condition = field(default_factory=threading.Condition)
    _under_way: int = 0  # tokens that unanswered requests may cost
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
        trouble = NoAnswerError("no answer")
        for attempt in range(self.settings.retries + 1):
            try:
                with self._within_limit(size):
                    self._pace()
                    return self._in_form(turns, size, schema)
            except NoAnswerError as error:
                if error.final:
                    raise
                trouble = error
            if attempt < self.settings.retries:
                wait = trouble.wait or _BACK_OFF[min(attempt, len(_BACK_OFF) - 1)]
                time.sleep(min(wait, _MOST_WAIT))
        raise trouble

    @contextmanager
    def _within_limit(self, size: int) -> Iterator[None]:
        """Hold back what a request of *size* tokens may cost until its answer is counted.

        Where those under way may take all that is left it waits for them, so that the limit is passed by one
        answer at most, however many are asked at once. Raises NoAnswerError when the limit is reached.
        """
        cost = size + self.settings.answer_tokens
        with self._lock:
            while self.most and self._under_way and not self._stopped:
                if self.usage.tokens + self._under_way + size <= self.most:
                    break
                self._lock.wait()
            if not self._stopped and self.most and self.usage.tokens + size > self.most:
                self._stopped = f"--max-tokens {self.most:,} was reached"
            if self._stopped:
                raise NoAnswerError(self._stopped, final=True)
            self._under_way += cost
        try:
            yield
        except NoAnswerError as error:
            if error.final:  # known before those who wait go on
                self._stopped = self._stopped or str(error)
            raise
        finally:
            with self._lock:
                self._under_way -= cost
                self._lock.notify_all()

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
        answer = self._post(body)
        try:
            choice = answer["choices"][0]
            text = _text(choice["message"]["content"])
        except (ValueError, LookupError, TypeError) as error:
            raise NoAnswerError(
                f"{endpoint.named(self.settings.base_url)} answered with something unexpected: {error}"
            ) from None
        self._count(answer.get("usage"), size, text)
        if choice.get("finish_reason") == "length":
            raise NoAnswerError("the answer was cut off at the token limit")
        return text

    def _post(self, body: Json) -> Any:
        with self._lock:
            self.usage.requests += 1
        return endpoint.post(
            f"{self.settings.base_url.rstrip('/')}/chat/completions",
            body,
            key=os.environ.get(self.settings.key_env, ""),
            timeout=self.settings.timeout,
            most=_LONGEST,
        )

    def _count(self, usage: Json, size: int, text: str) -> None:
        given = usage if isinstance(usage, dict) else {}
        with self._lock:
            self.usage.tokens_in += _number(given, "prompt_tokens", size)
            self.usage.tokens_out += _number(given, "completion_tokens", count_tokens(text))


def configured(settings: EngineSettings | None, most: int) -> Chat:
    """Give the endpoint of the settings; raises UsageError when none is configured that can be asked."""
    if not settings or not settings.base_url or not settings.model:
        raise UsageError(
            "--engine llm needs `engine:` with `base_url:` and `model:` in memctl.yaml; nothing was sent"
        )
    if reason := endpoint.fault(settings.base_url):
        raise UsageError(
            f"engine.base_url in memctl.yaml, {endpoint.named(settings.base_url)}, cannot be used: {reason}; "
            "nothing was sent"
        )
    return Chat(settings, most)


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
