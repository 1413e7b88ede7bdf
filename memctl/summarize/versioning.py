"""Version control: commit and subject, files, branch, conflict; git first, others by what they print."""

import re
from collections.abc import Callable

from memctl.summarize.changes import patch_change, told
from memctl.summarize.outcomes import Finding, Outcome, first_line
from memctl.summarize.patterns import regex
from memctl.summarize.programs import operands, option
from memctl.summarize.requests import Request
from memctl.summarize.running import failure_of, shown
from memctl.summarize.shell import unquoted
from memctl.summarize.wording import LIMIT, clip, joined, lead, short_path
from memctl.text.numbers import how_many, whole

_COMMITTED = regex(
    r"^\[(?P<branch>[^\]\n]{1,200}?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<subject>[^\n]*)",
    re.MULTILINE,
)
_STAT = regex(
    r"^ ?(?P<files>\d+) files? changed(?:, (?P<added>\d+) insertions?\(\+\))?(?:, (?P<taken>\d+) "
    r"deletions?\(-\))?",
    re.MULTILINE,
)
_STAT_FILE = regex(r"^ (?P<file>[^\n|]{1,300}?) +\| +(?:\d+|Bin)", re.MULTILINE)
_CONFLICT = regex(
    r"^CONFLICT \([^)\n]*\): (?:Merge conflict in (?P<file>[^\n]+)|(?P<said>[^\n]+))", re.MULTILINE
)
_BRANCH = regex(
    r"^(?:On branch |## )(?P<branch>[^\s.]+(?:\.[^\s.]+)*)|^(?P<detached>HEAD detached [^\n]*)", re.MULTILINE
)
_AHEAD = regex(
    r"(?:is|branch is) (?P<how>ahead of|behind) '[^'\n]*' by (?P<number>\d+)|\[(?P<short>(?:ahead"
    r"|behind) \d+[^\]\n]*)\]"
)
_LONG_STATE = regex(
    r"^(?:\t| {8})(?:(?:modified|new file|deleted|renamed|both modified|both added|typechange|copied): +)?"
    r"(?P<file>[^\n]+)$",
    re.MULTILINE,
)
_SHORT_STATE = regex(
    r"^(?:(?P<staged>[ MADRCUT?!])(?P<changed>[ MADRCUT?!]) |[MADRCUT][ \t])(?P<file>[^\n(\s][^\n]*)$",
    re.MULTILINE,
)  # or one letter: the first blank stripped off (` M`), or what `git checkout` carries over
_SECTIONS = (
    ("Changes to be", "staged"),
    ("Untracked", "untracked"),
    ("Unmerged", "unmerged"),
    ("", "changed"),
)
_SECTION_HEAD = regex(r"^(?=Changes |Untracked |Unmerged )", re.MULTILINE)
_LOGGED = regex(r"^(?:[*|\\/ ]*)(?P<hash>[0-9a-f]{7,40}) (?:\([^)\n]*\) )?(?P<subject>[^\n]+)$", re.MULTILINE)
_LONG_LOGGED = regex(
    r"^commit (?P<hash>[0-9a-f]{7,40})[^\n]*\n(?:[A-Z][\w-]*: +[^\n]*\n)+\n? {4}(?P<subject>[^\n]+)",
    re.MULTILINE,
)
_DIFF_FILE = regex(r"^diff --git a/(?P<file>[^\n]+?) b/", re.MULTILINE)
_PUSHED = regex(
    r"^ [ *+=-] +(?P<range>\[new branch\]|\[new tag\]|[0-9a-f]+\.{2,3}[0-9a-f]+) +(?P<refs>[^\n]+)$",
    re.MULTILINE,
)
_REJECTED = regex(r"^ ! \[(?P<how>[^\]\n]*)\][^\n]*|^(?:fatal|error): [^\n]*", re.MULTILINE)
_ADDRESS = regex(r"https?://[^\s\"'<>]{4,300}")
_SAID = regex(
    r"^(?:Switched to [^\n]*|Already on [^\n]*|HEAD is now at [^\n]*|Updated \d+ path[^\n]*"
    r"|Already up to date\.?|Fast-forward|Merge made by [^\n]*|Successfully rebased [^\n]*"
    r"|Saved working directory [^\n]*|Dropped [^\n]*|No local changes to save|Deleted branch [^\n]*"
    r"|Everything up-to-date|nothing to commit[^\n]*|no changes added to commit[^\n]*"
    r"|Cloning into [^\n]*|Initialized empty [^\n]*|Your branch is up to date[^\n]*"
    r"|Unstaged changes after reset[^\n]*|Applied [^\n]*|Preparing worktree [^\n]*|On branch [^\n]*)",
    re.MULTILINE,
)


def vcs(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a version control command: what was committed, changed, pushed, or why it could not be."""
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    conflicts = [match["file"] or match["said"] for match in _CONFLICT.finditer(outcome.text)]
    if conflicts:
        return Finding(
            lead(
                target,
                f"{how_many(len(conflicts), 'conflict')}: {joined(conflicts, room - 14, write=short_path)}",
            ),
            8,
            failed=True,
        )
    verb = (
        next(iter(operands(request.line.words)), "")
        if request.command
        else request.key.removeprefix("git").replace("create", "")
    )
    refused = (
        _REJECTED.search(outcome.text)
        if outcome.broke
        or verb in ("push", "pull", "commit", "merge", "checkout", "switch", "clone", "fetch", "apply", "add")
        else None
    )
    committed = _COMMITTED.search(outcome.text)
    if refused is not None and not outcome.worked and committed is None:
        return Finding(lead(target, refused.group().strip(" !")), 8, failed=True)
    if outcome.broke and committed is None:
        said = next(
            (match.group() for match in _SAID.finditer(outcome.text) if "commit" in match.group()), ""
        ) or failure_of(request, outcome)
        return Finding(lead(target, said), 7, failed=True)
    parse = _PARSERS.get(verb)
    said = parse(request, outcome, room) if parse is not None else ""
    if said:
        return Finding(lead(target, said), 9 if verb in _WHOLE else 5)
    if outcome.empty:
        return Finding(lead(target, _SILENT.get(verb, "no output")), 9)
    told, score = shown(outcome, room)
    return Finding(lead(target, told), score)


def _commit(request: Request, outcome: Outcome, room: int) -> str:
    match = _COMMITTED.search(outcome.text)
    pushed = _PUSHED.search(outcome.text)
    after = f"; pushed {pushed['refs'].strip()}" if pushed is not None else ""
    if match is None:
        said = next((each.group() for each in _SAID.finditer(outcome.text) if "commit" in each.group()), "")
        message, known = subject_of(request), request.string("commit", "sha", "hash")
        return said or (f"{message}{f' ({known[:8]})' if known else ''}{after}" if message else "")
    stat = _stat(outcome.text)
    tail = f" ({match['branch']} {match['hash'][:8]}{f', {stat}' if stat else ''}){after}"
    return f"{clip(match['subject'], room - len(tail))}{tail}"


def subject_of(request: Request) -> str:
    """Return the subject of the commit message among a call's arguments."""
    if request.command and request.line.main is not None:
        message = request.line.main.document or option(request.line.words, "-m", "--message", "-am")
        return clip(unquoted(message.strip().split("\n")[0]), 120)
    return clip(request.string("message", "commit_message").split("\n")[0], 120)


def _stat(text: str) -> str:
    match = _STAT.search(text)
    return (
        f"{how_many(whole(match['files']), 'file')} +{match['added'] or 0} -{match['taken'] or 0}"
        if match is not None
        else ""
    )


def _status(_request: Request, outcome: Outcome, room: int) -> str:
    text = outcome.text
    branch, ahead = _BRANCH.search(text), _AHEAD.search(text)
    head = (branch["branch"] or branch["detached"]).partition("...")[0] if branch is not None else ""
    if ahead is not None:
        head += ", " + (ahead["short"] or f"{ahead['how'].removesuffix(' of')} {ahead['number']}")
    groups: dict[str, list[str]] = {}
    for part in _SECTION_HEAD.split(text):
        name = next(name for start, name in _SECTIONS if part.startswith(start))
        groups.setdefault(name, []).extend(match["file"].strip() for match in _LONG_STATE.finditer(part))
    if not any(groups.values()):  # the short form
        for match in _SHORT_STATE.finditer(text):
            state = (match["staged"] or " ") + (match["changed"] or "M")
            name = "unmerged" if "U" in state else "changed" if state[0] == " " else "staged"
            groups.setdefault("untracked" if state == "??" else name, []).append(match["file"])
    if not any(groups.values()):
        clean = "clean" if "nothing to commit" in text or outcome.empty else ""
        return ", ".join(filter(None, (head, clean)))
    each = max(40, (room - len(head)) // max(1, len(groups)) - 4)
    listed = (
        f"{len(files)} {name}: {joined(files, each - len(name) - 4, write=short_path)}"
        for name, files in groups.items()
        if files
    )
    return "; ".join(filter(None, (head, *listed)))


def _log(request: Request, outcome: Outcome, room: int) -> str:
    found = list(_LONG_LOGGED.finditer(outcome.text)) or list(_LOGGED.finditer(outcome.text))
    if not found:
        return ""
    head = f"{request.kept(len(found))}{how_many(len(found), 'commit')}"
    told = (f"{match['hash'][:8]} {clip(match['subject'].strip(), 80)}" for match in found)
    return f"{head}: {joined(told, room - len(head) - 2, '; ')}"


def _diff(request: Request, outcome: Outcome, room: int) -> str:
    text = outcome.text
    if request.line.main is not None and request.line.main.outputs and outcome.empty:
        return f"written to {short_path(request.line.main.outputs[0])}"
    if outcome.empty:
        return "no difference"
    stat = _stat(text)
    if stat:
        changed = (match["file"].strip() for match in _STAT_FILE.finditer(text))
        return f"{stat}: {joined(changed, room - len(stat) - 2, write=short_path)}"
    files = [match["file"] for match in _DIFF_FILE.finditer(text)]
    if not files:
        names = [line for line in text.split("\n") if line.strip() and " " not in line.strip()]
        return (
            f"{how_many(len(names), 'file')}: {joined(names, room - 12, write=short_path)}"
            if names and len(names) == outcome.lines
            else ""
        )
    added = text.count("\n+") - text.count("\n+++")
    taken = text.count("\n-") - text.count("\n---")
    head = f"+{added} -{taken}{' seen' if outcome.cut else ''} {joined(files, room // 2, write=short_path)}: "
    return head + told(patch_change(text.split("\n")), room - len(head))


def _show(request: Request, outcome: Outcome, room: int) -> str:
    commits = _log(request, outcome, room)
    return (
        f"{clip(commits.removeprefix('1 commit: '), room - 60)}; {_diff(request, outcome, 58)}"
        if commits
        else _diff(request, outcome, room)
        if "diff --git" in outcome.text
        else ""
    )


def _push(_request: Request, outcome: Outcome, room: int) -> str:
    pushed = [f"{match['refs'].strip()} {match['range']}" for match in _PUSHED.finditer(outcome.text)]
    address = next(
        (
            match.group()
            for match in _ADDRESS.finditer(outcome.text)
            if "/pull/" in match.group() or "/pull-requests" in match.group()
        ),
        "",
    )
    return clip(", ".join(filter(None, (*pushed, address))), room) or _said(_request, outcome, room)


def _said(_request: Request, outcome: Outcome, room: int) -> str:
    said = list(dict.fromkeys(match.group().rstrip(".") for match in _SAID.finditer(outcome.text)))
    stat = _stat(outcome.text)
    return clip("; ".join(filter(None, (*said[:2], stat))), room)


def _branch(_request: Request, outcome: Outcome, room: int) -> str:
    names = [line.strip() for line in outcome.text.split("\n") if line.strip()]
    current = next((name[2:] for name in names if name.startswith("* ")), "")
    if not current:
        return _said(_request, outcome, room)
    if len(names) == 1:
        return f"on {current}"
    listed = joined((name.removeprefix("* ") for name in names), room - len(current) - 24)
    return f"on {current}, {how_many(len(names), 'branch', 'branches')}: {listed}"


def _first(_request: Request, outcome: Outcome, room: int) -> str:
    return clip(first_line(outcome.text), room) if outcome.lines <= 2 else ""


_PARSERS: dict[str, Callable[[Request, Outcome, int], str]] = {
    "commit": _commit,
    "status": _status,
    "log": _log,
    "reflog": _log,
    "diff": _diff,
    "diffunstaged": _diff,
    "diffstaged": _diff,
    "show": _show,
    "push": _push,
    "branch": _branch,
    "pr": _first,
    **dict.fromkeys(
        (
            "pull",
            "merge",
            "rebase",
            "checkout",
            "switch",
            "reset",
            "stash",
            "clone",
            "cherry-pick",
            "revert",
            "restore",
            "worktree",
            "am",
            "apply",
            "init",
            "fetch",
        ),
        _said,
    ),
}
_WHOLE = frozenset(
    "commit push pull merge checkout switch reset add branch stash rebase clone revert restore".split()
)
_SILENT = {
    "add": "staged",
    "checkout": "done",
    "switch": "done",
    "restore": "restored",
    "rm": "removed",
    "mv": "moved",
    "diff": "no difference",
    "status": "clean",
    "fetch": "nothing new",
    "config": "set",
    "push": "pushed",
    "apply": "applied",
    "log": "no commit",
}
