"""What a text is about: the names and words in it that tell one goal from another, in four languages.

Words of the trade ("fix", "test", "file", "帮我", "お願い") are no subject: they stand in every prompt.
"""

import re
from dataclasses import dataclass

_LONGEST = 6000  # characters of a text that are looked at: a goal is named early
_MOST = 400  # terms kept of one text
_TOKEN = re.compile(
    r"""(?P<latin>[A-Za-z0-9_@$~À-ɏͰ-ϿЀ-ӿ](?:[\w./\\:@#$~+-]*[A-Za-z0-9_À-ɏͰ-ϿЀ-ӿ])?)
      | (?P<han>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆]+)
      | (?P<kana>[\u30a0-\u30ff]{2,})
      | (?P<hangul>[\uac00-\ud7a3]+)""",
    re.VERBOSE | re.ASCII,
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
# snake_case, a path, camelCase, a suffix, letters and digits together
_NAME = re.compile(r"[^_]_[^_]|[/\\]|[a-z][A-Z]|\.[A-Za-z][A-Za-z0-9]{0,7}\Z|[A-Za-z]-?[0-9]|[0-9][A-Za-z]")
_LINE = re.compile(r"(?<=[A-Za-z]):\d{1,7}(?::\d{1,5})?\Z")  # `auth.ts:12:5` is about auth.ts
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_BREAK = re.compile(r"[^\w']+")

# Words that say how or when, never what about; and those every piece of work shares.
_STOP = frozenset(
    """
    about above actually add added adding adds after again ago all already alright also always
    analysis analyze and another any anyone anything approve are around back bad basically because
    been before being below best better between both branch brand brief bug build but button call
    came can can't cannot case cases cause change changed changelog changes check checked checks ci
    clean cleanup code come comment comments commit commits committed compile complete
    completely confirm conflict conflicts consider continue cool correct correctly could coverage
    create created current currently debug delete deploy describe design detail details did didn't
    different docs docstring docstrings documentation does doesn't doing don't done dont down each
    early easy edit either else end enough error errors etc even ever every everything exactly
    example execute explain fail failed failing fails few file files final finally find fine finish
    first fix fixed fixing folder follow following for forget format found from full fully function
    get gets getting give given goes going gonna good got great guess had handle happen happening
    happens has have having hello help here hey him his hope how however i'd i'll i'm idea implement
    implementation implemented include including instead integration into isn't issue issues it's
    its itself job just keep kind know last later least leave left less let let's lets level
    like line lines lint linter list little long look looking looks lot made main main-branch make
    makes making many master may maybe mean means merge method might mind mine minute missing more
    most move much must myself name need needed needs never new next nice not nothing now off okay
    old once one ones only open option options order other others our out over own part perfect
    perhaps place plan please point possible possibly pr pretty previous probably problem problems
    project proper properly proposal pull push put question questions quick quickly quite ran read
    reading readme ready real really reason rebase refactor refactored refactoring release remember
    remove removed rename repo repository request rest result results review right run running runs
    said same saw say says second see seem seems seen set several she short should show side
    similar simple simply since single small some someone something soon sorry sort sounds spec
    squash start started state step steps still stop straight stuff such suggest summarize summary
    sure take taken task tasks tell test tested testing tests than thank thanks that that's the
    their them then there these they thing things think this those though through time times today
    todo together told too took top tried true try trying turn two under understand unit until
    update updated upon use used useful user uses using usually value various version very via wait
    want wanted wants was way we're well went were what whatever when where whether which while who
    whole why will with within without won't wonder wondering work worked working works worth would
    wow write writing written wrong yeah year years yes yet you you're your yours yourself
    """.split()
)
_STOP_HAN = re.compile(
    "帮我们|帮我|帮忙|麻烦|请问|请你|请|一下子|一下|看看|看下|查一查|查询|查找|查查|查|搜索|搜一下|搜|找找|找|"
    "回到|回头|继续|接着|刚才|刚刚|之前|先前|前面|那个|这个|那些|这些|哪个|哪些|那边|这边|这里|那里|什么|怎么样|怎么|如何|"
    "为什么|为何|是不是|有没有|能不能|可不可以|可以|能否|需要|应该|我们|你们|他们|我|你|您|他|她|它|的话|的|了|吗|"
    "呢|吧|啊|和|与|跟|或者|或|还是|还有|以及|并且|并|把|被|给|对于|关于|对|在|是|有|做成|做|弄|写一个|写个|写|"
    "改成|改|加上|加一个|加|个|也|都|就|再|又|很|太|好的|好|行|嗯|是的|另外|顺便|然后|现在|今天|最后|最新|目前|"
    "问题|任务|事情|东西|文件|代码|测试|运行|修复|修改|实现|添加|增加|删除|更新|检查|确认|解释|分析|总结|整理|"
    "新的|新|年|下|上|中|里|完成|开始|结果|错误"
)
_STOP_JAPANESE = re.compile(
    "確認|修正|実装|追加|削除|更新|変更|変|教|作業|作成|作|書|調|見|続|先|前|今|次|戻|元|問題|結果|使|方法|件"
)
_PARTICLES = re.compile(
    "(?:에서는|에서|에게|으로|까지|부터|처럼|보다|이랑|하고|해줘요|해줘|해주세요|하세요|합니다|했는데|하는|해서|"
    "은|는|이|가|을|를|에|의|로|도|와|과|만|요)\\Z"
)
_STOP_HANGUL = frozenset(
    """
    이거 그거 저거 이것 그것 저것 아까 방금 다시 계속 지금 먼저 그리고 그런데 그럼 왜 어떻게 무엇 어디 확인
    수정 추가 삭제 변경 파일 코드 테스트 실행 작업 문제 해줘 해주세요 부탁 있는 있어 없어 하는 찾아 알려
    만들어 돌아가자 돌아가 돌아와 이어서
    """.split()
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text names: files, symbols and addresses as names, the rest as words or pairs of CJK signs."""

    names: frozenset[str]
    words: frozenset[str]

    def __bool__(self) -> bool:
        """Whether the text is about anything at all."""
        return bool(self.names or self.words)

    @property
    def weight(self) -> float:
        """How much there is to match: a name counts 2, a word 1, a pair of CJK characters a half."""
        return 2.0 * len(self.names) + sum(map(word_weight, self.words))


def subject_of(text: str) -> Subject:
    """Find what *text* is about; linear in its length, of which the first 6,000 characters count."""
    names: dict[str, None] = {}
    words: dict[str, None] = {}
    for match in _TOKEN.finditer(text[:_LONGEST]):
        token = match[0]
        if match["latin"]:
            _latin(token, names, words)
        elif match["han"]:
            for piece in _STOP_JAPANESE.sub(" ", _STOP_HAN.sub(" ", token)).split():
                words.update(dict.fromkeys(_runs(piece, 2)))
        elif match["kana"]:
            words.update(dict.fromkeys(_runs(token, 3)))
        else:
            _hangul(token, words)
        if len(names) + len(words) >= _MOST:
            break
    return Subject(frozenset(names), frozenset(words))


def word_weight(word: str) -> float:
    """Weigh a matching word: runs of CJK signs overlap each other, so each counts a half."""
    return 0.5 if len(word) <= 3 and not word.isascii() else 1.0


def is_name(token: str) -> bool:
    """Say whether *token* names a file, symbol or address rather than being a plain word."""
    return len(token) >= 4 and _NAME.search(token) is not None


def _latin(token: str, names: dict[str, None], words: dict[str, None]) -> None:
    token = _LINE.sub("", token.rstrip(".:").lstrip("@~$"))
    if is_name(token):
        last = token.replace("\\", "/").rstrip("/").rpartition("/")[2]
        names[last.lower() or token.lower()] = None
        stem = _SUFFIX.sub("", last)
        if len(stem) >= 4:  # `auth.ts` is also called `auth`
            for part in _PARTS.findall(stem):
                _word(part, words)
    else:
        for part in _BREAK.split(token):
            _word(part, words)


def _word(word: str, words: dict[str, None]) -> None:
    word = word.lower()
    if len(word) >= 3 and not word.isdigit() and word not in _STOP:
        words[stem(word)] = None


def stem(word: str) -> str:
    """Cut an English ending so that `sessions` meets `session` and `refactored` meets `refactor`."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _runs(text: str, length: int) -> list[str]:
    """Cut *text* into overlapping runs: no blanks tell its words apart."""
    return [text[at : at + length] for at in range(max(1, len(text) - length + 1))]


def _hangul(token: str, words: dict[str, None]) -> None:
    if token in _STOP_HANGUL:
        return
    bare = _PARTICLES.sub("", token) or token
    if bare not in _STOP_HANGUL and len(bare) >= 2:
        words[bare] = None
