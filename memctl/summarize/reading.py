"""Files read: path, range, and what they hold."""

import re
from dataclasses import dataclass

from memctl.summarize.contents import gist
from memctl.summarize.faults import shell_error
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.running import shown
from memctl.summarize.values import value
from memctl.summarize.wording import LIMIT, clip, lead, short_path
from memctl.text.numbers import how_many, whole

_NUMBERED = regex(r"^ *(?P<number>\d{1,7})(?P<mark>→|\t|\||: ?|-\t)", re.MULTILINE)
_LOOKED_AT = 16_000  # characters of a file whose line numbers are taken off; what it is stands early
_ENDS = 400  # characters of an end in which a harness adds its notes
_TOTAL = regex(r"\((?P<lines>\d{1,9}) lines total\)|of (?P<of>\d{1,9})(?: total)?(?: lines)?[.\]\s]")
_BELOW = regex(r"[(\[](?P<below>\d{1,9}) more lines? (?:below\)|in (?:the )?file\b)")  # SWE-agent, pi
_MORE = regex(
    r"\((?:File has more lines|Output capped)[^\n]*\)\s*(?:</\w+>\s*)?\Z"
)  # how many, it does not say
_COUNT = regex(r"(?:-n|-|--lines=)?(\d{1,9})")
SHOWN_FILE = regex(r"^\[File: (?P<file>[^\n]{1,500}?) \(\d+ lines total\)\]", re.MULTILINE)
_HEADER = regex(
    r"\A\s*+(?:Here's the result of running `[^\n]*|\[File: [^\n]*|\(\d+ more lines above\)"
    r"|<file[^>\n]*>|<path>[^\n]*|<type>[^\n]*|<content[^>\n]*>"
    r"|<files>|IMPORTANT: [^\n]*|Status: [^\n]*|Action: [^\n]*|--- FILE CONTENT[^\n]*|Showing lines [^\n]*)\n"
)
_FOOTER = regex(
    r"\n[ \t]*+(?:\(\d+ more lines below\)|</(?:file|content|files|file_content)>"
    r"|\(File has more lines[^\n]*|\(End of file[^\n]*|\[[^\n]*more lines[^\n]*\]"
    r"|\[Showing lines [^\n]*\])\s*\Z"
)
_MISSING = regex(
    r"\s*+(?:<[a-z_]{1,40}>\s*+)?(?:Error\b|ERROR\b|error:|EISDIR|ENOENT|EACCES|File does not exist"
    r"|File not found|file not found|No such file|Could not (?:read|find|open)"
    r"|Failed to (?:read|open)|Cannot (?:read|open)|Path does not exist|The file does not exist"
    r"|Unable to read|文件不存在|未找到文件|ファイルが見つかりません|파일을 찾을 수 없습니다"
    r"|File content \([^\n)]*\) exceeds|Invalid (?:file )?path)[^\n]*"
)
# A file that a harness shows to the model itself: its result has no text.
_SHOWN = (
    ("a picture", (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg")),
    ("a PDF document", (".pdf",)),
)
_FACTS = frozenset(
    "wc stat file md5sum sha256sum shasum cmp zipinfo tar unzip sqlite3 base64 jq yq sort uniq "
    "identify exiftool sed awk gawk cut comm".split()
)


def read(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a file that was read: which lines of how many, the names it defines or its headings."""
    if not request.command and not request.paths and not request.server and request.fields:
        return value(request, target, outcome)  # a domain tool: get_order_details
    failed = _failure(outcome)
    if failed:
        return Finding(lead(target, failed), 9, failed=True)
    if outcome.empty:
        shows = next((said for said, endings in _SHOWN if target.lower().endswith(endings)), "empty")
        return Finding(lead(target, shows), 10)
    program = request.line.words[0] if request.command and request.line.words else ""
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    if program == "diff":
        return Finding(lead(target, differences(outcome, room)), 5)
    body = _body(outcome)
    opened = SHOWN_FILE.search(outcome.text, 0, 2000)
    better = short_path(opened["file"]) if opened is not None else ""
    name = better or target
    place = _placed(name, request, body)
    if (program in _FACTS and body.lines <= 6) or body.lines <= 3:
        said, score = shown(Outcome(body.text, body.lines, len(body.text)), room)
        return Finding(lead(place, said), score, target=better)
    path = request.paths[0] if request.paths else name
    total = body.total or (body.below and _start(request) + body.lines - 1 + body.below)
    kept = "first " if _MORE.search(outcome.text[-_ENDS:]) else _kept(request, body.lines)
    counted = f"{kept}{how_many(body.lines, 'line')}" if place == name else ""
    if total > body.lines:
        counted = f"{counted} of {total:,}".strip()
    if place != name:
        place, counted = f"{place} {counted}".strip(), ""
    size = f"{counted}: " if counted else ""
    about = gist(body.text, path, room - len(size) - 12)
    return Finding(lead(place, size + about), 3 if body.lines > 40 else 4, target=better)


def _start(request: Request) -> int:
    """Give the line from which a file was read, as the call says it."""
    offset = request.string("offset", "start_line", "line_start")
    return max(1, whole(offset)) if offset.isdecimal() else 1


def _kept(request: Request, lines: int) -> str:
    """Say "first " or "last " when `head -20 file` or a filter showed just so many lines."""
    part = request.parts[-1] if request.parts else None
    if part is None or part.program not in ("head", "tail") or part.piped:
        return request.kept(lines, ends=True)
    wanted = next((match[1] for word in part.words[1:] if (match := _COUNT.fullmatch(word))), "")
    same = len(part.operands) <= 2 and lines == (whole(wanted) if wanted else 10)
    return ("first " if part.program == "head" else "last ") if same else ""


def _failure(outcome: Outcome) -> str:
    if outcome.broke:
        return clip(shell_error(outcome.text) or outcome.opening() or f"exit code {outcome.code}", 160)
    if outcome.lines <= 6 and not outcome.worked:
        match = _MISSING.match(outcome.text)
        if match is not None:
            return match.group().strip()
        said = shell_error(outcome.text)
        if said and re.match(
            r"(?:cat|head|tail|sed|less|wc|nl|bash|sh|/bin/\w+|zsh|awk|file|open|stat)\b[^\n]*: ", said
        ):
            return said
    elif outcome.lines <= 6 and (
        match := re.match(
            r"\s*+(?:cat|head|tail|sed|wc|nl|awk|stat): [^\n]*: No such file[^\n]*", outcome.text
        )
    ):
        return match.group().strip()
    return ""


@dataclass(frozen=True, slots=True)
class _Body:
    """A file's text without line numbers and frames.

    lines: how many are there. total: of the whole file, 0 when not said. first, last: their numbers, or 0. below: how many
    follow, where no number says of how many they are.
    """

    text: str
    lines: int
    total: int = 0
    first: int = 0
    last: int = 0
    below: int = 0


def _body(outcome: Outcome) -> _Body:
    text = outcome.text
    match = _TOTAL.search(text, 0, 600) or _TOTAL.search(text[-300:])
    total = whole(match["lines"] or match["of"]) if match is not None else 0
    while (head := _HEADER.match(text)) is not None:
        text = text[head.end() :]
    text = (text[:-_ENDS] + _FOOTER.sub("", text[-_ENDS:])).strip("\n")
    for tag in ("<file>", "<content>"):
        text = text.removeprefix(tag).lstrip("\n")
    lines = outcome.lines if outcome.cut else text.count("\n") + 1
    below = whole(more["below"]) if not total and (more := _BELOW.search(outcome.text[-300:])) else 0
    first = _NUMBERED.match(text)
    if first is None:
        return _Body(text, lines, total, below=below)
    numbered = list(_NUMBERED.finditer(text, 0, 2000))
    seen = text.count("\n", 0, 2000) + 1
    if len(numbered) < seen * 0.7 or len({match["mark"].strip(" ") for match in numbered}) > 1:
        return _Body(text, lines, total, below=below)
    final = _NUMBERED.match(text, text.rfind("\n") + 1)
    start = whole(first["number"])
    last = whole(final["number"]) if final is not None else start + lines - 1
    return _Body(_NUMBERED.sub("", text[:_LOOKED_AT]), lines, total or (below and last + below), start, last)


def _placed(name: str, request: Request, body: _Body) -> str:
    """Write `name:12-80` for a part of a file."""
    if body.first:
        return f"{name}:{body.first}-{body.last}" if body.first > 1 else name
    offset, limit = (
        request.string("offset", "start_line", "line_start"),
        request.string("limit", "end_line", "line_end"),
    )
    if offset.isdecimal() and whole(offset) > 1:
        ends = (
            whole(limit)
            if request.string("end_line", "line_end") and limit.isdecimal()
            else whole(offset) + whole(limit) - 1
            if limit.isdecimal()
            else whole(offset) + body.lines - 1
        )
        return f"{name}:{offset}-{ends}"
    for part in request.parts:
        if part.program in ("sed", "gsed"):
            wanted = re.search(r"(?:^|\s)(\d+)(?:,(\d+))?p", " ".join(part.words[1:]))
            if wanted is not None:
                return f"{name}:{wanted[1]}-{wanted[2]}" if wanted[2] else f"{name}:{wanted[1]}"
    return name


def differences(outcome: Outcome, room: int) -> str:
    """Say how many lines a plain diff adds and takes away, and the first of them."""
    added = [
        line[1:].strip()
        for line in outcome.text.split("\n")
        if line.startswith((">", "+")) and not line.startswith("+++")
    ]
    taken = [
        line[1:].strip()
        for line in outcome.text.split("\n")
        if line.startswith(("<", "-")) and not line.startswith("---")
    ]
    if not added and not taken:
        return clip(first_line(outcome.text), room)
    shown_line = next((line for line in (*added, *taken) if line), "")
    return clip(f"+{len(added)} -{len(taken)}: {shown_line}", room)
