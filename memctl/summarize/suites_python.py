"""Verdicts of Python's test runners: pytest, unittest, and Django's, which prints as unittest does."""

import re

from memctl.summarize.faults import exception_in
from memctl.summarize.outcomes import last_match
from memctl.summarize.patterns import regex
from memctl.summarize.verdicts import Verdict, counted, failure
from memctl.summarize.wording import file_name, short_path
from memctl.text.numbers import whole

_COUNT = r"\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)"
_PYTEST_END = regex(rf"^=*[ ]?(?P<counts>{_COUNT}(?:, {_COUNT})*) in \d[\d.]*s[^\n]*$", re.MULTILINE)
_PYTEST_NONE = regex(r"^=*[ ]?no tests (?:ran|collected)[^\n]*$", re.MULTILINE)
_PYTEST_LINE = regex(
    r"^(?:FAILED|ERROR) (?P<name>[^\s]+(?:\[[^\n]{0,200}?\])?)(?: - (?P<said>[^\n]*))?$", re.MULTILINE
)
_PYTEST_BLOCK = regex(
    r"^_{3,} (?:ERROR (?:at \w+ of|collecting) )?(?P<name>[^\n]{1,200}?) _{3,}$", re.MULTILINE
)
_PYTEST_SAID = regex(r"^E   +(?P<said>[^\n]*)$", re.MULTILINE)
_PYTEST_PLACE = regex(r"^(?P<file>[^\s:][^\n:]{0,200}\.py):(?P<line>\d+): ", re.MULTILINE)
_PYTEST_VERBOSE = regex(r"^(?P<name>[^\s]+::[^\n]{1,200}?) (?P<verdict>PASSED|FAILED|ERROR)\b", re.MULTILINE)
_PYTEST_BAR = regex(r"^[^\s]+\.py [.FEsxX]+ +\[ *\d+%\]", re.MULTILINE)
_WORDS = regex(r"(\d{1,9}) ([a-z]+)")

_RAN = regex(r"^Ran (?P<ran>\d+) tests? in [\d.]+s$", re.MULTILINE)
_UNITTEST_END = regex(r"^(?P<word>OK|FAILED|NO TESTS RAN)(?: \((?P<counts>[^\n)]*)\))?$", re.MULTILINE)
_UNITTEST_BLOCK = regex(
    r"^(?P<word>FAIL|ERROR): (?P<name>[^\s(]+)(?: \((?P<where>[^\s)]+)\))?[^\n]*$", re.MULTILINE
)
_LISTED = 4


def pytest(text: str) -> Verdict | None:
    """Read pytest's output: its last line, its short summary, else its blocks and `-v` lines.

    Of several runs in one output the last that failed tells the verdict, with how many of them failed.
    """
    ends = list(_PYTEST_END.finditer(text))
    if not ends:
        return _unfinished(text)
    red_ends = [end for end in ends if "failed" in end["counts"] or "error" in end["counts"]]
    end = (red_ends or ends)[-1]
    numbers = {
        word.rstrip("s") if word.startswith("error") else word: whole(number)
        for number, word in _WORDS.findall(end["counts"])
    }
    failed, errors = numbers.get("failed", 0), numbers.get("error", 0)
    counts = counted(
        (
            (failed, "failed"),
            (errors, "error" if errors == 1 else "errors"),
            (numbers.get("passed", 0), "passed"),
            (numbers.get("skipped", 0), "skipped"),
            (numbers.get("xfailed", 0), "xfailed"),
        )
    )
    red = bool(failed or errors)
    if red and len(ends) > 1:
        counts = f"{len(red_ends)} of {len(ends)} runs red: {counts}"
    return Verdict(
        red if counts else None,
        counts or f"no tests ran, {end['counts']}",
        _pytest_failures(text) if red else (),
    )


def _unfinished(text: str) -> Verdict | None:
    """Read pytest's output without its last line: cut, or stopped before a test ran."""
    if _PYTEST_NONE.search(text):
        said = next((line for line in text.split("\n") if line.startswith(("ERROR: ", "E   "))), "")
        return Verdict(bool(said) or None, "no tests ran", (said,) if said else ())
    verbose = [(match["name"], match["verdict"]) for match in _PYTEST_VERBOSE.finditer(text)]
    blocks = "= FAILURES =" in text or "= ERRORS =" in text
    if not verbose and not blocks and not ("= test session starts =" in text and _PYTEST_BAR.search(text)):
        return None
    failed = [name for name, verdict in verbose if verdict != "PASSED"]
    red = bool(failed) or blocks
    counts = counted(((len(failed), "failed"), (len(verbose) - len(failed), "passed"))) or (
        "failed" if red else "no verdict seen"
    )
    return (
        Verdict(red, f"{counts}, output cut", _pytest_failures(text) or tuple(map(_short, failed)))
        if red
        else None
    )


def _pytest_failures(text: str) -> tuple[str, ...]:
    blocks = list(_PYTEST_BLOCK.finditer(text))[: 2 * _LISTED]
    details: dict[str, tuple[str, str]] = {}
    for position, block in enumerate(blocks):
        stop = blocks[position + 1].start() if position + 1 < len(blocks) else len(text)
        said = _PYTEST_SAID.search(text, block.end(), stop)
        place = last_match(_PYTEST_PLACE, text, block.end(), stop)
        name = block["name"] if block["name"].endswith(".py") else block["name"].replace(".", "::")
        details[name] = (
            said["said"] if said else "",
            f"{file_name(place['file'])}:{place['line']}" if place else "",
        )
    found: dict[str, str] = {}
    for match in _PYTEST_LINE.finditer(text):
        test = match["name"].rpartition(".py::")[2]
        detail, where = details.get(test, ("", ""))
        error = match["said"] or ""
        error = detail if not error or (detail and error.endswith("...")) else error
        found.setdefault(_short(match["name"]), failure(_short(match["name"]), error, where))
        if len(found) > 20:
            break
    if not found:
        found = {name: failure(_short(name), detail, where) for name, (detail, where) in details.items()}
    return tuple(found.values())


def _short(name: str) -> str:
    """Write a test's name short: `tests/unit/test_a.py::TestB::test_c` is `test_a.py::test_c`."""
    path, mark, rest = name.partition("::")
    return f"{short_path(path, 1)}::{rest.rpartition('::')[2]}" if mark else short_path(name)


def unittest(text: str) -> Verdict | None:
    """Read unittest's output: `Ran 12 tests in 0.1s`, `FAILED (failures=1)`, and its blocks."""
    ran = last_match(_RAN, text)
    end = _UNITTEST_END.search(text, ran.end() if ran else max(0, len(text) - 400))
    if ran is None and (end is None or "=" not in (end["counts"] or "")):
        return None
    total = whole(ran["ran"]) if ran else 0
    numbers = (
        {
            name.strip(): whole(value)
            for name, _, value in (part.partition("=") for part in (end["counts"] or "").split(","))
            if value.isdecimal()
        }
        if end
        else {}
    )
    failed, errors, skipped = numbers.get("failures", 0), numbers.get("errors", 0), numbers.get("skipped", 0)
    blocks = [
        match
        for match in _UNITTEST_BLOCK.finditer(text)
        if text.startswith("\n----", match.end()) or "\n----" in text[match.end() : match.end() + 400]
    ]
    red = bool(failed or errors or (end is not None and end["word"] == "FAILED") or (end is None and blocks))
    passed = max(0, total - failed - errors - skipped)
    counts = counted(
        (
            (failed, "failed"),
            (errors, "errors" if errors > 1 else "error"),
            (passed, "passed"),
            (skipped, "skipped"),
        )
    )
    return Verdict(
        red if red or total else None,
        counts or "no tests ran",
        _unittest_failures(text, blocks) if red else (),
    )


def _unittest_failures(text: str, blocks: list[re.Match[str]]) -> tuple[str, ...]:
    found = []
    for position, block in enumerate(blocks[:_LISTED]):
        stop = blocks[position + 1].start() if position + 1 < len(blocks) else len(text)
        fault = exception_in(text[block.end() : min(stop, block.end() + 8000)])
        where = (block["where"] or "").split(".")
        case = next((part for part in reversed(where) if part[:1].isupper()), "")
        name = f"{case}.{block['name']}" if case and case not in block["name"] else block["name"]
        found.append(failure(name, fault.said if fault else "", fault.place if fault else ""))
    return (*found, *(block["name"] for block in blocks[_LISTED:20]))
