"""What is kept of a tool call: its entry."""

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
