"""Shards: what TencentDB Agent Memory recorded of a session, beside the agent's own transcript of it.

The original records words alone, under ids of its own, a file a day. Where the transcript is here, too, each
message stands at its time, and what the transcript says itself is marked as said twice.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from memctl import files
from memctl.model import Json
from memctl.store.messages import Record, Stored, better as longer, merge_orders, own_words, record
from memctl.text.names import normal_time

IN_SHARDS = "tdai"  # a session goes on in the next day's file, which shares no message with the one before
FIELD = "from"  # of a message that such a file told
_FIELD = b'"from":"tdai"'  # no text holds it: its quotes would be escaped
_TWICE = "repeated"


def is_of(one: Record) -> bool:
    """Tell whether a message comes from a shard."""
    return _FIELD in one.tail


def better(one: Record, other: Record) -> Record:
    """Of two records of one message keep that of the transcript, else what `messages.better` does."""
    if is_of(one) == is_of(other):
        return longer(one, other)
    return other if is_of(one) else one


def arranged(
    stored: Iterable[int], new: Iterable[int], record_of: Callable[[int], Record]
) -> tuple[list[int], frozenset[tuple[str, str]]]:
    """Give the order of a session's messages, and what its transcript says by (role, words).

    stored, new: keys of messages. It does not matter which came first: those of the transcript keep their order,
    those of shards stand at their times, of one time as the shard has them.
    """
    shared: dict[int, datetime] = {}
    told: list[list[int]] = []
    own: list[list[int]] = []
    times: dict[int, datetime | None] = {}
    said: set[tuple[str, str]] = set()
    for keys in (stored, new):
        listed: list[int] = []
        told.append([])
        for key in keys:
            one = record_of(key)
            fields = files.decode(b"{" + one.tail)
            if is_of(one):
                shared[key] = _instant(fields) or datetime.min.replace(tzinfo=UTC)
                told[-1].append(key)
                continue
            listed.append(key)
            times[key] = _instant(fields)
            said.add((str(fields.get("role")), own_words(Stored(0, 0, fields))))
        own.append(listed)
    waiting = sorted(merge_orders(*told), key=lambda key: shared[key])[::-1]
    order: list[int] = []
    for key in merge_orders(*own):
        at = times[key]
        while waiting and at is not None and shared[waiting[-1]] < at:
            order.append(waiting.pop())
        order.append(key)
    return [*order, *reversed(waiting)], frozenset(said)


def marked(one: Record, said: frozenset[tuple[str, str]]) -> Record:
    """Give a shard's message marked as noise when the transcript says the same (`arranged`)."""
    if not said or not is_of(one):
        return one
    fields = files.decode(b"{" + one.tail)
    words = own_words(Stored(0, 0, fields))
    if not words or (str(fields.get("role")), words) not in said:
        return one
    mark: list[Json] = [_TWICE, 0, len(fields["content"])]
    return record({**files.decode(one.head + b"}"), **fields, "mark": [mark]})


def _instant(fields: dict[str, Json]) -> datetime | None:
    try:
        return datetime.fromisoformat(normal_time(str(fields.get("timestamp")))[0])
    except ValueError:
        return None
