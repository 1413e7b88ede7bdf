"""The words by which people and agents steer: yes, back to, no, done; in four languages.

Each pattern is searched in text that `plain_words` has prepared. A pattern is an alternation of fixed
phrases, given as text separated by commas, so that matching takes linear time.
"""

import re


def _alternatives(listed: str) -> str:
    """Make an alternation of phrases that are separated by commas."""
    return "|".join(" ".join(each.split()) for each in listed.split(","))


def _phrases(english: str, cjk: str, *, start: bool = False) -> re.Pattern[str]:
    """Match any of the phrases: English ones as whole words, the others anywhere; with *start* only there."""
    either = rf"(?<![a-z0-9_])(?:{_alternatives(english)})(?![a-z0-9_])|(?:{_alternatives(cjk)})"
    return re.compile(rf"\A(?:{either})" if start else either)


def plain_words(text: str, limit: int = 600) -> str:
    """Prepare *text* for the patterns: lower case, single spaces, straight quotes, *limit* characters."""
    return " ".join(text[: limit * 2].lower().replace("’", "'").split())[:limit]


# --------------------------------------------------------------------------- which task

RESUME = _phrases(
    """(?:go|going|get|getting|come|coming|circle|circling|head|switch|switching|jump) back to, back to,
    return to, returning to, resume, pick up where, picking up where, where we left off, where were we,
    (?:continue|finish) the (?:earlier|previous|other|old|first),
    (?:earlier|previous|first|old|original) (?:task|thing|topic|goal|problem|issue|bug|work|question|one),
    from (?:earlier|before)""",
    """回到, 回头, 刚才, 刚刚那, 之前那, 之前的, 先前那, 前面那, 上次那, 接着刚, 接着之前, 继续刚, 继续之前,
    继续上, 恢复, さっきの, 先ほどの, 前の(?:作業|件|話|タスク|続き), に戻, へ戻, 戻って, 続きを, 再開,
    아까, 방금, 이전, 돌아가, 돌아와, 이어서, 재개""",
)
"""Goes back to earlier work; to which, its subject says."""

BACK = _phrases(
    """back to (?:it|that|this|work|business|what we), (?:go|get|going|getting) back, return to (?:it|that),
    resume, where we left off, pick up where""",
    """回到(?:正题|刚才|之前|原来), 言归正传, 继续刚才, 接着刚才, 继续之前, さっきの続き, 先ほどの続き,
    元の(?:作業|話)に戻, 아까 하던, 하던 거""",
)
"""Goes back without saying to what: to the work before this one."""

SWITCH = _phrases(
    """(?:new|different|another|separate|unrelated|other) (?:task|topic|subject|project|goal),
    unrelated(?: question)?, unrelatedly, something else, change of (?:topic|subject),
    (?:quick|side|random|off-topic) (?:question|thing|task),
    on (?:a|another) (?:different|separate|unrelated) note, switch(?:ing)? (?:gears|topics|tasks|context),
    forget (?:about )?(?:that|this|it) for now, leave that for now, set that aside,
    before (?:that|we continue|we go on)""",
    """换个(?:话题|问题|任务|事), 另一个(?:问题|任务|话题|事), 另外一个(?:问题|任务|话题|事),
    别的(?:事|问题|任务), 新任务, 新的任务, 插播, 打断一下, 插一句,
    先(?:放一放|放一下|放下|停一下|暂停|不管|不做), 暂停一下, 临时(?:有|帮|查|加|问),
    別の(?:話|質問|件|タスク|作業), 話は変わ, 話が変わ, 話題を変, 一旦置い, それはさておき, 別件,
    다른 (?:질문|작업|주제|얘기|일), 주제를 바, 새로운 작업, 별개로, 화제를""",
)
"""Says that what follows is something else."""

ASIDE = _phrases(
    "by the way, btw, meanwhile, in the meantime, one more thing, quickly, separately",
    "对了, 顺便, 另外, 先帮我, 话说, ところで, ちなみに, ついでに, その前に, 그런데, 참고로, 잠깐",
)
"""May lead to something else: what it names decides."""

ADDITION = _phrases(
    """also, and, plus, additionally, as well as, then, next, one more, while you're at it,
    after (?:that|this)""",
    """还有, 还要, 另外也, 再(?:加|给|把|来|补|帮), 同时, 然后, 接下来, また, それから, さらに, あと, 次に,
    그리고, 또한, 또, 추가로""",
    start=True,
)
"""Adds to the work at hand."""

GO_ON = _phrases(
    """(?:please )?continue, go on, go ahead, proceed, keep going, carry on, go for it, do it, do that, do so,
    make it so, yes, yep, yeah, yup, ok, okay, k, sure, alright, all right, right, correct, exactly, agreed,
    perfect, great, good, nice, cool, sounds good, looks good, lgtm, fine, thanks, thank you, ship it,
    approved, please do, let's go, let's do it, ready, done, next, hi, hello, hey, yo, wow""",
    """继续, 接着, 好的, 好, 可以, 行, 是的, 是, 对, 嗯, 没问题, 没错, 下一步, 谢谢, 多谢, 同意, 确定, 开始吧,
    你好, 続けて, 続行, はい, お願いします, 了解, 進めて, 次へ, ありがとう, いいですね, 大丈夫, おはよう,
    こんにちは, 계속, 네, 예, 응, 좋아, 진행, 그래, 알겠, 고마워, 감사, 안녕""",
    start=True,
)
"""Agrees, greets or says to go on, and names nothing."""

REACTION = re.compile(
    r"""\A(?:(?:wow|oh|hm+|ugh|ah|aha|about\ that|speaking\ of|in\ addition)(?![a-z0-9_])|哦|嗯+[,，]|あ[、,]|아[,，])
    | \A[^.!?。！？]{0,60}?(?<![a-z0-9_])(?:also|as\ well|another\ thing)(?![a-z0-9_])
    | \A[^。！？]{0,20}?(?:还想|也想|还要|另外还|それと|また、|또한|그리고)""",
    re.VERBOSE,
)
"""Answers what the agent just said, or asks for something besides."""

ANSWER = re.compile(
    r"""\A(?: \(?[a-d1-9][).:](?:\s|\Z) | option\ [a-d1-9]
      | (?:yes|yep|yeah|no|nope|nah|both|neither|either|all\ of\ them)(?![a-z0-9_])
      | the\ (?:first|second|third|last|former|latter)(?![a-z0-9_])
      | 是的|不是|不用|不要|都要|都可以|第[一二三四五]|选|はい|いいえ|네|아니|첫|두\ ?번째|둘\ 다 )""",
    re.VERBOSE,
)
"""Answers what the agent asked."""

_VERBS = """add, analy[sz]e, book, build, cancel, change, check, compare, configure, convert, create, debug,
    delete, deploy, document, draft, explain, find, fix, generate, give, implement, improve, install,
    investigate, list, look, make, migrate, move, open, optimi[sz]e, order, put, read, refactor, remove,
    rename, replace, research, return, review, run, search, set up, setup, show, summari[sz]e, tell, test,
    translate, try, update, upgrade, use, write"""
_VERB_SIGNS = """查, 找, 写, 做, 改, 修, 加, 删, 建, 生成, 翻译, 总结, 整理, 分析, 对比, 比较, 看看, 解释,
    设计, 部署, 安装"""

ORDER = re.compile(
    r"""\A(?:(?:ok(?:ay)?|alright|all[ ]right|great|cool|now|so|then|hi|hello|hey|好的?|那)[ ,.!:，。-]*)*
    (?:(?:can|could|would|will)[ ]you[ ](?:(?:please|also|now)[ ])*|please[ ]|let's[ ]|lets[ ]|let[ ]us[ ]
      |i(?:'d|[ ]would)[ ]like[ ](?:you[ ])?to[ ]|i[ ](?:want|need)[ ](?:you[ ])?to[ ]
      |we[ ](?:need|should|have)[ ](?:to[ ])?|(?:can|could)[ ]we[ ]|help[ ]me[ ](?:to[ ])?
      |[请帮麻烦你我忙们给再去把，]{0,12})?
    (?:(?:"""
    + _alternatives(_VERBS).replace(" ", "[ ]")
    + ")(?![a-z0-9_])|"
    + _alternatives(_VERB_SIGNS)
    + r"""|(?<=[帮请]).)
    | (?:ください|してほしい|お願いします|教えて|해줘|해주세요|해[ ]줘|부탁해요?|부탁드려요|알려줘|찾아줘
      |만들어줘|고쳐줘)[。.!！]*\Z""",
    re.VERBOSE,
)
"""Tells the agent to do something, with the verb where the language puts it: first, or last."""

REQUEST = _phrases(
    f"""(?:can|could|would|will) (?:you|we|i), please, let's, lets, let us, i(?:'d| would) (?:like|love),
    i want, i need, we (?:need|should|must|want|have to), you (?:need|should|must), help me, {_VERBS}""",
    f"""帮, 请, 麻烦, {_VERB_SIGNS}, ください, して下さい, してほしい, お願い, 教えて, 作って, 直して,
    調べて, 探して, 書いて, 追加, 修正, 해줘, 해주세요, 해 줘, 부탁, 알려, 찾아, 만들어, 고쳐, 추가, 수정,
    작성""",
)
"""Asks for something."""

TOGETHER = _phrases(
    "we, our, us, you, your",
    "我们, 咱们, 你, 私たち, 우리",
)
"""Speaks of the work as a common one."""

POINTING = _phrases(
    """it, its, that, this, these, those, they, them, same, above, there, here,
    the (?:error|failure|result|change|changes|fix|tests?|file|plan|output|code|rest|others?)""",
    """这个, 那个, 这些, 那些, 它, 上面, 这里, 那里, 这, 那, これ, それ, あれ, この, その, あの, ここ, そこ,
    이거, 그거, 저거, 이건, 그건, 이 , 그 , 여기, 거기""",
)
"""Points, perhaps, at what is there already."""

LEANING = _phrases(
    """\\A(?:in that case|however|but|i understand|i see|i appreciate|i'm sorry|thanks),
    \\A(?:thank you|for (?:both|all|each|these|those)), this,
    these, those, they, \\A(?:it|that|you|the same|same), (?:does|is|will|would|can|could|should) it,
    (?:fix|do|revert|undo|check|change|remove|run|test|keep|move|make|put|use|get) (?:it|them|that),
    the (?:added|changed|updated|existing|current|latest|remaining), (?:like|as) (?:that|before)""",
    "这个, 这些, 它, 上面, これ, それ, この, その, 이거, 그거, 이건, 그건",
)
"""Surely points at what is there already."""

UNKNOWING = _phrases(
    """i (?:actually |really )?(?:don't|do not|can't|cannot) (?:remember|recall|have|know|find),
    i'm not (?:sure|certain), i am not sure,
    not sure, no idea, i forgot, i (?:do )?apologi[sz]e, sorry, my mistake, unfortunately""",
    """不记得, 不清楚, 不知道, 不确定, 忘了, 没有(?:编号|号码?), 抱歉, 对不起, 不好意思,
    覚えていません, わかりません, 分かりません, 知りません, すみません, ごめん, 모르겠, 기억나지, 기억이, 죄송""",
)
"""Answers a question by not knowing, or begs pardon."""

PROCEEDING = _phrases(
    "proceed, go ahead, please continue, continue with, carry on with, that works, sounds good",
    "继续吧, 就这样, 就按, 照这样, そのまま進め, 進めてください, それで, 그대로 진행, 진행해",
)
"""Lets the work at hand go on."""

ASKING = _phrases(
    """please (?:provide|confirm|share|specify|choose|let me know), let me know,
    could you (?:provide|confirm|tell), would you like, do you want, shall i, should i, which (?:one|of)""",
    """请问, 请提供, 请确认, 请告诉, 请选择, 是否, 要不要, 需要我, 吗, 教えてください, でしょうか, ますか,
    よろしい, 알려주세요, 알려 주세요, 할까요, 인가요, 원하시""",
)
"""Asks the user for something."""

# --------------------------------------------------------------------------- what it means for a step

CONTRAST = _phrases(
    """instead, rather than, actually, revert, undo, roll ?back, (?:don't|do not|never|stop) (?:use|do|add|change|touch),
    (?:don't|do not|never|stop) (?:commit|remove|delete|write|put|make|run|create|modify|edit)""",
    """不对, 不要, 不用, 而不是, 改成, 改为, 撤销, 撤回, 恢复成, 应该是, ではなく, じゃなくて, しないで, 戻して, 말고,
    대신, 하지 마, 하지마, 되돌려""",
)
"""Sets something against what is there already, so it goes on with the work at hand."""

FINISHED = _phrases(
    r"""(?:all |is |are |now |work )?(?:done|complete|completed|finished|resolved|fixed|implemented),
    (?:committed|pushed|merged|submitted|created|updated|added|removed|refactored|renamed|moved|written|applied),
    reverted,
    all (?:\d+ )?(?:unit |integration )?(?:tests?|checks?) (?:pass|passed|are passing|are green|now pass),
    everything (?:works|passes|is (?:working|in place|clean)), now (?:works|passes),
    (?:works|working|passes|passing) (?:now|as expected|correctly), ready (?:for review|to use|to merge)""",
    """完成, 搞定, 已修复, 已实现, 已添加, 已更新, 已创建, 已解决, 已提交, 已合并, 已推送, 修复了, 全部通过,
    测试通过, 做好了, 写好了, 整理好了, 弄好了, 已经(?:好|做|写|改|修), 成功, 完了, 終わりました,
    修正しました, 追加しました, 実装しました, 作成しました, 更新しました, できました, 解決しました,
    コミットしました, 完成しました, 완료, 끝났습니다, 끝났어요, 수정했습니다, 추가했습니다, 구현했습니다,
    작성했습니다, 해결했습니다, 성공""",
)
"""Says that the work is done."""

UNFINISHED = _phrases(
    """not (?:yet )?(?:done|finished|complete|fixed|working), isn't (?:done|finished|complete),
    still (?:need|needs|to do|have to|fail|fails|failing|broken|missing|open), remaining, remains to,
    left to do, next steps?, next is, let me(?! know), i'll, i will, now i, i'm going to, we need to,
    i need to, should i (?:proceed|implement|continue|start|go), shall i,
    (?:would you like|do you want) me to (?:proceed|implement|continue|start|go|fix|make),
    ready to (?:start|implement|proceed|begin), unable to, could not, couldn't, cannot, failed to,
    partially, first draft, skeleton, so far, in progress, to be done, begin, started""",
    """先填, 先写, 先做, 初稿, 草稿, 框架, 一部分, 一半,
    接下来, 下一步, 还需要, 还没, 尚未, 未完成, 没完成, 待, 正在, 开始, 是否需要, 要不要我, 需要我, 剩下,
    剩余, 稍后, 无法, 失败, 次に, まだ, 残り, これから, ましょうか, 途中, 開始, できません, 다음으로,
    다음은, 아직, 남은, 할까요, 진행 중, 시작, 실패""",
)
"""Says that something is still to come."""

OPEN = _phrases(
    """(?:not|never)(?: yet)?(?: been| be)? (?:run|tested|committed|pushed|verified|implemented|covered|fixed|wired),
    (?:not|never)(?: yet)?(?: been| be)? (?:handled|merged|updated|included), (?:did|do|have|has)n't (?:run|test|commit),
    (?:did|do|does|could) not (?:run|test|commit|push|verify|implement|cover|fix|handle),
    (?:did|does|have|has|could|was|were|is|are)n't (?:been )?(?:tested|committed|push|pushed|verify|verified|covered),
    uncommitted, untested, unverified, no commit, left (?:it |them |this |that )?(?:as[- ]is|unchanged|out|open|alone),
    (?:leave|leaving|kept) (?:it |them |this |that )?(?:as[- ]is|unchanged|out|open|alone|untouched),
    for later, for now, later on, follow-?up, (?:a )?separate (?:feature|pr|pull request|issue|change|task),
    out of scope, deferred, postponed, put off, skipped, remaining, still (?:need|needs|to do|have to|fails|missing|open),
    todo, next steps?, caveats?, risk, risks, risky, limitation, limitations, known issue, pre-existing, unrelated to,
    one thing to, be aware, keep in mind, trade-?offs?, worth noting, the catch, will not work, won't work,
    can't be, cannot be, could not be, couldn't be, unless,
    should i, shall i, would you like, do you want, want me to, ready for (?:feedback|review),
    (?:i|i'd|we|would) recommend, recommended, i suggest, i'd suggest, i propose, safest, best option""",
    """尚未, 还没, 未(?:提交|运行|测试|验证|处理|解决|完成|修复|实现), 没有(?:提交|运行|测试|验证|处理|改),
    稍后, 以后再, 下次,
    待(?:办|定|确认|处理), 遗留, 剩余, 剩下, 风险, 局限, 注意, 跳过, 暂不, 暂时, 建议, 推荐, 是否需要, 要不要, 下一步,
    まだ, 未(?:実行|検証|対応|コミット|実装), 後で, 今後, 残り, 注意, リスク, 制限, 推奨, お勧め, ましょうか,
    아직, 나중에, 남은, 주의, 위험, 제한, 권장, 추천, 할까요, 다음 단계""",
)
"""Says what is left open: not done, put off, recommended, a risk, a question."""

DEAD_END = _phrases(
    r"""dead end, (?:doesn't|does not|didn't|did not|won't|will not|isn't going to|not going to) work,
    not (?:feasible|viable|possible|an option), abandon(?:ed|ing)?,
    (?:revert|reverting|undo|undoing|back(?:ing)? out|roll(?:ing)? back) (?:this|that|my|these|those|it),
    (?:revert|reverting|undo|undoing|back(?:ing)? out|roll(?:ing)? back) the (?:\w+ )?(?:changes?|edits?|commits?|patch|fix),
    wrong (?:approach|direction|track|path), (?:different|another|alternative) (?:approach|way|strategy),
    give up on, gave up on, that was a mistake, ruled out""",
    """行不通, 走不通, 不可行, 此路不通, 放弃, 撤销, 回退, 换(?:一)?(?:个|种)(?:思路|方法|方式|方案), 排除,
    没用, うまくいかな, うまくいきません, 行き詰ま, 断念, 諦め, 別の(?:方法|アプローチ), 元に戻, 안 됩니다,
    안 되네, 포기, 막다른, 다른 방법, 되돌""",
)
"""Gives up what was tried."""

HANDING_IN = _phrases(
    "submit(?:ting)? (?:the|my|our|this|it), submit(?:ting)? (?:final|solution|changes|now)",
    "提交最终, 提交答案, 提交结果, 최종 제출, 最終提出",
)
"""Hands the work in."""

CONFIRMING = _phrases(
    """confirm, confirming, verify, verifying, double[- ]check, cross[- ]check, compare, comparing,
    comparison, all (?:three|four|five|of them), summari[sz]e, combine, merge, collect""",
    """都查到, 都找到, 都有了, 查完了,
    确认, 核对, 核实, 验证, 对比, 比较, 汇总, 总结, 整理, 合并, 確認, 検証, 比較, まとめ, 확인, 검증, 비교,
    정리""",
)
"""Brings together what several steps found."""
