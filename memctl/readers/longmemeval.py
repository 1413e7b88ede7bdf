"""Read the chats of LongMemEval, in its original layout and in ReMe's (FORMATS 18)."""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from memctl.model import Damage, Event, Json, Message, SessionFacts, Skipped
from memctl.readers.blocks import identifier
from memctl.readers.chat import chat_message
from memctl.readers.fields import compact, known, mapping, objects, sequence, string, time
from memctl.readers.source import Source

FORMAT = "longmemeval"

_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?: \([^)]{1,12}\))?(?: (\d\d:\d\d(?::\d\d)?))?")


def detect(source: Source) -> bool:
    """Tell a case by its haystack, or by its sessions beside queries (FORMATS 0, row 20)."""
    return any(map(_is_case, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the events of each chat of each case; a chat that several cases share is given once."""
    given: set[tuple[str, int]] = set()
    number = 0
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = mapping(line.value)
        if not _is_case(value):
            yield Skipped("no case")
            continue
        for name, date, messages in _chats(value):
            number += 1
            said = (name or "", hash(compact(messages)))
            if name and said in given:
                yield Skipped("a chat given before")
                continue
            given.add(said)
            yield from _chat(f"#{number}", name, _time(date), messages)


def _is_case(value: Mapping[str, Json]) -> bool:
    if isinstance(value.get("haystack_sessions"), list):
        return True
    sessions = sequence(value.get("sessions"))
    return "queries" in value and any(
        isinstance(mapping(session).get("messages"), list) for session in sessions
    )


def _chats(value: Mapping[str, Json]) -> Iterator[tuple[str | None, Json, list[Json]]]:
    """Give the id, date and messages of each chat."""
    if isinstance(value.get("haystack_sessions"), list):
        ids, dates = sequence(value.get("haystack_session_ids")), sequence(value.get("haystack_dates"))
        sessions = value["haystack_sessions"]
        for name, date, messages in zip_longest(ids[: len(sessions)], dates[: len(sessions)], sessions):
            yield identifier(name), date, sequence(messages)
        return
    for session in map(mapping, value["sessions"]):
        date = mapping(session.get("metadata")).get("date")
        yield identifier(session.get("session_id")), date, sequence(session.get("messages"))


def _chat(key: str, name: str | None, when: str | None, messages: list[Json]) -> Iterator[Event]:
    yield SessionFacts(key, name, FORMAT, facts=known(started=when))
    for message in map(mapping, messages):
        read = chat_message(message)
        if read:
            yield Message(key, None, *read, time(message.get("created_at")) or when)
        else:
            yield Skipped(f"empty:{message.get('role')}", key)


def _time(value: Json) -> str | None:
    """Read "2023/05/20 (Sat) 07:22" as ISO 8601."""
    match = _DATE.match(value) if isinstance(value, str) else None
    if match is None:
        return time(string(value))
    return f"{match[1]}-{match[2]}-{match[3]}" + (f"T{match[4]}" if match[4] else "")
