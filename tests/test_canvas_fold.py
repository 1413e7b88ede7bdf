"""Folding: whatever grew fits into its limit, and every node is drawn or listed (DESIGN 2.4)."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from memctl.canvas.fold import NEWEST, SHORT, draw, fold
from memctl.canvas.grow import TaskGrowth
from memctl.canvas.mmd import normalise_canvas, parse_canvas, percent_done, write_canvas
from memctl.model import Canvas, Edge, Node, NodeStatus, Shape


def node(number: int, status: NodeStatus = "done", **other: object) -> Node:
    summary = f"step {number} found that the value of the setting is {number} and not what the page says"
    time = f"2026-03-01T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}Z"
    return replace(Node(number, f"read file_{number}.py", status, summary, time, "read"), **other)  # type: ignore[arg-type]  # any field


def canvas(nodes: list[Node], edges: list[Edge] | None = None) -> Canvas:
    chain = [Edge(one.number, other.number) for one, other in pairwise(nodes)]
    chosen = chain if edges is None else edges
    done = percent_done(tuple(nodes))
    return Canvas(3, "Find the setting", "active", done, None, None, "s", 9, tuple(nodes), tuple(chosen))


def covered(folded: Canvas) -> list[int]:
    """List every number that is drawn or listed, sorted."""
    listed = [n for each in folded.nodes for low, high in each.folded for n in range(low, high + 1)]
    return sorted([each.number for each in folded.nodes] + listed)


def test_what_fits_is_not_touched() -> None:
    small = canvas([node(n) for n in range(1, 6)])

    assert fold(small) is small


@pytest.mark.parametrize("count", [13, 40, 300, 7000])
def test_old_runs_fold_and_the_newest_six_stay(count: int) -> None:
    folded = fold(canvas([node(n) for n in range(1, count + 1)]))

    assert len(write_canvas(folded)) <= 4000
    assert covered(folded) == list(range(1, count + 1))
    assert [each.number for each in folded.nodes[-NEWEST:]] == list(range(count - NEWEST + 1, count + 1))
    assert not any(each.folded for each in folded.nodes[-NEWEST:])
    assert 10 <= len(folded.nodes) <= 20


def test_older_nodes_fold_more_coarsely_than_newer_ones() -> None:
    folded = fold(canvas([node(n) for n in range(1, 201)]))
    sizes = [len(covered(replace(folded, nodes=(each,)))) for each in folded.nodes[:-NEWEST]]

    assert sum(sizes[: len(sizes) // 2]) >= sum(sizes[len(sizes) // 2 :])


def test_a_folded_node_keeps_the_first_id_the_last_shape_and_the_newest_time() -> None:
    shapes: list[Shape] = ["read", "edit", "run"]
    folded = fold(canvas([node(n, shape=shapes[n % 3]) for n in range(1, 60)]))
    runs = [each for each in folded.nodes if each.folded]

    assert runs
    for run in runs:
        last = run.folded[-1][1]
        assert run.folded[0][0] == run.number + 1
        assert run.shape == shapes[last % 3]
        assert run.timestamp == node(last).timestamp


def test_blocked_nodes_fold_last() -> None:
    nodes = [node(n, "blocked" if n in {4, 12} else "done") for n in range(1, 41)]
    folded = fold(canvas(nodes))

    assert [each.number for each in folded.nodes if each.status == "blocked"] == [4, 12]
    assert not any(each.folded for each in folded.nodes if each.status == "blocked")


def test_a_run_takes_the_worst_status_when_blocked_nodes_must_fold() -> None:
    nodes = [node(n, "blocked" if n % 3 == 0 else "done") for n in range(1, 401)]
    folded = fold(canvas(nodes))

    assert len(write_canvas(folded)) <= 4000
    assert covered(folded) == list(range(1, 401))
    for run in folded.nodes:
        numbers = covered(replace(folded, nodes=(run,)))
        assert run.status == ("blocked" if any(n % 3 == 0 for n in numbers) else "done")


def test_summaries_are_cut_before_anything_but_done_nodes_folds() -> None:
    nodes = [node(n, "blocked" if n % 2 else "done", summary="why it failed " * 10) for n in range(1, 17)]
    folded = fold(canvas(nodes))

    assert not any(each.folded for each in folded.nodes)
    assert min(len(each.summary) for each in folded.nodes) <= SHORT
    assert folded.nodes[-1].summary == nodes[-1].summary


def test_outside_edges_stay_once_each_with_the_newest_label() -> None:
    nodes = [node(n) for n in range(1, 31)]
    edges = [Edge(n, n + 1, f"label {n}") for n in range(1, 30)] + [Edge(1, 30, "uses", dotted=True)]
    folded = fold(canvas(nodes, edges))
    drawn = [each.number for each in folded.nodes]
    pairs = [(edge.source, edge.target) for edge in folded.edges]

    assert len(pairs) == len(set(pairs))
    assert all(source != target and source in drawn and target in drawn for source, target in pairs)
    assert {(edge.source, edge.target) for edge in folded.edges if not edge.dotted} == set(pairwise(drawn))
    joined = next(edge for edge in folded.edges if edge.target == drawn[1])
    assert joined.label == f"label {drawn[1] - 1}"


def test_a_run_says_what_it_found_and_what_the_user_corrected() -> None:
    nodes = [node(n, summary=f"{n * 10} lines") for n in range(1, 40)]
    nodes[2] = node(3, summary="user: the port is 8080 · 12 lines")
    nodes[4] = node(5, title="edit server.py", summary="The port was read from the wrong file", shape="edit")
    folded = fold(canvas(nodes))
    run = next(each for each in folded.nodes if 5 in covered(replace(folded, nodes=(each,))))

    assert "The port was read from the wrong file" in run.summary
    assert "user: the port is 8080" in "".join(each.summary for each in folded.nodes)
    assert "edit server.py" in run.title


def test_a_run_names_what_was_wanted_in_it_and_the_edge_before_it_the_first_wish() -> None:
    nodes = [node(n) for n in range(1, 60)]
    wishes = {2: "look at the parser", 4: "now make the parser of dates stricter", 8: "and rename it"}
    edges = [Edge(n, n + 1, f"user: {wishes[n + 1]}" if n + 1 in wishes else "") for n in range(1, 59)]
    folded = fold(canvas(nodes, edges))
    titles = " ".join(each.title for each in folded.nodes)
    told = titles + " ".join(edge.label for edge in folded.edges)

    assert "for '" in titles
    assert all(wish[:20] in told for wish in wishes.values())


def test_labels_get_their_words_back_where_there_is_room() -> None:
    wish = "user: please look at what the parser of dates does with the thirty-first of February"
    nodes = [node(n) for n in range(1, 60)]
    edges = [Edge(n, n + 1, wish if n == 55 else "") for n in range(1, 59)]
    folded = fold(canvas(nodes, edges))

    assert [edge.label for edge in folded.edges if edge.label] == [wish]
    assert len(write_canvas(folded)) <= 4000


def test_the_cause_outlives_what_was_said_later() -> None:
    nodes = [
        node(n, summary=f"step {n} has been completed and the tests of mod_{n} pass") for n in range(1, 60)
    ]
    cause = "The bug is on line 181 in session.go: a session resumed after midnight gets another id"
    nodes[3] = node(4, summary=cause)
    folded = fold(canvas(nodes))

    assert any(cause in each.summary for each in folded.nodes)


def test_draw_gives_the_header_of_a_task() -> None:
    nodes = (node(1), node(2, "blocked"))
    task = TaskGrowth(
        0, "Find it", "find it", "paused", "2026-03-01T00:00:00Z", None, (), 2, nodes, (Edge(1, 2),)
    )
    drawn = draw(task, 7, "abc", 12)

    assert (drawn.number, drawn.goal, drawn.status, drawn.progress) == (7, "Find it", "paused", 50)
    assert (drawn.session, drawn.upto, drawn.by) == ("abc", 12, "rules")


STATUSES: list[NodeStatus] = ["todo", "doing", "done", "paused", "blocked"]
SHAPES: list[Shape] = ["read", "edit", "verify", "run", "store", "finding", "dead_end"]
TEXT = st.one_of(st.text(max_size=300), st.sampled_from(['"' * 300, "<" * 200, "学费" * 90, "a · b; c" * 20]))


@st.composite
def canvases(draw_: st.DrawFn) -> Canvas:
    """Make a canvas of any size with any text, some nodes of which have folded before."""
    numbers = sorted(draw_(st.sets(st.integers(1, 200), min_size=1, max_size=60)))
    nodes = []
    for number, following in zip(numbers, [*numbers[1:], 400], strict=True):
        some = number + 1 < following and draw_(st.booleans())
        span = ((number + 1, draw_(st.integers(number + 1, following - 1))),) if some else ()
        nodes.append(
            Node(
                number,
                draw_(TEXT),
                draw_(st.sampled_from(STATUSES)),
                draw_(TEXT),
                draw_(st.none() | TEXT),
                draw_(st.sampled_from(SHAPES)),
                span,
            )
        )
    ends = st.sampled_from(numbers)
    edges = draw_(st.lists(st.builds(Edge, ends, ends, TEXT, st.booleans()), max_size=40))
    made = Canvas(3, draw_(TEXT), "active", 0, None, None, "s", 1, tuple(nodes), tuple(edges))
    return normalise_canvas(replace(made, progress=percent_done(made.nodes)))


@given(canvases())
@settings(max_examples=60, deadline=None)
def test_any_canvas_folds_without_losing_a_node(made: Canvas) -> None:
    folded = fold(made)

    assert covered(folded) == covered(made)
    assert folded.progress == made.progress
    assert len(folded.nodes) >= min(NEWEST, len(made.nodes))
    assert [each.number for each in folded.nodes[-NEWEST:]] == [each.number for each in made.nodes[-NEWEST:]]
    if len(write_canvas(made)) > 4000:
        assert len(write_canvas(folded)) < len(write_canvas(made))


@given(canvases())
@settings(max_examples=40, deadline=None)
def test_folding_twice_is_folding_once_and_what_is_written_reads_back(made: Canvas) -> None:
    folded = normalise_canvas(fold(made))
    read, problems = parse_canvas(write_canvas(folded))

    assert problems == []
    assert read == folded
    if len(write_canvas(folded)) <= 4000:
        assert fold(folded) == folded


def test_summaries_are_cut_before_any_node_folds_and_grow_as_far_as_there_is_room() -> None:
    words = "The cause of the drift is that the clock never reads the zone, and so it takes the hour of the server"
    nodes = tuple(node(n, summary=f"{n}: {words}. {words} once more. {words}.") for n in range(1, 13))
    folded = fold(Canvas(1, "why", "active", 0, None, None, "s", 1, nodes, ()))

    assert not any(each.folded for each in folded.nodes)
    assert max(len(each.summary) for each in folded.nodes) > 150
    assert 3600 < len(write_canvas(folded)) <= 4000


def test_a_run_keeps_its_refusals_in_words() -> None:
    nodes = [node(n, summary=f"+{n} -0: adds Clock{n}") for n in range(1, 40)]
    nodes[4] = node(5, summary="f5.go: refused by the user: can we consolidate this code?")
    folded = fold(Canvas(1, "why", "active", 0, None, None, "s", 1, tuple(nodes), ()), 2000)

    owner = next(each for each in folded.nodes if any(low <= 5 <= high for low, high in each.folded))
    assert "refused by the user" in owner.summary


def test_room_goes_to_what_tells_most_wherever_it_stands() -> None:
    cause = "The bug: Store.read in store.py takes the lock twice, so a second reader waits for itself until the timeout"
    nodes = [
        node(n, summary=f"{n} lines: about file_{n}, and much else that it holds too {n}")
        for n in range(1, 60)
    ]
    nodes[9] = node(10, summary=f"{cause} · 40 lines")
    nodes[44] = node(45, summary=f"{cause} again, in the writer · 40 lines")
    folded = fold(canvas(nodes))
    told = {each.number: each.summary for each in folded.nodes}

    assert sum(cause in summary for summary in told.values()) == 2
    assert max(len(told[n]) for n in range(54, 60)) < len(cause)
    assert len(write_canvas(folded)) > 3700


def test_every_wish_within_a_run_is_told_as_far_as_there_is_room() -> None:
    nodes = [node(n, summary="done") for n in range(1, 120)]
    wishes = {n: f"please look at part number {n} of the parser" for n in range(10, 60, 10)}
    edges = [Edge(n, n + 1, f"user: {wishes[n + 1]}" if n + 1 in wishes else "") for n in range(1, 119)]
    text = write_canvas(fold(canvas(nodes, edges)))

    assert all(f"part number {n}" in text for n in wishes)


def test_a_run_tells_its_cause_before_corrections_and_neither_twice() -> None:
    cause = "The bug: The reader takes the lock while the writer waits for it, and so both wait for ever"
    nodes = [node(n, summary=f"{n} lines") for n in range(1, 60)]
    nodes[3] = node(4, summary=f"{cause} · 4 lines")
    nodes[4] = node(5, summary=f"{cause}, again · 5 lines")
    for n in (7, 9, 11):
        nodes[n] = node(n + 1, summary=f"user: no, {'the lock of part ' * 12}{n}")
    (run,) = [
        each
        for each in fold(canvas(nodes)).nodes
        if 4 in covered(Canvas(1, "", "active", 0, None, None, "", 0, (each,), ()))
    ]

    assert "The bug: The reader takes the lock" in run.summary
    assert run.summary.count("The bug:") == 1


def test_a_run_of_items_of_a_plan_names_more_of_them_than_its_title_holds() -> None:
    items = [f"Replace the reader of format {n} by the common one" for n in range(1, 60)]
    nodes = [node(n, title=items[n - 1], summary=f"{n} lines") for n in range(1, 60)]
    folded = fold(canvas(nodes))
    runs = [each for each in folded.nodes if each.folded]

    assert any(sum(item in each.summary for item in items) >= 2 for each in runs)
