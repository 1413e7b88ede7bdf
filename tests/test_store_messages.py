"""The words of a stored message: its content without the noise that is marked in it."""

from typing import Any

from hypothesis import given, strategies as st

from memctl.index.sources import spoken
from memctl.layers.speech import own_words as heard
from memctl.store import messages
from memctl.store.messages import Stored

_MARK = st.tuples(st.just("meta"), st.integers(0, 12), st.integers(0, 12)).filter(
    lambda mark: mark[1] <= mark[2]
)


def stored(content: str, marks: Any) -> Stored:
    """Make a message of a person with marks."""
    return Stored(2, 1, {"role": "user", "content": content, "mark": [list(mark) for mark in marks]})


@given(st.text(alphabet="ab 语", max_size=10), st.lists(_MARK, max_size=4))
def test_every_room_sees_the_same_words_of_a_message_in_whatever_order_its_marks_stand(
    content: str, marks: list[tuple[str, int, int]]
) -> None:
    one = stored(content, marks)
    covered = {at for _, start, end in marks for at in range(start, end)}
    words = "".join(letter for at, letter in enumerate(content) if at not in covered)

    assert messages.own_words(one) == spoken(one) == words.strip()
    assert messages.has_words(one) == bool(words.strip())
    assert "".join(heard(content, one.marks).split()) == "".join(words.split())


def test_a_message_that_is_noise_as_a_whole_has_no_words_whatever_it_holds() -> None:
    one = stored("<command-args>ship it</command-args>", [("sidechain", 0, 36)])

    assert (messages.own_words(one), spoken(one), heard(one.content, one.marks)) == ("", "", "")


def test_what_is_no_mark_covers_nothing() -> None:
    one = stored("ship it", [("meta", 0), ("meta", "0", 4), ("meta", True, 4), ("meta", 4, 7)])

    assert messages.own_words(one) == "ship"
