"""Directories listed: how many entries, and their names."""

import re

from memctl.summarize.faults import shell_error
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.running import failure_of, shown
from memctl.summarize.values import value
from memctl.summarize.wording import LIMIT, file_name, joined, lead
from memctl.text.numbers import how_many

_LONG = regex(
    r"^[-dlbcps][-rwxsStT]{9}[@+.]? +\d+ +\S+ +\S+ +(?P<size>[\d.,]+[KMGT]?) +\w{3} +\S+ +\S+ "
    r"(?P<name>[^\n]+)$|^[-dlbcps][-rwxsStT]{9}[@+.]?(?: +\S+){4} +\S+ \S+(?: [+-]\d{4})? "
    r"(?P<name2>[^\n]+)$"
)
_DRESS = regex(r"^[\s│├└─|`*+-]*(?:\[(?:DIR|FILE|dir|file)\] ?|- )?")
_HEAD = regex(
    r"^(?:total \d+\S*|Directory listing for [^\n]*|[^\n]{1,300}:|NOTE: [^\n]*"
    r"|Here's the files and directories[^\n]*|\d+ director(?:y|ies), \d+ files?|\.)$"
)
_PLACES = ("env", "printenv", "ps", "df", "du", "lsof", "which", "whereis", "lsblk", "free")


def list_(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a listing: the number of entries and as many names as fit."""
    if not request.command and not request.paths and not request.server and request.fields:
        return value(request, target, outcome)
    failed = failure_of(request, outcome)
    if not failed and outcome.lines <= 3 and not outcome.worked:
        failed = _unlisted(outcome)
    if failed:
        return Finding(lead(target, failed), 9, failed=True)
    if outcome.empty:
        return Finding(lead(target, "empty, or nothing listed"), 9)
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    program = request.line.words[0] if request.command and request.line.words else ""
    if program in _PLACES or outcome.text.lstrip()[:1] in ("{", "["):
        said, score = shown(outcome, room)
        return Finding(lead(target, said), score)
    names = entries(outcome.text)
    number = outcome.lines if outcome.cut else len(names)
    head = f"{request.kept(outcome.lines, ends=True)}{how_many(number, 'entry', 'entries')}"
    if len(names) == 1 and (long := _LONG.match(first_line(outcome.text))) is not None and long["size"]:
        return Finding(lead(target, f"there, size {long['size']}"), 9)
    text = lead(target, f"{head}: {joined(names, room - len(head) - 2)}")
    return Finding(text, 9 if all(name in text for name in names[-1:]) else 4)


def _unlisted(outcome: Outcome) -> str:
    said = first_line(outcome.text)
    return (
        said
        if re.match(r"(?:Error|ERROR|ls: |Path |Directory not found|Not a directory|ENOENT|目录不存在)", said)
        else shell_error(outcome.text)
        if ": " in said
        else ""
    )


def entries(text: str, *, short: bool = True) -> list[str]:
    """Return the names in a listing: plain, columns, long (`ls -l`), a tree; without folders if *short*."""
    found: dict[str, None] = {}
    for line in text.split("\n"):
        if not line.strip() or _HEAD.match(line.strip()):
            continue
        match = _LONG.match(line)
        if match is not None:
            name = (match["name"] or match["name2"]).partition(" -> ")[0].strip()
            if name not in (".", ".."):
                found.setdefault(
                    _shown(name) + ("/" if line.startswith("d") and not name.endswith("/") else "")
                )
            continue
        bare = _DRESS.sub("", line, count=1).rstrip()
        for name in re.split(r"\t+| {2,}", bare):
            if name:
                found.setdefault(_shown(name) if short else name)
    return list(found)


def _shown(name: str) -> str:
    """Write an entry's name without the folders before it."""
    return f"{file_name(name)}/" if name.endswith("/") else file_name(name) if name.count("/") > 1 else name
