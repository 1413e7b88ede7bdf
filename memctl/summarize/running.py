"""Commands and scripts: the error that matters, else the line that says something."""

from dataclasses import replace

from memctl.summarize import suites
from memctl.summarize.contents import patched
from memctl.summarize.faults import Fault, error_line, exception_in, shell_error
from memctl.summarize.outcomes import Finding, Outcome, first_line, last_line, telling, without_warnings
from memctl.summarize.patterns import regex
from memctl.summarize.requests import Request
from memctl.summarize.values import described
from memctl.summarize.verdicts import COLOURS
from memctl.summarize.wording import LIMIT, clip, lead
from memctl.text.numbers import how_many

# A line of a script's own output that says what it came to: a check that failed, a token in braces that was looked for.
_SAYS = regex(
    r"\bFalse\b|✗|✘|❌|\bFAIL|\bmismatch|\b(?:not|never) (?:equal|called|found|working|handled|expected)\b"
    r"|\bcalled 0 times\b|\b[A-Za-z]\w{1,15}\{[!-~]{6,80}\}|不一致|失败|失敗|실패"
)
_NUMBER = regex(r"\d+")
_FEW = 4  # lines of an output that is given whole


def run(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a command: its exception or error line; a short output whole, a long one by its ends."""
    verdict = suites.verdict(outcome.text)
    if verdict is not None and (verdict.red or not outcome.broke):
        if verdict.red and request.kept(outcome.lines):
            verdict = verdict.at_least()
        return Finding(verdict.text(target), 7, verdict.red is True, COLOURS[verdict.red])
    failed = failure_of(request, outcome)
    if failed:
        return Finding(lead(target, failed), 7, failed=True)
    if outcome.empty:
        return Finding(lead(target, outcome.silence), 9)
    said, score = shown(outcome, LIMIT - min(len(target), LIMIT // 2) - 2, printed=True)
    return Finding(lead(target, said), score)


def shown(outcome: Outcome, room: int, *, printed: bool = False) -> tuple[str, int]:
    """Return an output in at most *room* characters, and how well that stands in for it.

    printed: it is what a program printed, in which a line may say what it came to.
    """
    if room < 20:
        return "", 3
    value = described(outcome.text, room)
    if value is not None:
        return value.text, value.score
    if printed:
        outcome = replace(outcome, text=without_warnings(outcome.text))
    patch = patched(outcome.text.lstrip(), room)
    if patch:
        return patch, 5
    lines = [line.strip() for line in outcome.text[:4000].split("\n") if telling(line)]
    if not outcome.cut and outcome.size <= 4000 and lines and len(lines) <= _FEW:
        whole = " / ".join(lines)
        if len(whole) <= room:
            return whole, 10
    last, first = last_line(outcome.text), first_line(outcome.text)
    if printed and (says := next((line for line in lines if _SAYS.search(line)), "")) and says != last:
        first = says
    size = f" ({how_many(outcome.lines, 'line')})" if outcome.lines > 1 else ""
    if first == last or not first:
        return clip(last, room - len(size)) + size, 4
    if _NUMBER.sub("0", first) == _NUMBER.sub("0", last):  # a series: what it came to
        return clip(f"{last}, from {first}", room - len(size)) + size, 4
    half = (room - len(size) - 5) // 2
    return f"{clip(first, half)} ... {clip(last, room - len(size) - 5 - min(half, len(first)))}{size}", 3


def failure_of(request: Request, outcome: Outcome) -> str:
    """Return what went wrong with a command, "" when nothing did.

    The exit code decides where there is one and it is the command's own; else a traceback at the end, or a
    short output in which a shell or program says that it could not do its work.
    """
    fault = exception_in(outcome.text)
    certain = outcome.worked and not request.line_is_piped
    if fault is not None and (not certain or _ends_with(outcome, fault)):
        return fault.text
    if outcome.broke:
        said = (
            (fault.text if fault is not None else "") or error_line(outcome.text) or last_line(outcome.text)
        )
        code = f"exit code {outcome.code}" if outcome.code else "failed"
        return f"{code}: {said}" if said else f"{code}, no output"
    if certain or outcome.lines > 12:
        return ""
    said = shell_error(outcome.text)
    return said if said and _is_report(said) else ""


def _ends_with(outcome: Outcome, fault: Fault) -> bool:
    return outcome.text.rstrip().count("\n", fault.at) <= 3


def _is_report(line: str) -> bool:
    """Say whether a line reports an error of a program (`bash: x: command not found`) and is no prose."""
    return ": " in line and len(line) < 300
