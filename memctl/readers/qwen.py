"""Read chats of Qwen Code: a tree of records, one per line, that hold Google's contents (FORMATS 4).

Before it wrote lines, Qwen Code wrote the documents of Gemini CLI, which `gemini` reads.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memctl.model import (
    Call,
    Damage,
    Event,
    Json,
    Message,
    Part,
    Result,
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.fields import (
    NO_ID,
    compact,
    counts,
    first,
    known,
    mapping,
    objects,
    sequence,
    string,
    time,
)
from memctl.readers.google_parts import FAILED, parts_of
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "qwen"

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool_result": "tool"}
_PERSONS = (None, "mid_turn_user_message", "realtime_message")  # subtypes of what a person typed
_REPORTS = ("notification", "cron", "background_task_completed")


def detect(source: Source) -> bool:
    """Tell a chat by records that hold contents, or that only Qwen Code writes (FORMATS 0, row 6)."""
    return any(map(_is_record, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a chat; branches are told by `parent`."""
    chats: dict[str, _Chat] = {}
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif not isinstance(line.value, dict):
            yield Skipped("not an object")
        else:
            key = string(line.value.get("sessionId")) or NO_ID
            if key not in chats:
                chats[key] = _Chat(key)
            yield from _record(chats[key], line.value)


def _is_record(head: Mapping[str, Json]) -> bool:
    if not {"sessionId", "uuid"} <= head.keys() or not isinstance(head.get("type"), str):
        return False
    return isinstance(mapping(head.get("message")).get("parts"), list) or "systemPayload" in head


@dataclass(slots=True)
class _Chat:
    """What is known of a session after the records so far."""

    key: str
    facts: dict[str, str] = field(default_factory=dict)
    stands_for: dict[str, str | None] = field(default_factory=dict)  # record -> the message it is, or follows


def _record(chat: _Chat, record: Mapping[str, Json]) -> Iterator[Event]:
    kind, subtype = record.get("type"), record.get("subtype")
    payload = mapping(record.get("systemPayload"))
    yield from _more_facts(chat, record, payload)
    name, above = string(record.get("uuid")), string(record.get("parentUuid"))
    parent = chat.stands_for.get(above, above) if above else None
    message = _message(record, payload)
    if name:
        chat.stands_for[name] = name if message else parent
    if message is None:
        yield Skipped(f"{kind}.{subtype}" if subtype else str(kind), chat.key)
        return
    yield replace(message, session=chat.key, id=name, parent=parent, timestamp=time(record.get("timestamp")))


def _more_facts(chat: _Chat, record: Mapping[str, Json], payload: Mapping[str, Json]) -> Iterator[Event]:
    chosen = payload.get("model") if record.get("subtype") == "session_model" else None
    found = known(
        agent="Qwen Code",
        cwd=record.get("cwd"),
        branch=record.get("gitBranch"),
        version=record.get("version"),
        model=first(record, "model") or chosen,
        title=payload.get("customTitle"),
        started=time(record.get("timestamp")),
    )
    new = {name: value for name, value in found.items() if name not in chat.facts}
    if new:
        chat.facts |= new
        yield SessionFacts(chat.key, None if chat.key == NO_ID else chat.key, FORMAT, facts=new)


def _message(record: Mapping[str, Json], payload: Mapping[str, Json]) -> Message | None:
    """Read a record as a message, without its place; None when it is none."""
    kind, subtype = record.get("type"), record.get("subtype")
    if kind == "system":
        return _system(str(subtype), payload)
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    parts = parts_of(mapping(record.get("message")).get("parts"))
    if role == "tool":
        parts = _results(record, parts)
    elif role == "user" and parts and all(isinstance(part, Result) for part in parts):
        role = "tool"
    if role is None or not parts:
        return None
    marks = _marks(record, parts) if role == "user" else ()
    model = string(record.get("model")) if role == "assistant" else None
    return Message("", None, role, parts, None, marks, model, counts(record.get("usageMetadata")))


def _system(subtype: str, payload: Mapping[str, Json]) -> Message | None:
    """Read the system records that hold words: a command that was typed, and a compaction."""
    if subtype == "slash_command" and payload.get("phase") != "result":
        typed = string(payload.get("rawCommand"))
        return Message("", None, "user", (Text(typed),), marks=("command",)) if typed else None
    if subtype == "chat_compression":
        summary = mapping(next(iter(sequence(payload.get("compressedHistory"))), None))
        parts = tuple(part for part in parts_of(summary.get("parts")) if isinstance(part, Text))
        return Message("", None, "user", parts, marks=("compact_summary",)) if parts else None
    return None


def _marks(record: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[str, ...]:
    subtype, origin = record.get("subtype"), record.get("provenance")
    if subtype not in _PERSONS:
        return ("notification" if subtype in _REPORTS else "meta",)
    if origin not in (None, "real_user"):
        return ("meta",)
    texts = [part.text for part in parts if isinstance(part, Text)]
    return marks_of(texts) if len(texts) == len(parts) else ()


def _results(record: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Read what came of calls; pictures and texts beside a response belong to the last one before them."""
    about = mapping(record.get("toolCallResult"))
    failed = FAILED.get(str(about.get("status")))
    found: list[Result] = []
    for part in parts:
        if isinstance(part, Result):
            found.append(replace(part, is_error=part.is_error if failed is None else failed))
        elif found and not isinstance(part, Thinking | Call):
            found[-1] = replace(found[-1], blocks=(*found[-1].blocks, part))
    if not found and string(about.get("callId")):
        shown = about.get("resultDisplay")
        text = shown if isinstance(shown, str) else "" if shown is None else compact(shown)
        found.append(Result(about["callId"], (Text(text),) if text else (), failed))
    return tuple(found)
