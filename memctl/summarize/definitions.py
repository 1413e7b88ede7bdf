"""Names in source code: those it defines, and those it is about."""

import re
from collections import Counter
from collections.abc import Collection

_LOOKED_AT = 24_000  # characters of code that are read
_DEFINED = re.compile(
    r"^[ \t]{0,12}(?:(?:export|default|pub|pub\(crate\)|async|abstract|static|public|private|protected|final|override|declare|inline|unsafe|extern|data|sealed|open|virtual|const) +)*"
    r"(?:(?:def|class|func|fn|function|interface|type|struct|enum|trait|impl|module|namespace|record|object|protocol|mixin|macro_rules!)[ *]+(?:\([^)\n]{0,100}\) *)?(?P<name>[A-Za-z_$\u3040-\u9fff][\w$.]*)"
    r"|(?:const|let|var) +(?P<arrow>[A-Za-z_$][\w$]*)(?:: [^=\n]{1,80})? *= *(?:async *)?(?:\([^()\n]{0,200}\)|[A-Za-z_$][\w$]*)(?:: [^=\n]{1,60})? *=>"
    r"|(?:(?:async|static|private|public|protected|override|get|set|readonly) +)+\*?(?P<method>[A-Za-z_$#][\w$]*) *(?:<[^>\n]{0,60}>)?\("
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
# camelCase, PascalCase of two words, snake_case: what people name; plain words are left out.
_IDENTIFIER = re.compile(
    r"\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z][A-Za-z0-9]*_\w+|_[a-z]\w*_\w+)\b"
)


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
    """Return the identifiers of two words or more that a text is about: the most frequent first, then in order."""
    counts = Counter(match.group() for match in _IDENTIFIER.finditer(text, 0, _LOOKED_AT))
    # Counter keeps first-seen order among equals, so the answer does not depend on hashing.
    names = [
        name
        for name, _ in counts.most_common(most + len(without) + 8)
        if 6 <= len(name) <= 50 and not name.startswith("__")
    ]
    return [name for name in names if name not in without][:most]
