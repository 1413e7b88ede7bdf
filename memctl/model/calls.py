"""What is known of a tool call: the summary of its result, and its entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memctl.model.values import Json

CallStatus = Literal["ok", "error", "missing"]
KINDS = (  # of tool calls, DESIGN 4.1
    *("read", "list", "search", "edit", "write", "run", "test", "build"),
    *("vcs", "web", "mcp", "plan", "agent", "other"),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What one tool call came to.

    kind: one of `KINDS`. target: what it was about, for a title ("auth.py", "pytest -q", an address).
    text: at most 200 characters; what was found, changed or broke.
    score: 0 to 10, how well the text stands in for the result. A result that is fully said by its
        summary (an edit that worked, an empty listing) is 9 to 10; a long text of which one line is
        quoted is 2 to 4; nothing but the size is 0.
    turned: "red" or "green" when the result is a verdict (tests, build, lint), else "".
    """

    kind: str
    target: str
    status: CallStatus
    text: str
    score: int
    turned: Literal["red", "green", ""] = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One JSONL line of `offload-<session>.jsonl` (DESIGN 2.3). *extra* keeps unknown keys."""

    timestamp: str | None
    node_id: str | None
    mmd: str | None
    tool_call: str
    summary: str
    result_ref: str | None
    tool_call_id: str
    session_id: str
    seq: int
    upto: int
    tool: str
    kind: str
    status: CallStatus
    score: int
    result_bytes: int = 0
    result_tokens: int = 0
    result_sha256: str | None = None
    result: str | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
