"""Limits on what a model is asked: tokens, questions at once and in a minute, and nothing unless configured."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from running import memctl
from serving import Asked, configure, good, serving
from wording import by_rules, made, ran, words

from memctl.endpoint import NoAnswerError
from memctl.engine import chat as chatting
from memctl.engine.chat import Chat
from memctl.model import EngineSettings


def test_max_tokens_stops_it(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(good) as server:
        configure(home, server.url)
        engine = ran(home, source, "--max-tokens", "50")

    assert server.asked == []
    assert "--max-tokens 50" in engine["stopped"]
    assert words(home) == by_rules(tmp_path, source)


def test_questions_side_by_side_keep_to_the_limit_together() -> None:
    gate = threading.Barrier(4)

    def together(_: Asked) -> str:
        with contextlib.suppress(threading.BrokenBarrierError):
            gate.wait(0.3)  # all that may go out at once are out
        return "{}"

    with serving(together) as server:
        asking = Chat(EngineSettings(server.url, "m", jobs=4, answer_tokens=10), most=400)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: _tried(asking), range(8)))

    assert found.count("{}") == len(server.asked) == 3  # of 110 tokens each
    assert "--max-tokens 400" in asking.stopped


def _tried(asking: Chat) -> str:
    try:
        return asking.ask([("user", "word " * 100)])
    except NoAnswerError:
        return ""


def test_an_answer_that_was_cut_off_counts_before_the_next_try() -> None:
    cut_off: Any = {
        "choices": [{"message": {"content": "x"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 100},
    }
    with serving(lambda _: cut_off) as server:
        asking = Chat(EngineSettings(server.url, "m", retries=3), most=150)
        assert _tried(asking) == ""

    assert len(server.asked) == 1


def test_a_dry_run_estimates_and_sends_nothing(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(good) as server:
        configure(home, server.url)
        told = memctl("-C", home, "ingest", source, "--engine", "llm", "--dry-run").out
        assert "canvas 1" in told
        assert "nothing was sent" in told
        assert not (home / "conversations").exists()
        memctl("-q", "-C", home, "ingest", source)
        assert "nothing was sent" in memctl("-C", home, "extract", "--engine", "llm", "--dry-run").out
        assert server.asked == []


def test_nothing_is_sent_unless_configured(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")

    told = memctl("-C", home, "ingest", source, "--engine", "llm", code=2).err

    assert "base_url" in told
    assert not (home / "conversations").exists()


def test_questions_go_side_by_side_up_to_the_jobs(tmp_path: Path, samples: Path) -> None:
    home = made(tmp_path / "memory")

    met = threading.Event()

    def steady(asked: Asked) -> str:
        if server.at_once > 1:
            met.set()
        assert met.wait(120), "the first question waits for another beside it"
        return good(asked)

    with serving(steady) as server:
        configure(home, server.url, jobs=3)
        memctl("-q", "-C", home, "ingest", samples, "--engine", "llm")
        assert met.is_set()
        assert server.most_at_once <= 3


@dataclass
class Clock:
    """A clock that stands still but for the time slept."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def monotonic(self) -> float:
        """Tell the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Take note of the time to be slept."""
        self.slept.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stands = Clock()
    monkeypatch.setattr(chatting, "time", stands)
    return stands


def test_no_more_questions_go_out_in_a_minute_than_the_limit(clock: Clock) -> None:
    with serving(lambda _: "{}") as server:
        asking = Chat(EngineSettings(server.url, "m", per_minute=30, jobs=4))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: asking.ask([("user", "x")]), range(6)))
        assert sorted(clock.slept) == [0, 2, 4, 6, 8, 10]

        clock.now += 11  # the next one is due at 12
        asking.ask([("user", "x")])
        clock.now += 60  # what was not used is not saved up
        asking.ask([("user", "x")])
        asking.ask([("user", "x")])
        assert clock.slept[6:] == [1, 0, 2]
        assert len(server.asked) == 9


def test_further_tries_count_too(clock: Clock) -> None:
    answers = iter([503, 429, "{}"])
    with serving(lambda _: next(answers)) as server:
        asking = Chat(EngineSettings(server.url, "m", per_minute=60, retries=3))
        assert asking.ask([("user", "x")]) == "{}"

    assert clock.slept == [0, 0.5, 1, 2, 2]  # by turns the limit's and the back-off's


def test_no_limit_waits_for_nothing(clock: Clock) -> None:
    with serving(lambda _: "{}") as server:
        asking = Chat(EngineSettings(server.url, "m"))
        for _ in range(3):
            asking.ask([("user", "x")])

    assert clock.slept == []


def test_few_calls_at_once_for_a_small_model(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(good) as server:
        configure(home, server.url, batch=1)
        engine = ran(home, source)
        calls = [asked for asked in server.asked if "summaries" in str(asked.form)]

    assert len(calls) == engine["taken"]["summaries"] > 2
    for asked in calls:
        item = asked.form["json_schema"]["schema"]["properties"]["summaries"]
        (name,) = item["items"]["properties"]["tool_call_id"]["enum"]
        assert item["minItems"] == item["maxItems"] == 1
        assert f'"tool_call_id":"{name}"' in asked.turns[1]["content"].replace(" ", "")
