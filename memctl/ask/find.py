"""Find what an id names: node, canvas, call, ref, atom, message, session, scene, persona, task (DESIGN 3).

An id that several things answer to gives them all; the caller decides whether that is an answer.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.errors import MemctlError
from memctl.model import Canvas, Entry, Node
from memctl.store import Store, entries, messages, number_of, sessions
from memctl.store.entries import Found
from memctl.store.messages import Stored
from memctl.text.widths import printable

if TYPE_CHECKING:  # most ids name none
    from memctl.model import Atom
    from memctl.store.atoms import Found as FoundAtom

Kind = Literal["node", "canvas", "call", "ref", "atom", "message", "session", "scene", "persona", "task"]
KINDS: tuple[Kind, ...] = (
    *("node", "canvas", "call", "ref", "atom", "message", "session", "scene", "persona", "task"),
)

_NODE = re.compile(r"(\d{3,9})-N(\d{1,9})")
_NUMBER = re.compile(r"(?:canvas:|mmds/)?[0-9]+")
_CANVAS = re.compile(r"(?:mmds/)?(\d{1,9})(?:-.*)?")


@dataclass(frozen=True, slots=True)
class Thing:
    """What an id names. *id* names it again, and it alone; *path* and *line* say where it stands."""

    kind: Kind
    id: str
    path: Path
    line: int = 0
    entry: Entry | None = None
    canvas: Canvas | None = None
    node: Node | None = None
    message: Stored | None = None
    atom: "Atom | None" = None


def find(store: Store, given: str) -> list[Thing]:
    """Give everything that *given* names; `kind:id` looks among one kind only."""
    kind, colon, rest = given.partition(":")
    if colon and kind in KINDS and rest:
        forced = list(_FINDERS[kind](store, rest))
        if not forced and kind == "session":
            forced = list(_begun_sessions(store, rest))
        if forced:
            return forced
    things: list[Thing] = []
    for name in KINDS:
        things += _FINDERS[name](store, given)
    if things or (colon and kind in KINDS and not rest):  # a kind alone begins nothing
        return things
    return list(_begun_sessions(store, given)) or list(_looking_like(store, given))


def is_number(given: str) -> bool:
    """Tell whether an id can only be that of a canvas or node: its number."""
    return bool(_NODE.fullmatch(given) or _NUMBER.fullmatch(given))


def why_cleared(store: Store, given: str) -> str:
    """Say that an id which leads nowhere is that of a session, canvas or node that was cleared; "" if not."""
    from memctl.store import cleared

    kind, _, rest = given.partition(":")
    name = rest if kind in KINDS and rest else given
    gone = cleared.load(store)
    if when := gone.when(name):
        return f"session {name!r} was cleared on {when[:10]}; `memctl ingest --again` takes it in again"
    number = _NODE.fullmatch(name) or _CANVAS.fullmatch(name)
    if number and int(number[1]) in gone.numbers:
        return f"{name!r} was cleared with its session; nothing of it is kept"
    return ""


# --------------------------------------------------------------------------- canvases and nodes


def canvases(store: Store) -> Iterator[tuple[Path, Canvas]]:
    """Give the canvases that can be read, in order of number."""
    for path in store.canvases():
        canvas = canvas_at(path)
        if canvas is not None:
            yield path, canvas


def canvas_at(path: Path) -> Canvas | None:
    """Read a canvas file; None when it is none."""
    text = files.read_bytes(path).decode("utf-8", "replace")
    return parse_canvas(text, number_of(path))[0]


def folder_of(canvas: Canvas, number: int) -> Node | None:
    """Give the drawn node that stands for node *number*: itself, or the one it was folded into."""
    for node in canvas.nodes:
        if node.number == number or any(first <= number <= last for first, last in node.folded):
            return node
    return None


def members(node: Node) -> list[tuple[int, int]]:
    """Give the numbers a drawn node stands for, as closed ranges: its own first."""
    return [(node.number, node.number), *node.folded]


def entries_of(store: Store, canvas: Canvas, node: Node) -> list[Found]:
    """Give the entries of a node, those of the nodes folded into it included."""
    ranges = members(node)
    return [
        found
        for found in session_entries(store, canvas.session)
        if (number := node_number(found.entry, canvas.number)) is not None
        and any(first <= number <= last for first, last in ranges)
    ]


def canvas_entries(store: Store, canvas: Canvas) -> list[Entry]:
    """Give all entries of a canvas, in order."""
    listed = session_entries(store, canvas.session)
    return [found.entry for found in listed if node_number(found.entry, canvas.number) is not None]


def node_number(entry: Entry, canvas: int) -> int | None:
    """Give the number of an entry's node on canvas *canvas*; None when it is on another."""
    found = _NODE.fullmatch(entry.node_id or "")
    return int(found[2]) if found and int(found[1]) == canvas else None


def session_entries(store: Store, session: str) -> list[Found]:
    """Give the entries of a session in order."""
    path = store.offload(session)
    if path.is_file() or store.conversation(session).is_file():
        return entries.latest(path, session)
    # The original names its files otherwise, and its canvases name no session.
    listed = [found for one in store.offloads() for found in entries.latest(one)]
    return [found for found in listed if session in ("", found.entry.session_id)]


def _nodes(store: Store, given: str) -> Iterator[Thing]:
    stem, slash, name = given.rpartition("/")
    wanted = _NODE.fullmatch(name)
    if not wanted:
        return
    for path in store.canvases():
        if slash and path.stem != stem:
            continue
        if number_of(path) != int(wanted[1]):
            try:
                if b'"was":' not in files.read_bytes(path):
                    continue
            except MemctlError:  # another canvas that cannot be read is no reason to fail
                continue
        canvas = canvas_at(path)
        if canvas is None or int(wanted[1]) not in (canvas.number, *_formerly(canvas)):
            continue
        node = folder_of(canvas, int(wanted[2]))
        if node is not None:
            yield Thing("node", name, path, canvas=canvas, node=node)


def _formerly(canvas: Canvas) -> list[int]:
    was = canvas.extra.get("was")
    return (
        [int(number) for number in was if re.fullmatch(r"[0-9]{1,9}", str(number))]
        if isinstance(was, list)
        else []
    )


def _canvases(store: Store, given: str) -> Iterator[Thing]:
    wanted = _CANVAS.fullmatch(given)
    if not wanted or _NODE.fullmatch(given):
        return
    name = given.removeprefix("mmds/").removesuffix(".mmd")
    for path in store.canvases():
        if number_of(path) == int(wanted[1]) and (name.isdigit() or name == path.stem):
            yield Thing("canvas", path.stem, path, canvas=canvas_at(path))


# --------------------------------------------------------------------------- calls and refs


def _calls(store: Store, given: str) -> Iterator[Thing]:
    found = [*_with_call_id(store, given, "")]
    if len(found) == 1:
        yield Thing("call", given, found[0].path, found[0].number, found[0].entry)
        return
    if not found:
        pairs = _pairs(given)
        found = next(filter(None, ([*_with_call_id(store, call, session)] for session, call in pairs)), [])
    for one in found:
        yield Thing("call", qualified(one.entry), one.path, one.number, one.entry)


def _pairs(given: str) -> Iterator[tuple[str, str]]:
    """Split `SESSION/ID` at each of its slashes: either part may hold slashes of its own."""
    parts = given.split("/")
    for at in range(1, len(parts)):
        yield "/".join(parts[:at]), "/".join(parts[at:])


def qualified(entry: Entry) -> str:
    """Name a call together with its session, as ids of calls repeat in copies and counters."""
    return f"call:{entry.session_id}/{entry.tool_call_id}"


def addresses(store: Store, listed: list[Entry]) -> list[str]:
    """Give for each call the shortest id that names it alone."""
    needles = {entry.tool_call_id: _written(entry.tool_call_id) for entry in listed}
    seen = dict.fromkeys(needles, 0)
    for path in store.offloads():
        data = files.read_bytes(path)
        for call, forms in needles.items():
            seen[call] += any(b'"tool_call_id":' + needle in data for needle in forms)
    return [
        qualified(entry)
        if seen[entry.tool_call_id] > 1 or _is_other(store, entry.tool_call_id)
        else entry.tool_call_id
        for entry in listed
    ]


def _written(text: str) -> tuple[bytes, ...]:
    """Give the ways in which a text may stand in a line of JSON: as it is, and escaped for what is beside it."""
    forms = files.encode(text), json.dumps(text).encode("ascii")
    return tuple(dict.fromkeys(forms))


def _holds(path: Path, forms: tuple[bytes, ...]) -> bool:
    data = files.read_bytes(path)
    return any(needle in data for needle in forms)


def _is_other(store: Store, call: str) -> bool:
    """Tell whether a call's id reads like the id of something else."""
    return bool(
        _NODE.fullmatch(call)
        or _CANVAS.fullmatch(call)
        or call.partition(":")[0] in KINDS
        or store.conversation(call).is_file()
        or store.task(call).is_file()
    )


def _with_call_id(store: Store, call: str, session: str) -> Iterator[Found]:
    forms = _written(call)
    for path in store.offloads():
        if session and path != store.offload(session):
            continue
        if _holds(path, forms):
            for found in entries.latest(path):
                if found.entry.tool_call_id == call:
                    yield found


def _refs(store: Store, given: str) -> Iterator[Thing]:
    name = given.removeprefix("refs/")
    for path in store.refs():
        relative = store.relative(path)
        if given == relative or name in (path.name, path.stem, path.stem.rpartition("-")[2]):
            yield Thing("ref", relative, path, entry=entry_of_ref(store, relative))


def entry_of_ref(store: Store, relative: str) -> Entry | None:
    """Give the first entry whose result is this ref."""
    forms = _written(relative)
    for path in store.offloads():
        if _holds(path, forms):
            for found in entries.latest(path):
                if found.entry.result_ref == relative:
                    return found.entry
    return None


# --------------------------------------------------------------------------- sessions, messages, tasks


def _sessions(store: Store, given: str) -> Iterator[Thing]:
    exact = store.conversation(given)
    if exact.is_file():
        yield Thing("session", given, exact)
        return
    for path in store.conversations():
        if path.stem == given and not sessions.is_shared(path):
            yield Thing("session", messages.session_of(path), path)
            return
    if not sessions.stand_alone(store):
        for place in sessions.listed(store):
            if place.id == given:
                yield Thing("session", place.id, place.paths[0])


def _begun_sessions(store: Store, given: str) -> Iterator[Thing]:
    """Give the sessions whose id begins like this, for people who type the first letters."""
    if len(given) >= 4:
        for place in sessions.listed(store):
            if place.id.startswith(given):
                yield Thing("session", place.id, place.paths[0])


def _looking_like(store: Store, given: str) -> Iterator[Thing]:
    """Give the sessions, calls and messages whose ids are printed like this: what cannot be printed never is."""
    kind, colon, rest = given.partition(":")
    wanted = rest if colon and kind in KINDS else given
    for place in sessions.listed(store):
        if printable(place.id) == wanted:
            yield Thing("session", place.id, place.paths[0])
    bare = wanted.replace("_", "")
    for path in store.offloads():
        for found in entries.latest(path):
            entry = found.entry
            named = entry.tool_call_id
            if wanted in (printable(named), printable(f"{entry.session_id}/{named}")) or (
                bare and bare == named.replace("_", "")  # as some providers give ids back (the original)
            ):
                yield Thing("call", qualified(entry), path, found.number, entry)
    for path in store.conversations():
        for stored in messages.conversation(path):
            session = stored.fields.get("sessionId") or stored.fields.get("sessionKey")
            named = f"{session}/{stored.id}"
            if wanted in (printable(stored.id), printable(named)) and stored.id:
                yield Thing("message", f"message:{named}", path, stored.number, message=stored)


def _messages(store: Store, given: str) -> Iterator[Thing]:
    found = [*_with_message_id(store, given, "")]
    if not found:
        pairs = _pairs(given)
        found = next(filter(None, ([*_with_message_id(store, one, session)] for session, one in pairs)), [])
    for path, stored in found:
        short = len(found) == 1 and stored.id == given
        session = stored.fields.get("sessionId") or stored.fields.get("sessionKey")
        named = given if short else f"message:{session}/{stored.id}"
        yield Thing("message", named, path, stored.number, message=stored)


def _with_message_id(store: Store, message: str, session: str) -> Iterator[tuple[Path, Stored]]:
    forms = _written(message)
    for path in store.conversations():
        shared = sessions.is_shared(path)
        if session and path != store.conversation(session) and not shared:
            continue
        if _holds(path, forms):
            for stored in messages.conversation(path):
                named = (stored.fields.get("sessionId"), stored.fields.get("sessionKey"))
                if stored.id == message and (not session or not shared or session in named):
                    yield path, stored


def _tasks(store: Store, given: str) -> Iterator[Thing]:
    path = store.task(given)
    if path.is_file():
        yield Thing("task", given, path)


# --------------------------------------------------------------------------- atoms, scenes, persona


def _atoms(store: Store, given: str) -> Iterator[Thing]:
    """Give the atom of an id, or those whose ids begin like this."""
    if not given.startswith("m_") or len(given) < 4:
        return
    forms = tuple(form.removesuffix(b'"') for form in _written(given))
    from memctl.store import atoms

    listed: dict[str, list[FoundAtom]] = {}
    for path in store.shards():
        if _holds(path, forms):
            for found in atoms.read(path):
                if found.atom.id.startswith(given):
                    listed.setdefault(found.atom.id, []).append(found)
    for name, versions in listed.items():
        last = versions[-1]
        yield Thing("atom", name, last.path, last.number, atom=atoms.current(versions))


def _scenes(store: Store, given: str) -> Iterator[Thing]:
    """Give the scene of a path, or of a file's name with or without its ending."""
    for path in store.scenes():
        relative = store.relative(path)
        inner = relative.removeprefix("scene_blocks/")
        if given in (relative, inner, inner.removesuffix(".md"), path.name):
            yield Thing("scene", relative, path)


def _persona(store: Store, given: str) -> Iterator[Thing]:
    if given in ("persona", "persona.md") and store.persona.is_file():
        yield Thing("persona", "persona.md", store.persona)


_FINDERS: dict[str, Callable[[Store, str], Iterator[Thing]]] = {
    "node": _nodes,
    "canvas": _canvases,
    "call": _calls,
    "ref": _refs,
    "atom": _atoms,
    "message": _messages,
    "session": _sessions,
    "scene": _scenes,
    "persona": _persona,
    "task": _tasks,
}
