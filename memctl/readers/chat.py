"""Read chat messages as OpenAI's and Anthropic's interfaces take them; many agents store nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping

from memctl.model import Call, Damage, Event, Json, Message, Part, Result, Role, Skipped, Text, Thinking
from memctl.readers.blocks import identifier, parts_of, result_blocks
from memctl.readers.conversations import Conversation, conversations, facts_of, when
from memctl.readers.fields import counts, first, mapping, sequence, string
from memctl.readers.marks import marks_of
from memctl.readers.source import Source
from memctl.readers.tagged import answer_parts, responses

__all__ = ["chat_events", "chat_message"]

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}


def chat_events(source: Source, format_name: str) -> Iterator[Event]:
    """Give the events of a file of conversations; each is a session.

    Raises:
        Unreadable: the file is one JSON document, and damaged.

    """
    begun: dict[str, Counter[str]] = {}  # those whose messages are lines of their own
    for found in conversations(source):
        if isinstance(found, Damage | Skipped):
            yield found
            continue
        ids = begun.get(found.key)
        if ids is None:
            ids = Counter()
            if found.pieces:
                begun[found.key] = ids
            yield facts_of(found, format_name)
            yield from _system(found)
        for message in found.messages:
            yield _event(found, message, ids)


def chat_message(message: Mapping[str, Json]) -> tuple[Role, tuple[Part, ...]] | None:
    """Give a message's role and parts; None when it says nothing.

    The reasoning comes first, then the content, then the calls. Arguments are given verbatim.
    """
    name = message.get("role")
    role = _ROLES.get(name, "system") if isinstance(name, str) else "system"
    if role == "tool":
        return role, _results(message)
    calls = tuple(_calls(message))
    content = parts_of(message.get("content"))
    if role == "assistant":
        content = tuple(piece for part in content for piece in _pieces(part, calls=not calls))
    elif role == "user" and len(content) == 1 and isinstance(content[0], Text):
        content = responses(content[0].text) or content
    parts = (*_reasoning(message), *content, *parts_of(message.get("refusal")), *calls)
    if all(isinstance(part, Result) for part in parts):
        role = "tool"  # Anthropic's results come in the user's name
    return (role, parts) if parts else None


def _pieces(part: Part, *, calls: bool) -> tuple[Part, ...]:
    return answer_parts(part.text, calls=calls) if isinstance(part, Text) else (part,)


def _event(conversation: Conversation, value: Json, ids: Counter[str]) -> Event:
    message = mapping(value)
    read = chat_message(message)
    if read is None:
        return Skipped(f"empty:{message.get('role')}", conversation.key)
    role, parts = read
    name = identifier(message.get("id"))
    if name is not None:
        ids[name] += 1
        name = name if ids[name] == 1 else f"{name}#{ids[name]}"
    marks: tuple[str, ...] = ()
    if role == "user" and all(isinstance(part, Text) for part in parts):
        marks = marks_of(part.text for part in parts if isinstance(part, Text))
    return Message(
        conversation.key,
        name,
        role,
        parts,
        when(message, "timestamp", "created_at", "createdAt", "ts", "time"),
        marks,
        string(message.get("model")),
        counts(message.get("usage")),
    )


def _system(conversation: Conversation) -> Iterator[Message]:
    """Read the system prompt that stands beside the messages."""
    parts = parts_of(first(conversation.envelope, "system", "system_prompt", "instructions"))
    if parts:
        yield Message(conversation.key, None, "system", parts)


def _reasoning(message: Mapping[str, Json]) -> tuple[Part, ...]:
    signed = parts_of(message.get("thinking_blocks"))
    if signed:
        return signed
    text = string(first(message, "reasoning_content", "reasoning"))
    if text is not None:
        return (Thinking(text),)
    details = map(mapping, sequence(message.get("reasoning_details")))
    return tuple(Thinking(text) for one in details if (text := string(first(one, "text", "summary"))))


def _calls(message: Mapping[str, Json]) -> Iterator[Call]:
    for call in map(mapping, sequence(message.get("tool_calls"))):
        inner = mapping(first(call, "function", "custom"))
        name = string(first(inner, "name")) or string(call.get("name")) or ""
        arguments = first(inner, "arguments", "input")
        if arguments is None:
            arguments = first(call, "arguments", "args", "input")
        yield Call(identifier(first(call, "id", "call_id")), name, arguments)
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        yield Call(None, string(legacy.get("name")) or "", legacy.get("arguments"))


def _results(message: Mapping[str, Json]) -> tuple[Part, ...]:
    """Read what tools gave back; SWE-agent names several calls in one message (FORMATS 6)."""
    content = first(message, "content", "output")
    blocks = parts_of(content)
    if any(isinstance(block, Result) for block in blocks):
        return blocks
    failed = first(message, "is_error", "isError")
    failed = failed if isinstance(failed, bool) else None
    name = string(first(message, "name", "tool_name"))
    if isinstance(content, str) and message.get("tool_call_id") is None and (told := responses(content)):
        return told
    calls = [identifier(one) for one in sequence(message.get("tool_call_ids"))]
    if not calls:
        calls = [identifier(message.get("tool_call_id"))]
    if len(calls) > 1 and isinstance(content, list) and len(content) == len(calls):
        return tuple(
            Result(call, result_blocks(block), failed, name)
            for call, block in zip(calls, content, strict=True)
        )
    whole = Result(calls[0], result_blocks(content), failed, name)
    return (whole, *(Result(call, (), failed, name) for call in calls[1:]))
