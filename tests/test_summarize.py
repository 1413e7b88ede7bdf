"""What a call is, from its name and arguments alone, for the tools of every supported agent; and what always holds."""

# ruff: noqa: E501 - a row of a table stays on one line

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from memctl.model import KINDS
from memctl.summarize import combine, conclusion, describe, names_in, plan_items, shorten_call, summarize
from memctl.summarize.shell import commands

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
_TOOLS = st.sampled_from(
    "Bash exec Read Edit Write Grep Glob LS TodoWrite TaskUpdate WebFetch mcp__a__b str_replace_editor apply_patch edit open x".split()
) | st.text(max_size=30)
_ARGUMENTS = _JSON | st.fixed_dictionaries(
    {},
    optional={
        "command": st.text(max_size=80) | st.lists(st.text(max_size=10), max_size=4),
        "file_path": st.text(max_size=40),
        "pattern": st.text(max_size=20),
        "content": st.text(max_size=80),
        "old_string": st.text(max_size=60),
        "new_string": st.text(max_size=60),
        "todos": _JSON,
        "url": st.text(max_size=40),
    },
)
_LINES = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "KeyError: 'tz'",
        "FAILED tests/a.py::test_x - KeyError",
        "=== 1 failed, 2 passed in 0.1s ===",
        "--- FAIL: TestX (0.00s)",
        "    x_test.go:3: want 1",
        "Exit code 1",
        "<returncode>1</returncode>",
        "<tool_use_error>no</tool_use_error>",
        "a.py:3: error: bad  [x]",
        "diff --git a/x b/x",
        "@@ -1 +1 @@",
        "+新しい行",
        "src/a.ts(1,2): error TS1: x",
        '{"a": [1, {"b": "错误"}]}',
        "\x1b[31mred\x1b[0m",
        "50%\r100%",
        "\ud83d",
        "",
    ]
)
_RESULTS = (
    st.none() | st.text(max_size=200) | st.lists(_LINES | st.text(max_size=30), max_size=12).map("\n".join)
)


@given(_TOOLS, _ARGUMENTS, _RESULTS, st.none() | st.booleans())
def test_any_call_and_any_result_give_one_plain_line_of_200_characters(
    tool: str, arguments: Any, result: str | None, failed: bool | None
) -> None:
    summary = summarize(tool, arguments, result, is_error=failed)
    for text in (summary.text, summary.target):
        assert len(text) <= 200
        assert "\n" not in text
        assert "\x1b" not in text
        assert not any("\ud800" <= character <= "\udfff" for character in text)
    assert summary.kind in KINDS
    assert 0 <= summary.score <= 10
    assert summary.status == "missing" if result is None else summary.status in ("ok", "error")
    assert summary == summarize(tool, arguments, result, is_error=failed)


@given(_TOOLS, _ARGUMENTS, _RESULTS)
def test_the_kind_of_a_call_does_not_depend_on_its_result(
    tool: str, arguments: Any, result: str | None
) -> None:
    assert summarize(tool, arguments, result).kind == describe(tool, arguments)[0]


@given(_TOOLS, _ARGUMENTS)
def test_arguments_as_json_text_are_read_as_the_arguments(tool: str, arguments: Any) -> None:
    text = json.dumps(arguments)
    if isinstance(arguments, dict):
        assert describe(tool, text) == describe(tool, arguments)
        assert names_in(tool, text) == names_in(tool, arguments)


@given(_TOOLS, _ARGUMENTS, st.integers(40, 400))
def test_names_calls_and_plans_keep_their_limits(tool: str, arguments: Any, limit: int) -> None:
    names = names_in(tool, arguments)
    assert len(names) <= 24
    assert len(set(names)) == len(names)
    assert all(4 <= len(name) <= 200 and not name.startswith("-") for name in names)
    call = shorten_call(tool, arguments, limit)
    assert len(call) <= limit
    assert "\n" not in call
    for text, status in plan_items(tool, arguments) or ():
        assert text
        assert status in ("todo", "doing", "done")


@given(st.text(max_size=400))
def test_a_conclusion_is_one_line_of_150_characters_and_can_be_combined(text: str) -> None:
    said = conclusion(text)
    assert len(said) <= 150
    assert "\n" not in said
    summary = summarize("Bash", {"command": "ls"}, "a.py\nb.py")
    assert len(combine(summary, said).text) <= 200


@given(st.text(max_size=200))
def test_any_command_line_can_be_taken_apart(line: str) -> None:
    for part in commands(line):
        assert part.words


# One text of each kind that is hard for a careless pattern; a quadratic reader would not come back.
_HOSTILE: tuple[Callable[[int], str], ...] = (
    lambda size: "a" * size,
    lambda size: " " * size,
    lambda size: "\n" * size,
    lambda size: "1" * size,
    lambda size: "a:" * (size // 2),
    lambda size: "a/" * (size // 2),
    lambda size: "<" * size,
    lambda size: '"' * size,
    lambda size: "{" * size,
    lambda size: "Error: " * (size // 7),
    lambda size: "Traceback (most recent call last):\n" * (size // 35),
    lambda size: '  File "a", line 1, in f\n' * (size // 25),
    lambda size: "--- FAIL: TestX (0.00s)\n" * (size // 24),
    lambda size: "a.py:1: error: x\n" * (size // 17),
    lambda size: "<<<<<<< SEARCH\n=======\n" * (size // 23),
    lambda size: "测试失败。" * (size // 5),
    lambda size: "\x1b]" * (size // 2),
    lambda size: "Exit code: 1\n" * (size // 13),
)


@pytest.mark.parametrize("make", _HOSTILE, ids=range(len(_HOSTILE)))
def test_long_hostile_results_are_summarized_without_reading_them_over_and_over(
    make: Callable[[int], str],
) -> None:
    text = make(120_000)
    for tool, arguments in (
        ("Bash", {"command": "pytest -q"}),
        ("Bash", {"command": "make"}),
        ("Bash", {"command": "python a.py"}),
        ("Bash", {"command": "git log"}),
        ("Read", {"file_path": "a.py"}),
        ("Grep", {"pattern": "x"}),
        ("LS", {"path": "."}),
        ("WebFetch", {"url": "https://a.example"}),
        ("get_order", {"order_id": "1"}),
    ):
        assert len(summarize(tool, arguments, text).text) <= 200
    assert len(conclusion(text)) <= 150
    names_in("Bash", {"command": text})
    summarize("Edit", {"file_path": "a", "old_string": text, "new_string": text + "x"}, "done")


def test_a_result_of_many_megabytes_is_read_at_its_ends() -> None:
    body = "compiling unit\n" * 1_000_000
    summary = summarize("Bash", {"command": "pytest"}, body + "=== 1 failed, 7 passed in 9.1s ===\n")
    assert (summary.turned, summary.text) == ("red", "pytest: 1 failed, 7 passed")


CALLS = [
    # Claude Code
    ("Read", {"file_path": "/w/src/app/auth.ts", "offset": 10}, "read", "app/auth.ts"),
    ("LS", {"path": "/w/src"}, "list", "w/src"),
    ("Glob", {"pattern": "**/*.py"}, "search", "**/*.py"),
    ("Grep", {"pattern": "def login", "path": "src"}, "search", "def login"),
    ("Edit", {"file_path": "/w/a.py", "old_string": "a", "new_string": "b"}, "edit", "w/a.py"),
    ("MultiEdit", {"file_path": "a.py", "edits": []}, "edit", "a.py"),
    ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "x"}, "edit", "n.ipynb"),
    ("Write", {"file_path": "a/b/c.md", "content": "x"}, "write", "b/c.md"),
    ("Bash", {"command": "ls -la src"}, "list", "src"),
    ("BashOutput", {"bash_id": "b1"}, "run", "b1"),
    ("WebFetch", {"url": "https://docs.example.org/a/b?x=1", "prompt": "p"}, "web", "docs.example.org/a/b"),
    ("WebSearch", {"query": "vite proxy ws"}, "web", "vite proxy ws"),
    ("Task", {"description": "Find callers", "prompt": "...", "subagent_type": "x"}, "agent", "Find callers"),
    ("TodoWrite", {"todos": [{"content": "Write tests", "status": "in_progress"}]}, "plan", "Write tests"),
    ("TaskUpdate", {"taskId": "4", "status": "completed"}, "plan", "#4"),
    ("mcp__linear-server__get_issue", {"id": "ENG-7"}, "mcp", "linear-server get_issue ENG-7"),
    ("mcp__filesystem__read_file", {"path": "/x/y/z.py"}, "read", "y/z.py"),
    # Codex
    ("shell", {"command": ["bash", "-lc", "cd /w && rg -n foo src | head"]}, "search", "foo"),
    ("shell", '{"command":["ls"]}', "list", "ls"),
    ("exec_command", {"cmd": "go vet ./..."}, "build", "go vet ./..."),
    ("write_stdin", {"session_id": "s1", "chars": "y\n"}, "run", "s1"),
    ("update_plan", {"plan": [{"step": "Fix it", "status": "pending"}]}, "plan", "Fix it"),
    (
        "apply_patch",
        "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** End Patch",
        "edit",
        "src/a.rs",
    ),
    ("container.exec", {"command": ["cat", "a.txt"]}, "read", "a.txt"),
    # OpenClaw, pi
    ("exec", {"command": "pytest -q"}, "test", "pytest -q"),
    ("read", {"path": "notes.md"}, "read", "notes.md"),
    ("web_search", {"query": "香港大学 学费"}, "web", "香港大学 学费"),
    ("sessions_spawn", {"task": "look it up"}, "agent", "look it up"),
    # Gemini CLI, Qwen
    ("run_shell_command", {"command": "npm run test:unit"}, "test", "npm run test:unit"),
    ("search_file_content", {"pattern": "TODO"}, "search", "TODO"),
    ("google_web_search", {"query": "q"}, "web", "q"),
    ("write_todos", {"todos": [{"description": "Step", "status": "pending"}]}, "plan", "Step"),
    # Cline, Roo
    ("read_file", {"path": "a.py"}, "read", "a.py"),
    ("replace_in_file", {"path": "a.py", "diff": "x"}, "edit", "a.py"),
    ("execute_command", {"command": "cargo test"}, "test", "cargo test"),
    ("attempt_completion", {"result": "All done."}, "other", ""),
    # SWE-agent
    ("open", "open src/fields.py 1474", "read", "src/fields.py"),
    ("find_file", 'find_file "fields.py" src', "search", "fields.py"),
    ("search_dir", {"search_term": "TimeDelta", "dir": "src"}, "search", "TimeDelta"),
    ("edit", "edit 5:7\nx = 1\nend_of_edit", "edit", "edit 5:7"),
    ("goto", "goto 10", "read", "goto 10"),
    ("create", "create reproduce.py", "write", "reproduce.py"),
    ("bash", "python reproduce.py\n", "run", "python reproduce.py"),
    ("submit", "submit", "other", "submit"),
    ("str_replace_editor", {"command": "view", "path": "/t/a.py"}, "read", "t/a.py"),
    ("str_replace_editor", {"command": "create", "path": "/t/a.py", "file_text": "x"}, "write", "t/a.py"),
    ("str_replace_editor", {"command": "str_replace", "path": "/t/a.py", "old_str": "x"}, "edit", "t/a.py"),
    # OpenHands
    ("file_editor", {"command": "insert", "path": "b.py", "new_str": "x"}, "edit", "b.py"),
    ("execute_bash", {"command": "make -j4"}, "build", "make -j4"),
    ("terminal", {"command": "git status"}, "vcs", "git status"),
    # opencode, Cursor, Copilot, Droid, Kimi, Grok
    ("bashExecution", {"command": "find ."}, "search", "find ."),
    ("todowrite", {"todos": []}, "plan", "todowrite"),
    ("webfetch", {"url": "http://www.a.example/"}, "web", "a.example"),
    ("codebase_search", {"query": "where is auth"}, "search", "where is auth"),
    ("run_terminal_cmd", {"command": "tsc --noEmit"}, "build", "tsc --noEmit"),
    ("search_replace", {"file_path": "x/y.ts", "old_string": "a"}, "edit", "x/y.ts"),
    ("list_dir", {"relative_workspace_path": "lib"}, "list", "lib"),
    ("report_intent", {"intent": "Exploring"}, "other", "Exploring"),
    # MCP names of other hosts, and tools of a domain
    ("github-create_issue", {"owner": "a", "title": "Crash"}, "mcp", "github create_issue Crash"),
    ("filesystem-list_directory", {"path": "/data"}, "list", "data"),
    ("rail_12306-get-tickets", {"date": "2025-01-02"}, "mcp", "rail_12306 get_tickets 2025-01-02"),
    ("web-search", {"query": "x y"}, "web", "x y"),
    ("local-python-execute", {"code": "print(1)"}, "run", "print(1)"),
    ("playwright__browser_navigate", {"url": "https://a.example/x"}, "web", "a.example/x"),
    ("get_order_details", {"order_id": "#W23"}, "read", "get_order_details #W23"),
    ("find_user_id_by_email", {"email": "a@b.c"}, "search", "find_user_id_by_email a@b.c"),
    ("cancel_pending_order", {"order_id": "#W1", "reason": "x"}, "edit", "cancel_pending_order #W1"),
    ("book_reservation", {"user_id": "u_1"}, "write", "book_reservation u_1"),
    ("transfer_to_human_agents", {"summary": "needs a refund"}, "agent", "needs a refund"),
    # garbage
    ("", None, "other", ""),
    ("未知", ["x"], "other", "未知 x"),
    ("Read", None, "read", "Read"),
    ("Bash", {"command": None}, "run", "Bash"),
]


@pytest.mark.parametrize(("tool", "arguments", "kind", "target"), CALLS)
def test_a_call_of_every_agent_is_known(tool: str, arguments: Any, kind: str, target: str) -> None:
    found_kind, found_target = describe(tool, arguments)
    assert found_kind == kind
    if target:
        assert found_target == target


LINES = [
    (
        "cd x && FOO=1 timeout 60 python -m pytest -q tests/a.py 2>&1 | tail -5",
        "test",
        "pytest -q tests/a.py",
    ),
    ('git add -A && git commit -m "$(cat <<\'EOF\'\nFix "it"\n\nbody\nEOF\n)"', "vcs", "git commit"),
    ("mise run fmt && mise run lint 2>&1 | head -50", "build", "mise run lint"),
    ("cat > a/b.py <<'EOF'\nimport x\nEOF", "write", "a/b.py"),
    ("sed -i '' 's/a/b/' one.go two.go", "edit", "one.go, two.go"),
    ("sed -i 's/a/b/' one.go >> log", "edit", "one.go"),
    ("echo x >> a/b.py", "edit", "a/b.py"),
    ("echo x > a/b.py", "write", "a/b.py"),
    ("echo x >| a/b.py", "write", "a/b.py"),
    ("make 2>> log", "build", "make"),
    ("find .", "search", "find ."),
    ("cd x && find src/a -type f", "search", "find src/a"),
    ("sed -n 1,20p one.go", "read", "one.go"),
    ("for f in a.go b.go; do sed -i 's/x/y/' $f; done", "edit", "a.go, b.go"),
    ("find . -name '*.ts' | xargs grep -l foo", "search", "foo"),
    ("grep -A 15 '^import' a.go | head -20", "search", "^import"),
    ("cat a.py | grep foo", "search", "foo"),
    ("npx tsgo --noEmit 2>&1 | grep error", "build", "tsgo --noEmit"),
    ("uv run ruff check .", "build", "ruff check ."),
    ("docker exec web pytest -q", "test", "pytest -q"),
    ("python - <<'PY'\n# compare the two\nimport x\nPY", "run", "python: compare the two"),
    ("curl -s -X POST -d @a.json https://api.example.org/v1/x?y=1", "web", "api.example.org/v1/x"),
    ("bash -lc 'ls -la && rg foo'", "search", "foo"),
    ("rm -rf build && make", "build", "make"),
    ("ls # don't stop here\ncat a.txt", "read", "a.txt"),
    ("echo 'unclosed", "run", "echo unclosed"),
    ("python manage.py test app", "test", "python manage.py test app"),
    ("./gradlew test", "test", "gradlew test"),
    ("patch -p1 < fix.patch", "edit", "fix.patch"),
]


@pytest.mark.parametrize(("line", "kind", "target"), LINES)
def test_a_command_line_is_named_by_the_command_it_is_for(line: str, kind: str, target: str) -> None:
    assert describe("Bash", {"command": line}) == (kind, target)


def test_a_call_without_a_result_is_missing() -> None:
    summary = summarize("Bash", {"command": "make"}, None)
    assert (summary.status, summary.score, summary.turned) == ("missing", 0, "")
