"""Read the events of OpenHands' SDK (V1): one function per kind (FORMATS 9)."""

from collections.abc import Callable, Mapping

from memctl.model import Call, Image, Json, Message, Part, Raw, Result, Role, Text, Thinking
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.fields import compact, first, mapping, string
from memctl.readers.marks import marks_of
from memctl.readers.openhands_log import Log, answered, call_id, condensation

__all__ = ["KINDS"]

_SPOKEN = {"user": "user", "agent": "assistant"}


def _system_prompt(log: Log, event: Mapping[str, Json]) -> Message | None:
    parts = parts_of(event.get("system_prompt"))
    return Message(log.key, None, "system", parts) if parts else None


def _message(log: Log, event: Mapping[str, Json]) -> Message | None:
    inner = mapping(event.get("llm_message"))
    speaker = str(first(inner, "role") or _SPOKEN.get(str(event.get("source"))))
    role: Role = "user" if speaker == "user" else "assistant" if speaker == "assistant" else "system"
    parts = (*_reasoning(inner), *parts_of(inner.get("content")))
    texts = [part.text for part in parts if isinstance(part, Text)]
    marks: tuple[str, ...] = ()
    if role == "user":
        marks = marks_of(texts) if event.get("source") == "user" else ("meta",)
    return Message(log.key, None, role, parts, None, marks) if parts else None


def _action(log: Log, event: Mapping[str, Json]) -> Message:
    asked = mapping(event.get("tool_call"))
    named = string(event.get("tool_call_id")) or string(asked.get("id"))
    name = (
        string(event.get("tool_name"))
        or string(asked.get("name"))
        or string(mapping(event.get("action")).get("kind"))
        or ""
    )
    call = Call(call_id(log, event, named), name, first(asked, "arguments") or event.get("action"))
    parts = (*_reasoning(event), *parts_of(event.get("thought")), call)
    return Message(log.key, None, "assistant", parts)


def _observation(log: Log, event: Mapping[str, Json]) -> Message:
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


def _refused(log: Log, event: Mapping[str, Json]) -> Message:
    return _result(log, event, result_blocks(first(event, "error", "rejection_reason")), failed=True)


def _error(log: Log, event: Mapping[str, Json]) -> Message | None:
    text = string(first(event, "detail", "error", "code"))
    return Message(log.key, None, "system", (Text(text),)) if text else None


def _result(
    log: Log, event: Mapping[str, Json], blocks: tuple[Text | Image | Raw, ...], failed: bool | None
) -> Message:
    call = answered(log, event, string(event.get("tool_call_id")))
    return Message(log.key, None, "tool", (Result(call, blocks, failed, string(event.get("tool_name"))),))


def _reasoning(record: Mapping[str, Json]) -> tuple[Part, ...]:
    signed = tuple(part for part in parts_of(record.get("thinking_blocks")) if isinstance(part, Thinking))
    text = string(record.get("reasoning_content"))
    return signed or ((Thinking(text),) if text else ())


KINDS: Mapping[str, Callable[[Log, Mapping[str, Json]], Message | None]] = {
    "SystemPromptEvent": _system_prompt,
    "MessageEvent": _message,
    "ActionEvent": _action,
    "ObservationEvent": _observation,
    "AgentErrorEvent": _refused,
    "UserRejectObservation": _refused,
    "Condensation": condensation,
    "CondensationSummaryEvent": condensation,
    "ConversationErrorEvent": _error,
}
