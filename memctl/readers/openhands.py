"""Read the events of OpenHands: those of its SDK (V1) and those before (V0) (FORMATS 9)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from memctl.model import Damage, Event, Json, Message, SessionFacts, Skipped
from memctl.readers.blocks import identifier
from memctl.readers.fields import first, known, mapping, objects, sequence, string, time
from memctl.readers.openhands_legacy import act_or_observation
from memctl.readers.openhands_log import Log, response_of
from memctl.readers.openhands_sdk import KINDS
from memctl.readers.source import Line, Source

FORMAT = "openhands"

_ACTS = frozenset({"action", "observation"})  # one of them is a key of every event of V0


def detect(source: Source) -> bool:
    """Tell events by their kind and source, or by what they do (FORMATS 0, rows 14 and 15)."""
    head = source.head()
    if source.shape == "json" and head and isinstance(head[0], dict):
        return _is_state(head[0]) or _is_run(head[0])
    return any(_is_event(value) or _is_run(value) for value in objects(head))


def read(source: Source) -> Iterator[Event]:
    """Give the events of a conversation, or of each run of an evaluation.

    Calls that one answer of the model asked for are one message. Where each event is a file, the state
    of the conversation beside their folder is the source.
    """
    alone = Log("#1")
    for line in _lines(source, alone):
        if isinstance(line, Damage | SessionFacts):
            yield line
        elif isinstance(line.value, dict) and _is_run(line.value):
            name = string(line.value.get("instance_id"))
            run = Log(name or f"#{line.number}", begun=True)
            yield SessionFacts(run.key, name, FORMAT, facts={"agent": "OpenHands"})
            for event in sequence(line.value.get("history")):
                for one in event if isinstance(event, list) else [event]:
                    yield from _event(run, one)
            yield from _rest(run)
        else:
            yield from _event(alone, line.value)
    yield from _rest(alone)


def _lines(source: Source, log: Log) -> Iterator[Line | Damage | SessionFacts]:
    """Give a source's lines; of the state of a conversation, the events in the folder beside it."""
    head = source.head()
    if source.shape != "json" or not head or not _is_state(head[0]):
        yield from source.lines()
        return
    state = mapping(head[0])
    cwd = mapping(state.get("workspace")).get("working_dir")
    model = mapping(mapping(state.get("agent")).get("llm")).get("model")
    log.key, log.begun = str(state["id"]), True
    yield SessionFacts(log.key, log.key, FORMAT, facts=known(agent="OpenHands", cwd=cwd, model=model))
    for file in source.beside(0, "events"):
        # A file that is half written is not there yet.
        yield from (line for line in file.lines() if not isinstance(line, Damage))


def _is_state(value: Json) -> bool:
    """Tell the state of a conversation: `base_state.json`."""
    fields = mapping(value)
    return (
        string(fields.get("id")) is not None
        and isinstance(fields.get("agent"), dict)
        and "max_iterations" in fields
    )


def _is_event(value: Json) -> bool:
    if not isinstance(value, dict) or "source" not in value:
        return False
    if _kind(value) in KINDS:
        return True
    return isinstance(value.get("id"), int) and not _ACTS.isdisjoint(value)


def _is_run(value: Mapping[str, Json]) -> bool:
    history = sequence(value.get("history"))
    events = history[0] if history and isinstance(history[0], list) else history
    return "instance_id" in value and any(map(_is_event, events))


def _kind(event: Mapping[str, Json]) -> str:
    return string(event.get("kind")) or ""


def _event(log: Log, value: Json) -> Iterator[Event]:
    event = mapping(value)
    kind = _kind(event) or str(first(event, "action", "observation"))
    reader = KINDS.get(kind)
    if reader is None and not _ACTS.isdisjoint(event):
        reader = act_or_observation
    message = reader(log, event) if reader else None
    if message is None:
        yield Skipped(kind, log.key if log.begun else None)
        return
    if not log.begun:
        log.begun = True
        seed = identifier(event.get("id")) or ""  # an event's id is unlike any other conversation's
        yield SessionFacts(log.key, None, FORMAT, f"{seed} {event.get('timestamp')}", {"agent": "OpenHands"})
    when = time(event.get("timestamp"))
    message = replace(message, session=log.key, id=identifier(event.get("id")), timestamp=when)
    answer = string(event.get("llm_response_id")) or string(response_of(event).get("id"))
    if message.role == "assistant" and answer and answer == log.answer and log.held:
        log.held = replace(log.held, parts=(*log.held.parts, *message.parts))
        return
    yield from _rest(log)
    if message.role == "assistant" and answer:
        log.answer, log.held = answer, message
    else:
        yield message


def _rest(log: Log) -> Iterator[Message]:
    if log.held:
        yield log.held
    log.answer, log.held = None, None
