"""Relative times in words ("yesterday", "by Friday", "上周五") made absolute by the time of their message."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

_WEEKDAYS = {
    name: day
    for day, listed in enumerate(
        (
            "monday mon 周一 星期一 礼拜一 月曜 월요일 montag lundi lunes",
            "tuesday tue 周二 星期二 礼拜二 火曜 화요일 dienstag mardi martes",
            "wednesday wed 周三 星期三 礼拜三 水曜 수요일 mittwoch mercredi miércoles",
            "thursday thu 周四 星期四 礼拜四 木曜 목요일 donnerstag jeudi jueves",
            "friday fri 周五 星期五 礼拜五 金曜 금요일 freitag vendredi viernes",
            "saturday sat 周六 星期六 礼拜六 土曜 토요일 samstag samedi sábado",
            "sunday sun 周日 周天 星期日 星期天 礼拜天 日曜 일요일 sonntag dimanche domingo",
        )
    )
    for name in listed.split()
}
_MONTHS = {
    name: month
    for month, listed in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in listed.split()
}
_NUMBERS = {
    name: number
    for number, listed in enumerate(
        (
            "",
            "a an one 一",
            "two couple 二 两",
            "three few 三 几",
            "four 四",
            "five 五",
            "six 六",
            "seven 七",
        ),
        0,
    )
    for name in listed.split()
} | {"eight": 8, "nine": 9, "ten": 10, "八": 8, "九": 9, "十": 10}
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CDAY = "(?:周|星期|礼拜)[一二三四五六日天]"
_JDAY = "[月火水木金土日]曜"
_KDAY = "[월화수목금토일]요일"
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of"
_CCOUNT = r"\d{1,3}|[一二两三四五六七八九十几]"

_RELATIVE = re.compile(
    rf"""(?P<yesterday>\byesterday\b|\blast night\b|昨天|昨晚|昨日|昨夜|어제|\bgestern\b|\bhier\b|\bayer\b|\bontem\b|\bвчера\b)
      | (?P<before>\bthe day before yesterday\b|前天|一昨日|おととい|그저께|\bvorgestern\b)
      | (?P<today>\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今晚|今早|今日|今朝|오늘)
      | (?P<after>\bthe day after tomorrow\b|后天|明後日|모레|\bübermorgen\b)
      | (?P<tomorrow>\btomorrow\b|明天|明早|明晚|明日|내일|\bmañana\b|\bdemain\b|\bamanhã\b|\bзавтра\b)
      | (?P<ago>\b(?P<count>{_COUNT})\s(?P<unit>day|week|month|year)s?\sago\b)
      | (?P<cago>(?P<ccount>{_CCOUNT})\s?(?P<cunit>天|周|个?星期|个月|年)(?:之?前|以前))
      | (?P<jago>(?P<jcount>\d{{1,3}})\s?(?P<junit>日|週間|か月|ヶ月|年)前|(?P<kcount>\d{{1,3}})\s?(?P<kunit>일|주|개월|달|년)\s전)
      | (?P<lastday>\blast\s(?P<ld>{_DAY})\b|上个?(?P<cld>{_CDAY})|先週の?(?P<jld>{_JDAY})日?|지난주?\s?(?P<kld>{_KDAY}))
      | (?P<nextday>\bnext\s(?P<nd>{_DAY})\b|下个?(?P<cnd>{_CDAY})|来週の?(?P<jnd>{_JDAY})日?|다음\s?주\s?(?P<knd>{_KDAY}))
      | (?P<lastspan>\blast\s(?P<lastunit>week|weekend|month|year)\b|(?P<clast>上个?周末|上周|上个?星期|上个?月|去年|先週|先月|去年|昨年|지난주|지난달|작년))
      | (?P<nextspan>\bnext\s(?P<nextunit>weekend|week|month|year)\b|(?P<cnext>下个?周末|下周|下个?星期|下个?月|明年|来週|来月|来年|다음\s?주|다음\s?달|내년))
      | (?P<end>\b(?:end\sof\s(?:the\s)?(?P<endunit>week|month|year)|(?P<meunit>month|year)[- ]end)\b|(?P<cend>周末|月底|年底|月末|年末|월말|연말))
      | (?P<weekday>\b(?:by|before|on|until|this|due|coming)\s(?:the\send\sof\s)?(?P<wd>{_DAY})\b|(?P<cwd>(?<![上下每个])(?:这|本)?{_CDAY})|(?P<jwd>{_JDAY})日?|(?P<kwd>{_KDAY}))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"""(?P<iso>(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01]))(?!\d)
      | (?P<cjk>(?:(?P<cy>(?:19|20)\d\d)\s?[年년]\s?)?(?P<cm>1[0-2]|0?[1-9])\s?[月월]\s?(?P<cd>3[01]|[12]\d|0?[1-9])\s?[日号일])
      | \b(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)
        \.?\s(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b(?:,?\s(?P<y>(?:19|20)\d\d))?
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class When:
    """A time that a text names: its first and last day, and where the words end.

    pointing: the words ("yesterday", "下周") mean nothing without the day they were said; a weekday or the
    end of a month still says something.
    """

    first: str
    last: str
    end: int
    pointing: bool


def when(text: str, said: str | None, *, ahead: bool) -> When | None:
    """Find the first time that *text* names, relative ones from *said*, the ISO time of the message.

    *ahead*: the text speaks of what will be, so a bare weekday is the coming one. None when there is none,
    or a relative one and no time to count from.
    """
    found = _RELATIVE.search(text)
    today = _date(said)
    if found and today:
        span = _span(found, today, ahead=ahead)
        if span:
            pointing = not (found["weekday"] or found["end"])
            return When(span[0].isoformat(), span[1].isoformat(), found.end(), pointing=pointing)
    named = _ABSOLUTE.search(text)
    day = _named(named, today, ahead=ahead) if named else None
    return When(day.isoformat(), day.isoformat(), named.end(), pointing=False) if named and day else None


def _date(said: str | None) -> date | None:
    try:
        return date.fromisoformat(said[:10]) if said else None
    except ValueError:
        return None


def _span(found: re.Match[str], today: date, *, ahead: bool) -> tuple[date, date] | None:
    kind = next((name for name in _KINDS if found[name]), "")
    try:
        return _KINDS[kind](found, today, ahead) if kind else None
    except (OverflowError, ValueError):
        return None


def _day(offset: int) -> "_Maker":
    return lambda _found, today, _ahead: (today + timedelta(offset),) * 2


def _ago(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    count = found["count"] or found["ccount"] or found["jcount"] or found["kcount"]
    unit = (found["unit"] or found["cunit"] or found["junit"] or found["kunit"]).lower()
    word = count.lower().replace("a few", "few").replace("a couple of", "couple")
    number = int(word) if word.isdigit() else _NUMBERS.get(word, 1)
    if unit in ("day", "天", "日", "일"):
        return (today - timedelta(number),) * 2
    if unit in ("week", "周", "星期", "个星期", "週間", "주"):
        monday = today - timedelta(today.weekday() + 7 * number)
        return monday, monday + timedelta(6)
    if unit in ("month", "个月", "か月", "ヶ月", "개월", "달"):
        return _month(today, -number)
    return date(today.year - number, 1, 1), date(today.year - number, 12, 31)


def _last_day(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    weekday = _weekday(found["ld"] or found["cld"] or found["jld"] or found["kld"])
    day = today - timedelta((today.weekday() - weekday) % 7 or 7)
    if found["ld"] is None:  # 上周五, 先週の金曜: of the week before, whatever today is
        day = today - timedelta(today.weekday() + 7 - weekday)
    return day, day


def _next_day(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    weekday = _weekday(found["nd"] or found["cnd"] or found["jnd"] or found["knd"])
    day = today - timedelta(today.weekday()) + timedelta(7 + weekday)
    return day, day


def _week_day(found: re.Match[str], today: date, ahead: bool) -> tuple[date, date]:
    weekday = _weekday(found["wd"] or found["cwd"] or found["jwd"] or found["kwd"])
    day = (
        today + timedelta((weekday - today.weekday()) % 7)
        if ahead
        else today - timedelta((today.weekday() - weekday) % 7)
    )
    return day, day


def _last_span(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    return _unit_span(found["lastunit"] or found["clast"], today, -1)


def _next_span(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    return _unit_span(found["nextunit"] or found["cnext"], today, 1)


def _end_of(found: re.Match[str], today: date, _ahead: bool) -> tuple[date, date]:
    word = found["endunit"] or found["meunit"] or found["cend"]
    if word == "周末" or word.lower() == "week":
        day = today + timedelta((6 - today.weekday()) % 7)
    elif "年" in word or "연" in word or word.lower() == "year":
        day = date(today.year, 12, 31)
    else:
        day = _month(today, 0)[1]
    return day, day


def _unit_span(word: str, today: date, step: int) -> tuple[date, date]:
    word = word.lower()
    if "weekend" in word or word.endswith("周末"):
        saturday = today - timedelta(today.weekday() + 2) + timedelta(14 if step > 0 else 0)
        return saturday, saturday + timedelta(1)
    if "week" in word or any(sign in word for sign in ("周", "星期", "週", "주")):
        monday = today + timedelta(7 * step - today.weekday())
        return monday, monday + timedelta(6)
    if "month" in word or any(sign in word for sign in ("月", "달")):
        return _month(today, step)
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def _month(today: date, step: int) -> tuple[date, date]:
    number = today.year * 12 + today.month - 1 + step
    first = date(number // 12, number % 12 + 1, 1)
    following = date((number + 1) // 12, (number + 1) % 12 + 1, 1)
    return first, following - timedelta(1)


def _weekday(word: str) -> int:
    return _WEEKDAYS.get(word.lower(), _WEEKDAYS.get(word.lstrip("这本").replace("个", ""), 0))


_Maker = Callable[[re.Match[str], date, bool], tuple[date, date]]
_KINDS: dict[str, _Maker] = {
    "before": _day(-2),
    "yesterday": _day(-1),
    "today": _day(0),
    "after": _day(2),
    "tomorrow": _day(1),
    "ago": _ago,
    "cago": _ago,
    "jago": _ago,
    "lastday": _last_day,
    "nextday": _next_day,
    "lastspan": _last_span,
    "nextspan": _next_span,
    "end": _end_of,
    "weekday": _week_day,
}


def _named(found: re.Match[str], today: date | None, *, ahead: bool) -> date | None:
    """Read an absolute date; without its year it is the nearest in the direction the text looks."""
    try:
        if found["iso"]:
            year, month, day = (int(part) for part in re.split(r"[-/.]", found["iso"]))
            return date(year, month, day)
        month = int(found["cm"]) if found["cjk"] else _MONTHS[found["name"].lower()[:3].replace("jun", "jun")]
        day = int(found["cd"] or found["d"])
        given = found["cy"] or found["y"]
        if given or today is None:
            return date(int(given), month, day) if given else None
        here = date(today.year, month, day)
        if ahead and here < today:
            return date(today.year + 1, month, day)
        return date(today.year - 1, month, day) if not ahead and here > today else here
    except (ValueError, KeyError):
        return None
