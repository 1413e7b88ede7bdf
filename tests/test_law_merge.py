"""The law "merging is safe", as far as git's union merge of JSONL and the next pass go.

What git may stop at (mmds/, tasks/, persona.md, scene_blocks/) is for `check --fix`.
"""

import itertools
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from merging import union
from running import PROGRAM, memctl, snapshot
from tasking import LATER, NOON, header, task_of, tasks

from memctl.store import messages


@pytest.mark.parametrize("cuts", [(0.4, 1.0), (1.0, 0.4), (0.5, 0.5)])
def test_two_lengths_of_one_session_merged_either_way_lose_nothing(
    samples: Path, tmp_path: Path, cuts: tuple[float, float]
) -> None:
    source = max(samples.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    data = source.read_bytes()
    whole = tmp_path / source.name
    homes = [tmp_path / "ours", tmp_path / "theirs"]
    for home, share in zip(homes, cuts, strict=True):
        whole.write_bytes(data[: int(len(data) * share)])
        memctl("-q", "-C", home, "ingest", whole)
    whole.write_bytes(data)
    union(*homes)

    memctl("-q", "-C", homes[0], "ingest", whole)
    memctl("-q", "-C", tmp_path / "once", "ingest", whole)

    assert snapshot(tmp_path / "once") == snapshot(homes[0])


orders = st.lists(st.integers(0, 30), unique=True, max_size=12)


@given(orders, orders)
def test_merged_orders_hold_every_message_once_and_do_not_ask_whose_they_are(
    ours: list[int], theirs: list[int]
) -> None:
    merged = messages.merge_orders(ours, theirs)

    assert sorted({*ours, *theirs}) == sorted(merged)
    assert merged == messages.merge_orders(theirs, ours)
    assert merged == messages.merge_orders(merged, theirs)


@given(st.lists(st.integers(0, 50), unique=True, min_size=1, max_size=15), st.data())
def test_a_beginning_and_the_whole_merge_to_the_whole(whole: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(0, len(whole)))

    assert whole == messages.merge_orders(whole[:size], whole)
    assert whole == messages.merge_orders(whole[size:], whole)


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.permutations(range(20)))
def test_a_file_of_two_ends_is_in_the_order_of_two_transcripts(
    shared: int, ours: int, theirs: int, keys: list[int]
) -> None:
    first = keys[: shared + ours]
    second = keys[:shared] + keys[10 : 10 + theirs]
    one, other = (list(enumerate(way, 1)) for way in (first, second))

    merged = messages.order_of([*one, *other[shared:]])

    assert merged == messages.order_of([*other, *one[shared:]])
    assert merged == messages.merge_orders(first, second)


@pytest.mark.parametrize("sort", [False, True])
def test_many_messages_that_grew_or_were_sorted_are_ordered_in_linear_time(*, sort: bool) -> None:
    """Every other message stands twice, and at the end two clones differ; or their ends alternate."""
    whole = list(range(100_000))
    places = [
        place for at in whole for place in ([(at, at)] * (1 + at % 2) + [(at, -at - 1)] * (sort and at > 9))
    ]

    ordered = messages.order_of([*places, (whole[-1], -whole[-1] - 1)])

    assert len(ordered) == len({key for _, key in places} | {-whole[-1] - 1})
    assert [key for key in ordered if key >= 0] == whole


@given(st.lists(st.integers(0, 50), unique=True, max_size=15), st.data())
def test_lines_that_were_moved_stand_where_they_say(keys: list[int], data: st.DataObject) -> None:
    places = list(enumerate(keys, 1))

    assert messages.order_of(data.draw(st.permutations(places))) == keys


def looked(call: str) -> list[dict[str, object]]:
    made = {"id": call, "function": {"name": "bash", "arguments": json.dumps({"command": f"ls {call}"})}}
    return [
        {"role": "assistant", "content": "", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": call, "content": f"{call}.py"},
    ]


@pytest.mark.parametrize("calls", [(), ("shared",), ("shared", "a", "b"), ("a",)], ids=" ".join)
@pytest.mark.parametrize("lengths", [(1, 1), (1, 4), (3, 2)])
def test_a_chat_that_went_on_in_two_clones_is_healed_the_same_whichever_way_it_is_merged(
    tmp_path: Path, calls: tuple[str, ...], lengths: tuple[int, int]
) -> None:
    begun = [{"role": "user", "content": "Look around."}, *(looked("shared") if "shared" in calls else ())]
    chat = tmp_path / "chat.json"
    for name, length in zip("ab", lengths, strict=True):
        roles = itertools.cycle(("user", "assistant"))
        went_on = [{"role": next(roles), "content": f"Now {name}{turn}."} for turn in range(length)]
        end = looked(name) if name in calls else []
        chat.write_text(json.dumps({"session_id": "chat", "messages": [*begun, *went_on, *end]}), "utf-8")
        for copy in "12":
            memctl("-q", "-C", tmp_path / f"{name}{copy}", "ingest", chat)
    union(tmp_path / "a1", tmp_path / "b1")
    union(tmp_path / "b2", tmp_path / "a2")

    for home in ("a1", "b2"):
        memctl("-q", "-C", tmp_path / home, "check", "--fix", code=None)
        memctl("-q", "-C", tmp_path / home, "check")

    assert snapshot(tmp_path / "a1") == snapshot(tmp_path / "b2")
    shown = memctl("-C", tmp_path / "a1", "session", "show", "chat").out
    assert all(
        f"Now {name}{turn}." in shown
        for name, length in zip("ab", lengths, strict=True)
        for turn in range(length)
    )


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=2, max_size=4))
def test_the_better_of_several_records_does_not_depend_on_their_order(texts: list[tuple[str, str]]) -> None:
    made = [
        messages.record({"id": "a", "sessionId": "s", "role": "user", "content": content, "timestamp": time})
        for content, time in texts
    ]
    results = set()
    for order in itertools.permutations(made):
        best = order[0]
        for one in order[1:]:
            best = messages.better(best, one)
        results.add(best)

    assert len(results) == 1


LOOP = """
import sys, time
from pathlib import Path
from memctl import files
from memctl.passes import tasks
from memctl.store import open_store
from memctl.tasks import listing
home, who, other = Path(sys.argv[1]), *sys.argv[2]
(home.parent / who).touch()
while not (home.parent / other).exists():  # both are at work at once
    time.sleep(0.01)
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
        subprocess.Popen([*command, order], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for order in ("ab", "ba")
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
