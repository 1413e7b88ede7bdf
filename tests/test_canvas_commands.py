"""A slash command with its arguments is a task's goal; the arguments alone say nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import entries, memctl


@pytest.mark.parametrize("name", ["/check", "check"])
def test_the_goal_of_a_command_names_the_command(tmp_path: Path, name: str) -> None:
    ask = (
        f"<command-message>check is running</command-message>\n<command-name>{name}</command-name>\n"
        "<command-args>--strict --out /tmp/report.txt</command-args>"
    )
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "make check"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": "fine"}
    said = [("user", ask), ("assistant", [call]), ("user", [result])]
    with (tmp_path / "one.jsonl").open("w") as out:
        for at, (role, content) in enumerate(said):
            line: dict[str, Any] = {
                "type": role,
                "sessionId": "s",
                "uuid": f"u{at}",
                "timestamp": f"2026-02-01T00:00:0{at}Z",
            }
            line["parentUuid"] = f"u{at - 1}" if at else None
            message = {"role": role, "content": content} | ({"id": "a"} if role == "assistant" else {})
            out.write(json.dumps(line | {"message": message}) + "\n")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", tmp_path / "one.jsonl")

    (canvas,) = memctl("-C", home, "canvas", "list", "--format", "json").data
    assert canvas["goal"] == "/check --strict --out /tmp/report.txt"
    assert [entry["node_id"] for entry in entries(home)] == ["001-N1"]
