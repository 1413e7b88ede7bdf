"""`--engine llm` against a scripted server: what is good is taken, else the rules' work stands, and `check` is clean."""

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import models
import pytest
from claude_chat import chat, line, written
from running import PROGRAM, memctl, snapshot
from serving import Asked, Raw, configure, good, serving

from memctl import files
from memctl.endpoint import NoAnswerError
from memctl.engine import chat as chatting, ledger, running as running_module
from memctl.engine.chat import Chat
from memctl.engine.running import Run
from memctl.model import EngineSettings
from memctl.store import open_store

SESSION = "5e1f0c7a-93d2-4b68-8c41-2f7d90ab6e13"


@pytest.fixture
def source(samples: Path) -> Path:
    """Give one session to work on."""
    return samples / "claude_code.jsonl"


def made(home: Path) -> Path:
    memctl("-q", "-C", home, "init")
    return home


def ran(home: Path, source: Path, *more: str) -> dict[str, Any]:
    """Take a session in with a model, and give what the run came to."""
    found = memctl("-C", home, "ingest", source, "--engine", "llm", "--format", "json", *more)
    engine: dict[str, Any] = found.data["engine"]
    return engine


def words(home: Path) -> dict[str, bytes]:
    """Give a directory without its settings, which name the server."""
    return {name: data for name, data in snapshot(home).items() if name != "memctl.yaml"}


def by_rules(tmp_path: Path, source: Path) -> dict[str, bytes]:
    memctl("-q", "-C", made(tmp_path / "rules"), "ingest", source)
    return words(tmp_path / "rules")


def test_a_good_model_words_everything_and_is_not_asked_twice(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(good) as server:
        configure(home, server.url)
        engine = ran(home, source)
        assert set(engine["taken"]) == {"summaries", "task", "canvas"}
        assert engine["taken"] == engine["asked"]
        assert engine["tokens_in"] == 100 * len(server.asked)
        found = memctl("-C", home, "extract", "--engine", "llm", "--format", "json").data["engine"]
        assert found["taken"] == found["asked"]
        assert {"atoms", "scene", "persona"} <= set(found["asked"])
        before, asked = snapshot(home), len(server.asked)
        ran(home, source)
        memctl("-q", "-C", home, "extract", "--engine", "llm")

        assert len(server.asked) == asked
        assert snapshot(home) == before

    memctl("-q", "-C", home, "ingest", source)
    memctl("-q", "-C", home, "extract")
    assert snapshot(home) == before
    memctl("-C", home, "check")
    shown = memctl("-C", home, "status").out
    assert "m: " in shown
    assert "tokens in" in shown


def test_the_same_answers_through_a_pipe_give_the_same_directory(tmp_path: Path, source: Path) -> None:
    piped, asked = made(tmp_path / "piped"), made(tmp_path / "asked")
    with serving(good) as server:
        configure(asked, server.url)
        ran(asked, source)
    memctl("-q", "-C", piped, "ingest", source)
    for kind, subject in (("summaries", SESSION), ("task", SESSION), ("canvas", "1")):
        prompt = memctl("-q", "-C", piped, "prompt", kind, subject).out
        memctl("-C", piped, "apply", kind, subject, "--by", "m", stdin=models.answer(prompt))

    assert words(piped) == words(asked)


def cut(asked: Asked) -> str:
    return good(asked)[:-9]


def too_long(asked: Asked) -> Any:
    message = {"role": "assistant", "content": good(asked)}
    return {"choices": [{"message": message, "finish_reason": "length"}]}


def slow(asked: Asked) -> str:
    time.sleep(2)
    return good(asked)


HOSTILE = {
    "nothing": lambda _: "",
    "prose": lambda _: "I am sorry, but as a language model I cannot.",
    "cut": cut,
    "too long": too_long,
    "no JSON": lambda _: b"<html>502</html>",
    "no choices": lambda _: {"choices": []},
    "null": lambda _: {"choices": [{"message": {"content": None}}]},
    "deep": lambda _: "[" * 100_000,
    "nul": lambda _: '{"summaries": "\x00\x1b[31m", "tasks": "\ud800", "mmd": "\x00"}',
    "refused": lambda _: 401,
    "broken": lambda _: 500,
    "elsewhere": lambda _: 302,
    "slow": slow,
    "paths": lambda _: json.dumps({"summaries": [{"tool_call_id": "../../etc/passwd", "summary": "x"}]}),
    "other ids": lambda _: json.dumps(
        {"tasks": [{"canvas": "999", "goal": "x", "status": "done"}], "mmd": "graph TD"}
    ),
    "endless": lambda _: "[0" + ",0" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_every_bad_answer_ends_with_the_rules_result(name: str, tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(HOSTILE[name]) as server:
        configure(home, server.url, retries=0, timeout=1)
        engine = ran(home, source)

    assert engine["taken"] == {}
    assert sum(engine["refused"].values()) + sum(engine["without_answer"].values()) == sum(
        engine["asked"].values()
    )
    assert words(home) == by_rules(tmp_path, source)
    memctl("-C", home, "check")


def test_extract_falls_back_to_the_rules_too(tmp_path: Path) -> None:
    talk = written(
        tmp_path / "talk.jsonl", [line("user", "u0", "I prefer tabs over spaces in Go files.", "talk")]
    )
    home, other = made(tmp_path / "memory"), made(tmp_path / "other")
    for one in (home, other):
        memctl("-q", "-C", one, "ingest", talk)
    with serving(lambda _: "no") as server:
        configure(home, server.url, retries=0)
        found = memctl("-C", home, "extract", "--engine", "llm").out
    memctl("-q", "-C", other, "extract")

    assert "rules' work stands" in found
    assert words(home) == words(other)


def test_a_refused_answer_is_asked_for_again_with_the_reason(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    with serving(lambda asked: good(asked) if asked.again else "hm") as server:
        configure(home, server.url)
        engine = ran(home, source)

    assert engine["taken"] == engine["asked"]
    assert engine["second_try"] == sum(engine["asked"].values())
    again = [asked for asked in server.asked if asked.again]
    assert all("no JSON object" in asked.turns[-1]["content"] for asked in again)


def test_what_fails_for_a_moment_is_tried_again(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    seen: set[str] = set()

    def flaky(asked: Asked) -> Any:
        if asked.prompt in seen:
            return good(asked)
        seen.add(asked.prompt)
        return 503

    with serving(flaky) as server:
        configure(home, server.url, retries=1)
        engine = ran(home, source)

    assert engine["taken"] == engine["asked"]
    assert engine["requests"] == 2 * len(seen)


def test_the_key_comes_from_the_environment_and_a_wrong_one_stops(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made(tmp_path / "memory")
    monkeypatch.setenv("MY_KEY", "sk-open")
    with serving(
        lambda asked: good(asked) if asked.headers.get("Authorization") == "Bearer sk-open" else 401
    ) as server:
        configure(home, server.url, key_env="MY_KEY")
        assert ran(home, source)["taken"]
        monkeypatch.setenv("MY_KEY", "sk-other")
        shutil.rmtree(home)
        configure(made(home), server.url, key_env="MY_KEY", jobs=1)
        count = len(server.asked)
        engine = ran(home, source)

    assert "401" in engine["stopped"]
    assert len(server.asked) == count + 1  # asked once, and no more
    assert "sk-o" not in "".join(
        path.read_text(errors="replace") for path in home.rglob("*") if path.is_file()
    )


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


def running(home: Path, url: str, progress: Callable[[str], None] = lambda _: None) -> Run:
    """Give a run with two questions about the summaries of the session, whose directory is made."""
    configure(home, url, batch=2, jobs=1)
    store = open_store(home)
    assert store.config.engine is not None
    return Run(store, Chat(store.config.engine), wait=0, progress=progress)


def test_an_answer_that_met_a_locked_directory_is_asked_for_again(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", source)
    held = contextlib.ExitStack()

    def step(_: str) -> None:
        if run.tally.asked:
            held.close()
        else:
            held.enter_context(files.locked(home, 0))

    with serving(good) as server, held:
        run = running(home, server.url, step)
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])
        first = len(server.asked)
        assert run.tally.silent["summaries"] == 1
        assert run.tally.taken["summaries"] == first - 1

        run = running(home, server.url)
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])

        assert run.tally.taken["summaries"] == len(server.asked) - first == 1
        run = running(home, server.url)
        run.kind("summaries", [SESSION])
        assert not run.tally.asked


def test_a_lock_met_on_the_second_try_loses_neither_the_run_nor_its_cost(
    tmp_path: Path, source: Path
) -> None:
    home = made(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", source)
    held = contextlib.ExitStack()

    def scripted(asked: Asked) -> str:
        if asked.again and not run.tally.silent:
            held.enter_context(files.locked(home, 0))
        return good(asked) if asked.again else "hm"

    with serving(scripted) as server, held:
        run = running(home, server.url, lambda _: held.close())
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])

    assert run.tally.silent["summaries"] == 1
    assert "locked" in run.tally.reasons["summaries"]
    assert run.tally.taken["summaries"] == run.tally.asked["summaries"] - 1
    assert ledger.usage(run.store)["models"]["m"]["requests"] == len(server.asked)


def test_a_run_that_breaks_off_remembers_what_it_cost(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made(tmp_path / "memory")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(running_module, "take", full)
    with serving(good) as server:
        configure(home, server.url, jobs=1)
        memctl("-C", home, "ingest", source, "--engine", "llm", code=3)
        memctl("-C", home, "extract", "--engine", "llm", code=3)

    assert ledger.usage(open_store(home))["models"]["m"]["requests"] == len(server.asked)


def test_two_runs_at_once_both_count_and_both_remember(tmp_path: Path) -> None:
    store = open_store(made(tmp_path / "memory"))
    one, other = ledger.Ledger(store), ledger.Ledger(store)
    one.settle("a")
    other.settle("b")
    one.save("m", {"requests": 2})
    other.save("m", {"requests": 3})
    one.save("m", {"requests": 5})

    again = ledger.Ledger(store)
    assert again.knows("a")
    assert again.knows("b")
    assert ledger.usage(store)["models"] == {"m": {"requests": 8}}


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

    def steady(asked: Asked) -> str:
        time.sleep(0.05)
        return good(asked)

    with serving(steady) as server:
        configure(home, server.url, jobs=3)
        memctl("-q", "-C", home, "ingest", samples, "--engine", "llm")
        assert 1 < server.most_at_once <= 3


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
@pytest.mark.parametrize("moment", [2, 3, 4])
def test_killed_in_the_middle_the_directory_is_clean(moment: int, tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    reached: list[subprocess.Popen[bytes]] = []

    def killing(asked: Asked) -> str:
        if asked.number + 1 == moment:
            reached[0].send_signal(signal.SIGKILL)
            time.sleep(0.2)
        return good(asked)

    with serving(killing) as server:
        configure(home, server.url, jobs=1)
        reached.append(
            subprocess.Popen([*PROGRAM, "-q", "-C", str(home), "ingest", str(source), "--engine", "llm"])
        )
        assert reached[0].wait(60) == (-signal.SIGKILL if len(server.asked) >= moment else 0)
    memctl("-C", home, "check")
    with serving(good) as server:
        configure(home, server.url)
        ran(home, source)
    other = made(tmp_path / "other")
    with serving(good) as server:
        configure(other, server.url)
        ran(other, source)

    assert words(home) == words(other)


def test_secrets_are_not_sent_even_where_they_are_kept(tmp_path: Path) -> None:
    home = made(tmp_path / "memory")
    secret = "ghp_" + "a1B2" * 9
    source = chat(tmp_path / "chat.jsonl", content=f"token: {secret} ok\n" * 9)
    with serving(good) as server:
        configure(home, server.url)
        text = (home / "memctl.yaml").read_text()
        (home / "memctl.yaml").write_text(text + "ingest:\n  redact: off\n")
        ran(home, source)
        memctl("-q", "-C", home, "extract", "--engine", "llm")

    assert server.asked
    assert all(secret not in turn["content"] for asked in server.asked for turn in asked.turns)


def test_compact_lets_the_model_word_what_is_behind(tmp_path: Path) -> None:
    said = [line("user", "u0", "I prefer tabs over spaces in Go files.", "talk")]
    home = made(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", written(tmp_path / "talk.jsonl", said))
    memctl("-q", "-C", home, "extract")
    with serving(good) as server:
        configure(home, server.url)
        memctl("-q", "-C", home, "compact", "--engine", "llm", "--dry-run")
        assert server.asked == []
        found = memctl("-C", home, "compact", "--engine", "llm", "--format", "json").data["engine"]
        count = len(server.asked)
        memctl("-q", "-C", home, "compact", "--engine", "llm")

    assert {"scene", "persona"} <= set(found["taken"])
    assert len(server.asked) == count
    assert "In a model's words" in (home / "persona.md").read_text()
    memctl("-C", home, "check")


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


@pytest.mark.parametrize(("known", "asked"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_json_is_asked_for_in_the_way_the_endpoint_knows(known: int, asked: int) -> None:
    ways: list[Any] = []

    def picky(asked: Asked) -> Any:
        ways.append(asked.form)
        refusals = [400, 422, Raw(500, {"error": "body.response_format.type: Input should be 'text'"})]
        return "{}" if len(ways) > known else refusals[len(ways) - 1]

    schema = {"title": "t", "type": "object"}
    with serving(picky) as server:
        asking = Chat(EngineSettings(server.url, "m", retries=0))
        for _ in range(2):
            assert asking.ask([("user", "x")], schema) == "{}"

    every = [
        {"type": "json_schema", "json_schema": {"name": "t", "schema": schema}},
        {"type": "json_object", "schema": schema},
        {"type": "json_object"},
        None,
    ]
    assert ways == [*every[:asked], every[known]]


@pytest.mark.parametrize("words", ["...", "<one line>", "。", ""])
def test_a_form_that_was_not_filled_in_is_no_answer(words: str, tmp_path: Path, source: Path) -> None:
    def empty(asked: Asked) -> str:
        answer = json.loads(good(asked))
        for row in answer.get("summaries", ()):
            row["summary"] = words
        return json.dumps(answer)

    home = made(tmp_path / "memory")
    with serving(empty) as server:
        configure(home, server.url, retries=0)
        engine = ran(home, source)

    assert "summaries" not in engine["taken"]
    assert engine["refused"]["summaries"]


def test_a_canvas_may_stay_as_it_is(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    kept = '{"file_action": "replace", "replace_blocks": []}'
    with serving(lambda asked: kept if "the map of a task" in asked.prompt else "no") as server:
        configure(home, server.url, retries=0)
        engine = ran(home, source)

    assert engine["taken"]["canvas"] == engine["asked"]["canvas"]
    assert words(home) == by_rules(tmp_path, source)


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
