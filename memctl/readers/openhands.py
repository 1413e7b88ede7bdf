"""Read the events of OpenHands: those of its SDK (V1) and those before (V0) (FORMATS 9)."""

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
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.blocks import identifier, parts_of, result_blocks
from memctl.readers.fields import (
    compact,
    counts,
    first,
    image,
    mapping,
    objects,
    sequence,
    string,
    time,
)
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "openhands"

# Events of V0 that are no turns.
_NO_TURNS = frozenset(
    {"recall", "agent_state_changed", "change_agent_state", "null", "loop_recovery", "pause", "resume"}
)
_SPOKEN = {"user": "user", "agent": "assistant"}


def detect(source: Source) -> bool:
    """Tell events by their kind and source, or by what they do (FORMATS 0, rows 14 and 15)."""
    return any(_is_event(head) or _is_run(head) for head in objects(source.head()))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a conversation, or of each run of an evaluation.

    Calls that one answer of the model asked for are one message.
    """
    alone = _Log("#1")
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif isinstance(line.value, dict) and _is_run(line.value):
            run = _Log(string(line.value.get("instance_id")) or f"#{line.number}")
            yield SessionFacts(
                run.key, string(line.value.get("instance_id")), FORMAT, facts={"agent": "OpenHands"}
            )
            run.begun = True
            for event in sequence(line.value.get("history")):
                for one in event if isinstance(event, list) else [event]:
                    yield from _event(run, one)
            yield from _rest(run)
        else:
            yield from _event(alone, line.value)
    yield from _rest(alone)


def _is_event(value: Json) -> bool:
    if not isinstance(value, dict) or "source" not in value:
        return False
    if _kind(value) in _V1:
        return True
    return isinstance(value.get("id"), int) and bool({"action", "observation"} & value.keys())


def _is_run(value: Mapping[str, Json]) -> bool:
    history = sequence(value.get("history"))
    events = history[0] if history and isinstance(history[0], list) else history
    return "instance_id" in value and any(map(_is_event, events))


def _kind(event: Mapping[str, Json]) -> str:
    return string(event.get("kind")) or ""


@dataclass(slots=True)
class _Log:
    """What is known of a conversation after the events so far."""

    key: str
    begun: bool = False
    answer: str | None = None  # id of the model's answer whose calls are being joined
    held: Message | None = None  # its message, until something else comes
    counted: set[str] = field(default_factory=set)  # answers whose usage was given
    calls: dict[str, str] = field(default_factory=dict)  # event of an action -> id of its call


def _event(log: _Log, value: Json) -> Iterator[Event]:
    event = mapping(value)
    reader = _V1.get(_kind(event)) or (_v0 if {"action", "observation"} & event.keys() else None)
    message = reader(log, event) if reader else None
    if message is None:
        yield Skipped(
            _kind(event) or str(first(event, "action", "observation")), log.key if log.begun else None
        )
        return
    if not log.begun:
        log.begun = True
        seed = identifier(event.get("id")) or ""  # an event's id is unlike any other conversation's
        yield SessionFacts(log.key, None, FORMAT, f"{seed} {event.get('timestamp')}", {"agent": "OpenHands"})
    message = replace(
        message, session=log.key, id=identifier(event.get("id")), timestamp=time(event.get("timestamp"))
    )
    answer = string(event.get("llm_response_id")) or string(_response(event).get("id"))
    if message.role == "assistant" and answer and answer == log.answer and log.held:
        log.held = replace(log.held, parts=(*log.held.parts, *message.parts))
        return
    yield from _rest(log)
    if message.role == "assistant" and answer:
        log.answer, log.held = answer, message
    else:
        yield message


def _rest(log: _Log) -> Iterator[Message]:
    if log.held:
        yield log.held
    log.answer, log.held = None, None


def _call_id(log: _Log, event: Mapping[str, Json], named: str | None) -> str:
    """Give the id of an action's call: the one it names, or its event's where that was used before."""
    own = str(identifier(event.get("id")))
    taken = named is None or named in log.calls.values()
    log.calls[own] = own if named is None or taken else named
    return log.calls[own]


def _answered(log: _Log, event: Mapping[str, Json], named: str | None) -> str | None:
    """Give the id of the call that an observation answers."""
    cause = identifier(first(event, "action_id", "cause"))
    return log.calls.get(cause, named) if cause is not None else named


# --------------------------------------------------------------------------- V1


def _system_prompt(log: _Log, event: Mapping[str, Json]) -> Message | None:
    parts = parts_of(event.get("system_prompt"))
    return Message(log.key, None, "system", parts) if parts else None


def _message(log: _Log, event: Mapping[str, Json]) -> Message | None:
    inner = mapping(event.get("llm_message"))
    speaker = str(first(inner, "role") or _SPOKEN.get(str(event.get("source"))))
    role: Role = "user" if speaker == "user" else "assistant" if speaker == "assistant" else "system"
    parts = (*_reasoning(inner), *parts_of(inner.get("content")))
    texts = [part.text for part in parts if isinstance(part, Text)]
    marks: tuple[str, ...] = ()
    if role == "user":
        marks = marks_of(texts) if event.get("source") == "user" else ("meta",)
    return Message(log.key, None, role, parts, None, marks) if parts else None


def _action(log: _Log, event: Mapping[str, Json]) -> Message:
    asked = mapping(event.get("tool_call"))
    named = string(event.get("tool_call_id")) or string(asked.get("id"))
    name = string(event.get("tool_name")) or string(asked.get("name")) or _kind(mapping(event.get("action")))
    call = Call(_call_id(log, event, named), name, first(asked, "arguments") or event.get("action"))
    parts = (*_reasoning(event), *parts_of(event.get("thought")), call)
    return Message(log.key, None, "assistant", parts)


def _observation(log: _Log, event: Mapping[str, Json]) -> Message:
    seen = mapping(event.get("observation"))
    content = first(seen, "content", "output")
    blocks = result_blocks(content)
    if content is None and (rest := {key: value for key, value in seen.items() if key != "kind"}):
        blocks = (Text(compact(rest)),)
    code = first(seen, "exit_code") if "exit_code" in seen else mapping(seen.get("metadata")).get("exit_code")
    failed = seen.get("is_error")
    if isinstance(code, int) and not failed:
        failed = code != 0
    return _result(log, event, blocks, failed if isinstance(failed, bool) else None)


def _refused(log: _Log, event: Mapping[str, Json]) -> Message:
    return _result(log, event, result_blocks(first(event, "error", "rejection_reason")), failed=True)


def _condensation(log: _Log, event: Mapping[str, Json]) -> Message | None:
    summary = string(first(event, "summary") or mapping(event.get("args")).get("summary"))
    return Message(log.key, None, "user", (Text(summary),), None, ("compact_summary",)) if summary else None


def _error(log: _Log, event: Mapping[str, Json]) -> Message | None:
    text = string(first(event, "detail", "error", "code"))
    return Message(log.key, None, "system", (Text(text),)) if text else None


def _result(
    log: _Log, event: Mapping[str, Json], blocks: tuple[Text | Image | Raw, ...], failed: bool | None
) -> Message:
    call = _answered(log, event, string(event.get("tool_call_id")))
    return Message(log.key, None, "tool", (Result(call, blocks, failed, string(event.get("tool_name"))),))


def _reasoning(record: Mapping[str, Json]) -> tuple[Part, ...]:
    signed = tuple(part for part in parts_of(record.get("thinking_blocks")) if isinstance(part, Thinking))
    text = string(record.get("reasoning_content"))
    return signed or ((Thinking(text),) if text else ())


_V1: Mapping[str, Callable[[_Log, Mapping[str, Json]], Message | None]] = {
    "SystemPromptEvent": _system_prompt,
    "MessageEvent": _message,
    "ActionEvent": _action,
    "ObservationEvent": _observation,
    "AgentErrorEvent": _refused,
    "UserRejectObservation": _refused,
    "Condensation": _condensation,
    "CondensationSummaryEvent": _condensation,
    "ConversationErrorEvent": _error,
}


# --------------------------------------------------------------------------- V0


def _v0(log: _Log, event: Mapping[str, Json]) -> Message | None:
    action, observation = event.get("action"), event.get("observation")
    if str(action) in _NO_TURNS or str(observation) in _NO_TURNS:
        return None
    return _done(log, event, str(action)) if isinstance(action, str) else _seen(log, event, str(observation))


def _done(log: _Log, event: Mapping[str, Json], action: str) -> Message | None:
    """Read an action: words, or a call with the thought before it."""
    arguments = mapping(event.get("args"))
    by_user = event.get("source") == "user"
    if action == "condensation":
        return _condensation(log, event)
    if action in ("message", "system"):
        pictures = tuple(image(address) for address in sequence(arguments.get("image_urls")))
        parts = (*parts_of(arguments.get("content")), *pictures)
        role: Role = "system" if action == "system" else "user" if by_user else "assistant"
        marks = marks_of(part.text for part in parts if isinstance(part, Text)) if role == "user" else ()
        return _used(log, event, Message(log.key, None, role, parts, None, marks)) if parts else None
    about = mapping(event.get("tool_call_metadata"))
    named = string(about.get("tool_call_id"))
    thought = string(first(arguments, "thought", "final_thought")) or ""
    said = (Text(thought),) if thought.strip() else ()
    call = Call(
        _call_id(log, event, named),
        string(about.get("function_name")) or action,
        _arguments(event, arguments),
    )
    if by_user:
        return Message(log.key, None, "user", (*said, call), None, ("command",))
    return _used(log, event, Message(log.key, None, "assistant", (*said, call)))


def _arguments(event: Mapping[str, Json], arguments: Mapping[str, Json]) -> Json:
    """Give what the model wrote, verbatim where its answer is there."""
    wanted = mapping(event.get("tool_call_metadata")).get("tool_call_id")
    choices = sequence(_response(event).get("choices"))
    asked = sequence(mapping(mapping(choices[0] if choices else None).get("message")).get("tool_calls"))
    for call in map(mapping, asked):
        if call.get("id") == wanted and "arguments" in mapping(call.get("function")):
            return call["function"]["arguments"]
    return {key: value for key, value in arguments.items() if key not in ("thought", "final_thought")}


def _seen(log: _Log, event: Mapping[str, Json], observation: str) -> Message | None:
    about = mapping(event.get("tool_call_metadata"))
    call = _answered(log, event, string(about.get("tool_call_id")))
    blocks = result_blocks(event.get("content"))
    if call is None:
        return Message(log.key, None, "system", blocks) if blocks else None
    extras = mapping(event.get("extras"))
    code = first({**mapping(extras.get("metadata")), **extras}, "exit_code")
    failed: bool | None = True if observation == "error" else None
    if isinstance(code, int):
        failed = code != 0
    return Message(log.key, None, "tool", (Result(call, blocks, failed, string(about.get("function_name"))),))


def _used(log: _Log, event: Mapping[str, Json], message: Message) -> Message:
    """Give the model and, once an answer, its usage."""
    response = _response(event)
    name, model = string(response.get("id")), string(response.get("model"))
    if name in log.counted:
        return replace(message, model=model)
    log.counted.update([name] if name else [])
    return replace(message, model=model, usage=counts(response.get("usage")))


def _response(event: Mapping[str, Json]) -> Mapping[str, Json]:
    return mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
