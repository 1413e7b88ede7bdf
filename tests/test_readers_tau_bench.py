"""Runs of tau-bench, and its dialogues."""

import json
from collections import Counter
from pathlib import Path

import pytest
from reading import check_beginnings, events, files, messages, parts, tally, text, written
from transcripts.tau_bench import RUNS, SHOWN

from memctl.model import Call, Message, Result, SessionFacts, Skipped, Text
from memctl.readers import tau_bench
from memctl.readers.source import Source, open_source

DIALOGUES = files("tau_bench")


@pytest.mark.shared
@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.name)
def test_shared_dialogues_give_what_an_independent_count_finds(path: Path) -> None:
    count: Counter[str] = Counter()
    for raw in path.read_text().strip().split("\n"):
        lines = json.loads(raw)["messages_display"].split("\n")
        names = [line.partition(": ")[0] for line in lines if line != "assistant: None"]
        count.update(name for name in names if name in ("user", "assistant", "tool"))
    count["results"] = count["tool"]
    source = open_source(path)
    assert tau_bench.detect(source)
    assert tally([one for one in tau_bench.read(source) if isinstance(one, Message)]) == count


def test_each_run_is_a_session_told_apart_by_task_and_trial() -> None:
    assert tau_bench.detect(Source.from_bytes(json.dumps(RUNS).encode()))
    sessions = [one for one in events(tau_bench, written([RUNS])) if isinstance(one, SessionFacts)]
    assert [(one.key, one.id, one.seed) for one in sessions] == [
        ("#1", None, '{"task_id":0,"trial":0}'),
        ("#2", None, '{"task_id":0,"trial":1}'),
    ]
    found = messages(tau_bench, [RUNS])
    assert [one.role for one in found] == ["system", "user", "assistant", "tool", "assistant"] * 2
    assert found[2].parts == (Call("c1", "get_user", '{"id":"u"}'),)
    assert found[3].parts == (Result("c1", (Text("{}"),), None, "get_user"),)


def test_a_dialogue_is_read_by_its_names_and_calls_are_not_made_up() -> None:
    found = messages(tau_bench, [SHOWN])
    assert [(one.role, text(one)) for one in found] == [
        ("user", "hi\nthere"),
        ("tool", ""),
        ("assistant", "hello"),
    ]
    assert parts(found, Result) == [Result(None, (Text("{}"),))]
    assert Skipped("a call that is not shown", "#1") in events(tau_bench, written([SHOWN]))


def test_a_file_with_fewer_runs_is_a_beginning() -> None:
    check_beginnings(tau_bench, written([*RUNS, SHOWN]))
    assert messages(tau_bench, [RUNS[:1]]) == messages(tau_bench, [RUNS])[:5]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_runs() -> None:
    for path in files(
        "codex", "gemini_cli", "mini_swe_agent", "swe_agent", "openai_messages", "sharegpt", "pi"
    ):
        assert not tau_bench.detect(open_source(path)), path.name
