"""Chats of Gemini CLI: documents, lines that amend earlier ones, and the contents they hold."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import check_beginnings, events, facts, files, messages, parts, tally, text, written
from transcripts.gemini import CHAT, HEADER, TOKENS, T, answer, call, document, record

from memctl.model import Call, Image, Message, Raw, Result, Skipped, Text, Thinking
from memctl.readers import gemini
from memctl.readers.source import Source, open_source

CHATS = files("gemini_cli")


def counted(path: Path) -> Counter[str]:
    """Count straight from the JSON, without the reader's help."""
    whole = path.read_text()
    try:
        value = json.loads(whole)
        found = value.get("messages") or value["history"]
    except ValueError:
        found = list(
            {line["id"]: line for line in map(json.loads, whole.strip().split("\n")) if "id" in line}.values()
        )
    roles = {"gemini": "assistant", "model": "assistant", "user": "user"}
    count = Counter(roles.get(one.get("type", one.get("role")), "system") for one in found)
    calls = [called for one in found for called in one.get("toolCalls", [])]
    count["calls"] = len(calls)
    count["results"] = sum("result" in called for called in calls)
    return +count


@pytest.mark.shared
@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.name)
def test_a_shared_chat_gives_what_an_independent_count_finds(path: Path) -> None:
    source = open_source(path)
    assert gemini.detect(source)
    got = tally([one for one in gemini.read(source) if isinstance(one, Message)])
    assert got - Counter(tool=got["tool"]) == counted(path)


@pytest.mark.shared
@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.name)
def test_a_chat_cut_after_any_line_is_a_beginning(path: Path) -> None:
    check_beginnings(gemini, path.read_bytes(), step=40 if open_source(path).shape == "json" else 1)


@pytest.mark.shared
@pytest.mark.parametrize("path", [path for path in CHATS if "cli__" in path.name], ids=lambda path: path.name)
def test_a_document_with_fewer_messages_is_a_beginning(path: Path) -> None:
    chat = json.loads(path.read_text())
    whole = messages(gemini, [chat])
    for cut in range(len(chat["messages"])):
        beginning = messages(gemini, [{**chat, "messages": chat["messages"][:cut]}])
        assert beginning == whole[: len(beginning)]


def test_calls_and_their_results_are_two_messages() -> None:
    found = messages(
        gemini,
        document(
            record("1", "user", "ls"), record("2", "gemini", toolCalls=[call(result=answer(output="a b"))])
        ),
    )
    assert [(one.id, one.role) for one in found] == [("1", "user"), ("2", "assistant"), ("2/results", "tool")]
    assert found[1].parts == (Call("s-1", "run", {"command": "ls"}),)
    assert found[2].parts == (Result("s-1", (Text("a b"),), False, "run"),)
    assert [one.timestamp for one in found] == [T.format(1), T.format(1), T.format(2)]
    assert [one.parent for one in found] == [None] * 3
    assert facts(gemini, document(summary="Lists files")) == {
        "g1": {"agent": "Gemini CLI", "started": T.format(0), "title": "Lists files"}
    }


@pytest.mark.parametrize(
    ("called", "blocks", "failed"),
    [
        ({"result": answer(error="no such file"), "status": "error"}, (Text("no such file"),), True),
        ({"result": answer(error="denied"), "status": "odd"}, (Text("denied"),), True),
        ({"result": answer(output=""), "status": "cancelled"}, (), True),
        ({"result": answer(rows=2)}, (Text('{"rows":2}'),), False),
        ({"result": "plain"}, (Text("plain"),), False),
        (
            {"result": [*answer(output="seen"), {"inlineData": {"mimeType": "image/png", "data": "QUJD"}}]},
            (Text("seen"), Image("image/png", data="QUJD")),
            False,
        ),
        ({"resultDisplay": "shown"}, (Text("shown"),), False),
        ({"result": answer(output="real"), "resultDisplay": "shown"}, (Text("real"),), False),
        ({"resultDisplay": {"fileDiff": "+x"}}, (Text('{"fileDiff":"+x"}'),), False),
    ],
)
def test_every_shape_of_a_result_is_read(called: dict[str, Any], blocks: Any, failed: bool) -> None:
    [result] = parts(messages(gemini, document(record("2", "gemini", toolCalls=[call(**called)]))), Result)
    assert (result.blocks, result.is_error) == (blocks, failed)


@pytest.mark.parametrize("called", [{}, {"result": None}, {"result": [], "resultDisplay": ""}])
def test_a_call_without_a_result_has_none(called: dict[str, Any]) -> None:
    found = messages(gemini, document(record("2", "gemini", toolCalls=[call(**called)])))
    assert [one.id for one in found] == ["2"]


def test_later_lines_of_a_record_make_its_message_grow() -> None:
    found = messages(gemini, CHAT)
    assert [one.id for one in found] == ["u1", "a1", "a1/results", "a2", "i1"]
    assert found[0].parts == (Text("list"), Text("now"))
    assert found[1].parts == (Thinking("Plan\nlook first"), Call("s-1", "run", {"command": "ls"}))
    assert found[1].usage == TOKENS
    assert [one.parent for one in found] == [None, "u1", "a1", "a1/results", "a2"]
    check_beginnings(gemini, written(CHAT))


def test_a_record_amended_late_keeps_its_place_and_its_results_come_where_they_came() -> None:
    late = record("a1", "gemini", "", toolCalls=[call(result=answer(output="late"))])
    lines = [HEADER, record("a1", "gemini", "", toolCalls=[call()]), record("u2", "user", "next"), late]
    assert [one.id for one in messages(gemini, lines)] == ["a1", "u2", "a1/results"]
    check_beginnings(gemini, written(lines))


def test_what_was_rewound_is_kept_as_a_branch() -> None:
    lines = [*CHAT, {"$rewindTo": "a2"}, record("a3", "gemini", "Three."), record("a4", "gemini", "Four.")]
    parents = {one.id: one.parent for one in messages(gemini, lines)}
    assert (parents["a2"], parents["a3"], parents["a4"]) == ("a1/results", "a1/results", "a3")
    check_beginnings(gemini, written(lines))


def test_a_replaced_history_adds_what_is_new_and_hides_nothing() -> None:
    history = [
        record("s1", "user", "<state_snapshot>what was</state_snapshot>"),
        record("a1", "gemini", [{"functionCall": {"id": "s-1", "name": "run", "args": {"command": "ls"}}}]),
        record("t1", "user", answer(output="[masked]")),
        record("a2", "gemini", "Two files."),
    ]
    found = messages(gemini, [*CHAT, {"$set": {"messages": history}}, record("u3", "user", "go on")])
    assert [one.id for one in found] == ["u1", "a1", "a1/results", "a2", "i1", "s1", "u3"]
    assert parts(found, Result) == [Result("s-1", (Text("a b"),), False, "run")]
    assert found[5].marks == ("compact_summary",)


def test_a_chat_that_is_only_kept_as_replaced_histories_is_read() -> None:
    first = [record("u1", "user", "ls"), record("a1", "gemini", "")]
    second = [record("u1", "user", "ls"), record("a1", "gemini", "done")]
    found = messages(gemini, [HEADER, {"$set": {"messages": first}}, {"$set": {"messages": second}}])
    assert [(one.id, text(one)) for one in found] == [("u1", "ls"), ("a1", "done")]


def test_every_kind_of_part_is_read() -> None:
    content = [
        {"text": "hm", "thought": True, "thoughtSignature": "S"},
        {"text": "look"},
        {"inlineData": {"mimeType": "image/png", "data": "QUJD"}},
        {"fileData": {"mimeType": "image/jpeg", "fileUri": "gs://b/x.jpg"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "QUJD"}},
        {"executableCode": {"code": "1"}},
        "bare",
    ]
    [one] = messages(gemini, document(record("1", "model", content)))
    assert one.parts == (
        Thinking("hm", "S"),
        Text("look"),
        Image("image/png", data="QUJD"),
        Image("image/jpeg", url="gs://b/x.jpg"),
        Raw(content[4]),
        Raw(content[5]),
        Text("bare"),
    )


def test_what_the_program_says_is_the_systems_or_marked() -> None:
    lines = document(
        record("1", "info", "a"),
        record("2", "warning", "b"),
        record("3", "error", "c"),
        record("4", "user", "<session_context>\nToday is ..\n</session_context>"),
        record("5", "stats", "d"),
    )
    found = messages(gemini, lines)
    assert [(one.role, one.marks) for one in found] == [("system", ())] * 3 + [("user", ("environment",))]
    assert Skipped("stats", "g1") in events(gemini, written(lines))


def test_a_saved_history_of_contents_is_read() -> None:
    history = [
        {"role": "user", "parts": [{"text": "hi"}], "ts": 1695000000},
        {"role": "model", "parts": [{"text": "ho"}]},
    ]
    for saved in ([{"history": history}], [history]):
        assert gemini.detect(Source.from_bytes(json.dumps(saved[0]).encode()))
    found = messages(gemini, [{"history": history}])
    assert [(one.role, text(one), one.timestamp) for one in found] == [
        ("user", "hi", "2023-09-18T01:20:00.000Z"),
        ("assistant", "ho", None),
    ]


def test_a_chat_whose_header_is_lost_is_read_without_an_id() -> None:
    assert gemini.detect(Source.from_bytes(written(CHAT[1:])))
    assert {one.session for one in messages(gemini, CHAT[1:])} == {"session"}


def test_records_that_repeat_the_session_id_are_messages() -> None:
    lines = [HEADER, record("u1", "user", "hi", sessionId="g1"), record("a1", "gemini", "ho", sessionId="g1")]
    assert [(one.session, one.id) for one in messages(gemini, lines)] == [("g1", "u1"), ("g1", "a1")]


def test_two_chats_in_one_file_are_two_sessions() -> None:
    found = messages(gemini, [*CHAT, {**HEADER, "sessionId": "g2"}, record("u1", "user", "other")])
    assert [(one.session, text(one)) for one in found if one.id == "u1"] == [
        ("g1", "list\nnow"),
        ("g2", "other"),
    ]


@pytest.mark.shared(in_part=True)
def test_other_transcripts_are_not_taken_for_chats() -> None:
    folders = (
        "codex",
        "pi",
        "openclaw",
        "claude_code",
        "qwen_code",
        "other_agents",
        "openai_messages",
        "swe_agent",
    )
    for path in files(*folders):
        assert not gemini.detect(open_source(path)), path.name
