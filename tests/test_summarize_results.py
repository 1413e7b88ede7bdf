"""What came back, by kind of call: files, listings, searches, edits, version control, the web, JSON, plans, subagents."""

# ruff: noqa: E501 - a row of a table stays on one line

import pytest

from memctl.summarize import summarize
from memctl.summarize.unwrap import read as unwrap

WRAPPED = [
    (
        (
            "EXECUTION RESULT of [execute_bash]:\na.py\n[The command completed with exit code 0.]\n"
            "[Current working directory: /w]\n[Python interpreter: /x]\n[Command finished with exit code 0]"
        ),
        "a.py",
        0,
    ),
    (
        '{"content":[{"type":"text","text":"a.py"}],"exit_code":2,"kind":"TerminalObservation"}',
        "a.py",
        2,
    ),
    (
        "=== STDOUT ===\n7\n\n=== STDERR ===\nslow\n=== EXECUTION INFO ===\nReturn code: 3\nTime: 0.1",
        "7\n\n\nslow",
        3,
    ),
    (
        (
            "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>failed</status>\n\n"
            "<exit_code>1</exit_code>\n\n<output>\nboom\n</output>"
        ),
        "boom",
        1,
    ),
    (
        (
            "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\na\n</stdout>\n\n<stderr>\nb\n</stderr>\n\n"
            "<timestamp>2026-09-14T09:00:00Z</timestamp>"
        ),
        "a\n\nb",
        0,
    ),
    ('{"output":"a.txt\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}', "a.txt", 0),
    ("Exit code: 3\nWall time: 0.1 seconds\nOutput:\nno luck", "no luck", 3),
    ("Chunk ID: 9\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nx", "x", 1),
    ("Exit code 2\ngrep: a: No such file or directory", "grep: a: No such file or directory", 2),
    ("<returncode>1</returncode>\n<output>\nbad\n</output>", "bad", 1),
    ("Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: 0", "a\nb", 0),
    ("Command: x\nDirectory: /\nOutput: (empty)\nError: boom\nExit Code: 4\nSignal: 0", "boom", 4),
    ("done\n\nCommand exited with code 7", "done", 7),
    ("done\n[The command completed with exit code 0.]\n[Current working directory: /w]", "done", 0),
    ("x\n(Open file: n/a)\n(Current directory: /w)\nbash-$", "x", None),
    ('{"stdout":"out","stderr":"err","exit_code":5}', "out\nerr", 5),
    ('[{"type":"text","text":"hello"}]', "hello", None),
    (
        "<persisted-output>\nOutput too large (91KB).\n\nPreview (first 2KB):\nline\n...\n</persisted-output>",
        "line",
        None,
    ),
    ("[read_file for 'a.py'] Result:\nx=1", "x=1", None),
    ("(no output)", "", None),
    ("10%\r50%\r100% done\n\x1b[32mok\x1b[0m", "100% done\nok", None),
    ("a<system-reminder>do not tell</system-reminder>b", "ab", None),
]


@pytest.mark.parametrize(("result", "text", "code"), WRAPPED, ids=range(len(WRAPPED)))
def test_a_harness_is_taken_off(result: str, text: str, code: int | None) -> None:
    outcome = unwrap(result)
    assert (outcome.text.strip(), outcome.code) == (text, code)


REFUSED = [
    (
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "refused by the user",
    ),
    ("[Request interrupted by user for tool use]", "interrupted by the user"),
]


@pytest.mark.parametrize(("result", "said"), REFUSED, ids=["refused", "interrupted"])
def test_a_call_that_was_refused_says_so(result: str, said: str) -> None:
    summary = summarize(
        "Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, result, is_error=True
    )
    assert (summary.status, summary.text) == ("error", f"a.py: {said}")


CODE = """\
     1→import os
     2→
     3→class Session:
     4→    def open(self, name: str) -> None:
     5→        raise ValueError("error: not a session")
     6→
     7→def load_all(path):
     8→    return []
"""

CASES = [
    # read
    ("Read", {"file_path": "/w/src/session.py"}, CODE, "ok", "src/session.py: 8 lines: Session, open, load_all"),
    ("Read", {"file_path": "a.py"}, "  90→    total_price += tax_rate\n  91→    return total_price\n  92→\n  93→x = add_tax(y)", "ok", "a.py:90-93: about total_price, tax_rate, add_tax"),
    ("Read", {"file_path": "v.txt"}, "1.4.2\n", "ok", "v.txt: 1.4.2"),
    ("Read", {"file_path": "n.md"}, "# Plan\n\ntext\n\n## Steps\n\nmore\n", "ok", "n.md: 7 lines: Plan; Steps"),
    ("Read", {"file_path": "x.yaml"}, "name: app\nport: 80\nhosts:\n  - a\n", "ok", "x.yaml: 4 lines: name, port, hosts"),
    ("Read", {"file_path": "笔记.md"}, "# 港校比较\n\n学费\n\n## 香港大学\n\n## 中文大学\n", "ok", "笔记.md: 7 lines: 港校比较; 香港大学; 中文大学"),
    ("Read", {"file_path": "x.py"}, "File does not exist.", "error", "x.py: File does not exist."),
    ("read_file", {"path": "/x/y.txt"}, "文件不存在: /x/y.txt", "error", "x/y.txt: 文件不存在: /x/y.txt"),
    ("Bash", {"command": "cat x.py"}, "cat: x.py: No such file or directory", "error", "x.py: cat: x.py: No such file or directory"),
    ("Bash", {"command": "wc -l a.py"}, "120 a.py", "ok", "wc a.py: 120 lines"),
    ("Bash", {"command": "wc -l a.py b.py"}, "  1 a.py\n  2 b.py\n  3 total", "ok", "wc a.py, b.py: 1 a.py / 2 b.py / 3 total"),
    # what was counted
    ("Bash", {"command": "ls | wc -l"}, "3\n", "ok", "ls: 3 entries"),
    ("Bash", {"command": "ls -la src | wc -l"}, "      5\n", "ok", "src: 5 lines"),
    ("Bash", {"command": "find . -type f | wc -l"}, "1\n", "ok", "find .: 1 file"),
    ("Bash", {"command": "rg -l load src | wc -l"}, "12", "ok", "load in src: 12 files"),
    ("Bash", {"command": "grep -rn load src | sort -u | wc -l"}, "0", "ok", "load in src: 0 matches"),
    ("Bash", {"command": "grep -c load a.py"}, "3", "ok", "load in a.py: 3 matches"),
    ("Bash", {"command": "git log --oneline | wc -l"}, "1200", "ok", "git log: 1,200 lines"),
    ("Bash", {"command": "cat a.txt | wc -w"}, "90", "ok", "a.txt: 90 words"),
    ("Bash", {"command": "cat a.txt | wc -wc"}, "  9  70", "ok", "a.txt: 9 70"),
    ("Bash", {"command": "ls a; ls b | wc -l"}, "x.py\n3\n", "ok", "a, b: 2 entries: x.py, 3"),
    ("Bash", {"command": "ls nowhere | wc -l"}, "ls: nowhere: No such file or directory\n0", "error", "nowhere: ls: nowhere: No such file or directory"),
    # written behind what a file holds
    ("Bash", {"command": "echo 'use tabs' >> notes/a.md"}, "", "ok", "notes/a.md +1 -0: adds use tabs"),
    ("Bash", {"command": "cat >> a.md <<'EOF'\nfirst\nsecond\nEOF"}, "", "ok", "a.md +2 -0: adds first / second"),
    ("Bash", {"command": "echo 'use tabs' | tee -a a.md"}, "use tabs", "ok", "a.md +1 -0: adds use tabs"),
    ("Bash", {"command": "echo 'use tabs' | tee a.md"}, "use tabs", "ok", "a.md: wrote 1 line: use tabs"),
    ("Bash", {"command": "cat b.md > a.md"}, "", "ok", "a.md: written, no output"),
    ("Bash", {"command": "cat b.md >> a.md"}, "", "ok", "a.md: appended"),
    ("Bash", {"command": "pytest -q | tee -a log.txt"}, "2 passed in 0.1s", "ok", "pytest -q: 2 passed"),
    ("open", "open a.py", "[File: /w/src/a.py (3 lines total)]\n1:def run():\n2:    pass\n3:\n4:x\n", "ok", "src/a.py: 4 lines: run"),
    # list
    ("LS", {"path": "/w"}, "- /w/\n  - a.py\n  - b/\n", "ok", "w: 3 entries: w/, a.py, b/"),
    ("Bash", {"command": "ls -la d"}, "total 8\ndrwxr-xr-x 2 u g 64 Jan 1 10:00 .\n-rw-r--r-- 1 u g 309 Jan 1 10:00 a b.md\ndrwxr-xr-x 2 u g 64 Jan 1 10:00 sub\n", "ok", "d: 2 entries: a b.md, sub/"),
    ("Bash", {"command": "ls nope"}, "ls: nope: No such file or directory", "error", "nope: ls: nope: No such file or directory"),
    # search
    ("Grep", {"pattern": "EndedAt", "output_mode": "content"}, "src/state.go:12:\tEndedAt *time.Time\n", "ok", "EndedAt: state.go:12 EndedAt *time.Time"),
    ("Grep", {"pattern": "EndedAt", "path": "src"}, "a.go:1:EndedAt one\nb.go:2:EndedAt two\nb.go:9:EndedAt three\n", "ok", "EndedAt in src: 3 matches in 2 files: a.go:1 EndedAt one; b.go:2 EndedAt two; b.go:9 EndedAt three"),
    ("Grep", {"pattern": "x"}, "No matches found", "ok", "x: no match"),
    ("Grep", {"pattern": "学费"}, "未找到匹配项", "ok", "学费: no match"),
    ("Grep", {"pattern": "x"}, "Found 2 files\n/w/a.py\n/w/b.py", "ok", "x: 2 files: w/a.py, w/b.py"),
    ("Glob", {"pattern": "*.go"}, "/w/cli/a.go\n/w/cli/b.go", "ok", "*.go: 2 files: cli/a.go, cli/b.go"),
    ("Bash", {"command": "grep -n foo a.py"}, "Exit code 1", "ok", "foo in a.py: no match"),
    ("Bash", {"command": "grep -n foo a.py"}, "Exit code 2\ngrep: a.py: No such file or directory", "error", "foo in a.py: grep: a.py: No such file or directory"),
    ("Bash", {"command": "grep -rn foo . | head -2"}, "a.py:1:foo\nb.py:2:foo\n", "ok", "foo: first 2 matches in 2 files: a.py:1 foo; b.py:2 foo"),
    ("Bash", {"command": "grep -n 학비 a.txt"}, "3:홍콩 학비 42,100\n", "ok", "학비 in a.txt: 3 홍콩 학비 42,100"),
    # edit
    ("Edit", {"file_path": "s/state.go", "old_string": "A\nB", "new_string": "A\nEndedAt *time.Time\nB"}, "ok", "ok", "s/state.go +1 -0: adds EndedAt *time.Time"),
    ("Edit", {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}, "ok", "ok", "a.py +1 -1: x = 1 → x = 2"),
    ("edit", {"path": "a.ts", "oldText": "q", "newText": "function load() {}\nfunction save() {}"}, "ok", "ok", "a.ts +2 -1: adds load, save"),
    ("Edit", {"file_path": "a.py", "old_string": "def old():\n    pass\n", "new_string": ""}, "ok", "ok", "a.py +0 -3: removes old"),
    ("Edit", {"file_path": "a.py", "old_string": "q", "new_string": "r"}, "<tool_use_error>String to replace not found in file.</tool_use_error>", "error", "a.py: not edited: String to replace not found in file."),
    ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.rs\n@@\n-let x = 1;\n+let x = 2;\n*** End Patch"}, "Success", "ok", "a.rs +1 -1: let x = 1; → let x = 2;"),
    ("replace_in_file", {"path": "a.py", "diff": "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE"}, "ok", "ok", "a.py +1 -1: x = 1 → x = 2"),
    ("edit", "edit 2:2\nreturn round(x)\nend_of_edit", "[File: /w/f.py (9 lines total)]\n1:x\n", "ok", "w/f.py +1 -1: adds return round(x)"),
    ("Bash", {"command": "sed -i 's/a/b/' x.py"}, "", "ok", "x.py: a → b"),
    ("Bash", {"command": "rm -f x.py"}, "", "ok", "rm x.py: removed"),
    ("Edit", {"file_path": "文档.md", "old_string": "学费：待查", "new_string": "学费：42,100 港币"}, "ok", "ok", "文档.md +1 -1: 学费：待查 → 学费：42,100 港币"),
    # write
    ("Write", {"file_path": "w/a.py", "content": "def load():\n    pass\n\ndef save():\n    pass\n"}, "File created successfully", "ok", "w/a.py: wrote 5 lines: load, save"),
    ("Bash", {"command": "cat > n.md <<'E'\n# 計画\n\n## 手順\nE"}, "", "ok", "n.md: wrote 3 lines: 計画; 手順"),
    ("Bash", {"command": "mkdir -p a/b"}, "", "ok", "mkdir a/b: created"),
    # version control
    ("Bash", {"command": "git commit -m 'Fix it'"}, "[main 1a2b3c4] Fix it\n 2 files changed, 10 insertions(+), 3 deletions(-)\n", "ok", "git commit: Fix it (main 1a2b3c4, 2 files +10 -3)"),
    ("Bash", {"command": "git commit -m x"}, "On branch main\nnothing to commit, working tree clean\n", "ok", "git commit: nothing to commit, working tree clean"),
    ("Bash", {"command": "git status"}, "On branch main\nYour branch is ahead of 'origin/main' by 2 commits.\n\nChanges not staged for commit:\n\tmodified:   src/a.py\n\nUntracked files:\n\tb.txt\n", "ok", "git status: main, ahead 2; 1 changed: src/a.py; 1 untracked: b.txt"),
    ("Bash", {"command": "git log --oneline -2"}, "1a2b3c4 Add 学费 table\n5d6e7f8 Start\n", "ok", "git log: 2 commits: 1a2b3c4 Add 学费 table; 5d6e7f8 Start"),
    ("Bash", {"command": "git diff a.py"}, "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n", "ok", "git diff a.py: +1 -1 a.py: x = 1 → x = 2"),
    ("Bash", {"command": "git diff --stat"}, " src/a.py | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n", "ok", "git diff: 1 file +2 -2: src/a.py"),
    ("Bash", {"command": "git merge topic"}, "Auto-merging a.py\nCONFLICT (content): Merge conflict in src/a.py\nAutomatic merge failed\n", "error", "git merge: 1 conflict: src/a.py"),
    ("Bash", {"command": "git push"}, "To h:r.git\n   1a2b3c4..5d6e7f8  main -> main\n", "ok", "git push: main -> main 1a2b3c4..5d6e7f8"),
    ("Bash", {"command": "git push"}, " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs\n", "error", "git push: [rejected] main -> main (fetch first)"),
    ("Bash", {"command": "git checkout -b topic"}, "Switched to a new branch 'topic'\n", "ok", "git checkout topic: Switched to a new branch 'topic'"),
    ("Bash", {"command": "git add a.py"}, "", "ok", "git add a.py: staged"),
    # web
    ("WebFetch", {"url": "https://a.example/p"}, "<html><head><title>Fees &amp; aid</title></head><body><p>HK$ 42,100 a year</p></body></html>", "ok", "a.example/p: Fees & aid / HK$ 42,100 a year"),
    ("WebSearch", {"query": "港大 学费"}, 'Links: [{"title":"学费一览","url":"https://hku.example/fees"},{"title":"奖学金","url":"https://b.example/"}]', "ok", "港大 学费: 2 results: 学费一览 (hku.example); 奖学金 (b.example)"),
    ("WebFetch", {"url": "https://a.example"}, "Request failed with status code 404", "error", "a.example: Request failed with status code 404"),
    ("Bash", {"command": "curl https://a.example/x?q=2"}, "curl: (6) Could not resolve host: a.example", "error", "a.example/x?q=2: curl: (6) Could not resolve host: a.example"),
    # run
    ("Bash", {"command": "python a.py"}, "42\n", "ok", "python a.py: 42"),
    ("Bash", {"command": "nope"}, "bash: nope: command not found", "error", "nope: bash: nope: command not found"),
    ("Bash", {"command": "python a.py"}, 'Traceback (most recent call last):\n  File "/w/a.py", line 3, in <module>\n    go()\n  File "/usr/lib/python3.11/json/x.py", line 9, in go\n    raise\nKeyError: \'tz\'\n', "error", "python a.py: KeyError: 'tz' (a.py:3)"),
    ("Bash", {"command": "node a.js"}, "/w/a.js:2\nthrow x\n^\n\nTypeError: x is not a function\n    at go (/w/a.js:2:9)\n    at node:internal/main:1:1\n", "error", "node a.js: TypeError: x is not a function (a.js:2)"),
    ("Bash", {"command": "go run ."}, "panic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/main.go:7 +0x1\n", "error", "go run .: panic: nil map (main.go:7)"),
    ("Bash", {"command": "java Bar"}, 'Exception in thread "main" java.lang.IllegalStateException: no db\n\tat Bar.main(Bar.java:5)\n', "error", "java Bar: IllegalStateException: no db (Bar.java:5)"),
    ("Bash", {"command": "cargo run"}, "thread 'main' panicked at src/main.rs:4:5:\nbad\n", "error", "cargo run: panicked: bad (main.rs:4)"),
    ("Bash", {"command": "./deploy.sh"}, "Exit code 3\nstarting\n错误：磁盘已满\n", "error", "deploy.sh: exit code 3: 错误：磁盘已满"),
    # JSON, domain tools, MCP
    ("get_order_details", {"order_id": "#W2"}, '{"order_id":"#W2","status":"pending","total":12.5}', "ok", "get_order_details #W2: order_id #W2, status pending, total 12.5"),
    ("cancel_pending_order", {"order_id": "#W2"}, "Error: non-pending order cannot be cancelled", "error", "cancel_pending_order #W2: Error: non-pending order cannot be cancelled"),
    ("mcp__notes__search", {"query": "税"}, '{"results":[{"title":"报税"},{"title":"退税"}]}', "ok", "notes search 税: 2 results: 报税; 退税"),
    ("mcp__db__query", {"sql": "select 1"}, '{"error":{"message":"no such table: t"}}', "error", "db query select 1: error: no such table: t"),
    ("find_user_id_by_email", {"email": "a@b.c"}, "u_77", "ok", "find_user_id_by_email a@b.c: u_77"),
    # plans, subagents, others
    ("TodoWrite", {"todos": [{"content": "查学费", "status": "completed"}, {"content": "做表格", "status": "in_progress"}, {"content": "检查", "status": "pending"}]}, "ok", "ok", "1 of 3 done; doing: 做表格; next: 检查"),
    ("TaskCreate", {"subject": "Add EndedAt"}, "Task #4 created successfully: Add EndedAt", "ok", "task #4: Add EndedAt"),
    ("TaskUpdate", {"taskId": "4", "status": "in_progress"}, "Updated task #4 status", "ok", "#4, in progress"),
    ("Task", {"description": "Find callers"}, "I looked around.\n\nThe function is only called from cli.py, because the server has its own copy.\n", "ok", "Find callers: The function is only called from cli.py, because the server has its own copy."),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "result", "status", "text"), CASES)
def test_a_result_is_said_in_one_line(
    tool: str, arguments: object, result: str, status: str, text: str
) -> None:
    summary = summarize(tool, arguments, result)
    assert (summary.status, summary.text) == (status, text)


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        (
            "Read",
            {"file_path": "errors.log"},
            "ERROR: disk full\nTraceback (most recent call last):\nKeyError: 'x'\n" * 4,
        ),
        (
            "Read",
            {"file_path": "errors.py"},
            'class AppError(Exception):\n    """Error: anything failed."""\n',
        ),
        ("Grep", {"pattern": "failed"}, 'a.py:3:raise ValueError("failed")\n'),
        ("Bash", {"command": "git log --oneline"}, "1a2b3c4 Fix fatal error when the test failed\n"),
        ("Bash", {"command": "git show 1a2b3c4"}, "commit 1a2b3c4\nAuthor: a <a@b>\n\n    Error: FAILED\n"),
        ("Bash", {"command": "ls errors"}, "error.py\nfailed.log\n"),
        (
            "WebFetch",
            {"url": "https://a.example"},
            "# Error handling\n\nHow errors are raised.\n\nmore\n\nmore\n\nmore",
        ),
        ("Bash", {"command": "cat notes.txt"}, "error: this word stands in a note\n"),
        (
            "Edit",
            {"file_path": "a.go", "old_string": "x", "new_string": 'return fmt.Errorf("failed")'},
            "done",
        ),
    ],
)
def test_text_that_only_speaks_of_errors_is_none(tool: str, arguments: object, result: str) -> None:
    assert summarize(tool, arguments, result, is_error=False).status == "ok"


def test_a_short_result_stands_whole_in_its_summary_and_scores_high() -> None:
    assert summarize("Bash", {"command": "python a.py"}, "344").score == 10
    assert summarize("Read", {"file_path": "a.py"}, "x = 1\n" * 400).score <= 4


def test_two_calls_of_a_kind_do_not_share_a_summary() -> None:
    one = summarize("Bash", {"command": "go build ./a"}, "", is_error=False)
    other = summarize("Bash", {"command": "go build ./b"}, "", is_error=False)
    assert one.text != other.text


def test_a_picture_that_was_read_is_no_empty_file() -> None:
    assert summarize("Read", {"file_path": "/a/b/shot.png"}, "").text == "b/shot.png: a picture"
    assert summarize("Read", {"file_path": "/a/b/notes.txt"}, "").text == "b/notes.txt: empty"


def test_a_thought_is_said_by_what_it_concludes() -> None:
    thought = "Let me think about this. The bug is that the parser drops the last token."
    assert summarize("think", {"thought": thought}, "Your thought has been logged.").text == (
        "The bug is that the parser drops the last token."
    )


def test_an_error_inside_a_text_part_is_an_error() -> None:
    summary = summarize(
        "rail-get-station-code-by-names",
        {"names": "北京"},
        '[{"type":"text","text":"Error: City not found.","annotations":null}]',
    )
    assert summary.status == "error"
    assert summary.text == "rail get_station_code_by_names 北京: Error: City not found."


def test_a_background_task_that_failed_says_so_without_an_exit_code() -> None:
    assert summarize(
        "TaskOutput", {"task_id": "b1"}, "<status>failed</status>\n\n<output>\nboom\n</output>"
    ).status == ("error")
