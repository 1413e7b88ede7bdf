"""Read the conversations of a Claude.ai export, many to a file (FORMATS 15)."""

from collections.abc import Iterator, Mapping

from memctl.model import Damage, Event, Json, Message, Part, Raw, Result, Role, SessionFacts, Skipped, Text
from memctl.readers.blocks import parts_of
from memctl.readers.fields import first, known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "claude-ai"

_ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant"}
_FILES = ("attachments", "files", "files_v2")


def detect(source: Source) -> bool:
    """Tell a conversation by its messages (FORMATS 15)."""
    return any(map(_is_conversation, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the events of each conversation, a session of its own.

    An answer holds its calls with their results: words behind a result are a message of their own, the
    results the message `<id>/results` before it.
    """
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = mapping(line.value)
        if not _is_conversation(value):
            yield Skipped("no conversation")
            continue
        number += 1
        key = f"#{number}"
        facts = known(
            agent="Claude.ai",
            title=value.get("name"),
            model=value.get("model"),
            started=time(value.get("created_at")),
        )
        yield SessionFacts(key, string(first(value, "uuid", "id")), FORMAT, facts=facts)
        given: set[str] = set()
        for message in map(mapping, value["chat_messages"]):
            yield from _message(key, message, given)


def _is_conversation(value: Mapping[str, Json]) -> bool:
    return isinstance(value.get("chat_messages"), list) and ("uuid" in value or "id" in value)


def _message(key: str, message: Mapping[str, Json], given: set[str]) -> Iterator[Event]:
    who = first(message, "sender", "role")
    role = _ROLES.get(str(who))
    pieces = _pieces(message) if role else []
    if role is None or not pieces:
        yield Skipped(f"empty:{who}", key)
        return
    name = string(first(message, "uuid", "id"))
    name = None if name in given else name  # an export that holds it twice says nothing more of it
    parent = string(message.get("parent_message_uuid"))
    above = parent if parent in given else None
    when = time(message.get("created_at"))
    for number, parts in enumerate(pieces):
        results = isinstance(parts[0], Result)
        own = name if number == 0 or name is None else f"{name}/{number + 1}"
        if name and results:
            own = f"{name}/results" if number < 2 else f"{name}/results/{number // 2 + 1}"
        marks: tuple[str, ...] = ()
        if role == "user" and all(isinstance(part, Text) for part in parts):
            marks = marks_of(part.text for part in parts if isinstance(part, Text))
        yield Message(key, own, "tool" if results else role, parts, when, marks, parent=above)
        above = own or above
    if name:
        given.add(name)


def _pieces(message: Mapping[str, Json]) -> list[tuple[Part, ...]]:
    """Part a message where results begin and end."""
    content = message.get("content")
    parts = list(parts_of(content)) if content else []
    if not parts and (text := string(message.get("text"))):
        parts = [Text(text)]
    parts += [Raw(file) for key in _FILES for file in sequence(message.get(key)) if file]
    pieces: list[list[Part]] = []
    for part in parts:
        if not pieces or isinstance(part, Result) != isinstance(pieces[-1][0], Result):
            pieces.append([])
        pieces[-1].append(part)
    return [tuple(piece) for piece in pieces]
