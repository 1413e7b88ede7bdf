"""Searches: how many matches in which files, and the top hits."""

import re
from dataclasses import dataclass, field

from memctl.summarize.contents import gist
from memctl.summarize.counting import counted
from memctl.summarize.faults import shell_error
from memctl.summarize.listing import entries
from memctl.summarize.outcomes import Finding, Outcome, first_line, telling
from memctl.summarize.patterns import regex
from memctl.summarize.programs import option
from memctl.summarize.requests import QUERIES, Request
from memctl.summarize.running import shown
from memctl.summarize.values import value
from memctl.summarize.wording import LIMIT, clip, file_name, joined, lead, short_path
from memctl.text.numbers import how_many, whole

_HIT = regex(r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,300}?):(?P<line>\d+):(?P<text>.*)$")
_LINE_HIT = regex(r"^ *(?:L|Line )?(?P<line>\d+)(?:: ?|\t)(?P<text>.*)$")
_FILE_TEXT = regex(r"^(?P<file>[\w./@~-]+\.\w{1,8}|[\w.-]*/[\w./@~-]+):(?P<text>.*)$")
_AROUND = regex(r"^(?:[^\s:][^:\n]{0,300}?-)?\d+-|^--$")
_FILE_HEAD = regex(r"^(?:File: |## |# )?(?P<file>(?:/|\./|[A-Za-z]:\\)?[\w./@~\\-]*[\w-]\.\w{1,8}):?$")
_FOUND = regex(
    r"^Found (?:at least )?(?P<number>\d+) (?P<noun>match(?:es)?|files?|results?)[^\n]*", re.IGNORECASE
)
_SWE_COUNT = regex(r"^(?P<file>\S+) \((?P<number>\d+) matches\)$")
_NOTHING = regex(
    r"\s*+(?:No (?:matches|files|results|match|occurrences|matching)[^\n]*(?:found)?|Found 0 [^\n]*"
    r"|0 matches[^\n]*|未找到[^\n]*|没有找到[^\n]*|見つかりません[^\n]*|찾을 수 없[^\n]*)",
    re.IGNORECASE,
)
_PARSED = 400  # lines of a search's output that are taken apart
_FINDERS = frozenset(
    "find fd fdfind locate find_file glob findbyname filesearch findfiles findfile searchfile".split()
)


@dataclass(slots=True)
class _Hits:
    """Matches while they are read: (file, line, text); files named without a match; whether more follow."""

    hits: list[tuple[str, str, str]] = field(default_factory=list)
    cut: bool = False
    files: dict[str, int] = field(default_factory=dict)


def search(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a search: matches, files, the first hits with their lines."""
    if (
        not request.command
        and not request.string("pattern", "regex", "glob", "query", "symbol", "queries", "glob_pattern")
        and request.fields
        and not request.paths
    ):
        return value(request, target, outcome)
    subject = _subject(request, target)
    nothing = outcome.empty or (outcome.lines <= 3 and _NOTHING.match(outcome.text) is not None)
    if nothing and (outcome.code in (None, 0, 1) and outcome.failed is not True):
        return Finding(lead(subject, "no match"), 10)
    failed = _failure(outcome)
    if failed:
        return Finding(lead(subject, failed), 8, failed=True)
    if said := counted(request, "search", outcome):
        return Finding(lead(subject, said), 10)
    room = LIMIT - min(len(subject), LIMIT // 2) - 2
    if outcome.text.lstrip()[:1] in ("{", "["):
        said, score = shown(outcome, room)
        return Finding(lead(subject, said), score)
    single = _only_file(request)
    found = _hits(outcome.text, single)
    if _lists_files(request, outcome, found):
        names = [name for name in entries(outcome.text, short=False) if not _FOUND.match(name)]
        head = f"{_at_least(request, len(names))}{how_many(outcome.lines if outcome.cut else len(names), 'file')}"
        parts = 2 if len(names) < 6 or len({name.rpartition("/")[2] for name in names}) < len(names) else 1
        listed = joined(names, room - len(head) - 2, write=lambda name: short_path(name, parts))
        text = lead(subject, f"{head}: {listed}")
        return Finding(text, 9 if names and file_name(names[-1]) in text else 4)
    if not found.hits:
        return _plain(request, subject, outcome, single, room)
    return _told(request, subject, found, room)


def _told(request: Request, subject: str, found: _Hits, room: int) -> Finding:
    """Write the number of matches, the first with their lines, and the places of the next."""
    files = dict.fromkeys(file for file, _, _ in found.hits)
    number = len(found.hits)
    head = f"{_at_least(request, number)}{how_many(number, 'match', 'matches')}{' and more' if found.cut else ''}"
    if len(files) > 1:
        head += f" in {len(files)} files"
    named = any(file_name(file) not in subject for file in files)
    places = [_place(file if named else "", line) for file, line, _ in found.hits]
    hits = [f"{place} {text.strip()}".strip() for place, (_, _, text) in zip(places, found.hits, strict=True)]
    if number == 1:
        return Finding(lead(subject, clip(hits[0], room)), 9)
    room -= len(head) + 2
    shown_whole = 3 if room > 140 else 2
    each = max(30, (room - (16 if number > shown_whole else 0)) // min(number, shown_whole) - 2)
    said = "; ".join(clip(hit, each) for hit in hits[:shown_whole])
    more = dict.fromkeys(place for place in places[shown_whole:] if place and place not in said)
    rest = f"; also {joined(more, max(12, room - len(said) - 7))}" if more and len(said) < room - 12 else ""
    return Finding(lead(subject, f"{head}: {said}{rest}"), 8 if number <= shown_whole else 4)


def _plain(request: Request, subject: str, outcome: Outcome, single: str, room: int) -> Finding:
    """Describe matches without line numbers: all lines of a plain grep, or a passage with its context."""
    said, score = shown(outcome, room)
    around = any(word.startswith(("-A", "-B", "-C", "--context")) for word in request.line.words)
    if score < 10 and around:
        said, score = f"{how_many(outcome.lines, 'line')}: {gist(outcome.text, single, room - 12)}", 3
    elif score < 10 and request.command and "-c" not in request.line.words:
        lines = [line.strip() for line in outcome.kept()]
        head = f"{_at_least(request, len(lines))}{how_many(len(lines), 'match', 'matches')}"
        said = f"{head}: {joined(lines, room - len(head) - 2, '; ')}"
    return Finding(lead(subject, said), min(score, 8))


def _place(file: str, line: str) -> str:
    return ":".join(filter(None, (file_name(file) if file else "", line)))


def _subject(request: Request, target: str) -> str:
    """Write what was searched for, what its lines were narrowed by, and where when that is one place."""
    wanted = clip(target, 50)
    for pattern, leaves_out in request.filters[:2] if request.command else ():
        wanted = f"{clip(wanted, 50)} {'without' if leaves_out else '|'} {clip(pattern, 30)}"
    place = _only_file(request)
    return f"{wanted} in {short_path(place)}" if place else wanted


def _only_file(request: Request) -> str:
    """Return the one file or folder a search looked in, else ""."""
    if request.command and request.line.main is not None:
        words = request.line.words
        named = [word for word in request.line.named if word not in (".", "./")]
        if words[0] in ("find", "fd", "fdfind"):
            return ""
        rest = named if option(words, "-e", "--regexp") else named[1:]
        piped = next((part for part in request.parts if part.program == "cat" and part.operands), None)
        if not rest and request.line.main.piped and piped is not None:
            return piped.operands[0]
        return rest[0] if len(rest) == 1 and "*" not in rest[0] else ""
    paths = request.strings("path", "file", "file_path", "dir", "directory", "include_pattern")
    return paths[0] if len(paths) == 1 and paths[0] not in (".", "./", "/") else ""


def _failure(outcome: Outcome) -> str:
    if outcome.code == 1 and outcome.failed is not True and not outcome.empty:
        said = shell_error(outcome.text)
        return said if said and outcome.lines <= 3 else ""
    if outcome.broke:
        return clip(shell_error(outcome.text) or outcome.opening() or f"exit code {outcome.code}", 160)
    said = shell_error(outcome.text) if outcome.lines <= 2 else ""
    if said and re.match(r"(?:grep|egrep|rg|find|fd|ag|bash|sh|zsh)\b[^\n]*: ", said):
        return said
    first = first_line(outcome.text)
    return first if outcome.lines <= 4 and re.match(r"(?:Error|ERROR|error:|Failed|Invalid)\b", first) else ""


def _hits(text: str, single: str) -> _Hits:
    found = _Hits(cut=text.count("\n") > _PARSED)
    heading = ""
    for line in text.split("\n", _PARSED)[:_PARSED]:
        if not telling(line):
            continue
        match = _HIT.match(line)
        if match is not None:
            found.hits.append((match["file"], match["line"], match["text"]))
        elif match := _LINE_HIT.match(line):
            found.hits.append((heading or single, match["line"], match["text"]))
        elif match := _SWE_COUNT.match(line):
            found.hits.append((match["file"], "", f"{match['number']} matches"))
        elif match := _FILE_HEAD.match(line):
            heading = match["file"]
            found.files.setdefault(heading, 0)
        elif not _AROUND.match(line) and (match := _FILE_TEXT.match(line)):
            found.hits.append((match["file"], "", match["text"]))
    return found


def _lists_files(request: Request, outcome: Outcome, found: _Hits) -> bool:
    program = request.line.words[0] if request.command and request.line.words else request.key
    if program in _FINDERS or request.key in _FINDERS:
        return True
    if _FOUND.match(outcome.text) and "file" in outcome.text[:40] and not found.hits:
        return True
    lines = [line for line in outcome.text[:6000].split("\n") if telling(line)]
    named = sum(
        1
        for line in lines
        if _FILE_HEAD.match(line.strip()) or ("/" in line and " " not in line.strip() and ":" not in line)
    )
    return not found.hits and named >= max(1, len(lines) - 1)


def _at_least(request: Request, number: int) -> str:
    """Return "first " or "last " when the output was cut to exactly this many lines."""
    if first := request.kept(number, ends=True):
        return first
    limit = request.string("head_limit", "max_results", "limit")
    return "first " if limit.isdecimal() and whole(limit) == number else ""


__all__ = ["QUERIES", "search"]
