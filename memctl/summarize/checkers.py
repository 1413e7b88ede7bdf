"""Verdicts of compilers, linters, type checkers and installers."""

import re

from memctl.summarize.verdicts import Verdict, count, counted, failure
from memctl.summarize.wording import file_name, joined

# file(12,5): error ..., file:12:5 - error ..., file:12: error: ..., [ERROR] file:[12,5] ...
_ERROR_AT = re.compile(
    r"^[ \t]*(?:\[(?:ERROR|lint[\w:]*)\] )?(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]\"'][^:()\n\"']{0,200})"
    r"(?::(?P<line>\d+)(?::\d+)?|\((?P<line2>\d+)(?:[,:]\d+)?\)|:\[(?P<line3>\d+),\d+\])(?:: ?| - | )"
    r"(?:fatal )?(?P<level>error|warning|note|info)?\b(?::| )? ?(?P<code>[A-Z]+\d+\b:? ?)?(?P<said>[^\n]*)",
    re.MULTILINE,
)
_FILE_LIKE = re.compile(r"[^\s].{0,150}\.[A-Za-z]{1,6}$")
_WARNED = re.compile(r"\w*Warning: ")
_RUFF_NEW = re.compile(
    r"^(?P<code>[A-Z]+\d+) (?:\[\*\] )?(?P<said>[^\n]+)\n +--> (?P<file>[^\s:]+):(?P<line>\d+)", re.MULTILINE
)
_RUST_ERROR = re.compile(
    r"^(?P<level>error|warning)(?:\[(?P<code>\w+)\])?: (?P<said>[^\n]+)\n +--> (?P<file>[^\s:]+):(?P<line>\d+)",
    re.MULTILINE,
)
_ESLINT_FILE = re.compile(r"^(?:[/.]|[A-Za-z]:\\|\w)[^\s:]*\.\w{1,6}$")
_ESLINT_LINE = re.compile(
    r"^\s+(?P<line>\d+):\d+\s+(?P<level>error|warning)\s+(?P<said>\S[^\n]*?)(?:  +(?P<rule>[\w@/-]+))?$"
)
_ESLINT_END = re.compile(
    r"^✖ (?P<all>\d+) problems? \((?P<errors>\d+) errors?, (?P<warnings>\d+) warnings?\)", re.MULTILINE
)
_BIOME_LINE = re.compile(
    r"^(?P<file>[^\s:]+\.\w+):(?P<line>\d+):\d+ (?P<rule>\S+)[^\n]*\n(?:\s*\n)*\s*[×!✖] (?P<said>[^\n]*)",
    re.MULTILINE,
)
_LINK = re.compile(
    r"^(?:[^\n]{0,200}: )?(?P<said>(?:undefined reference to|cannot find -l|ld: |collect2: error|duplicate symbol|Undefined symbols)[^\n]*)",
    re.MULTILINE,
)
_MAKE = re.compile(
    r"^(?:g?make|ninja)(?:\[\d+\])?: (?P<said>\*\*\* [^\n]*|build stopped[^\n]*)", re.MULTILINE
)
_CYCLE = re.compile(r"(?P<said>import cycle not allowed[^\n]*)$", re.MULTILINE)
_TOTALS = re.compile(
    r"^(?:\[[\w:.-]+\] )?(?P<said>Found \d+ errors?[^\n]{0,80}|\d+ errors?(?: generated|, \d+ warnings?[^\n]{0,40})?\.?|\d+ issues:?|"
    r"[^\n]{0,100}could not compile `[^\n]{0,100}|[✖×] \d+ problems?[^\n]{0,60})$",
    re.MULTILINE,
)
# What a check says when it found nothing wrong.
_GOOD = re.compile(
    r"^[^\n]{0,60}?(?P<said>Success: no issues found[^\n]*|All checks passed!?|0 issues\.?|0 errors\b[^\n]{0,60}|No issues found[^\n]*"
    r"|Found 0 errors[^\n]*|BUILD SUCCESSFUL[^\n]*|BUILD SUCCESS\b|Build succeeded\.?|Compiled successfully[^\n]*|compiled successfully[^\n]*"
    r"|webpack [\d.]+ compiled[^\n]{0,60}|✓ built in [^\n]*|Finished `?\w+`? (?:\[[^\n]{0,60}\] )?(?:profile|target)[^\n]*|\[100%\] Built target [^\n]*"
    r"|Checked \d+ files? in [^\n]*|All matched files use [^\n]*|No fixes applied\.?|\d+ files? (?:already formatted|left unchanged|would be left unchanged)"
    r"|ESLint found no problems|no problems|Build complete!?|Successfully (?:built|tagged|installed|compiled|uninstalled) [^\n]*"
    r"|added \d+ packages?[^\n]*|up to date\b[^\n]*|changed \d+ packages?[^\n]*|removed \d+ packages?[^\n]*|Installed \d+ packages?[^\n]*"
    r"|Audited \d+ packages?[^\n]*|Resolved \d+ packages?[^\n]*|Requirement already satisfied: [^\n]*|Done in [\d.]+m?s[^\n]*|Lockfile is up to date[^\n]*)",
    re.MULTILINE,
)
_BAD = re.compile(
    r"^[^\n]{0,60}?(?P<said>BUILD FAILED|BUILD FAILURE|Build FAILED\.?|Failed to compile\.?|error during build:|CMake Error[^\n]*|ERROR: failed to (?:solve|build)[^\n]*"
    r"|ERROR: (?:Could not find a version|No matching distribution found|Cannot install|Failed building|ResolutionImpossible)[^\n]*"
    r"|npm (?:ERR!|error) (?!A complete log)[^\n]*|E: Unable to locate package[^\n]*|ERR_PNPM_\w+[^\n]*|error: Failed to (?:fetch|build|download|resolve)[^\n]*"
    r"|error: externally-managed-environment|ELIFECYCLE[^\n]*|Command failed with exit code[^\n]*|Could not resolve dependencies[^\n]*|FAILURE: Build failed[^\n]*|task failed[^\n]*)",
    re.MULTILINE,
)
_LISTED = 20


def diagnostics(text: str) -> tuple[list[str], int, int]:
    """Return the errors in a compiler's or linter's output as failures, and the numbers of errors and warnings."""
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
            errors, number = [match["said"]], 1
    total = None
    for total in _TOTALS.finditer(text):
        pass
    said = total["said"].rstrip(".:") if total is not None else ""
    nothing = said.startswith(("Found 0", "0 "))
    bad = _BAD.search(text) or _MAKE.search(text)
    if errors and not nothing:
        counts = (
            said
            if said and not said.startswith(("✖", "×"))
            else counted(
                (
                    (number, "error" if number == 1 else "errors"),
                    (warnings, "warning" if warnings == 1 else "warnings"),
                )
            )
        )
        return Verdict(True, counts, tuple(errors[:_LISTED]))
    if bad is not None:
        return Verdict(True, "failed", (bad["said"].strip(),))
    if said and not nothing:
        return Verdict(True, said)
    good = None
    for good in _GOOD.finditer(text):
        pass
    if good is not None:
        shown = good["said"].strip().rstrip(".!")
        if shown.startswith("Requirement already satisfied"):
            names = dict.fromkeys(
                match["said"].split()[3]
                for match in _GOOD.finditer(text)
                if match["said"].startswith("Requirement already")
            )
            shown = f"already installed: {joined(names, 100)}"
        return Verdict(False, f"{shown}, {count(warnings, 'warning')}" if warnings else shown)
    if nothing:
        return Verdict(False, said)
    if warnings:
        return Verdict(False, count(warnings, "warning"))
    return None


__all__ = ["check", "diagnostics", "failure"]
