"""Read sessions of Factory's Droid: the store's, and the stream that `droid exec` prints (FORMATS 19)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memctl.model import Call, Damage, Event, Json, Message, Part, Result, Role, SessionFacts, Skipped, Text
from memctl.readers.blocks import identifier, parts_of
from memctl.readers.fields import NO_ID, compact, counts, epoch, first, known, mapping, objects, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "droid"

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_STREAMED = frozenset({"system", "message", "tool_call", "tool_result", "completion", "error"})
_IDS = ("session_id", "sessionId")


def detect(source: Source) -> bool:
    """Tell a stored session by its header or its messages, a stream by its flat events (FORMATS 19)."""
    heads = objects(source.head())
    return any(head.get("type") == "session_start" and "id" in head for head in heads) or (
        bool(heads)
        and all(string(head.get("type")) in _STREAMED for head in heads)
        and any(_is_streamed(head) for head in heads)
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a session."""
    session = _Session()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif not isinstance(line.value, dict):
            yield Skipped("not an object", session.key or None)
        elif line.value.get("type") == "session_start":
            yield from _start(session, line.value)
        elif isinstance(line.value.get("message"), dict):
            yield from _stored(session, line.value)
        else:
            yield from _streamed(session, line.value)


@dataclass(slots=True)
class _Session:
    """What is known after the lines so far; *said* is the agent's newest text of a stream."""

    key: str = ""
    ids: Counter[str] = field(default_factory=Counter)
    model: str | None = None
    said: str | None = None

    def name(self, value: Json) -> str | None:
        """Give a message's id, changed where another had it."""
        name = identifier(value)
        if name is None:
            return None
        self.ids[name] += 1
        return name if self.ids[name] == 1 else f"{name}#{self.ids[name]}"


def _is_streamed(head: Mapping[str, Json]) -> bool:
    if not any(string(head.get(key)) for key in _IDS):
        return False
    kind = head.get("type")
    return (kind == "message" and isinstance(head.get("text"), str)) or (
        kind == "tool_call" and "parameters" in head
    )


def _facts(session: _Session, name: str | None, **facts: Json) -> SessionFacts:
    session.key = name or session.key or NO_ID
    own = None if session.key == NO_ID else session.key
    return SessionFacts(session.key, own, FORMAT, facts=known(agent="Droid", **facts))


def _when(line: Mapping[str, Json]) -> str | None:
    value = line.get("timestamp")
    return time(value) or epoch(value)


def _marks(role: Role, parts: tuple[Part, ...]) -> tuple[str, ...]:
    if role != "user" or not all(isinstance(part, Text) for part in parts):
        return ()
    return marks_of(part.text for part in parts if isinstance(part, Text))


# --------------------------------------------------------------------------- the store


def _start(session: _Session, header: Mapping[str, Json]) -> Iterator[Event]:
    session.ids.clear()
    yield _facts(
        session,
        string(header.get("id")),
        cwd=header.get("cwd"),
        title=string(header.get("sessionTitle")) or header.get("title"),
        version=header.get("version"),
        parent=string(first(header, "parent", "parentSessionId")),
    )


def _stored(session: _Session, line: Mapping[str, Json]) -> Iterator[Event]:
    body = mapping(line.get("message"))
    parts = parts_of(body.get("content"))
    role = _ROLES.get(str(body.get("role")))
    if parts and all(isinstance(part, Result) for part in parts):
        role = "tool"
    if role is None or not parts:
        yield Skipped(f"empty:{body.get('role')}", session.key or None)
        return
    if not session.key:
        yield _facts(session, None)
    above = identifier(line.get("parentId"))
    parent = above if above in session.ids else None  # the first message follows the session
    name = session.name(line.get("id"))
    marks = _marks(role, parts)
    if role == "user" and body.get("visibility") == "llm_only":
        marks = marks or ("meta",)
    model = string(body.get("model")) if role == "assistant" else None
    usage = counts(body.get("usage"))
    yield Message(session.key, name, role, parts, _when(line), marks, model, usage, parent)


# --------------------------------------------------------------------------- the stream


def _streamed(session: _Session, line: Mapping[str, Json]) -> Iterator[Event]:
    kind = str(line.get("type"))
    named = string(first(line, *_IDS))
    if kind == "system" or not session.key or (named and named != session.key):
        if named and named != session.key:
            session.ids.clear()
        session.model = string(line.get("model")) or session.model
        yield _facts(session, named, cwd=line.get("cwd"), model=line.get("model"), started=_when(line))
    read = _event(session, kind, line)
    if read is None:
        yield Skipped(kind, session.key)
        return
    role, parts, marks = read
    name = session.name(line.get("id")) if kind == "message" else None  # a call and its result share one
    model = session.model if role == "assistant" else None
    usage = counts(line.get("usage")) if kind == "completion" else None
    yield Message(session.key, name, role, parts, _when(line), marks, model, usage)


def _event(
    session: _Session, kind: str, line: Mapping[str, Json]
) -> tuple[Role, tuple[Part, ...], tuple[str, ...]] | None:
    """Read an event as a message; None when it says nothing new."""
    call = identifier(first(line, "toolCallId", "id"))
    tool = string(first(line, "toolName", "toolId")) or ""
    text = string(first(line, "text", "finalText", "message"))
    if kind == "tool_call":
        return "assistant", (Call(call, tool, line.get("parameters")),), ()
    if kind == "tool_result":
        return "tool", (_result(call, tool, line),), ()
    if kind == "message" and text:
        role = _ROLES.get(str(line.get("role")), "system")
        session.said = text if role == "assistant" else None
        return role, (Text(text),), _marks(role, (Text(text),))
    if kind == "completion" and text and text != session.said:
        return "assistant", (Text(text),), ()
    if kind == "error" and text:
        return "assistant", (Text(text),), ("api_error",)
    return None


def _result(call: str | None, tool: str, line: Mapping[str, Json]) -> Result:
    value = first(line, "value", "result", "output")
    failed = line.get("isError") if isinstance(line.get("isError"), bool) else None
    text = value if isinstance(value, str) else ""
    if isinstance(value, dict) and isinstance(value.get("stdout"), str):
        text = "\n".join(out for key in ("stdout", "stderr") if (out := string(value.get(key))))
        code = value.get("exitCode")
        failed = code != 0 if failed is None and isinstance(code, int) else failed
    elif value is not None and not isinstance(value, str):
        text = compact(value)
    return Result(call, (Text(text),) if text else (), failed, tool or None)
