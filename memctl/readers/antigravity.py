"""Read transcripts of Antigravity's command line: the steps of a conversation, one per line (FORMATS 19)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

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
from memctl.readers.fields import known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "antigravity"

_KEY = "#1"  # the conversation's id is the name of its folder
_OPEN, _CLOSE = "<USER_REQUEST>", "</USER_REQUEST>"
_MODEL = re.compile(r"`Model Selection` from [^\n]{1,100} to ([^\n.]{1,100})")


def detect(source: Source) -> bool:
    """Tell a transcript by its numbered, typed steps (FORMATS 19)."""
    return source.shape == "jsonl" and any(
        isinstance(head.get("step_index"), int) and {"type", "source", "status"} <= head.keys()
        for head in objects(source.head())
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a transcript; a step of the model with content is what came of a call.

    The program adds to the user's words settings and context; these are a message of their own.
    """
    told = False
    numbers: Counter[str] = Counter()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        step = mapping(line.value)
        given = list(_messages(step))
        if not given:
            yield Skipped(str(step.get("type")), _KEY if told else None)
            continue
        if not told:
            told = True
            model = _MODEL.search(string(step.get("content")) or "")
            when = time(step.get("created_at"))
            facts = known(agent="Antigravity", started=when, model=model[1].strip() if model else None)
            yield SessionFacts(_KEY, None, FORMAT, facts=facts)
        number = str(step.get("step_index"))
        numbers[number] += 1
        name = number if numbers[number] == 1 else f"{number}#{numbers[number]}"
        for message, suffix in zip(given, ("", "/context"), strict=False):
            role, parts, marks = message
            yield Message(_KEY, name + suffix, role, parts, time(step.get("created_at")), marks)


_Given = tuple[Role, tuple[Part, ...], tuple[str, ...]]


def _messages(step: Mapping[str, Json]) -> Iterator[_Given]:
    kind, content = str(step.get("type")), string(step.get("content"))
    if kind == "USER_INPUT":
        yield from _user(content or "")
    elif kind == "PLANNER_RESPONSE":
        thought = string(step.get("thinking"))
        calls = [
            Call(string(call.get("id")), string(call.get("name")) or "", call.get("args"))
            for call in map(mapping, sequence(step.get("tool_calls")))
        ]
        parts: tuple[Part, ...] = (Thinking(thought),) if thought else ()
        parts += (Text(content),) if content else ()
        if parts or calls:
            yield "assistant", (*parts, *calls), ()
    elif content and step.get("source") == "MODEL":
        failed = True if step.get("status") == "ERROR" else None
        yield "tool", (Result(None, (Text(content),), failed, kind.lower()),), ()
    elif content and kind == "CHECKPOINT":
        yield "user", (Text(content),), ("compact_summary",)
    elif content:
        yield "system", (Text(content),), ()


def _user(content: str) -> Iterator[_Given]:
    start = content.find(_OPEN)
    end = content.find(_CLOSE, start)
    if start < 0 or end < 0:
        if content:
            yield "user", (Text(content),), marks_of([content])
        return
    words = content[start + len(_OPEN) : end].strip("\n")
    around = f"{content[:start]}{content[end + len(_CLOSE) :]}".strip()
    if words:
        yield "user", (Text(words),), marks_of([words])
    if around:
        yield "user", (Text(around),), ("environment",)
