"""Summaries by rules (DESIGN 4.1): one module per kind of tool result, their table, and the entry points.

The modules of the kinds are loaded when a result is summarized: what only asks what a call is does without.
"""

from typing import TYPE_CHECKING

from memctl.loading import loads_from
from memctl.model import Json
from memctl.summarize import requests
from memctl.summarize.conclusions import (  # one bears its module's name, so that it cannot wait
    combine as combine,
    conclusion as conclusion,
    conclusions as conclusions,
    facts_of as facts_of,
    may_quote as may_quote,
)
from memctl.summarize.targets import target_of
from memctl.summarize.tools import kind_of

if TYPE_CHECKING:
    from memctl.summarize.names import names_in as names_in, shorten_call as shorten_call
    from memctl.summarize.planning import plan_items as plan_items
    from memctl.summarize.repeats import differs as differs, typed as typed
    from memctl.summarize.results import difference as difference, summarize as summarize

_HOMES = {
    "names_in": "names",
    "shorten_call": "names",
    "plan_items": "planning",
    "difference": "results",
    "differs": "repeats",
    "summarize": "results",
    "typed": "repeats",
}

__getattr__ = loads_from(__name__, _HOMES)


def describe(tool: str, arguments: Json) -> tuple[str, str]:
    """Say what a call is, before any result: its kind (of `model.KINDS`) and its target, one short line."""
    request = requests.read(tool, arguments)
    kind = kind_of(request)
    return kind, target_of(request, kind)
