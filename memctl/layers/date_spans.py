"""The days that the words of a relative time mean, counted from a day; weeks begin on Monday."""

import re
from collections.abc import Callable
from datetime import date, timedelta

Span = tuple[date, date]
Maker = Callable[[str, date, bool], Span | None]

# --------------------------------------------------------------------------- numbers and names

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SIGNS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"两": 2}
_KOREAN = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "열흘": 10,
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "다섯": 5,
    "여섯": 6,
}

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WEEKDAYS = (
    ("monday", "一", "月", "월", "montag", "lundi", "lunes"),
    ("tuesday", "二", "火", "화", "dienstag", "mardi", "martes"),
    ("wednesday", "三", "水", "수", "mittwoch", "mercredi", "miércoles"),
    ("thursday", "四", "木", "목", "donnerstag", "jeudi", "jueves"),
    ("friday", "五", "金", "금", "freitag", "vendredi", "viernes"),
    ("saturday", "六", "土", "토", "samstag", "samedi", "sábado"),
    ("sunday", "日天", "日", "일", "sonntag", "dimanche", "domingo"),
)


def month_named(name: str) -> int:
    """Give the number of an English month; raises ValueError for none."""
    return _MONTHS.index(name.lower()[:3]) + 1


def number_of(text: str) -> float:
    """Read the number that *text* begins with, in digits or words; 1 for none."""
    if found := re.match(r"[0-9]+(?:\.[0-9]+)?", text):
        return float(found[0])
    if text.startswith("half"):
        return 0.5
    if text.startswith("a couple"):
        return 2
    if text[:1] in _SIGNS or text[:1] == "十":
        return _han_number(text)
    for word, number in _KOREAN.items():
        if text.startswith(word):
            return number
    tens, _, rest = text.replace("-", " ").partition(" ")
    if tens in TENS:
        ones = rest.split(" ")[0]
        return 10 * (TENS.index(tens) + 2) + (WORDS.index(ones) if ones in WORDS[1:10] else 0)
    return WORDS.index(tens) if tens in WORDS else 1


def _han_number(text: str) -> int:
    digits = re.match("[一二两三四五六七八九十]+", text)
    tens, ten, ones = (digits[0] if digits else "").partition("十")
    if not ten:
        return _SIGNS.get(tens[-1:], 1)
    return 10 * (_SIGNS.get(tens[-1:], 1)) + _SIGNS.get(ones[:1], 0)


def _weekday(words: str) -> int:
    """Give the weekday that words end with: 0 for Monday."""
    if found := re.search("(.)曜日?\\Z", words):
        return next(day for day, names in enumerate(_WEEKDAYS) if names[2] == found[1])
    if words.endswith("요일"):
        return next(day for day, names in enumerate(_WEEKDAYS) if names[3] == words[-3])
    for day, names in enumerate(_WEEKDAYS):
        if words.endswith((names[0], *names[4:])) or words[-1] in names[1]:
            return day
    raise ValueError(words)


# --------------------------------------------------------------------------- spans


def days(offset: int) -> Maker:
    """Give the day so many away."""
    return lambda _words, today, _ahead: (today + timedelta(offset),) * 2


def week(today: date, step: int) -> Span:
    """Give the week so many away."""
    monday = today + timedelta(7 * step - today.weekday())
    return monday, monday + timedelta(6)


def month(today: date, step: int) -> Span:
    """Give the month so many away."""
    number = today.year * 12 + today.month - 1 + step
    first = date(number // 12, number % 12 + 1, 1)
    following = date((number + 1) // 12, (number + 1) % 12 + 1, 1)
    return first, following - timedelta(1)


def year(today: date, step: int) -> Span:
    """Give the year so many away."""
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def weekend(today: date, step: int) -> Span:
    """Give the weekend of the week so many away."""
    saturday = week(today, step)[0] + timedelta(5)
    return saturday, saturday + timedelta(1)


def span_of(step: int, of: Callable[[date, int], Span]) -> Maker:
    """Give a span of this kind so many away."""
    return lambda _words, today, _ahead: of(today, step)


def end_of(step: int, of: Callable[[date, int], Span]) -> Maker:
    """Give the last day of a span so many away."""
    return lambda _words, today, _ahead: (of(today, step)[1],) * 2


def counted(sign: int, *, only_ahead: bool = False) -> Maker:
    """Count days, weeks, months or years back (-1) or on (1), as far as the words say."""

    def span(words: str, today: date, ahead: bool) -> Span | None:
        if only_ahead and not ahead:
            return None
        words = words.removeprefix("in ")
        number = number_of(words)
        whole = int(number) if number == int(number) else 0
        if re.search("year|年|년", words):
            return year(today, sign * whole) if whole else month(today, sign * round(number * 12))
        if not whole:
            return None
        if re.search("month|个月|か月|ヶ月|カ月|개월|달", words):
            return month(today, sign * whole)
        if re.search("week|周|星期|礼拜|週|주", words):
            return week(today, sign * whole)
        return (today + timedelta(sign * whole),) * 2

    return span


def day_of_week(step: int) -> Maker:
    """Give the weekday that the words end with in the week so many away."""
    return lambda words, today, _ahead: (week(today, step)[0] + timedelta(_weekday(words)),) * 2


def last_day(words: str, today: date, _ahead: bool) -> Span:
    """Give the last such weekday before today."""
    return (today - timedelta((today.weekday() - _weekday(words)) % 7 or 7),) * 2


def nearest_day(words: str, today: date, ahead: bool) -> Span:
    """Give the nearest such weekday that is to come, or was."""
    away = (_weekday(words) - today.weekday()) % 7
    return (today + timedelta(away if ahead or not away else away - 7),) * 2


def repeated(sign: str, of: Callable[[date, int], Span], way: int) -> Maker:
    """Count how often *sign* stands before a unit: 上周 one week back, 上上周 two."""
    return lambda words, today, _ahead: of(today, way * words.count(sign))


def repeated_day(sign: str, way: int) -> Maker:
    """Count how often *sign* stands before a weekday: 下下周五 is two weeks on."""
    return lambda words, today, _ahead: (
        (week(today, way * words.count(sign))[0] + timedelta(_weekday(words)),) * 2
    )


def repeated_end(sign: str, way: int) -> Maker:
    """Count how often *sign* stands before the end of a month."""
    return lambda words, today, _ahead: (month(today, way * words.count(sign))[1],) * 2
