"""When two texts say the same: keys that ignore case, width, spacing and look-alikes, and overlap of words.

A fingerprint stands for a text that must not be kept: what was forgotten (DESIGN 5).
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from memctl.text.letters import CJK
from memctl.text.names import short_hash

# Letters of other scripts that look like Latin ones, after case folding.
_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһԁԛԝкмтвньпӏ", "aeopcyxijshdqwkmtbhbnl", strict=True)),  # Cyrillic
        **dict(zip("αορνικτυχεβη", "aopviktuxebn", strict=True)),  # Greek
        **dict(zip("օոսհցզյ", "onuhgqj", strict=True)),  # Armenian
        **dict(zip("ⲁⲉⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ", "aeikmnopctyx", strict=True)),  # Coptic
        **dict(
            zip("ᎪᏼᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "abcdeghijklmprstvwz", strict=True)
        ),  # Cherokee, folded to capitals
        **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True)),  # small capitals
        **dict(zip("ıɑɡⅼ", "iagl", strict=True)),  # Latin itself
    }
)
# What parts one value from another: the point and comma of a number (but for groups of thousands), its sign, and
# the ends of C++ and C#.
_POINT = r"(?<=[0-9])(?:\.(?=[0-9])|,(?=[0-9])(?![0-9]{3}(?![0-9])))"
_SIGN = r"(?<![^\W_])-(?=[0-9])"
_ENDING = r"(?<=[a-z])(?:\+\+|\#)"
_JOINED = re.compile(rf"[^\W_]+|{_POINT}|{_SIGN}|{_ENDING}")
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_WORD = re.compile(
    rf"(?:{_SIGN})?[0-9]+(?:{_POINT}[0-9]+)+(?![a-z])|{_SIGN}[0-9]+"
    rf"|[a-z0-9\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff]+(?:{_ENDING})?"
    rf"|[{CJK}]+"
)
_CJK = re.compile(rf"[{CJK}]")
# Words that carry no content of their own; what is left decides whether two sentences are alike.
_SMALL = frozenset(
    """
    a an the and or but if then than that this these those to of in on at by for from with as is are was
    were be been being it its they them their he she his her we our us you your i me my mine user will
    would can could should may might must do does did done has have had so just very all also too really
    please when while who which what how there here about into out up d ll s re ve m t always
    der die das und oder ein eine ich wir le la les un une et je nous el los las y yo nosotros
    """.split()
)
_NEGATIONS = re.compile(
    r"\b(?:not|no|never|don't|doesn't|didn't|isn't|aren't|won't|can't|cannot|without|stop|nicht|kein\w*|nie|"
    r"pas|jamais|nunca|não)\b|n't\b|不|别|没|勿|ない|ません|안 |않|말고|지 마"
)


_SHORT = 4  # letters from which a word may have an ending
_INFLECTED = re.compile(r"(?:ings?|ed|es|(?<!s)s|ian|ly)\Z")
_LIKING = frozenset(("lik", "lov", "prefer", "enjoy", "favour", "favor"))


def key(text: str) -> str:
    """Give a text's letters and values alone: folded in case and width, look-alikes as Latin, no marks."""
    return "".join(_JOINED.findall(_folded(text)))


def ends(text: str) -> frozenset[int]:
    """Give the places of a text's `key` where a word begins or ends; signs of CJK text are words."""
    places, at = {0}, 0
    for run in _JOINED.findall(_folded(text)):
        places.update(at + place for sign in _CJK.finditer(run) for place in sign.span())
        at += len(run)
        places.add(at)
    return frozenset(places)


def stands_in(part: str, whole: str, places: frozenset[int], *, cut: bool = False) -> bool:
    """Tell whether one key stands in another as whole words; *places* are the `ends` of the other.

    cut: the part may end within a word.
    """
    at = whole.find(part)
    while at >= 0:
        if at in places and (cut or at + len(part) in places):
            return True
        at = whole.find(part, at + 1)
    return False


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    if not plain.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFD", plain))
        plain = unicodedata.normalize("NFC", plain).translate(_LOOK_ALIKES)
        plain = _ACCENTS.sub("", plain)
    return plain


@lru_cache(maxsize=8192)
def fingerprint(text: str) -> str:
    """Give the fingerprint of a text: equal for texts of one `key`, and no way back."""
    return short_hash(16, key(text))


@lru_cache(maxsize=8192)
def words(text: str) -> tuple[str, ...]:
    """Give the content words of a text in order; of CJK text the overlapping pairs of characters."""
    found: list[str] = []
    for run in _WORD.findall(_folded(text)):
        if not _CJK.match(run):
            if run not in _SMALL:
                found.append(run)
        elif len(run) == 1:
            found.append(run)
        else:
            found += (run[at : at + 2] for at in range(len(run) - 1))
    return tuple(found)


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """Give the content words of a text without their English endings; to like, love and prefer are one."""
    return tuple(map(_stem, words(text)))


def _stem(word: str) -> str:
    if len(word) < _SHORT or not word.isascii() or not word.isalpha():
        return word
    ending = _INFLECTED.search(word)
    bare = word[: ending.start()] if ending else word
    if ending and len(bare) > 2 and bare[-1] == bare[-2] and bare[-1] not in "aeiouls":
        bare = bare[:-1]
    bare = bare.rstrip("aeiou") if len(bare.rstrip("aeiou")) >= _SHORT - 1 else bare
    return "lik" if bare in _LIKING else bare


def overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """Give how much two sets of words share: 1 for equal ones, the common part of the union else."""
    ours, theirs = set(one), set(other)
    either = len(ours | theirs)
    return len(ours & theirs) / either if either else 0.0


def contained(one: Iterable[str], other: Iterable[str]) -> float:
    """Give the part of *one*'s words that *other* has."""
    ours, theirs = set(one), set(other)
    return len(ours & theirs) / len(ours) if ours else 0.0


def is_negated(text: str) -> bool:
    """Tell whether a text denies or forbids: an odd number of negations."""
    return len(_NEGATIONS.findall(text.casefold().replace("’", "'"))) % 2 == 1


def is_cjk(text: str) -> bool:
    """Tell whether a text is written in Chinese, Japanese or Korean for the most part."""
    return len(_CJK.findall(text)) * 2 > sum(char.isalpha() for char in text) * 0.6
