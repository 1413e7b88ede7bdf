"""Words that put a question and say nothing of what it is about, in the languages people ask in.

Only closed classes: question words, pronouns, articles, particles, prepositions, auxiliaries. They are left
out of what is looked up, never out of what is stored.
"""

import re
from collections.abc import Iterator

# Chinese (both scripts), Japanese and Korean words that are left out with the pairs that reach into them.
_DENSE_WORDS = """
    什么 什麼 甚么 甚麼 什么样 什麼樣 什么时候 什麼時候 甚麼時候 为什么 為什麼 為甚麼 为何 為何 何时 何時 何处 何處
    怎么 怎麼 怎样 怎樣 怎么样 怎麼樣 怎么办 怎麼辦 如何 哪 哪里 哪裡 哪裏 哪儿 哪兒 哪个 哪個 哪些 哪位 谁 誰 多少
    几个 幾個 是什么 是什麼 是谁 是誰 是否 是不是 有没有 有沒有 能不能 会不会 會不會 可不可以 吗 嗎 呢 吧 啊 呀 们 們
    的 了 着 我们 我們 你们 你們 他们 他們 她们 她們 它们 咱们 咱們 自己 这个 這個 那个 那個 这些 這些 那些 这里 這裡
    那里 那裡 刚才 剛才 一个 一個 一些 一种 一種
    なに 何が 何を 何の 何 誰 だれ どこ 何処 いつ 何時 なぜ 何故 どう どうして どうやって どの どれ どちら どっち
    どんな いくら いくつ です ですか でした でしたか でしょうか ます ますか ました ましたか ません ませんか
    ください これ それ あれ この その あの ここ そこ あそこ について
    무엇 무엇을 무엇이 무엇인가요 무엇입니까 뭐 뭐예요 뭐야 뭘 무슨 누구 누가
    언제 어디 어디서 어디에 어디에서 어디로
    왜 어떻게 우리 나는 내가 제가 저는 나의 저의 얼마 얼마나 어느 어떤
    입니까 습니까 인가요 인가 나요 까요 예요 이에요 입니다 습니다 이것 그것 저것
""".split()
_DENSE = re.compile("|".join(sorted(_DENSE_WORDS, key=lambda word: (-len(word), word))))

# Letters that are a word of these classes by themselves: a pair of two of them says nothing, nor does a
# pair of one of kana and a letter of another script.
_PARTICLES = frozenset("はがをにのともでへかねよやなだ")
_LETTERS = _PARTICLES | frozenset("我你您他她它是在有和与與这這那也都就会會要想把被对對从從吗嗎私僕俺彼")
_ALONE = frozenset("내제나너저그이")  # Korean pronouns, where they are all of a word
_KANA = re.compile("[ぁ-ゖ]")
_HANGUL = re.compile("[가-힣]")
_ENDINGS = frozenset("은는을를의에")  # Korean particles at the end of a word

_FOREIGN = {
    "es": """
        que cual cuales quien quienes cuando donde adonde como cuanto cuanta cuantos cuantas porque por para con
        el la los las un una unos unas lo al del de y o u e en a ante desde hasta entre sin sobre segun se me te le
        les nos os mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta estos estas ese esa esos esas
        eso esto ella ellos ellas yo usted ustedes es son era eran fue fueron ser esta estan estaba estuvo hay
        habia ha han he hemos haber tiene tienen tenia si no ya muy mas pero
    """,
    "fr": """
        que qui quoi quel quelle quels quelles quand ou comment pourquoi combien est ce c qu l d j n s m t le la les
        un une des du de au aux et en dans par pour avec sans sur sous chez entre je tu il elle on nous vous ils
        elles mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs cet cette ces sont etait etaient ete
        etre a ont avait avoir ai as y ne pas se lui eux
    """,
    "de": """
        was wer wen wem wessen wann wo wohin woher wie warum wieso weshalb welche welcher welches welchen welchem
        der die das den dem des ein eine einen einem einer eines und oder in im an am auf aus bei mit nach seit von
        vom zu zum zur fur uber unter durch gegen ohne um ich du er sie es wir ihr mich mir dich dir uns euch ihn
        ihm ihnen mein meine dein deine sein seine unser unsere ist sind war waren wird wurde wurden hat haben hatte
        hatten nicht dass
    """,
    "pt": """
        que qual quais quem quando onde como quanto quanta quantos quantas porque por para com o a os as um uma uns
        umas ao aos do da dos das de e ou em no na nos nas pelo pela entre sem sobre se me te lhe meu minha teu tua
        seu sua seus suas este esta esse essa isso isto ele ela eles elas eu voce voces sao era eram foi foram ser
        esta estao estava ha tem tinha nao
    """,
    "it": """
        che chi cosa quale quali quando dove come quanto quanta quanti quante perche per con il lo la i gli le un
        uno una del della dei delle dello di a da in su tra fra al alla ai alle dal dalla nel nella sul sulla e o si
        mi ti ci vi mio mia tuo tua suo sua questo questa quello quella lui lei loro io noi voi sono era erano
        stato stata essere ha hanno aveva avere non
    """,
}
_WORDS = {language: frozenset(words.split()) for language, words in _FOREIGN.items()}
_LETTERED = re.compile(r"[^\W\d_]+")
_LEAST = 2  # words of a language that tell it; "die" and "son" are words of English too

_HOW = re.compile(
    r"\b(?:how (?!many\b|much\b|long\b|often\b|old\b|far\b)|why\b|¿\s*(?:como|por que)\b|comment (?!if\b)|pourquoi\b"
    r"|warum\b|wieso\b|weshalb\b|wie (?!viel)|por que\b|perche\b)"
    r"|怎么|怎麼|怎样|怎樣|如何|为什么|為什麼|為甚麼|为何|為何|なぜ|何故|どうして|どうやって|어떻게|왜",
    re.IGNORECASE,
)


def asks_what_came(text: str) -> bool:
    """Tell whether a question asks how or why, so that what was done and found answers it. *text*: without accents."""
    return _HOW.search(text) is not None


def pairs(dense: str) -> Iterator[str]:
    """Give the pairs of a run of letters without spaces by which its subject is looked up, in order.

    Nothing of the words of closed classes; a letter that stands alone between two of them is given itself.
    """
    start = 0
    for match in _DENSE.finditer(dense):
        yield from _within(dense[start : match.start()])
        start = match.end()
    yield from _within(dense[start:])


def _within(run: str) -> Iterator[str]:
    if len(run) > 2 and run[-1] in _ENDINGS and _HANGUL.match(run):
        run = run[:-1]
    held = -1  # the last letter that a pair gave
    for at, letter in enumerate(run):
        pair = run[at : at + 2]
        if len(pair) > 1 and not _is_idle(pair):
            yield pair
            held = at + 1
        elif held < at and letter not in _LETTERS and run not in _ALONE:
            yield letter


def _is_idle(pair: str) -> bool:
    first, second = pair[0], pair[1]
    if first in _LETTERS and second in _LETTERS:
        return True
    if first == "在":  # before its place; behind another letter it belongs to words such as 存在
        return True
    return (first in _PARTICLES and not _KANA.match(second)) or (
        second in _PARTICLES and not _KANA.match(first)
    )


def foreign(text: str, english: frozenset[str]) -> frozenset[str]:
    """Give the words of closed classes of the language a question is put in; none when that is English.

    *text* without accents. *english*: the same words of English.
    """
    words = [word.lower() for word in _LETTERED.findall(text)]
    told = {
        language: sum(word in known and word not in english for word in words)
        for language, known in _WORDS.items()
    }
    told["es"] += "¿" in text
    most = max(told.values())
    if most < _LEAST or most <= sum(word in english for word in words):
        return frozenset()
    return frozenset().union(*(_WORDS[language] for language, count in told.items() if count == most))
