"""How a task and its steps end: by a report, a commit, a handover to a person; and what failed and stays failed."""

import json
from pathlib import Path

import pytest
from growing import Line, agent, call, happenings, session, user

from memctl.canvas.grow import Session, TaskGrowth, grow
from memctl.cli.app import run


def _tasks(*lines: Line, delegated: bool = False) -> tuple[TaskGrowth, ...]:
    growing = Session()
    growing.delegated = delegated
    for happening in happenings(list(lines)):
        growing.take(happening)
    return growing.growth().tasks


def _statuses(task: TaskGrowth) -> list[str]:
    return [node.status for node in task.nodes]


# ------------------------------------------------------------------- a subagent's report


def _delegated(*end: Line) -> TaskGrowth:
    work = session(
        user("Look through the ovens of the bakery for dead timers"),
        call("a", "search", "timer", "4 matches in 2 files"),
        call("b", "write", "ovens.md", "wrote 40 lines"),
    )
    return _tasks(*work, *end, delegated=True)[0]


def test_a_subagents_task_ends_with_its_report() -> None:
    task = _delegated(agent("Oven 3 has a timer that nothing reads. Oven 5 is fine. Should it be replaced?"))
    assert task.status == "completed"
    assert _statuses(task)[-1] == "done"


@pytest.mark.parametrize("words", ["", "Now let me look at the second floor.", "I'll write the report next:"])
def test_a_subagent_that_has_not_reported_is_at_work(words: str) -> None:
    assert _delegated(*([agent(words)] if words else [])).status == "active"


def test_a_session_that_is_no_subagents_ends_with_no_open_question() -> None:
    lines = session(user("Look through the ovens"), call("a", "edit", "ovens.md", "+1 -1"))
    assert _tasks(*lines, agent("Oven 3 is odd. Should it be replaced?"))[0].status == "active"


def test_the_session_of_a_subagent_is_known_by_its_name(tmp_path: Path) -> None:
    def line(at: int, role: str, content: object) -> str:
        return json.dumps(
            {
                "type": role,
                "uuid": f"u{at}",
                "parentUuid": f"u{at - 1}" if at else None,
                "sessionId": "9c1e",
                "agentId": "b7c2d9",
                "isSidechain": True,
                "timestamp": f"2031-02-03T04:05:{at:02d}Z",
                "message": {"role": role, "content": content},
            }
        )

    use = {
        "type": "tool_use",
        "id": "t1",
        "name": "Write",
        "input": {"file_path": "/o/list.md", "content": "x"},
    }
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "File created"}
    lines = [
        line(0, "user", "List the ovens of the bakery"),
        line(1, "assistant", [use]),
        line(2, "user", [result]),
        line(3, "assistant", [{"type": "text", "text": "There are five ovens. Oven 3 stands in the yard."}]),
    ]
    path = tmp_path / "agent-b7c2d9.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(["-q", "-C", str(tmp_path / "memory"), "ingest", str(path)])
    canvas = next((tmp_path / "memory" / "mmds").glob("*.mmd")).read_text(encoding="utf-8")
    assert '"status":"completed","progress":100' in canvas


def _line(at: int, kind: str, session: str, content: object, **more: object) -> str:
    return json.dumps(
        {
            "type": kind,
            "uuid": f"{session}{at}",
            "parentUuid": f"{session}{at - 1}" if at else None,
            "sessionId": session,
            "timestamp": f"2031-02-03T04:05:{at:02d}Z",
            "message": {"role": kind, "content": content},
            **more,
        }
    )


def _use(key: str, name: str, **arguments: object) -> list[dict[str, object]]:
    return [{"type": "tool_use", "id": key, "name": name, "input": arguments}]


def _result(key: str, text: str) -> list[dict[str, object]]:
    return [{"type": "tool_result", "tool_use_id": key, "content": text}]


@pytest.mark.parametrize("steps", [["both"], ["agent-e5f6a7.jsonl", "8d2a.jsonl"]])
def test_the_report_that_only_the_parent_has_ends_the_subagents_task(
    tmp_path: Path, steps: list[str]
) -> None:
    parent = [
        _line(0, "user", "8d2a", "Have the ovens of the bakery listed"),
        _line(1, "assistant", "8d2a", _use("p1", "Task", prompt="List the ovens", description="ovens")),
        _line(
            2,
            "user",
            "8d2a",
            _result("p1", "Five ovens."),
            toolUseResult={"status": "completed", "agentId": "e5f6a7"},
        ),
    ]
    side = {"agentId": "e5f6a7", "isSidechain": True}
    child = [
        _line(0, "user", "8d2a", "List the ovens of the bakery", **side),
        _line(1, "assistant", "8d2a", _use("t1", "Write", file_path="/o/list.md", content="x"), **side),
        _line(2, "user", "8d2a", _result("t1", "File created"), **side),
    ]
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "8d2a.jsonl").write_text("\n".join(parent) + "\n", encoding="utf-8")
    (folder / "agent-e5f6a7.jsonl").write_text("\n".join(child) + "\n", encoding="utf-8")
    for step in steps:
        run(
            ["-q", "-C", str(tmp_path / "memory"), "ingest", str(folder if step == "both" else folder / step)]
        )
    found = [path.read_text(encoding="utf-8") for path in (tmp_path / "memory" / "mmds").glob("*.mmd")]
    (canvas,) = [text for text in found if '"session":"agent-e5f6a7"' in text]
    assert '"status":"completed","progress":100' in canvas


# ------------------------------------------------------------------- a question after the report


def test_a_step_that_was_reported_stays_done_when_a_question_is_answered() -> None:
    lines = session(
        user("Make the oven of the bakery a free field"),
        call("a", "edit", "form.yml", "+2 -8"),
        agent("Switched the oven from a list to a free field. All checks pass."),
        user("how can I try these forms before they are merged?"),
    )
    task = _tasks(*lines, agent("The form is only loaded from the default branch, so a fork is the way."))[0]
    assert (task.status, _statuses(task)) == ("completed", ["done"])
    asked_back = _tasks(*lines, agent("Only from the default branch. Or do you mean on your machine?"))[0]
    assert (asked_back.status, _statuses(asked_back)) == ("active", ["done"])


@pytest.mark.parametrize(
    "words", ["Now add a second oven to form.yml", "that's wrong, form.yml has no oven now"]
)
def test_what_asks_for_more_work_leaves_the_task_open(words: str) -> None:
    lines = session(
        user("Make the oven of the bakery a free field in form.yml"),
        call("a", "edit", "form.yml", "+2 -8"),
        agent("Switched the oven from a list to a free field. All checks pass."),
        user(words),
    )
    assert _tasks(*lines, agent("The second oven stands below the first in form.yml."))[0].status == "active"


# ------------------------------------------------------------------- handed to a person


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        ("transfer_to_human_agents", "ok"),
        ("escalate_to_human", "queued"),
        ("handoff_to_human", "ok"),
        ("unknown", "Transfer successful"),
        ("unknown", "You were transferred to a human agent"),
    ],
)
def test_a_handover_to_a_person_ends_the_task(tool: str, result: str) -> None:
    step = call("a", "other", "result", result, tool=tool)
    task = _tasks(*session(user("Bring me a person about loaf 7"), step))[0]
    assert (task.status, _statuses(task)) == ("completed", ["done"])
    said = agent("Please hold on, a colleague takes over.")
    assert _tasks(*session(user("Bring me a person about loaf 7"), step, said))[0].status == "completed"


def test_a_handover_that_failed_or_goes_to_another_agent_ends_nothing() -> None:
    failed = call("a", "other", "result", "no one there", tool="transfer_to_human_agents", status="error")
    assert _tasks(*session(user("Bring me a person about loaf 7"), failed))[0].status == "active"
    other = call("a", "other", "billing", "ok", tool="transfer_to_billing_agent")
    assert _tasks(*session(user("Bring me to billing about loaf 7"), other))[0].status == "active"


# ------------------------------------------------------------------- edits that were kept


def _kept(*more: Line) -> tuple[TaskGrowth, ...]:
    return _tasks(
        *session(
            user("make the oven.py timer a float"),
            agent("The timer becomes a float:"),
            call("a", "edit", "oven.py", "+1 -1"),
            call("b", "vcs", "git commit", "feat: float timer (1a2b3c4)", tool="git_commit"),
        ),
        *more,
    )


def test_an_answer_whose_edits_its_harness_committed_is_done() -> None:
    assert [task.status for task in _kept()] == ["completed"]
    assert _statuses(_kept()[0])[-1] == "done"


def test_a_red_test_after_the_commit_opens_it_again_and_a_green_one_does_not() -> None:
    red = call("c", "test", "pytest", "1 failed", status="error", turned="red")
    assert _kept(*session(red))[0].status == "active"
    green = call("c", "test", "pytest", "4 passed", turned="green")
    assert _kept(*session(green))[0].status == "completed"


def test_an_edit_is_done_when_work_on_another_request_has_begun() -> None:
    first = session(user("make the oven.py timer a float"), call("a", "edit", "oven.py", "+1 -1"))
    assert _tasks(*first)[0].status == "active"
    other = session(
        user("new task: write the price list of cakes"), call("b", "write", "cakes.md", "wrote 9 lines")
    )
    assert [task.status for task in _tasks(*first, *other)] == ["completed", "active"]


def test_a_command_that_the_user_typed_is_no_goal_of_its_own() -> None:
    lines = session(user("!ls"), call("a", "list", "ls", "3 entries"), user("make the oven.py timer a float"))
    tasks = _tasks(*lines, *session(call("b", "edit", "oven.py", "+1 -1")))
    assert [task.goal for task in tasks] == ["make the oven.py timer a float"]


def test_what_nobody_named_is_called_by_what_was_kept() -> None:
    commit = call("a", "vcs", "git commit", "style: Sort the ovens (1a2b3c4)", tool="git_commit")
    assert _tasks(*session(commit))[0].goal == "style: Sort the ovens"
    assert _tasks(*session(user("do that"), commit))[0].goal == "do that: style: Sort the ovens"


# ------------------------------------------------------------------- what failed


def _tries(*results: str) -> list[str]:
    steps = [
        call(f"s{at}", "run", "python bake.py", said, status="error" if "Error" in said else "ok")
        for at, said in enumerate(results)
    ]
    return _statuses(grow(happenings(session(user("Run bake.py"), *steps))).tasks[0])


def test_what_failed_again_and_again_is_blocked_each_time() -> None:
    assert _tries("KeyError", "ValueError", "TypeError") == ["blocked"] * 3


def test_every_failure_is_overcome_by_the_one_that_works() -> None:
    assert _tries("KeyError", "ValueError", "1 loaf") == ["done", "done", "doing"]


def test_a_wrong_answer_that_was_handed_in_stays_wrong() -> None:
    steps = [
        call(
            f"s{at}", "other", "submit loaf", said, tool="submit", status="error" if "Wrong" in said else "ok"
        )
        for at, said in enumerate(["Wrong flag!", "Wrong flag!", "submitted"])
    ]
    task = grow(happenings(session(user("Find the loaf"), *steps))).tasks[0]
    assert (task.status, _statuses(task)) == ("completed", ["blocked", "blocked", "done"])


# ------------------------------------------------------------------- because of


def test_a_step_answers_the_last_words_of_the_user_though_they_stopped_the_agent() -> None:
    lines = session(
        user("Look at the ovens of the bakery"),
        call("a", "search", "ovens", "3 matches"),
        agent("There are three ovens."),
        user("do the ovens have timers of their own?"),
        agent("Two ovens have timers of their own."),
        user("ok, add a timer to the third oven instead and list all timers"),
        call("b", "edit", "ovens.yml", "+4 -0"),
    )
    task = grow(happenings(lines)).tasks[0]
    labels = [edge.label for edge in task.edges if edge.target == task.nodes[-1].number]
    assert labels
    assert "add a timer to the third oven" in labels[0]
