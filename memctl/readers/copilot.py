"""Read the event logs of Copilot CLI: a chain of events, one per line (FORMATS 19)."""

from collections.abc import Callable, Iterator, Mapping
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
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.fields import NO_ID, counts, first, known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "copilot"

_FAMILIES = ("session.", "user.", "assistant.", "tool.", "system.", "hook.", "subagent.", "skill.")


def detect(source: Source) -> bool:
    """Tell a log by the names of its events, their data and their parents (FORMATS 0, row 8)."""
    return any(
        (string(head.get("type")) or "").startswith(_FAMILIES)
        and isinstance(head.get("data"), dict)
        and "parentId" in head
        for head in objects(source.head())
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a log; what a subagent did is a session of its own.

    A call that no message asked for is given when its result comes or its turn ends.
    """
    log = _Log()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif isinstance(line.value, dict):
            yield from _event(log, line.value)
        else:
            yield Skipped("not an object", log.key or None)


@dataclass(slots=True)
class _Log:
    """What is known after the events so far.

    stands_for: event -> the message it is, or follows. asked: calls that a message holds. started:
    calls that were started and are in no message yet, by the call of the subagent that made them.
    """

    key: str = ""
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    stands_for: dict[str, str | None] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)  # session -> its newest message
    asked: set[str] = field(default_factory=set)
    started: dict[str | None, dict[str, Call]] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)  # call -> name of the subagent it began
    model: str | None = None
    thought: str | None = None


def _event(log: _Log, event: Mapping[str, Json]) -> Iterator[Event]:
    kind, data = str(event.get("type")), mapping(event.get("data"))
    if event.get("ephemeral") is True:  # shown while it came; what it came to is an event of its own
        yield Skipped(kind, log.key or None)
        return
    name, above = string(event.get("id")), string(event.get("parentId"))
    _note(log, kind, data)
    if kind in ("session.start", "session.resume"):
        log.key = string(data.get("sessionId")) or log.key
    key = _session_of(log, event, data)
    found = _FACTS[kind](data) if kind in _FACTS else {}
    if found:
        yield from _tell(log, key, found)
    reader = _MESSAGES.get(kind)
    given = list(reader(log, data)) if reader else []
    if not given:
        if name:
            log.stands_for[name] = log.stands_for.get(above) if above else None
        yield Skipped(kind, key or None)
        return
    yield from _tell(log, key, {})
    for number, message in enumerate(given, 1):
        own = name if number == len(given) or name is None else f"{name}/call"
        newest = log.last.get(key)
        parent = log.stands_for.get(above, newest) if above and number == 1 else newest
        if own:
            log.last[key] = own
        when = time(event.get("timestamp"))
        yield replace(message, session=key, id=own, parent=parent if own else None, timestamp=when)
    if name:
        log.stands_for[name] = name


def _session_of(log: _Log, event: Mapping[str, Json], data: Mapping[str, Json]) -> str:
    """Name the session of an event: that of the log, or of a subagent."""
    log.key = log.key or NO_ID
    agent = string(data.get("parentToolCallId")) or string(event.get("agentId"))
    return f"{log.key}.{agent}" if agent else log.key


def _tell(log: _Log, key: str, facts: Mapping[str, str]) -> Iterator[SessionFacts]:
    """Give what is new of a session, and something before its first message."""
    told = log.told.get(key)
    if told is None:
        told = log.told[key] = {}
        facts = {"agent": "Copilot CLI", **facts}
        if key != log.key:  # the call that began it, or the agent's own id
            call = key.removeprefix(f"{log.key}.")
            is_call = call in log.asked or call in log.agents
            facts |= known(agent=log.agents.get(call), parent_call=call if is_call else None)
            facts |= {} if log.key == NO_ID else {"parent": log.key}
    new = {name: value for name, value in facts.items() if name not in told}
    if new:
        told |= new
        yield SessionFacts(key, None if key.partition(".")[0] == NO_ID else key, FORMAT, facts=new)


# --------------------------------------------------------------------------- facts


def _note(log: _Log, kind: str, data: Mapping[str, Json]) -> None:
    """Remember what later events need."""
    if kind in ("session.start", "session.resume", "session.model_change"):
        log.model = string(first(data, "newModel", "selectedModel")) or log.model
    elif kind == "subagent.started":
        call, agent = string(data.get("toolCallId")), string(first(data, "agentDisplayName", "agentName"))
        if call and agent:
            log.agents[call] = agent


def _start(data: Mapping[str, Json]) -> Mapping[str, str]:
    context = mapping(data.get("context"))
    return known(
        cwd=context.get("cwd"),
        branch=context.get("branch"),
        version=data.get("copilotVersion"),
        model=data.get("selectedModel"),
        started=time(data.get("startTime")),
    )


_FACTS: Mapping[str, Callable[[Mapping[str, Json]], Mapping[str, str]]] = {
    "session.start": _start,
    "session.resume": _start,
    "session.context_changed": lambda data: known(cwd=data.get("cwd"), branch=data.get("branch")),
    "session.model_change": lambda data: known(model=data.get("newModel")),
    "session.title_changed": lambda data: known(title=data.get("title")),
}


# --------------------------------------------------------------------------- messages


def _message(role: str, *parts: Part, marks: tuple[str, ...] = (), **more: Json) -> Message:
    return Message("", None, role, parts, marks=marks, **more)  # type: ignore[arg-type]  # roles written here


def _user(_: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    text = string(data.get("content"))
    files = [Raw(file) for file in sequence(data.get("attachments")) if file]
    parts: list[Part] = [*([Text(text)] if text else []), *files]
    source = string(data.get("source")) or "user"
    marks: tuple[str, ...] = marks_of([text]) if text else ()
    if source != "user":
        marks = ("instructions",) if source.startswith("skill") else ("meta",)
    if parts:
        yield _message("user", *parts, marks=marks)


def _assistant(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    thought = string(data.get("reasoningText")) or log.thought
    log.thought = None
    text = string(data.get("content"))
    calls = [_call(mapping(call)) for call in sequence(data.get("toolRequests"))]
    calls = [call for call in calls if call.id not in log.asked]
    for call in calls:
        if call.id:
            log.asked.add(call.id)
            _open_calls(log, data).pop(call.id, None)
    parts: list[Part] = [*([Thinking(thought)] if thought else []), *([Text(text)] if text else []), *calls]
    if parts:
        usage = counts({"outputTokens": data.get("outputTokens")})
        yield _message("assistant", *parts, model=string(data.get("model")) or log.model, usage=usage)


def _reasoning(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    """Keep reasoning for the message it belongs to, which may repeat it."""
    log.thought = string(data.get("content")) or log.thought
    return iter(())


def _call(request: Mapping[str, Json]) -> Call:
    name = string(first(request, "name", "toolName")) or ""
    return Call(string(request.get("toolCallId")), name, request.get("arguments"))


def _open_calls(log: _Log, data: Mapping[str, Json]) -> dict[str, Call]:
    return log.started.setdefault(string(data.get("parentToolCallId")), {})


def _started(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    call = string(data.get("toolCallId"))
    if call and call not in log.asked:
        _open_calls(log, data)[call] = _call(data)
    return iter(())


def _requested(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    """Read a command that a person ran."""
    call = _call(data)
    if call.id:
        log.asked.add(call.id)
    yield _message("user", call, marks=("command",))


def _result(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    name = string(data.get("toolCallId"))
    begun = _open_calls(log, data).pop(name, None) if name else None
    if name and begun:
        log.asked.add(name)
        yield _message("assistant", begun, model=log.model)
    result, error = data.get("result"), mapping(data.get("error"))
    content = first(mapping(result), "content", "contents") if isinstance(result, dict) else result
    blocks = result_blocks(content) if content is not None else ()
    if not blocks and (why := string(error.get("message"))):
        blocks = (Text(why),)
    done = data.get("success")
    failed = not done if isinstance(done, bool) else True if error else None
    yield _message("tool", Result(name, _pictures(blocks), failed, string(data.get("toolName"))))


def _pictures(blocks: tuple[Text | Image | Raw, ...]) -> tuple[Text | Image | Raw, ...]:
    found: list[Text | Image | Raw] = []
    for block in blocks:
        value = mapping(block.value) if isinstance(block, Raw) else {}
        data = string(value.get("data")) if value.get("type") == "image" else None
        found.append(Image(string(value.get("mimeType")) or "", data=data) if data else block)
    return tuple(found)


def _turn_end(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    calls = _open_calls(log, data)
    if calls:
        log.asked.update(calls)
        yield _message("assistant", *calls.values(), model=log.model)
        calls.clear()


def _system(_: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    parts = parts_of(data.get("content"))
    if parts:
        yield _message("system", *parts)


def _summary(_: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    text = string(data.get("summaryContent"))
    if text:
        yield _message("user", Text(text), marks=("compact_summary",))


def _error(log: _Log, data: Mapping[str, Json]) -> Iterator[Message]:
    text = string(data.get("message"))
    if text:
        yield _message("assistant", Text(text), marks=("api_error",), model=log.model)


_MESSAGES: Mapping[str, Callable[[_Log, Mapping[str, Json]], Iterator[Message]]] = {
    "user.message": _user,
    "assistant.message": _assistant,
    "assistant.reasoning": _reasoning,
    "assistant.turn_end": _turn_end,
    "tool.user_requested": _requested,
    "tool.execution_start": _started,
    "tool.execution_complete": _result,
    "system.message": _system,
    "system.notification": _system,
    "session.compaction_complete": _summary,
    "session.error": _error,
}
