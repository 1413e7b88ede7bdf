"""Entries: one tool call per line in `offload-<session>.jsonl` (DESIGN 2.3).

Lines of the original's offload plugin, which have fewer fields, are read too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from memctl.files import decode, encode, lines_of, read_bytes
from memctl.model import CallStatus, Entry, Json
from memctl.store.fields import text_in, whole_in

_REQUIRED = (
    *"timestamp node_id mmd tool_call summary result_ref tool_call_id session_id".split(),
    *"seq upto tool kind status score".split(),
)
_OPTIONAL = ("result_bytes", "result_tokens", "result_sha256", "result")
_MMD = re.compile(rb'"mmd":"((?:[^"\\]|\\.)*)"')
_THEIRS = b'"upto":0,'  # in a line of an entry that no message of a conversation closed
OPEN = "open"  # extra field of an entry that may still change
BY = "by"  # extra field of an entry whose summary a model wrote (`llm:<model>`)
_KNOWN = frozenset(_REQUIRED) | frozenset(_OPTIONAL)


class Found(NamedTuple):
    """An entry with its place: the file and the line it stands in."""

    path: Path
    number: int
    entry: Entry


def to_fields(entry: Entry) -> dict[str, Json]:
    """Write an entry's fields in their fixed order; those of the result only when it is there."""
    fields = {name: getattr(entry, name) for name in _REQUIRED}
    if entry.result_sha256 is not None:
        fields |= {name: value for name in _OPTIONAL if (value := getattr(entry, name)) is not None}
    return fields | dict(entry.extra)


def to_line(entry: Entry) -> bytes:
    """Write an entry as its JSON line, newline included."""
    return encode(to_fields(entry)) + b"\n"


def to_pieces(entry: Entry) -> bytes:
    """Write an entry whose node is not known yet: the two pieces of its line, parted by NUL."""
    fields = to_fields(entry)
    head = encode({"timestamp": fields.pop("timestamp")})[:-1]
    for name in ("node_id", "mmd"):
        del fields[name]
    return head + b"\0" + encode(fields)[1:]


def from_pieces(pieces: bytes, node_id: str, mmd: str) -> bytes:
    """Write the line of an entry from its pieces, newline included."""
    head, _, tail = pieces.partition(b"\0")
    placed = encode({"node_id": node_id, "mmd": mmd})
    return b"%b,%b,%b\n" % (head, placed[1:-1], tail)


def from_fields(fields: Mapping[str, Json], session: str = "", seq: int = 0) -> Entry:
    """Read an entry; missing or mistyped fields become what they mean when unknown."""
    ref = text_in(fields, "result_ref") or None
    inline = text_in(fields, "result")
    status = text_in(fields, "status")
    return Entry(
        timestamp=text_in(fields, "timestamp"),
        node_id=text_in(fields, "node_id"),
        mmd=text_in(fields, "mmd"),
        tool_call=text_in(fields, "tool_call") or "",
        summary=text_in(fields, "summary") or "",
        result_ref=ref,
        tool_call_id=text_in(fields, "tool_call_id") or "",
        session_id=text_in(fields, "session_id") or session,
        seq=whole_in(fields, "seq", seq),
        upto=whole_in(fields, "upto", 0),
        tool=text_in(fields, "tool") or (text_in(fields, "tool_call") or "").partition("(")[0],
        kind=text_in(fields, "kind") or "other",
        status=cast("CallStatus", status) if status in ("ok", "error", "missing") else "ok",
        score=whole_in(fields, "score", 0),
        result_bytes=whole_in(fields, "result_bytes", 0),
        result_tokens=whole_in(fields, "result_tokens", 0),
        result_sha256=text_in(fields, "result_sha256"),
        result=inline,
        extra={key: value for key, value in fields.items() if key not in _KNOWN},
    )


_Calls = dict[tuple[str, str], Found]  # by call (else its line) and, of the original's, by node


def read(path: Path, session: str = "", start: int = 0) -> Iterator[Found]:
    """Give the entries of a file as they stand; lines that are no JSON object are left out (`check`).

    start: the byte at which to begin.
    """
    for number, line in lines_of(path, start):
        try:
            fields = decode(line)
        except ValueError:
            continue
        if isinstance(fields, dict):
            yield Found(path, number, from_fields(fields, session, number))


def latest(path: Path, session: str = "") -> list[Found]:
    """Give each call's entry once, in order of calls.

    After a union merge two lines of one call may stand: the higher `upto` wins, then a model's summary over
    one by the rules, then the greater bytes. What the original wrote of a call that the conversation holds, too,
    is left out.
    """
    return _latest(*parted(read(path, session)))


def standing(path: Path, session: str = "") -> list[Found]:
    """Give what `latest` does and, behind it, the rest of what the original wrote: it may stand on other nodes."""
    own, theirs = parted(read(path, session))
    listed = _latest(own, theirs)
    numbers = {found.number for found in listed}
    return [*listed, *(found for found in theirs if found.number not in numbers)]


def _latest(own: list[Found], theirs: list[Found]) -> list[Found]:
    known = {bare(found.entry.tool_call_id) for found in own} - {""}
    best: _Calls = {}
    for found in theirs:
        if bare(found.entry.tool_call_id) not in known:
            _keep(best, found, found.entry.tool_call_id)
    return _in_order([*own, *best.values()])


def parted(listed: Iterable[Found]) -> tuple[list[Found], list[Found]]:
    """Part entries into those of calls in a conversation, each once in order, and those the original wrote.

    Of the latter each stands once for every node it names.
    """
    own: _Calls = {}
    theirs: _Calls = {}
    for found in listed:
        if is_theirs(found.entry):
            _keep(theirs, found, bare(found.entry.tool_call_id), found.entry.node_id or "")
        else:
            _keep(own, found, found.entry.tool_call_id)
    drawn = {call for call, node in theirs if node}
    kept = [found for (call, node), found in theirs.items() if node or call not in drawn]
    return _in_order(own.values()), _in_order(kept)


def _keep(best: _Calls, found: Found, call: str, node: str = "") -> None:
    key = call or f"line {found.number}", node
    other = best.get(key)
    if other is None or _rank(other.entry) < _rank(found.entry):
        best[key] = found


def _in_order(listed: Iterable[Found]) -> list[Found]:
    return sorted(listed, key=lambda found: (found.entry.seq, found.number))


def is_theirs(entry: Entry) -> bool:
    """Tell an entry of the original: no message of a conversation closed it, as one does each of memctl's."""
    return entry.upto <= 0


def bare(call: str) -> str:
    """Give a call's id without underscores, as some providers give it back to the original."""
    return call.replace("_", "")


def session_of(path: Path) -> str:
    """Give the session that the first line of a file of entries names; "" when it has none."""
    first = next(read(path), None)
    return first.entry.session_id if first else ""


def canvas_names(path: Path, *, own: bool = False) -> list[str]:
    """List the canvases that a file of entries names, looking at its bytes only; *own*: none of the original's."""
    data = read_bytes(path)
    if own and _THEIRS in data:
        data = b"\n".join(line for line in data.split(b"\n") if _THEIRS not in line)
    found = dict.fromkeys(_MMD.findall(data))
    return [str(decode(b'"' + name + b'"')) for name in found]


def _rank(entry: Entry) -> tuple[int, bool, bytes]:
    return entry.upto, BY in entry.extra, to_line(entry)
