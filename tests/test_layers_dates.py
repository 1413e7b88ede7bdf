"""Relative times are counted from the day of the message, never from today."""

import pytest

from memctl.layers.dates import when

WEDNESDAY = "2026-03-04T23:30:00+09:00"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("We moved yesterday.", "2026-03-03", "2026-03-03"),
        ("I will call tomorrow.", "2026-03-05", "2026-03-05"),
        ("It broke last Friday.", "2026-02-27", "2026-02-27"),
        ("I moved last month.", "2026-02-01", "2026-02-28"),
        ("I started two weeks ago.", "2026-02-16", "2026-02-22"),
        ("Done by Friday morning.", "2026-03-06", "2026-03-06"),
        ("Due at the end of the month.", "2026-03-31", "2026-03-31"),
        ("We fly next weekend.", "2026-03-14", "2026-03-15"),
        ("The freeze is on March 15.", "2026-03-15", "2026-03-15"),
        ("Released on 2025-11-02.", "2025-11-02", "2025-11-02"),
        ("昨天我们上线了。", "2026-03-03", "2026-03-03"),
        ("上周五开会决定的。", "2026-02-27", "2026-02-27"),
        ("下周末替他值班。", "2026-03-14", "2026-03-15"),
        ("三天前搬了家。", "2026-03-01", "2026-03-01"),
        ("4 月 14 日之前完成。", "2026-04-14", "2026-04-14"),
        ("昨日、札幌に行きました。", "2026-03-03", "2026-03-03"),
        ("先週の金曜日に終わった。", "2026-02-27", "2026-02-27"),
        ("어제 이사했어요.", "2026-03-03", "2026-03-03"),
        ("3일 전에 시작했습니다.", "2026-03-01", "2026-03-01"),
    ],
)
def test_a_time_in_words_is_counted_from_its_message(text: str, first: str, last: str) -> None:
    found = when(text, WEDNESDAY, ahead=True)

    assert found is not None
    assert (found.first, found.last) == (first, last)


def test_a_weekday_of_the_past_is_the_one_before() -> None:
    found = when("The server went down on Friday.", WEDNESDAY, ahead=False)

    assert found is not None
    assert found.first == "2026-02-27"


@pytest.mark.parametrize("text", ["We moved yesterday.", "I will call tomorrow.", "上周五开会决定的。"])
def test_without_a_time_of_the_message_nothing_relative_is_known(text: str) -> None:
    assert when(text, None, ahead=True) is None


@pytest.mark.parametrize("text", ["", "February 31", "0000-00-00", "yesterdays", "13 月 45 日"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert when(text, WEDNESDAY, ahead=True) is None


def test_the_edge_of_the_calendar_is_no_crash() -> None:
    assert when("yesterday", "0001-01-01T00:00:00Z", ahead=False) is None
