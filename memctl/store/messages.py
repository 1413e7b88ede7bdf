"""L0: one message per line in `conversations/<session>.jsonl` (DESIGN 2.8).

A line is written in two pieces around its `seq`, which is known only once all messages of the
session are in order: `{"id":..,"sessionId":..` and `"role":..}`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from memctl.errors import UsageError
from memctl.files import decode, encode, lines_of
from memctl.model import Json
from memctl.text.names import short_hash

_SEQ = re.compile(rb',"seq":(\d{1,15}),')
_UNDOING = re.compile(r"\s*(?:<command-name>)?/(undo|rewind|revert|rollback|restore)\b", re.IGNORECASE)
_COMMAND = re.compile(r"<command-name>([^<\n]{1,200})</command-name>")
SESSION_ROLE = "session"
_MOST_ENDS = 64  # of one conversation: more than clones are merged before a pass puts them in order


class Record(NamedTuple):
    """A stored message without its `seq`, as the two pieces of its line."""

    head: bytes
    tail: bytes

    def line(self, seq: int) -> bytes:
        """Write the line, newline included."""
        return b'%b,"seq":%d,%b\n' % (self.head, seq, self.tail)


def record(fields: Mapping[str, Json]) -> Record:
    """Make a record from a message's fields; `id` and `sessionId` first, `seq` left out.

    Raises UsageError for a message without a session.
    """
    if not fields["sessionId"]:
        raise UsageError("a message needs the session it was said in")
    head = encode({"id": fields["id"], "sessionId": fields["sessionId"]})[:-1]
    rest = {key: value for key, value in fields.items() if key not in ("id", "sessionId", "seq")}
    tail = encode(rest, marked=True)[1:]
    return Record(head, tail)


def split_line(line: bytes) -> tuple[int, Record] | None:
    """Split a stored line into its seq and record; None when it is not a line of ours."""
    found = _SEQ.search(line)
    if not found:
        return None
    return int(found[1]), Record(line[: found.start()], line[found.end() :])


# --------------------------------------------------------------------------- reading


class Mark(NamedTuple):
    """Noise in a message's content: its kind (`noise.KINDS`) and the characters it covers."""

    kind: str
    start: int
    end: int


class Stored(NamedTuple):
    """One stored line: its number in the file, its seq, and its fields."""

    number: int
    seq: int
    fields: Mapping[str, Json]

    @property
    def role(self) -> str:
        """The message's role, or "session" for the first line."""
        return str(self.fields.get("role", ""))

    @property
    def id(self) -> str:
        """The message's id within its session."""
        return str(self.fields.get("id", ""))

    @property
    def content(self) -> str:
        """The readable text."""
        value = self.fields.get("content")
        return value if isinstance(value, str) else ""

    @property
    def parts(self) -> list[dict[str, Json]]:
        """The parts, in order; one text part where `content` says all."""
        value = self.fields.get("parts")
        if isinstance(value, list):
            return [part for part in value if isinstance(part, dict)]
        return [{"type": "text", "text": self.content}] if self.content else []

    @property
    def marks(self) -> list[Mark]:
        """The noise in `content`, as it is stored."""
        value = self.fields.get("mark")
        return list(filter(None, map(_mark, value))) if isinstance(value, list) else []


def _mark(value: Json) -> Mark | None:
    if not isinstance(value, list) or len(value) != 3:
        return None
    kind, start, end = value
    return Mark(str(kind), start, end) if type(start) is type(end) is int else None


def read(path: Path, start: int = 0) -> Iterator[Stored]:
    """Give the stored lines of a session as they stand, without lines that are no JSON object (`check`).

    start: the byte at which to begin.
    """
    for number, line in lines_of(path, start):
        try:
            fields = decode(line)
        except ValueError:
            continue
        if isinstance(fields, dict):
            if type(fields.get("timestamp")) is int:  # the original's: milliseconds since 1970
                fields["timestamp"] = _instant(fields["timestamp"])
            seq = fields.get("seq")
            yield Stored(number, seq if isinstance(seq, int) else number - 1, fields)


def _instant(milliseconds: int) -> str | None:
    if not 0 < milliseconds < 1 << 47:
        return None
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return at.replace("+00:00", "Z")


def conversation(path: Path, start: int = 0) -> Iterator[Stored]:
    """Give the messages of a session in order, without its session line; *start*: the byte at which to begin."""
    return (stored for stored in read(path, start) if stored.role != SESSION_ROLE)


def facts(path: Path) -> Mapping[str, Json]:
    """Give the session line of an L0 file; empty when it has none."""
    first = next(iter(read(path)), None)
    return first.fields if first is not None and first.role == SESSION_ROLE else {}


def session_of(path: Path) -> str:
    """Give the raw session id that an L0 file is about; its file name where no line says."""
    first = next(iter(read(path)), None)
    named = first.fields.get("sessionId") if first else None
    return named if isinstance(named, str) else path.stem


def unmarked(content: str, marks: Iterable[Mark]) -> list[str]:
    """Give the pieces of a message's content that no mark covers, in order: one more than there are marks.

    Marks may stand in any order and overlap; a piece between two that touch is empty.
    """
    pieces, at = [], 0
    for _, start, end in sorted(marks, key=lambda mark: mark.start):
        pieces.append(content[at:start])
        at = max(at, end)
    return [*pieces, content[at:]]


def own_words(stored: Stored) -> str:
    """Give a message's content without its noise."""
    return "".join(unmarked(stored.content, stored.marks)).strip()


def command_of(stored: Stored) -> str:
    """Give the slash command whose arguments a message holds ("/test"); "" when it holds none."""
    for kind, start, end in stored.marks:
        if kind == "command":
            found = _COMMAND.search(stored.content, start, end)
            if found:
                return f"/{found[1].strip().removeprefix('/')}"
    return ""


def act_of(stored: Stored) -> str:
    """Give what the user did without words: "interrupted", or the command that takes back a change ("/undo")."""
    for kind, start, end in stored.marks:
        if kind == "interrupted":
            return "interrupted"
        if kind == "command":
            found = _UNDOING.match(stored.content, start, end)
            if found:
                return f"/{found[1].lower()}"
    return ""


def has_words(stored: Stored) -> bool:
    """Tell whether a message holds anything but noise (its marks)."""
    return own_words(stored) != ""


def words_before_calls(parts: list[dict[str, Json]]) -> str:
    """Give the agent's words in a message before its first call; its reasoning where it says nothing.

    What stands behind a call may still grow while the call's result is there already.
    """
    spoken, thought = "", ""
    for part in parts:
        if part.get("type") == "call":
            break
        text = part.get("text")
        if isinstance(text, str) and text.strip():
            if part.get("type") == "text":
                spoken = spoken or text
            elif part.get("type") == "thinking":
                thought = thought or text
    return spoken or thought


def only_reasons(parts: list[dict[str, Json]]) -> bool:
    """Tell whether the words of a message before its first call are reasoning alone, which nobody is told."""
    for part in parts:
        text = part.get("text")
        if part.get("type") == "call":
            break
        if part.get("type") == "text" and isinstance(text, str) and text.strip():
            return False
    return True


# --------------------------------------------------------------------------- order


def made_call(session: str, message: str, part: int) -> str:
    """Make the id of a call that has none, from the place of the call; of a result that met none, from its own."""
    return f"call-{short_hash(12, session, message, part)}"


def former_call(fields: Mapping[str, Json], part: Mapping[str, Json], at: int) -> str:
    """Give the id that a result without one has where its call is not known, by its place among the parts; "" if none.

    The call may have come later, in a line that was repaired: its first id is still printed somewhere.
    """
    if part.get("type") != "result" or part.get("id", "") is not None:
        return ""
    return made_call(str(fields.get("sessionId")), str(fields.get("id")), at)


def better(ours: Record, theirs: Record) -> Record:
    """Of two records of one message keep the longer content and parts, then the longer and greater line.

    One that was read with its calls and results stands before one that holds them as text, and one that knows the
    call of each result before one that does not. Source: DESIGN 2.8.
    """
    if ours == theirs:
        return ours
    return max(ours, theirs, key=lambda one: (_measure(one), len(one.tail), one.tail))


def _measure(one: Record) -> tuple[int, int, int]:
    fields = {**decode(one.head + b"}"), **decode(b"{" + one.tail)}
    content, parts = fields.get("content"), fields.get("parts")
    parts = parts if isinstance(parts, list) else []
    acts = sum(isinstance(part, dict) and "call_id" in part for part in parts)
    size = len(content if isinstance(content, str) else "") + len(encode(parts))
    alone = sum(
        part["call_id"] == former_call(fields, part, at)
        for at, part in enumerate(parts)
        if isinstance(part, dict) and "call_id" in part
    )
    return acts, size, -alone


def merge_orders(ours: list[int], theirs: list[int]) -> list[int]:
    """Merge two orders of message keys into the longest known one (DESIGN 2.8).

    The longer list is the base (of two as long, the smaller); what only the other knows goes behind
    the nearest message before it that the base knows. Which list is "ours" makes no difference.
    """
    base, other = ours, theirs
    if (-len(theirs), theirs) < (-len(ours), ours):
        base, other = theirs, ours
    known = set(base)
    if all(key in known for key in other):
        return base
    behind: dict[int | None, list[int]] = {}
    anchor: int | None = None
    for key in other:
        if key in known:
            anchor = key
        else:
            behind.setdefault(anchor, []).append(key)
    merged = list(behind.get(None, ()))
    for key in base:
        merged.append(key)
        merged += behind.get(key, ())
    return merged


def order_of(places: list[tuple[int, int]]) -> list[int]:
    """Give the keys of messages in their order; *places*: `seq` and key of each line, as they stand in the file.

    A union merge of clones that went on in different ways leaves one end behind the other, each numbered on
    from the last message that they share. They are merged as two transcripts would be, so that it makes no
    difference which end came first. Lines that somebody sorted, so that ends alternate, stand by number and key.
    """
    places = list(dict.fromkeys(places))  # two lines of one message in one place: one has grown
    holders: dict[int, int] = {}
    if all(holders.setdefault(seq, key) == key for seq, key in places):
        return list(dict.fromkeys(key for _, key in sorted(places, key=lambda place: place[0])))
    ways = ways_of([seq for seq, _ in places])
    if not ways:
        return list(dict.fromkeys(key for _, key in sorted(places)))
    orders = sorted(
        (list(dict.fromkeys(places[at][1] for at in way)) for way in ways),
        key=lambda order: (-len(order), order),
    )
    return reduce(merge_orders, orders)


def ways_of(seqs: list[int]) -> list[list[int]]:
    """Give the ways in which clones went on: of lines with these numbers, the places of each way's, in order.

    Empty when there are more ways than clones are merged: somebody sorted the lines.
    """
    ways: list[list[int]] = [[]]
    for place, seq in enumerate(seqs):
        way = ways[-1]
        if way and seq <= seqs[way[-1]]:
            if len(ways) == _MOST_ENDS:
                return []
            ways.append(way := [at for at in way if seqs[at] < seq])
        way.append(place)
    return ways
