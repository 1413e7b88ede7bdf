"""Verdicts of other languages' test runners: go, cargo, JUnit, .NET, CTest, RSpec, PHPUnit, XCTest."""

import re

from memctl.summarize.outcomes import last_match
from memctl.summarize.patterns import regex
from memctl.summarize.verdicts import Verdict, counted, failure
from memctl.summarize.wording import file_name, short_path
from memctl.text.numbers import how_many, whole

_GO_FAIL = regex(r"^[ \t]*+--- FAIL: (?P<name>\S+)", re.MULTILINE)
_GO_PASS = regex(r"^[ \t]*+--- PASS: ", re.MULTILINE)
_GO_PACKAGE = regex(
    r"^(?P<word>ok  |FAIL|---)\t(?P<name>\S+)(?:\t(?P<how>[^\n]*)|[ ]\[(?P<broken>[^\]\n]*)\])?", re.MULTILINE
)
_GO_SAID = regex(
    r"^[ \t]++(?P<file>\w[\w.-]*\.go):(?P<line>\d+): ?(?P<said>[^\n]*)(?:\n[ \t]++Error Trace:[^\n]*)?"
    r"(?:\n[ \t]++Error:[ \t]++(?P<more>[^\n]*))?",
    re.MULTILINE,
)
_GO_BUILD = regex(
    r"^(?:vet: )?(?P<file>[^\s:][^\s:]*\.go):(?P<line>\d+)(?::\d+)?: (?P<said>[^\n]*)", re.MULTILINE
)
_GO_SETUP = regex(
    r"^(?:stat \S+: directory not found|(?:no required module|package \S+ is not in"
    r"|cannot find package|no Go files in|found packages)[^\n]*)",
    re.MULTILINE,
)
_GO_WRONG = regex(
    r"\b(?:expected|want(?:ed)?|got|error|fail(?:ed|ure)?|unexpected|should|must|mismatch|not equal"
    r"|missing|timed? ?out)\b",
    re.IGNORECASE,
)
_CARGO_END = regex(
    r"^test result: (?P<word>ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; "
    r"(?P<ignored>\d+) ignored",
    re.MULTILINE,
)
_CARGO_FAIL = regex(r"^test (?P<name>\S+)[^\n]{0,100}? \.\.\. FAILED", re.MULTILINE)
_CARGO_SAID = regex(
    r"^thread '(?P<name>[^'\n]*)' (?:\(\d+\) )?panicked at (?:'(?P<old>[^\n]*)', )?(?P<file>[^\s:,]+):"
    r"(?P<line>\d+)[:\d]*\n?(?P<said>[^\n]*)(?:\n +left: (?P<left>[^\n]*)\n +right: (?P<right>[^\n]*))?",
    re.MULTILINE,
)
_NEXTEST = regex(
    r"^[ \t]*+Summary \[[^\]\n]*\] +(?P<ran>\d+) tests? run: (?P<passed>\d+) passed[^\n]*?(?:, "
    r"(?P<failed>\d+) failed)?",
    re.MULTILINE,
)
_JUNIT_END = regex(
    r"Tests run: (?P<ran>\d+), Failures: (?P<failures>\d+), Errors: (?P<errors>\d+)(?:, Skipped: "
    r"(?P<skipped>\d+))?"
)
_JUNIT_LINE = regex(
    r"^\[ERROR\] +(?P<name>[A-Z]\w*[.:][\w$.]+(?:\[[^\]\n]*\])?(?:->[\w.:]+)?)(?::(?P<line>\d+))?"
    r"(?:[: ](?:»)? ?(?P<said>[^\n]*))?$",
    re.MULTILINE,
)
_GRADLE_LINE = regex(
    r"^(?P<name>[\w.$]+ > [^\n]{1,200}?) FAILED\n[ \t]++(?P<said>[^\n]*)(?:\n[ \t]++at (?P<place>[^\n]*))?",
    re.MULTILINE,
)
_GRADLE_END = regex(r"^(?P<ran>\d+) tests? completed(?:, (?P<failed>\d+) failed)?", re.MULTILINE)
_DOTNET_END = regex(
    r"(?:Passed|Failed)! +- Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), Skipped: +(?P<skipped>\d+)"
)
_DOTNET_LINE = regex(
    r"^[ \t]*+(?:Failed|X) +(?P<name>[\w.]+)[^\n]*\n[ \t]*+Error Message:[ \t]*+\n?[ \t]*+(?P<said>[^\n]*)",
    re.MULTILINE,
)
_DOTNET_OLD = regex(
    r"^[ \t]*+Total tests: (?P<ran>\d+)\.?(?:\s+Passed: (?P<passed>\d+)\.?)?(?:\s+Failed: "
    r"(?P<failed>\d+)\.?)?(?:\s+Skipped: (?P<skipped>\d+)\.?)?",
    re.MULTILINE,
)
_CTEST_END = regex(r"^\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<ran>\d+)", re.MULTILINE)
_CTEST_LINE = regex(r"^[ \t]++\d+ - (?P<name>\S+) \((?P<said>[^)\n]*)\)", re.MULTILINE)
_RSPEC_END = regex(
    r"^(?P<ran>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<pending>\d+) pending)?", re.MULTILINE
)
_RSPEC_BLOCK = regex(
    r"^  \d+\) (?P<name>[^\n]+)\n[ \t]++Failure/Error: [^\n]*\n(?:[ \t]*\n){0,3}[ \t]++"
    r"(?P<said>[^\n]+)(?:\n[ \t]++(?P<got>got: [^\n]*))?",
    re.MULTILINE,
)
_RSPEC_LINE = regex(r"^rspec (?P<name>\S+)(?: # (?P<said>[^\n]*))?", re.MULTILINE)
_PHPUNIT_OK = regex(r"^OK \((?P<ran>\d+) tests?, (?P<asserted>\d+) assertions?\)", re.MULTILINE)
_PHPUNIT_BAD = regex(
    r"^Tests: (?P<ran>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?",
    re.MULTILINE,
)
_PHPUNIT_LINE = regex(r"^\d+\) (?P<name>\S+::\S+)[^\n]*\n(?P<said>[^\n]+)", re.MULTILINE)
_MINITEST = regex(
    r"^(?P<ran>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors",
    re.MULTILINE,
)
_MINITEST_LINE = regex(
    r"^[ \t]++\d+\) (?:Failure|Error):\n(?P<name>\S+)[^\n]*\n(?P<said>[^\n]*)", re.MULTILINE
)
_SWIFT_END = regex(r"Executed (?P<ran>\d+) tests?, with (?P<failed>\d+) failures?")
_SWIFT_LINE = regex(
    r"^(?P<file>[^\s:]+):(?P<line>\d+): error: (?P<name>\S+(?: \S+\])?) : (?P<said>[^\n]*)", re.MULTILINE
)
_LISTED = 4


def go(text: str) -> Verdict | None:
    """Read `go test`: its failing tests, packages that do not build, panics, and packages that passed."""
    failing = list(_GO_FAIL.finditer(text))
    packages = list(_GO_PACKAGE.finditer(text))
    good = [match for match in packages if match["word"] == "ok  "]
    bad = [match for match in packages if match["word"] == "FAIL"]
    passed = sum(1 for _ in _GO_PASS.finditer(text))
    if not failing and not packages and not passed:
        return None
    failures = _go_failures(text, failing)
    if not failures and bad:
        broken = [
            failure(f"{file_name(match['file'])}:{match['line']}", match["said"])
            for match in _GO_BUILD.finditer(text)
        ]
        broken += [match.group() for match in _GO_SETUP.finditer(text)]
        panicked = re.search(r"^(panic: [^\n]*)", text, re.MULTILINE)
        failures = tuple(dict.fromkeys(broken))[:20] or (
            (panicked[1],)
            if panicked
            else tuple(f"{short_path(match['name'])} {match['broken'] or ''}".strip() for match in bad)
        )
    red = bool(failing or bad) or text.rstrip().endswith("\nFAIL")
    leaves = _leaves([match["name"] for match in failing])
    counts = counted(((len(leaves), "failed"), (passed, "passed")))
    if not leaves:
        many = len(bad) > 1
        counts = (
            counted(((len(bad), "packages failed" if many else "package failed"), (passed, "passed")))
            or counts
        )
    if good:
        counts = (
            f"{counts}, {how_many(len(good), 'package')} ok"
            if counts
            else f"{how_many(len(good), 'package')} ok"
        )
    if good and all("no tests to run" in (match["how"] or "") for match in good) and not red:
        return Verdict(None, f"no tests to run in {how_many(len(good), 'package')}")
    return Verdict(red, counts or "failed", failures if red else ())


def _leaves(names: list[str]) -> list[str]:
    """Return the failing tests without those that only hold a failing subtest."""
    parents = {name.rpartition("/")[0] for name in names}
    return [name for name in dict.fromkeys(names) if name not in parents]


def _go_failures(text: str, failing: list[re.Match[str]]) -> tuple[str, ...]:
    leaves = set(_leaves([match["name"] for match in failing]))
    found: dict[str, str] = {}
    for position, match in enumerate(failing):
        name = match["name"]
        if name not in leaves or name in found:
            continue
        if len(found) >= _LISTED:
            found[name] = name
            continue
        stop = min(
            failing[position + 1].start() if position + 1 < len(failing) else len(text), match.end() + 3000
        )
        said = _go_said(text, match.end(), stop)
        if said is None:  # with -v the messages stand before the verdict
            start = text.rfind(f"=== RUN   {name}\n", max(0, match.start() - 8000), match.start())
            said = _go_said(text, start, match.start()) if start >= 0 else None
        found[name] = failure(
            name,
            (said["more"] or said["said"]) if said else "",
            f"{said['file']}:{said['line']}" if said else "",
        )
    return tuple(found.values())


def _go_said(text: str, start: int, stop: int) -> re.Match[str] | None:
    """Return a failing test's message that reads as an error, else its last one; logs stand among them."""
    said = list(_GO_SAID.finditer(text, start, stop))
    return next(
        (match for match in said if match["more"] or _GO_WRONG.search(match["said"])),
        said[-1] if said else None,
    )


def cargo(text: str) -> Verdict | None:
    """Read `cargo test`: its results added up, its failing tests, where each panicked."""
    ends = list(_CARGO_END.finditer(text))
    if not ends:
        end = _NEXTEST.search(text)
        if end is None:
            return None
        failed = whole(end["failed"])
        return Verdict(bool(failed), counted(((failed, "failed"), (whole(end["passed"]), "passed"))), ())
    failed, passed, ignored = (
        sum(whole(end[word]) for end in ends) for word in ("failed", "passed", "ignored")
    )
    said = {match["name"]: match for match in _CARGO_SAID.finditer(text)}
    failures = []
    for match in _CARGO_FAIL.finditer(text):
        panic = said.get(match["name"])
        error = (panic["old"] or panic["said"]) if panic else ""
        if panic and panic["left"]:
            error = f"{error} left {panic['left']}, right {panic['right']}"
        failures.append(
            failure(match["name"], error, f"{file_name(panic['file'])}:{panic['line']}" if panic else "")
        )
    return Verdict(
        bool(failed),
        counted(((failed, "failed"), (passed, "passed"), (ignored, "ignored"))) or "no tests ran",
        tuple(failures[:20]),
    )


def junit(text: str) -> Verdict | None:
    """Read Maven's and Gradle's test output."""
    end = last_match(_JUNIT_END, text)
    lines = [
        failure(match["name"], match["said"], _java_place(match["place"] or ""))
        for match in _GRADLE_LINE.finditer(text)
    ]
    if end is None:
        gradle = _GRADLE_END.search(text)
        if gradle is None and not lines:
            return None
        failed = whole(gradle["failed"]) if gradle else len(lines)
        passed = whole(gradle["ran"]) - failed if gradle else 0
        return Verdict(bool(failed), counted(((failed, "failed"), (passed, "passed"))), tuple(lines[:20]))
    ran, failed, errors, skipped = (whole(end[word]) for word in ("ran", "failures", "errors", "skipped"))
    counts = counted(
        (
            (failed, "failed"),
            (errors, "errors"),
            (ran - failed - errors - skipped, "passed"),
            (skipped, "skipped"),
        )
    )
    names = [
        failure(match["name"] + (f":{match['line']}" if match["line"] else ""), match["said"] or "")
        for match in _JUNIT_LINE.finditer(text)
    ]
    red = bool(failed or errors)
    return Verdict(red, counts or "no tests ran", tuple(dict.fromkeys(names))[:20] if red else ())


def _java_place(frame: str) -> str:
    return frame.rpartition("(")[2].rstrip(")") if "(" in frame else frame.rpartition(" at ")[2]


def others(text: str) -> Verdict | None:
    """Read the output of .NET, CTest, RSpec, PHPUnit, minitest and XCTest: two patterns each."""
    for end, line in (
        (_DOTNET_END, _DOTNET_LINE),
        (_DOTNET_OLD, _DOTNET_LINE),
        (_CTEST_END, _CTEST_LINE),
        (_RSPEC_END, _RSPEC_LINE),
        (_PHPUNIT_BAD, _PHPUNIT_LINE),
        (_MINITEST, _MINITEST_LINE),
        (_SWIFT_END, _SWIFT_LINE),
        (_PHPUNIT_OK, _PHPUNIT_LINE),
    ):
        found = last_match(end, text)
        if found is None:
            continue
        numbers = {name: whole(value) for name, value in found.groupdict().items() if value}
        failed, errors = numbers.get("failed", 0), numbers.get("errors", 0)
        passed = numbers.get("passed", numbers.get("ran", 0) - failed - errors - numbers.get("pending", 0))
        counts = counted(
            (
                (failed, "failed"),
                (errors, "errors"),
                (passed, "passed"),
                (numbers.get("skipped", 0), "skipped"),
                (numbers.get("pending", 0), "pending"),
            )
        )
        red = bool(failed or errors)
        names = [failure(match["name"], match["said"] or "") for match in line.finditer(text)] if red else []
        if line is _RSPEC_LINE and red:
            names = [
                failure(match["name"], f"{match['said']} {match['got'] or ''}")
                for match in _RSPEC_BLOCK.finditer(text)
            ] or names
        return Verdict(red, counts or "no tests ran", tuple(dict.fromkeys(names))[:20])
    return None
