"""Give the tokens that an answer cost to its last message, wherever Codex tells them (FORMATS 2)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from memctl.model import Event, Json, Message, SessionFacts
from memctl.readers.fields import counts, first

__all__ = ["Usage", "usage_of", "with_usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What the answer before it cost, in tokens."""

    counts: Mapping[str, int]


def usage_of(info: Mapping[str, Json], before: Json) -> tuple[Usage | None, Json]:
    """Read a count of tokens, and the totals to compare the next one with.

    An answer counts once: an update of the rate limits repeats the numbers of the answer before.
    """
    total = first(info, "total_token_usage", "last_token_usage")
    last = counts(info.get("last_token_usage"))
    return (Usage(last), total) if last and total != before else (None, before)


def with_usage(events: Iterable[Event | Usage]) -> Iterator[Event]:
    """Give usage to the last of an answer's messages, which is held back, with its results, until then."""
    held: list[Message] = []
    for event in events:
        if isinstance(event, Usage):
            if held:
                held[0] = replace(held[0], usage=event.counts)
                yield from held
                held = []
        elif not isinstance(event, Message):
            if held and isinstance(event, SessionFacts) and event.key != held[0].session:
                yield from held
                held = []
            yield event
        elif event.role == "assistant":
            yield from held
            held = [event]
        elif held and event.role == "tool":
            held.append(event)
        else:
            yield from held
            held = []
            yield event
    yield from held
