"""The file of a task: as it is written, as a person writes it, merged, and hostile."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from running import memctl
from tasking import LATER, NOON, times, words

from memctl.model import TASK_STATES, Change, Task
from memctl.tasks import taskfile
from memctl.tasks.states import merge, say

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
