"""Items of a plan: they are nodes, and own the work that is done under them."""

from growing import at, call, grown, only, solid, titles, user

from memctl.model import Step


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
