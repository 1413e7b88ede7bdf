"""Read Codex CLI rollouts: wrapped (0.3x on), bare (until 2025-09) and the toy form before (FORMATS 2)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memctl.model import (
    Damage,
    Event,
    Json,
    Message,
    Part,
    Role,
    SessionFacts,
    Skipped,
    Text,
    Thinking,
)
from memctl.readers.codex_usage import Usage, usage_of, with_usage
from memctl.readers.fields import (
    NO_ID,
    first,
    image,
    known,
    mapping,
    more_facts,
    objects,
    sequence,
    string,
    time,
)
from memctl.readers.marks import marks_of
from memctl.readers.response_items import ITEMS, read_item, role_of
from memctl.readers.source import Source

FORMAT = "codex"

_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
_TOY_TYPES = ("tool_call", "tool_result", "function_call", "function_result", "error", *_ENVELOPES)
_TOY_KEYS = frozenset({"timestamp", "created_at", "role", "content", "message", "model"})
_TOY_BLOCKS = frozenset({"text", "input_text", "output_text", "input_image"})
_ID = re.compile(r"[!-~]{1,200}")  # what was blanked out is no id

# What only Codex puts in the user's name; a block ends with the message.
_INJECTED: tuple[tuple[str, str, str], ...] = (
    ("# AGENTS.md instructions", "", "instructions"),
    ("<permissions instructions>", "</permissions instructions>", "instructions"),
    ("<collaboration_mode>", "</collaboration_mode>", "instructions"),
    ("<skill>", "</skill>", "instructions"),
    ("<turn_aborted>", "</turn_aborted>", "interrupted"),
    ("<user_shell_command>", "</user_shell_command>", "command"),
    ("<user_action>", "</user_action>", "notification"),
    ("<subagent_notification>", "</subagent_notification>", "notification"),
)
_TOLD_BY: Mapping[str, Role] = {"user_message": "user", "agent_message": "assistant"}


def detect(source: Source) -> bool:
    """Tell a rollout by its first objects (FORMATS 0, rows 1 and 2, and the toy form)."""
    heads = objects(source.head())
    if any(head.get("type") in _ENVELOPES and isinstance(head.get("payload"), dict) for head in heads):
        return True
    if any(head.get("record_type") == "state" for head in heads):
        return any(string(head.get("type")) in ITEMS for head in heads)
    return bool(heads) and (
        _is_bare_header(heads[0]) or (source.shape in ("json", "jsonl") and _is_toy(heads))
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a rollout; each response item that says something is one message.

    A file is one session, that of its first `session_meta`: those behind it name what it was forked
    from or resumed. Another id after messages begins another session.
    """
    yield from with_usage(_events(source))


def _is_bare_header(head: Mapping[str, Json]) -> bool:
    return (
        "type" not in head
        and "payload" not in head
        and "instructions" in head
        and {"id", "timestamp"} <= head.keys()
    )


def _is_toy(heads: Sequence[Mapping[str, Json]]) -> bool:
    """Tell `{timestamp, role, content}` and `{timestamp, type: tool_call, ..}` lines.

    Any program may write the former with its calls and ids inside: Codex wrote them in lines of their own, and a
    model on the user's line.
    """

    def fits(head: Mapping[str, Json]) -> bool:
        dated = time(first(head, "timestamp", "created_at")) is not None
        if "type" in head:
            return dated and head["type"] in _TOY_TYPES
        return (
            dated and role_of(head.get("role")) is not None and head.keys() <= _TOY_KEYS and _has_words(head)
        )

    told = [head for head in heads if "role" in head]
    own = len(told) < len(heads) or any("model" in head for head in told if head["role"] == "user")
    return bool(told) and own and all(map(fits, heads))


def _has_words(head: Mapping[str, Json]) -> bool:
    content = first(head, "content", "message")
    return isinstance(content, str) or (
        isinstance(content, list) and all(mapping(block).get("type") in _TOY_BLOCKS for block in content)
    )


@dataclass(slots=True)
class _Rollout:
    """What is known after the lines so far; nothing here depends on lines to come."""

    key: str = ""
    named: set[str] = field(default_factory=set)  # ids of this session and of those it was forked from
    spoken: bool = False  # the session has a message
    model: str | None = None
    native: set[str] = field(default_factory=set)  # roles, and "reasoning", that response items were seen for
    told: Counter[tuple[str, str]] = field(default_factory=Counter)  # told by an event, before any item
    thinking: list[tuple[Thinking, str | None]] = field(default_factory=list)  # an item may repeat it
    total: Json = None  # the last token totals


def _events(source: Source) -> Iterator[Event | Usage]:
    state = _Rollout()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
        elif not isinstance(line.value, dict):
            yield Skipped("not an object", state.key or None)
        else:
            yield from _line(state, line.value)


def _line(state: _Rollout, record: Mapping[str, Json]) -> Iterator[Event | Usage]:
    kind = record.get("type")
    when = time(first(record, "timestamp", "created_at"))
    payload = record.get("payload")
    if isinstance(payload, dict) and isinstance(kind, str):
        if kind == "session_meta":
            yield from _session(state, payload)
        elif kind == "response_item":
            yield from _item(state, payload, when, f"response_item.{payload.get('type')}")
        elif kind == "event_msg":
            yield from _event(state, payload, when)
        elif kind == "turn_context":
            yield from _turn(state, payload)
        elif kind == "compacted" and string(payload.get("message")):
            yield from _say(
                state, Message("", None, "user", (Text(payload["message"]),), when, ("compact_summary",))
            )
        else:
            yield Skipped(kind, state.key or None)
    elif not state.key and _is_bare_header(record):
        yield from _session(state, record)
    elif kind == "error" and string(record.get("text")):
        yield from _say(state, Message("", None, "system", (Text(record["text"]),), when))
    else:
        state.model = string(record.get("model")) or state.model
        yield from _item(state, record, when, str(first(record, "type", "record_type") or "unknown"))


def _session(state: _Rollout, meta: Mapping[str, Json]) -> Iterator[Event]:
    name = string(meta.get("id")) or string(meta.get("session_id"))
    if state.key and name in state.named:
        if name == state.key:
            yield SessionFacts(name, name, FORMAT, facts=_facts(meta))
        else:
            yield Skipped("session_meta", state.key)
        return
    if state.key and not state.spoken:  # the head of the history this session was forked with
        state.named.update([name] if name else [])
        yield Skipped("session_meta", state.key)
        return
    if state.key and name is None:
        yield Skipped("session_meta", state.key)
        return
    state.key = name or NO_ID
    state.named = {state.key}
    state.spoken, state.model, state.total = False, None, None
    yield SessionFacts(state.key, name, FORMAT, facts=_facts(meta))


def _facts(meta: Mapping[str, Json]) -> Mapping[str, str]:
    spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    return known(
        cwd=meta.get("cwd"),
        branch=mapping(meta.get("git")).get("branch"),
        version=meta.get("cli_version"),
        agent="Codex",
        parent=first({**spawn, **meta}, "forked_from_id", "parent_thread_id"),
        started=time(meta.get("timestamp")),
    )


def _turn(state: _Rollout, context: Mapping[str, Json]) -> Iterator[Event]:
    model = string(context.get("model"))
    facts = known(model=model, cwd=context.get("cwd")) if state.model is None and model else {}
    state.model = model or state.model
    yield from more_facts(state.key, FORMAT, facts)
    yield Skipped("turn_context", state.key or None)


# --------------------------------------------------------------------------- items


def _item(state: _Rollout, item: Mapping[str, Json], when: str | None, kind: str) -> Iterator[Event]:
    if item.get("type") == "agent_message":  # what another agent sent to this one
        found = read_item({"type": "message", "role": "user", "content": item.get("content")})
        marks: tuple[str, ...] = ("notification",)
    else:
        found = read_item(item)
        marks = ()
    if found is None:
        yield Skipped(kind, state.key or None)
        return
    role, parts = found
    parts = _untold(state, role, parts, item.get("type"))
    if not parts:
        yield Skipped(kind, state.key or None)
        return
    marks = marks or _marks(role, item, parts)
    name = item.get("id") if _ID.fullmatch(str(item.get("id") or "")) else None
    model = state.model if role == "assistant" else None
    yield from _say(state, Message("", name, role, parts, when, marks, model))


def _untold(state: _Rollout, role: Role, parts: tuple[Part, ...], kind: Json) -> tuple[Part, ...]:
    """Leave out what an event said already, before the first item of its kind was seen.

    From that item on the events of its kind are known to be repetitions and are not used. So each
    line is decided by those before it, and a file cut anywhere gives the beginning of the whole.
    """
    if kind == "reasoning":
        state.native.add("reasoning")
        state.thinking.clear()
        return tuple(left for part in parts if (left := _unsaid(state, part)) is not None)
    if kind in ("message", None):
        state.native.add(role)
        text = "\n".join(part.text for part in parts if isinstance(part, Text)).strip()
        if state.told[role, text] > 0:
            state.told[role, text] -= 1
            told_pictures = state.told["image", text]
            return () if told_pictures else tuple(part for part in parts if not isinstance(part, Text))
    return parts


def _unsaid(state: _Rollout, part: Part) -> Part | None:
    if isinstance(part, Thinking) and state.told["reasoning", part.text.strip()] > 0:
        state.told["reasoning", part.text.strip()] -= 1
        return Thinking("", part.signature) if part.signature else None
    return part


def _marks(role: Role, item: Mapping[str, Json], parts: tuple[Part, ...]) -> tuple[str, ...]:
    if item.get("role") == "developer":
        return ("instructions",)
    if role != "user":
        return ()
    kinds = [_injected(part.text) if isinstance(part, Text) else () for part in parts]
    return tuple(dict.fromkeys(kind for found in kinds for kind in found)) if all(kinds) else ()


def _injected(text: str) -> tuple[str, ...]:
    bare = text.strip()
    for start, end, kind in _INJECTED:
        if bare.startswith(start) and bare.endswith(end):
            return (kind,)
    return marks_of([text])


def _say(state: _Rollout, message: Message) -> Iterator[Event]:
    if not state.key:
        state.key, state.named = NO_ID, {NO_ID}
        yield SessionFacts(
            NO_ID, None, FORMAT, facts=known(agent="Codex", started=message.timestamp, model=state.model)
        )
    if "environment" in message.marks and not state.spoken:
        yield from more_facts(state.key, FORMAT, known(cwd=_cwd(message)))
    state.spoken = True
    for thought, then in state.thinking:
        state.told["reasoning", thought.text.strip()] += 1
        yield Message(state.key, None, "assistant", (thought,), then, model=state.model)
    state.thinking.clear()
    yield replace(message, session=state.key)


def _cwd(message: Message) -> str:
    """Find the working directory in an environment block, where the bare form has it."""
    text = "\n".join(part.text for part in message.parts if isinstance(part, Text))
    for start, end in (("<cwd>", "</cwd>"), ("Current working directory:", "\n")):
        if start in text:
            return text.partition(start)[2].partition(end)[0].strip()
    return ""


# --------------------------------------------------------------------------- events


def _event(state: _Rollout, event: Mapping[str, Json], when: str | None) -> Iterator[Event | Usage]:
    kind = str(event.get("type"))
    skipped = Skipped(f"event_msg.{kind}", state.key or None)
    if kind in _TOLD_BY and string(event.get("message")):
        yield from (
            _told(state, _TOLD_BY[kind], event, when) if _TOLD_BY[kind] not in state.native else [skipped]
        )
    elif kind == "agent_reasoning" and string(event.get("text")) and "reasoning" not in state.native:
        state.thinking.append((Thinking(event["text"]), when))
    elif kind == "error" and (text := _error(event)):
        yield from _say(state, Message("", None, "system", (Text(text),), when))
    else:
        if kind == "token_count":
            used, state.total = usage_of(mapping(event.get("info")), state.total)
            yield from [used] if used else []
        elif kind == "thread_name_updated":
            yield from more_facts(state.key, FORMAT, known(title=event.get("thread_name")))
        yield skipped


def _told(state: _Rollout, role: Role, event: Mapping[str, Json], when: str | None) -> Iterator[Event]:
    text = event["message"]
    pictures = tuple(image(address) for address in sequence(event.get("images")))
    state.told[role, text.strip()] += 1
    state.told["image", text.strip()] += len(pictures)
    parts = (Text(text), *pictures)
    model = state.model if role == "assistant" else None
    yield from _say(state, Message("", None, role, parts, when, _marks(role, event, parts), model))


def _error(event: Mapping[str, Json]) -> str | None:
    return string(event.get("message")) or string(mapping(event.get("error")).get("message"))
