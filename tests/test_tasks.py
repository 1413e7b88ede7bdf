"""The working memory chain: states, words that last, canvas and task together, two writers, hostile files."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from running import PROGRAM, memctl, snapshot

from memctl.model import TASK_STATES, Change, Task
from memctl.tasks import taskfile
from memctl.tasks.states import merge, say

NOON = "2026-03-07T12:00:00Z"
LATER = "2026-03-08T12:00:00Z"


@pytest.fixture
def drawn(tmp_path: Path, samples: Path) -> Path:
    """Give a directory with all samples."""
    memctl("-q", "-C", tmp_path / "memory", "ingest", samples)
    return tmp_path / "memory"


def tasks(home: Path) -> dict[str, dict[str, object]]:
    return {row["task_id"]: row for row in memctl("-C", home, "task", "list", "--format", "json").data}


def task_of(home: Path, canvas: str) -> str:
    """Name the task that lists a canvas."""
    return next(
        name for name, row in tasks(home).items() if any(canvas in str(one) for one in [row["canvases"]])
    )


def header(home: Path, number: str) -> dict[str, object]:
    line = next((home / "mmds").glob(f"{number}-*")).read_text(encoding="utf-8").split("\n")[0]
    found: dict[str, object] = json.loads(line.removeprefix("%% "))
    return found


# --------------------------------------------------------------------------- one task


def test_a_task_lives_through_its_states(home: Path) -> None:
    memctl(
        *("-C", home, "task", "create", "Task_idiom_chain", "--description", "idiom chain"),
        *("--info", "idiom_chain_current", "--now", NOON),
    )
    memctl("-C", home, "task", "set-state", "Task_idiom_chain", "paused", "--now", LATER)
    memctl("-C", home, "task", "set-state", "Task_idiom", "in_progress", "--now", LATER)
    memctl("-C", home, "task", "set-state", "Task_idiom", "已完成", "--now", "2026-03-09T12:00:00Z")

    shown = memctl("-C", home, "task", "show", "Task_idiom_chain", "--format", "json").data

    assert shown["state"] == "completed"
    assert shown["info_nodes"] == ["idiom_chain_current"]
    assert [(one["at"], one["state"]) for one in shown["history"]] == [
        (NOON, "in_progress"),
        (LATER, "paused"),
        (LATER, "in_progress"),
        ("2026-03-09T12:00:00Z", "completed"),
    ]
    assert {one["by"] for one in shown["history"]} == {"human"}


def test_errors_say_what_to_do(home: Path) -> None:
    memctl("-C", home, "task", "create", "Task_a")
    assert (
        "in_progress, completed, paused or cancelled"
        in memctl("-C", home, "task", "set-state", "Task_a", "flying", code=2).err
    )
    assert "already" in memctl("-C", home, "task", "create", "Task_a", code=2).err
    for words in (
        ("show", "gone"),
        ("delete", "gone"),
        ("set-state", "gone", "paused"),
        ("link-info", "gone", "x"),
    ):
        assert "task list" in memctl("-C", home, "task", *words, code=1).err
    for bad in ("", " ", "a\nb", "x" * 300, "\x1b[31m"):
        memctl("-C", home, "task", "create", bad, code=2)
    memctl("-C", home, "task", "create", "b", "--parent", "gone", code=1)
    memctl("-C", home, "task", "create", "b", "--canvas", "7", code=1)
    memctl("-C", home, "task", "create", "b", "--now", "yesterday", code=2)
    memctl("-C", home, "task", "list", "--state", "flying", code=2)
    assert list(tasks(home)) == ["Task_a"]


def test_no_task_at_hand_is_no(home: Path) -> None:
    assert "task create" in memctl("-C", home, "task", "current", code=1).err


def test_the_current_task_and_what_was_put_aside(home: Path) -> None:
    memctl("-C", home, "task", "create", "Task_game", "-d", "a game", "--now", NOON)
    told = memctl("-C", home, "task", "create", "Task_lunch", "--pause-current", "--now", LATER)
    assert told.out == "Task_game  paused\nTask_lunch  in_progress\n"

    found = memctl("-C", home, "task", "current", "--format", "json").data
    assert found["current"]["task_id"] == "Task_lunch"
    assert found["current"]["previous"] == "Task_game"
    assert [task["task_id"] for task in found["paused"]] == ["Task_game"]

    memctl("-C", home, "task", "set-state", "Task_game", "in_progress", "--pause-current", "--now", LATER)
    assert {name: row["state"] for name, row in tasks(home).items()} == {
        "Task_game": "in_progress",
        "Task_lunch": "paused",
    }
    memctl("-C", home, "task", "set-state", "Task_game", "completed", "--now", LATER)
    assert "task set-state Task_lunch in_progress" in memctl("-C", home, "task", "current").out


def test_links_are_added_once(home: Path) -> None:
    memctl("-C", home, "task", "create", "Task_a", "--info", "x")
    memctl("-C", home, "task", "link-info", "Task_a", "y", "x", "--info", "成语接龙_当前成语")
    memctl("-C", home, "task", "link-info", "Task_a", "y")
    assert tasks(home)["Task_a"]["info_nodes"] == ["x", "y", "成语接龙_当前成语"]
    memctl("-C", home, "task", "link-info", "Task_a", code=2)


def test_a_deleted_id_answers_and_may_be_taken_again(home: Path) -> None:
    memctl("-C", home, "task", "create", "Task_a", "-d", "secret plan")
    memctl("-C", home, "task", "delete", "Task_a", "--now", NOON)
    assert "deleted" in memctl("-C", home, "task", "show", "Task_a", code=1).err
    assert "deleted" in memctl("-C", home, "drill", "Task_a").out
    assert tasks(home) == {}
    assert "secret plan" not in "".join(path.read_text() for path in (home / "tasks").iterdir())
    memctl("-C", home, "task", "create", "Task_a", "-d", "again")
    assert tasks(home)["Task_a"]["description"] == "again"


@pytest.mark.parametrize(
    "name", ["Task_成语接龙", "a/b", "..", "CON", "x" * 200, "Ünï côdé", "task a", "--x"]
)
def test_any_printable_id_is_a_task(home: Path, name: str) -> None:
    memctl("-C", home, "task", "create", "-d", "what it is about", "--", name)
    assert list(tasks(home)) == [name]
    assert name[:40] in memctl("-C", home, "task", "show", "--", name).out
    memctl("-C", home, "drill", "--", name)
    assert len(list((home / "tasks").iterdir())) == 1


def test_words_in_the_place_of_an_id_are_the_description(home: Path) -> None:
    told = memctl("-C", home, "task", "create", "Write the release notes")

    assert told.out.startswith("write-the-release-notes  in_progress")
    assert "the task's id is write-the-release-notes" in told.err
    assert tasks(home)["write-the-release-notes"]["description"] == "Write the release notes"
    memctl("-C", home, "task", "create", "Write the release notes", code=2)
    memctl("-C", home, "task", "list", "--state", "bogus", code=2)


def test_the_current_task_is_one_whose_canvases_are_not_all_archived(drawn: Path) -> None:
    first = memctl("-C", drawn, "task", "current", "--format", "json").data["current"]
    memctl("-C", drawn, "canvas", "archive", *(str(int(name[:3])) for name in first["canvases"]))

    then = memctl("-C", drawn, "task", "current", "--format", "json").data["current"]
    assert then["task_id"] != first["task_id"]
    assert {one["status"] for one in then["canvas_status"]} != {"archived"}
    memctl("-C", drawn, "canvas", "archive", *map(str, range(1, 9)))
    again = memctl("-C", drawn, "task", "current", "--format", "json").data["current"]
    assert again["task_id"] == first["task_id"]
    assert again["canvas_status"][0]["before"] == "active"
    assert "active (archived)" in memctl("-C", drawn, "task", "current").out


# --------------------------------------------------------------------------- canvas and task


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


# --------------------------------------------------------------------------- two writers


LOOP = """
import sys
from pathlib import Path
from memctl import files
from memctl.passes import tasks
from memctl.store import open_store
from memctl.tasks import listing
home, who = Path(sys.argv[1]), sys.argv[2]
for number in range(50):
    name = f"Task_{who}_{number}"
    for step in ("create", "paused", "in_progress"):
        store = open_store(home)
        with files.locked(home, 60):
            if step == "create":
                tasks.create(store, name, "", "2026-03-07T12:00:00Z", pause_current=True)
            else:
                tasks.set_state(store, listing.the_task(store, name), step, "2026-03-07T12:00:00Z")
"""


def test_two_processes_lose_nothing_of_a_hundred_tasks(home: Path) -> None:
    command = [PROGRAM[0], "-c", LOOP, str(home)]
    running = [
        subprocess.Popen([*command, who], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for who in "ab"
    ]
    for child in running:
        _, err = child.communicate(timeout=300)
        assert child.returncode == 0, err.decode()

    found = tasks(home)
    assert len(found) == 100
    for name, row in found.items():
        states = [one["state"] for one in row["history"]]  # type: ignore[attr-defined]
        assert states[0] == "in_progress", name
        assert len(states) >= 3, name  # nothing that was said is missing
        assert states.count("paused") >= 1, name
        assert states[-1] == row["state"], name


def git(folder: Path, *arguments: str, code: int | None = 0) -> None:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    assert code is None or done.returncode == code, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_two_clones_that_said_different_things_meet(tmp_path: Path, samples: Path) -> None:
    origin = tmp_path / "origin"
    memctl("-q", "-C", origin, "ingest", samples / "codex.jsonl", samples / "gemini.json")
    memctl("-C", origin, "task", "create", "Task_a", "-d", "both have it", "--now", NOON)
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "base")
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin), name)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    site = task_of(ours, "002-")
    for home, state, now, info in (
        (ours, "paused", LATER, "x"),
        (theirs, "completed", "2026-03-09T12:00:00Z", "y"),
    ):
        memctl("-C", home, "task", "set-state", "Task_a", state, "--now", now)
        memctl("-C", home, "task", "link-info", "Task_a", info, "--now", now)
        memctl("-C", home, "task", "set-state", site, state, "--now", now)
        git(home, "add", "-A")
        git(home, "commit", "-q", "-m", state)
    other = tmp_path / "other"
    shutil.copytree(theirs, other)
    for home, source in ((ours, theirs), (other, ours)):
        git(home, "pull", "-q", "--no-rebase", "--no-edit", str(source), "main", code=None)
        git(home, "add", "-A")
        git(home, "commit", "-q", "--no-edit", "-m", "merge", code=None)
        listed = tasks(home)  # readable with git's markers in it
        assert listed["Task_a"]["state"] == "completed"
        memctl("-q", "-C", home, "ingest", samples / "codex.jsonl")

    assert snapshot(ours) == snapshot(other)
    found = tasks(ours)
    assert found["Task_a"]["info_nodes"] == ["x", "y"]
    assert [one["state"] for one in found["Task_a"]["history"]] == [  # type: ignore[attr-defined]
        *("in_progress", "paused", "completed"),
    ]
    assert found[site]["state"] == "completed"
    assert header(ours, "002")["status"] == "completed"
    assert "<<<<<<<" not in "".join(path.read_text() for path in (ours / "tasks").iterdir())


# --------------------------------------------------------------------------- the file


times = st.one_of(
    st.none(), st.sampled_from([NOON, LATER, "2026-03-07T14:00:00+02:00", "2026-01-01T00:00:00.5Z"])
)
words = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=30)
changes = st.builds(Change, times, st.sampled_from(TASK_STATES), st.sampled_from(["", "human", "llm:gpt 4"]))


@st.composite
def made_tasks(draw: st.DrawFn) -> Task:
    history = tuple(draw(st.lists(changes, max_size=4)))
    names = st.lists(words.filter(bool), max_size=3, unique=True).map(tuple)
    return Task(
        id=draw(words.filter(bool)),
        description=draw(words),
        state=history[-1].state if history else draw(st.sampled_from(TASK_STATES)),
        info_nodes=draw(names),
        canvases=draw(names),
        parent=draw(st.one_of(st.none(), words.filter(bool))),
        created=draw(times),
        updated=draw(times),
        history=history,
        deleted=draw(times),
        derived=draw(st.booleans()),
        extra=draw(st.sampled_from([{}, {"colour": "red"}, {"list": [1, {"a": None}]}])),
    )


@given(made_tasks())
def test_what_is_written_is_read_again(task: Task) -> None:
    assert taskfile.read(taskfile.write(task)) == task


@given(made_tasks())
def test_a_yaml_library_reads_the_same(task: Task) -> None:
    from ruamel.yaml import YAML

    found = YAML(typ="safe", pure=True).load(taskfile.write(task).decode())
    assert found["task_id"] == task.id
    assert found["description"] == task.description
    assert [item["state"] for item in found["history"]] == [change.state for change in task.history]


@given(made_tasks(), made_tasks())
def test_merging_forgets_no_word_and_knows_no_side(one: Task, other: Task) -> None:
    both = merge(one, other)
    assert both == merge(other, one)
    assert merge(one, one) == one
    if not (one.deleted or other.deleted):
        assert {*one.history, *other.history} <= {*both.history}
        assert {*one.info_nodes, *other.info_nodes} == {*both.info_nodes}


@given(made_tasks(), st.sampled_from(TASK_STATES), st.sampled_from([NOON, LATER]))
def test_what_is_said_last_is_the_state(task: Task, state: str, now: str) -> None:
    assert say(task, state, now, "human").state == state  # type: ignore[arg-type]


def test_a_task_as_a_person_writes_it() -> None:
    text = """\
# mine
task_id: Task_a
description: >-
  two lines
  of it
state: paused
info_nodes:
  - one
  - 'two: three'
history:
  - at: 2026-03-07T12:00:00Z
    state: in_progress
  - {state: paused, at: 2026-03-08}
"""
    found = taskfile.read(text.encode())
    assert found is not None
    assert (found.description, found.state, found.info_nodes) == (
        "two lines of it",
        "paused",
        ("one", "two: three"),
    )
    assert [change.at for change in found.history] == ["2026-03-07T12:00:00Z", "2026-03-08"]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "empty": "",
    "binary": "\0\1\2\xff",
    "a bomb of aliases": f"task_id: x\n{BOMB}",
    "a bomb of merge keys": "task_id: x\na: &a {<<: [*a, *a]}\n",
    "deep": "task_id: x\ninfo_nodes: " + "[" * 100_000,
    "deep and closed": "task_id: x\ninfo_nodes: " + "[" * 50_000 + "]" * 50_000,
    "a python object": "task_id: x\ndescription: !!python/object/apply:os.system ['echo']\n",
    "a long line": "task_id: x\ndescription: " + "- {" * 100_000,
    "many lines": "task_id: x\n" + "- {at: a, state: paused\n" * 20_000,
    "no task": "- 1\n- 2\n",
    "two documents": "task_id: x\n---\ntask_id: y\n",
    "a state of its own": "task_id: x\nstate: flying\nhistory: [7, {state: 3}, null]\n",
    "half a conflict": "task_id: x\n<<<<<<< ours\nstate: paused\n",
    "huge": "task_id: x\ndescription: " + "a" * (2 << 20),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_task_file_harms_nothing(home: Path, kind: str) -> None:
    memctl("-C", home, "task", "create", "Task_good")
    (home / "tasks" / "x.yaml").write_text(HOSTILE[kind], encoding="utf-8")

    found = memctl("-C", home, "task", "list", "--format", "json")
    assert "Task_good" in {row["task_id"] for row in found.data}
    memctl("-C", home, "task", "current")
    memctl("-C", home, "task", "create", "Task_other", "--pause-current")
    memctl("-C", home, "drill", "task:x", code=None)
    assert (home / "tasks" / "x.yaml").read_text(encoding="utf-8") == HOSTILE[kind]


def test_a_link_in_place_of_a_task_is_not_followed(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("task_id: Task_out\ndescription: not here\n")
    (home / "tasks").mkdir(exist_ok=True)
    (home / "tasks" / "Task_out.yaml").symlink_to(outside)
    found = memctl("-C", home, "task", "list")
    assert "not here" not in found.out
    assert "cannot be read" in found.err
    memctl("-C", home, "task", "set-state", "Task_out", "paused", code=None)
    assert outside.read_text() == "task_id: Task_out\ndescription: not here\n"


@pytest.mark.parametrize("name", ["../../evil.mmd", "/etc/passwd", "a\\..\\b.mmd", "nul\0.mmd"])
def test_a_task_leads_no_one_out_of_the_directory(home: Path, name: str) -> None:
    (home / "tasks").mkdir(exist_ok=True)
    task = taskfile.write(Task(id="x", canvases=(name,))).decode()
    (home / "tasks" / "x.yaml").write_text(task)
    memctl("-C", home, "task", "show", "x")
    memctl("-C", home, "drill", "x")
    memctl("-C", home, "task", "set-state", "x", "paused", code=None)
    assert not (home.parent.parent / "evil.mmd").exists()
