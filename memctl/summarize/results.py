"""What a tool call found, changed or broke: the table of the kinds of results, and the summary of one."""

from collections.abc import Callable

from memctl.model import Json, Summary
from memctl.summarize import differences, requests, unwrap
from memctl.summarize.browsing import web
from memctl.summarize.counting import counted
from memctl.summarize.delegating import agent, other
from memctl.summarize.editing import edit, write
from memctl.summarize.listing import list_
from memctl.summarize.outcomes import Finding, Outcome
from memctl.summarize.planning import plan
from memctl.summarize.reading import read
from memctl.summarize.requests import Request
from memctl.summarize.running import run
from memctl.summarize.searching import search
from memctl.summarize.stopping import stopped
from memctl.summarize.targets import NAMELESS, target_of
from memctl.summarize.testing import build, test
from memctl.summarize.tools import kind_of
from memctl.summarize.values import value
from memctl.summarize.versioning import vcs
from memctl.summarize.wording import LIMIT, clip, lead

_KINDS: dict[str, Callable[[Request, str, Outcome], Finding]] = {
    "read": read,
    "list": list_,
    "search": search,
    "edit": edit,
    "write": write,
    "run": run,
    "test": test,
    "build": build,
    "vcs": vcs,
    "web": web,
    "mcp": value,
    "plan": plan,
    "agent": agent,
    "other": other,
}


def summarize(tool: str, arguments: Json, result: str | None, *, is_error: bool | None = None) -> Summary:
    """Say in one line of at most 200 characters what a tool call found, changed or broke (DESIGN 4.1).

    result: the text that came back; None when it is not there. is_error: what the transcript says of it.
    Never raises; linear in the size of the result, of which a head and a tail are read.
    """
    request = requests.read(tool, arguments)
    kind = kind_of(request)
    target = target_of(request, kind)
    if result is None:
        return Summary(kind, target, "missing", lead(target, "no result"), 0)
    outcome = unwrap.read(result, is_error=is_error)
    if outcome.refused:
        return Summary(kind, target, "error", lead(target, outcome.refused), 10)
    named = "" if target == NAMELESS else target
    if cut_off := stopped(kind, named, outcome):
        return Summary(kind, target, "error", clip(cut_off.text), cut_off.score)
    number = counted(request, kind, outcome) if request.command and kind != "search" else ""
    finding = Finding(lead(named, number), 10) if number else _KINDS[kind](request, named, outcome)
    return Summary(
        kind,
        finding.target or target,
        "error" if finding.failed else "ok",
        clip(finding.text),
        finding.score,
        finding.turned,
        "" if finding.failed or request.command or request.paths else differences.about(outcome.text),
    )


def difference(tool: str, arguments: Json, before: str, after: str) -> str:
    """Say in at most 200 characters what a result says differently of the object that an earlier one showed.

    "" when they show no object, or not the same.
    """
    request = requests.read(tool, arguments)
    target = target_of(request, kind_of(request))
    said = differences.difference(
        unwrap.read(before).text, unwrap.read(after).text, LIMIT - min(len(target), LIMIT // 2) - 2
    )
    return lead("" if target == NAMELESS else target, said) if said else ""
