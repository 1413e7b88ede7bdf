"""Claude Code: answers in pieces, repeated lines, parents."""

import pytest
from claude_lines import ANSWER, SESSION, agent, call, line, read, result, shapes, user, words
from reading import text, written

from memctl.model import Message
from memctl.readers import claude_code, claude_thread
from memctl.readers.source import Source

# --------------------------------------------------------------------------- answers in pieces


def test_the_pieces_of_one_answer_are_one_message_and_results_come_behind_it() -> None:
    assert shapes(read(*ANSWER)) == [
        ("u1", "user", ["Text"]),
        ("a1", "assistant", ["Thinking", "Text", "Call", "Call"]),
        ("r1", "tool", ["Result"]),
        ("r2", "tool", ["Result"]),
        ("b1", "assistant", ["Text"]),
        ("u2", "user", ["Text"]),
        ("c1", "assistant", ["Text"]),
    ]


def test_parents_lead_from_the_last_message_through_every_result_to_the_first() -> None:
    """Each result follows its own call in the file, so one chain of theirs would lose the others."""
    assert [one.parent for one in read(*ANSWER)] == [None, "u1", "a1", "r1", "r2", "b1", "u2"]


def test_usage_is_counted_once_and_the_last_line_wins() -> None:
    assert [one.usage for one in read(*ANSWER) if one.role == "assistant"] == [
        {"input_tokens": 9, "output_tokens": 2},
    ] * 3
    lines = [agent("a1", None, "m1", words("x")), agent("longer", "a1", "m1", words("y"))]
    assert [one.usage for one in read(*lines)] == [{"input_tokens": 9, "output_tokens": 6}]


def test_an_answer_that_goes_on_behind_a_prompt_or_another_answer_is_a_message_of_its_own() -> None:
    lines = [
        agent("a1", None, "m1", words("one")),
        user("u1", "a1", "wait"),
        agent("a2", "u1", "m1", words("two")),
        agent("b1", "a2", "m2", words("three")),
        agent("a3", "b1", "m1", words("four")),
    ]

    assert [one.id for one in read(*lines)] == ["a1", "u1", "a2", "b1", "a3"]


def test_answers_of_two_sessions_in_one_file_grow_side_by_side() -> None:
    other = {"sessionId": "0th3r"}
    lines = [
        agent("a1", None, "m1", words("one")),
        agent("x1", None, "m1", words("ONE"), **other),
        agent("a2", "a1", "m1", words("two")),
        agent("x2", "x1", "m1", words("TWO"), **other),
    ]

    assert {one.session: text(one) for one in read(*lines)} == {SESSION: "one\ntwo", "0th3r": "ONE\nTWO"}


def test_lines_without_ids_are_messages_of_their_own() -> None:
    """Transcripts of other programs have neither uuid nor message id."""
    lines = [agent(None, None, None, words("one")), agent(None, None, None, words("two"))]

    assert [(one.id, text(one)) for one in read(*lines)] == [(None, "one"), (None, "two")]


def test_an_answer_without_uuids_is_known_by_its_own_id() -> None:
    lines = [agent(None, None, "m1", words("one")), agent(None, None, "m1", call("t1"))]

    assert shapes(read(*lines)) == [("m1", "assistant", ["Text", "Call"])]


def test_an_answer_of_endless_pieces_is_cut_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_thread, "HELD", 3)
    lines = [agent(f"a{n}", None, "m1", words(str(n))) for n in range(7)]

    assert [(one.id, len(one.parts)) for one in read(*lines)] == [("a0", 3), ("a3", 3), ("a6", 1)]


def test_results_of_an_answer_that_never_ends_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_thread, "HELD", 3)
    lines = [
        agent("a1", None, "m1", call("t1")),
        *(user(f"r{n}", "a1", [result("t1", str(n))]) for n in range(9)),
    ]

    given = claude_code.read(Source.from_bytes(written([*lines, user("u1", "r8", "stop")])))
    seen = [event.id for event in given if isinstance(event, Message)]
    assert seen == ["a1", *(f"r{n}" for n in range(9)), "u1"]


# --------------------------------------------------------------------------- repeated lines


def test_a_line_written_twice_counts_once() -> None:
    assert read(*[one for one in ANSWER for _ in range(2)]) == read(*ANSWER)


def test_a_prefix_and_then_the_whole_is_the_whole() -> None:
    assert read(*ANSWER[:7], *ANSWER) == read(*ANSWER)


def test_a_line_repeated_with_another_envelope_counts_once() -> None:
    moved = [{**one, "cwd": "/elsewhere", "version": "2.2.0"} for one in ANSWER]

    assert read(*ANSWER, *moved) == read(*ANSWER)


def test_two_lines_with_one_uuid_are_two_messages() -> None:
    lines = [
        user("u1", None, "yes"),
        user("u1", None, "no!"),
        user("u1", None, "yes"),
        user("u1", None, "no!"),
    ]

    assert [(one.id, text(one)) for one in read(*lines)] == [("u1", "yes"), ("u1#2", "no!")]


def test_lines_are_known_again_only_for_a_while_but_give_the_same_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory stays flat; the store knows a message by its id."""
    monkeypatch.setattr(claude_thread, "REMEMBERED", 4)
    lines = [user(f"u{n}", None, f"prompt {n}") for n in range(9)]
    found = read(*lines, *lines)

    assert found[:9] == read(*lines)
    assert {one.id: text(one) for one in found} == {one.id: text(one) for one in found[:9]}


# --------------------------------------------------------------------------- parents


def test_a_parent_that_is_not_in_the_file_is_the_message_before() -> None:
    lines = [
        user("u1", "gone", "one"),
        agent("a1", "gone", "m1", words("two")),
        user("u2", "gone too", "three"),
    ]

    assert [one.parent for one in read(*lines)] == [None, "u1", "a1"]


def test_after_a_compaction_the_chain_goes_on() -> None:
    lines = [
        user("u1", None, "one"),
        line("system", "s1", None, subtype="compact_boundary", logicalParentUuid="u1"),
        user("u2", "s1", "This session is being continued ...", isCompactSummary=True),
    ]

    assert [(one.parent, one.marks) for one in read(*lines)] == [(None, ()), ("u1", ("compact_summary",))]


def test_a_branch_keeps_its_parent() -> None:
    lines = [
        user("u1", None, "one"),
        agent("a1", "u1", "m1", words("x")),
        user("u2", "u1", "again"),
        user("u3", "a1", "y"),
    ]

    assert [one.parent for one in read(*lines)] == [None, "u1", "u1", "a1"]


def test_parents_in_a_circle_end() -> None:
    lines = [
        line("system", "s1", "s2", subtype="x"),
        line("system", "s2", "s1", subtype="x"),
        line("system", "s3", "s3", subtype="x"),
        user("u1", "s1", "one"),
        user("u2", "s3", "two"),
        user("s1", "s2", "three"),
        user("u4", "s1", "four"),
    ]

    assert len(read(*lines)) == 4
