"""Read sessions of the pi coding agent and of OpenClaw, which writes the same lines (FORMATS 3)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memctl.model import (
    Call,
    Damage,
    Event,
    Image,
    Json,
    Message,
    Part,
    Raw,
    Result,
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.fields import NO_ID, counts, first, known, mapping, more_facts, objects, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "pi"

_TOOL_ROLES = ("toolResult", "bashExecution")
_GATEWAY_MODELS = ("gateway-injected", "delivery-mirror")
_SUMMARIES = ("compactionSummary", "branchSummary")
_FILE_ID = re.compile(r"_([0-9A-Za-z-]{8,64})\.jsonl$")

# OpenClaw's own turns: what it says in the user's name begins like this (its transcripts, 2026).
_OWN_TURNS: tuple[tuple[str, str], ...] = (
    ("[OpenClaw heartbeat", "heartbeat"),
    ("Read HEARTBEAT.md if it exists", "heartbeat"),
    ("Follow the heartbeat monitor scratch context", "heartbeat"),
    ("[OpenClaw exec completion]", "notification"),
    ("[OpenClaw cron wake]", "notification"),
    ("[OpenClaw session event]", "notification"),
    ("An async command you ran earlier has completed.", "notification"),
    ("A scheduled reminder has been triggered.", "notification"),
    ("A new session was started via /new or /reset.", "meta"),
    ("Pre-compaction memory flush.", "meta"),
    ("Continue where you left off. The previous model attempt failed", "meta"),
)
_HEARTBEAT_ANSWERS = ("HEARTBEAT_OK", "NO_REPLY")


def detect(source: Source) -> bool:
    """Tell a session by its header line, or by results as only pi writes them."""
    heads = objects(source.head())
    if not heads:
        return False
    if heads[0].get("type") == "session" and string(heads[0].get("id")):
        return "cwd" in heads[0] or "version" in heads[0]
    return any(
        head.get("type") == "message" and mapping(head.get("message")).get("role") in _TOOL_ROLES
        for head in heads
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a session file; branches are told by `parent`.

    A command that the user ran (`bashExecution`) is one message of the user that holds a call named
    "bashExecution" and its result.
    """
    state = _Session()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif not isinstance(line.value, dict):
            yield Skipped("not an object", state.key or None)
        elif line.value.get("type") == "session":
            yield from _header(state, line.value)
        else:
            yield from _entry(state, line.value)


@dataclass(slots=True)
class _Session:
    """What is known after the lines so far."""

    key: str = ""
    model: bool = False  # its model has been given
    stands_for: dict[str, str | None] = field(
        default_factory=dict
    )  # entry id -> the message it is, or follows
    last: str | None = None  # id of the last message


def _header(state: _Session, header: Mapping[str, Json]) -> Iterator[Event]:
    name = string(header.get("id"))
    state.key = name or NO_ID
    state.stands_for, state.last = ({name: None} if name else {}), None
    branched = _FILE_ID.search(string(first(header, "parentSession", "branchedFrom")) or "")
    facts = known(
        agent="OpenClaw" if "openclaw" in str(header.get("cwd")).lower() else "",
        cwd=header.get("cwd"),
        started=time(header.get("timestamp")),
        model=header.get("modelId"),
        parent=branched[1] if branched else None,
    )
    state.model = "model" in facts
    yield SessionFacts(state.key, name, FORMAT, facts=facts)


def _entry(state: _Session, entry: Mapping[str, Json]) -> Iterator[Event]:
    kind = str(entry.get("type"))
    parent = _parent(state, entry)
    message = _message(entry)
    name = string(entry.get("id"))
    if name:
        state.stands_for[name] = parent if message is None else name
    if message is None:
        if kind == "model_change" and not state.model:
            state.model = True
            yield from more_facts(state.key, FORMAT, known(model=entry.get("modelId")))
        elif kind == "session_info":
            yield from more_facts(state.key, FORMAT, known(title=entry.get("name")))
        yield Skipped(kind, state.key or None)
        return
    if not state.key:
        state.key = NO_ID
        yield SessionFacts(NO_ID, None, FORMAT)
    state.last = name
    yield replace(message, session=state.key, parent=parent)


def _parent(state: _Session, entry: Mapping[str, Json]) -> str | None:
    """Find the message that *entry* follows; what its parent names may be no message, or not be here."""
    parent = string(entry.get("parentId"))
    if parent is None or not string(entry.get("id")):
        return None
    return state.stands_for.get(parent, state.last)


# --------------------------------------------------------------------------- messages


def _message(entry: Mapping[str, Json]) -> Message | None:
    """Read an entry as a message, without its session and parent; None when it is none."""
    kind = entry.get("type")
    body = mapping(entry.get("message"))
    role = body.get("role")
    if kind != "message":
        body, role = entry, {"custom_message": "custom", "compaction": "compactionSummary"}.get(str(kind))
        role = "branchSummary" if kind == "branch_summary" else role
    blank = Message("", string(entry.get("id")), "user", (), time(entry.get("timestamp")))
    if role == "assistant":
        return _assistant(blank, body)
    if role == "toolResult":
        return replace(blank, role="tool", parts=(_result(body),))
    if role == "tool":
        results = tuple(part for part in _parts(body.get("content")) if isinstance(part, Result))
        return replace(blank, role="tool", parts=results or (_result(body),))
    if role == "bashExecution":
        return replace(blank, parts=_user_command(body, blank.id), marks=("command",))
    if role in _SUMMARIES:
        summary = string(body.get("summary"))
        return replace(blank, parts=(Text(summary),), marks=("compact_summary",)) if summary else None
    if role in ("custom", "hookMessage"):
        runtime = body.get("customType") == "openclaw.runtime-context"
        parts = _parts(body.get("content"))
        return replace(blank, parts=parts, marks=("environment" if runtime else "meta",)) if parts else None
    if role in ("user", "system", "developer"):
        parts = _parts(body.get("content"))
        speaker: Role = "user" if role == "user" else "system"
        if parts and all(isinstance(part, Result) for part in parts):
            speaker = "tool"
        return replace(
            blank, role=speaker, parts=parts, marks=_user_marks(body, parts) if role == "user" else ()
        )
    return None


def _assistant(blank: Message, body: Mapping[str, Json]) -> Message:
    parts = _parts(body.get("content"))
    marks: tuple[str, ...] = ()
    if body.get("provider") == "openclaw" and body.get("model") in _GATEWAY_MODELS:
        marks = ("gateway",)
    elif _only_text(parts).strip() in _HEARTBEAT_ANSWERS:
        marks = ("heartbeat",)
    elif not parts:  # the answer never came: what is there to read is why
        error = string(body.get("errorMessage"))
        parts = (Text(error),) if error else ()
        marks = ("interrupted",) if body.get("stopReason") == "aborted" else ("api_error",) if error else ()
    return replace(
        blank,
        role="assistant",
        parts=parts,
        marks=marks,
        model=string(body.get("model")),
        usage=counts(body.get("usage")),
    )


def _user_marks(body: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Say what kind of turn of OpenClaw's own a message of the user is; none for a person's words."""
    origin = mapping(first(body, "provenance", "inputProvenance"))
    if origin.get("kind") in ("internal_system", "inter_session"):
        return ("heartbeat" if origin.get("sourceTool") == "heartbeat" else "notification",)
    text = _only_text(parts).strip()
    kinds = [kind for start, kind in _OWN_TURNS if text.startswith(start)]
    if kinds:
        return (kinds[0],)
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line.startswith("System: ") for line in lines):
        return ("notification",)
    return marks_of([text]) if text else ()


def _only_text(parts: tuple[Part, ...]) -> str:
    """Give the text of a message that has nothing but text, else nothing."""
    return "\n".join(part.text for part in parts if isinstance(part, Text)) if _all_text(parts) else ""


def _all_text(parts: tuple[Part, ...]) -> bool:
    return all(isinstance(part, Text) for part in parts)


def _user_command(body: Mapping[str, Json], entry_id: str | None) -> tuple[Part, ...]:
    moment = body.get("timestamp")
    name = entry_id or (f"bash-{moment}" if isinstance(moment, int) else None)
    code = body.get("exitCode")
    failed = (code != 0 if isinstance(code, int) else None) if body.get("cancelled") is not True else True
    output = string(body.get("output"))
    blocks = (Text(output),) if output else ()
    call = Call(name, "bashExecution", {"command": body.get("command")})
    return call, Result(name, blocks, failed, "bashExecution")


# --------------------------------------------------------------------------- blocks


def _parts(content: Json) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(content),) if content else ()
    blocks = content if isinstance(content, list) else [] if content is None else [content]
    return tuple(part for block in blocks if (part := _part(block)) is not None)


def _result(fields: Mapping[str, Json]) -> Result:
    """Read a result; OpenClaw's older messages hold a block `toolResult` inside a message of that role."""
    blocks: list[Text | Image | Raw] = []
    for part in _parts(first(fields, "content", "output", "text")):
        if isinstance(part, Result):
            blocks += part.blocks
        elif isinstance(part, Text | Image | Raw):
            blocks.append(part)
    failed = fields.get("isError") if isinstance(fields.get("isError"), bool) else None
    return Result(
        string(fields.get("toolCallId")), tuple(blocks), failed, string(first(fields, "toolName", "name"))
    )


def _part(block: Json) -> Part | None:
    if isinstance(block, str):
        return Text(block) if block else None
    fields = mapping(block)
    kind = fields.get("type")
    if kind == "text" and isinstance(fields.get("text"), str):
        return Text(fields["text"]) if fields["text"] else None
    if kind == "thinking" and isinstance(fields.get("thinking"), str):
        return Thinking(fields["thinking"], string(fields.get("thinkingSignature")))
    if kind == "toolCall":
        return Call(string(fields.get("id")), string(fields.get("name")) or "", fields.get("arguments"))
    if kind == "toolResult":
        return _result(fields)
    if kind == "image" and isinstance(fields.get("data"), str):
        return Image(string(fields.get("mimeType")) or "", data=fields["data"])
    return Raw(block)
