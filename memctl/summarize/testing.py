"""Test runs and builds: the verdict, with the names of the first failures and their errors."""

import re

from memctl.summarize import checkers, suites
from memctl.summarize.outcomes import Finding, Outcome, last_line
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.running import failure_of, shown
from memctl.summarize.verdicts import COLOURS, Verdict
from memctl.summarize.wording import LIMIT, clip, lead

# What the last line of a script of the agent's own says of the run.
_FAILING = regex(
    r"[\W_]*(?:fail(?:ed|ure|ures)?\b|error:|some tests failed|✗|✘|❌|失败|テスト失敗|エラー|失敗|실패|오류)",
    re.IGNORECASE,
)
_PASSING = regex(
    r"\ball (?:\w+ ){0,3}pass|\bpass(?:ed)?\b|\bsucce(?:ss|eded)|\bok\b|✓|✔|✅|全部通过|通过|成功|통과|성공",
    re.IGNORECASE,
)
_DOUBT = regex(r"\bFAIL|\bFalse\b|✗|✘|❌|\bERROR\b|Traceback|失败|失敗|실패")


def test(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a test run: what failed and how, else how many passed."""
    verdict = suites.verdict(outcome.text)
    if not _is_script(request) and (verdict is None or (not verdict.red and outcome.broke)):
        checked = checkers.check(outcome.text)  # it did not even build
        verdict = checked if checked is not None and (checked.red or verdict is None) else verdict
    return _judged(request, target, outcome, verdict)


def build(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a build, lint, type check or installation: the first errors, else what was made."""
    verdict = checkers.check(outcome.text)
    if verdict is None or not verdict.red:
        tested = suites.verdict(outcome.text)
        verdict = tested if tested is not None and (tested.red or verdict is None) else verdict
    return _judged(request, target, outcome, verdict)


_COUNTS_LINES = regex(r"\bpackages? ok\b")  # a program that writes a line for each, and no sum


def _judged(request: Request, target: str, outcome: Outcome, verdict: Verdict | None) -> Finding:
    if verdict is not None and (verdict.red or not outcome.broke):
        if verdict.red and request.kept(outcome.lines, ends=verdict.listed):
            verdict = verdict.at_least()
        score = 9 if not verdict.red else 8 if verdict.failures and len(verdict.failures) < 4 else 6
        said = verdict.text(target)
        if request.filtered and verdict.red is False and _COUNTS_LINES.search(verdict.counts):
            said = clip(f"{said}, of the lines with {request.filtered}")  # others were not printed
        return Finding(said, score, verdict.red is True, COLOURS[verdict.red])
    failed = failure_of(request, outcome)
    if failed:
        return Finding(lead(target, failed), 7, failed=True, turned="red")
    certain = outcome.worked and not request.line_is_piped
    if outcome.empty:
        return _silent(request, target, outcome)
    last = last_line(outcome.text)
    said, score = shown(outcome, LIMIT - min(len(target), LIMIT // 2) - 2, printed=True)
    if _FAILING.match(last):
        return Finding(lead(target, said), score, failed=True, turned="red")
    passed = (certain and not _is_script(request)) or (
        _PASSING.search(last) is not None and _DOUBT.search(outcome.text) is None
    )
    return Finding(lead(target, said), score, turned="green" if passed else "")


def _silent(request: Request, target: str, outcome: Outcome) -> Finding:
    """Judge a run that printed nothing: most checkers say nothing when nothing is wrong."""
    pattern = request.filtered
    if pattern:
        looked_for_errors = "error" in pattern.lower() or "fail" in pattern.lower()
        return Finding(
            lead(target, f"no output line matches {pattern}"), 8, turned="green" if looked_for_errors else ""
        )
    good = outcome.worked or (outcome.failed is None and outcome.code is None)
    return Finding(
        lead(target, f"passed, {outcome.silence}" if good else outcome.silence),
        9,
        turned="green" if good and not _is_script(request) else "",
    )


def _is_script(request: Request) -> bool:
    """Say whether a script of the agent's own is run, whose output follows no runner's form."""
    return (
        request.line.kind == "test"
        and request.line.words[:1] != ()
        and request.line.words[0].startswith(("python", "node", "tsx", "ruby", "php", "bash", "./"))
    )
