"""Read LangChain's messages, in the three ways they are written down (FORMATS 17).

As a state holds them (`type`, `content`), as `messages_to_dict` writes them (`type`, `data`), and
serialized (`lc`, `id`, `kwargs`). Runs of others hold OpenAI's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memctl.model import Call, Json, Part, Result, Role
from memctl.readers.blocks import identifier, parts_of
from memctl.readers.chat import chat_message
from memctl.readers.conversations import is_message
from memctl.readers.fields import counts, first, mapping, sequence, string

__all__ = ["Said", "is_own", "is_telling", "messages_in", "said"]

_KINDS: Mapping[str, Role] = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "chat": "user",
    "developer": "system",
}
_PLACES = ("chat_history", "messages", "input", "output", "message", "generations", "choices", "values")
_LEVELS = 6
_FAILED = {"error": True, "success": False}


@dataclass(frozen=True, slots=True)
class Said:
    """A message: what is known of it apart from its place."""

    role: Role
    parts: tuple[Part, ...]
    id: str | None
    model: str | None = None
    usage: Mapping[str, int] | None = None


def is_own(value: Json) -> bool:
    """Tell a message as only LangChain writes it."""
    kind, fields = _fields(value)
    return kind in _KINDS and "content" in fields


def is_telling(value: Json) -> bool:
    """Tell a message by which a list of them is known: its kind has a name only LangChain gives."""
    return is_own(value) and _fields(value)[0] in ("human", "ai")


def messages_in(value: Json, level: int = 0) -> Iterator[Mapping[str, Json]]:
    """Find the messages of a run's inputs or outputs, or of a state, in order."""
    if is_own(value) or is_message(value):
        yield value
    elif level == _LEVELS:
        return
    elif isinstance(value, list):
        for item in value:
            yield from messages_in(item, level + 1)
    elif isinstance(value, dict):
        for place in _PLACES:
            yield from messages_in(value.get(place), level + 1)


def said(value: Mapping[str, Json]) -> Said | None:
    """Read a message; None when it says nothing."""
    kind, fields = _fields(value)
    role = _KINDS.get(kind)
    if role is None:
        read = chat_message(value)
        return Said(*read, identifier(value.get("id")), string(value.get("model"))) if read else None
    if kind == "chat":
        role = "assistant" if fields.get("role") in ("assistant", "ai") else "user"
    parts = (_result(fields),) if role == "tool" else _parts(fields)
    if not parts:
        return None
    about = mapping(fields.get("response_metadata"))
    return Said(
        role,
        parts,
        identifier(fields.get("id")),
        string(first(about, "model_name", "model")),
        counts(fields.get("usage_metadata")),
    )


def _fields(value: Json) -> tuple[str, Mapping[str, Json]]:
    """Give a message's kind and its fields, however they are wrapped."""
    outer = mapping(value)
    kind = string(outer.get("type")) or ""
    if kind == "constructor":
        path = sequence(outer.get("id"))
        name = path[-1] if path and isinstance(path[-1], str) else ""
        return name.removesuffix("Chunk").removesuffix("Message").lower(), mapping(outer.get("kwargs"))
    if isinstance(outer.get("data"), dict):
        outer = outer["data"]
    if kind.endswith(("Message", "MessageChunk")):
        kind = kind.removesuffix("Chunk").removesuffix("Message").lower()
    return kind, outer


def _parts(fields: Mapping[str, Json]) -> tuple[Part, ...]:
    """Read content and calls; calls may stand among the blocks as well."""
    extra = mapping(fields.get("additional_kwargs"))
    calls = [_call(call) for call in map(mapping, sequence(fields.get("tool_calls")))]
    if not calls:
        calls = [_call(call) for call in map(mapping, sequence(extra.get("tool_calls")))]
    legacy = mapping(extra.get("function_call"))
    if legacy and not calls:
        calls = [_call(legacy)]
    parts = parts_of(fields.get("content"))
    if calls:
        parts = tuple(part for part in parts if not isinstance(part, Call))
    return (*parts, *calls)


def _call(call: Mapping[str, Json]) -> Call:
    inner = mapping(call.get("function"))
    arguments = first(call, "args", "arguments")
    return Call(
        identifier(call.get("id")),
        string(call.get("name")) or string(inner.get("name")) or "",
        inner.get("arguments") if arguments is None else arguments,
    )


def _result(fields: Mapping[str, Json]) -> Result:
    blocks = parts_of(fields.get("content"))
    name, status = string(fields.get("name")), _FAILED.get(str(fields.get("status")))
    shown = tuple(block for block in blocks if not isinstance(block, Call | Result))
    return Result(identifier(fields.get("tool_call_id")), shown, status, name)  # type: ignore[arg-type]  # text, pictures, unknown blocks
