"""What a text is: the names it defines, its headings, its keys, else its first line. For files read and written."""

import re

from memctl.summarize.outcomes import first_line, last_line, telling
from memctl.summarize.values import described
from memctl.summarize.wording import clip, joined

_LOOKED_AT = 24_000  # characters of a file; what it is stands early
_DEFINED = re.compile(
    r"^[ \t]{0,12}(?:(?:export|default|pub|pub\(crate\)|async|abstract|static|public|private|protected|final|override|declare|inline|unsafe|extern|data|sealed|open|virtual|const) +)*"
    r"(?:(?:def|class|func|fn|function|interface|type|struct|enum|trait|impl|module|namespace|record|object|protocol|mixin|macro_rules!)[ *]+(?:\([^)\n]{0,100}\) *)?(?P<name>[A-Za-z_$\u3040-\u9fff][\w$.]*)"
    r"|(?:const|let|var) +(?P<arrow>[A-Za-z_$][\w$]*)(?:: [^=\n]{1,80})? *= *(?:async *)?(?:\([^()\n]{0,200}\)|[A-Za-z_$][\w$]*)(?:: [^=\n]{1,60})? *=>"
    r"|CREATE (?:OR REPLACE )?(?:TABLE|VIEW|FUNCTION|INDEX|TRIGGER) (?:IF NOT EXISTS )?(?P<sql>[\w.\"]+))",
    re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,4} +(?P<name>[^\n]{1,200})$", re.MULTILINE)
_KEY = re.compile(r"^(?P<name>[A-Za-z_][\w.-]{1,60})(?: *[:=]|:$)", re.MULTILINE)
_SECTION = re.compile(r"^\[{1,2}(?P<name>[^\[\]\n]{1,80})\]{1,2}\s*$", re.MULTILINE)
_PROSE = (".md", ".rst", ".txt", ".mdx", ".adoc", ".markdown")
_KEYED = (".yml", ".yaml", ".toml", ".ini", ".cfg", ".env", ".properties", ".conf")
_OPENING = (
    "import ",
    "from ",
    "package ",
    "using ",
    "#include",
    "#!",
    "use ",
    "require",
    "'use ",
    '"use ',
    "// SPDX",
    "# SPDX",
    "/*",
    "* Copyright",
    "// Copyright",
    "# Copyright",
)


def definitions(text: str, most: int = 12) -> list[str]:
    """Return the names that code defines, in order, at most *most*."""
    found: dict[str, None] = {}
    for match in _DEFINED.finditer(text, 0, _LOOKED_AT):
        name = match["name"] or match["arrow"] or match["sql"]
        if len(name) > 1 and name not in ("self", "return", "of", "the"):
            found.setdefault(name)
        if len(found) >= most:
            break
    return list(found)


def gist(text: str, path: str, room: int) -> str:
    """Say in at most *room* characters what a text is: definitions, headings, keys, else its first line."""
    head = text[:_LOOKED_AT]
    lower = path.lower()
    if lower.endswith(_PROSE) or (
        head.startswith("# ") and not lower.endswith((".py", ".sh", ".yml", ".yaml", ".rb", ".toml"))
    ):
        names = [match["name"].strip("# ") for match in _HEADING.finditer(head)]
        if names:
            return joined(names, room, "; ")
    if head.lstrip()[:1] in ("{", "["):
        value = described(text, room)
        if value is not None:
            return value.text.removeprefix("error: ")
    if lower.endswith(_KEYED):
        names = [match["name"] for match in _SECTION.finditer(head)] or [
            match["name"] for match in _KEY.finditer(head)
        ]
        if names:
            return joined(dict.fromkeys(names), room)
    names = definitions(head)
    if names:
        return joined(names, room)
    return opening(text, room)


def opening(text: str, room: int) -> str:
    """Return the first line that says something (imports and licences passed over), and the last."""
    lines = [line.strip() for line in text[:6000].split("\n") if telling(line)]
    first = next((line for line in lines if not line.startswith(_OPENING)), lines[0] if lines else "")
    last = last_line(text)
    if first and last and first != last and len(first) < room - 30:
        return f"{clip(first, (room - 5) * 2 // 3)} ... {clip(last, room - 5 - min(len(first), (room - 5) * 2 // 3))}"
    return clip(first or first_line(text), room)
