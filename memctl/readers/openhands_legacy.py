"""Read the events of OpenHands before its SDK (V0): actions, and what was observed (FORMATS 9)."""

from collections.abc import Mapping
from dataclasses import replace

from memctl.model import Call, Json, Message, Result, Role, Text
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.fields import counts, first, image, mapping, sequence, string
from memctl.readers.marks import marks_of
from memctl.readers.openhands_log import Log, answered, call_id, condensation, response_of

__all__ = ["act_or_observation"]

# Actions and observations that are no turns.
_NO_TURNS = frozenset(
    {"recall", "agent_state_changed", "change_agent_state", "null", "loop_recovery", "pause", "resume"}
)


def act_or_observation(log: Log, event: Mapping[str, Json]) -> Message | None:
    """Read an event; None when it is no turn."""
    action, observation = event.get("action"), event.get("observation")
    if str(action) in _NO_TURNS or str(observation) in _NO_TURNS:
        return None
    return _done(log, event, str(action)) if isinstance(action, str) else _seen(log, event, str(observation))


def _done(log: Log, event: Mapping[str, Json], action: str) -> Message | None:
    """Read an action: words, or a call with the thought before it."""
    arguments = mapping(event.get("args"))
    by_user = event.get("source") == "user"
    if action == "condensation":
        return condensation(log, event)
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
        call_id(log, event, named),
        string(about.get("function_name")) or action,
        _arguments(event, arguments),
    )
    if by_user:
        return Message(log.key, None, "user", (*said, call), None, ("command",))
    return _used(log, event, Message(log.key, None, "assistant", (*said, call)))


def _arguments(event: Mapping[str, Json], arguments: Mapping[str, Json]) -> Json:
    """Give what the model wrote, verbatim where its answer is there."""
    wanted = mapping(event.get("tool_call_metadata")).get("tool_call_id")
    choices = sequence(response_of(event).get("choices"))
    asked = sequence(mapping(mapping(choices[0] if choices else None).get("message")).get("tool_calls"))
    for call in map(mapping, asked):
        if call.get("id") == wanted and "arguments" in mapping(call.get("function")):
            return call["function"]["arguments"]
    return {key: value for key, value in arguments.items() if key not in ("thought", "final_thought")}


def _seen(log: Log, event: Mapping[str, Json], observation: str) -> Message | None:
    about = mapping(event.get("tool_call_metadata"))
    call = answered(log, event, string(about.get("tool_call_id")))
    blocks = result_blocks(event.get("content"))
    if call is None:
        return Message(log.key, None, "system", blocks) if blocks else None
    extras = mapping(event.get("extras"))
    code = first({**mapping(extras.get("metadata")), **extras}, "exit_code")
    failed: bool | None = True if observation == "error" else None
    if isinstance(code, int):
        failed = code != 0
    return Message(log.key, None, "tool", (Result(call, blocks, failed, string(about.get("function_name"))),))


def _used(log: Log, event: Mapping[str, Json], message: Message) -> Message:
    """Give the model and, once an answer, its usage."""
    response = response_of(event)
    name, model = string(response.get("id")), string(response.get("model"))
    if name in log.counted:
        return replace(message, model=model)
    log.counted.update([name] if name else [])
    return replace(message, model=model, usage=counts(response.get("usage")))
