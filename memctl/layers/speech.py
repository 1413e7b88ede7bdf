"""What a person said themselves in a message: sentences without code, pastes, quotes and framework text.

The gates of DESIGN 4 and 5: L1 hears the user's own words and nothing else, so whatever may be pasted,
generated or quoted is left out; a missing memory is better than a wrong one.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from memctl.store.messages import Mark, unmarked
from memctl.text import noise
from memctl.text.letters import CJK
from memctl.text.widths import printable

_LONGEST = 6000  # characters; what is longer was pasted
_LONG = 1500  # from here on, structure tells a document from speech

_UNFIT = re.compile(r"[^\w\s\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{1,5}|[?？\s]+")  # DESIGN 4, gates
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_BLOCK = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:-]{0,60})(?:[ \t\n][^<>]{0,200})?(?<!/)>")
# Tags that only dress a person's words; what stands in any other was put there.
_DRESS = frozenset("a b i u s em strong small big sub sup kbd mark span font code tt q del ins".split())
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,60}(?: [^<>\n]{0,200})?/?>|<image>")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+\S")
_MARK = re.compile(r"^\s*(?:[-*+•·]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,2}[.)、]\s*|\(?[A-Da-d][.)]\s+)")
# Lines no one speaks: quotes, diffs, tables, shell prompts, stack frames, logs, JSON, HTML, code.
_MACHINE = re.compile(
    r"""^\s*(?: > | [+-]{1,3}(?=\S) | @@ | \| | [$%➜❯]\s | ~/ | at\ \S+\s?\( | File\ " | Traceback\ \( | \#!
        | [{}\[\]<"]\S{0,200}[:,{}\[\]">]\s*$ | [\w./\\-]+:\d+(?::\d+)?[:\s] | \d{4}-\d\d-\d\d[T ]\d\d:\d\d
        | (?:import|from|def|class|func|const|let|var|return|public|private|package|SELECT|INSERT)\b.{0,200}[({;:=]\s*\S*\s*$
        | [\w.\[\]]{1,60}\s?(?:=|:=|\+=)\s?\S | .{0,400}[;{]\s*$ | (?:\$|\\)[\w\\]
        | (?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b )""",
    re.VERBOSE,
)
# Whole messages of these kinds are prompts for a model, tasks of a benchmark, or documents.
_PROMPT = re.compile(
    r"""\b(?:you\ (?:will\ be|are)\ given | you\ are\ an?\ (?:\w+\ ){0,3}(?:assistant|expert|agent|ai|bot|model|professional|autonomous)
        | in\ this\ task | task\ definition | (?:i\ want\ you\ to\ )?act\ as\ (?:an?|my)\b | pretend\ (?:to\ be|you)
        | (?:solve|solving)\ the\ following | implement\ the\ following\ plan | answer\ the\ (?:following\ )?question
        | (?:read|given|based\ on|consider)\ the\ (?:following|above|below|passage|text|article|context|information|paragraph)
        | following\ (?:pr\ description|issue|article|paragraph|text|passage|context|sentence|story|instance|question)
        | this\ session\ is\ being\ continued | you\ have\ been\ (?:given|asked)
        | (?:following|this|given|below|the)\ (?:sentence|paragraph|text|article|passage|email|statement|phrase)s?\ ?[.:"'“] )
      | ^[^\S\n]*(?:q|a|question|answer|input|output|context|passage|premise|hypothesis|teacher|student|problem|solution
            |definition|instructions?|sentence|title|article|options?|text|user|system|assistant|human)\s?[:：]
      | (?:在这个任务中|[您你](?:将|会)?(?:被(?:给定|要求|提供)|得到一|获得一)|回答以下|根据(?:以下|给定|上述|上面)|阅读(?:以下|下面)
            |以下是?(?:数据|文章|段落|文本|句子|对话|问题)|搜索结果)
      | ^[^\S\n]*\[?(?:问题?|答案?|选项|句子|输入|输出|例如输入|指示|指令|对话|学生|老师|段落|文章|上下文|前提|假设|標題|标题|質問|回答|選択肢|질문|정답|Prompt\ \d+)\]?\s?[:：]
      | \#\#\#\ ?(?:instruction|input|response|task) | ^[^\S\n]*(?:你是一[个位名]|请你?扮演|假设[您你]|あなたは.{1,20}です。|당신은)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# Words of advertisements and product pages; several of them are nobody's speech to an agent.
_ADVERT = re.compile(
    r"立即|限时|优惠|尊享|匠心|臻选|全新(?:一代|升级)|让您|为您|您的|选购|热销|正品|官方旗舰|领先|一站式|下单|点击(?:链接|购买)|扫码|抢购|品质|震撼|专属|打造|体验|畅享|引领"
    r"|今すぐ|期間限定|お得|ぜひお試し|送料無料|지금 바로|한정|무료 배송|혜택"
    r"|\b(?:buy now|order (?:now|today)|limited[- ]time|free shipping|sign up (?:now|today)|money-back|don't miss|shop now|best-in-class|exclusive offer|you deserve)\b",
    re.IGNORECASE,
)
_ADVERTS = 3
# A quotation; after a digit the sign stands for inches.
_QUOTATION = re.compile(r'(?<!\d)"[^"]*"|“[^“”]*”|„[^„“]*“|«[^«»]*»|「[^「」]*」|『[^『』]*』')
_QUOTED = "\ufffc"  # stands for a quotation that goes over several sentences
_ENDS = ".…!?。！？；"
# How a letter begins, on a line of its own: what stands behind it is said to somebody else.
_SALUTATION = re.compile(
    r"""^[^\S\n]*(?: (?:dear | to\ whom\ it | sehr\ geehrte\w* | liebe[rs]? | ch(?:er|ère)s? | estimad\w+ | querid\w+ | prezad\w+ | car[oai]
          | gentile | egregi\w+ | уважаем\w+ | дорог\w+ )\b [^\n.!?:,]{1,60} [,:!]
        | (?:尊敬的|敬爱的|亲爱的) [^\n，。：:]{1,20} [：:，,！!] | (?:拝啓|前略|謹啓)(?=\s|[、，]) .*
        | [^\n、。]{1,20} (?:様|殿|御中) [、，]? | (?:친애하는|존경하는|사랑하는)\ [^\n.]{1,30}? [,.:]? | \S{1,12}(?:에게|께)[,:]
        ) [^\S\n]*$""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# What hands over somebody's words, or a text to work on: these follow it, or stand before it where nothing follows.
_HANDED = re.compile(
    r"""^here(?:'s|\ is)\ (?:the|an?|my|his|her|their|our)\ (?:\w+\ ){0,2}(?:letter|e-?mail|message|article|essay|paragraph|review|text|speech|story|poem|post|notice|advert\w*)\b.*:$
      | (?<!\bi\ )(?<!\bwe\ )\b(?:wrote|writes|said|says|replied|answered)\b[^:]{0,60}:$ | \b(?:got|received|sent\ (?:me|us))\b[^:]{0,60}:$
      | \b(?:translate|proofread|paraphrase|rephrase|summari[sz]e|rewrite|polish|reply\ to|respond\ to)\b[^:]{0,60}:$
      | \b(?:translate|proofread|paraphrase|rephrase)\ (?:this|the\ following)\b
      | \b(?:summari[sz]e|rewrite|polish|edit|correct|improve|shorten|reply\ to|answer)\ (?:this|the\ following)\ (?:\w+\ )?(?:letter|e-?mail|message|article|essay|paragraph|review|text|speech|story|poem|post|sentence)\b
      | (?:翻译|润色|校对|改写|总结|概括|回复|(?<!我)说|写道|来信|发来)[^：:。]{0,20}[：:]$
      | (?:翻译|润色|校对|改写|修改|总结|概括|回复)[^。]{0,6}(?:这|下面的?|以下)(?:[封段句篇条则份]|文字|文章|内容|邮件)
      | (?:手紙|文章?|メール|記事|作文|次の|以下)[^。]{0,12}(?:訳し|直し|添削し|要約し|校正し)
      | (?:편지|글|문장|메일|기사|다음|아래)[^.]{0,12}(?:고쳐|번역|요약|다듬|교정)
      | (?:から|より)[^。]{0,20}(?:メール|手紙|返事)[^。]{0,12}[：:。]$ | (?:에게서|한테서?)[^.]{0,20}(?:메일|편지|답장)[^.]{0,12}[:：]$""",
    re.VERBOSE | re.IGNORECASE,
)
_DOCUMENT = 1000  # characters, a CJK one for four: what is longer and speaks for nobody was pasted
_SPEAKS = 0.25  # share of its sentences in which somebody speaks or is spoken to
_CJK = re.compile(rf"[{CJK}]")
_SPEAKER = re.compile(
    r"""\b(?:i|we|my|our|me|us|you|your|please|let's|ich|wir|mein\w*|unser\w*|mir|mich|uns|bitte|je|j'|nous|mon|ma|mes|notre
        |nos|yo|mi|mis|me|nuestr\w+|eu|meu|minha|noss\w+|io|mio|mia|noi|nostr\w+|ti|te|tu|я|мы|мой|моя|мне|нам|наш\w*|ты|вы)\b
      | [我咱请您你私僕俺] | ください | 저 | 제가 | 우리 | 나는 | 주세요""",
    re.VERBOSE | re.IGNORECASE,
)
# One person: an advertisement, a product page, a company's letter say "we" and "you" and never this.
_ALONE = re.compile(
    r"""\b(?:i|my|me|mine|ich|mein\w*|mir|mich|je|j'|mon|ma|mes|moi|yo|mi|mis|eu|meu|minha|io|mio|mia|я|мой|моя|мне|меня)\b
      | 我(?!们|國|国|們) | [\u3040-\u30ff\uac00-\ud7a3]  # Japanese and Korean do without""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTES = ("`", '"', "'", "“", "「", "『")
_STOP = re.compile(r"#{2,}\s?STOP\s?#{2,}")
_END = re.compile(
    r"(?<=[.!?…])[\"')\]”’*_]{0,3}\s+(?=\S)|(?<=[。！？；!?])[」』”）)]?\s*|(?<=[다요죠까]\.)\s*|[，,]\s*(?=请问)|\s*\n+\s*"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|no|fig|mr|mrs|ms|dr|st|jr|inc|ltd|co|dept|p\.s|a\.m|p\.m|z\.b|d\.h|bzw|usw|sr|sra)\.)\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(?:der|die|das|den|dem|am|zum|vom|bis|ab|seit|im) \d{1,2}\.\Z", re.IGNORECASE
)  # "am 15. März"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a person. *paragraph* counts from 0: sentences of one belong together."""

    text: str
    paragraph: int


def own_words(content: str, marks: Iterable[Mark] = (), role: str = "user") -> str:
    """Give a message's text without the noise that is marked in it, and without what a reader missed.

    What stands on the two sides of a mark are paragraphs of their own: no sentence goes over noise.
    """
    return noise.without_noise("\n\n".join(unmarked(content, marks)), role)


def sentences(words: str) -> list[Sentence]:
    """Cut a person's own words into sentences; empty when the message is none of theirs, or unfit (DESIGN 4)."""
    words = _STOP.sub("", words).strip()
    if not words or len(words) > _LONGEST or _UNFIT.fullmatch(words):
        return []
    if _PROMPT.search(words) or len({found.lower() for found in _ADVERT.findall(words)}) >= _ADVERTS:
        return []
    letter = _SALUTATION.search(words)
    typed = _without_quotations(_without_blocks(words[: letter.start()] if letter else words))
    paragraphs, dropped = _paragraphs(typed)
    dropped += len(words) - len(typed)
    if (
        dropped * 2 > len(words) and dropped > 300
    ):  # a paste with a remark: whose words the rest are is unclear
        paragraphs = paragraphs[:1]
    if len(words) > _LONG and sum(map(len, paragraphs)) > _LONG and len(paragraphs) > 12:
        return []
    found = []
    for number, paragraph in enumerate(paragraphs):
        found += [Sentence(text, number) for text in split(paragraph) if _QUOTED not in text]
    found = _not_handed(found)
    return [] if _is_document(found) else found


def _not_handed(found: list[Sentence]) -> list[Sentence]:
    """Leave out what a message hands over: what follows the sentence that does, or all where none follows."""
    at = next((at for at, one in enumerate(found) if _HANDED.search(one.text)), None)
    if at is None:
        return found
    return [] if at == len(found) - 1 and found[at].text[-1] not in ":：" else found[:at]


def _is_document(found: list[Sentence]) -> bool:
    """Tell whether sentences are those of an article or an advertisement: long, and no one person speaks in them."""
    text = "".join(one.text for one in found)
    if len(text) + 3 * len(_CJK.findall(text)) < _DOCUMENT:
        return False
    if not _ALONE.search(text):
        return True
    return sum(_SPEAKER.search(one.text) is not None for one in found) < _SPEAKS * len(found)


def _without_quotations(words: str) -> str:
    """Put a sign in the place of what is quoted over several sentences: a letter, a text to work on."""

    def shown(found: re.Match[str]) -> str:
        inner = found[0][1:-1].strip()
        if not _END.search(inner.rstrip(_ENDS)):
            return found[0]
        return _QUOTED + (inner[-1] if inner[-1] in _ENDS else "")

    return _QUOTATION.sub(shown, words)


def _without_blocks(words: str) -> str:
    """Take out what stands between a tag and its close: pasted or put there, whoever named the tag.

    A framework's tag that is never closed was cut off: nothing behind it is the person's.
    """
    found = list(_BLOCK.finditer(words)) if "<" in words else []
    closes: dict[str, list[re.Match[str]]] = {}
    for one in found:
        if one["close"]:
            closes.setdefault(one["name"], []).append(one)
    pieces, at = [], 0
    for one in found:
        if one.start() < at or one["close"] or words[one.start() - 1 : one.start()] in _QUOTES:
            continue
        later = closes.get(one["name"], [])
        close = bisect_left(later, one.end(), key=lambda other: other.start())
        if close == len(later):
            if not noise.is_framework_tag(one["name"]) or not words[one.end() : one.end() + 1].strip():
                continue
            end = len(words)
        else:
            last = later[close]
            # What is dressed stands in one line; of blocks in blocks of one name the last close counts.
            if one["name"].lower() in _DRESS and "\n" not in words[one.end() : last.start()]:
                continue
            inner = words.count(f"<{one['name']}", one.end(), last.start())
            end = later[min(close + inner, len(later) - 1)].end()
        pieces.append(words[at : one.start()])
        at = end
    return "\n\n".join([*pieces, words[at:]]) if pieces else words


def _paragraphs(words: str) -> tuple[list[str], int]:
    """Give the paragraphs a person may have typed, and how many characters were left out."""
    found: list[str] = []
    pending: list[str] = []
    dropped, fenced, headings = 0, False, 0

    def finish() -> None:
        if pending:
            found.append("\n".join(pending))
            pending.clear()

    for raw in words.split("\n"):
        if _FENCE.match(raw):
            fenced = not fenced
            finish()
            continue
        if fenced:
            dropped += len(raw)
            continue
        line = _TAG.sub(" ", raw)
        if not line.strip():
            finish()
        elif _HEADING.match(line):
            headings += 1
            dropped += len(raw)
            finish()
        elif _MACHINE.match(line) and not _MARK.match(line):
            dropped += len(raw)
            finish()
        else:
            item = _MARK.match(line)
            if item:
                finish()
            pending.append(line[item.end() if item else 0 :].strip())
    finish()
    return ([] if headings >= 2 else found), dropped


def split(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences, in English, Chinese, Japanese, Korean and the like."""
    text = printable(paragraph).replace("**", "").replace("\t", " ")
    text = re.sub(r"(?<=[a-z,]) ?\n(?=[a-z])", " ", text)  # a line that a terminal or editor wrapped
    found: list[str] = []
    pending = ""
    for piece in _END.split(text):
        if not piece or not piece.strip():
            continue
        pending = f"{pending} {piece.strip()}" if pending else piece.strip()
        if (
            _ABBREVIATED.search(pending)
            or _ORDINAL.search(pending)
            or (len(pending) < 4 and pending[-1] == ".")
        ):
            continue
        found.append(" ".join(pending.split()))
        pending = ""
    if pending:
        found.append(" ".join(pending.split()))
    return found
