"""Read Claude Code sessions, with every version of their lines from 1.0 on (FORMATS 1)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from memctl.model import (
    Call,
    Damage,
    Event,
    Image,
    Json,
    Part,
    Raw,
    Result,
    Role,
    Skipped,
    Text,
)
from memctl.readers.blocks import identifier, parts_of, result_blocks
from memctl.readers.claude_sessions import (
    AGENT,
    Reading,
    Session,
    named_session,
    session_of,
    tell_facts,
    tell_of,
)
from memctl.readers.claude_thread import Draft
from memctl.readers.fields import epoch, first, mapping, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Line, Source

_SUMMARIES = 1_000  # titles whose last line has not come: most are another session's
_SYNTHETIC = "<synthetic>"  # the model of what the program wrote in the agent's name
_SPEAKERS: Mapping[str, Role] = {"user": "user", "human": "user", "assistant": "assistant"}
_TITLES = {"ai-title": ("aiTitle", "title"), "custom-title": ("customTitle", "title")}

# Keys that tell these lines from lines of the same type in other agents' transcripts.
_KEYS_OF: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "leafUuid"),
    "file-history-snapshot": ("messageId", "snapshot"),
    "queue-operation": ("operation", "sessionId"),
    "progress": ("data", "uuid", "sessionId"),
    "system": ("uuid", "sessionId", "parentUuid"),
    "attachment": ("attachment", "uuid", "sessionId"),
    "tool_use": ("name", "input", "uuid", "sessionId"),
    "ai-title": ("sessionId",),
    "custom-title": ("sessionId",),
    "permission-mode": ("permissionMode", "sessionId"),
}
_KEYS_OF_INIT = ("permissionMode", "apiKeySource", "mcp_servers")


def detect(source: Source) -> bool:
    """Tell a session by its lines, also one that has no message yet (FORMATS 0, row 7)."""
    head = source.head()
    if source.shape == "json" and isinstance(head[0] if head else None, list):
        head = tuple(head[0][:20])
    lines = [line for line in head if isinstance(line, dict)]
    if any("parts" in mapping(line.get("message")) for line in lines):
        return False  # Qwen Code writes the same envelope around Google's messages
    return any(map(_is_line, lines))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a transcript: those of its session, and of each subagent found inside.

    A subagent's session is `agent-<agentId>`; its facts name the parent and the call that began it.
    """
    reading = Reading()
    for line in source.lines():
        yield from go_on(reading, line)
    yield from end(reading)


def go_on(reading: Reading, line: Line | Damage) -> Iterator[Event]:
    """Give the events of the next line."""
    if isinstance(line, Damage):
        yield line
    elif not isinstance(line.value, dict):
        yield Skipped("not an object", reading.current)
    else:
        _line(reading, line.value)
        yield from reading.events
        reading.events.clear()


def end(reading: Reading) -> Iterator[Event]:
    """Give what was held back because it might have grown; no line comes any more."""
    for session in reading.sessions.values():
        session.thread.end()
    yield from reading.events
    reading.events.clear()


_Handler = Callable[[Reading, Mapping[str, Json]], None]


def _is_line(line: Mapping[str, Json]) -> bool:
    kind = line.get("type")
    if not isinstance(kind, str):
        return False
    message = line.get("message")
    if kind in _SPEAKERS:
        return isinstance(message, dict) and "content" in message
    if string(line.get("session_id")):  # what `--output-format stream-json` prints
        begins = line.get("subtype") == "init" and any(key in line for key in _KEYS_OF_INIT)
        return (kind == "system" and begins) or (
            kind == "stream_event" and isinstance(line.get("event"), dict)
        )
    return kind in _KEYS_OF and all(key in line for key in _KEYS_OF[kind])


def _line(reading: Reading, line: Mapping[str, Json]) -> None:
    kind = line.get("type")
    handler = _HANDLERS.get(kind) if isinstance(kind, str) else None
    if handler is not None:
        handler(reading, line)
    else:
        _skip(reading, line, kind if isinstance(kind, str) else "untyped")
    if reading.titles:
        title = reading.titles.pop(string(line.get("uuid")) or "", None)
        if title is not None and reading.current is not None:
            tell_of(reading, reading.current, title=title)


# ------------------------------------------------------------------------- messages


def _said(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read a line of the user or the agent; tool results come in the user's name."""
    role = _SPEAKERS[line["type"]]
    message = line.get("message")
    if isinstance(message, dict):
        content = message.get("content")
    else:
        content, message = line.get("content") if message is None else message, {}
    parts = parts_of(content)
    if role == "user":
        role, parts = _with_results(line, content, parts)
    if not parts:
        _skip(reading, line, "empty")
        return
    session = session_of(reading, line)
    model = string(message.get("model"))
    answer = parent = None
    side = False
    marks: tuple[str, ...] = ()
    if session.subagent:
        named = named_session(line)
        parent = named if named != session.id else None
    else:
        side = line.get("isSidechain") is True or line.get("parent_tool_use_id") is not None
    if role == "assistant":
        answer = identifier(message.get("id"))
        if line.get("isApiErrorMessage") is True:
            marks = ("api_error",)
        elif model == _SYNTHETIC:
            marks = ("synthetic",)
    elif role == "user":
        marks = _user_marks(line, parts)
    else:
        _agent_begun(reading, session, line, parts)
    tell_facts(reading, session, line, model=None if model == _SYNTHETIC else model, parent=parent)
    session.thread.take(
        Draft(
            string(line.get("uuid")),
            role,
            parts,
            _time(line),
            answer,
            string(line.get("parentUuid")),
            (*marks, "sidechain") if side else marks,
            model,
            message.get("usage"),
            side,
            prompt=role == "user" and not marks,
        )
    )


def _user_marks(line: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[str, ...]:
    marks: list[str] = []
    if line.get("isCompactSummary") is True:
        marks.append("compact_summary")
    if line.get("isMeta") is True or line.get("isSynthetic") is True:
        marks.append("meta")
    if mapping(line.get("origin")).get("kind") == "task-notification":
        marks.append("notification")
    if all(isinstance(part, Text | Result) for part in parts):
        texts = [part.text for part in parts if isinstance(part, Text)]
        marks += (kind for kind in marks_of(texts) if kind not in marks)
    return tuple(marks)


def _with_results(
    line: Mapping[str, Json], content: Json, parts: tuple[Part, ...]
) -> tuple[Role, tuple[Part, ...]]:
    """Take a result from beside the message where the message has none; say whose message it is."""
    beside = line.get("toolUseResult")
    if beside is not None:
        if not parts:
            parts = (Result(None, _blocks_beside(beside)),)
        elif len(parts) == 1 and isinstance(parts[0], Result) and _has_no_content(content):
            parts = (replace(parts[0], blocks=_blocks_beside(beside)),)
    return ("tool" if all(isinstance(part, Result) for part in parts) else "user"), parts


def _has_no_content(content: Json) -> bool:
    blocks = content if isinstance(content, list) else [content]
    return all(mapping(block).get("content") is None for block in blocks)


def _blocks_beside(beside: Json) -> tuple[Text | Image | Raw, ...]:
    """Read a `toolUseResult`: text, blocks, or the record of a tool, most of which have one text."""
    if not isinstance(beside, dict):
        return result_blocks(beside)
    streams = [text for key in ("stdout", "stderr") if (text := string(beside.get(key)))]
    if streams or "stdout" in beside:
        return tuple(map(Text, streams))
    told = first(beside, "content", "result") or mapping(beside.get("file")).get("content")
    return result_blocks(told if isinstance(told, str | list) else beside)


def _agent_begun(
    reading: Reading, session: Session, line: Mapping[str, Json], parts: tuple[Part, ...]
) -> None:
    """Tell of a subagent which call began it, and whether it has ended: the call's result names the agent."""
    told = mapping(line.get("toolUseResult"))
    agent = string(told.get("agentId")) or string(line.get("agentId"))
    if agent is None or line.get("isSidechain") is True:
        return
    call = next((part.call_id for part in parts if isinstance(part, Result)), None)
    if call is not None and session.id is not None:
        key = AGENT + agent.removeprefix(AGENT)
        ended = {"ended": "completed"} if told.get("status") == "completed" else {}
        tell_of(reading, key, parent=session.id, parent_call=call, **ended)


def _tool_line(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read a call or a result that is a line of its own, as early and other programs write them."""
    name = string(line.get("name")) or string(line.get("tool_name"))
    call = identifier(first(line, "tool_use_id", "toolUseId", "toolUseID", "id"))
    part: Part
    if line.get("type") == "tool_use":
        role: Role = "assistant"
        part = Call(call, name or "", first(line, "input", "arguments"))
    else:
        role = "tool"
        failed = first(line, "is_error", "isError")
        blocks = result_blocks(first(line, "output", "content", "result"))
        part = Result(call, blocks, failed if isinstance(failed, bool) else None, name)
    session = session_of(reading, line)
    tell_facts(reading, session, line)
    uuid, follows = string(line.get("uuid")), string(line.get("parentUuid"))
    session.thread.take(Draft(uuid, role, (part,), _time(line), follows=follows))


# ------------------------------------------------------------------------- other lines


def _progress(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read a subagent's message out of a progress line; other progress says nothing that lasts."""
    data = mapping(line.get("data"))
    inner = mapping(data.get("message"))
    agent = string(data.get("agentId"))
    if agent is None or string(inner.get("type")) not in _SPEAKERS:
        _skip(reading, line, f"progress:{data.get('type')}")
        return
    parent = session_of(reading, line)
    parent.thread.skip(string(line.get("uuid")), string(line.get("parentUuid")))
    around = {key: line[key] for key in ("cwd", "gitBranch", "version") if key in line}
    record = {**around, **inner, "sessionId": parent.id, "agentId": agent, "isSidechain": True}
    session = session_of(reading, record)
    tell_facts(reading, session, record, parent=parent.id, parent_call=line.get("parentToolUseID"))
    _said(reading, record)


def _queue(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read what the user typed while the agent worked.

    A prompt that is dequeued comes again as a line of its own. One that is removed was handed to the
    agent in the middle of its turn and stands nowhere else.
    """
    session = session_of(reading, line)
    operation = line.get("operation")
    if operation == "remove" and session.queued:
        content, when = session.queued.popleft()
        if content not in session.taken:
            name = f"queued-{when}" if when else None
            _typed(reading, session, line, content, Draft(name, "user", (), when, inserted=True))
            return
        session.taken.remove(content)
    elif operation == "enqueue" and parts_of(line.get("content")):
        session.queued.append((line["content"], _time(line)))
    elif operation == "dequeue" and session.queued:
        session.queued.popleft()
    elif operation == "popAll":
        session.queued.clear()
    reading.events.append(Skipped(f"queue-operation:{operation}", session.thread.key))


def _attachment(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read a prompt that was handed over in the middle of a turn; other attachments are not words."""
    attachment = mapping(line.get("attachment"))
    prompt = attachment.get("prompt")
    if attachment.get("type") != "queued_command" or not parts_of(prompt):
        _skip(reading, line, f"attachment:{attachment.get('type')}")
        return
    session = session_of(reading, line)
    if prompt in session.taken:
        session.taken.remove(prompt)
        _skip(reading, line, "attachment:queued_command")
        return
    draft = Draft(string(line.get("uuid")), "user", (), _time(line), follows=string(line.get("parentUuid")))
    if attachment.get("commandMode") == "task-notification":
        draft.marks = ("notification",)
    _typed(reading, session, line, prompt, draft)


def _typed(reading: Reading, session: Session, line: Mapping[str, Json], content: Json, draft: Draft) -> None:
    session.taken.append(content)
    draft.parts = parts_of(content)
    draft.marks = draft.marks or marks_of(part.text for part in draft.parts if isinstance(part, Text))
    tell_facts(reading, session, line)
    session.thread.take(draft)


def _title(reading: Reading, line: Mapping[str, Json]) -> None:
    """Read a title; a summary names the last line of its session, which may be another's."""
    kind = line["type"]
    if kind in _TITLES:
        title = string(first(line, *_TITLES[kind]))
        key = named_session(line) or reading.current
        if title is not None and key is not None:
            tell_of(reading, key, title=title)
            return
    title, leaf = string(line.get("summary")), string(line.get("leafUuid"))
    if title is not None and leaf is not None:
        owner = next((key for key, found in reading.sessions.items() if found.thread.knows(leaf)), None)
        if owner is not None:
            tell_of(reading, owner, title=title)
            return
        if len(reading.titles) < _SUMMARIES:
            reading.titles[leaf] = title
    reading.events.append(Skipped(kind, reading.current))


def _system(reading: Reading, line: Mapping[str, Json]) -> None:
    _skip(reading, line, f"system:{line.get('subtype')}")


def _skip(reading: Reading, line: Mapping[str, Json], kind: str) -> None:
    """Count a line that is no message, and keep the chain of parents whole."""
    uuid = string(line.get("uuid"))
    key = named_session(line) or reading.current
    if uuid is not None:
        session = session_of(reading, line)
        # After a compaction the chain begins anew and only says what it followed.
        session.thread.skip(uuid, string(first(line, "parentUuid", "logicalParentUuid")))
        key = session.thread.key
    reading.events.append(Skipped(kind, key))


def _time(line: Mapping[str, Json]) -> str | None:
    when = line.get("timestamp")
    return time(when) or epoch(when)


_HANDLERS: Mapping[str, _Handler] = {
    "user": _said,
    "human": _said,
    "assistant": _said,
    "tool_use": _tool_line,
    "tool_result": _tool_line,
    "progress": _progress,
    "queue-operation": _queue,
    "attachment": _attachment,
    "summary": _title,
    "ai-title": _title,
    "custom-title": _title,
    "system": _system,
}
