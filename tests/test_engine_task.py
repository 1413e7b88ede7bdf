"""What a model judges of a task."""

import json
from pathlib import Path

from answering import give
from claude_chat import call, chat, line, result
from running import memctl


def test_what_a_model_judged_holds_until_the_task_goes_on(tmp_path: Path) -> None:
    source = chat(tmp_path / "chat.jsonl")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    judged = {"tasks": [{"canvas": 1, "goal": "run all the tests", "status": "cancelled"}]}
    give(home, "task", "s1", judged)

    assert memctl("-C", home, "canvas", "list").out.split()[2] == "cancelled"
    more = [
        line("user", "u3", "Thanks!"),
        line("assistant", "a3", [call("2", command="pytest -q -x")]),
        line("user", "u4", [result("2", "12 passed")]),
    ]
    source.write_bytes(source.read_bytes() + json.dumps(more[0]).encode() + b"\n")
    memctl("-q", "-C", home, "ingest", source)
    assert memctl("-C", home, "canvas", "list").out.split()[2] == "cancelled"
    source.write_bytes(source.read_bytes() + b"".join(json.dumps(one).encode() + b"\n" for one in more[1:]))
    memctl("-q", "-C", home, "ingest", source)

    shown = memctl("-C", home, "canvas", "list").out
    assert shown.split()[2] != "cancelled"
    assert "run all the tests" in shown
