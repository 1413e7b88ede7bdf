"""Claude Code: the law of steps, on made, spoiled and real lines."""

import json
from typing import Any

import pytest
from claude_lines import LINES, check_cuts
from hypothesis import given, settings, strategies as st
from reading import SESSIONS, events, files, messages, spoiled, written

from memctl.readers import claude_code


@settings(max_examples=25)
@given(st.permutations([one for one in LINES if one["type"] != "queue-operation"]))
def test_lines_in_any_order_lose_no_part(lines: list[Any]) -> None:
    def said(order: list[Any]) -> list[str]:
        return sorted(repr(part) for one in messages(claude_code, order) for part in one.parts)

    assert said(lines) == said([one for one in LINES if one["type"] != "queue-operation"])


REAL = [path for path in files("claude_code", "derived_edge_cases") if path.suffix == ".jsonl"]


@pytest.mark.shared
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.relative_to(SESSIONS).as_posix())
def test_real_sessions_cut_after_any_line_are_beginnings(path: Any) -> None:
    data = path.read_bytes()
    if data.startswith(b"\xff\xfe"):
        data = data.decode("utf-16").encode()
    check_cuts(data, step=1 + data.count(b"\n") * len(data) // 1_000_000)


@pytest.mark.shared
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
