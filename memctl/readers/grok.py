"""Read chat histories of Grok's command line: one record per line, without times (FORMATS 19)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memctl.errors import InputError
from memctl.model import (
    Call,
    Damage,
    Event,
    Image,
    Json,
    Message,
    Part,
    Raw,
    Result,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.fields import first, image, known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "grok"

_NO_ID = "#1"  # the key of a history without its summary
_SUMMARY = "summary.json"
_OWN = frozenset({"prompt_index", "synthetic_reason", "model_id", "model_fingerprint"})
_FOREIGN = frozenset({"message", "data", "payload", "uuid"})  # keys of others' lines of such types
_MARKS = {  # of what the program wrote in the user's name
    "environment_context": "environment",
    "project_instructions": "instructions",
    "skill": "instructions",
    "compaction": "compact_summary",
    "compaction_summary": "compact_summary",
    "conversation_summary": "compact_summary",
    "interrupt": "interrupted",
    "task_notification": "notification",
    "background_task": "notification",
}


def detect(source: Source) -> bool:
    """Tell a history by turns that have what only Grok writes (FORMATS 19)."""
    heads = objects(source.head())
    return source.shape == "jsonl" and any(
        head.get("type") in ("user", "assistant")
        and "content" in head
        and not _OWN.isdisjoint(head)
        and _FOREIGN.isdisjoint(head)
        for head in heads
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a history; `summary.json` beside it names its session.

    Reasoning stands before the answer it belongs to; they are one message when it has an id, for then
    it keeps its name while the answer is not there yet.
    """
    history = _History()
    yield from _begin(source, history)
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        else:
            yield from _record(history, mapping(line.value))
    yield from _thought(history)


@dataclass(slots=True)
class _History:
    """What is known after the records so far; *thoughts* wait for their answer."""

    key: str = _NO_ID
    name: str | None = None
    thoughts: list[Thinking] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


def _begin(source: Source, history: _History) -> Iterator[Event]:
    summary = _summary(source)
    info = mapping(summary.get("info"))
    name = string(info.get("id"))
    history.key = name or _NO_ID
    facts = known(
        agent="Grok",
        cwd=first(info, "cwd") or summary.get("git_root_dir"),
        branch=summary.get("head_branch"),
        model=summary.get("current_model_id"),
        title=first(summary, "generated_title", "session_summary"),
        parent=summary.get("parent_session_id"),
        started=time(summary.get("created_at")),
    )
    yield SessionFacts(history.key, name, FORMAT, facts=facts)


def _summary(source: Source) -> Mapping[str, Json]:
    for file in source.beside(0):
        if file.path is not None and file.path.name == _SUMMARY:
            try:
                return mapping(file.document())
            except InputError:  # half written: it is not there yet
                return {}
    return {}


def _record(history: _History, record: Mapping[str, Json]) -> Iterator[Event]:
    kind = str(record.get("type"))
    if kind == "reasoning":
        yield from _reasoning(history, record)
        return
    if kind != "assistant":
        yield from _thought(history)
    key = history.key
    if kind == "assistant":
        yield from _assistant(history, record)
    elif kind == "user" and (parts := _parts(record.get("content"))):
        yield Message(key, None, "user", parts, marks=_marks(record, parts))
    elif kind == "system" and (parts := _parts(record.get("content"))):
        yield Message(key, None, "system", parts)
    elif kind == "tool_result":
        yield Message(key, None, "tool", (_result(record),))
    elif kind == "backend_tool_call":
        about = mapping(record.get("kind"))
        name, action = string(about.get("id")), about.get("action")
        yield Message(key, None, "assistant", (Call(name, string(about.get("tool_type")) or "", action),))
    else:
        yield Skipped(kind, key)


def _reasoning(history: _History, record: Mapping[str, Json]) -> Iterator[Event]:
    texts = [string(mapping(piece).get("text")) for piece in sequence(record.get("summary"))]
    words = "\n\n".join(text for text in texts if text)
    name = string(record.get("id"))
    if not words:
        yield Skipped("reasoning", history.key)
        return
    if history.name is not None or name is None or name in history.names:
        yield from _thought(history)
    if name is None or name in history.names:
        yield Message(history.key, None, "assistant", (Thinking(words),))
        return
    history.name, history.thoughts = name, [Thinking(words)]
    history.names.add(name)


def _thought(history: _History) -> Iterator[Event]:
    """Give reasoning that no answer followed."""
    name, thoughts = history.name, history.thoughts
    history.name, history.thoughts = None, []
    if name:
        yield Message(history.key, name, "assistant", tuple(thoughts))


def _assistant(history: _History, record: Mapping[str, Json]) -> Iterator[Event]:
    name, parts = history.name, list[Part](history.thoughts)
    history.name, history.thoughts = None, []
    inline = string(mapping(record.get("reasoning")).get("text"))
    parts += [Thinking(inline)] if inline else []
    parts += _parts(record.get("content"))
    for call in map(mapping, sequence(record.get("tool_calls"))):
        inner = mapping(call.get("function"))
        arguments = call.get("arguments") if "arguments" in call else inner.get("arguments")
        tool = string(call.get("name")) or string(inner.get("name")) or ""
        parts.append(Call(string(call.get("id")), tool, arguments))
    if parts:
        model = string(first(record, "model_id", "model"))
        yield Message(history.key, name, "assistant", tuple(parts), model=model)
    else:
        yield Skipped("empty:assistant", history.key)


def _marks(record: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[str, ...]:
    reason = record.get("synthetic_reason")
    if reason is not None:
        return (_MARKS.get(str(reason), "meta"),)
    texts = [part.text for part in parts if isinstance(part, Text)]
    return marks_of(texts) if len(texts) == len(parts) else ()


def _result(record: Mapping[str, Json]) -> Result:
    blocks: tuple[Text | Image | Raw, ...] = result_blocks(record.get("content"))
    blocks += tuple(image(url) for url in sequence(record.get("images")) if url)
    failed = record.get("is_error")
    return Result(string(record.get("tool_call_id")), blocks, failed if isinstance(failed, bool) else None)


def _parts(content: Json) -> tuple[Part, ...]:
    return parts_of(content) if content is not None else ()
