"""What is known of an OpenHands conversation while its events are read, and what both versions share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memctl.model import Json, Message, Text
from memctl.readers.blocks import identifier
from memctl.readers.fields import first, mapping, string

__all__ = ["Log", "answered", "call_id", "condensation", "response_of"]


@dataclass(slots=True)
class Log:
    """What is known of a conversation after the events so far."""

    key: str
    begun: bool = False
    answer: str | None = None  # id of the model's answer whose calls are being joined
    held: Message | None = None  # its message, until something else comes
    counted: set[str] = field(default_factory=set)  # answers whose usage was given
    calls: dict[str, str] = field(default_factory=dict)  # event of an action -> id of its call
    taken: set[str] = field(default_factory=set)  # ids of calls: some versions count them anew each turn


def call_id(log: Log, event: Mapping[str, Json], named: str | None) -> str:
    """Give the id of an action's call: the one it names, or its event's where that was used before."""
    own = str(identifier(event.get("id")))
    chosen = own if named is None or named in log.taken else named
    log.calls[own] = chosen
    log.taken.add(chosen)
    return chosen


def answered(log: Log, event: Mapping[str, Json], named: str | None) -> str | None:
    """Give the id of the call that an observation answers."""
    cause = identifier(first(event, "action_id", "cause"))
    return log.calls.get(cause, named) if cause is not None else named


def condensation(log: Log, event: Mapping[str, Json]) -> Message | None:
    """Read what stands for events that were left out; None when it says nothing."""
    summary = string(first(event, "summary") or mapping(event.get("args")).get("summary"))
    return Message(log.key, None, "user", (Text(summary),), None, ("compact_summary",)) if summary else None


def response_of(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """Give the model's whole answer that an event of V0 carries; empty when it has none."""
    return mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
