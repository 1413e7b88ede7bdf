"""Verdicts of compilers, linters, type checkers and installers."""

import re

from memctl.summarize.outcomes import last_match
from memctl.summarize.patterns import regex
from memctl.summarize.verdicts import Verdict, counted
from memctl.summarize.wording import file_name, joined
from memctl.text.numbers import how_many

# file(12,5): error ..., file:12:5 - error ..., file:12: error: ..., [ERROR] file:[12,5] ...
_ERROR_AT = regex(
    r"^[ \t]*+(?:\[(?:ERROR|lint[\w:]*)\] )?(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]\"'][^:()\n\"']{0,200})"
    r"(?::(?P<line>\d+)(?::\d+)?|\((?P<line2>\d+)(?:[,:]\d+)?\)|:\[(?P<line3>\d+),\d+\])(?:: ?| - | )"
    r"(?:fatal )?(?:(?P<level>error|warning|note|info)\b)?(?::"
    r"| )? ?(?P<code>[A-Z]+\d+\b:? ?)?(?P<said>[^\n]*)",
    re.MULTILINE,
)
_FILE_LIKE = regex(r"[^\s].{0,150}\.[A-Za-z]{1,6}$")
_WARNED = regex(r"\w*Warning: ")
_RUFF_NEW = regex(
    r"^(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<said>[^\n]+)\n +--> (?P<file>[^\s:]+):(?P<line>\d+)", re.MULTILINE
)
_RUST_ERROR = regex(
    r"^(?P<level>error|warning)(?:\[(?P<code>\w+)\])?: (?P<said>[^\n]+)\n +--> (?P<file>[^\s:]+):"
    r"(?P<line>\d+)",
    re.MULTILINE,
)
_ESLINT_FILE = regex(r"^(?:[/.]|[A-Za-z]:\\|\w)[^\s:]*\.\w{1,6}$")
_ESLINT_LINE = regex(
    r"^[ \t]++(?P<line>\d+):\d+\s+(?P<level>error|warning)\s+(?P<said>\S[^\n]*?)(?:  +(?P<rule>[\w@/-]+))?$"
)
_BIOME_LINE = regex(
    r"^(?P<file>[^\s:]+\.\w+):(?P<line>\d+):\d+ (?P<rule>\S+)[^\n]*\n(?:[ \t]*\n){0,3}[ \t]*+[×!✖] "
    r"(?P<said>[^\n]*)",
    re.MULTILINE,
)
_LINK = regex(
    r"^(?:[^\n]{0,200}: )?(?P<said>(?:undefined reference to|cannot find -l|ld: |collect2: error"
    r"|duplicate symbol|Undefined symbols)[^\n]*)",
    re.MULTILINE,
)
_MAKE = regex(r"^(?:g?make|ninja)(?:\[\d+\])?: (?P<said>\*\*\* [^\n]*|build stopped[^\n]*)", re.MULTILINE)
_CYCLE = regex(
    r"^[ \t]*+(?:imports )?(?P<said>[^\n]{0,200}import cycle not allowed[^\n]*)$"
    r"|^(?P<stat>stat \S+: directory not found)",
    re.MULTILINE,
)
_TOTALS = regex(
    r"^(?:\[[\w:.-]+\] )?(?P<said>Found \d+ errors?[^\n]{0,80}|\d+ errors?(?: generated"
    r"|, \d+ warnings?[^\n]{0,40})?\.?|\d+ issues:?|"
    r"[^\n]{0,100}could not compile `[^\n]{0,100}|[✖×] \d+ problems?[^\n]{0,60})$",
    re.MULTILINE,
)
_TRIMMED = regex(r"^Found | \(checked[^)\n]*\)| in the same file[^\n]*|[.:]+$")
_INSTALLED = "Requirement already satisfied"
# What a check says when it found nothing wrong.
_GOOD = regex(
    r"(?:Success: no issues found|All checks passed!?|0 issues\.?$|0 errors\b|No issues found"
    r"|Found 0 errors|BUILD SUCCESS(?:FUL)?\b|Build succeeded\.?|[Cc]ompiled successfully"
    r"|webpack [\d.]+ compiled|✓ built in |Finished `?\w+`? (?:\[[^\n\]]{0,60}\] )?(?:profile|target)"
    r"|\[100%\] Built target |Checked \d{1,9} files? in |All matched files use |No fixes applied"
    r"|(?<!\d)\d{1,9} files? (?:already formatted|left unchanged|would be left unchanged)"
    r"|ESLint found no problems|no problems$|Build complete!?|Successfully (?:built|tagged|installed"
    r"|compiled|uninstalled) "
    r"|added \d{1,9} packages?|up to date\b|changed \d{1,9} packages?|removed \d{1,9} packages?"
    r"|Installed \d{1,9} packages?|Audited \d{1,9} packages?|Resolved \d{1,9} packages?"
    r"|Requirement already satisfied: "
    r"|Done in [\d.]+m?s|Lockfile is up to date)[^\n]*",
    re.MULTILINE,
)
# What tools say when they give up: first those lines that say why, then the bare verdicts.
_BAD = regex(
    r"(?:CMake Error|ERROR: failed to (?:solve|build)|ERROR: (?:Could not find a version"
    r"|No matching distribution found|Cannot install|Failed building|ResolutionImpossible)"
    r"|npm (?:ERR!|error) (?!A complete log|command |path |code |errno |syscall |Lifecycle script"
    r"|workspace |location |\s*$)|E: Unable to locate package|ERR_PNPM_\w+|error: Failed to (?:fetch"
    r"|build|download|resolve)"
    r"|error: externally-managed-environment|Could not resolve dependencies"
    r"|\[ERROR\] Failed to execute goal|\* What went wrong:\n)[^\n]*"
)
_BARE = regex(
    r"(?:BUILD FAIL(?:ED|URE)|Build FAILED\.?|Failed to compile\.?|error during build:|npm (?:ERR!"
    r"|error) (?!A complete log)|ELIFECYCLE|Command failed with exit code|FAILURE: Build failed"
    r"|task failed)[^\n]*"
)
_NEAR = 60  # characters that may stand before such words in their line: times, task names
_LISTED = 20


def diagnostics(text: str) -> tuple[list[str], int, int]:
    """Return a compiler's or linter's errors as failures, and the numbers of errors and warnings."""
    errors: list[str] = []
    warnings = 0
    seen: set[str] = set()
    for match in _found(text):
        file, line, level, said = match
        if level in ("warning", "note", "info"):
            warnings += level == "warning"
            continue
        entry = f"{file_name(file)}:{line} {said}".strip()
        if entry not in seen:
            seen.add(entry)
            errors.append(entry)
    return errors, len(errors), warnings


def _found(text: str) -> list[tuple[str, str, str, str]]:
    found = [
        (match["file"], match["line"], match.groupdict().get("level") or "error", _with_code(match))
        for pattern in (_RUST_ERROR, _RUFF_NEW, _BIOME_LINE)
        for match in pattern.finditer(text)
    ]
    if found:
        return found
    if "problem" in text or "error  " in text or "warning  " in text:
        found = _eslint(text)
        if found:
            return found
    for match in _ERROR_AT.finditer(text):
        if match["level"] is None and not (match["said"] and _FILE_LIKE.match(match["file"])):
            continue
        level = match["level"] or ("warning" if _WARNED.match(match["said"]) else "error")
        line = match["line"] or match["line2"] or match["line3"]
        found.append(
            (match["file"], line, level, f"{(match['code'] or '').strip(': ')} {match['said']}".strip())
        )
    return found


def _with_code(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return f"{groups.get('code') or groups.get('rule') or ''} {match['said']}".strip()


def _eslint(text: str) -> list[tuple[str, str, str, str]]:
    found, file = [], ""
    for line in text.split("\n"):
        if _ESLINT_FILE.match(line[:300]):
            file = line
        elif file and (match := _ESLINT_LINE.match(line[:600])):
            found.append(
                (file, match["line"], match["level"], f"{match['said']} {match['rule'] or ''}".strip())
            )
    return found


def check(text: str) -> Verdict | None:
    """Read the output of a compiler, linter, type checker or installer."""
    errors, number, warnings = diagnostics(text)
    for pattern in (_CYCLE, _LINK):
        if not errors and (match := pattern.search(text)):
            errors, number = [match.group().strip().removeprefix("imports ")], 1
    total = last_match(_TOTALS, text)
    said = _TRIMMED.sub("", total["said"]) if total is not None else ""
    nothing = said.startswith("0 ")
    bad = _said(_BAD, text) or _said(_MAKE, text) or _said(_BARE, text)
    if errors and not nothing:
        counts = (
            said.replace("1 issues", "1 issue")
            if said and said[0].isdecimal()
            else counted(
                (
                    (number, "error" if number == 1 else "errors"),
                    (warnings, "warning" if warnings == 1 else "warnings"),
                )
            )
        )
        return Verdict(True, counts, tuple(errors[:_LISTED]), listed=not (said and said[0].isdecimal()))
    if bad:
        return Verdict(True, "failed", (bad[0].removeprefix("* What went wrong:").strip(),))
    if said and not nothing:
        return Verdict(True, said)
    good = _said(_GOOD, text)
    if good:
        shown = good[-1].rstrip(".! ")
        if shown.startswith(_INSTALLED):
            names = dict.fromkeys(line.split()[3] for line in good if line.startswith(_INSTALLED))
            shown = f"already installed: {joined(names, 100)}"
        return Verdict(False, f"{shown}, {how_many(warnings, 'warning')}" if warnings else shown)
    if nothing:
        return Verdict(False, said)
    return Verdict(False, how_many(warnings, "warning")) if warnings else None


def _said(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return what a pattern finds near the beginning of a line."""
    return [
        match.group()
        for match in pattern.finditer(text)
        if match.start() - text.rfind("\n", 0, match.start()) <= _NEAR
    ]
