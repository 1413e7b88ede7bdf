"""Read chats of Gemini CLI: one JSON document, or since 0.40 lines that later lines amend (FORMATS 4)."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memctl.model import (
    Call,
    Damage,
    Event,
    Image,
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
    epoch,
    first,
    known,
    mapping,
    objects,
    sequence,
    string,
    time,
)
from memctl.readers.google_parts import FAILED, blocks_of, parts_of
from memctl.readers.marks import marks_of
from memctl.readers.source import Line, Source

FORMAT = "gemini"

_Slot = tuple[str, str]  # session and message
_PATCHES = ("$set", "$rewindTo")
_ROLES: Mapping[str, Role] = {
    "user": "user",
    "gemini": "assistant",
    "model": "assistant",
    "info": "system",
    "warning": "system",
    "error": "system",
}
_INJECTED = (
    ("<session_context>", "environment"),
    ("This is the Gemini CLI. We are setting up the context for our chat.", "environment"),
    ("<state_snapshot>", "compact_summary"),
)


def detect(source: Source) -> bool:
    """Tell a chat by its header, by the lines that amend it, or by a saved history of contents."""
    head = source.head()
    if source.shape == "json" and head and _is_document(head[0]):
        return True
    return any(map(_is_line, objects(head)))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a chat. Calls and their results stand in one record: they become two messages.

    The results of message `<id>` are the message `<id>/results` behind it. Of the versions of a record
    the longest counts, the last of equals: what was masked or rewound later is still there. A record
    stands where its first version stands, so that a chat cut anywhere is the beginning of the whole.
    """
    lines = list(source.lines()) if source.shape == "json" else None
    best: dict[_Slot, tuple[int, int]] = {}  # length and number of the version that counts
    versions = (event for event in _events(_Chat(), lines or source.lines()) if isinstance(event, _Version))
    for number, version in enumerate(versions):
        best[version.slot] = max(best.get(version.slot, (0, 0)), (version.length, number))
    waiting: OrderedDict[_Slot, Message | None] = OrderedDict()  # by slot, in order of their first versions
    number = 0
    for event in _events(_Chat(), lines or source.lines()):
        if not isinstance(event, _Version):
            yield event
            continue
        counts_at = best[event.slot][1]
        if counts_at >= number:
            waiting[event.slot] = event.message if counts_at == number else None
        number += 1
        yield from _ready(waiting)


def _ready(waiting: OrderedDict[_Slot, Message | None]) -> Iterator[Message]:
    """Give, and take out, the messages at the beginning of *waiting* that are complete."""
    while waiting:
        slot, message = waiting.popitem(last=False)
        if message is None:
            waiting[slot] = None
            waiting.move_to_end(slot, last=False)
            return
        yield message


def _is_document(document: Json) -> bool:
    if isinstance(document, list):  # a saved history
        return bool(document) and all(_is_content(item) for item in document)
    fields = mapping(document)
    if "sessionId" in fields and "id" not in fields and ("projectHash" in fields or "startTime" in fields):
        return isinstance(fields.get("messages", []), list)
    history = sequence(fields.get("history"))
    return bool(history) and all(_is_content(item) for item in history)


def _is_content(item: Json) -> bool:
    return (
        isinstance(item, dict) and string(item.get("role")) in _ROLES and isinstance(item.get("parts"), list)
    )


def _is_line(head: Mapping[str, Json]) -> bool:
    if "sessionId" in head and "projectHash" in head:
        return True
    return any(patch in head for patch in _PATCHES) or (head.get("type") == "gemini" and "id" in head)


# --------------------------------------------------------------------------- records


@dataclass(frozen=True, slots=True)
class _Version:
    """A message as one record gives it; another record may give the message of the same slot again."""

    slot: _Slot
    message: Message

    @property
    def length(self) -> int:
        return sum(map(_length, self.message.parts))


@dataclass(slots=True)
class _Chat:
    """What is known after the records so far."""

    key: str = ""
    branches: bool = True  # what comes may follow another message than the one before
    model: bool = False  # its model has been given
    records: int = 0
    leaf: str | None = None  # the message that the next one follows
    parents: dict[_Slot, str | None] = field(default_factory=dict)  # what each followed when it came
    owners: dict[tuple[str, str], _Slot] = field(default_factory=dict)  # of each call and each result


def _events(chat: _Chat, lines: Iterable[Line | Damage]) -> Iterator[Event | _Version]:
    for line in lines:
        if isinstance(line, Damage):
            yield line
            continue
        record = line.value
        if not isinstance(record, dict):
            yield Skipped("not an object", chat.key or None)
        elif isinstance(record.get("$rewindTo"), str):
            chat.leaf = chat.parents.get((chat.key, record["$rewindTo"]))
            yield Skipped("$rewindTo", chat.key or None)
        elif isinstance(record.get("$set"), dict):
            yield from _more_facts(chat, known(title=record["$set"].get("summary")))
            yield Skipped("$set", chat.key or None)
            for message in sequence(record["$set"].get("messages")):
                yield from _record(chat, message)
        elif ("sessionId" in record and "id" not in record) or _is_document(record):
            yield from _header(chat, record)
            saved = sequence(first(record, "messages", "history"))
            chat.branches = not saved
            for message in saved:
                yield from _record(chat, message)
        else:
            yield from _record(chat, record)


def _header(chat: _Chat, header: Mapping[str, Json]) -> Iterator[Event]:
    name = string(header.get("sessionId"))
    if name != chat.key:
        chat.key, chat.leaf, chat.model = name or NO_ID, None, False
    facts = known(
        agent="Gemini CLI",
        started=time(first(header, "startTime", "start_time")),
        title=header.get("summary"),
    )
    yield SessionFacts(chat.key, name, FORMAT, facts=facts)


def _more_facts(chat: _Chat, facts: Mapping[str, str]) -> Iterator[Event]:
    if chat.key and facts:
        yield SessionFacts(chat.key, None if chat.key == NO_ID else chat.key, FORMAT, facts=facts)


def _record(chat: _Chat, record: Json) -> Iterator[Event | _Version]:
    """Read one record of a message: as one message, or as two when it holds results."""
    fields = mapping(record)
    kind = first(fields, "type", "role")
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    if role is None:
        yield Skipped(str(kind), chat.key or None)
        return
    if not chat.key:
        chat.key = NO_ID
        yield SessionFacts(NO_ID, None, FORMAT, facts={"agent": "Gemini CLI"})
    model = string(fields.get("model"))
    if model and not chat.model:
        chat.model = True
        yield from _more_facts(chat, {"model": model})
    chat.records += 1
    name = string(fields.get("id"))
    slot = (chat.key, name or f"#{chat.records}")
    content = parts_of(first(fields, "content", "parts"))
    said = _owned(chat, slot, content)
    when = time(fields.get("timestamp")) or epoch(fields.get("ts"))
    calls = [mapping(call) for call in sequence(fields.get("toolCalls"))]
    parts = (*_thoughts(fields), *said, *_owned(chat, slot, tuple(map(_call, calls))))
    results = _owned(chat, slot, tuple(result for call in calls if (result := _result(call))))
    if content and not parts:  # a turn of the model's history that only repeats calls or results
        yield Skipped("history", chat.key)
        return
    if parts and all(isinstance(part, Result) for part in parts):
        role = "tool"
    marks = _marks(parts) if role == "user" else ()
    usage, parent = counts(fields.get("tokens")), _parent(chat, slot, name, chat.leaf)
    yield _Version(slot, Message(chat.key, name, role, parts, when, marks, model, usage, parent))
    if results:
        done = next((moment for call in calls if (moment := time(call.get("timestamp")))), when)
        slot, answers = (chat.key, f"{slot[1]}/results"), name and f"{name}/results"
        parent = _parent(chat, slot, answers, name)
        yield _Version(slot, Message(chat.key, answers, "tool", results, done, parent=parent))


def _parent(chat: _Chat, slot: _Slot, name: str | None, after: str | None) -> str | None:
    """Find what a message follows: what it followed when its first version came."""
    if slot not in chat.parents:
        chat.parents[slot] = after
        if chat.leaf == after:
            chat.leaf = name
    return chat.parents[slot] if chat.branches else None


def _owned(chat: _Chat, slot: _Slot, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out calls and results that another record holds already."""

    def owner(part: Part) -> _Slot:
        name = part.id if isinstance(part, Call) else part.call_id if isinstance(part, Result) else None
        return chat.owners.setdefault((type(part).__name__, name), slot) if name else slot

    return tuple(part for part in parts if owner(part) == slot)


# --------------------------------------------------------------------------- parts


def _thoughts(record: Mapping[str, Json]) -> Iterator[Thinking]:
    for thought in sequence(record.get("thoughts")):
        fields = mapping(thought)
        texts = (string(fields.get("subject")), string(fields.get("description")))
        if any(texts):
            yield Thinking("\n".join(text for text in texts if text))


def _call(call: Mapping[str, Json]) -> Call:
    return Call(string(call.get("id")), string(call.get("name")) or "", call.get("args"))


def _result(call: Mapping[str, Json]) -> Result | None:
    """Read what came of a call; what was shown of it stands in only when nothing else is there."""
    given = call.get("result")
    blocks, failed = blocks_of(given), None
    if not blocks and not given:
        shown = call.get("resultDisplay")
        if shown in (None, "", {}, []):
            return None
        blocks = blocks_of(shown) if isinstance(shown, str) else (Text(compact(shown)),)
    for part in parts_of(given):
        failed = failed or (part.is_error if isinstance(part, Result) else None)
    status = call.get("status")
    failed = FAILED.get(status, failed) if isinstance(status, str) else failed
    return Result(string(call.get("id")), blocks, failed, string(call.get("name")))


def _marks(parts: tuple[Part, ...]) -> tuple[str, ...]:
    texts = [part.text for part in parts if isinstance(part, Text)]
    opening = texts[0].lstrip() if texts else ""
    kinds = tuple(kind for start, kind in _INJECTED if opening.startswith(start))
    return kinds or (marks_of(texts) if texts and len(texts) == len(parts) else ())


def _length(part: Part) -> int:
    match part:
        case Call():
            return len(part.name) + len(compact(part.arguments))
        case Result():
            return 1 + sum(map(_length, part.blocks))
        case Text() | Thinking():
            return len(part.text)
        case Image():
            return len(part.data) + len(part.url)
        case _:
            return len(compact(part.value))
