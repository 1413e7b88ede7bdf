"""Sessions of pi and OpenClaw: both versions of their lines, branches, and what no person said."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import check_beginnings, events, facts, files, messages, tally, text, written
from transcripts.pi import ASKS, HEADER, SESSION, entry, said, words

from memctl.model import Call, Damage, Image, Message, Raw, Result, Skipped, Text, Thinking
from memctl.readers import pi
from memctl.readers.source import open_source

TRANSCRIPTS = files("pi", "openclaw")


def counted(path: Path) -> Counter[str]:
    """Count straight from the JSON, without the reader's help."""
    count: Counter[str] = Counter()
    for raw in path.read_text().split("\n"):
        message = json.loads(raw).get("message") if raw.strip() else None
        if message is None:
            continue
        role = message["role"]
        count[{"toolResult": "tool", "bashExecution": "bash"}.get(role, role)] += 1
        blocks = message.get("content") or []
        count["calls"] += sum(block["type"] == "toolCall" for block in blocks if isinstance(block, dict))
    count["calls"] += count["bash"]
    count["results"] = count["tool"] + count.pop("bash", 0)
    return +count


@pytest.mark.shared
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_a_shared_session_gives_what_an_independent_count_finds(path: Path) -> None:
    source = open_source(path)
    assert pi.detect(source)
    assert tally([one for one in pi.read(source) if isinstance(one, Message)]) == counted(path)


@pytest.mark.shared
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_a_session_cut_after_any_line_is_a_beginning(path: Path) -> None:
    data = path.read_bytes()
    check_beginnings(pi, data, step=max(1, data.count(b"\n") // 12))


def test_a_session_reads_in_order_with_its_parts() -> None:
    found = messages(pi, SESSION)
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant", *["user"] * 4]
    assert found[1].parts == (Thinking("hm", "S"), Text("I look."), Call("t1", "exec", ASKS["arguments"]))
    assert found[2].parts == (Result("t1", (Text("sunny"),), False, "exec"),)
    assert found[5].parts == (Image("image/png", data="QUJD"),)
    assert text(found[0]) == "[Tue 2026-05-05 09:41 GMT+5:30] weather?"
    assert [one.usage for one in found[:4]] == [None, {"input": 9, "output": 3}, None, None]
    assert {one.timestamp for one in found} == {"2026-01-05T07:00:01Z"}
    assert facts(pi, SESSION) == {"p1": {"cwd": "/w", "started": "2026-01-05T07:00:00Z", "model": "m"}}


def test_a_message_follows_the_nearest_message_before_it_in_the_tree() -> None:
    parents = {one.id: one.parent for one in messages(pi, SESSION)}
    assert parents == {
        "01": None,
        "02": "01",
        "03": "02",
        "04": "03",
        "06": "04",
        "07": "04",
        "08": "07",
        "09": "04",
    }


def test_a_parent_that_is_no_entry_here_is_the_message_before() -> None:
    lines = [
        HEADER,
        said("m1", "user", "a", "gone"),
        said("m2", "user", "b", "tool-call-7"),
        said("m3", "user", "c", "p1"),
    ]
    assert [one.parent for one in messages(pi, lines)] == [None, "m1", None]


def test_summaries_are_marked_as_such() -> None:
    marks = {one.id: one.marks for one in messages(pi, SESSION)}
    assert marks["08"] == marks["09"] == ("compact_summary",)
    assert messages(pi, [HEADER, entry("a", "compaction", summary="")]) == []


def test_the_first_version_has_no_ids_and_names_what_it_was_branched_from() -> None:
    branched = (
        "/home/u/.pi/agent/sessions/--w--/2025-12-09T00-52-54-397Z_d97339c6-6c10-4827-846b-9ff1d9c3dc37.jsonl"
    )
    header = {
        "type": "session",
        "id": "p0",
        "timestamp": "2025-12-09T00:53:29Z",
        "cwd": "C:\\Users\\u",
        "provider": "x",
        "modelId": "m",
        "branchedFrom": branched,
    }
    lines = [header, said(None, "user", "old"), entry(None, "compaction", summary="s", firstKeptEntryIndex=1)]
    found = messages(pi, lines)
    assert [(one.id, one.parent) for one in found] == [(None, None), (None, None)]
    assert facts(pi, lines)["p0"] == {
        "cwd": "C:\\Users\\u",
        "started": "2025-12-09T00:53:29Z",
        "model": "m",
        "parent": "d97339c6-6c10-4827-846b-9ff1d9c3dc37",
    }


@pytest.mark.parametrize("name", ["e1", None])
def test_a_command_the_user_ran_is_a_call_with_its_result(name: str | None) -> None:
    ran = {
        "role": "bashExecution",
        "command": "ls",
        "output": "a\n",
        "exitCode": 2,
        "cancelled": False,
        "timestamp": 7,
    }
    [one] = messages(pi, [HEADER, entry(name, message=ran)])
    call, result = one.parts
    assert isinstance(call, Call)
    assert isinstance(result, Result)
    assert (one.role, one.marks) == ("user", ("command",))
    assert (call.name, call.arguments) == ("bashExecution", {"command": "ls"})
    assert (result.blocks, result.is_error) == ((Text("a\n"),), True)
    assert call.id == result.call_id == (name or "bash-7")


def test_a_result_inside_a_result_is_unwrapped() -> None:
    block = {"type": "toolResult", "toolCallId": "t1", "name": "bash", "text": "a b"}
    for role in ("toolResult", "tool"):
        [one] = messages(pi, [HEADER, said("r", role, [block], toolCallId="t1", toolName="bash")])
        assert (one.role, one.parts) == ("tool", (Result("t1", (Text("a b"),), None, "bash"),))


def test_an_answer_that_never_came_says_why() -> None:
    lines = [
        HEADER,
        said("1", "assistant", [], stopReason="aborted", errorMessage="Request was aborted."),
        said("2", "assistant", [], stopReason="error", errorMessage="429 too many"),
        said("3", "assistant", words("cut"), stopReason="aborted", errorMessage="Request was aborted."),
        said("4", "assistant", []),
    ]
    found = messages(pi, lines)
    assert [(text(one), one.marks) for one in found] == [
        ("Request was aborted.", ("interrupted",)),
        ("429 too many", ("api_error",)),
        ("cut", ()),
        ("", ()),
    ]


@pytest.mark.parametrize(
    ("message", "mark"),
    [
        ({"role": "user", "content": "[OpenClaw heartbeat poll]"}, "heartbeat"),
        (
            {"role": "user", "content": words("Read HEARTBEAT.md if it exists (workspace context).")},
            "heartbeat",
        ),
        ({"role": "assistant", "content": words("HEARTBEAT_OK")}, "heartbeat"),
        ({"role": "user", "content": "[OpenClaw exec completion]\nmore"}, "notification"),
        ({"role": "user", "content": "System: [2026-10-01] Exec finished\nSystem: done"}, "notification"),
        ({"role": "user", "content": "x", "provenance": {"kind": "inter_session"}}, "notification"),
        (
            {"role": "assistant", "content": "hi", "provider": "openclaw", "model": "gateway-injected"},
            "gateway",
        ),
        (
            {"role": "assistant", "content": "hi", "provider": "openclaw", "model": "delivery-mirror"},
            "gateway",
        ),
        ({"role": "custom", "customType": "x", "content": "hi"}, "meta"),
        (
            {"role": "user", "content": "A new session was started via /new or /reset. Greet the user."},
            "meta",
        ),
        ({"role": "user", "content": words("Pre-compaction memory flush. Store memories.")}, "meta"),
        (
            {
                "role": "user",
                "content": "Continue where you left off. The previous model attempt failed or timed out.",
            },
            "meta",
        ),
    ],
)
def test_what_openclaw_itself_says_is_marked(message: dict[str, Any], mark: str) -> None:
    [one] = messages(pi, [HEADER, entry("a", message=message)])
    assert one.marks == (mark,)


@pytest.mark.parametrize(
    "content", ["What does [OpenClaw heartbeat poll] mean?", "I like HEARTBEAT_OK", "System: x\nand me"]
)
def test_a_persons_words_about_heartbeats_are_not_marked(content: str) -> None:
    assert [one.marks for one in messages(pi, [HEADER, said("a", "user", content)])] == [()]


def test_a_runtime_context_is_environment() -> None:
    line = entry("c", "custom_message", customType="openclaw.runtime-context", content="ctx", display=False)
    [one] = messages(pi, [HEADER, line])
    assert (one.role, one.marks, text(one)) == ("user", ("environment",), "ctx")


def test_unknown_blocks_are_kept_and_unknown_entries_counted() -> None:
    found = events(
        pi,
        written([HEADER, said("a", "assistant", [{"type": "new", "x": 1}]), entry("b", "label")])
        + b"{half\n",
    )
    assert [one.parts for one in found if isinstance(one, Message)] == [(Raw({"type": "new", "x": 1}),)]
    assert [one.kind for one in found if isinstance(one, Skipped)] == ["label"]
    assert [one.line for one in found if isinstance(one, Damage)] == [4]


def test_a_title_given_later_is_a_fact() -> None:
    assert facts(pi, [HEADER, {**entry("a", "session_info"), "name": "Weather"}])["p1"]["title"] == "Weather"


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_sessions_of_pi() -> None:
    for path in files("codex", "gemini_cli", "claude_code", "qwen_code", "other_agents", "openai_messages"):
        assert not pi.detect(open_source(path)), path.name
