"""The story of the article: two tasks, interrupted and resumed, and what is talk between them."""

from growing import agent, at, call, grown, happenings, labels, only, session, solid, user

from memctl.canvas.grow import grow

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


def test_what_the_user_ran_before_saying_what_is_wanted_belongs_to_that() -> None:
    own = call("a", "vcs", "git status", "clean", tool="bashExecution")
    task = only(grown(own, user("fix lint in api"), call("b", "edit", "api.ts", "+1 -1")))
    assert (task.goal, task.name, task.calls) == ("fix lint in api", "git status", 2)
    agents = call("a", "read", "SOUL.md", "12 lines")
    assert (
        len(grown(agents, user("rename the photos by date"), call("b", "list", "photos", "a.jpg")).tasks) == 2
    )


def test_a_session_without_any_words_takes_its_goal_from_its_first_step() -> None:
    assert only(grown(call("a", "edit", "tokens.go"))).goal == "edit tokens.go"
