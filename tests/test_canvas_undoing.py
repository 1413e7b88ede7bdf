"""What the user refuses, stops and takes back is a correction, and must be seen on the canvas (DESIGN 4.2)."""

import json
from pathlib import Path
from typing import Any

from memctl.cli.app import run


def _canvas(folder: Path, path: Path) -> str:
    run(["-q", "-C", str(folder / "memory"), "ingest", str(path)])
    return next((folder / "memory" / "mmds").glob("*.mmd")).read_text(encoding="utf-8")


def _line(at: int, role: str, content: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": role, "content": content}
    return {
        "type": role,
        "uuid": f"u{at}",
        "parentUuid": f"u{at - 1}" if at else None,
        "sessionId": "5f7a",
        "timestamp": f"2031-02-03T04:05:{at:02d}Z",
        "message": message,
    }


def _use(key: str, name: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": key, "name": name, "input": arguments}]


def _result(key: str, text: str, *, is_error: bool = False) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": key, "content": text, "is_error": is_error}]


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\nkeep the old parser"
)


def test_a_refused_plan_an_interruption_and_what_follows_it_are_the_users_corrections(tmp_path: Path) -> None:
    said: list[tuple[str, Any]] = [
        ("user", "Rewrite the parser in parse.py."),
        ("assistant", _use("a", "ExitPlanMode", plan="# Replace the parser\n1. new lexer")),
        ("user", _result("a", REFUSED, is_error=True)),
        (
            "assistant",
            _use("b", "Edit", file_path="parse.py", old_string="depth = 3", new_string="depth = 9"),
        ),
        ("user", _result("b", "The file parse.py has been updated.")),
        ("user", [{"type": "text", "text": "[Request interrupted by user]"}]),
        ("user", "Nine levels, and the tests go first in test_parse.py"),
        ("assistant", _use("c", "Read", file_path="test_parse.py")),
        ("user", _result("c", "def test_depth(): ...")),
    ]
    path = tmp_path / "5f7a.jsonl"
    lines = [_line(at, role, content) for at, (role, content) in enumerate(said)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    text = _canvas(tmp_path, path)

    assert "user: refused" in text
    assert "keep the old parser" in text
    assert "user: interrupted the agent" in text
    assert "user: Nine levels, and the tests go first" in text
    assert "refused by the user" not in text


def _history(*undone: str) -> str:
    return (
        "\n# aider chat started at 2031-05-05 20:40:33\n\n#### raise the depth in main.py  \n\n"
        "main.py\n```python\n<<<<<<< SEARCH\ndepth = 3\n=======\ndepth = 5\n>>>>>>> REPLACE\n```\n\n"
        "> Applied edit to main.py  \n> Commit 1a2b3c4 feat: Raise the depth  \n\n"
        "#### and name it in cli.py  \n\n"
        "cli.py\n```python\n<<<<<<< SEARCH\nshown = 1\n=======\nshown = depth\n>>>>>>> REPLACE\n```\n\n"
        "> Applied edit to cli.py  \n> Commit 5d6e7f8 feat: Show the depth  \n\n"
        + "".join(f"#### {command}  \n> Removed: 5d6e7f8  \n\n" for command in undone)
        + "#### thanks  \n"
    )


def test_changes_that_the_user_takes_back_are_named_and_no_longer_done(tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(_history("/undo", "/undo"), encoding="utf-8")
    text = _canvas(tmp_path, path)

    assert "user: undid the last 2 changes" in text
    assert "user: undid feat: Raise the depth (1a2b3c4)" in text
    assert text.count("status: paused") == 2
    assert '"status":"completed"' not in text


def test_other_commands_take_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(_history("/tokens"), encoding="utf-8")

    assert "undid" not in _canvas(tmp_path, path)
