"""Judge one sentence: does it say something that will matter again, and what (DESIGN 5, L1).

The tables of `cues` decide; here is only how they are read. No cue, no memory.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from memctl.layers.cues import Cue, Language, language, names

_FIRM = frozenset(("fact", "opinion", "method"))  # kinds that a doubt in the same sentence takes away
REFUSED = "no"  # tag of cues that count only behind an opening that says no
LOCAL = "local"  # tag of cues without a mark of standing: beside a request they are about that request
_LONGEST = 420  # characters: longer sentences are documents
_LEAST = 8  # characters of content; CJK says more with less
_LEAST_CJK = 4
_HIDDEN = re.compile(
    r"\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|「[^」\n]{2,300}」|『[^』\n]{2,300}』|`[^`\n]{1,200}`|(?<!\w)'[^'\n]{3,200}'(?!\w)"
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]")
# Small words that tell languages of one script apart.
_SIGNS = {
    "english": "the is and to of in we i that it for on with my not are this you our by a an would than but at or be have was from all over every when never always they can will should as if has me us into only",
    "german": "der die das und ist nicht ich wir ein eine mit zu auf für den im von dem bis am sie es in dass werden wird werde sind habe haben hat des als sich auch aber nur noch uns wenn bei nach kein keine mehr",
    "french": "le la les et est pas je nous un une des pour dans que en du sur avec ne au d l de à il elle ce qui plus sont plutôt vous j c qu",
    "spanish": "el la los las y es no yo un una de para en que con por se del al más lo a mi su le está hemos he prefiero vivo soy tengo quiero nuestro nuestra siempre nunca pero",
    "portuguese": "o a os as e é não eu um uma de para em que com por se do da ao mais na no os está prefiro moro sou tenho quero nosso nossa sempre nunca mas decidimos",
    "italian": "il lo la gli le un una di che è e non per con in da del della dei al più sono mi si ho a i nei abbiamo d l dell dall preferisco abito lavoro sempre mai ma nostro nostra",
}
_SETS = {name: frozenset(words.split()) for name, words in _SIGNS.items()}
# Letters of one language that its neighbours do without.
_LETTERS = {
    "german": frozenset("äöüß"),
    "french": frozenset("œêèàùîûë"),
    "spanish": frozenset("ñ¿¡"),
    "portuguese": frozenset("ãõâêôç"),
    "italian": frozenset("òìùàè"),
}
_UNSURE = re.compile(
    r"\bnot (?:completely |entirely |really |quite )?(?:sure|certain)\b|\bmight be\b|\b(?:could|would) be (?:an? )?(?:really |very )?(?:great|good|nice|perfect|better|fun|cool)\b|\bsounds (?:like|great|good|perfect|amazing)\b|\b(?:great|good) (?:idea|point|call|question)\b|i don't (?:know|remember)"
)
_PERSONAL = re.compile(r"(?:i|we|you|my|your)\b|我|你|您")
# A request to make something up: what happens in it is no rule.
_MAKES_UP = re.compile(
    r"^(?:schreib\w*|erzähl\w*|écris|raconte|invente|escribe|cuenta|inventa|escreva|conte|напиши|расскажи|придумай|scrivi|racconta|write|tell)\b"
    r".{0,40}?\b(?:geschichte|gedicht|märchen|lied|histoire|poème|conte|chanson|cuento|historia|poema|canción|história|conto|рассказ|историю|стих\w*"
    r"|сказку|storia|poesia|racconto|story|poem|song|joke)\b|(?:이야기|시|노래)(?:를|을)? ?(?:써|지어)|(?:話|物語|詩|歌)を(?:書|作)|写(?:一个|一首|一段)?.{0,24}(?:故事|诗|歌)"
)
# What is to be written somewhere are that text's words: "in the readme write: we decided to use Docker".
_DICTATED = re.compile(
    r"^(?:[^:：]{0,80}\b)?(?:write|writes|say|says|saying|reads|put|insert|paste|type|print|echo|translate|rephrase|proofread|commit message|title|headline"
    r"|subject line|caption|comment|docstring|sentence|quote|text)\b[^:：.]{0,40}[:：]\s?\S"
    r"|^(?:please )?(?:in|to|into|on) (?:the|our|my|your) [^,:]{2,40},? (?:please )?(?:write|add|put|say|mention|note|insert|include)\b"
    r"|(?:写上?|写成|写道|填上?|翻译|标题(?:是|为)?|内容(?:是|为)?|注释(?:里)?(?:写)?)[^，。：:]{0,8}[：:]|(?:と(?:書い|追記|入れ|訳し)て)|(?:라고|다고) ?(?:써|적어|추가|번역)"
)
# Orders whose object is only pointed at, or missing: "put it in the container", "always show on the line before".
_OBJECTLESS = re.compile(
    r"^(?:(?:please|always|never|just|only|then|so|don't|do not|will|you (?:should|must|can)"
    r"|(?:i|we|you) (?:just |only |really )?(?:(?:want|need|have)(?: you)? to|should|must|will))\b,? )*"
    r"(?:(?!keep\b|make\b)[a-z]+ (?:it|this|that|them|these|those|one)(?=[.,!;]|$| 'cause\b"
    r"| (?:in|on|at|to|into|from|for|with|by|as|before|after|when|because|since|so|and|instead|again|away|out|up|down|back|there|here|only|first|every"
    r"|today|tomorrow|tonight|next)\b)"
    r"|(?:show|put|add|use|set|place|display|insert|include|remove|delete|replace|mention|wrap) (?:on|in|at|to|into|from|for|before|after|with|by|as)\b"
    r"|(?:(?:i|we) )?(?:go(?:ing)? with|take|use|pick|choose|prefer|like|keep|want|try) the (?:first|second|third|last|other|former|latter|same)(?: one| option)?[.!]?$)"
    r"|^(?:以后|今后|从现在起|往后|下次|一律|统一|默认|必须|一定|都|就|请|你|也|还是|要|，|,)*(?:用|选|要|按|走|留)(?:它们?|[这那](?:个|种|样|些)|第.个)(?:吧|了|啊|就[好行])?[。.！!]?$"
)
# A name of the code at hand; the name of a style is none.
_SYMBOL = re.compile(r"\b(?!\w+[_Cc]ase\b)(?:[A-Za-z]+_\w|[a-z]{2,}[A-Z][a-z]|self\.|this\.)")
# What others report is none of the user's words: news, notices.
_REPORTED = re.compile(
    r", (?!i |we |he |she |they |as )(?:\w+ ){1,3}(?:said|says|announced|reported)(?: (?:on|in|at) .{1,30})?\.?$"
)
_THAT_ONE = re.compile(r"(?:その|あの|그 |저 |那个)")
_CJK_TONGUES = frozenset(("chinese", "japanese", "korean"))
_REMARK = re.compile(
    r"\s[—–-]{1,3}\s(?:(?:we|i|that|which|so|but)\b|我|所以|但|这)[^—–]{0,160}\Z", re.IGNORECASE
)
_PLAIN = re.compile(r"[^\W\d_]+")
_ENGLISH_I = re.compile(r"\bI\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says.

    content: the user's words, without those around them. parts: what the cue named in them (person, choice, topic).
    """

    kind: str
    content: str
    tags: tuple[str, ...]
    tongue: str
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Rules:
    language: Language
    openings: re.Pattern[str]
    announces: re.Pattern[str]
    vague: re.Pattern[str]
    opines: re.Pattern[str]
    refuses: re.Pattern[str]
    cues: tuple[tuple[Cue, re.Pattern[str]], ...]
    request: re.Pattern[str]
    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    pointing: re.Pattern[str]
    follows: Mapping[str, re.Pattern[str]]


@cache
def rules(tongue: str) -> _Rules:
    """Compile a language's table."""
    table = language(tongue)
    return _Rules(
        table,
        re.compile(rf"\A(?:{table.openings})", re.IGNORECASE),
        re.compile(table.announces),
        re.compile(table.vague),
        re.compile(table.opines),
        re.compile(table.refuses),
        tuple((cue, re.compile(cue.pattern)) for cue in table.cues),
        re.compile(table.request),
        re.compile(table.question),
        re.compile(table.hypothetical),
        re.compile(table.pointing),
        {kind: re.compile(pattern) for kind, pattern in table.follows},
    )


def tongue_of(text: str) -> str:
    """Tell a text's language: by script, and among those of the Latin script by small words; "" when unsure."""
    if _KANA.search(text):
        return "japanese"
    han, hangul, cyrillic = (len(found.findall(text)) for found in (_HAN, _HANGUL, _CYRILLIC))
    letters = len(_LETTER.findall(text))
    if hangul * 4 > letters:
        return "korean"
    if han * 4 > letters:
        return "chinese"
    if cyrillic * 2 > letters:
        return "russian"
    words = [word.lower() for word in _PLAIN.findall(text.replace("’", "'"))]
    counts = {name: float(sum(word in small for word in words)) for name, small in _SETS.items()}
    counts["italian"] -= len(_ENGLISH_I.findall(text))  # the article is small
    if not text.isascii():
        letters_there = set(text.lower())
        counts["english"] -= 0.5 if any(one.isalpha() and not one.isascii() for one in letters_there) else 0.0
        for name, own in _LETTERS.items():
            counts[name] += bool(own & letters_there and counts[name])
    best = max(counts, key=lambda name: counts[name])
    if counts[best] <= 0:
        return "english" if text.isascii() else ""
    return best


def plain(text: str) -> str:
    """Prepare a sentence for the cues: lower case and straight quotes, every character in its place."""
    text = text.replace("’", "'").replace("‘", "'")
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def bare(sentence: str, tongue: str) -> tuple[str, str]:
    """Take the opening words from a sentence: (what is left, the openings)."""
    openings = rules(tongue).openings
    rest, taken = sentence, ""
    for _ in range(4):
        found = openings.match(rest.replace("’", "'"))
        if not found or found.end() == 0 or found.end() >= len(rest):
            break
        taken += rest[: found.end()].lower()
        rest = rest[found.end() :]
    return rest, taken


def is_question(sentence: str, tongue: str) -> bool:
    """Tell whether a sentence asks."""
    return rules(tongue).question.search(plain(sentence)) is not None


def is_request(sentence: str, tongue: str) -> bool:
    """Tell whether a sentence asks the agent for something now."""
    return rules(tongue).request.search(plain(bare(sentence, tongue)[0])) is not None


def goes_on(sentence: str, tongue: str, kind: str) -> bool:
    """Tell whether a sentence only goes on with one of *kind* before it."""
    follows = rules(tongue).follows.get(kind)
    return (
        follows is not None
        and follows.search(plain(sentence)) is not None
        and not is_question(sentence, tongue)
        and not is_request(sentence, tongue)
    )


def judge(sentence: str, tongue: str) -> Claim | None:
    """Say what a sentence claims; None for a question, a request, a greeting, and all that no cue speaks for."""
    if not tongue or len(sentence) > _LONGEST or tongue not in names():
        return None
    table = rules(tongue)
    rest, taken = bare(sentence, tongue)
    seen = _HIDDEN.sub(lambda found: "§" * len(found[0]), plain(rest))
    if table.question.search(plain(sentence)) or table.hypothetical.search(seen) or _MAKES_UP.search(seen):
        return None
    if _REPORTED.search(seen) or _DICTATED.search(_HIDDEN.sub("", plain(sentence))):
        return None
    requested = table.request.search(seen) is not None
    refused = table.refuses.search(taken) is not None
    for cue, pattern in table.cues:
        if requested and cue.kind not in ("instruction", "decision", "correction"):
            continue
        if (REFUSED in cue.tags and not refused) or (LOCAL in cue.tags and _SYMBOL.search(rest)):
            continue
        found = pattern.search(seen)
        if found is None:
            continue
        content, parts = _content(cue, found, rest)
        if cue.tags != ("choice",) and not _long_enough(content):
            content = _finished(rest)  # "settled on weekly releases": the verb is half of what is said
        if not _stands_alone(content, cue, table) or (cue.kind in _FIRM and _UNSURE.search(seen)):
            continue
        return Claim(cue.kind, content, tuple(tag for tag in cue.tags if tag != REFUSED), tongue, parts)
    if requested or _UNSURE.search(seen) or table.pointing.search(seen) or not _long_enough(rest):
        return None
    if table.announces.search(taken):
        return Claim("fact", _finished(rest), (), tongue)
    if table.opines.search(taken) and not _PERSONAL.match(seen):
        return Claim("opinion", _finished(rest), (), tongue)
    return None


def _content(cue: Cue, found: re.Match[str], sentence: str) -> tuple[str, dict[str, str]]:
    parts = {
        name: sentence[found.start(name) : found.end(name)].strip()
        for name, value in found.groupdict().items()
        if value is not None
    }
    values = dict.fromkeys(("topic", "person", "choice"), "") | parts
    keep = cue.keep if "{stated}" not in cue.keep else "{rest}"
    start = found.end() if keep is cue.keep else _after_verb(found, sentence)
    if cue.kind == "fact":
        sentence = _REMARK.sub("", sentence)
    content = keep.format(whole=sentence, rest=sentence[start:].strip(" ，,：:"), **values)
    if keep.startswith("{topic}") and not parts.get("topic"):
        content = content.lstrip(":： ")
    return _finished(content), parts


def _after_verb(found: re.Match[str], sentence: str) -> int:
    """Give where a Chinese opinion begins: behind the verb that says it is one."""
    verb = re.search(r"认为|觉得|相信|怀疑|感觉|看来", sentence[found.start() :])
    return found.start() + verb.end() if verb else found.start()


def _finished(content: str) -> str:
    """Write a content as a sentence: a capital first, no stray marks at its ends."""
    content = content.strip().strip("，,；;:：- ").replace("（答应）", "")
    if content[:1].islower() and not re.match(r"[a-z]*[A-Z_./(\u3040-\uffef]|[a-z]+\d", content):
        content = content[0].upper() + content[1:]
    return content


def _stands_alone(content: str, cue: Cue, table: _Rules) -> bool:
    """Tell whether a content names what it is about."""
    if cue.tags == ("choice",):
        return True
    seen = plain(content)
    if not _long_enough(content) or _OBJECTLESS.match(seen):
        return False
    if cue.kind in ("correction", "instruction"):
        return not (
            table.language.name in _CJK_TONGUES
            and cue.kind == "instruction"
            and (table.pointing.search(seen) or _THAT_ONE.match(seen))
        )
    return not table.vague.search(seen) and (cue.kind == "event" or not table.pointing.search(seen))


def _long_enough(content: str) -> bool:
    cjk = len(_HAN.findall(content)) + len(_KANA.findall(content)) + len(_HANGUL.findall(content))
    return cjk >= _LEAST_CJK or (len(content) >= _LEAST and len(content.replace("'m ", " am ").split()) >= 3)
