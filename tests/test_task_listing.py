"""The canvases that a task lists: another name takes the place of one, and a person's other bytes stay."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from claude_chat import call, line, result, written
from running import memctl

from memctl.tasks import taskfile

PERSONS = [
    'canvases: ["001-fix.mmd", "1001-fix.mmd", "002-a.mmd"]\n',
    (
        "canvases:\n  - 1001-fix.mmd\n"
        "  - 001-fix.mmd   # 001-fix.mmd was the first try\n# 001-fix.mmd, again\n  - '002-a.mmd'\n"
    ),
    "canvases:\r\n- '001-fix.mmd'\r\n\r\n- 1001-fix.mmd\r\n- 001-fix.mmd.mmd\r\n",
    "canvases: [ 001-fix.mmd , 1001-fix.mmd ]\n",
    "canvases: 001-fix.mmd\n",
]


@pytest.mark.parametrize("canvases", PERSONS)
def test_a_canvas_is_listed_by_its_new_name_and_no_other_byte_changes(canvases: str) -> None:
    before = (
        "# mine: 001-fix.mmd\ntask_id: t1\nstate:   paused\n"
        "description: look at 001-fix.mmd, then at 1001-fix.mmd\n" + canvases + "note: see 001-fix.mmd\n"
    ).encode()
    task = taskfile.read(before)
    assert task is not None

    after = taskfile.listing_instead(before, "001-fix.mmd", "004-fix.mmd")

    names = tuple("004-fix.mmd" if name == "001-fix.mmd" else name for name in task.canvases)
    assert taskfile.read(after) == replace(task, canvases=names)
    assert len(after) == len(before)
    changed = [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert len(changed) == 1, "one digit"
    assert taskfile.listing_instead(before, "01-fix.mmd", "x.mmd") == before


def test_both_sides_of_a_conflict_list_the_new_name() -> None:
    text = (
        b'task_id: t1\n<<<<<<< ours\ncanvases: ["001-fix.mmd"]\n=======\n'
        b'canvases: ["001-fix.mmd", "002-a.mmd"]\n>>>>>>> theirs\nstate: paused\n'
    )

    assert taskfile.listing_instead(text, "001-fix.mmd", "004-fix.mmd") == text.replace(
        b"001-fix", b"004-fix"
    )


def test_a_task_on_one_line_is_written_anew() -> None:
    text = b'{task_id: t1, description: "001-fix.mmd", canvases: [001-fix.mmd, 004-fix.mmd]}\n'

    task = taskfile.read(taskfile.listing_instead(text, "001-fix.mmd", "004-fix.mmd"))

    assert task is not None
    assert (task.description, task.canvases) == ("001-fix.mmd", ("004-fix.mmd",))


def test_a_canvas_that_is_renumbered_takes_no_word_of_a_person_along(tmp_path: Path) -> None:
    for session, goal in (("s1", "Fix the parser"), ("s2", "Write the docs")):
        lines = [
            line("user", f"u-{session}", goal, session),
            line("assistant", f"a-{session}", [call(session, command="make")], session),
            line("user", f"r-{session}", [result(session, "ok")], session),
        ]
        source = written(tmp_path / f"{session}.jsonl", lines)
        memctl("-q", "-C", tmp_path / session, "ingest", source)
    home, other = tmp_path / "s1", tmp_path / "s2"
    name = next((other / "mmds").iterdir()).name
    for folder in ("conversations", "mmds", "tasks"):
        shutil.copytree(other / folder, home / folder, dirs_exist_ok=True)
    shutil.copy(next(other.glob("offload-*")), home)
    said = f"description: {name} is not 1{name}\n"
    (home / "tasks" / "mine.yaml").write_text(
        f"task_id: mine\nstate: paused\n{said}canvases: [1{name}, {name}]  # {name}\n", encoding="utf-8"
    )

    memctl("-q", "-C", home, "check", "--fix", code=None)

    new = f"002{name[3:]}"
    assert (home / "mmds" / new).is_file()
    text = (home / "tasks" / "mine.yaml").read_text(encoding="utf-8")
    assert text == f"task_id: mine\nstate: paused\n{said}canvases: [1{name}, {new}]  # {name}\n"
