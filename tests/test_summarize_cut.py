"""What was cut says so: lists and counts of a part, parts of a file and of a line of code; scripts are told in words."""

import re

import pytest
from growing import agent, call, happenings, results, user
from hypothesis import given, strategies as st

from memctl.canvas.grow import grow
from memctl.summarize import summarize
from memctl.summarize.scripts import told


def _said(tool: str, arguments: dict[str, object], result: str) -> str:
    return summarize(tool, arguments, result).text


def _run(command: str, result: str) -> str:
    return _said("bash", {"command": command}, result)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("M one.py\nM two.py", "git status: 2 changed: one.py, two.py"),  # the blanks stripped off
        (" M one.py\n M two.py", "git status: 2 changed: one.py, two.py"),
        ("M one.py\n M two.py\n?? three.py", "git status: 2 changed: one.py, two.py; 1 untracked: three.py"),
        ("M  one.py\n M two.py", "git status: 1 changed: two.py; 1 staged: one.py"),
        ("M\tone.py\nD\ttwo.py", "git status: 2 changed: one.py, two.py"),
    ],
)
def test_every_line_of_a_short_status_counts(printed: str, said: str) -> None:
    assert _run("git status --short", printed) == said


def _errors(number: int) -> str:
    return "".join(
        f"src/a.ts({line},1): error TS2304: Cannot find name 'b{line}'.\n" for line in range(number)
    )


def test_errors_counted_in_output_that_was_cut_are_at_least_so_many() -> None:
    assert "8+ errors" in _run("npx tsc --noEmit 2>&1 | head -8", _errors(8))
    assert "10+ errors" in _run("npx tsc --noEmit | head", _errors(10))
    assert "8+ errors" in _run("npx tsc --noEmit | tail -n 8", _errors(8))
    assert "1+ errors" in _run("npx tsc --noEmit | head -1", _errors(1))
    assert "7 errors" in _run("npx tsc --noEmit 2>&1 | head -8", _errors(7))
    assert "8 errors" in _run("npx tsc --noEmit", _errors(8))
    assert "9 errors" in _run("npx eslint . | tail -n 9", _errors(8) + "9 errors\n")


def test_lists_of_which_a_part_was_shown_say_which() -> None:
    log = "".join(f"{number:07x} Change number {number}\n" for number in range(5))
    assert "first 5 commits" in _run("git log --oneline | head -5", log)
    assert "git log: 5 commits" in _run("git log --oneline | head -9", log)
    names = "".join(f"name{number}.py\n" for number in range(5))
    assert "first 5 entries" in _run("ls | head -5", names)
    assert "last 5 entries" in _run("ls | tail -5", names)
    text = "".join(f"value_{number} = {number}\n" for number in range(20))
    assert "a.py: first 20 lines" in _run("head -20 a.py", text)
    assert "a.py: last 20 lines" in _run("tail -n 20 a.py", text)
    assert "a.py: 20 lines" in _run("head -40 a.py", text)
    assert "a.py: 20 lines" in _run("cat a.py", text)


def test_a_part_of_a_file_says_of_how_many_lines() -> None:
    part = "\n".join(f"value_{number} = {number}" for number in range(1, 20))
    more = f"{part}\n\n[1549 more lines in file. Use offset=20 to continue]"

    assert _said("read", {"path": "a.py", "offset": 1, "limit": 19}, more).startswith(
        "a.py: 19 lines of 1,568: "
    )
    assert _said("read", {"path": "a.py"}, more).startswith("a.py: 19 lines of 1,568: ")
    assert _said("read", {"path": "a.py", "offset": 41, "limit": 19}, more).startswith(
        "a.py:41-59 of 1,608: "
    )
    assert _said(
        "read", {"path": "a.py"}, f"{part}\n\n(File has more lines. Use 'offset' to read on)"
    ).startswith("a.py: first 19 lines: ")
    assert _said("read", {"path": "a.py"}, part).startswith("a.py: 19 lines: ")


def _edit(old: str, new: str) -> str:
    return _said("edit", {"path": "a.py", "oldText": old, "newText": new}, "Edited a.py")


def test_code_is_cut_at_the_end_of_an_expression_or_says_that_it_was_cut() -> None:
    said = _edit(
        "    return int(value.total_milliseconds() / base_unit.total_milliseconds())",
        "    return int(round(value.total_milliseconds() / base_unit.total_milliseconds()))",
    )
    assert "base_unit.total_milliseconds()) →" in said
    comment = "    // Already subscribed to the events of this very session, nothing more to do here"
    assert "// Already subscribed" in _edit(comment, comment.replace("subscribed", "connected"))
    called = "        self.io.tool_output(first_thing_to_say, second_thing_to_say, bold=True, end=nothing)"
    assert "(first_thing_to_say…" in _edit(called, called.replace("first_thing_to_say", "other_thing"))
    assert "known := load(old)" in _edit(
        "    if somebody_asks_for_it && nothing_is_there_yet { known := load(old) }",
        "    if somebody_asks_for_it && nothing_is_there_yet { known := load(new) }",
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (r"s/\bload\b/files.load/g", "load → files.load"),
        ("s|../config|../../config|", "../config → ../../config"),
        (
            "317s/isinstance(a, b)/isinstance(a, (b, c))/",
            "isinstance(a, b) → isinstance(a, (b, c)) in line 317",
        ),
        ("10,20s/^/# /", "^ → # in lines 10-20"),
        ("s/left//", "removes left"),
        ("3,9d", "removes lines 3-9"),
        ("$d", "removes the last line"),
        ("/left/d", "removes /left/"),
        ("/import os/a\\\n\timport sys\n", "adds import sys after /import os/"),
        ("1i\\import os", "adds import os before line 1"),
        ("s/a/b/; s/c/d/", "a → b; c → d"),
        ("s/a/b", ""),
        ("/x/{s/a/b/;d}", ""),
        ("", ""),
    ],
)
def test_a_script_is_told_in_words(script: str, said: str) -> None:
    assert told(script) == said


@given(st.text("sdaiyc/|\\;\n0123456789,$ xy{}&g", max_size=60))
def test_any_script_is_told_in_one_line_or_not_at_all(script: str) -> None:
    assert "\n" not in told(script)


def test_an_edit_by_sed_shows_no_bare_script() -> None:
    said = _run("sed -i '' 's/old_name/new_name/g' /home/me/a.py && sed -i 's/old_name/new_name/g' b.py", "")

    assert re.search(r"old_name → new_name\Z", said)


def test_what_only_runs_or_reads_is_drawn_so_whatever_the_agent_is_about_to_do() -> None:
    lines = [
        user("Round the times."),
        agent(
            "Let's run it again before submitting the changes.",
            call("a", "run", "python try.py", "python try.py: 4"),
        ),
        results("a"),
        agent("Now we submit the patch.", call("b", "read", "patch.txt", "patch.txt: 9 lines")),
        results("b"),
        agent("", call("c", "other", "submit", "submit: +1 -1", tool="submit")),
        results("c"),
    ]

    assert [node.shape for node in grow(happenings(lines)).tasks[0].nodes] == ["run", "read", "store"]


def test_a_list_that_goes_on_ends_in_no_comma() -> None:
    listed = "from the_package_of_all_things import first_of_all_things, second_of_all_things, third_of_all_things, fourth"
    said = _edit(listed, listed.replace("second_of_all_things, ", ""))

    assert not re.search(r",(?: →|\Z)", said)


def test_the_last_matches_are_called_so() -> None:
    assert "last 2 matches" in _run("grep -n value a.py | tail -2", "8:value_8 = 8\n9:value_9 = 9\n")
