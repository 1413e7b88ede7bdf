"""Find the conversations of a file of chat messages: one list, many, or one or many a line (FORMATS 6)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memctl.model import Damage, Json, SessionFacts, Skipped
from memctl.readers.fields import compact, epoch, first, known, mapping, sequence, string, time
from memctl.readers.source import Source

__all__ = ["Conversation", "conversations", "facts_of", "is_message", "messages_in", "when"]

ROLES = frozenset({"system", "developer", "user", "human", "assistant", "ai", "bot", "tool", "function"})
_SESSION_KEYS = ("session_id", "sessionId", "conversation_id", "thread_id")
_LISTS = ("messages", "conversation", "input")  # names under which data sets and logs hold the messages
_SAMPLE = 200  # messages that are looked at to know a format


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation: its key in the file, the object around its messages, and the messages.

    Messages of one conversation may come in several pieces (*pieces*), when each is a line of its own.
    """

    key: str
    envelope: Mapping[str, Json]
    messages: Sequence[Json]
    pieces: bool = False


def conversations(source: Source) -> Iterator[Conversation | Damage | Skipped]:
    """Give the conversations of a file, in order.

    Raises:
        Unreadable: the file is one JSON document, and damaged.

    """
    number = 0
    alone = ""  # key of the conversation whose messages are lines
    for value in _values(source):
        if isinstance(value, Damage):
            yield value
            continue
        messages = _messages_of(value)
        if messages is None and is_message(value):
            name = string(first(value, *_SESSION_KEYS))
            if name:  # of several conversations, whose lines may alternate
                yield Conversation(name, {_SESSION_KEYS[0]: name}, [value], pieces=True)
                continue
            if not alone:
                number += 1
                alone = f"#{number}"
            yield Conversation(alone, {}, [value], pieces=True)
        elif messages is None:
            yield Skipped("not a conversation")
        else:
            number += 1
            yield Conversation(f"#{number}", value if isinstance(value, dict) else {}, messages)


def messages_in(source: Source) -> Iterator[Mapping[str, Json]]:
    """Give the first messages of a file, up to some hundred, to know its format by."""
    head = source.head()
    if source.shape == "json" and head and isinstance(head[0], list) and not _is_conversation(head[0]):
        head = tuple(head[0][:_SAMPLE])
    left = _SAMPLE
    for value in head:
        messages = _messages_of(value)
        for message in ([value] if messages is None else messages)[:left]:
            if is_message(message):
                yield message
                left -= 1


def is_message(value: Json) -> bool:
    """Tell a chat message: a role of theirs, and content or calls of its own."""
    return (
        isinstance(value, dict)
        and string(value.get("role")) in ROLES
        and any(key in value for key in ("content", "tool_calls", "function_call", "refusal"))
        and not isinstance(value.get("message"), dict)
    )


def facts_of(conversation: Conversation, format_name: str) -> SessionFacts:
    """Read what the object around the messages says of their session."""
    around = conversation.envelope
    session = string(first(around, *_SESSION_KEYS))
    trial = {key: around[key] for key in ("task_id", "trial") if key in around}
    facts = known(
        cwd=around.get("cwd"),
        model=around.get("model"),
        title=around.get("title"),
        started=when(around, "session_start", "started_at", "created_at"),
    )
    return SessionFacts(conversation.key, session, format_name, compact(trial) if trial else "", facts)


def when(record: Mapping[str, Json], *keys: str) -> str | None:
    """Give the first time among *keys*: ISO 8601, or seconds or milliseconds since 1970."""
    value = first(record, *keys)
    return time(value) or epoch(value)


def _values(source: Source) -> Iterator[Json | Damage]:
    if source.shape == "json":
        document = source.document()
        yield from [document] if _is_conversation(document) else document
        return
    for line in source.lines():
        yield line if isinstance(line, Damage) else line.value


def _is_conversation(document: Json) -> bool:
    """Tell a document that is one conversation from a list of several."""
    return not isinstance(document, list) or any(map(is_message, document))


def _messages_of(value: Json) -> list[Json] | None:
    if isinstance(value, list):
        return value if any(map(is_message, value)) else None
    if not isinstance(value, dict) or is_message(value):
        return None
    for name in _LISTS:
        held = _listed(value.get(name)) if name in value else None
        if held is not None and (name == "messages" or any(map(is_message, held))):
            answer = value.get("output")  # beside a list of input, the answer alone
            said = [{"role": "assistant", "content": answer}] if name == "input" and string(answer) else []
            return [*held, *said]
    for name in ("body", "request"):  # of requests that were logged
        inner = value.get(name)
        if isinstance(inner, dict) and (asked := _messages_of(inner)) is not None:
            return [*asked, *_choices(value.get("response"))]
    if answered := _choices(value):
        return answered
    prompt, completion = value.get("prompt"), value.get("completion")
    if isinstance(prompt, list) and any(map(is_message, prompt)):
        return [*prompt, *(completion if isinstance(completion, list) else [])]
    return None


def _listed(value: Json) -> list[Json] | None:
    """Give a list of messages, also one that a data set holds as JSON in a text."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, list) and any(map(is_message, value)) else None
    return list(value) if isinstance(value, list) else None


def _choices(value: Json) -> list[Json]:
    """Give the message of an API's answer, `chat.completion`: that of its first choice."""
    body = mapping(mapping(value).get("body")) or mapping(value)
    choices = [mapping(mapping(one).get("message")) for one in sequence(body.get("choices"))[:1]]
    return [one for one in choices if is_message(one)]
