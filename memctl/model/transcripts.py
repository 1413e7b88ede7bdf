"""What readers make of a transcript: messages and their parts, facts of sessions, damage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memctl.model.values import Json

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
    marks: kinds of noise that cover the *whole* message (`readers.marks.MARK_KINDS`): nobody said it.
        Noise inside a message (`<system-reminder>` and the like) is found later, for all formats at once.
    usage: token counts of one API answer, on the message that carries it.
    parent: native id of the message this one follows, in formats that branch.
    told: role and parts of the same message as plain chat, where the reader found calls or results in its text.
        The beginning of a run may have been read as plain chat: without an id a message is known by this.
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
    told: tuple[Role, tuple[Part, ...]] | None = None


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
