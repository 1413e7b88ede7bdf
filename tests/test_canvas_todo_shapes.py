"""An item of a plan that nobody has begun has the shape of what it will be; routine output is output."""

import pytest

from memctl.canvas.cards import Card
from memctl.canvas.drawing import shape
from memctl.summarize import summarize


@pytest.mark.parametrize(
    ("item", "drawn"),
    [
        ("Write the baker's manual", "edit"),
        ("Run tests", "verify"),
        ("Run all oven tests again", "verify"),
        ("Verify the timer", "verify"),
        ("Look at the ovens", "read"),
        ("编写文档", "edit"),
        ("测试烤箱", "verify"),
    ],
)
def test_an_item_to_be_begun_is_drawn_as_what_it_will_be(item: str, drawn: str) -> None:
    assert shape(Card(1, item=item)) == drawn


def test_a_warning_that_comes_with_any_run_is_not_called_no_output() -> None:
    warned = "WARNING: Running pip as the 'root' user can break the ovens"
    assert "only warnings" in summarize("bash", {"command": "pip install -q dough"}, warned).text
    assert "no output" in summarize("bash", {"command": "pip install -q dough"}, "").text


def test_what_a_filter_let_through_is_not_told_as_the_whole() -> None:
    printed = "ok  \tbakery/oven\t0.2s\n"
    whole = summarize("bash", {"command": "go test ./..."}, printed).text
    part = summarize("bash", {"command": "go test ./... | grep oven"}, printed).text
    assert "1 package ok" in whole
    assert "lines with oven" not in whole
    assert "1 package ok, of the lines with oven" in part
