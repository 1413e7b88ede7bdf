"""Names in source code: those it defines, and those it is about."""

import re
from collections import Counter
from collections.abc import Collection
from itertools import islice

from memctl.summarize.patterns import regex

_LOOKED_AT = 12_000  # characters of code in which definitions are looked for
_SKIMMED = 4_000  # and identifiers
_DEFINED = regex(
    r"^[ \t]{0,12}+(?:(?:export|default|pub|pub\(crate\)|async|abstract|static|public|private"
    r"|protected|final|override|declare|inline|unsafe|extern|data|sealed|open|virtual|const) ++)*+"
    r"(?:(?:def|class|func|fn|function|interface|type|struct|enum|trait|impl|module|namespace|record"
    r"|object|protocol|mixin|macro_rules!)[ *]+(?:\([^)\n]{0,100}\) *)?"
    r"(?P<name>[A-Za-z_$\u3040-\u9fff][\w$.]*)"
    r"|(?:const|let|var) +(?P<arrow>[A-Za-z_$][\w$]*)(?:: [^=\n]{1,80})? *= *(?:async *)?(?:\([^"
    r"()\n]{0,200}\)|[A-Za-z_$][\w$]*)(?:: [^=\n]{1,60})? *=>"
    r"|(?:(?:async|static|private|public|protected|override|get|set"
    r"|readonly) +)+\*?(?P<method>[A-Za-z_$#][\w$]*) *(?:<[^>\n]{0,60}>)?\("
    r"|CREATE (?:OR REPLACE )?(?:TABLE|VIEW|FUNCTION|INDEX|TRIGGER) (?:IF NOT EXISTS )?(?P<sql>[\w.\"]+))",
    re.MULTILINE,
)
_NO_NAMES = frozenset(
    [
        "self",
        "return",
        "of",
        "the",
        "is",
        "in",
        "for",
        "from",
        "and",
        "that",
        "if",
        "to",
        "a",
        "has",
        "method",
        "with",
    ]
)
_WORD = regex(r"[A-Za-z_][A-Za-z0-9_]{5,49}")


def definitions(text: str, most: int = 12) -> list[str]:
    """Return the names that code defines, in order, at most *most*."""
    found: dict[str, None] = {}
    for match in _DEFINED.finditer(text, 0, _LOOKED_AT):
        name = match["name"] or match["arrow"] or match["method"] or match["sql"]
        if len(name) > 1 and name not in _NO_NAMES:
            found.setdefault(name)
        if len(found) >= most:
            break
    return list(found)


def identifiers(text: str, without: Collection[str] = (), most: int = 8) -> list[str]:
    """Return the identifiers of two words or more that a text is about, the most frequent first."""
    counts = Counter(_WORD.findall(text, 0, _SKIMMED))
    # Counter keeps first-seen order among equals, so the answer does not depend on hashing.
    names = (name for name, _ in counts.most_common() if is_compound(name) and name not in without)
    return list(islice(names, most))


def is_compound(name: str) -> bool:
    """Say whether a name has several words: camelCase, PascalCase, snake_case, a.b, a::b; not __init__."""
    if "_" in name:
        return not name.startswith("__") and name.strip("_") != ""
    return (
        "." in name
        or "::" in name
        or "->" in name
        or not (name.islower() or name.isupper() or name.istitle())
    )
