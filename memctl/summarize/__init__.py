"""Summaries by rules (DESIGN 4.1): one module a kind of tool result, the table of them, and the entry points."""

from memctl.model import Json, Summary
from memctl.summarize import outcomes, requests
from memctl.summarize.conclusions import combine, conclusion
from memctl.summarize.names import names_in, shorten_call
from memctl.summarize.planning import plan_items
from memctl.summarize.targets import target_of
from memctl.summarize.tools import kind_of
from memctl.summarize.wording import clip

__all__ = ["combine", "conclusion", "describe", "names_in", "plan_items", "shorten_call", "summarize"]


def describe(tool: str, arguments: Json) -> tuple[str, str]:
    """Say what a call is, before any result: its kind (one of `model.KINDS`) and its target, one short line."""
    request = requests.read(tool, arguments)
    kind = kind_of(request)
    return kind, target_of(request, kind)


def summarize(tool: str, arguments: Json, result: str | None, *, is_error: bool | None = None) -> Summary:
    """Say in one line of at most 200 characters what a tool call found, changed or broke (DESIGN 4.1).

    result: the text that came back; None when it is not there. is_error: what the transcript says of it.
    Never raises; linear in the size of the result.
    """
    request = requests.read(tool, arguments)
    kind = kind_of(request)
    target = target_of(request, kind)
    if result is None:
        return Summary(kind, target, "missing", clip(f"no result: {target}"), 0)
    outcome = outcomes.read(result, is_error=is_error)
    lines = outcome.kept()
    failed = bool(outcome.failed or outcome.code)
    said = lines[-1] if lines else "no output"
    return Summary(kind, target, "error" if failed else "ok", clip(f"{target}: {said}"), 5)
