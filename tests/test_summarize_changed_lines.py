"""What edits and written files hold is told by their lines; what an edit tried when it was refused, too."""

from pathlib import Path
from typing import Any

import pytest
from growing import agent, call, happenings, results, session, user

from memctl.canvas.grow import grow
from memctl.canvas.pieces import plain
from memctl.cli.app import run
from memctl.summarize import differs, summarize, typed

WINDOW = (
    "\n[File: /w/solve.py (6 lines total)]\n1:x\n(Open file: /w/solve.py)\n(Current directory: /w)\nbash-$"
)

EDITS: list[tuple[str, Any, str, str]] = [
    (
        "edit",
        (
            "edit 1:9\nfrom sockets import *\n"
            'io = dial("ctf.example", 9000)\nio.send(b"A" * 72 + addr(0x40061d))\nend_of_edit\n'
        ),
        f"[File: /w/solve.py updated]{WINDOW}",
        'w/solve.py +3 -9: adds io = dial("ctf.example", 9000) / io.send(b"A" * 72 + addr(0x40061d))',
    ),
    (
        "Edit",
        {
            "file_path": "/w/a.go",
            "old_string": "entireSessionID, _ := paths.ReadCurrentSession()",
            "new_string": "entireSessionID, err := paths.ReadCurrentSession()",
        },
        "ok",
        "w/a.go +1 -1: entireSessionID, _ := paths.ReadCurrentSession → entireSessionID, err := paths.ReadCurrentSession",
    ),
    ("edit", "edit 6:7\nend_of_edit\n", f"ok{WINDOW}", "w/solve.py +0 -2: removes lines 6-7"),
    ("edit", "edit 6:6\nend_of_edit\n", f"ok{WINDOW}", "w/solve.py +0 -1: removes line 6"),
    (
        "edit",
        "edit 2:2\n    key = load(5)\nend_of_edit\n",
        (
            "Your proposed edit has introduced new syntax error(s). Please read this error message carefully.\n\n"
            f"ERRORS:\n- E999 IndentationError: unexpected indent\n{WINDOW}"
        ),
        "w/solve.py: not edited: new syntax error: E999 IndentationError: unexpected indent; tried key = load(5)",
    ),
    (
        "write_file",
        {
            "path": "/w/send.py",
            "content": "import os\n\nPORT = 8443\nbody = pack('<I', 0xdeadbeef)\nsend(PORT, body)\n",
        },
        "ok",
        "w/send.py: wrote 5 lines: PORT = 8443 / body = pack('<I', 0xdeadbeef) / send(PORT, body)",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "result", "said"), EDITS, ids=range(len(EDITS)))
def test_an_edit_is_told_by_its_lines(tool: str, arguments: Any, result: str, said: str) -> None:
    assert summarize(tool, arguments, result).text == said


BLOCKS = """I'll add the flag.

app/main.py
```python
<<<<<<< SEARCH
    depth = 3
=======
    depth = 5
>>>>>>> REPLACE
```

app/cli.py
```python
<<<<<<< SEARCH
=======
def loud(text: str) -> str:
    return text.upper()
>>>>>>> REPLACE
```
"""


def test_an_edit_that_aider_applied_says_its_lines(tmp_path: Path) -> None:
    history = "\n# aider chat started at 2031-05-05 20:40:33\n\n#### raise the depth  \n\n" + BLOCKS
    history += (
        "\n> Applied edit to app/main.py  \n> Commit 1a2b3c4 feat: Raise the depth  \n\n#### thanks  \n"
    )
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(history, encoding="utf-8")
    run(["-q", "-C", str(tmp_path / "memory"), "ingest", str(path)])
    text = next((tmp_path / "memory" / "mmds").glob("*.mmd")).read_text(encoding="utf-8")

    assert "+1 -1: depth = 3 → depth = 5" in text


def test_a_call_that_looks_like_one_before_it_says_how_it_differs() -> None:
    for before, after, said in (
        ("submit 'key{a b}'", 'submit "key{a b}"', "submit 'key{a b}' → submit \"key{a b}\""),
        (
            "cd /w && fetch -d n=1 http://h/a | head -5",
            "fetch -d n=2 http://h/a",
            "fetch -d n=1 http://h/a → fetch -d n=2 http://h/a",
        ),
        ("fetch x 2>&1 | tail -3", "fetch x", ""),
    ):
        old, new = (typed("bash", {"command": command}) for command in (before, after))
        assert differs(old, new) == said


def test_a_node_says_how_its_call_differs_from_the_one_before() -> None:
    task = grow(
        happenings(
            session(
                user("Find the key."),
                agent("", call("a", "other", "submit key{a}", "Wrong key!")),
                results("a"),
                agent(
                    "",
                    call("b", "other", "submit key{a}", "Right.", differs="submit key{a} → submit 'key{a}'"),
                ),
                results("b"),
            )
        )
    ).tasks[0]

    assert "this time submit key{a} → submit 'key{a}'" in task.nodes[-1].summary


def test_marks_of_markdown_go_and_powers_stay() -> None:
    assert plain("**Note:** `x` is 123**(-1) or y**2") == "Note: x is 123**(-1) or y**2"
