"""The values that flow through memctl; no behaviour beyond what their fields mean.

Readers make `Message` and its parts from transcripts. The store keeps them as L0 lines, refs and
`Entry` lines. Growth turns `Step`, `Prompt` and `Said` into `Canvas` values. Words: DESIGN section 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Json = Any  # a parsed JSON value; transcripts may hold anything

# --------------------------------------------------------------------------- transcripts

Role = Literal["user", "assistant", "tool", "system"]


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of readable text."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """The agent's reasoning, with the provider's signature when there is one."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: base64 *data* exactly as the transcript has it, or a *url*."""

    media_type: str
    data: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Raw:
    """A content block of a kind memctl does not know, kept whole."""

    value: Json


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. *arguments* verbatim: the JSON value, or the string, that the transcript has."""

    id: str | None
    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Result:
    """What came back for the call with id *call_id* (None: pair with the oldest open call).

    *name* is the tool's name where the transcript repeats it beside the result.
    """

    call_id: str | None
    blocks: tuple["Text | Image | Raw", ...]
    is_error: bool | None = None
    name: str | None = None


Part = Text | Thinking | Image | Raw | Call | Result


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a session, as a reader gives it (DESIGN 2.8).

    session: the key of the `SessionFacts` it belongs to.
    id: the native id, unique within the session; None when the format has none.
    role: "tool" for a message that holds results and no words of its own.
    timestamp: ISO 8601 as the transcript has it; None when it has none.
    marks: kinds of noise that cover the *whole* message (`text.MARK_KINDS`): the user did not say it.
        Noise inside a message (`<system-reminder>` and the like) is found later, for all formats at once.
    usage: token counts of one API answer, on the message that carries it.
    parent: native id of the message this one follows, in formats that branch.
    """

    session: str
    id: str | None
    role: Role
    parts: tuple[Part, ...]
    timestamp: str | None = None
    marks: tuple[str, ...] = ()
    model: str | None = None
    usage: Mapping[str, int] | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What a transcript says about one of its sessions; given before its first message.

    key: unique within the source; messages refer to it. It is the session id when there is one.
    id: the transcript's own session id, or None (one is then made from the first user message).
    seed: what tells apart sessions without an id that begin alike (task, trial; DESIGN 2.1).
    facts: any of cwd, branch, agent, version, title, parent (session id), parent_call, started, model.
        Given again for the same key, new facts are added and known ones kept.
    """

    key: str
    id: str | None
    format: str
    seed: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Damage:
    """A piece of a source that cannot be read: its line (from 1), byte offset, reason and bytes."""

    line: int
    offset: int
    reason: str
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that is no message (progress, snapshot, ...); counted by *kind* in its session."""

    kind: str
    session: str | None = None


Event = SessionFacts | Message | Damage | Skipped

# --------------------------------------------------------------------------- entries

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


# --------------------------------------------------------------------------- growth


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call as growth sees it, in transcript order.

    key: the call's key. seq: ordinal of the call in its session. message: seq of its message; calls of
    one message run side by side. names: names (4 characters or more) in its arguments. uses: keys of
    earlier calls whose findings it names (DESIGN 4.2). said: the agent's words just before the call in
    the same message. placed: the node id stored when the call was first seen, or None.
    plan: for plan tools, the items as (text, status) with status todo, doing or done.
    """

    key: str
    seq: int
    message: int
    tool: str
    kind: str
    target: str
    status: CallStatus
    summary: str
    turned: str
    timestamp: str | None
    names: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    said: str = ""
    placed: str | None = None
    plan: tuple[tuple[str, str], ...] | None = None
    done: bool = True  # its result is there


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words of the user (noise removed): may start, continue or resume a task."""

    message: int
    text: str
    timestamp: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the agent after results: may hold the conclusion of the calls before it."""

    message: int
    text: str
    timestamp: str | None


Happening = Step | Prompt | Said

# --------------------------------------------------------------------------- canvases

NodeStatus = Literal["todo", "doing", "done", "paused", "blocked"]
CanvasStatus = Literal["active", "paused", "completed", "cancelled", "archived"]
Shape = Literal["read", "edit", "verify", "run", "store", "finding", "dead_end"]


@dataclass(frozen=True, slots=True)
class Node:
    """One step on a canvas. *folded* are the numbers of the nodes folded into it, as closed ranges."""

    number: int
    title: str
    status: NodeStatus
    summary: str
    timestamp: str | None
    shape: Shape = "read"
    folded: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """From one node number to another; *label* says why; *dotted* edges mean "uses"."""

    source: int
    target: int
    label: str = ""
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class Canvas:
    """A task drawn as a Mermaid flowchart (DESIGN 2.4).

    number: the NNN of its file and of its node ids (`NNN-Nk` for node number k).
    upto: seq of the last message it knows. progress: percent of nodes done, folded ones included.
    extra: other header keys (was, before, ...), kept in their order.
    """

    number: int
    goal: str
    status: CanvasStatus
    progress: int
    created: str | None
    updated: str | None
    session: str
    upto: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    by: str = "rules"
    extra: Mapping[str, Json] = field(default_factory=dict)


def node_id(canvas: int, number: int) -> str:
    """Write a node's id: canvas 3, node 4 is `003-N4`."""
    return f"{canvas:03d}-N{number}"


# --------------------------------------------------------------------------- problems


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding of `validate` or `check`: where, a stable code, what, and what to do."""

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: Literal["error", "warning", "note"] = "error"
    hint: str = ""
