"""Read the blocks in which SpecStory shows what an agent's tool was asked and gave (FORMATS 13).

They are made for people: nine agents, and several forms each. What was asked is given under the names
tools use (command, path, pattern, diff, content), whatever else is said of it as its description.
"""

import html
import re

from memctl.model import Call, Text

__all__ = ["BARE", "OPENS", "tool_use"]

OPENS = re.compile(
    r'<tool-use data-tool-type="(?P<kind>[^"]{0,60})" data-tool-name="(?P<name>[^"]{0,200})"[^>]{0,200}>'
)
"""How a block opens; it ends with `</tool-use>`."""

BARE = re.compile(r"Tool use: \*\*(?P<name>[^*]{1,200})\*\*(?P<rest>.*)")
"""How a block of the older form opens, which has no end of its own."""

_TAGS = re.compile(r"</?(?:details|tool-use)>")
_SUMMARY = re.compile(r"<summary>(?P<text>[^<]{0,2000})</summary>")
_TITLE = re.compile(r"(?:Tool use: )?\*\*[^*]{1,200}\*\*\s*(?:•\s*)?")
_FENCE = re.compile(r"(`{3,}+)([\w+-]*+)[^`]*+$")
_INLINE = re.compile(r"\s*`([^`]+)`\s*$")
_BULLET = re.compile(r"- (?P<key>[\w .-]{1,60}): `(?P<value>.*)`$")
_SHOWN = re.compile(r"\*{0,2}(?P<what>Result|Output|Error):\*{0,2}\s*$")
_SHELLS = ("bash", "sh", "shell", "zsh", "powershell")
_SUMMARIES = (
    ("path", re.compile(r"(?:Read file|Edit file|Write file|Create file|Delete file): (.+)")),
    ("command", re.compile(r"(?:Run command|Command): (.+)")),
    ("pattern", re.compile(r'(?:Grep|Search|Searched) for "(.+?)"(?:$| )')),
    ("command", re.compile(r"`([^`]+)`$")),
)
_INLINE_NAMES = {"shell": "command", "read": "path", "write": "path", "search": "pattern"}


def tool_use(text: str, name: str) -> tuple[Call, tuple[Text, ...] | None, bool | None]:
    """Read a block.

    Returns:
        The call, with the id *name*; the blocks of its result, None where none is shown; and True for
        an error, None when nothing is said of that.

    """
    opened = OPENS.match(text)
    bare = BARE.match(text)
    kind, tool = (opened["kind"], opened["name"]) if opened else ("", bare["name"] if bare else "")
    body = text[opened.end() :] if opened else text.partition("\n")[2]
    found: dict[str, str] = {}
    remarks = _summary(bare["rest"].strip(), found) if bare else []
    if (summary := _SUMMARY.search(body)) is not None:
        remarks += _summary(_TITLE.sub("", html.unescape(summary["text"]).strip(), count=1), found)
        body = body[: summary.start()] + body[summary.end() :]
    told = bool(found or remarks)
    results, said, failed = _body(_TAGS.sub("", body).split("\n"), kind, found)
    if told and not any(results):  # the summary has said what was asked
        results = said
    else:
        remarks += said
    if remarks:
        found["description"] = "\n".join(remarks)
    shown = "\n".join(results).strip("\n")
    return Call(name, html.unescape(tool), dict(found)), (Text(shown),) if shown else None, failed


def _summary(text: str, found: dict[str, str]) -> list[str]:
    """Take what the summary names; give the words that name nothing."""
    text = text.strip().strip("•").strip()
    for key, pattern in _SUMMARIES:
        match = pattern.match(text)
        if match and key not in found:
            found[key] = match[1].strip()
            return [rest] if (rest := text[match.end() :].strip(" •")) else []
    return [text] if text else []


def _body(lines: list[str], kind: str, found: dict[str, str]) -> tuple[list[str], list[str], bool | None]:
    """Part the body into what was asked, put into *found*, what came back, and lines that may be both."""
    results: list[str] = []
    said: list[str] = []
    failed: bool | None = None
    shown = False  # a line says that the result follows
    for is_fence, language, piece in _pieces(lines):
        if not is_fence and (match := _SHOWN.match(piece[0])):
            shown, failed = True, True if match["what"] == "Error" else failed
        elif shown or (is_fence and language not in (*_SHELLS, "diff", "md", "markdown")):
            results += piece
        elif is_fence:
            key = "command" if language in _SHELLS else "diff" if language == "diff" else "content"
            found[key] = "\n".join([found[key], *piece] if key in found else piece)
        else:
            _asked(piece[0], kind, found, said)
    return results, said, failed


def _asked(line: str, kind: str, found: dict[str, str], said: list[str]) -> None:
    bullet, inline = _BULLET.match(line), _INLINE.match(line)
    key = _INLINE_NAMES.get(kind, "")
    if bullet:
        found.setdefault(bullet["key"], bullet["value"])
    elif inline and key and key not in found:
        found[key] = inline[1]
    elif line.strip() and line.strip() != "**Input:**":
        said.append(line.strip())


def _pieces(lines: list[str]) -> list[tuple[bool, str, list[str]]]:
    """Give the fenced pieces (with their language) and the lines between them, in order."""
    found: list[tuple[bool, str, list[str]]] = []
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            if line.strip() == fence:
                fence = ""
            else:
                found[-1][2].append(line)
        elif match:
            fence = match[1]
            found.append((True, match[2].lower(), []))
        else:
            found.append((False, "", [line]))
    return found
