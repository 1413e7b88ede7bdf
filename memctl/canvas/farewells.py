"""How a user closes a conversation: thanks, "that's all", a goodbye, and nothing that asks for more.

One rule for English, Chinese, Japanese and Korean: every clause of so short a text takes leave, thanks or
acknowledges, and at least one does more than acknowledge.
"""

# ruff: noqa: E501 - the phrases of one kind stay on one line

import re
from typing import Literal

from memctl.canvas.phrases import ORDER, plain_words
from memctl.summarize.patterns import regex

Closing = Literal["", "thanks", "leave"]

_LONGEST = 300  # characters in which one takes leave
_SIGNAL = regex(r"###[a-z_-]{2,40}###")  # with which a simulated user ends
_ENDED = regex(r"###(?:stop|done|end|finished|exit)###")
_CLAUSES = regex(
    r"[\s]*(?:[,.!;:~。！，、；…\n()]|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]| - | – |—)+[\s]*"
)
_GOOD = (
    "(?:great|good|perfect|wonderful|fantastic|awesome|excellent|lovely|amazing|brilliant|nice|cool|fine|helpful"
    "|beautiful|right|correct|reasonable|clear|okay|ok|super|interesting|a relief|good news|great news)"
)
_OPENING = regex(
    r"(?:(?:and|so|but|then|well|anyway|uh|um|oh|ah|no|nope|yes|yeah|ok|okay|alright|all right|great|perfect|好的?|嗯|那"
    r"|では|じゃあ?|それでは|はい|いいえ|네|아니요|그럼)(?![a-z'])[ ]?)*"
)
_HELP = "(?:help|assistance|questions?|requests?|issues?|concerns?|changes?|things?)"
_LEAVES = regex(
    rf"""(?:
      that(?:'s|\ is|\ was|'ll\ be|\ will\ be|\ should\ be|\ would\ be)\ (?:all|it|everything)
        (?:\ (?:that\ )?i\ (?:need|needed|wanted|have|had)(?:\ to\ (?:know|do|ask))?)?(?:\ (?:for|from)\ (?:now|today|me))?(?:\ then)?
      | (?:i\ (?:think|believe|guess)\ )?(?:that's|that\ is)\ (?:all|everything|it)(?:\ for\ (?:now|today))?
      | i\ (?:think|believe|guess)\ (?:we|i)(?:'re|'m|\ are|\ am)\ (?:all\ )?(?:set|done|good|finished)(?:\ (?:here|now|for\ (?:now|today)))?
      | (?:i'm|i\ am|we're|we\ are)\ (?:all\ )?(?:set|done|good|finished)(?:\ (?:here|now|then|for\ (?:now|today)))?
      | nothing\ (?:else|more|further)(?:\ (?:for\ (?:now|today)|needed|from\ me|at\ the\ moment))?
      | (?:i\ have\ )?no\ (?:more|other|further|additional)\ {_HELP}(?:\ (?:is|are)\ (?:required|needed))?(?:\ (?:needed|required))?(?:\ (?:for\ (?:now|today)|from\ me))?
      | i\ (?:don't|do\ not|won't)\ (?:need|have|require)\ (?:anything\ (?:else|more|further)|any(?:\ (?:more|other|further))?\ {_HELP})(?:\ (?:right\ now|for\ (?:now|today)|at\ the\ moment))?
      | (?:good)?bye(?:[ -]bye)?(?:\ (?:now|for\ now))? | good\ ?night | farewell | see\ (?:you|ya)(?:\ (?:later|soon|around|tomorrow|next\ time))?
      | (?:talk|speak)\ (?:to\ you\ )?(?:later|soon) | take\ care(?:\ of\ yourself)? | so\ long | (?:you|same\ to\ you)\ too | same\ to\ you
      | (?:i\ hope\ you\ )?(?:have|enjoy)\ (?:a|an|the|your)\ (?:rest\ of\ (?:the|your)\ )?(?:very\ |really\ )?(?:\w+\ )?(?:day|one|evening|weekend|night|afternoon|week|time)(?:\ (?:too|ahead|as\ well))?
      | (?:that\ |this\ )?(?:concludes|ends)\ (?:it|this|our\ \w+|everything)
      | (?:let's|let\ us|we\ can)\ (?:stop|end|leave\ it|wrap\ (?:it\ )?up|call\ it\ a\ day|finish|close)(?:\ (?:it|this|here|now|there|at\ that|for\ (?:now|today)))*
      | 再见 | 再會 | 拜拜 | 回头见 | 下次(?:再)?见 | 晚安 | 祝(?:你|您).{{0,12}}
      | (?:暂时|先|今天|目前)?(?:就)?(?:这些|这样|到(?:这里|这儿|此|这)(?:为止)?)(?:了|吧|就行|就可以|就好)*
      | (?:暂时|目前|现在)?(?:我)?(?:没有?|沒有?)(?:什么|任何)?(?:别的|其他|其它|更多)?(?:的)?(?:事情?|问题|需要|疑问|要求)?了
      | (?:没有?|不需要|不用)(?:别的|其他|其它|更多)(?:的)?(?:事情?|问题|需要|帮助)?(?:了)? | (?:可以)?结束(?:了|吧|对话)+
      | さようなら | (?:では|じゃあ?)?また(?:ね|今度|明日|お願いします)? | 失礼(?:いた|致)?します | おやすみ(?:なさい)?
      | (?:今回は|今日は|本日は|質問は)?以上(?:です|になります|となります)? | (?:今日は|今回は)?(?:ここ|これ|そこ)まで(?:で(?:す|大丈夫です|結構です)?|にします(?:ね)?|にしましょう)?
      | (?:これで|もう)(?:全部|すべて|十分|大丈夫|結構|終わり|完了|終了)(?:です|にします)? | (?:他|ほか)に?(?:は|も)?(?:特に|何も)?(?:ありません|ないです|大丈夫です)
      | (?:特に|もう)(?:質問は)?(?:ありません|ないです) | お疲れ様(?:でした|です)?
      | 안녕히\ ?(?:계세요|가세요|주무세요) | (?:다음에|나중에)\ ?(?:봐요|뵐게요|뵙겠습니다|또\ 봐요) | 잘\ ?있어요? | 수고하(?:세요|셨습니다|셨어요) | 수고\ ?많으셨습니다
      | (?:오늘은\ )?(?:이게|이걸로|이것으로|여기까지)(?:\ ?(?:전부|다|충분|끝|만|면))*\ ?(?:입니다|이에요|예요|에요|해요|합니다|할게요|하겠습니다|하죠)?
      | (?:더\ ?(?:이상\ )?|다른\ )?(?:필요한\ ?(?:것|건|거)|질문|궁금한\ ?(?:것|점|건)|도움)(?:은|이|도)?\ ?(?:더\ )?(?:없어요|없습니다|필요\ ?없(?:어요|습니다))
    )""",
    re.VERBOSE,
)
_THANKS = regex(
    rf"""(?:
      (?:really\ |again\ )?(?:many\ |much\ )?(?:thanks|thank\ you|thx|ty|thank\ u|cheers)
        (?:\ (?:so|very|ever\ so)\ much|\ a\ (?:lot|bunch|million|ton)|\ again|\ everyone|\ all|\ anyway|\ though|\ too|\ kindly|\ then|\ indeed|\ {_GOOD})*
        (?:\ (?:for|and)\ (?!the\ (?:new|next)\b)[^?？]{{1,90}})?
      | (?:i\ |we\ )?(?:really\ |truly\ |do\ |so\ |greatly\ |very\ )*(?:much\ )?appreciated?(?:\ (?:it|that|this|you|all|the|your)\b[^?？]{{0,90}})?
      | you(?:'ve|\ have)\ been\ [^?？]{{1,60}} | you(?:'re|\ are)\ (?:the\ best|a\ (?:star|lifesaver|legend)|awesome|great)
      | (?:真的)?(?:非常|十分|太|万分|多)?(?:感谢|謝謝|谢谢|多谢|谢啦|谢了)(?:[你您]|大家|啦|了|啊|哈|你们)*(?:.{{0,12}}(?:帮助|帮忙|协助|支持|解答|回答|耐心|服务|建议))?(?:了|啦)? | 辛苦(?:你|您)?(?:了|啦)? | 麻烦(?:你|您)了
      | .{{0,24}}?(?:ありがとう|有難う|有り難う)(?:ございま(?:す|した))?(?:ね)? | (?:本当に|大変|とても)?(?:感謝(?:します|いたします|しています)|助かりました|助かります)
      | .{{0,24}}?(?:감사합니다|감사해요|감사드립니다|고마워요?|고맙습니다) | (?:정말|많은|큰|아주)?\ ?(?:많은\ |큰\ )?도움이\ ?(?:많이\ )?(?:됐어요|됐습니다|되었습니다|되었어요)
    )""",
    re.VERBOSE,
)
_NODS = regex(
    rf"""(?:
      (?:uh|um|hm+|oh|ah|wow|haha|yes|yeah|yep|yup|no|nope|nah|sure|alright|all\ right|ok|okay|understood|got\ it|gotcha|noted|indeed
        |i\ (?:see|understand|get\ it)|makes\ sense|sounds\ {_GOOD}|looks\ {_GOOD}|lgtm|exactly|{_GOOD})(?:\ (?:then|now|job|work|indeed|thanks|so\ much|news))*
      | (?:that|this|it|everything|they)(?:'s|\ is|\ was|'re|\ are|\ were|\ sounds?|\ looks?|\ all\ looks?)\ (?:all\ |so\ |very\ |really\ |just\ |absolutely\ |quite\ |super\ )*{_GOOD}(?:\ to\ (?:hear|know)(?:\ that)?[^?？]{{0,60}}|\ news|\ now|\ then|\ of\ you)?
      | (?:that|it|this|everything)\ (?:all\ )?(?:works?|worked|helps?|helped|will\ (?:do|work))(?:\ (?:for\ me|now|great|well|fine|perfectly|a\ lot))*
      | (?:it's\ )?(?:great|good|glad|happy|nice|wonderful)\ to\ (?:hear|know|have)(?:\ (?:that|it))?[^?？]{{0,60}}
      | i(?:'ll|\ will)\ (?!need|want|have\ you|let\ you|like|require|also\ need|expect|ask\ you)[^?？]{{1,100}}
      | if\ (?:i|you|we|anything)\b[^?？]{{1,80}}
      | 好(?:的|吧|啦|了|嘞)? | 嗯+ | 行(?:了|吧)? | 可以(?:了|的)? | 明白(?:了)? | 知道了 | 了解(?:了)? | 收到 | 太?(?:好|棒|完美)了 | 很好 | 不错 | 完美 | 没问题(?:了)? | 懂了 | 不用了? | 没有?了
      | 搞定了? | はい | いいえ | うん | 了解(?:です|しました|いたしました)? | (?:わか|分か)りました | なるほど | 承知(?:しました|いたしました) | 完璧(?:です)? | (?:もう)?大丈夫(?:です)? | (?:問題|問題は)(?:ありません|ないです)
      | (?:いい|良い|よかった|素晴らしい|すばらしい)(?:です)?(?:ね)? | 네 | 예 | 아니(?:요|오)? | 알겠(?:습니다|어요) | 좋(?:아요|습니다|네요) | 완벽(?:해요|합니다|하네요) | 그렇군요 | 확인했(?:습니다|어요) | 없(?:어요|습니다) | 됐(?:어요|습니다)
    )""",
    re.VERBOSE,
)


_ASKS = regex(
    r"[?？]|(?<![a-z0-9_])(?:please|also|but|however|instead|wait|actually|one more|another|should (?:i|we|you|it|this|that)|(?:you|we|it|they) should|would like"
    r"|(?:can|could|would|will) (?:you|we|i)|let's (?!stop|end|leave|wrap|call|finish|close))(?![a-z0-9_])"
    r"|请|還|还(?!好)|再(?!见|會|会)|但|不过|帮我|ください|けど|ただし|해 ?주세요|하지만|근데"
)
_DECIDES = regex(
    r"i(?:'ll| will)(?! (?:definitely |surely |certainly |just )?(?:keep (?:an eye|(?:that|this|it) in mind)|reach out|look (?:out|into|for)"
    r"|watch|wait|let you know|get back|check|be (?:in touch|back|waiting)|remember|contact|see)\b)(?![a-z0-9_])"
)
_PROPOSES = regex(
    r"(?<![a-z0-9_])(?:(?:shall|should) (?:i|we)|(?:would you like|do you want|want) me to)(?![a-z0-9_])"
    r"|(?:需要|要不要|是否需要|要)我|ましょうか|할까요|드릴까요"
)
_MORE = regex(r"(?<![a-z0-9_])(?:else|further|more)(?![a-z0-9_])|其他|其它|别的|(?:他|ほか)に|다른|더 ")
_SENTENCES = regex(r"[.!?。！？\n]+")


def closing_of(text: str, *, mere: bool = False) -> Closing:
    """Say how *text* closes the conversation: it takes "leave", or gives "thanks"; "" when it does neither.

    A clause that asks, orders or tells anything makes it no closing: "thanks, also add a test". mere: so does one
    that tells what the user decided: "I'll keep it, thanks".
    """
    words = plain_words(text, _LONGEST + 1)
    if len(words) > _LONGEST:
        return ""
    found: Closing = "leave" if _ENDED.search(words) else ""
    words = _SIGNAL.sub(" ", words).strip()
    if _ASKS.search(words):
        return ""
    for clause in _CLAUSES.split(words):
        bare = clause[_OPENING.match(clause).end() :]  # type: ignore[union-attr]  # it matches the empty text
        if not bare:
            continue
        if mere and _DECIDES.match(bare):
            return ""
        if _LEAVES.fullmatch(bare) or _LEAVES.fullmatch(clause):
            found = "leave"
        elif _THANKS.fullmatch(bare):
            found = found or "thanks"
        elif not (_NODS.fullmatch(bare) or _NODS.fullmatch(clause)):
            return ""
    return found


def is_over(text: str) -> bool:
    """Say whether a simulated user signals the end, and asks for nothing with it."""
    words = plain_words(text, 4000)
    if not _ENDED.search(words) or _ASKS.search(words):
        return False
    return not any(map(ORDER.match, _CLAUSES.split(_SIGNAL.sub(" ", words).strip())))


def proposes(text: str) -> bool:
    """Say whether the agent's words end by proposing what to do next; "anything else?" proposes nothing."""
    last = [each for each in _SENTENCES.split(plain_words(text[-600:])) if each.strip()][-2:]
    return any(_PROPOSES.search(each) and not _MORE.search(each) for each in last)
