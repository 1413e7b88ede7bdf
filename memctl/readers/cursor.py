"""Read what Cursor leaves behind: transcripts of its agent, and chats exported as Markdown (FORMATS 13)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memctl.model import (
    Call,
    Damage,
    Event,
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
from memctl.readers.blocks import parts_of
from memctl.readers.fields import known, mapping, objects, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "cursor"

_KEY = "#1"  # neither form says an id
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_FOREIGN = frozenset({"uuid", "sessionId", "type"})  # keys of others' lines that hold a `message`
_BLOCKS = {"tool_call": "tool_use", "tool-call": "tool_use", "tool-result": "tool_result"}
_HIDDEN = "[REDACTED]"  # stands where the model's reasoning was

_EXPORTED = re.compile(r"_Exported on (?P<when>.{1,80}?) from Cursor \((?P<version>[\w.-]{1,40})\)_")
_HEADING = re.compile(r"\*\*(User|Cursor)\*\*")
_HEADINGS: Mapping[str, Role] = {"User": "user", "Cursor": "assistant"}
_RULE = "---"


def detect(source: Source) -> bool:
    """Tell a transcript by its bare roles, an export by its second line (FORMATS 0, rows 9 and 26)."""
    return _is_export(source) or (source.shape == "jsonl" and any(map(_is_turn, objects(source.head()))))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a transcript, or of an exported chat, whose messages are named by their place."""
    yield from _exported(source) if _is_export(source) else _transcript(source)


def _is_export(source: Source) -> bool:
    lines = [line.rstrip() for line in source.opening()[:4000].split("\n") if line.strip()][:4]
    return bool(lines) and lines[0].startswith("# ") and any(map(_EXPORTED.fullmatch, lines[1:]))


# --------------------------------------------------------------------------- transcripts of the agent


def _is_turn(value: Mapping[str, Json]) -> bool:
    content = mapping(value.get("message")).get("content")
    return (
        string(value.get("role")) in _ROLES and isinstance(content, list | str) and _FOREIGN.isdisjoint(value)
    )


def _transcript(source: Source) -> Iterator[Event]:
    calls: set[str] = set()
    told = False
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = mapping(line.value)
        role = _ROLES.get(str(value.get("role")))
        parts = _parts(mapping(value.get("message")).get("content"), calls)
        if role is None or not parts:
            yield Skipped(str(value.get("type") or "empty"), _KEY if told else None)
            continue
        if not told:
            told = True
            yield SessionFacts(_KEY, None, FORMAT, facts={"agent": "Cursor"})
        when, model = time(value.get("timestamp")), string(value.get("model"))
        yield from _split(role, parts, when, model)


def _parts(content: Json, calls: set[str]) -> list[Part]:
    """Read blocks; a result is paired by order unless its call was seen with its id."""
    blocks = content if isinstance(content, list) else [content]
    renamed = [
        {**block, "type": _BLOCKS[block["type"]]}
        if isinstance(block, dict) and string(block.get("type")) in _BLOCKS
        else block
        for block in blocks
    ]
    found: list[Part] = []
    for part in parts_of(renamed):
        if isinstance(part, Call) and part.id:
            calls.add(part.id)
        if isinstance(part, Result) and part.call_id not in calls:
            part = Result(None, part.blocks, part.is_error, part.name)  # noqa: PLW2901 - the same one, named as it can be
        if isinstance(part, Text) and part.text.strip() == _HIDDEN:
            part = Thinking(part.text)  # noqa: PLW2901 - as above
        if isinstance(part, Raw) and (text := string(mapping(part.value).get("text"))):
            part = Text(text)  # noqa: PLW2901 - a block of a kind that came later, with words in it
        found.append(part)
    return found


def _split(role: Role, parts: list[Part], when: str | None, model: str | None) -> Iterator[Message]:
    """Give a line as one message, or as two where results stand beside words."""
    results = tuple(part for part in parts if isinstance(part, Result))
    rest = tuple(part for part in parts if not isinstance(part, Result))
    if results:
        yield Message(_KEY, None, "tool", results, when)
    if rest:
        marks: tuple[str, ...] = ()
        if role == "user" and all(isinstance(part, Text) for part in rest):
            marks = marks_of(part.text for part in rest if isinstance(part, Text))
        yield Message(_KEY, None, role, rest, when, marks, model if role == "assistant" else None)


# --------------------------------------------------------------------------- exported chats


@dataclass(slots=True)
class _Chat:
    """An exported chat as it is read; *blank* and *ruled* say what stands before the current line."""

    role: Role | None = None
    lines: list[str] = field(default_factory=list)
    count: int = 0
    title: str | None = None
    told: bool = False


def _exported(source: Source) -> Iterator[Event]:
    """Read a chat part by part: a part begins with a rule, an empty line and its heading.

    Rules and headings stand inside answers as well; only both together part two messages, and what
    was held back of a rule belongs to the message when no heading follows.
    """
    chat = _Chat()
    held: list[str] = []  # a rule and the empty lines behind it: the end of a message, or a part of it
    for line in source.text_lines():
        if isinstance(line, Damage):
            yield line
            continue
        text: str = line.value
        heading = _HEADING.fullmatch(text.rstrip())
        if heading and held and held[-1] == "":
            yield from _message(chat)
            chat.role, chat.lines, held = _HEADINGS[heading[1]], [], []
        elif text.rstrip() == _RULE:
            chat.lines += held
            held = [text]
        elif held and not text:
            held.append(text)
        elif chat.role is None and not chat.told and (exported := _EXPORTED.fullmatch(text.rstrip())):
            chat.told = True
            facts = known(agent="Cursor", title=chat.title, version=exported["version"])
            yield SessionFacts(_KEY, None, FORMAT, facts=facts)
        elif chat.role is None and text.startswith("# "):
            chat.title = text[2:].strip()
        else:
            chat.lines += [*held, text]
            held = []
    yield from _message(chat)


def _message(chat: _Chat) -> Iterator[Event]:
    words = "\n".join(chat.lines).strip("\n").rstrip()
    if not words:
        return
    if not chat.told:
        chat.told = True
        yield SessionFacts(_KEY, None, FORMAT, facts=known(agent="Cursor", title=chat.title))
    chat.count += 1
    role: Role = chat.role or "system"
    marks = marks_of([words]) if role == "user" else ()
    yield Message(_KEY, str(chat.count), role, (Text(words),), None, marks)
