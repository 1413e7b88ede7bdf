"""Claude Code: the law of steps, on made, spoiled and real lines."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from claude_lines import ANSWER, SUBAGENT, agent, call, line, progress, queue, result, user, words
from hypothesis import given, settings, strategies as st
from reading import SESSIONS, events, files, messages, spoiled, written

from memctl.model import Message
from memctl.readers import claude_code

LINES = [
    {"type": "summary", "summary": "A title", "leafUuid": "u2"},
    *ANSWER,
    queue("enqueue", 1, "and the docs"),
    queue("remove", 2),
    *(progress(f"q{n}", "c1", "ab12", inner) for n, inner in enumerate(SUBAGENT)),
    user("r9", "q2", [result("t-task")], toolUseResult={"agentId": "ab12"}),
    user("x9", None, "aside", isSidechain=True),
    agent("x10", "x9", "m9", words("hm"), isSidechain=True),
    line("system", "s9", None, subtype="compact_boundary", logicalParentUuid="r9"),
    user("u9", "s9", "This session is being continued ...", isCompactSummary=True),
    user("u1", None, "another line of the same uuid"),
    line("tool_use", "t8", "u9", name="bash", input={}),
    line("tool_result", "r8", "t8", output="x"),
    agent("d1", "r8", "m8", words("bye"), call("t7")),
    agent("d2", "d1", "m8", words("really")),
]


def check_cuts(data: bytes, *, step: int = 1) -> None:
    """Check that each session of a file cut after any line is the beginning of that of the whole file.

    A message may grow at its end and take on the usage of its last piece; nothing else changes.
    """
    lines = data.split(b"\n")
    whole = by_session(data)
    for cut in range(0, len(lines), step):
        for session, beginning in by_session(b"\n".join(lines[:cut]) + b"\n").items():
            for early, late in zip(beginning, whole[session], strict=False):
                assert late.parts[: len(early.parts)] == early.parts
                assert replace(early, parts=(), usage=None) == replace(late, parts=(), usage=None)
            assert len(beginning) <= len(whole[session])


def by_session(data: bytes) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = {}
    for event in events(claude_code, data):
        if isinstance(event, Message):
            found.setdefault(event.session, []).append(event)
    return found


def test_a_file_cut_after_any_line_is_a_beginning() -> None:
    check_cuts(written(LINES))


@settings(max_examples=40)
@given(spoiled(LINES))
def test_spoiled_lines_are_read_and_any_cut_is_a_beginning(lines: list[Any]) -> None:
    data = written(lines)

    events(claude_code, data)
    ids = [(one.session, one.id) for one in messages(claude_code, lines) if one.id is not None]
    assert len(ids) == len(set(ids))
    check_cuts(data, step=5)


@settings(max_examples=25)
@given(st.permutations([one for one in LINES if one["type"] != "queue-operation"]))
def test_lines_in_any_order_lose_no_part(lines: list[Any]) -> None:
    def said(order: list[Any]) -> list[str]:
        return sorted(repr(part) for one in messages(claude_code, order) for part in one.parts)

    assert said(lines) == said([one for one in LINES if one["type"] != "queue-operation"])


REAL = [path for path in files("claude_code", "derived_edge_cases") if path.suffix == ".jsonl"]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.relative_to(SESSIONS).as_posix())
def test_real_sessions_cut_after_any_line_are_beginnings(path: Any) -> None:
    data = path.read_bytes()
    if data.startswith(b"\xff\xfe"):
        data = data.decode("utf-16").encode()
    check_cuts(data, step=1 + data.count(b"\n") * len(data) // 1_000_000)


@settings(max_examples=25)
@given(st.data())
def test_spoiled_real_lines_are_read(data: st.DataObject) -> None:
    small = [path for path in REAL if path.stat().st_size < 50_000]
    if not small:
        return
    path = data.draw(st.sampled_from(small))
    lines = [
        json.loads(raw)
        for raw in path.read_bytes().decode("utf-8", "ignore").split("\n")
        if raw[:1] == "{" and "}{" not in raw and raw[-1:] == "}"
    ]
    events(claude_code, written(data.draw(spoiled(lines))))


def test_what_a_line_says_is_hashed_alike_in_every_process() -> None:
    """What is known of a thread is kept from one hook to the next."""
    code = (
        "from memctl.model import Call, Image, Raw, Result, Text; from memctl.readers.claude_thread import _likeness;"
        "parts = Text('a'), Call('c', 'Bash', {'command': 'ls'}), Result('c', (Text('b'),)), Image('x', 'y'), Raw({'k': 1});"
        "print([_likeness(one) for one in parts])"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert said[0] == said[1]
    assert len(set(json.loads(said[0]))) == 5
