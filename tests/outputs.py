"""Every kind of JSON that memctl prints, from one walk over its commands on the sample sessions."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from running import memctl


def documents(folder: Path, samples: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give (command line, document) of each command with --format json; *folder* is written into."""
    home = folder / "memory"

    def run(*arguments: str, stdin: str = "") -> dict[str, Any]:
        found = memctl("-q", "-C", home, *arguments, "--format", "json", code=None, stdin=stdin)
        assert found.out, (arguments, found.err)
        document: dict[str, Any] = json.loads(found.out)
        return document

    def given(*arguments: str, stdin: str = "") -> tuple[str, dict[str, Any]]:
        return " ".join(arguments), run(*arguments, stdin=stdin)

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=home, check=True, capture_output=True)

    yield given("ingest", "--dry-run", str(samples))
    yield given("ingest", str(samples))
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "base")
    yield given("extract", "--dry-run")
    yield given("extract")
    yield given("diff")
    yield given("status")
    yield given("canvas", "list")
    yield given("canvas", "show", "1")
    for level in "0123":
        yield given("canvas", "show", "1", "--level", level)
    yield given("grep", "test")
    yield given("recall", "when is a token expired", "--mode", "bm25")
    yield given("recall", "token", "--mode", "bm25", "--explain")
    yield given("index", "status")
    yield given("index", "build")
    yield given("session", "list")
    session = run("session", "list")["data"][0]["id"]
    yield given("session", "show", session)
    yield given("session", "trace", session)
    yield given("atom", "list")
    atoms = [atom["id"] for atom in run("atom", "list")["data"]]
    yield given("atom", "show", atoms[0])
    ids = ["001", "001-N1", "persona", session, atoms[0], *_ids(home)]
    for one in ids:
        found = memctl("-q", "-C", home, "drill", one, "--format", "json", code=None)
        if found.code == 0:
            yield f"drill {one}", json.loads(found.out)
    yield given("drill", "001-N1", "002-N1")
    yield given("history", "persona.md")
    now = ("--now", "2026-05-01T10:00:00Z")
    yield given("atom", "correct", atoms[0], "It is so.", *now)
    yield given("atom", "forget", atoms[1], *now)
    yield given("diff")
    yield given("task", "list")
    yield given("task", "create", "Task_a", "-d", "a task", *now)
    yield given("task", "set-state", "Task_a", "paused", *now)
    yield given("task", "show", "Task_a")
    yield given("task", "current")
    yield given("graph", "commit", "User", "LIKES", "tea", *now)
    yield given("graph", "recall", "tea")
    yield given("graph", "recall", "tea", "--depth", "0")
    yield given("graph", "purge", "--object", "tea", *now)
    yield given("check")
    path = min((home / "mmds").iterdir())
    path.write_text(path.read_text("utf-8") + "001-N1 --> 001-N99\n001-N1[a (b]\n", "utf-8")
    yield given("check")
    yield given("validate", str(path))
    yield given("check", "--fix")
    orphan = home / "refs" / "2026-03" / "2026-03-01T00-00-00Z-0123456789ab.md"
    orphan.write_bytes(b"# Tool Result: x\n\n- bytes: 1\n\n---\n\na")
    yield given("compact", "--dry-run", "--now", "2026-09-01T10:00:00Z")
    yield given("compact", "--now", "2026-09-01T10:00:00Z")
    yield given("trash", "list")
    yield given("trash", "empty", "--dry-run", "--now", "2026-10-01T10:00:00Z")
    yield given("trash", "restore", orphan.name)
    yield given("history", "persona.md")
    yield given("context", session, "--stats")
    yield given("context", session, "--replay")
    yield given("revert", "persona.md", run("history", "persona.md")["data"][0]["version"][-8:])
    yield given("prompt", "persona")
    yield "prompt --schema", json.loads(memctl("prompt", "persona", "--schema", "--format", "json").out)
    yield given("export", "--tdai", str(folder / "theirs"))
    yield given("clear", "--session", session, "--yes", "--now", "2026-12-01T10:00:00Z")
    failed = memctl("-C", home, "drill", "nothing", "--format", "json", code=1)
    yield "drill nothing", json.loads(failed.err)


def _ids(home: Path) -> list[str]:
    """Give ids of calls, refs, messages, scenes and tasks."""
    rows = [
        json.loads(line)
        for line in next(iter(home.glob("offload-5*.jsonl"))).read_bytes().split(b"\n")
        if line
    ]
    messages = next(iter((home / "conversations").glob("5*.jsonl"))).read_bytes().split(b"\n")
    return [
        rows[0]["tool_call_id"],
        next(row["result_ref"] for row in rows if row["result_ref"]),
        json.loads(messages[1])["id"],
        "scene:" + min((home / "scene_blocks").glob("*.md")).name,
        "task:" + min((home / "tasks").iterdir()).stem,
    ]
