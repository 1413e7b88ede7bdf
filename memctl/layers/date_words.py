"""The words of relative times by language, and the days they mean, counted from a day.

A rule's pattern stands where the words are sure: "hier" is French only in a French sentence, "五年前" no part of
"五年前端". Weeks begin on Monday.
"""

import re
from dataclasses import dataclass

from memctl.layers.date_spans import (
    TENS,
    WORDS,
    Maker,
    counted,
    day_of_week,
    days,
    end_of,
    last_day,
    month,
    nearest_day,
    repeated,
    repeated_day,
    repeated_end,
    span_of,
    week,
    weekend,
    year,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What words mean: *span* takes them in lower case, the day they were said, and whether what follows is to come.

    pointing: the words mean nothing without that day. language: they are words of it alone in its sentences.
    """

    pattern: str
    span: Maker
    pointing: bool = True
    language: str = ""


_COUNT = (
    rf"(?:[0-9]{{1,4}}(?:\.[0-9])?|(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(WORDS[1:10])}))?|{'|'.join(WORDS[1:])}"
    r"|a couple of|half an?|an?)"
)
_HAN = r"(?:[0-9]{1,4}|[一二两三四五六七八九十]{1,3})"
_NO_NUMBER = r"(?<![0-9.第一二两三四五六七八九十百千几数])"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HAN_WEEK = "(?:周|星期|礼拜)"
_HAN_DAY = f"{_HAN_WEEK}[一二三四五六日天]"
_KANJI_DAY = "[月火水木金土日]曜日?"
_HANGUL_DAY = "[월화수목금토일]요일"

# --------------------------------------------------------------------------- rules, the longer words first

_ENGLISH = (
    Rule(r"\bthe day before yesterday\b", days(-2)),
    Rule(r"\byesterday\b|\blast night\b", days(-1)),
    Rule(r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b", days(0)),
    Rule(r"\bthe day after tomorrow\b", days(2)),
    Rule(r"\btomorrow\b", days(1)),
    Rule(rf"(?<![\w.-]){_COUNT}\s(?:day|week|month|year)s?\sago\b", counted(-1)),
    Rule(rf"(?<![\w.-]){_COUNT}\s(?:day|week|month|year)s?\sfrom\s(?:now|today)\b", counted(1)),
    Rule(rf"\bin\s{_COUNT}\s(?:day|week|month|year)s?\b(?!\sof\b)", counted(1, only_ahead=True)),
    Rule(r"\bthe week before last(?:\sweek)?\b", span_of(-2, week)),
    Rule(r"\bthe month before last(?:\smonth)?\b", span_of(-2, month)),
    Rule(r"\bthe year before last(?:\syear)?\b", span_of(-2, year)),
    Rule(r"\bthe week after next(?:\sweek)?\b", span_of(2, week)),
    Rule(rf"\blast\s{_DAY}\b", last_day),
    Rule(rf"\bnext\s{_DAY}\b", day_of_week(1)),
    Rule(r"\b(?:the\s)?end\sof\slast\smonth\b", end_of(-1, month)),
    Rule(r"\b(?:the\s)?end\sof\snext\smonth\b", end_of(1, month)),
    Rule(r"\b(?:the\s)?end\sof\slast\syear\b", end_of(-1, year)),
    Rule(r"\b(?:the\s)?end\sof\snext\syear\b", end_of(1, year)),
    Rule(r"\b(?:the\s)?end\sof\snext\sweek\b", end_of(1, week)),
    Rule(r"\blast\sweekend\b", span_of(-1, weekend)),
    Rule(r"\bnext\sweekend\b", span_of(1, weekend)),
    Rule(r"\blast\sweek\b", span_of(-1, week)),
    Rule(r"\bnext\sweek\b", span_of(1, week)),
    Rule(r"\blast\smonth\b", span_of(-1, month)),
    Rule(r"\bnext\smonth\b", span_of(1, month)),
    Rule(r"\blast\syear\b", span_of(-1, year)),
    Rule(r"\bnext\syear\b", span_of(1, year)),
    Rule(r"\bend\sof\s(?:the\s|this\s)?week\b", end_of(0, week), pointing=False),
    Rule(r"\bend\sof\s(?:the\s|this\s)?month\b|\bmonth[- ]end\b", end_of(0, month), pointing=False),
    Rule(r"\bend\sof\s(?:the\s|this\s)?year\b|\byear[- ]end\b", end_of(0, year), pointing=False),
    Rule(
        rf"\b(?:by|before|on|until|this|due|coming)\s(?:the\send\sof\s)?{_DAY}\b", nearest_day, pointing=False
    ),
)

_NOT_FRONT = "(?![端台后期者卫沿线置缀言景途方往锋面列排头例提夫妻任])"
_CHINESE = (
    Rule("大前天", days(-3)),
    Rule("大后天", days(3)),
    Rule("(?<![目当以之提空生年月日周])前天(?![气数空线赋])", days(-2)),
    Rule("昨天|昨晚|昨夜", days(-1)),
    Rule("今天|今晚|今早", days(0)),
    Rule("(?<![以之今最然背前先此])后天(?![天性生])", days(2)),
    Rule("明天|明早|明晚", days(1)),
    Rule(rf"{_NO_NUMBER}{_HAN}\s?(?:天|周|个?星期|个?礼拜|个月|年)(?:之前|以前|前{_NOT_FRONT})", counted(-1)),
    Rule(
        rf"{_NO_NUMBER}{_HAN}\s?(?:天|周|个?星期|个?礼拜|个月|年)(?:之后|以后|后(?![端台来面悔续果退门代勤备缀卫方边天]))",
        counted(1, only_ahead=True),
    ),
    Rule(f"上+个?{_HAN_DAY}", repeated_day("上", -1)),
    Rule(f"下+个?{_HAN_DAY}", repeated_day("下", 1)),
    Rule(f"(?:这个?|本){_HAN_DAY}", day_of_week(0)),
    Rule("上+个?周末", repeated("上", weekend, -1)),
    Rule("下+个?周末", repeated("下", weekend, 1)),
    Rule("上+个?月[底末]", repeated_end("上", -1)),
    Rule("下+个?月[底末]", repeated_end("下", 1)),
    Rule(f"上+个?{_HAN_WEEK}(?![期年岁])", repeated("上", week, -1)),
    Rule(f"下+个?{_HAN_WEEK}(?![期年岁])", repeated("下", week, 1)),
    Rule("上+个月", repeated("上", month, -1)),
    Rule("下+个月", repeated("下", month, 1)),
    Rule("上月(?![球台])", span_of(-1, month)),
    Rule("下月(?![球台])", span_of(1, month)),
    Rule("去年年?[底末]", end_of(-1, year)),
    Rule("明年年?[底末]", end_of(1, year)),
    Rule("大前年", span_of(-3, year)),
    Rule(r"(?<![0-9一二两三四五六七八九十几目当])前年", span_of(-2, year)),
    Rule("去年", span_of(-1, year)),
    Rule("明年", span_of(1, year)),
    Rule("周末", end_of(0, week), pointing=False),
    Rule("月[底末]", end_of(0, month), pointing=False),
    Rule("年[底末]", end_of(0, year), pointing=False),
    Rule(f"(?<![每个]){_HAN_DAY}(?![生子期])", nearest_day, pointing=False),
)

_JAPANESE = (
    Rule("一昨日|おととい", days(-2)),
    Rule("昨日|昨夜", days(-1)),
    Rule("今日|今朝|本日", days(0)),
    Rule("明々後日|しあさって", days(3)),
    Rule("明後日|あさって", days(2)),
    Rule("明日", days(1)),
    Rule(rf"{_NO_NUMBER}{_HAN}\s?(?:日|週間|[かヶカ]月|年)前(?![半端])", counted(-1)),
    Rule(rf"{_NO_NUMBER}{_HAN}\s?(?:日|週間|[かヶカ]月|年)後(?![半])", counted(1, only_ahead=True)),
    Rule(f"先々週の?{_KANJI_DAY}|先先週の?{_KANJI_DAY}", day_of_week(-2)),
    Rule(f"再来週の?{_KANJI_DAY}", day_of_week(2)),
    Rule(f"先週の?{_KANJI_DAY}", day_of_week(-1)),
    Rule(f"来週の?{_KANJI_DAY}", day_of_week(1)),
    Rule(f"今週の?{_KANJI_DAY}", day_of_week(0)),
    Rule("先々週|先先週", span_of(-2, week)),
    Rule("再来週", span_of(2, week)),
    Rule("先週", span_of(-1, week)),
    Rule("来週", span_of(1, week)),
    Rule("先々月|先先月", span_of(-2, month)),
    Rule("再来月", span_of(2, month)),
    Rule("先月末", end_of(-1, month)),
    Rule("来月末", end_of(1, month)),
    Rule("先月", span_of(-1, month)),
    Rule("来月", span_of(1, month)),
    Rule("一昨年|おととし", span_of(-2, year)),
    Rule("再来年", span_of(2, year)),
    Rule("昨年", span_of(-1, year)),
    Rule("来年", span_of(1, year)),
    Rule(_KANJI_DAY, nearest_day, pointing=False),
)

_BEFORE = "전(?![가-힣])|전(?=에|부터|까지)"
_KOREAN_RULES = (
    Rule("(?<![가-힣])(?:그저께|그제)", days(-2)),
    Rule("(?<![가-힣])어제", days(-1)),
    Rule("(?<![가-힣])오늘", days(0)),
    Rule("(?<![가-힣])글피", days(3)),
    Rule("(?<![가-힣])모레", days(2)),
    Rule("(?<![가-힣])내일", days(1)),
    Rule(rf"(?<![0-9.])[0-9]{{1,4}}\s?(?:일|주|개월|달|년)\s?(?:{_BEFORE})", counted(-1)),
    Rule(rf"(?<![가-힣])(?:하루|이틀|사흘|나흘|닷새|열흘)\s?(?:{_BEFORE})", counted(-1)),
    Rule(rf"(?<![가-힣])(?:한|두|세|네|다섯|여섯)\s?(?:주|달)\s?(?:{_BEFORE})", counted(-1)),
    Rule(rf"지지난\s?주\s?{_HANGUL_DAY}", day_of_week(-2)),
    Rule(rf"다다음\s?주\s?{_HANGUL_DAY}", day_of_week(2)),
    Rule(rf"지난\s?주\s?{_HANGUL_DAY}", day_of_week(-1)),
    Rule(rf"다음\s?주\s?{_HANGUL_DAY}", day_of_week(1)),
    Rule(rf"이번\s?주\s?{_HANGUL_DAY}", day_of_week(0)),
    Rule(r"지지난\s?주", span_of(-2, week)),
    Rule(r"다다음\s?주", span_of(2, week)),
    Rule(r"지난\s?주", span_of(-1, week)),
    Rule(r"다음\s?주", span_of(1, week)),
    Rule(r"지지난\s?달", span_of(-2, month)),
    Rule(r"다다음\s?달", span_of(2, month)),
    Rule(r"지난\s?달", span_of(-1, month)),
    Rule(r"다음\s?달", span_of(1, month)),
    Rule("재작년", span_of(-2, year)),
    Rule("내후년", span_of(2, year)),
    Rule("작년", span_of(-1, year)),
    Rule("내년", span_of(1, year)),
    Rule("(?<![가-힣])월말", end_of(0, month), pointing=False),
    Rule("(?<![가-힣])연말", end_of(0, year), pointing=False),
    Rule(_HANGUL_DAY, nearest_day, pointing=False),
)

_EUROPEAN = (
    Rule(r"\bvorgestern\b", days(-2)),
    Rule(r"\bgestern\b", days(-1)),
    Rule(r"\bübermorgen\b", days(2)),
    Rule(r"\bavant-hier\b", days(-2)),
    Rule(r"\bhier\b", days(-1), language="fr"),
    Rule(r"\baprès-demain\b", days(2)),
    Rule(r"\bdemain\b", days(1)),
    Rule(r"\banteayer\b|\bantier\b", days(-2)),
    Rule(r"\bayer\b", days(-1)),
    Rule(r"\bpasado mañana\b", days(2)),
    Rule(r"(?<!\bla )(?<!\besta )(?<!\bde )(?<!\buna )\bmañana\b", days(1)),
    Rule(r"\banteontem\b", days(-2)),
    Rule(r"\bontem\b", days(-1)),
    Rule(r"\bdepois de amanhã\b", days(2)),
    Rule(r"\bamanhã\b", days(1)),
    Rule(r"\bпозавчера\b", days(-2)),
    Rule(r"\bвчера\b", days(-1)),
    Rule(r"\bпослезавтра\b", days(2)),
    Rule(r"\bзавтра\b", days(1)),
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
