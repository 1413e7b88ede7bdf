"""The law "steps do not matter" of transcripts that are one JSON document, saved anew after each message."""

import copy
import json
from pathlib import Path
from typing import Any

from running import memctl, messages, numberless, snapshot

ASK = "Count the tests of the parser, please"
LOOK, ANSWER, RESULT = "I list them.", "There are two.", "test_a.py\ntest_b.py"
ARGUMENTS = '{"command": "ls tests"}'
CALLS: list[dict[str, Any]] = [
    {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": ARGUMENTS}}
]
CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": ASK},
    {"role": "assistant", "content": LOOK, "tool_calls": CALLS},
    {"role": "tool", "tool_call_id": "c1", "content": RESULT},
    {"role": "assistant", "content": ANSWER},
]
BLOCK = "```bash\nls tests\n```"
COMMANDS = [
    {"role": "system", "content": f"Answer with one command:\n{BLOCK}"},
    {"role": "user", "content": f"{ASK}. For example:\n{BLOCK}"},
    {"role": "assistant", "content": f"{LOOK}\n{BLOCK}\n{BLOCK}"},
    {"role": "user", "content": "One command only."},
    {"role": "assistant", "content": f"{LOOK}\n\n{BLOCK}"},
    {"role": "user", "content": f"<returncode>0</returncode>\n<output>\n{RESULT}\n</output>"},
    {"role": "assistant", "content": f"{ANSWER}\n\n```bash\nsubmit\n```"},
]
UNSHOWN_COMMANDS = [
    {"role": "system", "content": "Answer with one command."},
    {"role": "user", "content": ASK},
    {"role": "assistant", "content": f"{LOOK}\n\n{BLOCK}"},
    {"role": "user", "content": f"The last command timed out. It said until then:\n{RESULT * 20}"},
    *COMMANDS[2:],
]
BLOCKS: list[dict[str, Any]] = [
    {"role": "user", "content": ASK},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "Bash", "input": {}}],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}],
    },
    {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
]
TIME = "2026-03-01T08:00:0"


def _node(number: int, role: str, content: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"id": f"n{number}", "author": {"role": role}, "content": content, **more}
    return {"id": f"n{number}", "parent": f"n{number - 1}", "children": [], "message": said}


def _event(number: int, kind: str, source: str, **more: Any) -> dict[str, Any]:
    return {"id": f"e{number}", "kind": kind, "source": source, "timestamp": f"{TIME}{number}", **more}


# By format: a document, and where in it the messages stand.
DOCUMENTS: list[tuple[str, Any, tuple[str | int, ...]]] = [
    ("openai", CHAT, ()),
    ("openai", {"session_id": "h1", "messages": CHAT}, ("messages",)),
    ("openai", [{"messages": CHAT}], (0, "messages")),
    (
        "anthropic",
        [
            {"role": "user", "content": ASK},
            {"role": "assistant", "content": LOOK},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}]},
            {"role": "assistant", "content": ANSWER},
        ],
        (),
    ),
    (
        "openai-responses",
        [
            {"role": "user", "content": ASK},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": LOOK}]},
            {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": ARGUMENTS},
            {"type": "function_call_output", "call_id": "c1", "output": RESULT},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]},
        ],
        (),
    ),
    ("mini-swe-agent", COMMANDS, ()),
    ("mini-swe-agent", UNSHOWN_COMMANDS, ()),
    ("mini-swe-agent", {"info": {}, "messages": COMMANDS}, ("messages",)),
    ("mini-swe-agent", {"trajectory_format": "mini-swe-agent-1", "messages": COMMANDS}, ("messages",)),
    ("mini-swe-agent", {"trajectory_format": "mini-swe-agent-1.1", "messages": CHAT}, ("messages",)),
    ("swe-agent", {"history": [{**one, "agent": "main"} for one in CHAT], "trajectory": []}, ("history",)),
    (
        "swe-agent",
        {
            "trajectory": [
                {
                    "query": [{"role": "user", "content": ASK}],
                    "thought": LOOK,
                    "action": "ls tests\n",
                    "observation": RESULT,
                    "response": LOOK,
                },
                {"thought": ANSWER, "action": "submit\n", "observation": "", "response": ANSWER},
            ],
            "info": {},
        },
        ("trajectory",),
    ),
    (
        "gemini",
        {
            "sessionId": "g1",
            "projectHash": "p",
            "startTime": f"{TIME}0Z",
            "messages": [
                {"id": "1", "timestamp": f"{TIME}1Z", "type": "user", "content": ASK},
                {
                    "id": "2",
                    "timestamp": f"{TIME}2Z",
                    "type": "gemini",
                    "content": LOOK,
                    "toolCalls": [{"id": "c1", "name": "shell", "args": {"command": "ls"}, "result": []}],
                },
                {"id": "3", "timestamp": f"{TIME}3Z", "type": "gemini", "content": ANSWER},
            ],
        },
        ("messages",),
    ),
    (
        "claude-code",
        [
            {
                "type": one["role"],
                "uuid": f"u{place}",
                "parentUuid": f"u{place - 1}" if place else None,
                "sessionId": "s1",
                "timestamp": f"{TIME}{place}Z",
                "message": one,
            }
            for place, one in enumerate(BLOCKS)
        ],
        (),
    ),
    (
        "openhands",
        [
            _event(1, "MessageEvent", "user", llm_message={"role": "user", "content": [{"text": ASK}]}),
            _event(
                2,
                "ActionEvent",
                "agent",
                tool_name="terminal",
                tool_call_id="t:0",
                tool_call=CALLS[0],
                thought=[],
            ),
            _event(
                3,
                "ObservationEvent",
                "environment",
                tool_call_id="t:0",
                action_id="e2",
                observation={"content": [{"type": "text", "text": RESULT}], "is_error": False},
            ),
            _event(
                4, "MessageEvent", "agent", llm_message={"role": "assistant", "content": [{"text": ANSWER}]}
            ),
        ],
        (),
    ),
    (
        "openhands",
        [
            {
                "id": 0,
                "timestamp": f"{TIME}0",
                "source": "user",
                "action": "message",
                "args": {"content": ASK},
            },
            {"id": 1, "timestamp": f"{TIME}1", "source": "agent", "action": "run", "args": {"command": "ls"}},
            {
                "id": 3,
                "timestamp": f"{TIME}3",
                "source": "agent",
                "observation": "run",
                "content": RESULT,
                "cause": 1,
            },
            {
                "id": 4,
                "timestamp": f"{TIME}4",
                "source": "agent",
                "action": "message",
                "args": {"content": ANSWER},
            },
        ],
        (),
    ),
    (
        "atif",
        {
            "schema_version": "ATIF-v1.5",
            "session_id": "z",
            "agent": {"name": "demo", "version": "1"},
            "steps": [
                {"step_id": 1, "source": "user", "message": ASK},
                {
                    "step_id": 2,
                    "source": "agent",
                    "message": LOOK,
                    "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {}}],
                    "observation": {"results": [{"source_call_id": "c1", "content": RESULT}]},
                },
                {"step_id": 3, "source": "agent", "message": ANSWER},
            ],
        },
        ("steps",),
    ),
    ("tau-bench", [{"task_id": 0, "trial": 0, "reward": 1.0, "info": {}, "traj": CHAT}], (0, "traj")),
    *(
        (
            "cline",
            [
                {"role": "user", "content": [{"type": "text", "text": asked}]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": f"{LOOK}\n<list_files>\n<path>tests</path>\n</list_files>"}
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "[list_files for 'tests'] Result:"},
                        {"type": "text", "text": RESULT},
                    ],
                },
                {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
            ],
            (),
        )
        for asked in (f"<task>\n{ASK}\n</task>", ASK)  # the second is known as Cline's by its results
    ),
    (
        "cline",
        [
            {"ts": 1780000000000, "type": "say", "say": "task", "text": ASK},
            {"ts": 1780000001000, "type": "say", "say": "text", "text": LOOK},
            {"ts": 1780000002000, "type": "ask", "ask": "command", "text": "ls tests"},
            {"ts": 1780000003000, "type": "say", "say": "command_output", "text": RESULT},
            {"ts": 1780000004000, "type": "say", "say": "text", "text": ANSWER},
        ],
        (),
    ),
    (
        "opencode",
        {
            "info": {"id": "ses_1", "title": "t", "directory": "/w", "time": {"created": 1780000000000}},
            "messages": [
                {
                    "info": {
                        "id": f"m{place}",
                        "sessionID": "ses_1",
                        "role": role,
                        "time": {"created": 1780000000000},
                    },
                    "parts": [{"id": f"p{place}", "type": "text", "text": words}],
                }
                for place, (role, words) in enumerate(
                    [("user", ASK), ("assistant", LOOK), ("assistant", ANSWER)]
                )
            ],
        },
        ("messages",),
    ),
    (
        "chatgpt",
        [
            {
                "title": "t",
                "conversation_id": "c1",
                "mapping": {
                    "n0": {"id": "n0", "parent": None, "children": [], "message": None},
                    "n1": _node(1, "user", {"content_type": "text", "parts": [ASK]}),
                    "n2": _node(2, "assistant", {"content_type": "code", "text": "ls"}, recipient="python"),
                    "n3": _node(3, "tool", {"content_type": "execution_output", "text": RESULT}),
                    "n4": _node(4, "assistant", {"content_type": "text", "parts": [ANSWER]}),
                },
            }
        ],
        (0, "mapping"),
    ),
    (
        "claude-ai",
        [
            {
                "uuid": "a1",
                "name": "t",
                "chat_messages": [
                    {"uuid": f"m{place}", "sender": sender, "text": words, "created_at": f"{TIME}{place}Z"}
                    for place, (sender, words) in enumerate(
                        [("human", ASK), ("assistant", LOOK), ("human", "Go on")]
                    )
                ],
            }
        ],
        (0, "chat_messages"),
    ),
    (
        "sharegpt",
        [
            {
                "conversations": [
                    {"from": "human", "value": ASK},
                    {"from": "function_call", "value": '{"name": "ls", "arguments": {}}'},
                    {"from": "observation", "value": RESULT},
                    {"from": "gpt", "value": ANSWER},
                ]
            }
        ],
        (0, "conversations"),
    ),
    (
        "locomo",
        [
            {
                "sample_id": "c-1",
                "conversation": {
                    "speaker_a": "Ann",
                    "speaker_b": "Bo",
                    "session_1_date_time": "1:56 pm on 8 May, 2023",
                    "session_1": [
                        {"speaker": name, "dia_id": f"D1:{place}", "text": f"{ASK} {place}"}
                        for place, name in enumerate(("Ann", "Bo", "Ann"))
                    ],
                },
            }
        ],
        (0, "conversation", "session_1"),
    ),
    (
        "longmemeval",
        {
            "case_id": "1",
            "queries": [{"question": "?"}],
            "sessions": [{"session_id": "l1", "messages": [CHAT[1], CHAT[4], CHAT[1]]}],
        },
        ("sessions", 0, "messages"),
    ),
    (
        "langsmith",
        [
            {"type": "human", "id": "h", "content": ASK},
            {
                "type": "ai",
                "id": "a",
                "content": LOOK,
                "tool_calls": [{"name": "ls", "args": {}, "id": "c1"}],
            },
            {"type": "tool", "id": "t", "content": RESULT, "tool_call_id": "c1"},
            {"type": "ai", "id": "b", "content": ANSWER},
        ],
        (),
    ),
]


def beginnings(document: Any, place: tuple[str | int, ...]) -> list[Any]:
    """Give *document* as it was after each message of the list (or object) that stands at *place*."""
    found = document
    for key in place:
        found = found[key]
    given = []
    for count in range(1, len(found) + 1):
        cut = found[:count] if isinstance(found, list) else dict(list(found.items())[:count])
        whole = copy.deepcopy(document)
        inner = whole
        for key in place[:-1]:
            inner = inner[key]
        if place:
            inner[place[-1]] = cut
        given.append(whole if place else cut)
    return given


def save(folder: Path, age: int) -> None:
    """Write each document as it was *age* messages before its end, or at its first."""
    folder.mkdir(exist_ok=True)
    for number, (name, document, place) in enumerate(DOCUMENTS):
        states = beginnings(document, place)
        state = json.dumps(states[max(0, len(states) - 1 - age)])
        (folder / f"{number}-{name}.json").write_text(state.replace(ASK, f"{ASK}: {name} {number}"))


def test_documents_saved_after_each_message_equal_their_last_state(tmp_path: Path) -> None:
    folder, steps, once = tmp_path / "runs", tmp_path / "steps", tmp_path / "once"
    ages = range(max(len(beginnings(document, place)) for _, document, place in DOCUMENTS))

    for age in reversed(ages):
        save(folder, age)
        memctl("-q", "-C", steps, "ingest", folder, code=None)  # what has no user message yet is nothing
    told = memctl("-C", once, "ingest", folder, "--format", "json").data
    whole = snapshot(once)

    formats = {Path(row["path"]).name.split("-")[0]: row["format"] for row in told["sources"]}
    assert formats == {str(number): name for number, (name, _, _) in enumerate(DOCUMENTS)}
    assert len({message["sessionId"] for message in messages(once)}) == len(DOCUMENTS)
    assert numberless(whole) == numberless(snapshot(steps))
    for age in ages:  # an older state adds nothing
        save(folder, age)
        memctl("-q", "-C", once, "ingest", folder, code=None)
    assert whole == snapshot(once)


def test_a_run_that_two_clones_read_as_different_formats_merges_to_its_last_state(tmp_path: Path) -> None:
    run, early, late = tmp_path / "run.json", tmp_path / "early", tmp_path / "late"
    run.write_text(json.dumps(UNSHOWN_COMMANDS[:4]))
    memctl("-q", "-C", early, "ingest", run)
    run.write_text(json.dumps(UNSHOWN_COMMANDS))
    memctl("-q", "-C", late, "ingest", run)
    whole = snapshot(late)
    [ours], [theirs] = early.glob("conversations/*"), late.glob("conversations/*")
    both = ours.read_bytes(), theirs.read_bytes()
    assert b'"openai"' in both[0]

    for first, second in (both, both[::-1]):
        theirs.write_bytes(first + second)
        memctl("-C", late, "check", "--fix", code=None)
        assert whole == snapshot(late)
