"""Recording: the messages of one session become L0 records, secrets replaced and noise marked."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from memctl import files, offload
from memctl.model import Call, Image, Json, Message, Part, Raw, Result, Text, Thinking
from memctl.passes import shards
from memctl.passes.drafting import Drafts, Place
from memctl.passes.spool import Spool, key_of
from memctl.store import Store, messages, parts as stored_parts
from memctl.text import noise
from memctl.text.names import file_time, month_of, normal_time, short_hash
from memctl.text.redaction import redact, redact_json


@dataclass
class SessionIntake:
    """One session of one source: its records, the drafts of its entries, and counts for the report."""

    id: str
    format: str
    records: Spool
    drafts: Spool
    facts: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)  # messages by role, calls, results, redactions


def message_id(session: str, message: Message, ordinal: int) -> str:
    """Identify a message: its native id, else a hash of session, role, raw content and ordinal among equals.

    The hash is over the raw text, so that neither better redaction nor reading a grown file as another format
    doubles a message (DESIGN 2.1).
    """
    return message.id if message.id is not None else f"msg-{_content_hash(session, message, ordinal)}"


def _content_hash(session: str, message: Message, ordinal: int) -> str:
    role, parts = message.told or (message.role, message.parts)
    return short_hash(12, session, role, [_raw(part) for part in parts], ordinal)


def _raw(part: Part) -> Json:
    if isinstance(part, Result):
        return ["result", part.call_id, part.is_error, [_raw(block) for block in part.blocks]]
    return stored_parts.part_record(part)


class Recorder:
    """Makes the records and drafts of one session, message by message."""

    def __init__(self, store: Store, batch: files.Batch, intake: SessionIntake, named: str) -> None:
        self.intake = intake
        self._named = named
        self._redacts = store.config.redact
        self._drafts = Drafts(store, batch, intake.drafts, intake.id, named)
        self._equals: Counter[str] = Counter()
        self._sizes: dict[int, int] = {}

    def take(self, message: Message) -> None:
        """Take the next message; one seen before counts only when it has grown."""
        ordinal = 0
        if message.id is None:
            likeness = _content_hash(self._named, message, 0)
            ordinal = self._equals[likeness]
            self._equals[likeness] += 1
        identity = message_id(self._named, message, ordinal)
        key = key_of(identity)
        size = sum(_size(part) for part in message.parts)
        known = self._sizes.get(key)
        if known is not None and size <= known:
            return
        self._sizes[key] = size
        before = self.intake.records.get(key) if known is not None else None
        given = iter(_call_ids(before)) if before else iter(())
        self.intake.records.put(key, self._record(message, identity, given))
        if before is None:
            self.intake.counts[message.role] += 1

    def finish(self) -> None:
        """Draft what is still open, and count."""
        self._drafts.finish()
        self.intake.counts["calls"] = self._drafts.calls
        self.intake.counts["results"] = self._drafts.results

    def _record(self, message: Message, identity: str, given: Iterator[str]) -> bytes:
        """Write a record, the pieces around `seq` parted by NUL; *given*: the keys its calls had before."""
        timestamp, assumed = _time(message.timestamp)
        if any(isinstance(part, Call) for part in message.parts):
            self._drafts.keys.new_turn()
        parts = tuple(self._clean(part) for part in message.parts)
        places = (Place(identity, ordinal, timestamp) for ordinal in range(len(parts)))
        written = [self._part(part, place, given) for part, place in zip(parts, places, strict=True)]
        content = stored_parts.readable(parts)
        if message.role == "user":
            self._drafts.findings.prompt(content)
        fields: dict[str, Json] = {"id": identity, "sessionId": self.intake.id, "role": message.role}
        fields |= {"content": content, "timestamp": timestamp}
        if assumed:
            fields["zone"] = "assumed"
        if marks := _marks(message, content):
            fields["mark"] = marks
        if not stored_parts.content_says_all(parts):
            fields["parts"] = written
        usage = dict(message.usage) if message.usage else None
        optional = {"model": message.model, "usage": usage, "parent": message.parent}
        fields |= {name: value for name, value in optional.items() if value}
        if self.intake.format == shards.IN_SHARDS:
            fields[shards.FIELD] = shards.IN_SHARDS
        record = messages.record(fields)
        return record.head + b"\0" + record.tail

    def _part(self, part: Part, place: Place, given: Iterator[str]) -> dict[str, Json]:
        match part:
            case Call():
                return self._drafts.call(part, place, next(given, None))
            case Result():
                return self._drafts.result(part, place, next(given, None))
            case Image():
                return self._image(part, place)
            case _:
                return stored_parts.part_record(part)

    def _image(self, part: Image, place: Place) -> dict[str, Json]:
        """Store a picture of a message decoded, under refs/ as those of results are."""
        picture = offload.decode_picture(part)
        if picture is None:
            return stored_parts.part_record(part)
        digest = hashlib.sha256(picture.data).hexdigest()
        name = f"{short_hash(12, self.intake.id, place.message, digest)}.{place.part}.{picture.ending}"
        time = place.timestamp
        folder = f"refs/{month_of(time)}/{file_time(time)}" if time else "refs/undated/picture"
        path = f"{folder}-{name}"
        self._drafts.write(path, [picture.data])
        return {"type": "image", "media_type": part.media_type, "ref": path}

    def _clean(self, part: Part) -> Part:
        """Replace the secrets of a part."""
        if not self._redacts:
            return part
        found, count = clean(part)
        self.intake.counts["redactions"] += count
        return found


def clean(part: Part) -> tuple[Part, int]:
    """Replace the secrets of a part, and count them."""
    match part:
        case Text():
            text, count = redact(part.text)
            return Text(text), count
        case Thinking():
            text, count = redact(part.text)
            return Thinking(text, part.signature), count
        case Raw():
            value, count = redact_json(part.value)
            return Raw(value), count
        case Call():
            arguments, count = redact_json(part.arguments)
            name, more = redact(part.name)
            return Call(part.id, name, arguments), count + more
        case Result():
            found = [clean(block) for block in part.blocks]
            blocks = tuple(cast("Text | Image | Raw", block) for block, _ in found)
            return Result(part.call_id, blocks, part.is_error, part.name), sum(count for _, count in found)
        case Image():
            return part, 0


def _call_ids(record: bytes) -> list[str]:
    """List the call keys of a record in order of its parts."""
    tail = record[record.index(b"\0") + 1 :]
    parts = files.decode(b"{" + tail).get("parts") or []
    return [part["call_id"] for part in parts if "call_id" in part]


def _size(part: Part) -> int:
    """Measure a part: enough to tell whether it grew."""
    match part:
        case Text():
            return 1 + len(part.text)
        case Thinking():
            return 1 + len(part.text) + len(part.signature or "")
        case Image():
            return 1 + len(part.data) + len(part.url)
        case Raw():
            return 1 + len(files.encode(part.value))
        case Call():
            return 1 + len(files.encode(part.arguments))
        case Result():
            return 1 + sum(_size(block) for block in part.blocks)


def _time(timestamp: str | None) -> tuple[str | None, bool]:
    if timestamp is None:
        return None, False
    try:
        return normal_time(timestamp)
    except ValueError:
        return None, False


def _marks(message: Message, content: str) -> list[list[Json]]:
    """Give the noise in a message's content as [kind, start, end]."""
    if message.marks:
        return [[kind, 0, len(content)] for kind in message.marks]
    if message.role not in ("user", "system"):
        return []
    return [list(span) for span in noise.spans(content, message.role)]
