"""A survey of one scope: every file of it read once, so that the rules only compare."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.check.codes import found
from memctl.errors import MemctlError
from memctl.model import Canvas, Json, Problem
from memctl.store import Store, atoms, messages, number_of, sessions
from memctl.store.fields import text_in

_NODE_LINE = re.compile(r"\s*((?:\d{1,9}-)?N(\d{1,9}))\s*[\[({/>]")
CONFLICT = re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """An entry, as far as the rules look at it, and where it stands. *theirs*: the original wrote it."""

    path: Path
    number: int
    session: str
    call: str
    node: str
    canvas: str
    ref: str
    digest: str
    result: str | None
    theirs: bool = False


@dataclass(slots=True)
class Talk:
    """A conversation: the line of each message and call, the last seq, the pictures it names.

    pictures: line, ref, and the message that holds it itself ("" for one of a result, which says no hash of it).
    """

    path: Path
    session: str
    messages: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    pictures: list[tuple[int, str, str]] = field(default_factory=list)
    last: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A canvas file: the number in its name, its text, what was read from it, and the line of each node."""

    path: Path
    number: int
    text: str
    canvas: Canvas | None
    problems: tuple[Problem, ...]
    lines: Mapping[int, int]

    @property
    def is_theirs(self) -> bool:
        """Whether the original drew it: from no conversation of memctl's, and with a header."""
        return self.canvas is not None and self.canvas.upto < 0 and self.canvas.by != "human"


@dataclass(slots=True)
class Survey:
    """All that a scope holds. *problems*: what was odd about single lines while reading.

    foreign: whether the directory is the original's: it has no settings of ours. In one that memctl writes
    into, too, its records and refs are told by their shape.
    """

    store: Store
    foreign: bool
    talks: dict[str, Talk] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    remembered: dict[str, list[atoms.Found]] = field(default_factory=dict)
    triples: list[tuple[int, Mapping[str, Json]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def survey(store: Store) -> Survey:
    """Read a scope. Links are left out; the layout's rules name them."""
    seen = Survey(store, foreign=not store.settings.is_file())
    for path in sorted(_plain(store.conversations()), key=sessions.is_shared):  # those of the original last
        _conversation(seen, path)
    for path in _plain(store.offloads()):
        _offload(seen, path)
    for path in _plain(store.canvases()):
        seen.drawn.append(_canvas(path))
    for path in _plain(store.shards()):
        _shard(seen, path)
    graph = store.graph
    if graph.is_file() and not graph.is_symlink():
        seen.triples = [(number, fields) for number, _, fields in _records(seen, graph)]
    gone = store.cleared
    if gone.is_file() and not gone.is_symlink():
        deque(_records(seen, gone), 0)  # for what is wrong with its lines
    return seen


def _plain(paths: list[Path]) -> Iterator[Path]:
    return (path for path in paths if not path.is_symlink() and not path.parent.is_symlink())


def _records(seen: Survey, path: Path) -> Iterator[tuple[int, bytes, Mapping[str, Json]]]:
    """Give the records of a JSONL file; what is none is a problem."""
    try:
        data = files.read_bytes(path)
    except MemctlError as problem:
        seen.problems.append(found("CHK106", path, 1, str(problem)))
        return
    lines = data.split(b"\n")
    if lines[-1]:
        hint = "memctl check --fix adds it"
        seen.problems.append(found("CHK205", path, len(lines), "the last line has no newline", hint))
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = _decoded(line)
        if fields is None:
            if CONFLICT.match(line) or line.startswith((b"=======", b"|||||||")):
                continue  # the layout's rule names it
            hint = "restore the file from git or a copy; the other lines are used"
            what = "is truncated" if line.startswith(b"{") else "is not a JSON object"
            seen.problems.append(found("CHK201", path, number, f"the line {what}", hint))
            continue
        yield number, line, fields


def _decoded(line: bytes) -> Mapping[str, Json] | None:
    """Read a record; no rule looks at numbers so large that orjson would change them."""
    try:
        fields = orjson.loads(line)
    except ValueError:
        try:
            fields = files.decode(line)
        except ValueError:
            return None
    return fields if isinstance(fields, dict) else None


# --------------------------------------------------------------------------- L0


def _conversation(seen: Survey, path: Path) -> None:
    talk: Talk | None = None
    orders: dict[str, int] = defaultdict(int)
    theirs = seen.foreign or sessions.is_shared(path)
    for number, _, fields in _records(seen, path):
        session = fields.get("sessionId") or fields.get("sessionKey")
        if not isinstance(session, str):
            hint = "restore the line from git or a copy"
            seen.problems.append(found("CHK204", path, number, "a message without `sessionId`", hint))
            continue
        if talk is None or talk.session != session:
            if talk is not None and not theirs:
                message = f"a message of session {session} among those of {talk.session}"
                seen.problems.append(found("CHK206", path, number, message))
                continue
            talk = seen.talks.setdefault(session, Talk(path, session))
        if fields.get("role") == messages.SESSION_ROLE:
            if number > 1 and orders[session]:
                seen.problems.append(found("CHK202", path, number, "a second session line", _FIX))
            continue
        # A session of theirs goes on the next day, and one of ours may have been made of it.
        if theirs and path != talk.path:
            talk.messages.setdefault(str(fields.get("id")), number)
        else:
            _message(seen, talk, number, fields, orders, theirs=theirs)


_FIX = "memctl check --fix removes the duplicate"


def _message(
    seen: Survey, talk: Talk, number: int, fields: Mapping[str, Json], orders: dict[str, int], *, theirs: bool
) -> None:
    name, seq = fields.get("id"), fields.get("seq")
    if not isinstance(name, str) or not name:
        if not theirs:
            seen.problems.append(found("CHK204", talk.path, number, "a message without `id`"))
        return
    if name in talk.messages:
        first = talk.messages[name]
        message = f"message {name} is already in line {first}"
        seen.problems.append(found("CHK202", talk.path, number, message, _FIX))
    talk.messages.setdefault(name, number)
    if isinstance(seq, int) and not isinstance(seq, bool):
        if seq <= orders[talk.session]:
            message = f"seq {seq} comes after seq {orders[talk.session]}"
            hint = "memctl check --fix reorders them"
            seen.problems.append(found("CHK203", talk.path, number, message, hint))
        orders[talk.session] = talk.last = max(seq, talk.last)
    elif not theirs:
        seen.problems.append(found("CHK204", talk.path, number, "a message without an integer `seq`"))
    parts = fields.get("parts")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict):
            _part(talk, number, name, part)


def _part(talk: Talk, number: int, message: str, part: Mapping[str, Json]) -> None:
    kind = part.get("type")
    if kind in ("call", "result") and isinstance(part.get("call_id"), str):  # a result may stand alone
        talk.calls.setdefault(part["call_id"], number)
    elif kind == "image" and isinstance(part.get("ref"), str):
        talk.pictures.append((number, part["ref"], message))
    blocks = part.get("blocks")
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and isinstance(block.get("ref"), str):
            talk.pictures.append((number, block["ref"], ""))


# --------------------------------------------------------------------------- entries and canvases


def _offload(seen: Survey, path: Path) -> None:
    first: dict[tuple[str, str], int] = {}
    session = ""
    for number, _, fields in _records(seen, path):
        row = Row(
            path,
            number,
            text_in(fields, "session_id") or "",
            text_in(fields, "tool_call_id") or "",
            text_in(fields, "node_id") or "",
            text_in(fields, "mmd") or "",
            text_in(fields, "result_ref") or "",
            text_in(fields, "result_sha256") or "",
            fields["result"] if isinstance(fields.get("result"), str) else None,
            _is_theirs(fields),
        )
        # A call of ours may be one of theirs, too.
        call = (row.call, f"{row.node} of theirs" if row.theirs else "")
        if call in first:
            message = f"call {row.call} is already in line {first[call]}"
            seen.problems.append(found("CHK202", path, number, message, _FIX))
        elif row.call:
            first[call] = number
        if not seen.foreign and not row.theirs:
            lacking = [
                name for name in ("tool_call_id", "session_id", "node_id", "mmd") if not fields.get(name)
            ]
            if lacking:
                message = f"an entry without {', '.join(f'`{name}`' for name in lacking)}"
                seen.problems.append(found("CHK204", path, number, message))
            session = session or row.session
            if row.session and row.session != session:
                message = f"an entry of session {row.session} among those of {session}"
                seen.problems.append(found("CHK206", path, number, message))
        seen.rows.append(row)


def _is_theirs(fields: Mapping[str, Json]) -> bool:
    """Tell an entry of the original (`entries.is_theirs`): whatever promises a result's bytes is memctl's."""
    upto = fields.get("upto")
    return (not isinstance(upto, int) or upto <= 0) and not fields.get("result_sha256")


def _canvas(path: Path) -> Drawn:
    try:
        text = files.read_bytes(path).decode("utf-8", "replace")
    except MemctlError:
        return Drawn(path, number_of(path), "", None, (), {})
    canvas, problems = parse_canvas(text, number_of(path))
    lines: dict[int, int] = {}
    for row, line in enumerate(text.split("\n"), 1):
        match = _NODE_LINE.match(line)
        if match:
            lines.setdefault(int(match[2]), row)
    return Drawn(path, number_of(path), text, canvas, tuple(problems), lines)


# --------------------------------------------------------------------------- L1


def _shard(seen: Survey, path: Path) -> None:
    twice: dict[bytes, int] = {}
    for number, line, fields in _records(seen, path):
        if not isinstance(fields.get("id"), str) or not fields["id"]:
            seen.problems.append(found("CHK204", path, number, "an atom without `id`"))
            continue
        if line in twice:
            message = f"the same version of atom {fields['id']} is already in line {twice[line]}"
            seen.problems.append(found("CHK202", path, number, message, _FIX))
            continue
        twice[line] = number
        one = atoms.Found(path, number, atoms.from_fields(fields))
        seen.remembered.setdefault(one.atom.id, []).append(one)
