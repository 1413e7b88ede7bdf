"""Read the daily shards in which TencentDB Agent Memory keeps what was said, all sessions of a day in one (DESIGN 2)."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from memctl.model import Damage, Event, Json, Message, Role, SessionFacts, Skipped, Text
from memctl.readers.fields import mapping, objects, string
from memctl.readers.source import Source

FORMAT = "tdai"
EPOCH = "1970-01-01T00:00:00Z"  # where the original needs a time and there is none

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}


def detect(source: Source) -> bool:
    """Tell a shard by the keys of its recorder."""
    return source.shape == "jsonl" and any(map(_is_record, objects(source.head())))


def read(source: Source) -> Iterator[Event]:
    """Give the messages of each session; one without an id goes by its key."""
    known: set[str] = set()
    for line in source.lines():
        if isinstance(line, Damage):
            yield line
            continue
        value = mapping(line.value)
        content, role = value.get("content"), string(value.get("role")) or ""
        session = string(value.get("sessionId")) or string(value.get("sessionKey"))
        if not _is_record(value) or not session or role not in _ROLES or not isinstance(content, str):
            yield Skipped(role or "no message")
            continue
        at = _time(value.get("timestamp")) or string(value.get("recordedAt"))
        at = None if at == EPOCH else at
        if session not in known:
            known.add(session)
            key = string(value.get("sessionKey"))
            facts = {"agent": key, "started": at}
            yield SessionFacts(
                session, session, FORMAT, facts={name: fact for name, fact in facts.items() if fact}
            )
        yield Message(session, string(value.get("id")), _ROLES[role], (Text(content),), at)


def _is_record(value: Mapping[str, Json]) -> bool:
    return {"sessionKey", "recordedAt", "role", "content"} <= value.keys()


def _time(value: Json) -> str | None:
    """Read milliseconds since 1970."""
    if type(value) is not int or not 0 < value < 1 << 47:
        return value if isinstance(value, str) else None
    at = datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="milliseconds")
    return at.replace("+00:00", "Z")
