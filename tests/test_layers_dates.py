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


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The week before last week we froze it.", "2026-02-16"),
        ("It began twenty-two days ago.", "2026-02-10"),
        ("We began 1.5 years ago.", "2024-09-01"),
        ("I joined half a year ago.", "2025-09-01"),
        ("We ship in two weeks.", "2026-03-16"),
        ("十五天前上线。", "2026-02-17"),
        ("二十五天前上线。", "2026-02-07"),
        ("上上周开始的。", "2026-02-16"),
        ("下下周五发布。", "2026-03-20"),
        ("下下个月交付。", "2026-05-01"),
        ("大前天搬家。", "2026-03-01"),
        ("大后天出差。", "2026-03-07"),
        ("本周一定下来的。", "2026-03-02"),
        ("上个月底交接。", "2026-02-28"),
        ("前年入职。", "2024-01-01"),
        ("再来週に発表します。", "2026-03-16"),
        ("先々週の金曜日に終わった。", "2026-02-20"),
        ("一昨年に始めた。", "2024-01-01"),
        ("三日前に直した。", "2026-03-01"),
        ("다다음 주에 배포해요.", "2026-03-16"),
        ("지지난주에 시작했어요.", "2026-02-16"),
        ("재작년에 입사했어요.", "2024-01-01"),
        ("이틀 전에 고쳤어요.", "2026-03-02"),
        ("Avant-hier nous avons décidé.", "2026-03-02"),
        ("Je l'ai vu hier.", "2026-03-03"),
        ("Pasado mañana viajo.", "2026-03-06"),
        ("Depois de amanhã eu viajo.", "2026-03-06"),
        ("Wir haben es vorgestern entschieden.", "2026-03-02"),
        ("Послезавтра выпуск.", "2026-03-06"),
    ],
)
def test_words_of_two_steps_and_long_numbers_are_counted_whole(text: str, first: str) -> None:
    found = when(text, WEDNESDAY, ahead=True)

    assert found is not None
    assert found.first == first


@pytest.mark.parametrize(
    "text",
    [
        "以后天天写日志。",
        "我有五年前端开发经验。",
        "目前天气很好。",
        "当前天数是三十。",
        "这是后天性的问题。",
        "上周期和下周期一样长。",
        "A few days ago it broke.",
        "几天前搬了家。",
        "Wir haben hier entschieden.",
        "Trabajo por la mañana.",
        "Ce système est ici.",
        "오전에 일해요.",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert when(text, WEDNESDAY, ahead=True) is None


@pytest.mark.parametrize(
    ("text", "first"), [("这周五开会决定的。", "2026-03-06"), ("周五开会决定的。", "2026-02-27")]
)
def test_a_weekday_of_this_week_is_of_this_week(text: str, first: str) -> None:
    found = when(text, WEDNESDAY, ahead=False)

    assert found is not None
    assert found.first == first


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
