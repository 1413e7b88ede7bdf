"""A context keeps what matters as it was, and names where the rest is."""

import json
import re
from pathlib import Path

import pytest
from contexts import long_session
from running import entries, memctl


def test_goal_prompt_and_newest_steps_stay_as_they_were(long_home: Path) -> None:
    body = memctl("-C", long_home, "context", "long", "--window", "8000", "--to", "openai").out
    listed = json.loads(body)["messages"]
    said = [message["content"] for message in listed if message["role"] == "user"]

    assert "Make the expiry test pass in src/auth/expiry.py" in said[0]
    assert "继续：把剩下的导出做完" in said[-1]
    tools = [message["content"] for message in listed if message["role"] == "tool"]
    assert tools[-1].startswith("call_149_0 says\ndef handler")


def test_the_task_at_hand_stands_behind_the_last_prompt(long_home: Path) -> None:
    listed = json.loads(
        memctl("-C", long_home, "context", "long", "--window", "32000", "--to", "anthropic").out
    )["messages"]
    texts = [block["text"] for block in listed[-1]["content"] if block["type"] == "text"]

    assert texts[-2:][0].startswith("继续")
    assert texts[-1].startswith("<current_task_context>\n")
    assert texts[-1].endswith("</current_task_context>")
    assert "flowchart TD" in texts[-1]


def test_a_replaced_result_names_its_node_and_the_file_with_all_of_it(long_home: Path) -> None:
    text = memctl("-C", long_home, "context", "long", "--window", "16000").out
    found = re.findall(
        r"\[Offloaded Tool Result \| node: (\d{3}-N\d+)\]\nSummary: (.+)\nresult_ref: (\S+) \(read this file",
        text,
    )

    assert found
    nodes = {entry["node_id"] for entry in entries(long_home)}
    for node, summary, ref in found:
        assert node in nodes
        assert len(summary) <= 200
        assert ref.startswith(f"{long_home.as_posix()}/refs/")
        assert Path(ref).is_file()


def test_the_names_of_files_can_be_opened_from_the_current_folder(
    long_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = re.compile(r'(?:result_ref: |"mmdFilePath":"|task at hand, )([^ "]+?\.(?:md|mmd))')
    for here, given in ((long_home.parent, "memory"), (long_home, "."), (long_home / "refs", "..")):
        monkeypatch.chdir(here)
        text = memctl("-C", given, "context", "long", "--window", "16000").out
        assert len(found := named.findall(text)) > 2
        assert {Path(name).suffix for name in found} == {".md", ".mmd"}
        assert all(Path(name).is_file() for name in found)
    monkeypatch.chdir(long_home)
    assert "result_ref: refs/" in memctl("context", "long", "--window", "16000").out


def test_what_left_comes_back_with_the_commands_that_the_front_names(long_home: Path) -> None:
    text = memctl("-C", long_home, "context", "long", "--window", "8000").out
    front = text[: text.index("</history_task_context>")]
    commands = [command.split()[1:] for command in re.findall(r"`(memctl [^`]*)`", front)]
    export = next(command for command in commands if "export" in command)

    everything = memctl(*export).out
    for message in long_session():
        if message["content"]:
            assert json.dumps(message["content"], ensure_ascii=False)[1:-1] in everything
    for node in re.findall(r"^(\d{3}-N\d+) ", front, re.MULTILINE)[:5]:
        drilled = memctl("-C", long_home, "drill", node).out
        assert " drill " in drilled


def test_a_folded_task_is_one_line_of_facts(long_home: Path) -> None:
    front = memctl("-C", long_home, "context", "long", "--window", "8000").out.partition("</history")[0]
    lines = [json.loads(line) for line in front.split("\n") if line.startswith('{"taskGoal"')]

    assert lines
    for line in lines:
        assert list(line) == ["taskGoal", "status", "nodeCount", "updatedTime", "mmdFilePath"]
        assert Path(line["mmdFilePath"]).is_file()
