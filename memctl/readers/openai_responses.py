"""Read items of OpenAI's Responses API: a list, lines, or the responses around them (FORMATS 6)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memctl.model import Damage, Event, Json, Message, SessionFacts, Skipped, Text
from memctl.readers.blocks import parts_of
from memctl.readers.conversations import when
from memctl.readers.fields import counts, known, mapping, sequence, string
from memctl.readers.marks import marks_of
from memctl.readers.response_items import ITEMS, read_item
from memctl.readers.source import Source

FORMAT = "openai-responses"

# Item types that are no one else's; a message is known by the types of its content.
_ITEMS = frozenset(kind for kind in ITEMS if kind.endswith(("_call", "_call_output"))) - {"tool_call"}
_CONTENT = frozenset({"input_text", "output_text", "input_image"})
_SAMPLE = 20


def detect(source: Source) -> bool:
    """Tell them by their item types, or by the response around them (FORMATS 0, row 23)."""
    head = source.head()
    if source.shape == "json" and head and isinstance(head[0], list):
        head = tuple(head[0][:_SAMPLE])
    values = [mapping(value) for value in head]
    fitting = [
        value for value in values if _is_response(value) or string(value.get("type", "message")) in ITEMS
    ]
    return len(fitting) * 2 >= len(values) and any(_is_response(one) or _is_item(one) for one in fitting)


def read(source: Source) -> Iterator[Event]:
    """Give the events of a file: one message an item; a response that names one before it continues it.

    Raises:
        Unreadable: the file is one JSON document, and damaged.

    """
    reading = _Reading()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        for value in map(mapping, line.value if isinstance(line.value, list) else [line.value]):
            if _is_response(value):
                yield from _response(reading, value)
                continue
            if not reading.alone:
                reading.alone = reading.begin()
                yield SessionFacts(reading.alone, None, FORMAT)
            yield _event(reading, reading.alone, value)


@dataclass(slots=True)
class _Reading:
    """What is known after the values so far."""

    sessions: int = 0
    alone: str = ""  # key of the session of the items with no response around them
    responses: dict[str, str] = field(default_factory=dict)  # id of a response -> key of its session
    ids: Counter[tuple[str, str]] = field(default_factory=Counter)

    def begin(self) -> str:
        self.sessions += 1
        return f"#{self.sessions}"


def _is_response(value: Mapping[str, Json]) -> bool:
    if isinstance(value.get("output"), list) and string(value.get("type")) not in ITEMS:
        return value.get("object") == "response" or "input" in value or any(map(_is_item, value["output"]))
    return isinstance(value.get("input"), list) and any(map(_is_item, value["input"]))


def _is_item(value: Json) -> bool:
    if not isinstance(value, dict) or "payload" in value:
        return False
    if string(value.get("type")) in _ITEMS:
        return "call_id" in value or "id" in value
    if value.get("type") == "reasoning":
        return isinstance(value.get("summary"), list)
    return any(string(mapping(block).get("type")) in _CONTENT for block in sequence(value.get("content")))


def _response(reading: _Reading, response: Mapping[str, Json]) -> Iterator[Event]:
    before = string(response.get("previous_response_id")) or ""
    key = reading.responses.get(before)
    if key is None:
        key = reading.begin()
        session = string(mapping(response.get("conversation")).get("id"))
        started = when(response, "created_at")
        yield SessionFacts(key, session, FORMAT, "", known(model=response.get("model"), started=started))
        told = parts_of(response.get("instructions"))
        if told:
            yield Message(key, None, "system", told)
    name = string(response.get("id"))
    if name is not None:
        reading.responses[name] = key
    given = response.get("input")
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else sequence(given):
        yield _event(reading, key, mapping(item))
    answer = [_event(reading, key, mapping(item)) for item in sequence(response.get("output"))]
    model, created = string(response.get("model")), when(response, "created_at")
    last = max((at for at, event in enumerate(answer) if isinstance(event, Message)), default=-1)
    for at, event in enumerate(answer):
        if not isinstance(event, Message):
            yield event
            continue
        usage = counts(response.get("usage")) if at == last else None
        yield replace(event, timestamp=event.timestamp or created, model=model, usage=usage)


def _event(reading: _Reading, key: str, item: Mapping[str, Json]) -> Event:
    found = read_item(item)
    if found is None:
        return Skipped(f"item:{item.get('type')}", key)
    role, parts = found
    name = string(item.get("id"))
    if name is not None:
        reading.ids[key, name] += 1
        number = reading.ids[key, name]
        name = name if number == 1 else f"{name}#{number}"
    marks: tuple[str, ...] = ()
    if role == "user" and all(isinstance(part, Text) for part in parts):
        marks = marks_of(part.text for part in parts if isinstance(part, Text))
    return Message(key, name, role, parts, when(item, "created_at", "timestamp"), marks)
