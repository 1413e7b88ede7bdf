"""Summaries of nodes: what was asked, concluded, corrected and left open."""

from growing import Line, agent, at, call, grown, labels, only, user

from memctl.canvas.grow import entitle
from memctl.model import Step


def test_a_correction_stands_on_the_node_and_a_wish_on_the_edge() -> None:
    growth = grown(
        user("add session end hooks for claude and gemini"),
        call("a", "edit", "hooks.go"),
        user("stop is not correct, that is at the end of the turn"),
        call("b", "edit", "hooks.go"),
        user("also write a test for the hooks"),
        call("c", "write", "hooks_test.go"),
    )

    assert "user: stop is not correct" in at(growth, "a").summary
    assert labels(only(growth))[(2, 3)].startswith("user: also write a test")


def test_a_correction_keeps_its_whole_sentence() -> None:
    words = "stop is not correct, that is at the end of the assistant's turn and not when the user closes the session"
    growth = grown(user("add session end hooks"), call("a", "edit", "hooks.go"), user(words))

    assert f"user: {words}" in at(growth, "a").summary


def test_the_last_node_tells_the_closing_words_and_what_they_leave_open() -> None:
    growth = grown(
        user("make the export write a dot in every locale"),
        call("a", "edit", "export.py", "+1 -1"),
        agent(
            "The export is fixed, and all 12 unit tests pass.\n\nI have looked at the page too.\n\n"
            "The integration tests were not run, since they need a server. The import has the same bug and is "
            "left as is.\n\nShould I fix the import too?"
        ),
    )

    told = at(growth, "a").summary
    assert "all 12 unit tests pass" in told
    assert "integration tests were not run" in told
    assert "left as is" in told
    assert "Should I fix the import too?" in told


def test_a_failure_that_was_overcome_on_its_node_is_told_as_past() -> None:
    growth = grown(
        user("run the checks"),
        call("p", "plan", "TodoWrite", plan=(("Run the checks", "doing"),)),
        call("a", "test", "go test", "1 failed: TestClock", turned="red"),
        call("b", "test", "go test", "12 packages ok", turned="green"),
    )

    assert at(growth, "b").summary == "12 packages ok · earlier 1 failed: TestClock"
    assert at(growth, "b").status == "doing"


def test_many_red_runs_do_not_push_the_last_green_one_off_an_item_of_the_plan() -> None:
    reds = [
        call(f"r{n}", "test", f"go test {n}", f"{n} failed: TestClock{n}", turned="red") for n in range(1, 7)
    ]
    greens = [call(f"g{n}", "test", f"go test {n}", f"{n} packages ok", turned="green") for n in range(1, 7)]
    growth = grown(
        user("run the checks"),
        call("p", "plan", "TodoWrite", plan=(("Run the checks", "doing"),)),
        *reds,
        *greens,
    )

    told = at(growth, "p").summary
    assert told.startswith(("go test 6: 6 packages ok", "6 packages ok"))
    assert "earlier 6 failed: TestClock6" in told


def test_a_slip_that_was_set_right_is_not_told() -> None:
    growth = grown(
        user("add a lock"),
        call("p", "plan", "TodoWrite", plan=(("Add a lock", "doing"),)),
        call("a", "edit", "store.py", "store.py: not edited: File has not been read yet", status="error"),
        call("b", "edit", "store.py", "store.py +4 -0: adds lock"),
    )

    assert at(growth, "b").summary == "store.py +4 -0: adds lock"


def test_what_the_user_asked_last_stands_before_the_closing_words() -> None:
    growth = grown(
        user("add a lock to store.py"),
        call("a", "edit", "store.py", "+4 -0: adds lock"),
        user("what happens in store.py when two processes take the lock at once?"),
        agent(
            "The second one waits, because flock is exclusive.\n\nThe case of a crash was not tested.\n\n"
            "Should I add a timeout?"
        ),
    )

    told = at(growth, "a").summary
    assert told.startswith("then user: what happens in store.py when two processes")
    assert "Should I add a timeout?" in told


def test_a_wish_with_pasted_output_tells_what_it_reports() -> None:
    growth = grown(
        user("write the checks"),
        call("a", "edit", "check_test.go"),
        user(
            "I'm getting this error on CI:\n  Writing patch to /tmp/p/pull.patch\n  Running [golangci-lint]\n"
            "  cmd/check_test.go:96:5: SA5011(related information): this check suggests it can be nil\n"
            "  cmd/check_test.go:98:5: SA5011: possible nil pointer dereference\n  issues found"
        ),
        call("b", "edit", "check_test.go"),
    )

    (label,) = labels(only(growth)).values()
    assert label == (
        "user: I'm getting this error on CI: check_test.go:98:5: SA5011: possible nil pointer dereference"
    )


def test_a_node_of_many_calls_keeps_what_the_agent_concluded_on_the_way() -> None:
    growth = grown(
        user("find the flag on the server"),
        call("a", "web", "file.pl", "Perl File Upload"),
        agent("The problem is that the scalar ARGV makes the script read any file."),
        call("b", "web", "file.pl", "root:x:0:0"),
        agent("The flag does not exist in the folder /root."),
    )

    told = " ".join(node.summary for node in only(growth).nodes)
    assert "scalar ARGV" in told
    assert "does not exist" in told


def test_the_summary_joins_the_conclusion_of_the_agent_and_the_facts() -> None:
    growth = grown(
        user("why does the clock drift?"),
        call("a", "read", "clock.go", "212 lines: type State, func Tick"),
        agent("The State struct has StartedAt but no EndedAt."),
    )

    assert "The State struct has StartedAt but no EndedAt" in at(growth, "a").summary
    assert "type State" in at(growth, "a").summary


def test_what_the_agent_says_goes_to_the_step_it_names_and_not_to_the_last() -> None:
    growth = grown(
        user("why does the clock drift?"),
        agent(
            "",
            call("a", "search", "func Tick", "clock.go:12 func Tick"),
            call("b", "read", "zone.go", "40 lines: type Zone"),
        ),
        agent("The bug is that `func Tick` never reads the zone."),
    )

    assert "never reads the zone" in at(growth, "a").summary
    assert "never reads the zone" not in at(growth, "b").summary


def test_what_was_asked_and_answered_last_is_told_where_the_task_stands() -> None:
    growth = grown(
        user("add a lock to store.py"),
        call("a", "edit", "store.py", "+4 -0: adds lock"),
        agent("The lock is in."),
        user("what happens in store.py when two processes take the lock at once?"),
        agent("The second one waits in `acquire`, because flock is exclusive."),
    )

    assert "then user: what happens in store.py" in at(growth, "a").summary
    assert "The second one waits" in at(growth, "a").summary


def test_an_edit_that_tells_nothing_tells_what_it_was_for() -> None:
    growth = grown(
        user("draw the release chart in chart.js"),
        call("a", "edit", "chart.js", "edited"),
        user("also make the bars of the chart 20% less tall"),
        call("b", "edit", "chart.js", "edited"),
    )

    assert "for 'also make the bars of the chart 20% less tall'" in at(growth, "b").summary


def test_a_test_runner_that_is_not_there_is_overcome_by_one_that_runs() -> None:
    growth = grown(
        user("fix the totals in bill.py"),
        call("a", "test", "pytest tests", "No module named pytest", status="error", turned="red"),
        call("b", "test", "python check_bill.py", "all good", turned="green"),
        call("c", "run", "python: import bill", "SyntaxError: invalid syntax", status="error"),
        call("d", "run", "python: import bill; bill.total()", "12"),
        call("e", "run", "python other.py", "KeyError: 'x'", status="error"),
    )

    assert [at(growth, key).status for key in "abcde"] == ["done", "done", "done", "done", "blocked"]


def test_a_plan_that_was_refused_is_blocked_until_the_work_goes_on() -> None:
    plan = call(
        "p",
        "plan",
        "Move the lock",
        "Move the lock: refused by the user",
        status="error",
        tool="ExitPlanMode",
    )
    lines: list[Line | Step] = [
        user("make store.py safe"),
        call("a", "read", "store.py", "80 lines: class Store"),
        plan,
    ]

    refused = at(grown(*lines), "p")
    assert refused.status == "blocked"
    assert "user: refused Move the lock" in refused.summary
    assert at(grown(*lines, call("b", "edit", "store.py", "+4 -0")), "p").status == "done"


def test_the_title_of_the_transcript_stands_in_the_goal_of_its_main_task() -> None:
    growth = grown(
        user("do me a summary of the cases in which the warning shows"),
        call("a", "search", "warning", "3 matches"),
        call("b", "read", "session.go", "80 lines"),
    )

    def goal(title: str) -> str:
        return only(entitle(growth, title)).goal

    assert goal("Session ids that change at midnight").startswith(
        "Session ids that change at midnight: do me a summary"
    )
    assert goal("") == goal("Summary of cases") == goal("[trimmed]") == only(growth).goal
    assert only(entitle(growth, "Another title")).name == only(growth).name


def test_a_title_is_given_to_no_task_of_many() -> None:
    growth = grown(
        user("fix the login page in login.tsx"),
        call("a", "edit", "login.tsx"),
        user("new task: translate the manual guide.md into French"),
        call("b", "edit", "guide.md"),
        user("new task: rotate the keys of vault.yaml"),
        call("c", "edit", "vault.yaml"),
    )

    assert len(growth.tasks) == 3
    assert entitle(growth, "Housekeeping") == growth
