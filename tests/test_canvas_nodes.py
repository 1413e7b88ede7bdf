"""Nodes: what stands alone or together, where a task stands, and what it found or gave up."""

from growing import agent, at, call, grown, happenings, labels, only, session, titles, user

from memctl.canvas.grow import grow


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


# --------------------------------------------------------------------------- placed calls


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
