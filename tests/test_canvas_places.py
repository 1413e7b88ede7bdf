"""The laws of growth: places are causal, every call has one, what grew reads back (DESIGN 4.2)."""

from dataclasses import replace
from pathlib import Path

import pytest
from growing import Line, agent, call, happenings, results, transcripts, user
from hypothesis import given, settings, strategies as st

from memctl.canvas.fold import draw
from memctl.canvas.grow import grow
from memctl.canvas.mmd import parse_canvas, write_canvas
from memctl.model import CallStatus, Step, node_id

# --------------------------------------------------------------------------- laws

WORDS = st.sampled_from(
    [
        "fix the login bug in auth.py",
        "continue",
        "also add a test",
        "no, that is wrong, use a map",
        "帮我查一下考研分数线",
        "刚才那个登录的问题继续",
        "back to the login bug",
        "new task: write a poem about the sea",
        "ログイン画面のバグを直して",
        "로그인 버그로 돌아가자",
        "the test is green now. All tests pass.",
        "I found it: the clock is in UTC",
        "that does not work, reverting it",
    ]
)
OUTCOMES: list[tuple[CallStatus, str]] = [
    ("ok", ""),
    ("ok", "green"),
    ("error", "red"),
    ("error", ""),
    ("missing", ""),
]
CALLS = st.tuples(
    st.sampled_from(
        ["read", "list", "search", "edit", "write", "run", "test", "vcs", "web", "plan", "other"]
    ),
    st.sampled_from(
        ["auth.py", "core.py, models.py", "pytest -q", "git commit", "git checkout auth.py", "香港大学 学费"]
    ),
    st.sampled_from(OUTCOMES),
    st.sampled_from(
        [(("one", "doing"), ("two", "todo")), (("one", "done"), ("two", "doing")), (("two", "done"),), ()]
    ),
)


@st.composite
def made_transcripts(draw: st.DrawFn) -> list[Line]:
    """Make a transcript as the protocols order it: the results of a message follow it at once."""
    lines: list[Line] = []
    keys: list[str] = []
    for _ in range(draw(st.integers(0, 14))):
        what = draw(st.integers(0, 3))
        if what == 0:
            lines.append(user(draw(WORDS)))
            continue
        steps = []
        for kind, target, (status, turned), plan in draw(st.lists(CALLS, max_size=3)):
            uses = tuple(draw(st.lists(st.sampled_from(keys), max_size=2))) if keys else ()
            keys.append(f"c{len(keys)}")
            steps.append(
                call(
                    keys[-1],
                    kind,
                    target,
                    f"{target}: {status}",
                    status=status,
                    turned=turned,
                    uses=uses,
                    plan=plan if kind == "plan" else None,
                )
            )
        lines.append(agent(draw(st.one_of(st.just(""), WORDS)), *steps))
        answered = [step.key for step in steps if step.status != "missing"]
        if draw(st.booleans()):
            lines += [results(key) for key in answered]
        elif answered:
            lines.append(results(*answered))
    return lines


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_growing_again_with_the_places_of_a_beginning_changes_none(data: st.DataObject) -> None:
    lines = data.draw(made_transcripts())
    whole = grow(happenings(lines))
    cut = data.draw(st.integers(0, len(lines)))
    begun = grow(happenings(lines[:cut])).places
    stored = [
        replace(each, placed=node_id(begun[each.key][0] + 40, begun[each.key][1]))
        if isinstance(each, Step) and each.key in begun
        else each
        for each in happenings(lines)
    ]

    assert grow(stored).places == whole.places


@given(made_transcripts())
@settings(max_examples=60, deadline=None)
def test_every_beginning_places_its_calls_as_the_whole_does(lines: list[Line]) -> None:
    whole = grow(happenings(lines)).places

    for cut in range(len(lines)):
        beginning = grow(happenings(lines[:cut])).places
        assert beginning == {key: whole[key] for key in beginning}


@given(made_transcripts())
@settings(max_examples=40, deadline=None)
def test_every_call_is_placed_on_a_node_that_is_there_and_edges_join_nodes(lines: list[Line]) -> None:
    found = happenings(lines)
    growth = grow(found)

    assert list(growth.places) == [each.key for each in found if isinstance(each, Step)]
    for task in growth.tasks:
        numbers = {node.number for node in task.nodes}
        listed = {n for node in task.nodes for low, high in node.folded for n in range(low, high + 1)}
        assert not numbers & listed
        assert numbers | listed == set(range(1, len(numbers) + len(listed) + 1))
        assert {place[1] for place in growth.places.values() if place[0] == task.ordinal} <= numbers
        assert all({edge.source, edge.target} <= numbers for edge in task.edges)


@given(made_transcripts())
@settings(max_examples=40, deadline=None)
def test_what_grew_is_written_and_read_back_the_same(lines: list[Line]) -> None:
    for task in grow(happenings(lines)).tasks:
        canvas = draw(task, task.ordinal + 1, "s", len(lines))
        read, problems = parse_canvas(write_canvas(canvas))

        assert problems == []
        assert read == canvas


# --------------------------------------------------------------------------- real sessions

REAL = [
    "claude_code/cli__37-995ebed6e4-2.jsonl",
    "claude_code/cli__26-dcd5518fea-0.jsonl",
    "claude_code/growing_session/cli__ba-59c426c910-0.jsonl",
    "gemini_cli/cli__44-5d8a3fbbf5-0.jsonl",
    "mini_swe_agent/mini-swe-agent__pydicom__pydicom-1256.traj.json",
    "swe_agent/SWE-agent__crypto-katy.traj",
    "tau_bench/tau-bench__MockAirlineDomainEnv-few_shot.jsonl",
]
MOST_CUTS = 16


@pytest.mark.parametrize("name", REAL)
def test_every_beginning_of_a_real_session_places_its_calls_as_the_whole_does(
    shared: Path, name: str
) -> None:
    for lines in transcripts(shared / name)[:5]:
        whole = grow(happenings(lines)).places
        for cut in range(0, len(lines), 1 + len(lines) // MOST_CUTS):
            beginning = grow(happenings(lines[:cut])).places
            assert beginning == {key: whole[key] for key in beginning}


@pytest.mark.parametrize("name", REAL)
def test_a_real_session_is_drawn_whole_and_within_its_limit(shared: Path, name: str) -> None:
    for lines in transcripts(shared / name)[:5]:
        growth = grow(happenings(lines))
        assert len(growth.places) == sum(len(line.calls) for line in lines)
        for task in growth.tasks:
            text = write_canvas(draw(task, 1, "s", len(lines)))
            read, problems = parse_canvas(text)
            assert len(text) <= 4000
            assert read is not None
            assert problems == []
