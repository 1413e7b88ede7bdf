"""`memctl task`: one task through its states, what is said of it, and the one at hand."""

from pathlib import Path

import pytest
from running import memctl
from tasking import LATER, NOON, tasks


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
    every = (str(int(path.name[:3])) for path in (drawn / "mmds").iterdir())
    memctl("-C", drawn, "canvas", "archive", *every)
    again = memctl("-C", drawn, "task", "current", "--format", "json").data["current"]
    assert again["task_id"] == first["task_id"]
    assert again["canvas_status"][0]["before"] == "active"
    assert "active (archived)" in memctl("-C", drawn, "task", "current").out


def test_a_task_whose_name_begins_like_a_kind_is_found(home: Path) -> None:
    memctl("-C", home, "task", "create", "task:x", "--description", "odd")
    assert "odd" in memctl("-C", home, "task", "show", "task:x").out
