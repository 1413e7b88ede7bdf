"""How much a sentence concludes: the words that tell a finding from a plan, in English and in CJK."""

import re

from memctl.summarize.patterns import regex
from memctl.text.letters import CJK

_SHORTEST, _LONG = 14, 240  # characters of a sentence in English; CJK says as much in a third
_SHORTEST_CJK = 4
_WORD = regex(r"[a-z']+")
_CJK = regex(rf"[{CJK}]")

# A cause, a negation, a contradiction: what a result taught.
_CAUSES = frozenset(
    """because confirm confirms confirmed confirming missing never doesn't don't didn't fail fails failed
    failing isn't aren't wasn't weren't cannot can't couldn't wrong incorrect incorrectly lacks lacking
    caused causes unexpected broken""".split()
)
_CAUSE_PHRASES = (
    "due to", "root cause", "turns out", "instead of", "no longer", "does not", "do not", "did not",
    "is not", "are not", "was not", "has no ", "have no ", "but no ", "there is no", "there are no",
    "there's no", "not defined", "not found", "not set", "not called", "not passed", "which means",
    "this means", "means that", "rather than", ", not ",
)  # fmt: skip
_SUBJECT = regex(
    r"\b(?:issue|problem|bug|cause|reason|culprit|error|fix|solution|key insight|answer|difference"
    r"|result) (?:is|was|occurs|lies)\b"
    r"|\bthere(?:'s| is| are) (?:an? )?(?:bug|typo|cycle|conflict|problem|issue|mismatch|error"
    r"|circular \w+|two|three|\d+)s?\b"
)
# An outcome, a state, a fact.
_OUTCOMES = frozenset(
    """pass passes passed fixed work works working succeed succeeds succeeded success successful
    successfully compile compiles compiled complete completed created added removed updated implemented
    resolved switched moved renamed reverted found return returns returned show shows contain contains store
    stores stored exist exists defined match matches need needs require requires support supports use uses
    already correct correctly identical duplicate duplicated both only all cleaned verified installed staged
    committed pushed split dropped indicate indicates suggest suggests remain remains reveal reveals prove
    proves present located valid invalid untracked conflict conflicts happens""".split()
)
_STATES = frozenset("is are was were has have had can equals".split())
_DOUBTS = frozenset("might may maybe perhaps probably could would if should".split())
_ASIDES = (
    "i need to", "i should", "we should", "we need to", "i'll ", "let me", "let's", "i want to", "i think",
    "summary", "understanding", "clear picture", "everything i need", "enough information", "i have all",
)  # fmt: skip
# Where a search for the cause ends.
ROOT = regex(
    r"\Athe (?:root )?(?:bug|problem|issue|cause|culprit|error|mistake): "
    r"|\b(?:root cause|culprit|(?:the|this) (?:actual |real |main )?(?:bug|problem|issue) (?:is|was|here is|lies)\b"
    r"|that's why|this is why|which is why)|根因|根本原因|问题出在|问题在于|原因是|原因は|原因が|原因だ|원인은|원인이"
)
# A guess: what it says may turn out wrong, so it must not stand as the cause.
_GUESS = regex(
    r"(?:maybe|perhaps|possibly|probably|it (?:might|may|could) be|i (?:suspect|guess|wonder)|could it)\b"
    r"|也许|可能|もしかし|아마"
)
_UNSURE = regex(
    r"(?:i (?:think|believe|assume)|it (?:seems|looks|appears|sounds)|seems|looks like|likely|so maybe|it says)\b"
)
_NOTICED = regex(
    r"(?:i|we)(?:'ve| have)? (?:can )?(?:now )?(?:see|found|understand|have)\b"
)  # says that it was read
_MEASURED = regex(
    r"\b(?:is|are|was|were|be|equals|costs|takes)\b[^.]{0,40}?[$€£¥#]?\d|(?:是|为|需|要|共|约|达|は|が|を|은|는|이"
    r"|가)[^。.]{0,30}?\d"
)
_NAMED = regex(r"[A-Za-z0-9]_[A-Za-z]|[a-z][A-Z]|\w\.\w{1,5}\b|\w\(\)|\d")

# What a piece of code does or has: "`export.py:22` formats prices with the locale".
_CODE_TELLS = regex(
    r"(?:the |both )?(?:`[^`\n]{1,60}`|\w*[_.]\w[\w.:]*|[a-z]+[A-Z]\w*)(?:\(\))?"
    r" (?:also |only |always |never |now |still )?(?:[a-z]{3,}s|has|was)\b"
)
# "git status to confirm it's staged": what a call is for, not what it came to.
_PURPOSE = regex(r"(?:[\w./-]+ ){1,4}to (?:confirm|verify|check|see|ensure|make sure|find out)\b")
# What a thing does: "This script writes its rates into a table."
_TELLS_WHAT = regex(
    r"(?:this|the|it|each|both)\b[^,.;]{0,60}? (?:runs|makes|calls|reads|prints|outputs|expects|takes|allows|writes|sends"
    r"|checks|generates|computes|ignores|loads|stores|converts)\b",
    re.IGNORECASE,
)
_CONSEQUENCES = (", so ", "; so ", ", which ")

_DAMAGE = regex(
    r"\b(?:accidentally|by mistake|by accident|inadvertently|mistakenly|oops|clobbered|mangled|garbled"
    r"|corrupt(?:ed|s)|wiped(?: out)?|emptied|(?:file|it|content) (?:is|was|became|got) (?:now )?(?:empty|truncated"
    r"|broken|gone|lost|overwritten|damaged)"
    r"|(?:restor|recover|revert)(?:e|ed|ing|s)? [^.\n]{0,40}\b(?:from|to|with|using) (?:the |a |my |its )?"
    r"(?:backup|original|git|stash|copy|head)\b"
    r"|restored from|backed up as)"
    r"|误删|误改|弄坏|损坏|备份|还原|恢复(?:了|原|文件)|誤って|壊れ|壊し|復元|バックアップ|실수로|손상|복원|백업"
)
_CJK_CAUSES = tuple(
    """根因 根本原因 原因是 原因在于 问题是 问题在于 问题出在 因为 由于 导致 发现 确认 说明 表明 结论 缺少
    缺失 没有 不存在 尚未 失败 报错 错误 无法 不能 而不是 不一致 原因は 原因が のため ためです 判明
    見つかりました 見つかりません 問題は 失敗 不足 ありません していません されていません できません がない
    ではなく 一致しません 원인은 때문 발견 없습니다 실패 오류 에러 문제는 않습니다 않았습니다 누락""".split()
)
_CJK_OUTCOMES = tuple(
    """已经 已 完成 通过 成功 修复 修好 解决 新增 支持 返回 包含 位于 定义在 共有 一共 全部 正确 ました 完了
    済み 定義されて なっています ています 存在します 正しく 했습니다 되었습니다 됩니다 완료 성공 통과
    있습니다 정의되어""".split()
)
_CJK_STATES = ("是", "为", "有", "です", "である", "입니다", "이다")
_CJK_DOUBTS = ("可能", "也许", "应该", "かもしれ", "でしょう", "아마", "수 있")

# A sentence that says what comes next, asks, or offers.
_PLAN = regex(
    r"(?:(?:also|first|next|then|finally|let me|let's|let us|lets|time to|going to|moving on"
    r"|continuing|to (?!\w+ is)|before|once|after|please|try|trying|here's|here is|here are|below"
    r"|would you|do you|should i|shall i|can you|want me"
    r"|i'll|i will|i'd|i'm going|i am going|i need|i want|i should|i have to|i must|i can now|i'm now"
    r"|i am now|i think (?:i|we)|we'll|we will|we need|we should|we have to|we must|we can now"
    r"|we are going|we are now|we could|i could"
    r"|one (?:option|solution|way|approach)|another (?:option|approach|way)|i'm sorry|sorry"
    r"|i apologi[sz]e|my apologies|you can|i can (?:help|provide|also)|feel free|is there|if"
    r"|the next step|what i|my plan|the plan)\b"
    r"|(?:add|update|create|fix|check|run|look|looking|read|find|verify|test(?! (?:\d|pass|fail|case))"
    r"|apply|take|keep|track|handle|define|queue|implement|remove|make|move|call|see|search|write|edit"
    r"|open|show|use|submit|commit|refactor"
    r"|rename|replace|examine|investigate|explore|get|set|build|compile|start|change|insert|delete"
    r"|extract|ensure|review|proceed|double-check|consider|think|wait|print|mark|using|based)\s)"
)
_CJK_PLAN = regex(
    r"^(?:让我|我来|我将|我会|我先|我要|我需要|我们来|我们先|接下来|下面|首先|然后|先|继续|准备|开始|尝试|现在(?:让|我|来|开始|需要|去|要|就)|还需要|需要)"
    r"|^(?:まず|次に|それでは|では、|これから|続いて).*(?:します|ます|ましょう)$|(?:しましょう|てみます|ていきます|を(?:確認|修正|実行|追加|調査|作成|更新|実装"
    r"|検索)します|見てみましょう)$"
    r"|(?:겠습니다|할게요|볼게요|봅시다|합시다)$"
)


def weight(sentence: str) -> float:
    """Weigh how much a sentence concludes: 0 for plans, questions and scraps, 3 and more for findings."""
    cjk = not sentence.isascii() and _CJK.search(sentence) is not None
    if len(sentence) < (_SHORTEST_CJK if cjk else _SHORTEST) or sentence.endswith(("?", "？")):
        return 0.0
    lower = sentence.lower()
    if plans(sentence) or _PURPOSE.match(lower):
        return 0.0
    words = set(_WORD.findall(lower))
    score = 0.0
    if (
        not _CAUSES.isdisjoint(words)
        or _has(lower, _CAUSE_PHRASES)
        or _SUBJECT.search(lower)
        or finds_cause(sentence)
        or breaks_own(sentence)
        or (cjk and _has(sentence, _CJK_CAUSES))
    ):
        score += 4
    if not _OUTCOMES.isdisjoint(words) or (cjk and _has(sentence, _CJK_OUTCOMES)):
        score += 3
    if _CODE_TELLS.match(sentence) or _TELLS_WHAT.match(sentence):
        score += 3
    if _MEASURED.search(lower) or _has(lower, _CONSEQUENCES):
        score += 2
    if not _STATES.isdisjoint(words) or (cjk and _has(sentence, _CJK_STATES)):
        score += 1
    if score < 2:  # one more does not make a conclusion
        return score
    if _NAMED.search(sentence):
        score += 1
    doubts = len(_DOUBTS & words) + (cjk and sum(doubt in sentence for doubt in _CJK_DOUBTS))
    return (
        score
        - 0.7 * min(3, doubts)
        - 3 * _has(lower, _ASIDES)
        + 2 * finds_cause(sentence)
        - 3 * (_GUESS.match(lower) is not None)
        - 2 * (_NOTICED.match(lower) is not None)
        - 2.5 * sentence.endswith((":", "："))
        - (len(sentence) > _LONG)
    )


def breaks_own(text: str) -> bool:
    """Say whether a text tells that work was damaged by accident, or got back from a copy."""
    return _DAMAGE.search(text.lower()) is not None


def finds_cause(sentence: str) -> bool:
    """Say whether a search for the cause ends in a sentence; a guess ends none."""
    lower = sentence.lower()
    return ROOT.search(lower) is not None and not (_GUESS.match(lower) or _UNSURE.match(lower))


def plans(sentence: str) -> bool:
    """Say whether a sentence says what comes next, asks or offers."""
    return (
        _PLAN.match(sentence.lower()) is not None or _CJK_PLAN.search(sentence.rstrip("。.:： ")) is not None
    )


def _has(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)
