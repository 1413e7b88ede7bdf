"""Edits and writes: the path, how many lines, what changed; or why it was refused."""

import re

from memctl.summarize.changes import Change, change, patch_change, told
from memctl.summarize.contents import gist
from memctl.summarize.faults import error_line
from memctl.summarize.outcomes import Finding, Outcome
from memctl.summarize.patterns import regex
from memctl.summarize.program_tables import SCRIPT_RUNNERS
from memctl.summarize.reading import SHOWN_FILE
from memctl.summarize.requests import Request
from memctl.summarize.running import failure_of, shown
from memctl.summarize.scripts import told as scripts_told
from memctl.summarize.targets import patched
from memctl.summarize.values import value
from memctl.summarize.wording import LIMIT, clip, joined, lead, short_path
from memctl.text.numbers import how_many, whole

_BACKUP = regex(r"(?i:[._-](?:bak|backup|orig|original|old|saved?)\d?(?:\.\w{1,5})?|~|/backups?/[^/]*)$")
_TRIED = 60  # characters of what an edit tried that was refused
_FORMATTERS = frozenset("gofmt gofumpt goimports rustfmt black isort prettier autopep8 yapf ruff".split())
_PRINTERS = frozenset(["echo", "printf", "Write-Output"])
_OLD = ("old_string", "old_str", "old_text", "search", "old", "target_content", "original", "old_source")
_NEW = (
    "new_string",
    "new_str",
    "new_text",
    "replace",
    "new",
    "replacement_content",
    "replacement",
    "new_source",
    "code_edit",
    "insert_text",
    "insertion",
    "content",
    "text",
)
_CONTENT = (
    "content",
    "file_text",
    "contents",
    "text",
    "code_content",
    "data",
    "body",
    "new_source",
    "code_markdown_content",
)
_PATCH_FILE = regex(
    r"^(?:\*\*\* (?P<how>Add|Update|Delete) File: (?P<file>[^\n]+)|\+\+\+ (?:b/)?(?P<plus>\S+)[^\n]*)$"
)
_REFUSED = regex(
    r"\s*+(?:Error\b|ERROR\b|error:|Failed\b|failed to|String to replace not found|No (?:match"
    r"|replacement|changes)\b|Could not find|Found \d+ matches of the string|File has not been read"
    r"|File has been (?:modified|unexpectedly)|The (?:old|search) (?:text|string)"
    r"|old_str(?:ing)? (?:not found|did not appear)|Your (?:proposed )?edit (?:has introduced|was not)"
    r"|Invalid\b|Search (?:text|block)[^\n]{0,60}not found"
    r"|Unable to|0 occurrences|apply_patch verification failed|patch failed|patch: \*\*\*|Permission"
    r"|失败|错误|エラー|오류)[^\n]*"
)
_DONE = regex(
    r"\s*+(?:Applied edit to|Successfully (?:edited|applied|replaced|modified)|Edit applied"
    r"|The file \S+ has been (?:edited|updated))"
)
_NOTED = regex(r"^(?:- )?(?P<said>[EF]\d{3} [^\n]+|[^\n]{0,80}SyntaxError[^\n]*)", re.MULTILINE)
_REJECTED_HUNK = regex(
    r"^(?:Hunk #\d+ FAILED[^\n]*|\d+ out of \d+ hunks? FAILED[^\n]*|error: patch failed[^\n]*"
    r"|patch: \*\*\*\*[^\n]*)",
    re.MULTILINE,
)


def edit(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize an edit: `state.go +4 -1: adds EndedAt`; refused edits say why."""
    changes = _changes(request) or _window(request) or _appended(request)
    if not changes and not request.command and not request.paths and not request.text:
        return value(request, target, outcome)  # a domain tool: update_reservation
    opened = SHOWN_FILE.search(outcome.text)
    name = short_path(opened["file"]) if opened is not None else target
    better = name if opened is not None else ""
    failed = _failure(request, outcome)
    if failed:
        tried = told(changes[0][1], _TRIED).removeprefix("adds ") if changes and changes[0][1].telling else ""
        tried = f"; tried {tried}" if tried else ""
        return Finding(lead(name, f"not edited: {failed}{tried}"), 8, failed=True, target=better)
    if changes:
        return Finding(_edited(name, changes), 9, target=better)
    room = LIMIT - min(len(name), LIMIT // 2) - 2
    if request.command and request.line.words:
        did = _done(request, room)
        said, score = shown(outcome, room - len(did) - 2) if not outcome.empty else ("", 9)
        said = "" if said.lower().strip(".! ") in ("done", "ok", "success") else said
        return Finding(lead(name, "; ".join(filter(None, (did, said)))), score, target=better)
    said = "" if outcome.empty or _DONE.match(outcome.text) else shown(outcome, room)[0]
    return Finding(lead(name, said or "edited"), 6, target=better)


def write(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a written file: how many lines, the names it defines or its headings."""
    content = request.string(*_CONTENT) if request.paths else ""
    if request.command and request.line.main is not None:
        content = _printed(request)
    if not content and not request.command and not request.paths and not request.text:
        return value(request, target, outcome)  # a domain tool: create_note
    failed = _failure(request, outcome)
    if failed:
        return Finding(lead(target, f"not written: {failed}"), 8, failed=True)
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    if request.command and request.line.words[:1] in (("mkdir",), ("touch",), ("create",)):
        return Finding(lead(target, "created"), 10)
    if request.key == "createdirectory":
        return Finding(lead(target, "folder created"), 10)
    lines = content.count("\n") + (1 if content and not content.endswith("\n") else 0)
    how = (
        "overwrote with"
        if re.search(r"overwr|has been updated|updated successfully", outcome.text[:200])
        else "wrote"
    )
    head = f"{how} {how_many(lines, 'line')}"
    if not content and outcome.text.startswith("[File: "):
        return Finding(lead(target, "created"), 10)
    if not content:
        said, score = shown(outcome, room) if not outcome.empty else ("written, no output", 8)
        return Finding(lead(target, said), score)
    path = request.paths[0] if request.paths else target
    shown_output = ""
    if request.command and not outcome.empty and not request.line.alone:
        shown_output = f"; then {shown(outcome, 60)[0]}"
    return Finding(
        lead(
            target,
            f"{head}: {gist(content, path, room - len(head) - 2 - len(shown_output), written=True)}{shown_output}",
        ),
        6 if lines > 3 else 9,
    )


def _appended(request: Request) -> list[tuple[str, Change]]:
    """Return the change of a command that writes behind what a file holds: `echo x >> a`."""
    main = request.line.main
    content = _printed(request) if main is not None and main.appends else ""
    return [("", Change((), tuple(content.split("\n"))))] if content else []


def _printed(request: Request) -> str:
    """Return what the main command writes: its document, or what `echo` or `printf` says, also through `tee`."""
    main = request.line.main
    if main is not None and main.program == "tee" and main.piped:
        main = request.parts[request.parts.index(main) - 1]
    if main is None or main.document or main.program not in _PRINTERS:
        return main.document if main is not None else ""
    words = [word for word in main.words[1:] if word not in ("-e", "-n", "-en", "-ne")]
    return " ".join(words).replace("\\n", "\n").strip("\n")


def _failure(request: Request, outcome: Outcome) -> str:
    if "introduced new syntax error" in outcome.text[:400]:
        noted = _NOTED.search(outcome.text)
        return f"new syntax error: {noted['said'].strip()}" if noted is not None else "new syntax errors"
    if outcome.broke and not request.command:
        return clip(outcome.opening(), 170) or "failed"
    if request.command:
        hunk = _REJECTED_HUNK.search(outcome.text)
        return hunk.group() if hunk is not None else failure_of(request, outcome)
    if not outcome.worked and (match := _REFUSED.match(outcome.text)) is not None:
        return match.group().strip()
    if outcome.text[:1] == "{" and '"error"' in outcome.text[:500]:
        return error_line(outcome.text)
    return ""


def _changes(request: Request) -> list[tuple[str, Change]]:
    """Return the changes among the arguments, each with its file ("" for the call's only one)."""
    patch = request.patch
    if patch:
        return _patch(patch)
    edits = request.value("edits", "replacements", "changes", "file_edits")
    if isinstance(edits, list):
        pairs = [
            (item, _side(item, _OLD), _side(item, _NEW)) for item in edits[:200] if isinstance(item, dict)
        ]
        return [
            (str(item.get("file_path", item.get("path", ""))), change(old, new))
            for item, old, new in pairs
            if old or new
        ]
    old, new = _side(request.fields, _OLD), _side(request.fields, _NEW)
    blocks = _blocks(request.string("diff", "content")[:200_000])
    if blocks:
        return [("", each) for each in blocks]
    return [("", change(old, new))] if old or new else []


def _blocks(text: str) -> list[Change]:
    """Read the SEARCH and REPLACE blocks of Cline, Roo and Aider."""
    found: list[Change] = []
    side: list[str] | None = None
    sides: tuple[list[str], list[str]] = ([], [])
    for line in text.split("\n") if "SEARCH" in text else ():
        if line.startswith(("<<<<<<< ", "------- ")) and "SEARCH" in line:
            sides = ([], [])
            side = sides[0]
        elif line.startswith("=======") and side is sides[0]:
            side = sides[1]
        elif line.startswith((">>>>>>> ", "+++++++ ")) and "REPLACE" in line:
            found.append(change("\n".join(sides[0]), "\n".join(sides[1])))
            side = None
        elif side is not None and not line.startswith((":start_line:", "-------")):
            side.append(line)
    return found


def _window(request: Request) -> list[tuple[str, Change]]:
    """Return the change of SWE-agent's window commands: `edit 5:7`, `edit 'old' 'new'`, `insert`."""
    replaced = request.fields.get("replacement_text")
    if isinstance(replaced, str):
        first, last = request.string("start_line"), request.string("end_line")
        return [("", Change(("",) * _span(first, last), tuple(replaced.split("\n"))))]
    words = request.line.words
    if request.line.main is None or words[:1] not in (("edit",), ("insert",), ("append",)):
        return []
    first, _, last = (words[1] if len(words) > 1 else "").partition(":")
    if not request.line.main.document and words[0] == "edit" and (gone := _span(first, last)):
        lines = f"line {first}" if first == last else f"lines {first}-{last}"
        return [("", Change((lines,) * gone, ()))]  # nothing stands in their place
    if request.line.main.document:
        return [("", Change(("",) * _span(first, last), tuple(request.line.main.document.split("\n"))))]
    named = request.line.named
    return [("", change(named[0], named[1]) if len(named) > 1 else change("", named[0]))] if named else []


def _span(first: str, last: str) -> int:
    """Return how many lines stand from *first* to *last*, 0 when they are no line numbers."""
    if not (first.isdecimal() and last.isdecimal() and len(first) < 8 and len(last) < 8):
        return 0
    return min(max(0, whole(last) - whole(first) + 1), 100_000)


def _side(fields: object, names: tuple[str, ...]) -> str:
    if not isinstance(fields, dict):
        return ""
    found = next((fields[name] for name in names if isinstance(fields.get(name), str)), "")
    return str(found)


def _patch(text: str) -> list[tuple[str, Change]]:
    found: list[tuple[str, list[str]]] = []
    for line in text[:400_000].split("\n"):
        match = _PATCH_FILE.match(line)
        if match is not None:
            found.append((match["file"] or match["plus"], []))
        elif found:
            found[-1][1].append(line)
    if not found:
        found = [("", text.split("\n"))]
    return [(name, patch_change(lines)) for name, lines in found]


def _edited(name: str, changes: list[tuple[str, Change]]) -> str:
    if len(changes) == 1:
        changed = changes[0][1]
        head = f"{clip(name, 80)} {changed.size}: "
        return clip(head + told(changed, LIMIT - len(head)))
    added, taken = sum(len(each.added) for _, each in changes), sum(len(each.taken) for _, each in changes)
    files = dict.fromkeys(file for file, _ in changes if file)
    where = f"{len(files)} files" if len(files) > 1 else f"{len(changes)} places"
    head = f"{clip(name, 70)} +{added} -{taken} in {where}: "
    each_room = max(40, (LIMIT - len(head)) // min(len(changes), 3) - 2)
    said = [
        f"{short_path(file, 1)} {told(each, each_room)}" if len(files) > 1 else told(each, each_room)
        for file, each in changes
    ]
    return clip(head + joined(said, LIMIT - len(head), "; "))


def _kept(words: tuple[str, ...]) -> str:
    """Say that a copy was kept (`cp a.py a.py.bak`) or taken back (`mv a.py.orig a.py`); "" for other copies."""
    named = [word for word in words[1:] if not word.startswith("-")]
    if words[0] not in ("cp", "mv") or len(named) != 2:
        return ""
    source, place = named
    if _BACKUP.search(source) and not _BACKUP.search(place):
        return f"restored from {short_path(source, 1)}"
    return (
        f"backed up as {short_path(place, 1)}" if _BACKUP.search(place) and not _BACKUP.search(source) else ""
    )


def _done(request: Request, room: int) -> str:
    """Say what an editing command does: the script of `sed -i`, `removed`, `moved`."""
    words = request.line.words
    verb = {
        "rm": "removed",
        "unlink": "removed",
        "rmdir": "removed",
        "mv": "moved",
        "cp": "copied",
        "chmod": "mode changed",
        "ln": "linked",
        "patch": "patched",
    }.get(words[0], "")
    if verb:
        return _kept(words) or verb
    if request.line.main is not None and request.line.main.appends:
        return "appended"
    scripts = [
        script
        for part in request.parts
        if part.program in ("sed", "gsed", "perl")
        for script in part.words[1:]
        if not script.startswith("-")
        and ("/" in script or "|" in script)
        and " " * 2 not in script[:1]
        and script[:1] in "s/0123456789$^y"
    ]
    if scripts:
        read = {script: scripts_told(script) for script in scripts}  # one that is given twice is told once
        kept = [script for script in read if read[script] or script[0] != "/"]  # a path is none
        return joined((read[each] or f"script {' '.join(each.split())}" for each in kept), room, "; ")
    return (
        "formatted"
        if request.line.words[0] in SCRIPT_RUNNERS or "fmt" in words or words[0] in _FORMATTERS
        else "done"
    )


__all__ = ["edit", "patched", "write"]
