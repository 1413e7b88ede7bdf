"""Read the wire logs of Kimi Code: what went into the context of an agent, one record per line (FORMATS 19)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

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
from memctl.readers.blocks import parts_of, result_blocks
from memctl.readers.fields import counts, epoch, first, known, mapping, objects, sequence, string, time
from memctl.readers.marks import marks_of
from memctl.readers.source import Source

FORMAT = "kimi"

_KEY = "#1"  # the log says no id: folders do
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_RECORDS = frozenset({"context.append_message", "context.append_loop_event", "turn.prompt", "turn.steer"})
_MARKS = {  # of what no person typed, by the kind of its origin
    "skill_activation": "instructions",
    "plugin_command": "instructions",
    "injection": "meta",
    "system_trigger": "meta",
    "hook": "hook",
    "hook_result": "hook",
    "background_task": "notification",
    "task": "notification",
    "cron": "notification",
    "cron_job": "notification",
    "cron_missed": "notification",
    "compaction_summary": "compact_summary",
    "shell_command": "command",
}


def detect(source: Source) -> bool:
    """Tell a log by its header, or by records that only it has (FORMATS 19)."""
    return any(
        (head.get("type") == "metadata" and "protocol_version" in head and "created_at" in head)
        or (string(head.get("type")) in _RECORDS and not isinstance(head.get("data"), dict))
        for head in objects(source.head())
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a log: its messages, and each step of the agent as an answer and its results.

    A prompt stands twice, as it was typed and as it went into the context; the second is read.
    """
    log = _Log()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        record = mapping(line.value)
        kind = str(record.get("type"))
        reader = _READERS.get(kind)
        if reader is None:
            yield Skipped(kind, _KEY if log.told else None)
        else:
            yield from reader(log, record)
        yield from log.new_facts()
    yield from log.end_step()


@dataclass(slots=True)
class _Step:
    """A step of the agent: one answer of the model and what came of its calls."""

    uuid: str | None
    id: str | None  # of its message
    when: str | None
    parts: list[Part] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    came: str | None = None  # time of the first result
    usage: Json = None


@dataclass(slots=True)
class _Log:
    """What is known after the records so far; *found* are facts that are not given yet."""

    told: bool = False
    seed: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=lambda: {"agent": "Kimi Code"})
    prompt: str | None = None
    step: _Step | None = None
    steps: Counter[str] = field(default_factory=Counter)  # pieces of each step; a message may cut it in two

    def learn(self, **facts: Json) -> None:
        """Take facts that are new."""
        self.found |= {name: value for name, value in known(**facts).items() if name not in self.facts}

    def new_facts(self) -> Iterator[SessionFacts]:
        """Give what is new of a session that has begun."""
        if self.told and self.found:
            yield self.session()

    def session(self) -> SessionFacts:
        """Give the session, begun or with new facts."""
        facts, self.found, self.told = self.found, {}, True
        self.facts |= facts
        return SessionFacts(_KEY, None, FORMAT, self.seed, facts)

    def give(self, message: Message) -> Iterator[Event]:
        """Give a message behind the step before it."""
        yield from self.end_step()
        if not self.told:
            yield self.session()
        yield message

    def begin_step(self, name: str | None, when: str | None) -> _Step:
        """Begin a step, or what is left of one."""
        if name is None:
            return _Step(None, None, when)
        self.steps[name] += 1
        number = self.steps[name]
        return _Step(name, name if number == 1 else f"{name}#{number}", when)

    def end_step(self) -> Iterator[Event]:
        """Give the step that has ended."""
        step, self.step = self.step, None
        if step is None or not (step.parts or step.results):
            return
        if not self.told:
            yield self.session()
        model, name = self.facts.get("model"), step.id
        if step.parts:
            parts, usage = tuple(step.parts), counts(step.usage)
            yield Message(_KEY, name, "assistant", parts, step.when, (), model, usage)
        if step.results:
            yield Message(_KEY, name and f"{name}/results", "tool", tuple(step.results), step.came)


def _when(record: Mapping[str, Json]) -> str | None:
    value = record.get("time")
    return epoch(value) or time(value)


# --------------------------------------------------------------------------- records


def _metadata(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    started = epoch(record.get("created_at"))
    log.seed = log.seed or started or ""  # many sessions begin with the same words
    log.learn(started=started)
    yield Skipped("metadata", _KEY if log.told else None)


def _settings(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    disclosed = mapping(record.get("environmentDisclosure"))
    log.learn(cwd=first(record, "cwd") or disclosed.get("cwd"), model=first(record, "modelAlias", "model"))
    prompt = string(record.get("systemPrompt"))
    if prompt and prompt != log.prompt:
        log.prompt = prompt
        yield from log.give(Message(_KEY, None, "system", (Text(prompt),), _when(record)))
    else:
        yield Skipped(str(record.get("type")), _KEY if log.told else None)


def _request(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    log.learn(model=first(record, "modelAlias", "model"))
    yield Skipped("llm.request", _KEY if log.told else None)


def _append(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    message = mapping(record.get("message"))
    role = _ROLES.get(str(message.get("role")))
    parts = _parts(message.get("content"))
    if role == "tool":
        call, failed = string(first(message, "toolCallId", "tool_call_id")), message.get("isError")
        blocks = result_blocks(message.get("content"))
        parts = [Result(call, blocks, failed if isinstance(failed, bool) else None)]
    parts += [_call(mapping(call)) for call in sequence(message.get("toolCalls"))]
    if role is None or not parts:
        yield Skipped(f"empty:{message.get('role')}", _KEY if log.told else None)
        return
    marks = _marks(mapping(first(message, "origin") or record.get("origin")), parts) if role == "user" else ()
    yield from log.give(Message(_KEY, string(message.get("id")), role, tuple(parts), _when(record), marks))


def _marks(origin: Mapping[str, Json], parts: list[Part]) -> tuple[str, ...]:
    kind = str(origin.get("kind") or "user")
    if kind != "user":
        return (_MARKS.get(kind, "meta"),)
    texts = [part.text for part in parts if isinstance(part, Text)]
    return marks_of(texts) if len(texts) == len(parts) else ()


def _loop(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    event = mapping(record.get("event"))
    kind, when = str(event.get("type")), _when(record)
    name = string(event.get("stepUuid")) or (string(event.get("uuid")) if kind.startswith("step.") else None)
    if kind == "step.begin" or (log.step and name and log.step.uuid and name != log.step.uuid):
        yield from log.end_step()
    if log.step is None:
        log.step = log.begin_step(name, when)
    step = log.step
    if kind == "content.part":
        step.parts += _parts([event.get("part")])
    elif kind == "tool.call":
        step.parts.append(_call(event))
    elif kind == "tool.result":
        step.results.append(_result(event))
        step.came = step.came or when
    elif kind == "step.end":
        step.usage = event.get("usage")
        yield from log.end_step()
    elif kind != "step.begin":
        yield Skipped(f"loop.{kind}", _KEY if log.told else None)


def _compaction(log: _Log, record: Mapping[str, Json]) -> Iterator[Event]:
    summary = string(record.get("summary"))
    if summary:
        marks = ("compact_summary",)
        yield from log.give(Message(_KEY, None, "user", (Text(summary),), _when(record), marks))


_READERS: Mapping[str, Callable[[_Log, Mapping[str, Json]], Iterator[Event]]] = {
    "metadata": _metadata,
    "config.update": _settings,
    "profile.bind": _settings,
    "llm.request": _request,
    "context.append_message": _append,
    "context.append_loop_event": _loop,
    "context.apply_compaction": _compaction,
}


# --------------------------------------------------------------------------- parts


def _parts(content: Json) -> list[Part]:
    found: list[Part] = []
    for block in content if isinstance(content, list) else [content]:
        thought = string(mapping(block).get("think"))
        found += [Thinking(thought)] if thought else parts_of(block)
    return found


def _call(call: Mapping[str, Json]) -> Call:
    inner = mapping(call.get("function"))
    arguments = first(call, "args", "arguments", "input")
    return Call(
        string(first(call, "toolCallId", "id")),
        string(call.get("name")) or string(inner.get("name")) or "",
        inner.get("arguments") if arguments is None else arguments,
    )


def _result(event: Mapping[str, Json]) -> Result:
    result = mapping(event.get("result"))
    output, failed = first(result, "output", "content"), result.get("isError")
    blocks = result_blocks(output) if output is not None else ()
    note = string(result.get("note"))
    if note:
        blocks += (Text(note),)
    return Result(string(event.get("toolCallId")), blocks, failed if isinstance(failed, bool) else None)
