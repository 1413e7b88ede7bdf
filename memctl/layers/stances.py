"""What a content stands for and what it gives up, so that a later one can end an earlier one (DESIGN 5, `update`).

"Use Postgres instead of MySQL" ends "Use MySQL", "lives in Berlin" ends "lives in Lisbon". A pair counts only
when the whole thing named is the same; a clause that narrows it ("for the reports") makes it another thing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memctl.layers.likeness import words

SINGLE = frozenset(("live", "work", "answer"))  # where one value ends any other
_OPPOSITE = {"like": "dislike", "dislike": "like"}
_LONGEST = 420  # characters: longer contents are documents

# --- English: one verb form each for "uses", "using" and the bare verb
_VERBS = {
    "use": r"us(?:es?|ing)|adopt(?:s|ing)?|go(?:es|ing)? with|stay(?:s|ing)? (?:with|on)|stick(?:s|ing)? (?:with|to)"
    r"|decided on|chose|cho?osing|switch(?:es|ed|ing)? to|writ(?:es?|ing) in|deploy(?:s|ing)? (?:on|to)|run(?:s|ning)? on",
    "like": r"prefer(?:s|ring)?|lik(?:es?|ing)|lov(?:es?|ing)|enjoy(?:s|ing)?|favou?r(?:s|ing)?"
    r"|(?:is |am |be(?:ing)? )?an? (?:big |huge |great )*fan of",
    "dislike": r"hat(?:es?|ing)|dislik(?:es?|ing)|detest(?:s|ing)?|can(?:'t|not) stand",
    "live": r"liv(?:es?|ing) in|(?:is |am )?(?:now )?(?:living|based) in",
    "work": r"work(?:s|ing)? (?:at|for)",
    "consume": r"drink(?:s|ing)?|eat(?:s|ing)?|smok(?:es?|ing)|wear(?:s|ing)?|play(?:s|ing)?|driv(?:es?|ing)",
}
_VERB = "|".join(f"(?P<{name}>{verbs})" for name, verbs in _VERBS.items())
_WHO = (
    r"\A(?:(?:user(?:'s team)?|we(?:'re|'ve)?|i(?:'m|'ve)?) )?"
    r"(?:(?:have |has )?(?:just |now |finally )?(?:decided|agreed|chosen|opted|voted) (?:to|that we)\b )?"
)
_LEADS = (
    r"(?:now|still|also|always|only|just|really|currently|usually|mostly|will|should|must|please|generally|much"
    r"|from now on,?|going forward,?|for now,?|by default,?) "
)
_THING = r"(?:[^,.;:!?()\n]|\.(?=\S)){1,60}?"
_STOP = (
    r"(?=\s(?:because|since|as|so|now|from now on|going forward|these days|any ?more|any longer|for now"
    r"|at the moment|anyway|again|please|only|by default|at all times)\b|[,;:!?()]|\.(?:\s|\Z)|\Z)"
)
_STATED = re.compile(
    rf"{_WHO}(?:{_LEADS}){{0,4}}(?:{_VERB}) (?P<thing>{_THING})"
    rf"(?:,? (?:instead of|rather than|over|and not|not) (?P<ended>{_THING}))?{_STOP}"
)
_DENIED = re.compile(
    rf"{_WHO}(?:{_LEADS}){{0,2}}(?:(?P<no>(?:does|do|did|will|would) not|doesn't|don't|didn't|won't)"
    r"|(?:is |are |am |will )?no longer|(?:has |have )?(?:stop(?:s|ped)?|quit)|never again) (?:really |even )?"
    rf"(?:be |is )?(?:{_VERB}) (?P<thing>{_THING})(?P<more> any ?more| any longer| now| these days)?{_STOP}"
)
_LEFT = re.compile(
    rf"{_WHO}(?:{_LEADS}){{0,2}}(?:is |are |has |have |'re )?"
    r"(?:(?:switch|mov|migrat|convert|chang)(?:e|es|ed|ing)? (?:over |away |everything )?from"
    rf" (?P<ended>{_THING}) to (?P<thing>{_THING})"
    rf"|replac(?:e|es|ed|ing) (?P<ended2>{_THING}) (?:with|by) (?P<thing2>{_THING})"
    rf"|(?:drop(?:s|ped|ping)?|ditch(?:es|ed|ing)?|abandon(?:s|ed|ing)?|retir(?:es?|ed|ing)|gave up|giving up"
    rf"|decided against|no more|moved away from) (?P<ended3>{_THING})){_STOP}"
)
_TONGUES = (
    "english|german|french|spanish|italian|portuguese|dutch|russian|polish|turkish|arabic|hindi|chinese|mandarin"
    "|cantonese|japanese|korean|swedish|danish|norwegian|finnish|czech|greek|hebrew|ukrainian|vietnamese|thai"
)
_ANSWER = re.compile(
    r"\A(?:(?:you|please|always|only|just|should|must|from now on|going forward|in (?:the )?future|by default"
    r"|now|all|user wants|user prefers|user would like)\b,? ?){0,5}"
    r"(?:(?:answer|reply|respond|speak|talk|communicat)(?:s|e|ing)?|answers|replies|responses)"
    r"(?: (?:to|with)? ?me| back| only| always| everything| to be)* in (?P<tongue>" + _TONGUES + rf"){_STOP}"
    # CJK: "以后都用中文回答", "日本語で答えて", "한국어로 대답해"
    r"|(?:用|使用|以|说)(?P<zh>中文|汉语|普通话|英文|英语|日文|日语|韩文|韩语|德语|法语)(?:来)?(?:回答|回复|答复|交流|沟通)"
    r"|(?:回答|回复|答复|交流|沟通)[^，。]{0,3}(?:用|使用)(?P<zh2>中文|汉语|普通话|英文|英语|日文|日语|韩文|韩语|德语|法语)"
    r"|(?P<ja>日本語|英語|中国語|韓国語|ドイツ語|フランス語)で(?:お?答え|回答|返事|返信|返し|話し)"
    r"|(?P<ko>한국어|영어|중국어|일본어|독일어|프랑스어)로 ?(?:대답|답|말|응답)"
)
_SAME_TONGUE = {
    name: tongue
    for tongue, names in (
        ("chinese", "中文 汉语 普通话 mandarin 中国語 중국어"),
        ("english", "英文 英语 英語 영어"),
        ("japanese", "日文 日语 日本語 일본어"),
        ("korean", "韩文 韩语 韓国語 한국어"),
        ("german", "德语 ドイツ語 독일어"),
        ("french", "法语 フランス語 프랑스어"),
    )
    for name in names.split()
}

# --- Chinese, Japanese, Korean: who leads, the verb's place differs
_ZH = (
    r"\A(?:用户(?:的团队)?|我们?|咱们)?"
    r"(?:以后|今后|现在|目前|从现在起|统一|一律|还是|已经|决定|继续|都|就|只|更|最|很|非常|比较|一直){0,4}"
)
_ZTHING = r"[^，,。；;、：:！!？?\n]{1,24}?"
_ZSTOP = r"(?=了?(?:[，,。；;！!]|\Z)|因为)"
_ZVERB = (
    r"(?:(?P<like>喜欢|偏好|偏爱|倾向于?)(?:用|使用)?|(?P<dislike>不太?喜欢|讨厌|受不了)"
    r"|(?P<live>住在|搬到了?|定居在?)|(?P<use>改用|使用|采用|选用|用|换成|切换到))"
)
_ZH_STATED = re.compile(
    rf"{_ZH}{_ZVERB}(?P<thing>{_ZTHING})"
    rf"(?:[，,]?(?:而不是|而非|不用|不要用|不再用|代替|取代|替代)(?P<ended>{_ZTHING}))?{_ZSTOP}"
)
_ZH_DENIED = re.compile(
    rf"{_ZH}(?:不再|再也不|不想再|不(?=[^，。]{{1,30}}了))(?:{_ZVERB})(?P<thing>{_ZTHING}){_ZSTOP}"
    rf"|{_ZH}(?:停用|弃用|放弃)(?P<thing2>{_ZTHING}){_ZSTOP}"
)
_ZH_LEFT = re.compile(
    rf"{_ZH}(?:从|把|将)(?P<ended>{_ZTHING})(?:换成|迁移到|切换到|改成|改用|换到)了?(?P<thing>{_ZTHING}){_ZSTOP}"
)
_ZH_WORK = re.compile(rf"{_ZH}在(?P<thing>{_ZTHING})(?:工作|上班){_ZSTOP}")
_JA = r"\A(?:ユーザー(?:は|が)|私(?:たち)?は|今は?|今後は?|これからは?|現在は?|もう|、){0,3}"
_JTHING = r"[^、。はがをで\s]{1,24}?"
_JA_STATED = re.compile(
    rf"{_JA}(?:(?P<ended>{_JTHING})(?:ではなく|じゃなく|の代わりに|をやめて|より(?:も)?))?、?(?P<thing>{_JTHING})"
    r"(?:(?:の方|のほう)?が(?:一番|大|とても)?(?:(?P<like>好き)|(?P<dislike>嫌い|苦手))"
    r"|を(?P<use>使(?:[うっい]|用し)|採用し)(?!わ|いませ)|に(?P<live>住んで|引っ越)|で(?P<work>働い|勤め))"
)
_JA_DENIED = re.compile(
    rf"{_JA}(?P<thing>{_JTHING})(?:を|は)(?:もう)?(?:(?P<use>使わな|使いませ|使っていませ|使用しな|使用しませ|やめ)"
    r"|(?P<like>(?:もう)?好きで(?:は|)(?:な|あ)))"
)
_KO = r"\A(?:(?:사용자는|저는|나는|우리는|이제|앞으로는?|지금은?|현재|더 이상) ?){0,3}"
_KTHING = r"[^\s,.]{1,24}?"
_KO_STATED = re.compile(
    rf"{_KO}(?:(?P<ended>{_KTHING})(?:보다는?| 대신| 말고) )?(?P<thing>{_KTHING})"
    r"(?:(?:을|를|이|가) (?:더 |가장 |정말 |제일 )?(?:(?P<like>좋아(?!하지)|선호(?!하지)|좋습)|(?P<dislike>싫))"
    r"|(?:을|를) (?P<use>쓰(?!지)|씁|사용(?!하지)|도입|채택)|에(?:서)? (?P<live>살(?!지)|삽|거주)|(?:으)?로 (?P<live2>이사))"
)
_KO_DENIED = re.compile(
    rf"{_KO}(?P<thing>{_KTHING})(?:을|를|은|는)? "
    r"(?:(?P<use>쓰지 않|사용하지 않|안 쓰|안 써)|(?P<like>좋아하지 않|선호하지 않))"
)
# Words that only say what sort of thing is meant.
_SORTS = frozenset("database db framework library tool version editor".split())
_NUMBER = re.compile(r"v?\d[\d.]*")


@dataclass(frozen=True, slots=True)
class Stance:
    """What a content takes a stand on: pairs of what is done (`use`, `like`, `live`, ...) and the thing."""

    holds: frozenset[tuple[str, str]] = frozenset()
    ends: frozenset[tuple[str, str]] = frozenset()


@lru_cache(maxsize=8192)
def stance(content: str) -> Stance:
    """Read the stand of a content; an empty one when no pattern speaks for it."""
    if len(content) > _LONGEST:
        return Stance()
    text = content.replace("’", "'").lower()
    holds: set[tuple[str, str]] = set()
    ends: set[tuple[str, str]] = set()
    for held, verb, thing in _pairs(text):
        named = _thing(thing)
        if named:
            (holds if held else ends).add((verb, named))
    return Stance(frozenset(holds - ends), frozenset(ends))


def puts_an_end(new: str, old: str) -> bool:
    """Tell whether a content, said later, leaves no room for an earlier one."""
    ours, theirs = stance(new), stance(old)
    if ours.ends & theirs.holds:
        return True
    mine = {verb: thing for verb, thing in ours.holds if verb in SINGLE}
    if any(mine.get(verb, thing) != thing for verb, thing in theirs.holds):
        return True
    return any((_OPPOSITE.get(verb, ""), thing) in theirs.holds for verb, thing in ours.holds)


def places(content: str) -> frozenset[str]:
    """Give the keys under which what a content could end, or be ended by, is found."""
    found = stance(content)
    named = {thing for _, thing in found.holds | found.ends}
    return frozenset(named - SINGLE | {verb for verb, _ in found.holds if verb in SINGLE})


def _pairs(text: str) -> Iterator[tuple[bool, str, str]]:
    """Give (held or given up, verb, thing) of a text in lower case."""
    found = _ANSWER.search(text)
    if found:
        tongue = next(value for value in found.groups() if value)
        yield True, "answer", _SAME_TONGUE.get(tongue, tongue)
    for denied, stated in (
        (_DENIED, _STATED),
        (_ZH_DENIED, _ZH_STATED),
        (_JA_DENIED, _JA_STATED),
        (_KO_DENIED, _KO_STATED),
    ):
        found = denied.match(text)
        if found:
            yield from _given_up(found)
            continue
        found = stated.match(text)
        if found:
            yield True, _verb(found), found["thing"]
            if found["ended"]:
                yield False, _verb(found), found["ended"]
    for pattern in (_LEFT, _ZH_LEFT):
        found = pattern.match(text)
        if found:
            parts = found.groupdict()
            for name, thing in parts.items():
                if thing:
                    yield name.startswith("thing"), "use", thing
    found = _ZH_WORK.match(text)
    if found:
        yield True, "work", found["thing"]


def _given_up(found: re.Match[str]) -> Iterator[tuple[bool, str, str]]:
    parts = found.groupdict()
    thing, verb = parts["thing"] or parts.get("thing2") or "", _verb(found)
    yield False, verb, thing
    if parts.get("no") and not parts.get("more") and verb == "like":
        yield True, "dislike", thing


def _verb(found: re.Match[str]) -> str:
    parts = found.groupdict()
    name = next((name for name in (*_VERBS, "live2") if parts.get(name)), "use")
    return name.rstrip("2")


def _thing(text: str) -> str:
    listed = words(text)
    telling = [word for word in listed if word not in _SORTS and not _NUMBER.fullmatch(word)]
    return " ".join(telling or listed)
