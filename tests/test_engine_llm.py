"""`--engine llm` against a scripted server: what is good is taken, else the rules' work stands, and `check` is clean."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import models
import pytest
from claude_chat import chat, line, written
from running import memctl, snapshot
from serving import Asked, Raw, configure, good, serving
from wording import SESSION, by_rules, made, ran, words

from memctl.engine.chat import Chat
from memctl.model import EngineSettings


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

    assert "left to the rules" in found
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
