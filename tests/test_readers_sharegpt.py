"""Conversations of data sets for training."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, events, files, messages, parts, tally, written
from transcripts.sharegpt import CHAT, PREFERENCE

from memctl.model import Call, Message, Result, SessionFacts, Text
from memctl.readers import detect, sharegpt
from memctl.readers.source import Source, open_source

ROLES = {"human": "user", "gpt": "assistant", "system": "system", "function_call": "assistant"}


@pytest.mark.shared
@pytest.mark.parametrize("path", files("sharegpt"), ids=lambda path: path.name)
def test_a_shared_file_gives_what_an_independent_count_finds(path: Path) -> None:
    """The preference file counts 364 turns; its 600 answers, chosen and rejected, are messages as well."""
    count: Counter[str] = Counter()
    values = json.loads(path.read_text())
    for value in values:
        turns = [*value["conversations"], *(value[key] for key in ("chosen", "rejected") if key in value)]
        for turn in turns:
            if turn["value"]:
                count[ROLES.get(turn["from"], "tool")] += 1
            count["calls"] += turn["from"] == "function_call"
            count["results"] += turn["from"] == "observation"
    source = open_source(path)
    assert sharegpt.detect(source)
    found = list(sharegpt.read(source))
    assert +tally([one for one in found if isinstance(one, Message)]) == +count
    assert sum(isinstance(one, SessionFacts) for one in found) == len(values) == 300


def test_a_conversation_reads_in_order() -> None:
    found = messages(sharegpt, [CHAT])
    assert [one.role for one in found] == ["system", "user", "assistant", "tool", "assistant"]
    assert found[2].parts == (Call(None, "find", {"q": "x"}),)
    assert found[3].parts == (Result(None, (Text('{"found": 1}'),)),)
    session = next(one for one in events(sharegpt, written([CHAT])) if isinstance(one, SessionFacts))
    assert (session.id, session.seed) == (None, '"identity_0"')


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ('[{"name": "a", "arguments": {}}, {"name": "b"}]', [Call(None, "a", {}), Call(None, "b", None)]),
        ({"name": "a", "arguments": "{}"}, [Call(None, "a", "{}")]),
        ("call a, please", []),
        ("[" * 5000, []),
    ],
)
def test_calls_are_json_one_or_several(value: Any, wanted: list[Call]) -> None:
    found = messages(sharegpt, [{"conversations": [{"from": "function_call", "value": value}]}])
    assert parts(found, Call) == wanted
    assert len(found) == 1


def test_both_answers_of_a_preference_follow_the_last_turn() -> None:
    found = messages(sharegpt, [PREFERENCE])
    assert [(one.id, one.role, one.parent) for one in found] == [
        ("1", "user", None),
        ("rejected", "assistant", "1"),
        ("chosen", "assistant", "1"),
    ]


def test_turns_may_have_role_and_content() -> None:
    chat = {"conversations": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}
    assert [one.role for one in messages(sharegpt, [chat])] == ["user", "assistant"]


@pytest.mark.shared(in_part=True)
def test_a_file_is_known_as_a_list_or_as_lines() -> None:
    for data in (json.dumps([CHAT, PREFERENCE]).encode(), written([CHAT, PREFERENCE])):
        found = detect(Source.from_bytes(data))
        assert found is not None
        assert found.name == "sharegpt"
    for folder in ("openai_messages", "gemini_cli", "mini_swe_agent", "tau_bench"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not sharegpt.detect(open_source(path)), path.name


def test_an_answer_that_did_not_stand_is_marked_as_nobodys_word() -> None:
    found = messages(sharegpt, [PREFERENCE])
    assert [(one.id, one.marks) for one in found] == [("1", ()), ("rejected", ("rejected",)), ("chosen", ())]


@pytest.mark.parametrize("flag", ["kto_tag", "label"])
def test_the_last_answer_of_a_conversation_judged_bad_is_marked(flag: str) -> None:
    turns = [
        {"from": "human", "value": "Which river is the longest?"},
        {"from": "gpt", "value": "Of where?"},
        {"from": "human", "value": "Of Italy."},
        {"from": "gpt", "value": "The Arno."},
    ]
    bad, good = (
        [one.marks for one in messages(sharegpt, [{"conversations": turns, flag: of}])] for of in (0, 1)
    )
    assert bad == good == [(), (), (), ()]  # numbers are no judgement
    bad, good = (
        [one.marks for one in messages(sharegpt, [{"conversations": turns, flag: of}])]
        for of in (False, True)
    )
    assert bad == [(), (), (), ("rejected",)]
    assert good == [(), (), (), ()]
