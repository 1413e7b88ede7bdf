"""Growth: which call stands on which node of which task, and what the nodes say (DESIGN 4.2)."""

import pytest
from growing import Line, agent, call, happenings, session, user

from memctl.canvas.grow import Growth, TaskGrowth, entitle, grow
from memctl.model import Node, Step

# --------------------------------------------------------------------------- reading a growth


def grown(*lines: Line | Step) -> Growth:
    return grow(happenings(session(*lines)))


def only(growth: Growth) -> TaskGrowth:
    (task,) = growth.tasks
    return task


def titles(task: TaskGrowth) -> list[str]:
    return [node.title for node in task.nodes]


def at(growth: Growth, key: str) -> Node:
    ordinal, number = growth.places[key]
    return next(node for node in growth.tasks[ordinal].nodes if node.number == number)


def solid(task: TaskGrowth) -> set[tuple[int, int]]:
    return {(edge.source, edge.target) for edge in task.edges if not edge.dotted}


def labels(task: TaskGrowth) -> dict[tuple[int, int], str]:
    return {(edge.source, edge.target): edge.label for edge in task.edges if edge.label and not edge.dotted}


# --------------------------------------------------------------------------- the article's story

STORY = session(
    user("帮我对比香港大学、香港中文大学、香港科技大学三所港校的计算机硕士学费，做成表格"),
    call("a", "web", "香港大学 计算机硕士 学费", "学费 21 万港币", tool="web_search"),
    call("b", "web", "香港中文大学 计算机硕士 学费", "学费 19.8 万港币", tool="web_search"),
    call("c", "web", "香港科技大学 计算机硕士 学费", "学费 22.5 万港币", tool="web_search"),
    agent(
        "三所学校的学费都查到了，再到官网确认一遍。",
        call("d", "web", "三校官网 学费 确认", "三校学费一致", tool="web_search"),
    ),
    agent("学费已确认，开始做表格。", call("e", "write", "港校学费.md", "3 行", tool="write_file")),
    agent("表格先填好了学费一列，接下来补申请截止日期。"),
    user("先帮我查一下今年考研分数线"),
    call("f", "web", "2026 考研 国家线", "工学 273 分", tool="web_search"),
    agent("今年考研国家线：工学 273 分。"),
    user("刚才那个港校表格继续"),
    call("g", "edit", "港校学费.md", "+3 -0", tool="edit_file"),
    agent("截止日期也补上了，接下来核对语言要求。"),
)


def test_the_story_has_two_canvases_and_the_resumption_goes_on_with_the_first() -> None:
    growth = grow(happenings(STORY))

    assert [growth.places[key][0] for key in "abcdefg"] == [0, 0, 0, 0, 0, 1, 0]
    assert [task.status for task in growth.tasks] == ["active", "completed"]  # a question, answered
    assert growth.tasks[0].resumed_at == ("2026-03-01T00:00:16Z",)
    assert "港校" in growth.tasks[0].goal
    assert "考研" in growth.tasks[1].goal


def test_the_story_draws_three_searches_side_by_side_that_meet_in_the_confirmation() -> None:
    growth = grow(happenings(STORY))
    hku, cuhk, ust, confirm, table = (growth.places[key][1] for key in "abcde")

    assert {(hku, confirm), (cuhk, confirm), (ust, confirm), (confirm, table)} <= solid(growth.tasks[0])
    assert not {(hku, cuhk), (cuhk, ust), (hku, ust)} & solid(growth.tasks[0])


def test_the_story_stands_at_the_table_while_it_is_interrupted_and_after() -> None:
    interrupted = grow(happenings(STORY[:16]))

    assert at(interrupted, "e").status == "doing"
    assert [at(interrupted, key).status for key in "abcd"] == ["done"] * 4
    assert interrupted.tasks[0].status == "paused"
    assert at(grow(happenings(STORY)), "g").status == "doing"


def test_a_search_that_names_what_several_searched_for_brings_them_together() -> None:
    growth = grown(
        user("compare the fees of three schools"),
        call("a", "web", "Northfield College fees", tool="web_search"),
        call("b", "web", "Lakeside College fees", tool="web_search"),
        call("c", "web", "Northfield Lakeside fees difference", tool="web_search"),
    )

    assert solid(only(growth)) == {(1, 3), (2, 3)}


def test_talk_between_two_tasks_makes_none() -> None:
    growth = grown(
        user("hello"),
        agent("Hi!"),
        user("fix the expiry bug in auth.ts"),
        call("a", "edit", "auth.ts"),
        user("what is the capital of France?"),
        agent("Paris."),
        user("back to the expiry bug"),
        call("b", "edit", "auth.ts"),
    )

    assert only(growth).goal == "fix the expiry bug in auth.ts"
    assert growth.places == {"a": (0, 1), "b": (0, 2)}
    assert labels(only(growth)) == {(1, 2): "resumed"}


def test_a_session_without_a_prompt_takes_its_goal_from_the_agent() -> None:
    growth = grown(agent("I'll remove the duplicated token counters.", call("a", "edit", "tokens.go")))

    assert only(growth).goal == "remove the duplicated token counters."


def test_a_session_without_any_words_takes_its_goal_from_its_first_step() -> None:
    assert only(grown(call("a", "edit", "tokens.go"))).goal == "edit tokens.go"


# --------------------------------------------------------------------------- nodes


def test_an_edit_a_commit_and_a_test_stand_alone() -> None:
    growth = grown(
        user("rename the session store"),
        call("a", "read", "store/session.py"),
        call("b", "edit", "store/session.py"),
        call("c", "edit", "store/session.py"),
        call("d", "test", "pytest -q", turned="green"),
        call("e", "vcs", "git commit"),
    )

    assert [growth.places[key][1] for key in "abcde"] == [1, 2, 3, 4, 5]
    assert [node.shape for node in only(growth).nodes] == ["read", "edit", "edit", "verify", "store"]


def test_files_read_in_one_go_share_a_node_that_names_them() -> None:
    growth = grown(
        user("why is the matrix wrong?"),
        agent(
            "I look at both.", call("a", "read", "astropy/core.py"), call("b", "read", "astropy/models.py")
        ),
        agent("Now the separability code.", call("c", "read", "astropy/separable.py")),
    )

    assert titles(only(growth)) == ["read core.py, models.py", "read separable.py"]


def test_one_target_is_one_node_however_often_it_is_read() -> None:
    growth = grown(
        user("explain core.py"),
        call("a", "read", "core.py"),
        agent("There is more.", call("b", "read", "core.py")),
        call("c", "search", "def _cstack"),
    )

    assert growth.places["a"] == growth.places["b"] != growth.places["c"]


def test_an_error_ends_its_node_but_only_once_it_has_been_seen() -> None:
    failed = call("a", "run", "python app.py", "KeyError: 'tz'", status="error")
    again = call("b", "run", "python app.py", "ok")

    later = grown(user("start the app"), failed, again)
    beside = grown(user("start the app"), agent("Twice.", failed, again))

    assert later.places["a"] != later.places["b"]
    assert beside.places["a"] == beside.places["b"]


def test_a_call_without_result_is_where_the_task_stands() -> None:
    lines = session(user("start the app"), call("a", "read", "app.py"))
    growth = grow(happenings([*lines, agent("", call("b", "run", "python app.py"))]))

    assert at(growth, "b").status == "doing"
    assert growth.tasks[0].status == "active"


# --------------------------------------------------------------------------- loops, dead ends, findings

LOOP = (
    user("fix the expiry bug in auth.py"),
    call(
        "a",
        "test",
        "pytest -q tests/test_auth.py",
        "2 failed, 31 passed: test_expiry",
        status="error",
        turned="red",
    ),
    call("b", "edit", "auth.py", "+3 -1"),
    call("c", "test", "pytest -q tests/test_auth.py", "33 passed", turned="green"),
)


def test_red_edit_green_is_a_loop_with_labelled_edges() -> None:
    task = only(grown(*LOOP))

    assert labels(task) == {(1, 2): "2 failed, 31 passed", (2, 3): "green"}


def test_a_failure_is_blocked_until_the_same_thing_succeeds() -> None:
    assert [node.status for node in only(grown(*LOOP[:3])).nodes] == ["blocked", "doing"]
    assert [node.status for node in only(grown(*LOOP)).nodes] == ["done", "done", "doing"]


def test_what_is_given_up_stays_as_a_dead_end() -> None:
    growth = grown(
        user("make the parser faster"),
        call("a", "edit", "parser.py", "+40 -3"),
        call("b", "test", "pytest -q", "9 failed", status="error", turned="red"),
        agent(
            "That approach does not work: the grammar is ambiguous.",
            call("c", "vcs", "git checkout parser.py"),
        ),
        call("d", "edit", "lexer.py", "+5 -5"),
    )

    assert at(growth, "a").shape == "dead_end"
    assert at(growth, "b").status == "blocked"
    assert at(growth, "d").shape == "edit"


def test_what_two_later_steps_use_is_a_finding_with_dotted_edges() -> None:
    growth = grown(
        user("where is the timeout set?"),
        call("a", "search", "timeout", "settings.py: HTTP_LIMIT"),
        agent("It is called HTTP_LIMIT.", call("b", "read", "settings.py", uses=("a",))),
        agent("It is used in two places.", call("c", "edit", "client.py", uses=("a",))),
        call("d", "edit", "server.py", uses=("a", "c")),
    )
    task = only(growth)

    assert at(growth, "a").shape == "finding"
    assert {(edge.source, edge.target) for edge in task.edges if edge.dotted} >= {(1, 3)}
    assert all(edge.label == "uses" for edge in task.edges if edge.dotted)


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


# --------------------------------------------------------------------------- plans


def todo(key: str, *items: tuple[str, str]) -> Step:
    return call(key, "plan", "TodoWrite", tool="TodoWrite", plan=items)


def test_plan_items_are_nodes_and_own_the_work_done_under_them() -> None:
    growth = grown(
        user("add the agent name to the log"),
        todo("p", ("add the key", "doing"), ("write tests", "todo")),
        call("a", "edit", "context.go"),
        call("b", "test", "go test", "1 failed", turned="red", status="error"),
        todo("q", ("add the key", "done"), ("write tests", "doing")),
        call("c", "edit", "context_test.go"),
    )
    task = only(growth)

    assert titles(task) == ["add the key", "write tests"]
    assert [growth.places[key][1] for key in "pabqc"] == [1, 1, 1, 2, 2]
    assert [node.status for node in task.nodes] == ["done", "doing"]
    assert (1, 2) in solid(task)


def test_single_items_are_known_by_the_number_they_were_created_with() -> None:
    def task_tool(key: str, tool: str, text: str, state: str) -> Step:
        return call(key, "plan", tool, tool=tool, plan=((text, state),))

    growth = grown(
        user("add the agent name to the log"),
        task_tool("p", "TaskCreate", "add the key", "todo"),
        task_tool("q", "TaskCreate", "write tests", "todo"),
        task_tool("r", "TaskUpdate", "#1", "doing"),
        call("a", "edit", "context.go"),
        task_tool("s", "TaskUpdate", "#1", "done"),
        task_tool("t", "TaskUpdate", "#2", "doing"),
        call("b", "edit", "context_test.go"),
    )
    one, two = (at(growth, key) for key in "ab")

    assert (one.title, one.status, two.title, two.status) == ("add the key", "done", "write tests", "doing")
    assert growth.places["s"] == growth.places["a"]
    assert growth.places["t"] == growth.places["b"]


def test_work_after_another_wish_does_not_belong_to_the_item_at_hand() -> None:
    growth = grown(
        user("add the agent name to the log"),
        todo("p", ("add the key", "doing")),
        call("a", "edit", "context.go"),
        user("can you rename the log file too?"),
        call("b", "edit", "settings.go"),
    )

    assert growth.places["a"] == growth.places["p"] != growth.places["b"]


def test_handing_the_work_in_completes_the_task() -> None:
    growth = grown(
        user("fix the bug in auth.py"),
        call("a", "edit", "auth.py"),
        call("b", "other", "submit", tool="submit"),
    )

    assert only(growth).status == "completed"
    assert [node.status for node in only(growth).nodes] == ["done", "done"]
    assert at(growth, "b").shape == "store"


def test_a_dropped_item_stays_paused_and_an_untouched_one_is_todo() -> None:
    growth = grown(
        user("ship the release"),
        todo("p", ("bump the version", "doing"), ("write the notes", "todo"), ("tag it", "todo")),
        todo("q", ("bump the version", "doing"), ("tag it", "todo")),
    )

    assert [node.status for node in only(growth).nodes] == ["doing", "paused", "todo"]


def test_every_node_but_an_untouched_item_has_an_entry() -> None:
    growth = grown(
        user("ship the release"),
        todo("p", ("bump", "todo"), ("notes", "todo"), ("tag", "todo")),
        todo("q", ("bump", "done"), ("notes", "done"), ("tag", "doing")),
        call("a", "vcs", "git tag"),
    )
    task = only(growth)
    with_entries = {number for _, number in growth.places.values()}
    shown = {node.number for node in task.nodes if node.status != "todo"}
    listed = {number for node in task.nodes for low, high in node.folded for number in range(low, high + 1)}

    assert shown <= with_entries
    assert len(task.nodes) + len(listed) == 4 or len(task.nodes) + len(listed) == 3


# --------------------------------------------------------------------------- placed calls


def test_a_call_stays_where_it_was_placed_whatever_the_rules_say_now() -> None:
    growth = grown(
        user("fix the login"),
        call("a", "read", "login.py", placed="007-N1"),
        call("b", "edit", "login.py", placed="007-N1"),
        call("c", "edit", "login.py", placed="007-N5"),
        call("d", "edit", "login.py"),
        call("e", "edit", "other.py", placed="009-N2"),
    )

    assert growth.places == {"a": (0, 1), "b": (0, 1), "c": (0, 5), "d": (0, 6), "e": (1, 2)}


def test_the_nodes_of_a_very_long_task_stay_countable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memctl.canvas.growing._MOST_NODES", 10)
    lines = session(user("Fix the clock"), *(call(f"c{at}", "edit", f"file{at}.py") for at in range(250)))
    everything = happenings(lines)

    whole = grow(everything)

    assert len(whole.places) == 250
    assert len(whole.tasks[0].nodes) == 12  # nine of one call each, then by the hundred
    for cut in range(0, len(everything), 37):
        part = grow(everything[:cut]).places
        assert part == {key: place for key, place in whole.places.items() if key in part}


def test_the_command_that_ends_a_run_of_mini_swe_agent_needs_no_result() -> None:
    last = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
    growth = grow(
        happenings([*session(user("Fix a.py"), call("a", "edit", "a.py")), agent("", call("b", "run", last))])
    )

    assert only(growth).status == "completed"
    assert [node.status for node in only(growth).nodes] == ["done", "done"]


def test_a_tool_of_the_web_without_arguments_is_titled_by_its_name() -> None:
    growth = grown(user("Go"), call("a", "web", "browser_navigate"))

    assert [node.title for node in only(growth).nodes] == ["browser_navigate"]
