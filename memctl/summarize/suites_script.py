"""Verdicts of JavaScript's and TypeScript's test runners: jest, vitest, mocha, node, bun, deno, and TAP."""

import re

from memctl.summarize.outcomes import last_match
from memctl.summarize.patterns import regex
from memctl.summarize.verdicts import Verdict, counted, failure
from memctl.summarize.wording import file_name
from memctl.text.numbers import whole

_JEST_END = regex(r"^Tests:[ \t]++(?P<counts>[^\n]{0,200}?total)", re.MULTILINE)
_JEST_BLOCK = regex(r"^[ \t]*+● (?P<name>[^\n]+)$", re.MULTILINE)
_JEST_FILE = regex(r"^[ \t]*+FAIL[ \t]++(?P<file>[^\s:]{1,200}\.\w+)", re.MULTILINE)
_PLACE = regex(r"(?:❯ |at [^\n]{0,200}?\(?|\()(?P<file>[^\s()]{1,200}\.[cm]?[jt]sx?):(?P<line>\d+):\d+")
_VITEST_END = regex(r"^[ \t]*+Tests  +(?P<counts>[^\n]{0,200}?\(\d+\))", re.MULTILINE)
_VITEST_FILES = regex(r"^[ \t]*+Test Files  +(?P<counts>[^\n]{0,200}?\(\d+\))", re.MULTILINE)
_VITEST_BLOCK = regex(r"^[ \t]*+FAIL  (?P<name>[^\n]+)$", re.MULTILINE)
_MOCHA_END = regex(
    r"^[ \t]*+(?P<passed>\d+) passing \([^\n)]*\)(?:\n[ \t]*+(?P<pending>\d+) pending)?(?:\n[ \t]*+"
    r"(?P<failed>\d+) failing)?",
    re.MULTILINE,
)
_MOCHA_BLOCK = regex(r"^  \d+\) (?P<name>[^\n]+(?:\n {6,}[^\n]+)*):\n", re.MULTILINE)
_TAP_END = regex(r"^(?:#|ℹ) (?P<word>pass|fail|skipped|cancelled) (?P<number>\d+)$", re.MULTILINE)
_TAP_LINE = regex(r"^[ \t]*+(?:not ok \d+ - |✖ )(?P<name>[^\n]+)$", re.MULTILINE)
_BUN_END = regex(r"^[ \t]*+(?P<number>\d+) (?P<word>pass|fail|skip)$", re.MULTILINE)
_BUN_LINE = regex(r"^\(fail\) (?P<name>[^\n]+?)(?: \[[\d.]+m?s\])?$", re.MULTILINE)
_DENO_END = regex(r"^(?:ok|FAILED) \| (?P<passed>\d+) passed[^\n|]*\| (?P<failed>\d+) failed", re.MULTILINE)
_DENO_LINE = regex(r"^(?P<name>[^\n]{1,200}?) \.\.\. FAILED", re.MULTILINE)
_PLAYWRIGHT = regex(r"^[ \t]++(?P<number>\d+) (?P<word>failed|passed|flaky|skipped)\b", re.MULTILINE)
_PLAYWRIGHT_BLOCK = regex(r"^[ \t]++\d+\) (?P<name>[^\n]*?›[^\n]*?)[ ─]*$", re.MULTILINE)
_NUMBERS = regex(r"(\d{1,9}) (\w+)")
_SAID = regex(
    r"^[ \t]*+(?:Error: |→ )?(?P<said>(?:\w*Error\b|Expected|expect\(|Cannot find|Timeout|thrown:)[^\n]*)",
    re.MULTILINE,
)
_VALUES = regex(
    r"^[ \t]*+(?:Expected|- Expected)[^\n:]*: *(?P<expected>[^\n]*)\n[ \t]*+Received[^\n:]*: *"
    r"(?P<received>[^\n]*)",
    re.MULTILINE,
)
_LISTED = 4


def jest(text: str) -> Verdict | None:
    """Read jest's output: `Tests: 1 failed, 12 passed, 13 total`, its files and its blocks."""
    end = last_match(_JEST_END, text)
    failures = _blocks(_JEST_BLOCK, text) if "● " in text else ()
    if end is None:
        files = [match["file"] for match in _JEST_FILE.finditer(text)] if failures else []
        return (
            Verdict(True, f"{len(files)} suites failed" if len(files) > 1 else f"{files[0]} failed", failures)
            if files
            else None
        )
    return _from_counts(end["counts"], failures, text)


def vitest(text: str) -> Verdict | None:
    """Read vitest's output: `Tests  1 failed | 12 passed (13)` and its blocks."""
    end = last_match(_VITEST_END, text) or last_match(_VITEST_FILES, text)
    if end is None:
        return None
    files = last_match(_VITEST_FILES, text)
    verdict = _from_counts(end["counts"], _blocks(_VITEST_BLOCK, text), text)
    if not verdict.red and files is not None and "failed" in files["counts"]:
        return Verdict(True, f"{files['counts']} files", _blocks(_VITEST_BLOCK, text))
    return verdict


def mocha(text: str) -> Verdict | None:
    """Read mocha's output: `12 passing (30ms)`, `1 failing` and its numbered blocks."""
    end = last_match(_MOCHA_END, text)
    if end is None:
        return None
    failed = whole(end["failed"])
    counts = counted(
        ((failed, "failed"), (whole(end["passed"]), "passed"), (whole(end["pending"]), "pending"))
    )
    return Verdict(
        bool(failed), counts or "no tests ran", _blocks(_MOCHA_BLOCK, text, end.end()) if failed else ()
    )


def tap(text: str) -> Verdict | None:
    """Read TAP and node's own runner: `# pass 2`, `not ok 1 - name`, `ℹ fail 1`, `✖ name`."""
    numbers = {match["word"]: whole(match["number"]) for match in _TAP_END.finditer(text)}
    if "pass" not in numbers and "fail" not in numbers:
        return None
    failed = numbers.get("fail", 0)
    counts = counted(
        ((failed, "failed"), (numbers.get("pass", 0), "passed"), (numbers.get("skipped", 0), "skipped"))
    )
    return Verdict(bool(failed), counts or "no tests ran", _blocks(_TAP_LINE, text) if failed else ())


def bun(text: str) -> Verdict | None:
    """Read bun's output: ` 3 pass`, ` 1 fail`, `(fail) name`."""
    numbers = {match["word"]: whole(match["number"]) for match in _BUN_END.finditer(text)}
    if not numbers:
        return None
    failed = numbers.get("fail", 0)
    names = tuple(match["name"] for match in _BUN_LINE.finditer(text))[:20]
    return Verdict(
        bool(failed),
        counted(((failed, "failed"), (numbers.get("pass", 0), "passed"))) or "no tests ran",
        names,
    )


def deno(text: str) -> Verdict | None:
    """Read deno's output: `FAILED | 3 passed | 1 failed (20ms)`."""
    end = last_match(_DENO_END, text)
    if end is None:
        return None
    failed = whole(end["failed"])
    names = tuple(match["name"] for match in _DENO_LINE.finditer(text))[:20]
    return Verdict(
        bool(failed), counted(((failed, "failed"), (whole(end["passed"]), "passed"))), names if failed else ()
    )


def playwright(text: str) -> Verdict | None:
    """Read Playwright's output: `1 failed`, `12 passed (3.1s)` and its numbered blocks."""
    if "Running " not in text or " using " not in text:
        return None
    numbers = {match["word"]: whole(match["number"]) for match in _PLAYWRIGHT.finditer(text)}
    failed = numbers.get("failed", 0)
    counts = counted(
        ((failed, "failed"), (numbers.get("flaky", 0), "flaky"), (numbers.get("passed", 0), "passed"))
    )
    return (
        Verdict(bool(failed), counts, _blocks(_PLAYWRIGHT_BLOCK, text) if failed else ()) if counts else None
    )


def _from_counts(said: str, failures: tuple[str, ...], text: str) -> Verdict:
    numbers = {word: whole(number) for number, word in _NUMBERS.findall(said)}
    failed = numbers.get("failed", 0)
    counts = counted((numbers.get(word, 0), word) for word in ("failed", "passed", "skipped", "todo"))
    red = bool(failed) or (
        "Test Suites: " in text
        and re.search(r"^Test Suites:[^\n]*\b\d+ failed", text, re.MULTILINE) is not None
    )
    return Verdict(red, counts or "no tests ran", failures if red else ())


def _blocks(pattern: re.Pattern[str], text: str, start: int = 0) -> tuple[str, ...]:
    """Read failure blocks: the name in the pattern, the error and the place in what follows."""
    matches = list(pattern.finditer(text, start))
    found: dict[str, str] = {}
    for position, match in enumerate(matches):
        name = " ".join(match["name"].split()).strip("─ ")
        if name in found or name.startswith("Console") or len(found) >= 20:
            continue
        if len(found) >= _LISTED:
            found[name] = name
            continue
        stop = min(
            matches[position + 1].start() if position + 1 < len(matches) else len(text), match.end() + 3000
        )
        said = _SAID.search(text, match.end(), stop)
        values = _VALUES.search(text, match.end(), stop)
        place = next(
            (each for each in _PLACE.finditer(text, match.end(), stop) if "node_modules" not in each["file"]),
            None,
        )
        error = said["said"] if said else ""
        if values:
            error = f"expected {values['expected']}, received {values['received']}"
        elif error.endswith(":"):
            error += " " + text[said.end() : said.end() + 300].strip().partition("\n")[0] if said else ""
        found[name] = failure(name, error, f"{file_name(place['file'])}:{place['line']}" if place else "")
    return tuple(found.values())
