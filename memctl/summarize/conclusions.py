"""The sentence with which an agent concludes (DESIGN 4.1), and its joining with the hard facts of a result."""

import re
from dataclasses import replace

from memctl.model import Summary
from memctl.summarize.sentences import sentences
from memctl.summarize.wording import LIMIT, clip

LONGEST = 150  # characters of a conclusion
_ENOUGH = 2.7  # the score from which a sentence counts as a conclusion
_SHORT, _LONG = 14, 240

# What stands before the point: "Perfect! Now I can see that ..."
_OPENERS = re.compile(
    r"^(?:(?:great|good|perfect|excellent|nice|ok|okay|hmm+|interesting|interestingly|actually|wait|yes|no|ah|aha|oh|indeed|right|awesome|wonderful|alright|well|so|now(?! that)|but|and|then|however|"
    r"great news|good news|good catch|as expected|unfortunately|fantastic|success|done|got it|i see(?=[,.!:—–-])|you're (?:absolutely |quite )?right|good (?:point|question)|of course|sure|absolutely|as you can see|looks good)\b(?: progress| work)?[\s!.,:;—–-]+)+",
    re.IGNORECASE,
)
_SEEING = re.compile(
    r"^(?:i|we) (?:can )?(?:now )?(?:also )?(?:clearly )?(?:see|notice|observe|found|realized?|know|learned|discovered|confirmed|noticed)(?: now| clearly| here)? that\b[:,]? |^(?:looking at|from|based on|according to) [^,]{1,80}, (?=\S)|^this (?:shows|means|confirms|indicates) that ",
    re.IGNORECASE,
)
_CJK_OPENERS = re.compile(
    r"^(?:(?:好的?|很好|太好了|完美|明白了?|可以|是的|不错|看来|はい|なるほど|よし|了解です|わかりました|네|좋습니다|좋아요|알겠습니다)[，,。！!、：: ]+)+"
)
_TURN = re.compile(
    r"(?:[,;:—–]|\s-)+\s*(?:so |and |but |then |now |next,? )*(?:let me|let's|let us|i'll|i will|i'm going to|we'll|we will|i need to|i should|we need to|we should|i can now|we can now|now i|next i)\b.*$|[，；,](?:所以|因此|那么|接下来)?(?:让我|我来|我将|我先|我会|我需要|下面|接下来).*$",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"^(?:(?:also|first|next|then|finally|let me|let's|let us|lets|time to|going to|moving on|continuing|to (?!\w+ is)|before|once|after|please|try|trying|here's|here is|here are|there's my|below|would you|do you|should i|shall i|can you|want me"
    r"|i'll|i will|i'd|i'm going|i am going|i need|i want|i should|i have to|i must|i can now|i'm now|i am now|i think (?:i|we)|we'll|we will|we need|we should|we have to|we must|we can now|we are going|we are now|we could|i could|one (?:option|solution|way|approach)|another (?:option|approach|way)|i'm sorry|sorry|i apologi[sz]e|my apologies|you can|i can (?:help|provide|also)|feel free|is there|if|the next step|what i|my plan|the plan)\b"
    r"|(?:add|update|create|fix|check|run|look|looking|read|find|verify|test(?! (?:\d|pass|fail|case))|apply|take|keep|track|handle|define|queue|implement|remove|make|move|call|see|search|write|edit|open|show|use|submit|commit|refactor|rename|replace|examine|investigate|explore|get|set|build|compile|start|change|insert|delete|extract|ensure|review|proceed|double-check|consider|think|wait|print|mark|using|based)\s)",
    re.IGNORECASE,
)
_CJK_PLAN = re.compile(
    r"^(?:让我|我来|我将|我会|我先|我要|我需要|我们来|我们先|接下来|下面|首先|然后|先|继续|准备|开始|尝试|现在(?:让|我|来|开始|需要|去|要|就)|还需要|需要)"
    r"|^(?:まず|次に|それでは|では、|これから|続いて).*(?:します|ます|ましょう)$|(?:しましょう|てみます|ていきます|を(?:確認|修正|実行|追加|調査|作成|更新|実装|検索)します|見てみましょう)$"
    r"|(?:겠습니다|할게요|볼게요|봅시다|합시다)$"
)
_WEIGHTS: tuple[tuple[float, re.Pattern[str]], ...] = (
    (
        4,
        re.compile(
            r"\b(?:because|due to|root cause|caused by|confirms?|confirmed|confirming|turns out|missing|instead of|never|does(?:n't| not)|do(?:n't| not)|did(?:n't| not)|no longer|fail(?:s|ed|ing)?|is(?:n't| not)|are(?:n't| not)|was(?:n't| not)|cannot|can't|wrong|incorrect(?:ly)?|there(?:'s| is| are) no|has no|have no|but no|not (?:defined|found|set|called|passed|handled|used|imported|supported)|"
            r"(?:issue|problem|bug|cause|reason|culprit|error|fix|solution|key insight|answer|difference|result) (?:is|was|here is|occurs|lies|seems)|which means|this means|means that|rather than|there(?:'s| is) an? (?:bug|typo|cycle|conflict|problem|issue|mismatch|error|circular \w+))\b|, not \w"
            r"|根因|根本原因|原因(?:是|在于)|问题(?:是|在于|出在)|因为|由于|导致|发现|确认|说明|表明|结论|缺少|缺失|没有|不存在|尚未|失败|报错|错误|无法|不能|而不是|不一致"
            r"|原因は|原因が|のため|ためです|判明|見つかりました|見つかりません|問題は|失敗|不足|ありません|していません|されていません|できません|がない|ではなく|一致しません"
            r"|원인은|때문|발견|없습니다|실패|오류|에러|문제는|않습니다|않았습니다|누락",
            re.IGNORECASE,
        ),
    ),
    (
        3,
        re.compile(
            r"\b(?:pass(?:es|ed)?|fixed|works?|working|succe(?:eds?|eded|ss|ssful|ssfully)|compiles?|completed?|created|added|removed|updated|implemented|resolved|switched|moved|renamed|reverted|found|returns?|returned|shows?|contains?|stores?|exists?|defined|matches|needs?|requires?|supports?|uses|already|correct(?:ly)?|identical|duplicated?|both|only|all|now (?:has|have|is|are|uses?|works?|includes?)|cleaned|verified|installed|staged|committed|pushed|split|dropped|indicates?|suggests?|remains?|reveals?|proves?|present|located|lives in|valid|invalid|untracked|conflicts?)\b"
            r"|已经|已|完成|通过|成功|修复|修好|解决|新增|支持|返回|包含|位于|定义在|共有|一共|全部|正确"
            r"|ました|成功|完了|済み|定義されて|なっています|ています|存在します|正しく"
            r"|했습니다|되었습니다|됩니다|완료|성공|통과|있습니다|정의되어",
            re.IGNORECASE,
        ),
    ),
    (
        2,
        re.compile(
            r"\b(?:is|are|was|were|be|equals|costs|takes|there(?:'s| is| are))\b[^.]{0,40}?[$€£¥#]?\d|(?:是|为|需|要|共|约|达|は|が|を|은|는|이|가)[^。.]{0,30}?\d",
            re.IGNORECASE,
        ),
    ),
    (
        1,
        re.compile(
            r"\b(?:is|are|was|were|has|have|had|can|equals?|because)\b|是|为|有|です|である|입니다|이다",
            re.IGNORECASE,
        ),
    ),
    (1, re.compile(r"\w+_\w+|[a-z][A-Z]|\w\.\w{1,5}\b|\w\(\)|\d")),
)
_DOUBT = re.compile(
    r"\b(?:might|may|maybe|perhaps|probably|could|would|if|should)\b|可能|也许|应该|かもしれ|でしょう|아마|수 있",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:i need to|i should|we should|we need to|i'll|let me|let's|i want to|i think|summary|understanding|clear picture|everything i need|enough information)\b",
    re.IGNORECASE,
)
_QUESTION = ("?", "？")


def conclusion(text: str) -> str:
    """Return the sentence of an agent's message that concludes, at most 150 characters, "" when none does.

    "The State struct has StartedAt but no EndedAt" concludes; "Let me now look at state.go" does not.
    """
    best, best_score = "", 0.0
    found = sentences(text)
    for position, sentence in enumerate(found):
        said = _bare(sentence)
        if said.endswith((":", "：")) and position + 1 < len(found):
            said = f"{said} {found[position + 1]}"  # what a colon announces
        score = _score(said) - position * 0.12
        if score > best_score:
            best, best_score = said, score
    return clip(best.rstrip(":： "), LONGEST) if best_score >= _ENOUGH else ""


def _bare(sentence: str) -> str:
    """Take off what stands before the point and the plan that follows it."""
    said = _CJK_OPENERS.sub("", _OPENERS.sub("", sentence[:600]))
    said = _SEEING.sub("", said)
    said = _TURN.sub("", said).strip()
    return (
        said[:1].upper() + said[1:]
        if said[:1].isascii()
        and " " in said[:20]
        and sentence[:1].isupper()
        and said[:1].islower()
        and not re.match(r"[a-z]+[A-Z_(./]", said)
        else said
    )


def _score(said: str) -> float:
    if len(said) < (4 if re.search(r"[\u3040-\u9fff\uac00-\ud7af]", said) else _SHORT) or said.endswith(
        _QUESTION
    ):
        return 0.0
    if _PLAN.match(said) or _CJK_PLAN.search(said.rstrip("。.:： ")):
        return 0.0
    score = sum(weight for weight, pattern in _WEIGHTS if pattern.search(said))
    score -= 0.7 * min(3, len(_DOUBT.findall(said))) + 3 * bool(_ASIDE.search(said))
    score -= 2.5 * said.endswith((":", "：")) + (len(said) > _LONG)
    return score


def combine(summary: Summary, conclusion: str) -> Summary:
    """Join the agent's *conclusion* with the facts of *summary*, at most 200 characters.

    A summary that says everything comes first; else the conclusion does, and the facts stand beside it.
    """
    said = clip(conclusion, LONGEST).rstrip("。. ")
    if not said or summary.status == "missing" or _says(summary.text, said):
        return summary
    facts = summary.text
    if summary.score >= 9 and len(facts) <= LIMIT - 45:
        return replace(summary, text=clip(f"{facts}; {said}"))
    room = LIMIT - len(said) - 3
    if room < 40:
        said = clip(said, LIMIT - 60)
        room = LIMIT - len(said) - 3
    if len(facts) > room and summary.status == "error":  # what broke must stay readable
        said = clip(said, max(80, LIMIT - min(len(facts), 110) - 3))
        room = LIMIT - len(said) - 3
    return replace(
        summary, text=f"{said} ({clip(facts, room)})", score=min(10, summary.score + 2 * (summary.score < 7))
    )


def facts_of(text: str, conclusion: str) -> str:
    """Take the agent's *conclusion* out of a text that `combine` made; the result's facts are left."""
    said = clip(conclusion, LONGEST).rstrip("。. ")
    if not said:
        return text
    if text.endswith(")"):
        at = text.find(" (")
        best = -1
        while at >= 0 and said.startswith(text[:at].rstrip("…")):
            best, at = at, text.find(" (", at + 1)
        if best > 0:
            return text[best + 2 : -1]
    facts, semicolon, last = text.rpartition("; ")
    return facts if semicolon and last and said.startswith(last.rstrip("…")) else text


def _says(facts: str, said: str) -> bool:
    """Whether the facts already hold nearly every word of the conclusion."""
    words = set(re.findall(r"\w{3,}", said.lower()))
    return bool(words) and len(words - set(re.findall(r"\w{3,}", facts.lower()))) <= len(words) // 5
