"""What a node says, piece by piece: of a run, of the user's corrections, of how an agent's message ends."""

import pytest

from memctl.canvas.cards import Card
from memctl.canvas.drawing import summary
from memctl.canvas.gist import gist
from memctl.canvas.lastwords import closing, left_open, question_in
from memctl.canvas.pieces import SEPARATOR, trimmed
from memctl.model import Node, NodeStatus

CAUSES = (
    "The bug: Store.read in store.py takes the lock twice",
    "The bug: parse_date in clock.py rounds the hour down",
    "The bug: Cache.put in cache.py never drops an old key",
)


def _run(*said: str, status: NodeStatus = "done") -> list[Node]:
    return [
        Node(number, f"run step {number}", status, each, None, "run") for number, each in enumerate(said, 1)
    ]


def test_a_run_tells_four_corrections_two_causes_and_two_refusals() -> None:
    corrections = [
        f"user: no, {n} times {'write the header of the table before its rows ' * 2}" for n in range(6)
    ]
    refusals = [f"file_{n}.go: refused by the user: can we keep the old name?" for n in range(4)]

    told = gist(_run(*corrections, *CAUSES, *refusals), 3_000).summary.split(SEPARATOR)

    steered = [piece for piece in told if piece.startswith("user: ")]
    assert len(steered) == 4
    assert sum(len(piece) <= 60 for piece in steered) == 2
    assert sum(piece.startswith("The bug: ") for piece in told) == 2
    assert sum("refused by the user" in piece for piece in told) == 2


def test_a_cause_that_is_told_again_in_other_words_is_told_once() -> None:
    again = "The bug: Store.read in store.py takes the same lock twice"

    assert gist(_run(CAUSES[0], "4 lines", again), 3_000).summary.count("The bug: ") == 1
    assert gist(_run(CAUSES[0], "4 lines", CAUSES[1]), 3_000).summary.count("The bug: ") == 2


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (
            "user: interrupted the agent in its work on the file",
            "user: no, indent with tabs, not with blanks",
        ),
        ("WP15 of the plan in notes.md is complete.", "store.py keeps both of its locks while it is reading"),
        ("user: no, indent with tabs, not with blanks", "+12 -3 src/fields.py: adds def rounded(value)"),
    ],
)
def test_where_there_is_room_for_one_the_one_that_tells_more_stands(less: str, more: str) -> None:
    for said in ((less, more, "4 lines"), (more, less, "4 lines")):
        assert gist(_run(*said), len(more) + 10).summary.startswith(more[:20])


def test_a_summary_is_cut_piece_by_piece_and_the_users_words_keep_twice_as_much() -> None:
    pieces = ("The parser " * 12, "user: no, " + "tabs " * 30, "4 lines " * 20)

    first, user, rest = trimmed(SEPARATOR.join(pieces), 260).split(SEPARATOR)

    assert len(first) > 1.5 * len(rest)
    assert len(user) > 1.5 * len(rest)
    assert trimmed(SEPARATOR.join(pieces), 160).count(SEPARATOR) == 1, "the last piece goes first"


def test_a_correction_that_is_sent_again_tells_only_what_is_new_in_it() -> None:
    words = "No, keep the order of the columns as it is in the table of the paper, please"
    card = Card(1)
    card.correct(words)
    card.correct(f"{words}, and number the rows")

    card.correct(words)

    assert card.corrections == [words, "… please, and number the rows"]


def test_a_message_ends_with_its_verdict_what_is_open_and_its_question() -> None:
    said = (
        "The cause is that the writer never flushes. I have not run the slow tests. "
        "The reader now waits for the writer, so both tests pass. Should I also drop `flush_all`?"
    )

    told = closing(said, 280)

    assert told.startswith("The cause is that the writer never flushes")
    assert "not run the slow tests" in told
    assert told.endswith("Should I also drop flush_all?")
    assert left_open(said, 200) == "I have not run the slow tests."
    assert question_in(said, 200) == "Should I also drop flush_all?"
    assert question_in("It is done. Shall we go on?", 200) == ""


def test_a_question_that_leaves_nothing_open_stands_at_the_end_too() -> None:
    assert closing("All 12 tests pass. Which name is better, `rows` or `lines`?", 200).endswith(
        "rows or lines?"
    )


def test_the_verdict_is_what_leaves_nothing_open() -> None:
    said = (
        "The root cause is that `close()` is not tested. The reader hangs because the writer never flushes."
    )

    assert closing(said, 200).startswith("The reader hangs because the writer never flushes")


def test_a_node_tells_what_the_agent_left_open_and_asked() -> None:
    card = Card(1, left="the slow tests have not been run", posed="drop flush_all?")

    assert summary(card) == "left open: the slow tests have not been run · asks 'drop flush_all?'"
