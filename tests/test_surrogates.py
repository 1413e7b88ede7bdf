"""Lone surrogates, in ids and everywhere: a transcript may hold them, and no command fails for them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from recalling import atom, atoms, hits
from running import PROGRAM, memctl

from memctl.ask import recall as asking

pytestmark = pytest.mark.usefixtures("cached")


LONE = "\ud83d"  # half of an emoji, as an escape in JSON makes it
BYTES = "\udced\udca0\udc80"  # as the command line gives bytes that are no UTF-8


def transcript(
    folder: Path,
    session: str,
    call: str,
    *,
    ask: str = "Repair the lexer",
    uuid: str = "u",
    tool: str = "Bash",
) -> Path:
    """Write a Claude Code transcript with one call."""
    asked = {"type": "tool_use", "id": call, "name": tool, "input": {"command": "make lexer"}}
    result = {"type": "tool_result", "tool_use_id": call, "content": "built"}
    said: list[tuple[str, dict[str, Any]]] = [
        ("user", {"role": "user", "content": ask}),
        ("assistant", {"id": "a", "role": "assistant", "content": [asked]}),
        ("user", {"role": "user", "content": [result]}),
    ]
    path = folder / "transcript.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for at, (kind, message) in enumerate(said):
            line = {
                "type": kind,
                "sessionId": session,
                "uuid": f"{uuid}{at}",
                "parentUuid": f"{uuid}{at - 1}" if at else None,
                "timestamp": f"2026-02-01T00:00:0{at}Z",
                "message": message,
            }
            out.write(json.dumps(line) + "\n")
    return path


def taken(folder: Path, session: str, call: str, **more: str) -> Path:
    home = folder / "memory"
    memctl("-q", "-C", home, "ingest", transcript(folder, session, call, **more))
    return home


@pytest.mark.parametrize(
    ("session", "call", "more"),
    [
        ("s", f"c{LONE}", {}),
        (f"s{LONE}x", "c", {}),
        (f"会话{LONE}", f"呼{LONE}", {"uuid": f"消{LONE}", "ask": f"Repair {LONE} the lexer 词法"}),
    ],
)
def test_what_an_id_with_half_a_character_names_is_found_and_can_be_followed(
    tmp_path: Path, session: str, call: str, more: dict[str, str]
) -> None:
    home = taken(tmp_path, session, call, **more)

    found = hits(home, "lexer")
    text = memctl("-C", home, "recall", "lexer").out

    assert {"canvas", "entry", "message"} <= {hit["layer"] for hit in found}
    followed = 0
    for line in text.split("\n"):
        begin = f"memctl -C {home} drill "
        if line.strip().startswith(begin):
            memctl("-C", home, "drill", line.strip().removeprefix(begin).strip("'"))
            followed += 1
    assert followed
    shown = memctl("-C", home, "session", "list", "--print", "id").out.strip()
    assert hits(home, "lexer", "--session", session)
    assert hits(home, "lexer", "--session", shown)


def test_documents_under_such_an_id_are_dropped_from_the_index_as_any(tmp_path: Path) -> None:
    home = taken(tmp_path, f"s{LONE}x", f"c{LONE}")
    assert hits(home, "lexer")

    memctl(
        "-q", "-C", home, "ingest", transcript(tmp_path, f"s{LONE}x", f"c{LONE}", ask="Repair the scanner")
    )
    for path in (home / "conversations").iterdir():
        path.unlink()

    assert "message" not in {hit["layer"] for hit in hits(home, "lexer")}


def test_an_id_is_found_in_a_line_that_is_escaped_for_something_else_in_it(tmp_path: Path) -> None:
    home = taken(tmp_path, "s", "调用一", tool=f"Make{LONE}")
    assert "\\u8c03" in (home / "offload-s.jsonl").read_text()

    assert "make" in memctl("-C", home, "drill", "调用一").out


def test_no_command_fails_for_them_wherever_they_stand(tmp_path: Path) -> None:
    home = taken(tmp_path, "s", "c", ask=f"I like {LONE} tea. Repair the lexer{LONE}")
    atoms(
        home,
        [
            atom("m_00000000000a", "The user likes tea.", source_message_ids=["a"], scene_name="tea"),
        ],
    )
    with (home / "records" / "2026-04-02.jsonl").open("w") as out:
        bad = {"sessionId": f"q{LONE}", "source_message_ids": [f"a{LONE}"], "scene_name": f"x{LONE}"}
        out.write(json.dumps(atom(f"m_{LONE}", f"The user likes {LONE} coffee.", **bad)) + "\n")
    with (home / "graph.jsonl").open("w") as out:
        row = {
            "subject": f"a{LONE}",
            "relation": f"r{LONE}",
            "object": f"lexer {LONE}",
            "at": "2026-01-01T00:00:00Z",
        }
        out.write(json.dumps(row) + "\n")
    offload = home / "offload-s.jsonl"
    entry = json.loads(offload.read_text().split("\n")[0])
    odd = {"tool_call_id": "odd", "tool": LONE, "result_ref": f"refs/{LONE}.md"}
    odd |= {"node_id": f"001-N{LONE}", "timestamp": LONE, "status": LONE, "summary": LONE}
    with offload.open("a") as out:
        out.write(json.dumps(entry | odd) + "\n")
    for path in [*home.glob("mmds/*"), *home.glob("scene_blocks/*")]:
        path.write_bytes(path.read_bytes().replace(b"lexer", b"lexer\xed\xa0\x80\xff"))

    for command in (
        "recall lexer|recall coffee --format json|recall lexer --inject|graph recall lexer|graph recall r"
        "|context s|check|status|canvas list|canvas show 1|render 1|session list|session show s|session trace s"
        "|session export s --to openai|grep .|grep . --format json|drill odd|drill c|drill 001-N1|atom list"
        "|extract|atom list|recall coffee|task list|prompt canvas 1|prompt atoms s|prompt persona|check --fix"
        "|compact|canvas archive 1|atom forget m_00000000000a|recall tea|graph recall tea|clear --yes --session s"
        "|recall lexer"
    ).split("|"):
        result = memctl("-C", home, *command.split(), code=None)
        assert result.code in (0, 1, 3, 12), f"{command}: {result.code}\n{result.err}"
        assert "locale" not in result.err, command
        assert "Traceback" not in result.err, command


def test_no_command_fails_for_them_in_what_it_is_asked(tmp_path: Path) -> None:
    home = taken(tmp_path, "s", "c")

    for one in (LONE, BYTES, f"lexer{LONE}"):
        for command in (
            *("recall X", "recall X --mode vector", "recall lexer --session X", "recall lexer --since X"),
            *(
                "graph commit X r o",
                "graph commit o X X",
                "graph recall X",
                "graph recall o",
                "graph purge X",
            ),
            *("graph role set a=X", "graph role show", "grep X", "grep x --node X", "grep -F X", "drill X"),
            *(
                "drill call:X/X",
                "drill message:X/X",
                "drill m_X",
                "session show X",
                "atom show X",
                "context X",
            ),
            *("task begin X", "task list", "graph recall TaskNode", "canvas show X", "recall lexer"),
            "recall lexer --team X",
        ):
            words = [word.replace("X", one) for word in command.split()]
            result = memctl("-C", home, *words, code=None)
            assert result.code != 70, f"{command}: {result.err}"
            assert "locale" not in result.err, command


def test_a_triple_named_by_bytes_that_are_no_text_is_recalled_by_them(tmp_path: Path) -> None:
    home = taken(tmp_path, "s", "c")

    memctl("-C", home, "graph", "commit", f"tea{BYTES}", "TASTES", "bitter")

    assert "bitter" in memctl("-C", home, "graph", "recall", "tea").out
    assert "bitter" in memctl("-C", home, "graph", "recall", f"tea{BYTES}").out


def test_the_locale_is_blamed_only_where_it_is_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = taken(tmp_path, "s", "c")

    def fails(*_arguments: object) -> None:
        "\ud800".encode()

    monkeypatch.setattr(asking.Recall, "__init__", fails)
    result = memctl("-C", home, "recall", "lexer", code=70)
    assert "locale" not in result.err

    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "ascii")
    assert "locale" in memctl("-C", home, "recall", "lexer", code=3).err


def test_recall_of_an_empty_memory_is_no_answer_and_no_error(tmp_path: Path) -> None:
    memctl("-C", tmp_path / "memory", "init")

    assert memctl("-C", tmp_path / "memory", "recall", "anything", code=1).out == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locale")
def test_recall_works_in_a_locale_that_knows_ascii_alone(tmp_path: Path) -> None:
    home = taken(tmp_path, "会话", "c", ask="修复词法分析器 lexer")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    for command in ("recall lexer", "recall 词法", "recall lexer --inject", "index status"):
        done = subprocess.run(
            [*PROGRAM, "-C", str(home), *command.split()], capture_output=True, check=False, env=environment
        )
        assert done.returncode == 0, done.stderr.decode()
    assert "修复".encode() in done.stdout or command == "index status"
