"""What a file's text is: the names it defines, its headings, its keys, the identifiers it is about."""

import re

from memctl.summarize.changes import Change, essential, patch_change, told
from memctl.summarize.definitions import definitions, identifiers
from memctl.summarize.outcomes import first_line, last_line, telling
from memctl.summarize.patterns import regex
from memctl.summarize.values import described
from memctl.summarize.wording import clip, joined, short_path

_LOOKED_AT = 24_000  # characters of a file; what it is stands early
_FEW_LINES = 30  # of a text that is told by the lines that say most
_HEADING = regex(r"^#{1,4} +(?P<name>[^\n]{1,200})$", re.MULTILINE)
_UNDERLINED = regex(r"^(?P<name>\S[^\n]{2,120})\n(?:={3,}|-{3,}|~{3,})$", re.MULTILINE)
_KEY = regex(r"^(?P<name>[A-Za-z_][\w.-]{1,60})(?: *[:=]|:$)", re.MULTILINE)
_SECTION = regex(r"^\[{1,2}(?P<name>[^\[\]\n]{1,80})\]{1,2}\s*$", re.MULTILINE)
_PATCHED = regex(r"^(?:diff --git a/(?P<file>[^\n]+?) b/|\+\+\+ (?:b/)?(?P<plus>[^\s]+))", re.MULTILINE)
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
    "sys.path",
    "const {",
)


def gist(text: str, path: str, room: int, *, written: bool = False) -> str:
    """Say in *room* characters what a text is: definitions, headings, keys, identifiers, its first line.

    written: the agent wrote it; of a short text its lines are told, which stand nowhere else.
    """
    head = text[:_LOOKED_AT]
    lower = path.lower()
    patch = patched(text, room)
    if patch:
        return patch
    names = _headings(head, lower)
    if names:
        return joined(names, room, "; ")
    if head.lstrip()[:1] in ("{", "["):
        value = described(text, room)
        if value is not None:
            return value.text.removeprefix("error: ")
    if lower.endswith(_KEYED):
        keys = [match["name"] for match in _SECTION.finditer(head)] or [
            match["name"] for match in _KEY.finditer(head)
        ]
        if keys:
            return joined(dict.fromkeys(keys), room)
    if lower.endswith(_PROSE):
        return opening(text, room)
    defined = definitions(head)
    about = identifiers(head, without=defined)
    if len(defined) > 2 or (defined and not about):
        return joined(defined, room)
    code = [" ".join(line.split()) for line in head.split("\n") if telling(line)]
    if written and 1 < len(code) <= _FEW_LINES and len(head) == len(text):
        said = f"{joined(defined, room // 2)}: " if defined else ""
        rest = [line for line in code if not definitions(line)]
        return said + essential(rest, room - len(said)) if rest else joined(defined, room)
    if defined:
        said = joined(defined, room // 2)
        return f"{said}, with {joined(about, room - len(said) - 7, rest=False)}"
    if len(about) > 1:
        return f"about {joined(about, room - 6, rest=False)}"
    return opening(text, room)


def _headings(head: str, path: str) -> list[str]:
    if path.endswith(".rst"):
        return [match["name"].strip() for match in _UNDERLINED.finditer(head)]
    prose = path.endswith(_PROSE) or (head.startswith("# ") and "\n## " in head)
    return [match["name"].strip("# ") for match in _HEADING.finditer(head)] if prose else []


def patched(text: str, room: int) -> str:
    """Say what a patch changes: `+4 -1 auth.py: adds EndedAt`; "" when the text is none."""
    if not text.startswith(("diff --git ", "--- ", "Index: ")) or "\n@@ " not in text[:4000]:
        return ""
    files = list(dict.fromkeys(match["file"] or match["plus"] for match in _PATCHED.finditer(text)))
    changed = patch_change(text.split("\n"))
    named = joined((file for file in files if file != "/dev/null"), room // 2, write=short_path)
    head = f"{changed.size} {named}: "
    return head + told(Change(changed.taken, changed.added), room - len(head))


def opening(text: str, room: int) -> str:
    """Return the first line that says something (imports and licences passed over), and the last."""
    lines = [line.strip() for line in text[:6000].split("\n") if telling(line)]
    first = next((line for line in lines if not line.startswith(_OPENING)), lines[0] if lines else "")
    last = last_line(text)
    if first and last and first != last and len(first) < room - 30:
        first = clip(first, (room - 5) * 2 // 3)
        return f"{first} ... {clip(last, room - 5 - len(first))}"
    return clip(first or first_line(text), room)
