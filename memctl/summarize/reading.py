"""Files read: path, range, and what they hold."""

import re

from memctl.summarize.contents import gist
from memctl.summarize.faults import shell_error
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.requests import Request
from memctl.summarize.running import shown
from memctl.summarize.values import value
from memctl.summarize.wording import LIMIT, clip, count, lead, short_path

_NUMBERED = re.compile(r"^ *(?P<number>\d{1,7})(?P<mark>→|\t|\||: ?|-\t)", re.MULTILINE)
_MARKS = ("→", "\t", "|", ":", ": ", "-\t")
_TOTAL = re.compile(
    r"\((?P<lines>\d+) lines total\)|of (?P<of>\d+)(?: total)?(?: lines)?[.\]\s]|\((?P<below>\d+) more lines below\)"
)
_FILE = re.compile(r"^\[File: (?P<file>[^\n]{1,500}?) \(\d+ lines total\)\]", re.MULTILINE)
_HEADER = re.compile(
    r"\A\s*(?:Here's the result of running `[^\n]*|\[File: [^\n]*|\(\d+ more lines above\)|<file[^>\n]*>|<path>[^\n]*|<type>[^\n]*|<content[^>\n]*>"
    r"|<files>|IMPORTANT: [^\n]*|Status: [^\n]*|Action: [^\n]*|--- FILE CONTENT[^\n]*|Showing lines [^\n]*)\n"
)
_FOOTER = re.compile(
    r"\n\s*(?:\(\d+ more lines below\)|</(?:file|content|files|file_content)>|\(File has more lines[^\n]*|\(End of file[^\n]*|\[[^\n]*more lines[^\n]*\]|\[Showing lines [^\n]*\])\s*\Z"
)
_MISSING = re.compile(
    r"\s*(?:<[a-z_]+>)?\s*(?:Error\b|ERROR\b|error:|EISDIR|ENOENT|EACCES|File does not exist|File not found|file not found|No such file|Could not (?:read|find|open)"
    r"|Failed to (?:read|open)|Cannot (?:read|open)|Path does not exist|The file does not exist|Unable to read|文件不存在|未找到文件|ファイルが見つかりません|파일을 찾을 수 없습니다"
    r"|File content \([^\n)]*\) exceeds|Invalid (?:file )?path)[^\n]*"
)
_FACTS = frozenset(
    "wc stat file md5sum sha256sum shasum cmp zipinfo tar unzip sqlite3 base64 jq yq sort uniq identify exiftool sed awk gawk cut comm".split()
)


def read(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a file that was read: which lines of how many, the names it defines or its headings."""
    if not request.command and not request.paths and not request.server and request.fields:
        return value(request, target, outcome)  # a domain tool: get_order_details
    failed = _failure(outcome)
    if failed:
        return Finding(lead(target, failed), 9, failed=True)
    if outcome.empty:
        return Finding(lead(target, "empty"), 10)
    program = request.line.words[0] if request.command and request.line.words else ""
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    if program == "diff":
        return Finding(lead(target, differences(outcome, room)), 5)
    body, numbers, total = _body(outcome.text)
    opened = _FILE.search(outcome.text[:2000])
    better = short_path(opened["file"]) if opened is not None else ""
    name = better or target
    lines = body.count("\n") + 1 if not outcome.cut else outcome.lines
    place = _placed(name, request, numbers)
    if (program in _FACTS and lines <= 6) or lines <= 3:
        said, score = shown(Outcome(body, lines, len(body)), room)
        return Finding(lead(place, said), score, target=better)
    path = request.paths[0] if request.paths else name
    size = f"{count(lines, 'line')}{f' of {total:,}' if total and total > lines else ''}: "
    if place != name:  # the range says how many
        size = f"of {total:,}: " if total else ""
    return Finding(
        lead(place, size + gist(body, path, room - len(size) - 12)), 3 if lines > 40 else 4, target=better
    )


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
            r"\s*(?:cat|head|tail|sed|wc|nl|awk|stat): [^\n]*: No such file[^\n]*", outcome.text
        )
    ):
        return match.group().strip()
    return ""


def _body(text: str) -> tuple[str, tuple[int, int] | None, int]:
    """Return the file's text without line numbers and frames, its first and last line number, and its length in lines."""
    total = 0
    match = _TOTAL.search(text[:600]) or _TOTAL.search(text[-300:])
    if match is not None:
        total = int(match["lines"] or match["of"] or 0)
    while (head := _HEADER.match(text)) is not None:
        text = text[head.end() :]
    text = _FOOTER.sub("", text).strip("\n")
    for tag in ("<file>", "<content>"):
        text = text.removeprefix(tag).lstrip("\n")
    first = _NUMBERED.match(text)
    if first is None:
        return text, None, total
    numbered = list(_NUMBERED.finditer(text, 0, 2000))
    lines = text[:2000].count("\n") + 1
    if (
        first["mark"] not in _MARKS
        or len(numbered) < lines * 0.7
        or len({match["mark"].strip(" ") for match in numbered}) > 1
    ):
        return text, None, total
    start = int(first["number"])
    final = _NUMBERED.match(text, text.rfind("\n") + 1)
    last = int(final["number"]) if final is not None else start + text.count("\n")
    return _NUMBERED.sub("", text), (start, last), total


def _placed(name: str, request: Request, numbers: tuple[int, int] | None) -> str:
    """Write `name:12-80` for a part of a file."""
    if numbers is not None:
        return f"{name}:{numbers[0]}-{numbers[1]}" if numbers[0] > 1 else name
    offset, limit = (
        request.string("offset", "start_line", "line_start"),
        request.string("limit", "end_line", "line_end"),
    )
    if offset.isdecimal() and int(offset) > 1:
        ends = (
            int(limit)
            if request.string("end_line", "line_end") and limit.isdecimal()
            else int(offset) + int(limit) - 1
            if limit.isdecimal()
            else 0
        )
        return f"{name}:{offset}-{ends}" if ends else f"{name}:{offset}-"
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
