"""A session drawn as a Mermaid diagram of its calls, and the same calls back from it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from real_mermaid import draw, judge
from running import memctl

from memctl.ask.trace import calls
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.source import prepare
from memctl.canvas.trace import FIELDS, MOST_CHARACTERS, drawn_size, parse_trace, write_trace
from memctl.errors import InputError
from memctl.store import find, messages, open_store

MOST_JUDGED = 4  # calls; Mermaid takes minutes for hundreds
TYPES = ["state", "flowchart"]

text = st.text(st.characters(codec=None), max_size=30) | st.sampled_from(
    [
        "%%{init: {}}%%",
        '<b a="x">',
        "__init__",
        "*a*",
        "direction LR",
        "end",
        "C4Context",
        "`",
        "]",
        '"',
        "--> c1",
    ]
)
json_value = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
records = st.fixed_dictionaries(
    {
        "seq": st.integers(1, 99),
        "tool_call_id": text,
        "tool": text,
        "arguments": json_value,
        "kind": st.sampled_from(["run", "read", "edit", "test", "?"]),
        "status": st.sampled_from(["ok", "error", "missing"]),
        "timestamp": st.none() | text,
        "node_id": st.none() | text,
        "summary": text,
        "target": text,
    }
)


def accepts(trace: str) -> bool:
    """Say whether Mermaid reads a trace, without its comments: Mermaid drops them before, we for speed."""
    lines = [line for line in trace.split("\n") if not line.startswith("%% ")]
    return bool(judge("\n".join(lines))["ok"])


def kept(call: dict[str, Any]) -> dict[str, Any]:
    return {name: call[name] for name in FIELDS}


@given(st.lists(records, max_size=5), text, st.sampled_from(TYPES))
def test_what_is_written_is_read_back(found: list[dict[str, Any]], session: str, form: Any) -> None:
    written = write_trace(found, session, form)

    assert parse_trace(written) == [kept(call) for call in found]
    assert parse_trace(written.encode("utf-8").decode().replace("\n", "\r\n")) == [
        kept(call) for call in found
    ]


@settings(max_examples=30)
@given(st.lists(records, min_size=1, max_size=3), text, st.sampled_from(TYPES))
def test_mermaid_takes_any_call(found: list[dict[str, Any]], session: str, form: Any) -> None:
    written = write_trace(found, session, form)
    assert judge(written)["ok"]
    assert accepts(written)


def call(seq: int, **fields: Any) -> dict[str, Any]:
    plain: dict[str, Any] = dict.fromkeys(FIELDS)
    return plain | {
        "seq": seq,
        "tool_call_id": f"t{seq}",
        "tool": "Bash",
        "arguments": {"command": "pytest -q " + "x" * 900},
        "kind": "test",
        "status": "ok",
        "summary": "tests/test_long_name.py: 31 passed in a very long time, with many words to say so",
        "target": "pytest -q tests/test_long_name.py",
    } | fields  # fmt: skip


@pytest.mark.parametrize("form", TYPES)
def test_a_step_shows_the_tool_the_target_and_what_came_of_it(form: Any) -> None:
    found = [
        call(1, tool="Read", target="__init__.py", summary="__init__.py: empty", kind="read"),
        call(2, status="error", summary="2 failed: test_a *KeyError* 'tz'"),
    ]

    svg = draw(write_trace(found, "s", form))

    labels = re.findall(r'class="nodeLabel[^>]*>(?:<p>)?(.*?)(?:</p>)?</span>', svg, re.DOTALL)
    assert [label.replace("<br />", "\n").replace("<br/>", "\n") for label in labels] == [
        "Read __init__.py\nok: empty",
        "Bash pytest -q tests/test_long_name.py\nerror: 2 failed: test_a *KeyError* 'tz'",
    ]


@pytest.mark.parametrize("form", TYPES)
def test_a_long_session_keeps_within_what_mermaid_draws(form: Any) -> None:
    written = write_trace([call(seq) for seq in range(1, 501)], "s", form)

    assert drawn_size(written.split("\n")) < MOST_CHARACTERS


@pytest.mark.parametrize("count", [500, 501, 1001])
def test_a_very_long_session_keeps_within_what_mermaid_links(count: int) -> None:
    written = write_trace([call(seq) for seq in range(1, count + 1)], "s", "flowchart")

    chart = parse_flowchart(prepare(written))
    assert not chart.faults
    assert sum(name.startswith("c") for name in chart.vertices) == count
    assert len(chart.links) <= 500


def test_a_text_that_is_no_trace_is_an_error() -> None:
    with pytest.raises(InputError, match="not a trace"):
        parse_trace("flowchart TD\na --> b\n")


def test_a_damaged_call_is_named_by_its_line() -> None:
    written = write_trace([call(1)], "s", "state").replace('"tool"', '"tool')

    with pytest.raises(InputError, match="line 3"):
        parse_trace(written)


# --------------------------------------------------------------------------- the command


def test_the_command_gives_the_same_calls_from_the_session_and_from_its_trace(
    tmp_path: Path, samples: Path
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    for row in memctl("-C", home, "session", "list", "--format", "json").data:
        for form in TYPES:
            drawn = memctl("-C", home, "session", "trace", row["id"], "--type", form).out
            direct = memctl("-C", home, "session", "trace", row["id"], "--format", "jsonl").out
            parsed = memctl("session", "trace", "--parse", "-", "--format", "jsonl", stdin=drawn).out
            assert parsed == direct
            assert direct.count("\n") == row["calls"]
            assert accepts(drawn)


def test_the_arguments_are_what_the_transcript_had(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    told = 0
    for path in sorted((home / "conversations").glob("*.jsonl")):
        session = messages.session_of(path)
        had = {
            part["call_id"]: (part["name"], part["arguments"])
            for stored in messages.conversation(path)
            for part in stored.parts
            if part.get("type") == "call"
        }
        drawn = memctl("-C", home, "session", "trace", session).out
        for each in parse_trace(drawn):
            if each["tool_call_id"] in had:
                assert (each["tool"], each["arguments"]) == had[each["tool_call_id"]]
                told += 1
    assert told > 30


def test_a_trace_of_nothing_or_of_both_is_a_usage_error(tmp_path: Path) -> None:
    memctl("session", "trace", code=2)
    memctl("session", "trace", "x", "--parse", "-", code=2)
    missing = memctl("session", "trace", "--parse", tmp_path / "none.mmd", code=None)
    assert missing.code == 3
    assert "none.mmd" in missing.err


# --------------------------------------------------------------------------- real sessions


def test_every_shared_session_comes_back_call_by_call(tmp_path: Path, shared: Path, request: Any) -> None:
    home = tmp_path / "memory"
    folders = ["claude_code/growing_session", "codex", "gemini_cli", "openclaw", "opencode", "tau_bench"]
    whole = request.config.getoption("--long")
    memctl("-q", "-C", home, "ingest", *([shared] if whole else [shared / name for name in folders]))
    store = open_store(find(str(home)))
    traced = 0
    for path in store.conversations():
        session = messages.session_of(path)
        found = calls(store, session)
        for form in TYPES if found else ():
            written = write_trace(found, session, form)  # type: ignore[arg-type]  # its words
            again = parse_trace(written)
            assert json.dumps(again) == json.dumps([kept(each) for each in found])
            if len(found) < MOST_JUDGED or whole:
                assert accepts(written), session
        traced += len(found)
    assert traced > 90
