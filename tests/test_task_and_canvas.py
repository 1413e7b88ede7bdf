"""A task and its canvases move together, and what was said outlives every pass."""

import json
import shutil
from pathlib import Path

from running import memctl, snapshot
from tasking import LATER, NOON, header, task_of, tasks


def test_a_state_that_was_said_moves_the_canvas_and_outlives_every_pass(drawn: Path, samples: Path) -> None:
    name = task_of(drawn, "002-export-writes-prices")
    memctl("-C", drawn, "task", "set-state", name, "cancelled", "--now", NOON)
    assert header(drawn, "002")["status"] == "cancelled"
    before = snapshot(drawn)

    memctl("-q", "-C", drawn, "ingest", samples)
    assert before == snapshot(drawn)

    shutil.rmtree(drawn / ".memctl")  # as in a fresh clone: every pass looks at everything
    memctl("-q", "-C", drawn, "ingest", samples)
    assert before == snapshot(drawn)

    for path in (drawn / "mmds").iterdir():
        path.unlink()
    memctl("-q", "-C", drawn, "ingest", "-", stdin="[]", code=None)
    memctl("-q", "-C", drawn, "ingest", samples)
    assert header(drawn, "002")["status"] == "cancelled"
    assert tasks(drawn)[name]["state"] == "cancelled"


def test_the_state_that_was_said_stands_while_the_session_grows(samples: Path, tmp_path: Path) -> None:
    home, source = tmp_path / "memory", samples / "claude_code.jsonl"
    part = tmp_path / source.name
    data = source.read_bytes()
    part.write_bytes(data[: len(data) // 2])
    memctl("-q", "-C", home, "ingest", part)
    name = next(iter(tasks(home)))
    memctl("-C", home, "task", "set-state", name, "paused", "--now", "2026-03-02T09:30:00Z")
    memctl("-C", home, "task", "link-info", name, "tokens")
    part.write_bytes(data)
    memctl("-q", "-C", home, "ingest", part)

    assert tasks(home)[name]["state"] == "paused"
    assert tasks(home)[name]["info_nodes"] == ["tokens"]
    assert header(home, "001")["status"] == "paused"
    assert memctl("-C", home, "validate", "--strict", *(home / "mmds").iterdir()).code == 0


def chat(times: list[tuple[str, str, str]]) -> str:
    """Write a Claude Code session of prompts, each with one call."""
    lines: list[str] = []
    for number, (time, prompt, path) in enumerate(times):
        base = {"sessionId": "s-1", "cwd": "/w", "version": "2", "timestamp": time}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": path}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"text of {path}"}
        for kind, role, content in (
            ("user", "user", prompt),
            ("assistant", "assistant", [call]),
            ("user", "user", [result]),
        ):
            message = {"role": role, "content": content}
            uuid = f"u{len(lines)}"
            parent = f"u{len(lines) - 1}" if lines else None
            lines.append(
                json.dumps({**base, "type": kind, "uuid": uuid, "parentUuid": parent, "message": message})
            )
    return "".join(f"{line}\n" for line in lines)


TURNS = [
    ("2026-03-01T10:00:00Z", "Fix the login form in login.py", "login.py"),
    ("2026-03-01T11:00:00Z", "Something else: compare the tuition fees in fees.csv", "fees.csv"),
    ("2026-03-01T12:00:00Z", "Back to the login form in login.py", "login.py"),
]


def test_the_user_takes_up_again_in_the_transcript_what_was_paused(tmp_path: Path) -> None:
    home, source = tmp_path / "memory", tmp_path / "s-1.jsonl"
    source.write_text(chat(TURNS[:2]))
    memctl("-q", "-C", home, "ingest", source)
    login, fees = task_of(home, "001-"), task_of(home, "002-")
    assert (tasks(home)[login]["state"], tasks(home)[fees]["state"]) == ("paused", "in_progress")
    memctl("-C", home, "task", "set-state", login, "cancelled", "--now", "2026-03-01T11:30:00Z")

    source.write_text(chat(TURNS))
    memctl("-q", "-C", home, "ingest", source)

    assert tasks(home)[login]["state"] == "in_progress"
    assert (header(home, "001")["status"], header(home, "002")["status"]) == ("active", "paused")
    states = [one["state"] for one in tasks(home)[login]["history"]]  # type: ignore[attr-defined]
    assert "cancelled" in states


def test_a_status_written_into_a_canvas_is_said_of_its_task(drawn: Path, samples: Path) -> None:
    name = task_of(drawn, "005-")
    path = next((drawn / "mmds").glob("005-*"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"status":"active"', '"status":"completed"', 1), encoding="utf-8")

    memctl("-q", "-C", drawn, "ingest", samples)

    assert tasks(drawn)[name]["state"] == "completed"
    assert header(drawn, "005")["status"] == "completed"
    assert header(drawn, "005")["by"] == "rules"
    before = snapshot(drawn)
    memctl("-q", "-C", drawn, "ingest", samples)
    assert before == snapshot(drawn)


def test_a_task_of_ones_own_takes_its_canvases_along(drawn: Path) -> None:
    memctl("-C", drawn, "task", "create", "Task_site", "--canvas", "5", "--canvas", "004-plants-did-water")
    memctl("-C", drawn, "task", "set-state", "Task_site", "cancelled", "--now", LATER)
    assert header(drawn, "005")["status"] == header(drawn, "004")["status"] == "cancelled"
    assert {row["state"] for row in tasks(drawn).values() if "005-" in str(row["canvases"])} == {"cancelled"}
    shown = memctl("-C", drawn, "task", "show", "Task_site").out
    assert "005-make-header-site" in shown


def test_a_deleted_task_is_not_made_again(drawn: Path, samples: Path) -> None:
    name = task_of(drawn, "005-")
    memctl("-C", drawn, "task", "delete", name)
    shutil.rmtree(drawn / ".memctl")
    memctl("-q", "-C", drawn, "ingest", samples)
    assert name not in tasks(drawn)
    assert "deleted" in memctl("-C", drawn, "drill", name).out


def test_what_a_body_edit_and_a_state_say_both_stay(drawn: Path, samples: Path) -> None:
    path = next((drawn / "mmds").glob("004-*"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("summary: ", "summary: mine ", 1), encoding="utf-8")
    memctl("-C", drawn, "task", "set-state", task_of(drawn, "004-"), "paused", "--now", LATER)
    shutil.rmtree(drawn / ".memctl")
    memctl("-q", "-C", drawn, "ingest", samples)
    assert header(drawn, "004")["status"] == "paused"
    assert "summary: mine " in path.read_text(encoding="utf-8")
