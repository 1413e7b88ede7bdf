"""How a user corrects the agent: no, not that, rather this; in four languages.

A correction refers to what the agent did, said or is about to do. So what is bare counts only where the words
begin ("no", "wait", "actually", "don't"), and a judgement only of what is pointed at ("this is wrong"). What is to
be built, or how, is a wish, whatever words it has: "use a popover instead", "add an undo button".
"""

# ruff: noqa: E501 - the ways of one kind stay on one line

from memctl.summarize.patterns import regex

_LEAD = r"\A(?:(?:ok(?:ay)?|yes|yeah|no|nope|hm+|oh|ah|so+|but|and|well|please|sorry|hey|look)(?![a-z0-9_'])[ ,.!]*)*"
_WORK = "(?:that|this|those|these|you)"  # what the agent did; "it" is so only at the beginning
_POINTED = rf"(?:(?<![a-z0-9_]){_WORK}|{_LEAD}(?:it|they))"
_ENGLISH = (
    # -- words that begin with turning against what was done or said
    r"\A(?:no|nope|nah)(?![a-z0-9_'-])(?![ ,]+(?:prob\w*|worries|need|thanks?|idea|clue|doubts?|way|kidding|surprise|rush|more|further|other|one|matter|wonder)\b)",
    r"\A(?:(?:oh|hm+|no|but|wait)(?![a-z0-9_])[ ,.!]*)*actually",
    rf"{_LEAD}(?:incorrect|wrong|let's not|not (?:correct|right|true|like that|what i)|that's enough)",
    r"\A(?:an? |one )?(?:(?:small|slight|minor|quick) )?(?:correction|nit(?:pick)?|change of (?:course|plans?))(?=[:,])",
    rf"{_LEAD}(?:wait|hold on|stop)(?=[,.!…—-]|\Z| (?:no|what|why|that|this|it|you|a (?:sec|minute|moment))\b)",
    rf"{_LEAD}(?:you (?:can't|must not|mustn't)|(?:please )?(?:don't|do not|never|stop)) (?!(?:forget|worry|mind|hesitate|know|have|remember|see|get|understand|really|even|let|be|give up)\b)[a-z]+",
    rf"{_LEAD}(?:why (?:would|do|did|are|have|were) you (?!think|say|feel|believe|want|need|like|prefer)[a-z]+|why (?:would|are|did) we)",
    rf"{_LEAD}we (?:only|don't|do not) (?:want|need)",
    rf"{_LEAD}(?:{_WORK}|it|they) (?:should(?:n't| not)|must(?:n't| not)|(?:is|are) not supposed)",
    rf"{_LEAD}(?:way |far )?too (?:much|many|long|big|small|verbose|complex|complicated|slow|fast)",
    rf"{_LEAD}i (?:(?:just|only) )?mean",
    # -- what is said of the agent's work, or of what the agent did
    (
        rf"{_POINTED}(?:'s|'re| (?:is|are|was|were|looks?|seems?|sounds?|feels?|got))(?: (?:just|really|still|so|very|quite|completely|totally|simply|also|all))*"
        r" (?:wrong|incorrect|backwards|horrible|terrible|awful|ugly|nonsense|confusing|too [a-z]+|not (?:it|correct|right|true|quite|what|how|supposed))"
    ),
    r"(?<![a-z0-9_])(?:is|are|was|were)(?:n't| not) (?:correct|right|true|what (?:i|we))",
    rf"{_POINTED} (?:doesn't|does not|don't|didn't) (?:look|make sense|feel)",
    (
        r"(?<![a-z0-9_])(?<!if )you (?:(?:still|again|also|have|just|completely|already) )*"
        r"(?:misunderstood|misread|missed|forgot(?:ten)?|broke|ignored|overlooked|should(?:n't| not)? have|were(?:n't| not)? supposed|did(?:n't| not) (?:do|add|use|change|fix|run|read|follow|remove))"
    ),
    r"(?<![a-z0-9_])(?:i still (?:feel|think)|i'm (?:a bit |still |quite )?confused|instead of what you)",
    # -- what was meant or is wanted, against what was understood
    r"(?<![a-z0-9_])(?:i (?:actually |only |just )?meant|what i (?:actually )?(?:meant|wanted|asked for)|i actually (?:want|wanted|mean|asked))",
    r"(?<![a-z0-9_])i(?:'d| would) (?:much |still )?(?:rather|prefer) (?:that |if )?(?:you|we|it|this|that)",
    r"(?<![a-z0-9_])i (?:really )?(?:don't|do not) (?:like (?:it|this|that|these|those|the|how)|think (?:it|this|that|we|you)|want (?:it|this|that|you|any of))",
    # -- what shall be taken back
    r"(?<![a-z0-9_])(?:revert|undo|roll ?back|back out|take back) (?:it|this|that|these|those|them|all (?:of|that)|everything|your|the (?:last|latest|previous|recent|changes?|edits?|commits?))",
    r"\A/?(?:revert|undo|roll ?back)[.!]*\Z",
)
_CHINESE = (
    r"\A(?:[嗯哦啊呃喂等那可但，,！!。 ]|等等|等一下|可是|但是|抱歉)*(?:不对|不是(?:的|这样|那样|这个|那个|我|，|,|。|！)|错了|不行|不应该|别(?:这样|用|改|动|删|加|再)|不要(?!紧)|不用(?!谢|了)|我(?:的意思是|是说|说的是|要的是|指的是))",
    r"(?:[这那它你][^，。！？?]{0,16}|\A[^，。！？?]{1,20})(?:不对|不正确|错了|有误|不应该|不是我(?:要|想|说))(?!吗|么)",
    r"你(?:又|还|刚才|完全|可能)*(?:理解|弄|搞|写|改|看|做|算|漏|忘|听)(?:错|反|漏|了)|你(?:少|漏)了|(?:这里|那里|这儿|还)(?:少|漏)了",
    r"你[^，。！？?]{0,3}把[^，。！？?]{1,12}(?:弄|搞|写|改|看|做|算)(?:错|反|坏|丢)",
    r"(?:撤销|撤回|还原|回退)(?:掉|一下)?(?:这|那|它|你|刚才|上一|上次|所有|全部)|\A(?:请)?(?:撤销|撤回|改回去|恢复原样)(?:吧|掉)?[。！!]?\Z",
    r"(?:把|将)?(?:这|那|它|刚才)[^，。！？?]{0,12}(?:改成|改为|改回|恢复成|撤销|撤回)",
    r"应该是[^，。！？?]{1,24}[，,]?(?:而)?不是(?!吗)",
)
_JAPANESE = (
    r"\A(?:いや|いえ|いいえ|違(?:う|い|って)|ちが(?:う|い)|(?:そう|それ|これ)(?:じゃな|ではな)|待って)",
    r"(?:それ|これ|そこ|ここ|あれ|その|この)[^。！？?]{0,16}(?:違(?:う|い|って)|間違|おかし)",
    r"[^。！？?]{1,20}[はが](?:違(?:う|い(?:ます|ました))|間違(?:い|って|え))",
    r"\A(?!心配|気に)[^。！？?]{1,30}(?:ないで|やめて)(?:ください|下さい|ほしい|ね|よ)?(?:[。！!]|\Z)",
    r"(?:元に|もとに)戻し|(?:それ|これ|さっき|今の)[^。！？?]{0,10}戻し",
)
_KOREAN = (
    r"\A(?:아니(?:요|오|야|에요)?(?=[ ,.!…]|\Z)|잠깐)",
    r"(?:그게|이게|그건|이건|그거|이거|그것|이것)[^.!?]{0,12}(?:아니|틀렸|잘못)",
    r"틀렸(?:어|습|네|다)|잘못 ?(?:됐|되었|했|이해|알았|알아)|되돌려|원래대로|(?:내|제) 말은",
    r"\A(?!걱정)[^.!?]{1,30}지 ?(?:마(?:세요|요|라)?|말아(?:요| ?줘| ?주세요)?)(?:[.!]|\Z)",
)
_CORRECTION = regex(
    "|".join([*(rf"(?:{way})(?![a-z0-9_])" for way in _ENGLISH), *(_CHINESE + _JAPANESE + _KOREAN)])
)


def is_correction(words: str) -> bool:
    """Say whether words that `phrases.plain_words` has prepared correct the agent."""
    return _CORRECTION.search(words) is not None
