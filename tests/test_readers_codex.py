"""Codex rollouts: all their forms, what repeats, what is injected, and the law of beginnings."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import (
    check_beginnings,
    events,
    facts,
    files,
    messages,
    parts,
    tally,
    text,
    written,
)
from transcripts.codex import SESSION, T, event, item, line, meta, said

from memctl.model import Call, Image, Message, Result, SessionFacts, Skipped, Text, Thinking
from memctl.readers import codex
from memctl.readers.source import Source, open_source
from memctl.summarize import unwrap

ROLLOUTS = files("codex")


def counted(path: Path) -> Counter[str]:
    """Count straight from the JSON, without the reader's help."""
    count: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for raw in path.read_text().split("\n"):
        record = json.loads(raw) if raw.strip() else {}
        inner = record.get("payload", record)
        kind = inner.get("type", "message" if "role" in inner else "")
        if record.get("type") == "event_msg":
            shown.update({"user_message": ["user"], "agent_message": ["assistant"]}.get(kind, []))
        elif kind == "message":
            injected = "<environment_context>" in raw
            count.update(
                ["system" if inner["role"] == "developer" else inner["role"]] if not injected else []
            )
        elif "output" in kind or "result" in kind:
            count.update(["results"])
        elif kind.endswith("_call"):
            count.update(["calls"])
    for role in ("user", "assistant"):
        count[role] = count[role] or shown[role]
    return count


@pytest.mark.shared
@pytest.mark.parametrize("path", ROLLOUTS, ids=lambda path: path.name)
def test_a_shared_rollout_gives_what_an_independent_count_finds(path: Path) -> None:
    source = open_source(path)
    assert codex.detect(source)
    found = [event for event in codex.read(source) if isinstance(event, Message)]
    words = [one for one in found if one.role != "assistant" or parts([one], Text)]
    got = tally([one for one in words if one.role in ("user", "assistant")]) | tally(found)
    got["assistant"] = sum(one.role == "assistant" for one in words)
    expected = counted(path)
    for what in ("user", "assistant", "calls", "results"):
        assert got[what] == expected[what], what


@pytest.mark.shared
@pytest.mark.parametrize("path", ROLLOUTS, ids=lambda path: path.name)
def test_a_rollout_cut_after_any_line_is_a_beginning(path: Path) -> None:
    check_beginnings(codex, path.read_bytes())


def test_a_wrapped_rollout_reads_as_one_session_in_order() -> None:
    found = messages(codex, SESSION)
    assert [one.role for one in found] == ["user", "user", *["assistant"] * 4, "tool", "tool", "assistant"]
    assert [text(one) for one in found if text(one)][1:] == ["fix the port", "I will look.", "Done."]
    assert found[0].marks == ("environment",)
    assert found[1].marks == ()
    assert found[4].parts == (Call("k1", "shell", '{"command":["grep","-rn","8080"]}'),)
    assert found[5].parts == (Call("k2", "apply_patch", "*** Begin Patch\n*** End Patch"),)
    assert found[-1].model == "m-1"
    assert facts(codex, SESSION)["c1"] == {
        "agent": "Codex",
        "cwd": "/w",
        "version": "0.90.0",
        "branch": "main",
        "model": "m-1",
    }


def test_an_output_is_kept_byte_for_byte_and_its_exit_code_is_read() -> None:
    results = parts(messages(codex, SESSION), Result)
    assert [part.is_error for part in results] == [False, True]
    assert results[0].blocks == (Text('{"output":"cfg.py:3","metadata":{"exit_code":0}}'),)


@pytest.mark.parametrize(
    ("output", "blocks", "failed"),
    [
        ("plain", (Text("plain"),), None),
        ("", (), None),
        ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok", None, False),
        ("Chunk ID: a1\nProcess exited with code 2\nOutput:\nProcess exited with code 0\n", None, True),
        ("Output:\nExit code: 1\n", None, None),
        ('{"success": false}', None, None),
        ('{"output": "cut', None, None),
        (
            [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
            (Text("a"), Text("b")),
            None,
        ),
        ([{"text": "from a server"}], (Text("from a server"),), None),
        (
            [{"type": "input_image", "image_url": "data:image/png;base64,QUJD"}],
            (Image("image/png", "QUJD"),),
            None,
        ),
        ({"type": "input_text", "text": "one block"}, (Text("one block"),), None),
        ({"content": "bad", "success": False}, (Text("bad"),), True),
        ([1, 2], (Text("[1,2]"),), None),
        ({"rows": 2}, (Text('{"rows":2}'),), None),
    ],
)
def test_every_shape_of_an_output_is_read(output: Any, blocks: Any, failed: Any) -> None:
    call = item("function_call", name="t", arguments="{}", call_id="k")
    [result] = parts(
        messages(codex, [meta(), call, item("function_call_output", call_id="k", output=output)]), Result
    )
    assert result.is_error is failed
    assert result.blocks == (blocks if blocks is not None else (Text(output),))


def test_calls_without_a_name_of_their_own_are_named() -> None:
    calls = [
        item("local_shell_call", call_id="a", action={"type": "exec", "command": ["ls"]}),
        item("web_search_call", id="ws_1", action={"type": "search", "query": "q"}),
        item("tool_search_call", call_id="b", arguments={"query": "q"}),
        item("image_generation_call", id="ig_1", revised_prompt="a cat", result="QUJD"),
        item("function_call", call_id="c", namespace="mcp__mail", name="_search", arguments="{}"),
    ]
    found = messages(codex, [meta(), *calls])
    names = [(call.id, call.name) for call in parts(found, Call)]
    assert names == [
        ("a", "local_shell"),
        ("ws_1", "web_search"),
        ("b", "tool_search"),
        ("ig_1", "image_generation"),
        ("c", "mcp__mail__search"),
    ]
    assert parts(found, Image) == [Image("image/png", data="QUJD")]


def test_reasoning_keeps_its_summaries_and_what_is_encrypted() -> None:
    summaries = [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}]
    found = messages(
        codex,
        [
            meta(),
            item("reasoning", summary=summaries, encrypted_content="E"),
            item("reasoning", summary=[], encrypted_content="F"),
        ],
    )
    assert parts(found, Thinking) == [Thinking("a"), Thinking("b", "E"), Thinking("", "F")]


def test_a_thought_told_just_before_its_item_is_one_thought() -> None:
    assert parts(messages(codex, SESSION), Thinking) == [Thinking("**Look first**", "gAAA")]


def test_events_are_the_messages_where_no_item_is_one() -> None:
    told = [meta(), event("user_message", message="hello"), event("agent_message", message="hi")]
    assert [(one.role, text(one)) for one in messages(codex, told)] == [
        ("user", "hello"),
        ("assistant", "hi"),
    ]


def test_an_event_before_the_first_item_of_its_kind_is_told_once() -> None:
    lines = [
        meta(),
        event("user_message", message="hello", images=["data:image/png;base64,QUJD"]),
        event("agent_reasoning", text="think"),
        event("agent_message", message="hi"),
        item(
            "message",
            role="user",
            content=[
                {"type": "input_text", "text": "hello"},
                {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
            ],
        ),
        item("reasoning", summary=[{"type": "summary_text", "text": "think"}], encrypted_content="E"),
        said("assistant", "hi"),
        event("agent_message", message="a later event only repeats"),
    ]
    found = messages(codex, lines)
    assert [text(one) for one in found if text(one)] == ["hello", "hi"]
    assert parts(found, Image) == [Image("image/png", data="QUJD")]
    assert parts(found, Thinking) == [Thinking("think"), Thinking("", "E")]  # what was not said yet
    check_beginnings(codex, written(lines))


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("<environment_context>\n<cwd>/w</cwd>\n</environment_context>", "environment"),
        ("<user_instructions>\n\nbe brief\n\n</user_instructions>\n", "instructions"),
        ("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "instructions"),
        ("<turn_aborted>\nThe user interrupted\n</turn_aborted>", "interrupted"),
        ("<user_shell_command>\n<command>ls</command>\n</user_shell_command>", "command"),
    ],
)
def test_what_the_program_says_in_the_users_name_is_marked(words: str, mark: str) -> None:
    [one] = messages(codex, [meta(), said("user", words)])
    assert one.marks == (mark,)
    assert text(one) == words


def test_a_persons_words_beside_a_block_are_not_marked() -> None:
    [one] = messages(codex, [meta(), said("user", "<environment_context>x</environment_context> now fix it")])
    assert one.marks == ()


def test_a_developer_message_is_the_systems_and_marked() -> None:
    [one] = messages(codex, [meta(), said("developer", "use the sandbox")])
    assert (one.role, one.marks) == ("system", ("instructions",))


def test_a_fork_is_one_session_that_names_its_parent() -> None:
    lines = [
        meta("new", forked_from_id="old"),
        meta("old"),
        said("user", "hi"),
        meta("old"),
        said("user", "again"),
    ]
    assert {one.session for one in messages(codex, lines)} == {"new"}
    assert facts(codex, lines)["new"]["parent"] == "old"


def test_a_subagent_names_its_parent() -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}
    assert facts(codex, [meta("s", source=spawn), said("user", "go")])["s"]["parent"] == "p"


def test_another_id_after_messages_begins_another_session() -> None:
    lines = [meta("one"), said("user", "a"), meta("one"), said("user", "b"), meta("two"), said("user", "c")]
    assert [one.session for one in messages(codex, lines)] == ["one", "one", "two"]


def test_usage_is_counted_once_an_answer_on_its_last_message() -> None:
    used = [one.usage for one in messages(codex, SESSION)]
    assert used == [None] * 5 + [{"input_tokens": 3}] + [None] * 3
    repeated = event(
        "token_count", info={"total_token_usage": {"n": 3}, "last_token_usage": {"input_tokens": 3}}
    )
    assert [
        one.usage for one in messages(codex, [*SESSION, repeated, event("token_count", info=None)])
    ] == used


def test_a_compaction_is_a_marked_message_and_its_history_is_not_read_again() -> None:
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix the port"}]}
    ]
    [one] = messages(codex, [meta(), line("compacted", message="what was", replacement_history=history)])
    assert (one.role, one.marks, text(one)) == ("user", ("compact_summary",), "what was")
    assert messages(codex, [meta(), line("compacted", message="", replacement_history=history)]) == []


def test_a_bare_rollout_is_read() -> None:
    lines = [
        {"id": "b1", "timestamp": T.format(0), "instructions": None, "git": {"branch": "dev"}},
        {"record_type": "state"},
        {
            "type": "message",
            "id": None,
            "role": "user",
            "content": [
                {
                    "type": "input_text",
                    "text": "<environment_context>\nCurrent working directory: /bare\n</environment_context>",
                }
            ],
        },
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"record_type": "state"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E"},
        {"type": "function_call", "id": "fc_1", "name": "shell", "arguments": "{}", "call_id": "k"},
        {"type": "function_call_output", "call_id": "k", "output": "ok"},
    ]
    assert codex.detect(Source.from_bytes(written(lines)))
    found = messages(codex, lines)
    assert [one.role for one in found] == ["user", "user", "assistant", "assistant", "tool"]
    assert [one.id for one in found] == [None, None, "rs_1", "fc_1", None]
    assert all(one.timestamp is None for one in found)
    assert facts(codex, lines) == {
        "b1": {"agent": "Codex", "started": T.format(0), "branch": "dev", "cwd": "/bare"}
    }
    assert Skipped("state", "b1") in events(codex, written(lines))


def test_the_toy_form_is_read() -> None:
    lines = [
        {"timestamp": T.format(0), "role": "user", "content": "translate", "model": "m"},
        {
            "timestamp": T.format(1),
            "type": "tool_call",
            "function": {"name": "tr"},
            "arguments": '{"to":"es"}',
        },
        {"timestamp": T.format(1), "type": "tool_result", "name": "tr", "result": "hola"},
        {"created_at": T.format(2), "role": "assistant", "message": "hola"},
        {"timestamp": T.format(3), "type": "error", "text": "boom"},
    ]
    assert codex.detect(Source.from_bytes(written(lines)))
    found = messages(codex, lines)
    assert [one.role for one in found] == ["user", "assistant", "tool", "assistant", "system"]
    assert found[1].parts == (Call(None, "tr", '{"to":"es"}'),)
    assert found[2].parts == (Result(None, (Text("hola"),), None, "tr"),)


@pytest.mark.parametrize(
    "line",
    [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "sh"}}]},
        {"role": "tool", "tool_call_id": "c", "name": "sh", "content": "91%"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "sh", "input": {}}]},
        {"role": "assistant", "content": "ok", "session_id": "s1"},
        {"role": "assistant", "content": "ok"},
    ],
)
def test_chat_lines_with_times_are_no_rollout(line: dict[str, Any]) -> None:
    lines = [
        {"timestamp": T.format(0), "role": "user", "content": "check the disk"},
        line | {"timestamp": T.format(1)},
    ]
    assert not codex.detect(Source.from_bytes(written(lines)))
    assert not codex.detect(Source.from_bytes(written(lines[:1])))  # nor the beginning of one


FAILURES = {
    'exec_command failed for `/bin/zsh -lc "git push"`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }': (
        "refused by the user"
    ),
    "patch rejected by user": "refused by the user",
    "user rejected MCP tool call": "refused by the user",
    "apply_patch verification failed: Failed to find expected lines in a.ts:\nfoo": "",
    "failed to parse function arguments: missing field `command`": "",
    "unsupported call: read_file": "",
    "execution error: Io(Os { code: 2 })": "",
    "aborted": "interrupted",
    "failed in sandbox LinuxSeccomp with exit code 1": "",
    "tool call error: tool call failed for `linear/get`": "",
    "write_stdin failed: Unknown process id 4": "",
    "unable to locate image at `/tmp/x.png`: No such file": "",
    "Command '[\"ls\"]' was rejected: approval required by policy, but AskForApproval is set to Never": (
        "permission not granted"
    ),
    "This action was rejected due to unacceptable risk.\nReason: x": "permission denied",
    'Wall time: 0.03 seconds\nOutput:\n{"isError":true,"content":[{"type":"text","text":"boom"}]}': "",
}


@pytest.mark.parametrize("output", FAILURES)
def test_a_call_that_did_not_run_has_failed(output: str) -> None:
    lines = [*SESSION[:1], item("function_call_output", call_id="c", output=output)]
    result = next(part for one in messages(codex, lines) for part in one.parts if isinstance(part, Result))
    assert result.is_error is True
    assert unwrap.read(output, is_error=True).refused == FAILURES[output]


@pytest.mark.parametrize(
    "output",
    [
        "Exit code: 0\nWall time: 1 seconds\nOutput:\nunsupported call: x",
        'Wall time: 1 seconds\nOutput:\n{"isError":false}',
        "the run was aborted",
        "Plan updated",
    ],
)
def test_what_only_speaks_of_failures_has_not_failed(output: str) -> None:
    lines = [*SESSION[:1], item("function_call_output", call_id="c", output=output)]
    result = next(part for one in messages(codex, lines) for part in one.parts if isinstance(part, Result))
    assert result.is_error is not True


def test_a_bad_line_costs_that_line_and_unknown_kinds_are_counted() -> None:
    data = (
        written(SESSION[:4]) + b'{"half\n[]\nnull\n' + written([line("world_state"), item("ghost_snapshot")])
    )
    found = events(codex, data)
    assert len([one for one in found if isinstance(one, Message)]) == 2
    skipped = [one.kind for one in found if isinstance(one, Skipped)]
    assert skipped[-4:] == ["not an object", "not an object", "world_state", "response_item.ghost_snapshot"]


@pytest.mark.shared
def test_other_transcripts_are_not_taken_for_rollouts() -> None:
    for path in files(
        "pi", "openclaw", "gemini_cli", "claude_code", "qwen_code", "openai_messages", "sharegpt"
    ):
        assert not codex.detect(open_source(path)), path.name


def test_a_header_alone_is_a_session_without_messages() -> None:
    assert [type(one) for one in events(codex, written([meta()]))] == [SessionFacts]


def test_the_first_line_of_an_early_rollout_is_known_as_one() -> None:
    """One line alone is a JSON document, too: it must not be taken for another format than the whole file is."""
    line = {
        "timestamp": "2025-09-10T10:00:00Z",
        "role": "user",
        "content": "Which branch?",
        "model": "o4-mini",
    }
    assert codex.detect(Source.from_bytes(json.dumps(line).encode() + b"\n"))
