"""The rules of `memctl check`: a stable code, how bad it is, and what it means, one line each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memctl.model import Problem


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. *name* is for machines (SARIF), *meaning* for people (the man page)."""

    severity: Literal["error", "warning", "note"]
    name: str
    meaning: str


# CHK1xx the directory, 2xx lines, 3xx refs, 4xx canvases, 5xx entries, 6xx atoms, scenes and persona,
# 7xx tasks and the graph, 8xx secrets. A code keeps its meaning for good.
RULES = {
    "CHK101": Rule("error", "settings", "memctl.yaml cannot be read, or was written by a newer memctl"),
    "CHK102": Rule("error", "link", "a symbolic link inside the directory, which is never followed"),
    "CHK103": Rule("error", "unsafe-path", "a path that would leave the directory, or is not a path"),
    "CHK104": Rule("error", "conflict-marker", "a git conflict marker"),
    "CHK105": Rule("error", "unmerged", "a file left unresolved by a stopped git merge"),
    "CHK106": Rule("error", "unreadable", "a file or folder that cannot be read"),
    "CHK107": Rule("warning", "foreign", "a TencentDB Agent Memory directory without memctl.yaml"),
    "CHK201": Rule("error", "torn-line", "a line that is not a complete JSON object"),
    "CHK202": Rule("error", "duplicate-id", "a duplicate id"),
    "CHK203": Rule("error", "order", "messages out of order, or two with one `seq`"),
    "CHK204": Rule("error", "field", "a record with a required field missing or of the wrong type"),
    "CHK205": Rule("warning", "last-newline", "a last line without a newline"),
    "CHK206": Rule("error", "wrong-file", "a record in the file of another session or task"),
    "CHK301": Rule("error", "ref-missing", "a missing ref that an entry or message names"),
    "CHK302": Rule("error", "ref-changed", "a ref whose bytes do not match its sha256"),
    "CHK303": Rule("error", "ref-cut", "a ref that is shorter or longer than its header says"),
    "CHK304": Rule("note", "ref-orphan", "a ref that nothing points to"),
    "CHK305": Rule("error", "ref-header", "a file under refs/ that is not a ref"),
    "CHK306": Rule("error", "ref-other", "an entry and a ref that disagree on the sha256"),
    "CHK307": Rule("error", "result-changed", "a result in an entry that does not match its sha256"),
    "CHK308": Rule("note", "ref-put-away", "a ref that compact moved away because of its age (retention)"),
    "CHK401": Rule("error", "mermaid", "a canvas that Mermaid rejects"),
    "CHK402": Rule("error", "canvas-unreadable", "a canvas that does not contain a flowchart"),
    "CHK403": Rule("error", "node-without-entry", "a node without an entry"),
    "CHK404": Rule("error", "node-twice", "a node that appears twice on one canvas"),
    "CHK405": Rule("error", "edge-to-nowhere", "an edge to a missing node"),
    "CHK406": Rule("error", "node-elsewhere", "a node or edge that belongs to another canvas"),
    "CHK407": Rule("error", "number-clash", "two canvases with the same number"),
    "CHK408": Rule("warning", "canvas-behind", "a canvas older than its session"),
    "CHK409": Rule("warning", "canvas-header", "a missing or malformed canvas header"),
    "CHK410": Rule("error", "canvas-session", "a canvas whose session is missing"),
    "CHK411": Rule("warning", "mermaid-loss", "a canvas that Mermaid draws only in part"),
    "CHK501": Rule("error", "entry-node-missing", "an entry that names a node missing from its canvas"),
    "CHK502": Rule("error", "entry-canvas-missing", "an entry that names a missing canvas"),
    "CHK503": Rule("error", "entry-call-missing", "an entry whose call is not in its conversation"),
    "CHK504": Rule("error", "call-without-entry", "a call without an entry"),
    "CHK505": Rule("error", "entry-session", "entries of a session whose conversation is missing"),
    "CHK601": Rule("error", "evidence-message", "an atom whose source message is missing"),
    "CHK602": Rule("error", "evidence-atom", "a statement whose atom or canvas is missing"),
    "CHK603": Rule("error", "evidence-forgotten", "a statement that rests on a forgotten atom"),
    "CHK604": Rule("warning", "evidence-superseded", "a statement that rests on a superseded atom"),
    "CHK605": Rule("error", "supersedes", "an atom that supersedes a missing atom"),
    "CHK606": Rule("warning", "scene-link", "a link in the persona to a missing scene"),
    "CHK701": Rule("error", "task-unreadable", "an invalid task file"),
    "CHK702": Rule("error", "task-canvas", "a task that lists a missing canvas"),
    "CHK703": Rule("warning", "canvas-task", "a canvas that no task lists"),
    "CHK704": Rule("error", "task-link", "a task whose parent or previous task is missing"),
    "CHK705": Rule("warning", "task-state", "a task whose state is unknown"),
    "CHK706": Rule("warning", "graph-task", "a triple about a missing task"),
    "CHK801": Rule("error", "secret", "text that today's rules would redact (only with --secrets)"),
}


def found(code: str, path: Path, line: int, message: str, hint: str = "", *, other: str = "") -> Problem:
    """Make a finding of a rule; *other* names the file at the far end of a broken link."""
    return Problem(str(path), line, 1, code, message, RULES[code].severity, hint, other)


def chosen(problems: Iterator[Problem], only: tuple[str, ...], ignored: tuple[str, ...]) -> Iterator[Problem]:
    """Give the findings that --rule and --ignore leave; both take codes, beginnings of codes, and names."""
    for problem in problems:
        named = (problem.code, RULES[problem.code].name)
        if only and not any(_is(one, named) for one in only):
            continue
        if not any(_is(one, named) for one in ignored):
            yield problem


def known(word: str) -> bool:
    """Tell whether a word names a rule or a family of them."""
    return any(_is(word, (code, rule.name)) for code, rule in RULES.items())


def _is(word: str, named: tuple[str, str]) -> bool:
    family = word.upper().rstrip("X")
    return word == named[1] or (len(family) >= 3 and named[0].startswith(family))
