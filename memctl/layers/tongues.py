"""Tell what language a text is in: by its script, and within the Latin script by small words and letters."""

import re

from memctl.text import letters

KANA = re.compile(f"[{letters.KANA}]")
HAN = re.compile(f"[{letters.HAN}]")
HANGUL = re.compile(f"[{letters.HANGUL}]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_I = re.compile(r"\bI\b")
# Articles, pronouns, prepositions, conjunctions, auxiliaries: no text of a language does long without them.
_SMALL = {
    name: frozenset(words.split())
    for name, words in {
        "english": """the is and to of in we i that it for on with my not are this you our by a an would than but at or
            be have was from all over every when never always they can will should as if has me us into only""",
        "german": """der die das und ist nicht ich wir ein eine mit zu auf für den im von dem bis am sie es in dass
            werden wird werde sind habe haben hat des als sich auch aber nur noch uns wenn bei nach kein keine mehr""",
        "french": """le la les et est pas je nous un une des pour dans que en du sur avec ne au d l de à il elle ce qui
            plus sont vous j c qu mon ma mes notre nos cette ces mais ou aux ont sans chez quand""",
        "spanish": """el la los las y es no yo un una de para en que con por se del al más lo a mi su le está he
            nuestro nuestra siempre nunca pero me nos les este esta como muy sin hay desde hasta cuando""",
        "portuguese": """o a os as e é não eu um uma de para em que com por se do da ao mais na no os está nosso nossa
            sempre nunca mas meu minha isso este essa como muito sem há desde até quando pelo pela dos das nas nos""",
        "italian": """il lo la gli le un una di che è e non per con in da del della dei al più sono mi si ho a i nei
            abbiamo d l dell dall sempre mai ma nostro nostra ai agli alle dai dalle nel nella sul sulla come ogni""",
    }.items()
}
# Letters of one language that its neighbours do without.
_OWN = {
    "german": frozenset("äöüß"),
    "french": frozenset("œêèàùîûë"),
    "spanish": frozenset("ñ¿¡"),
    "portuguese": frozenset("ãõâêôç"),
    "italian": frozenset("òìùàè"),
}


def tongues(text: str) -> tuple[str, ...]:
    """Give the languages that a text may be in: one, or those that its small words do not tell apart."""
    if KANA.search(text):
        return ("japanese",)
    han, hangul, cyrillic = (len(found.findall(text)) for found in (HAN, HANGUL, _CYRILLIC))
    letters = len(_LETTER.findall(text))
    if hangul * 4 > letters:
        return ("korean",)
    if han * 4 > letters:
        return ("chinese",)
    if cyrillic * 2 > letters:
        return ("russian",)
    words = [word.lower() for word in _WORD.findall(text.replace("’", "'"))]
    counts = {name: float(sum(word in small for word in words)) for name, small in _SMALL.items()}
    counts["italian"] -= len(_ENGLISH_I.findall(text))  # the article is small
    if not text.isascii():
        there = set(text.lower())
        counts["english"] -= 0.5 if any(one.isalpha() and not one.isascii() for one in there) else 0.0
        for name, own in _OWN.items():
            counts[name] += (1 if counts[name] else 0.5) if own & there else 0
    best = max(counts.values())
    if best <= 0:
        return ("english",) if text.isascii() else tuple(counts)
    return tuple(name for name, count in counts.items() if count == best)
