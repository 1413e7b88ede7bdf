"""The words of relative times by language, and the days they mean, counted from a day.

A rule's pattern stands where the words are sure: "hier" is French only in a French sentence, "五年前" no part of
"五年前端". Weeks begin on Monday.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

Span = tuple[date, date]
Maker = Callable[[str, date, bool], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """What words mean: *span* takes them in lower case, the day they were said, and whether what follows is to come.

    pointing: the words mean nothing without that day. language: they are words of it alone in its sentences.
    """

    pattern: str
    span: Maker
    pointing: bool = True
    language: str = ""


# --------------------------------------------------------------------------- numbers and names

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
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
_COUNT = (
    rf"(?:[0-9]{{1,4}}(?:\.[0-9])?|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_WORDS[1:10])}))?|{'|'.join(_WORDS[1:])}"
    r"|a couple of|half an?|an?)"
)
_HAN = r"(?:[0-9]{1,4}|[一二两三四五六七八九十]{1,3})"
_NO_NUMBER = r"(?<![0-9.第一二两三四五六七八九十百千几数])"

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
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HAN_WEEK = "(?:周|星期|礼拜)"
_HAN_DAY = f"{_HAN_WEEK}[一二三四五六日天]"
_KANJI_DAY = "[月火水木金土日]曜日?"
_HANGUL_DAY = "[월화수목금토일]요일"


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
    if tens in _TENS:
        ones = rest.split(" ")[0]
        return 10 * (_TENS.index(tens) + 2) + (_WORDS.index(ones) if ones in _WORDS[1:10] else 0)
    return _WORDS.index(tens) if tens in _WORDS else 1


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


def _days(offset: int) -> Maker:
    return lambda _words, today, _ahead: (today + timedelta(offset),) * 2


def _week(today: date, step: int) -> Span:
    monday = today + timedelta(7 * step - today.weekday())
    return monday, monday + timedelta(6)


def _month(today: date, step: int) -> Span:
    number = today.year * 12 + today.month - 1 + step
    first = date(number // 12, number % 12 + 1, 1)
    following = date((number + 1) // 12, (number + 1) % 12 + 1, 1)
    return first, following - timedelta(1)


def _year(today: date, step: int) -> Span:
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def _weekend(today: date, step: int) -> Span:
    saturday = _week(today, step)[0] + timedelta(5)
    return saturday, saturday + timedelta(1)


def _spans(step: int, of: Callable[[date, int], Span]) -> Maker:
    return lambda _words, today, _ahead: of(today, step)


def _end(step: int, of: Callable[[date, int], Span]) -> Maker:
    return lambda _words, today, _ahead: (of(today, step)[1],) * 2


def _counted(sign: int, *, only_ahead: bool = False) -> Maker:
    """Count days, weeks, months or years back (-1) or on (1), as far as the words say."""

    def span(words: str, today: date, ahead: bool) -> Span | None:
        if only_ahead and not ahead:
            return None
        words = words.removeprefix("in ")
        number = number_of(words)
        whole = int(number) if number == int(number) else 0
        if re.search("year|年|년", words):
            return _year(today, sign * whole) if whole else _month(today, sign * round(number * 12))
        if not whole:
            return None
        if re.search("month|个月|か月|ヶ月|カ月|개월|달", words):
            return _month(today, sign * whole)
        if re.search("week|周|星期|礼拜|週|주", words):
            return _week(today, sign * whole)
        return (today + timedelta(sign * whole),) * 2

    return span


def _of_week(step: int) -> Maker:
    """Give the weekday that the words end with in the week so many away."""
    return lambda words, today, _ahead: (_week(today, step)[0] + timedelta(_weekday(words)),) * 2


def _last_day(words: str, today: date, _ahead: bool) -> Span:
    return (today - timedelta((today.weekday() - _weekday(words)) % 7 or 7),) * 2


def _nearest(words: str, today: date, ahead: bool) -> Span:
    days = (_weekday(words) - today.weekday()) % 7
    return (today + timedelta(days if ahead or not days else days - 7),) * 2


def _repeated(sign: str, of: Callable[[date, int], Span], way: int) -> Maker:
    """Count how often *sign* stands before a unit: 上周 one week back, 上上周 two."""
    return lambda words, today, _ahead: of(today, way * words.count(sign))


def _repeated_day(sign: str, way: int) -> Maker:
    return lambda words, today, _ahead: (
        (_week(today, way * words.count(sign))[0] + timedelta(_weekday(words)),) * 2
    )


def _repeated_end(sign: str, way: int) -> Maker:
    return lambda words, today, _ahead: (_month(today, way * words.count(sign))[1],) * 2


# --------------------------------------------------------------------------- rules, the longer words first

_ENGLISH = (
    Rule(r"\bthe day before yesterday\b", _days(-2)),
    Rule(r"\byesterday\b|\blast night\b", _days(-1)),
    Rule(r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b", _days(0)),
    Rule(r"\bthe day after tomorrow\b", _days(2)),
    Rule(r"\btomorrow\b", _days(1)),
    Rule(rf"(?<![\w.-]){_COUNT}\s(?:day|week|month|year)s?\sago\b", _counted(-1)),
    Rule(rf"(?<![\w.-]){_COUNT}\s(?:day|week|month|year)s?\sfrom\s(?:now|today)\b", _counted(1)),
    Rule(rf"\bin\s{_COUNT}\s(?:day|week|month|year)s?\b(?!\sof\b)", _counted(1, only_ahead=True)),
    Rule(r"\bthe week before last(?:\sweek)?\b", _spans(-2, _week)),
    Rule(r"\bthe month before last(?:\smonth)?\b", _spans(-2, _month)),
    Rule(r"\bthe year before last(?:\syear)?\b", _spans(-2, _year)),
    Rule(r"\bthe week after next(?:\sweek)?\b", _spans(2, _week)),
    Rule(rf"\blast\s{_DAY}\b", _last_day),
    Rule(rf"\bnext\s{_DAY}\b", _of_week(1)),
    Rule(r"\b(?:the\s)?end\sof\slast\smonth\b", _end(-1, _month)),
    Rule(r"\b(?:the\s)?end\sof\snext\smonth\b", _end(1, _month)),
    Rule(r"\b(?:the\s)?end\sof\slast\syear\b", _end(-1, _year)),
    Rule(r"\b(?:the\s)?end\sof\snext\syear\b", _end(1, _year)),
    Rule(r"\b(?:the\s)?end\sof\snext\sweek\b", _end(1, _week)),
    Rule(r"\blast\sweekend\b", _spans(-1, _weekend)),
    Rule(r"\bnext\sweekend\b", _spans(1, _weekend)),
    Rule(r"\blast\sweek\b", _spans(-1, _week)),
    Rule(r"\bnext\sweek\b", _spans(1, _week)),
    Rule(r"\blast\smonth\b", _spans(-1, _month)),
    Rule(r"\bnext\smonth\b", _spans(1, _month)),
    Rule(r"\blast\syear\b", _spans(-1, _year)),
    Rule(r"\bnext\syear\b", _spans(1, _year)),
    Rule(r"\bend\sof\s(?:the\s|this\s)?week\b", _end(0, _week), pointing=False),
    Rule(r"\bend\sof\s(?:the\s|this\s)?month\b|\bmonth[- ]end\b", _end(0, _month), pointing=False),
    Rule(r"\bend\sof\s(?:the\s|this\s)?year\b|\byear[- ]end\b", _end(0, _year), pointing=False),
    Rule(rf"\b(?:by|before|on|until|this|due|coming)\s(?:the\send\sof\s)?{_DAY}\b", _nearest, pointing=False),
)

_NOT_FRONT = "(?![端台后期者卫沿线置缀言景途方往锋面列排头例提夫妻任])"
_CHINESE = (
    Rule("大前天", _days(-3)),
    Rule("大后天", _days(3)),
    Rule("(?<![目当以之提空生年月日周])前天(?![气数空线赋])", _days(-2)),
    Rule("昨天|昨晚|昨夜", _days(-1)),
    Rule("今天|今晚|今早", _days(0)),
    Rule("(?<![以之今最然背前先此])后天(?![天性生])", _days(2)),
    Rule("明天|明早|明晚", _days(1)),
    Rule(
        rf"{_NO_NUMBER}{_HAN}\s?(?:天|周|个?星期|个?礼拜|个月|年)(?:之前|以前|前{_NOT_FRONT})", _counted(-1)
    ),
    Rule(
        rf"{_NO_NUMBER}{_HAN}\s?(?:天|周|个?星期|个?礼拜|个月|年)(?:之后|以后|后(?![端台来面悔续果退门代勤备缀卫方边天]))",
        _counted(1, only_ahead=True),
    ),
    Rule(f"上+个?{_HAN_DAY}", _repeated_day("上", -1)),
    Rule(f"下+个?{_HAN_DAY}", _repeated_day("下", 1)),
    Rule(f"(?:这个?|本){_HAN_DAY}", _of_week(0)),
    Rule("上+个?周末", _repeated("上", _weekend, -1)),
    Rule("下+个?周末", _repeated("下", _weekend, 1)),
    Rule("上+个?月[底末]", _repeated_end("上", -1)),
    Rule("下+个?月[底末]", _repeated_end("下", 1)),
    Rule(f"上+个?{_HAN_WEEK}(?![期年岁])", _repeated("上", _week, -1)),
    Rule(f"下+个?{_HAN_WEEK}(?![期年岁])", _repeated("下", _week, 1)),
    Rule("上+个月", _repeated("上", _month, -1)),
    Rule("下+个月", _repeated("下", _month, 1)),
    Rule("上月(?![球台])", _spans(-1, _month)),
    Rule("下月(?![球台])", _spans(1, _month)),
    Rule("去年年?[底末]", _end(-1, _year)),
    Rule("明年年?[底末]", _end(1, _year)),
    Rule("大前年", _spans(-3, _year)),
    Rule(r"(?<![0-9一二两三四五六七八九十几目当])前年", _spans(-2, _year)),
    Rule("去年", _spans(-1, _year)),
    Rule("明年", _spans(1, _year)),
    Rule("周末", _end(0, _week), pointing=False),
    Rule("月[底末]", _end(0, _month), pointing=False),
    Rule("年[底末]", _end(0, _year), pointing=False),
    Rule(f"(?<![每个]){_HAN_DAY}(?![生子期])", _nearest, pointing=False),
)

_JAPANESE = (
    Rule("一昨日|おととい", _days(-2)),
    Rule("昨日|昨夜", _days(-1)),
    Rule("今日|今朝|本日", _days(0)),
    Rule("明々後日|しあさって", _days(3)),
    Rule("明後日|あさって", _days(2)),
    Rule("明日", _days(1)),
    Rule(rf"{_NO_NUMBER}{_HAN}\s?(?:日|週間|[かヶカ]月|年)前(?![半端])", _counted(-1)),
    Rule(rf"{_NO_NUMBER}{_HAN}\s?(?:日|週間|[かヶカ]月|年)後(?![半])", _counted(1, only_ahead=True)),
    Rule(f"先々週の?{_KANJI_DAY}|先先週の?{_KANJI_DAY}", _of_week(-2)),
    Rule(f"再来週の?{_KANJI_DAY}", _of_week(2)),
    Rule(f"先週の?{_KANJI_DAY}", _of_week(-1)),
    Rule(f"来週の?{_KANJI_DAY}", _of_week(1)),
    Rule(f"今週の?{_KANJI_DAY}", _of_week(0)),
    Rule("先々週|先先週", _spans(-2, _week)),
    Rule("再来週", _spans(2, _week)),
    Rule("先週", _spans(-1, _week)),
    Rule("来週", _spans(1, _week)),
    Rule("先々月|先先月", _spans(-2, _month)),
    Rule("再来月", _spans(2, _month)),
    Rule("先月末", _end(-1, _month)),
    Rule("来月末", _end(1, _month)),
    Rule("先月", _spans(-1, _month)),
    Rule("来月", _spans(1, _month)),
    Rule("一昨年|おととし", _spans(-2, _year)),
    Rule("再来年", _spans(2, _year)),
    Rule("昨年", _spans(-1, _year)),
    Rule("来年", _spans(1, _year)),
    Rule(_KANJI_DAY, _nearest, pointing=False),
)

_BEFORE = "전(?![가-힣])|전(?=에|부터|까지)"
_KOREAN_RULES = (
    Rule("(?<![가-힣])(?:그저께|그제)", _days(-2)),
    Rule("(?<![가-힣])어제", _days(-1)),
    Rule("(?<![가-힣])오늘", _days(0)),
    Rule("(?<![가-힣])글피", _days(3)),
    Rule("(?<![가-힣])모레", _days(2)),
    Rule("(?<![가-힣])내일", _days(1)),
    Rule(rf"(?<![0-9.])[0-9]{{1,4}}\s?(?:일|주|개월|달|년)\s?(?:{_BEFORE})", _counted(-1)),
    Rule(rf"(?<![가-힣])(?:하루|이틀|사흘|나흘|닷새|열흘)\s?(?:{_BEFORE})", _counted(-1)),
    Rule(rf"(?<![가-힣])(?:한|두|세|네|다섯|여섯)\s?(?:주|달)\s?(?:{_BEFORE})", _counted(-1)),
    Rule(rf"지지난\s?주\s?{_HANGUL_DAY}", _of_week(-2)),
    Rule(rf"다다음\s?주\s?{_HANGUL_DAY}", _of_week(2)),
    Rule(rf"지난\s?주\s?{_HANGUL_DAY}", _of_week(-1)),
    Rule(rf"다음\s?주\s?{_HANGUL_DAY}", _of_week(1)),
    Rule(rf"이번\s?주\s?{_HANGUL_DAY}", _of_week(0)),
    Rule(r"지지난\s?주", _spans(-2, _week)),
    Rule(r"다다음\s?주", _spans(2, _week)),
    Rule(r"지난\s?주", _spans(-1, _week)),
    Rule(r"다음\s?주", _spans(1, _week)),
    Rule(r"지지난\s?달", _spans(-2, _month)),
    Rule(r"다다음\s?달", _spans(2, _month)),
    Rule(r"지난\s?달", _spans(-1, _month)),
    Rule(r"다음\s?달", _spans(1, _month)),
    Rule("재작년", _spans(-2, _year)),
    Rule("내후년", _spans(2, _year)),
    Rule("작년", _spans(-1, _year)),
    Rule("내년", _spans(1, _year)),
    Rule("(?<![가-힣])월말", _end(0, _month), pointing=False),
    Rule("(?<![가-힣])연말", _end(0, _year), pointing=False),
    Rule(_HANGUL_DAY, _nearest, pointing=False),
)

_EUROPEAN = (
    Rule(r"\bvorgestern\b", _days(-2)),
    Rule(r"\bgestern\b", _days(-1)),
    Rule(r"\bübermorgen\b", _days(2)),
    Rule(r"\bavant-hier\b", _days(-2)),
    Rule(r"\bhier\b", _days(-1), language="fr"),
    Rule(r"\baprès-demain\b", _days(2)),
    Rule(r"\bdemain\b", _days(1)),
    Rule(r"\banteayer\b|\bantier\b", _days(-2)),
    Rule(r"\bayer\b", _days(-1)),
    Rule(r"\bpasado mañana\b", _days(2)),
    Rule(r"(?<!\bla )(?<!\besta )(?<!\bde )(?<!\buna )\bmañana\b", _days(1)),
    Rule(r"\banteontem\b", _days(-2)),
    Rule(r"\bontem\b", _days(-1)),
    Rule(r"\bdepois de amanhã\b", _days(2)),
    Rule(r"\bamanhã\b", _days(1)),
    Rule(r"\bпозавчера\b", _days(-2)),
    Rule(r"\bвчера\b", _days(-1)),
    Rule(r"\bпослезавтра\b", _days(2)),
    Rule(r"\bзавтра\b", _days(1)),
)

# Rules by language, each with words of which one stands in whatever a rule of it matches: most sentences hold none.
RULES: tuple[tuple[tuple[str, ...], tuple[Rule, ...]], ...] = (
    (("day", "tomorrow", "night", "this ", "week", "month", "year"), _ENGLISH),
    (("天", "昨", "今", "明", "前", "后", "周", "星期", "礼拜", "月", "年"), _CHINESE),
    (("日", "昨", "今", "あさって", "おと", "前", "後", "週", "月", "年", "曜"), _JAPANESE),
    (
        (
            "그저께",
            "그제",
            "어제",
            "오늘",
            "글피",
            "모레",
            "내일",
            "전",
            "주",
            "달",
            "년",
            "월말",
            "연말",
            "요일",
        ),
        _KOREAN_RULES,
    ),
    (
        (
            "gestern",
            "morgen",
            "hier",
            "demain",
            "ayer",
            "antier",
            "mañana",
            "ontem",
            "amanhã",
            "вчера",
            "завтра",
        ),
        _EUROPEAN,
    ),
)

_SMALL_WORDS = {
    "fr": frozenset(
        "je j nous on il elle le la les un une est ai avons a été pas que qui ce c d l à du des".split()
    ),
    "de": frozenset(
        "ich wir du er sie es der die das den ein eine ist sind haben hat habe und nicht zu im".split()
    ),
}


def other_language(text: str, language: str) -> bool:
    """Tell whether a sentence has more small words of another language than of this one."""
    found = re.findall(r"[^\W\d_]+", text.lower())
    counts = {name: sum(word in words for word in found) for name, words in _SMALL_WORDS.items()}
    return counts[language] == 0 or any(
        count >= counts[language] for name, count in counts.items() if name != language
    )
