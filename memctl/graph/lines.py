"""Triples as lines of `graph.jsonl`, which is only ever added to; what is said by others is checked (DESIGN 2.7)."""

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import orjson

from memctl import files
from memctl.model import Json, Triple
from memctl.store import Store
from memctl.text.names import normal_time
from memctl.text.redaction import redact

_LONGEST = {"subject": 1000, "relation": 200, "object": 10_000}  # characters
# What models put before what they inferred, as TrulyMEM's guide tells them to.
_MARKS = ("[speculation]", "[推测]", "[猜测]")


def checked(fields: Json, at: str = "") -> Triple:
    """Make a triple of what somebody gives as one; secrets are replaced. Raises ValueError for a bad one."""
    if not isinstance(fields, Mapping):
        raise ValueError('not an object; write {"subject": ..., "relation": ..., "object": ...}')  # noqa: TRY004 - as from JSON
    names = {name: _name(fields, name) for name in ("subject", "relation", "object")}
    speculation = fields.get("speculation") is True
    for mark in _MARKS:
        if names["object"].startswith(mark) and names["object"] != mark:
            names["object"], speculation = names["object"].removeprefix(mark).strip(), True
    task, source = fields.get("task_id"), fields.get("source")
    return Triple(
        names["subject"],
        names["relation"],
        names["object"],
        at,
        task=task if isinstance(task, str) and task else None,
        source=redact(source)[0] if isinstance(source, str) and source else "human",
        speculation=speculation,
        beside=fields.get("add") is True,
    )


def _name(fields: Mapping[str, Json], field: str) -> str:
    value = fields.get(field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        raise ValueError(f"no {field}")
    if not isinstance(value, str):
        raise ValueError(f"the {field} must be a text, not {type(value).__name__}")  # noqa: TRY004 - as above
    text = plain(value)
    if not text:
        raise ValueError(f"an empty {field}")
    if len(text) > _LONGEST[field]:
        raise ValueError(f"the {field} has {len(text)} characters; at most {_LONGEST[field]} are allowed")
    return text if field == "relation" else redact(text)[0]


def plain(name: str) -> str:
    """Give the one form of a name: composed, on one line, without control characters."""
    if name.isascii() and name.isprintable() and "  " not in name:
        return name.strip()
    return " ".join(unicodedata.normalize("NFC", name).encode("utf-8", "replace").decode().split()).replace(
        "\0", ""
    )


# --------------------------------------------------------------------------- writing


def to_fields(triple: Triple) -> dict[str, Json]:
    """Write a triple's fields in their fixed order."""
    fields: dict[str, Json] = {
        "subject": triple.subject,
        "relation": triple.relation,
        "object": triple.object,
        "task_id": triple.task,
        "at": triple.at,
        "source": triple.source,
    }
    flags = {"speculation": triple.speculation, "add": triple.beside, "deleted": triple.deleted}
    return fields | {name: True for name, said in flags.items() if said}


def append(store: Store, triples: Iterable[Triple], now: str) -> int:
    """Add triples, stamped with *now*, in one step; give their number.

    Their times never go back and never repeat for one subject and relation, so that of two objects the one
    that was said last holds, whatever the clock says.
    """
    at = _after(_instant(now), _last(store))
    first = _stamp(at)
    said: dict[tuple[str, str], int] = {}
    lines: list[bytes] = []
    for triple in triples:
        slot = triple.subject, triple.relation
        again = said[slot] = said.get(slot, -1) + 1
        fields = to_fields(triple)
        fields["at"] = _stamp(at + timedelta(microseconds=again)) if again else first
        lines.append(files.encode(fields) + b"\n")
    if lines:
        files.append(store.graph, lines)
    return len(lines)


def _last(store: Store) -> datetime | None:
    """Give the time of the last line; one that cannot be read has none."""
    try:
        fields = files.decode(files.last_line(store.graph))
        return _instant(str(fields["at"]))
    except (ValueError, KeyError, TypeError):
        return None


def _after(now: datetime, last: datetime | None) -> datetime:
    return last + timedelta(microseconds=1) if last is not None and now <= last else now


def _instant(at: str) -> datetime:
    return datetime.fromisoformat(normal_time(at)[0]).astimezone(UTC)


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="microseconds" if at.microsecond else "seconds").replace("+00:00", "Z")


# --------------------------------------------------------------------------- reading


# Subject, relation, object, speculation; time to sort by, deleted, line; beside. A tuple, for there are millions.
Row = tuple[str, str, str, bool, str, bool, bytes, bool]

_SMALL = 1 << 20  # bytes of a graph that is read whole
_AT_ONCE = 5000  # lines that are decoded together, which is much faster than one by one


def rows(store: Store, about: Collection[str] = ()) -> list[Row]:
    """Read the lines that are triples, in order of time, then deleted ones, then by bytes (DESIGN 2.7).

    about: only what may be said of these subjects is read; empty reads all. Lines that are no triples are left
    out (`check` reports them).
    """
    data = files.read_bytes(store.graph) if store.graph.is_file() else b""
    listed = _about(data, about) if about and len(data) > _SMALL else data.split(b"\n")
    del data
    found = read_rows(listed)
    if any(one[4] > other[4] for one, other in pairwise(found)):  # after a merge
        found.sort(key=lambda row: row[4:7])
    return found


def _about(data: bytes, names: Collection[str]) -> list[bytes]:
    """Give the lines that hold one of some names, as JSON writes them, in order."""
    begins: dict[int, int] = {}
    for form in {form for name in names for form in (files.encode(name), json.dumps(name).encode("ascii"))}:
        at = data.find(form)
        while at >= 0:
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            begins[data.rfind(b"\n", 0, at) + 1] = end
            at = data.find(form, end)
    return [data[begin:end] for begin, end in sorted(begins.items())]


def read_rows(listed: list[bytes]) -> list[Row]:
    """Read lines as they come; those that are no triples are left out."""
    found: list[Row] = []
    known: dict[str, str] = {}
    for at in range(0, len(listed), _AT_ONCE):
        chunk = [line for line in listed[at : at + _AT_ONCE] if line]
        try:
            values = orjson.loads(b"[%b]" % b",".join(chunk))
        except ValueError:  # one of them is none, or needs more care
            values = [_decoded(line) for line in chunk]
        if len(values) != len(chunk):  # a line that is several values
            values = [_decoded(line) for line in chunk]
        found += _rows(zip(values, chunk, strict=True), known)
    return found


def _decoded(line: bytes) -> Json:
    try:
        return files.decode(line)
    except ValueError:
        return None


def _rows(found: Iterable[tuple[Json, bytes]], known: dict[str, str]) -> list[Row]:
    keep = known.setdefault
    times: dict[str, str] = {}
    made: list[Row] = []
    for fields, line in found:
        try:
            subject, relation, name = fields["subject"], fields["relation"], fields["object"]
            at = fields.get("at") or ""
            at = times.setdefault(at, at[:-1]) if at[-1:] == "Z" else _sortable(at)
            rare = b"true" in line
        except (KeyError, TypeError, AttributeError):
            continue
        if not (subject and relation and name) or not (type(subject) is type(relation) is type(name) is str):
            continue
        subject, name = keep(subject, subject), keep(name, name)
        if rare:
            flags = [fields.get(flag) is True for flag in ("speculation", "deleted", "add")]
            made.append((subject, keep(relation, relation), name, flags[0], at, flags[1], line, flags[2]))
        else:
            made.append((subject, keep(relation, relation), name, False, at, False, line, False))
    return made


def _sortable(at: str) -> str:
    try:
        return _stamp(_instant(at))[:-1]
    except ValueError:
        return ""


def row_of(triple: Triple) -> Row:
    """Give a triple as a row."""
    line = files.encode(to_fields(triple))
    at = triple.at.removesuffix("Z")
    flags = triple.deleted, line, triple.beside
    return (triple.subject, triple.relation, triple.object, triple.speculation, at, *flags)


def triple_of(row: Row) -> Triple:
    """Give a row as a triple."""
    fields = files.decode(row[6])
    at, task, source = fields.get("at"), fields.get("task_id"), fields.get("source")
    return Triple(
        row[0],
        row[1],
        row[2],
        at if isinstance(at, str) else "",
        task if isinstance(task, str) and task else None,
        source if isinstance(source, str) else "",
        row[3],
        row[7],
        row[5],
    )
