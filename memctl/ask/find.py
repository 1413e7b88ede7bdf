"""Find what an id names: node, canvas, call, ref, atom, message, session, scene, persona, task (DESIGN 3).

An id that several things answer to gives them all; the caller decides whether that is an answer.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl import files
from memctl.ask.canvas_files import NODE, folder_of
from memctl.ask.lookup import Lookup, former_numbers, written
from memctl.model import Canvas, Entry, Node
from memctl.store import Store, number_of
from memctl.text.widths import printable

if TYPE_CHECKING:  # most ids name none
    from memctl.model import Atom
    from memctl.store.atoms import Found as FoundAtom
    from memctl.store.entries import Found
    from memctl.store.messages import Stored

Kind = Literal["node", "canvas", "call", "ref", "atom", "message", "session", "scene", "persona", "task"]
KINDS: tuple[Kind, ...] = (
    *("node", "canvas", "call", "ref", "atom", "message", "session", "scene", "persona", "task"),
)

_NUMBER = re.compile(r"(?:canvas:|mmds/)?[0-9]+")
_MADE_CALL = re.compile(r"call-[0-9a-f]{12}")
_CANVAS = re.compile(r"(?:mmds/)?(\d{1,9})(?:-.*)?")


class Thing(NamedTuple):
    """What an id names. *id* names it again, and it alone; *path* and *line* say where it stands."""

    kind: Kind
    id: str
    path: Path
    line: int = 0
    entry: Entry | None = None
    canvas: Canvas | None = None
    node: Node | None = None
    message: "Stored | None" = None
    atom: "Atom | None" = None


def find(lookup: Lookup, given: str) -> list[Thing]:
    """Give everything that *given* names; `kind:id` looks among one kind only."""
    kind, colon, rest = given.partition(":")
    if colon and kind in KINDS and rest:
        forced = list(_FINDERS[kind](lookup, rest))
        if not forced and kind == "session":
            forced = list(_begun_sessions(lookup, rest, fewest=1))
        if forced:
            return forced
    things: list[Thing] = []
    for name in KINDS:
        things += _FINDERS[name](lookup, given)
    if things or (colon and kind in KINDS and not rest):  # a kind alone begins nothing
        return things
    return list(_begun_sessions(lookup, given)) or list(_looking_like(lookup, given))


def is_number(given: str) -> bool:
    """Tell whether an id can only be that of a canvas or node: its number."""
    return bool(NODE.fullmatch(given) or _NUMBER.fullmatch(given))


def why_cleared(store: Store, given: str) -> str:
    """Say that an id which leads nowhere is that of a session, canvas or node that was cleared; "" if not."""
    from memctl.store import cleared

    kind, _, rest = given.partition(":")
    name = rest if kind in KINDS and rest else given
    gone = cleared.load(store)
    if when := gone.when(name):
        return f"session {name!r} was cleared on {when[:10]}; `memctl ingest --again` imports it again"
    number = NODE.fullmatch(name) or _CANVAS.fullmatch(name)
    if number and int(number[1]) in gone.numbers:
        return f"{name!r} was cleared with its session; nothing of it was kept"
    return ""


# --------------------------------------------------------------------------- canvases and nodes


def _nodes(lookup: Lookup, given: str) -> Iterator[Thing]:
    stem, slash, name = given.rpartition("/")
    wanted = NODE.fullmatch(name)
    if not wanted:
        return
    for path in lookup.canvases.get(int(wanted[1]), ()):
        if slash and path.stem != stem:
            continue
        canvas = lookup.canvas_at(path)
        if canvas is None or int(wanted[1]) not in (canvas.number, *former_numbers(canvas)):
            continue
        node = folder_of(canvas, int(wanted[2]))
        if node is not None:
            yield Thing("node", name, path, canvas=canvas, node=node)


def _canvases(lookup: Lookup, given: str) -> Iterator[Thing]:
    wanted = _CANVAS.fullmatch(given)
    if not wanted or NODE.fullmatch(given):
        return
    number = int(wanted[1])
    name = given.removeprefix("mmds/").removesuffix(".mmd")
    label = name.partition("-")[2]
    paths = lookup.canvases.get(number, [])
    named = [path for path in paths if number_of(path) == number and (name.isdigit() or name == path.stem)]
    # Only a name that no canvas has now is the former one of a canvas that gave way.
    for path in named or [
        path
        for path in paths
        if number_of(path) != number and (name.isdigit() or label == path.stem.partition("-")[2])
    ]:
        yield Thing("canvas", path.stem, path, canvas=lookup.canvas_at(path))


# --------------------------------------------------------------------------- calls and refs


def _calls(lookup: Lookup, given: str) -> Iterator[Thing]:
    found = [*_with_call_id(lookup, given, "")]
    if len(found) == 1:
        yield Thing("call", given, found[0].path, found[0].number, found[0].entry)
        return
    if not found:
        pairs = _pairs(given)
        found = next(filter(None, ([*_with_call_id(lookup, call, session)] for session, call in pairs)), [])
    if not found and _MADE_CALL.fullmatch(given):
        found = [*_once_called(lookup, given)]
    for one in found:
        yield Thing("call", qualified(one.entry), one.path, one.number, one.entry)


def _once_called(lookup: Lookup, given: str) -> "Iterator[Found]":
    """Give the call that had this id while only its result was known: a line was damaged, and repaired since."""
    from memctl.store import messages

    for path in lookup.conversations:
        for stored in messages.conversation(path) if b'"id":null' in files.read_bytes(path) else ():
            for at, part in enumerate(stored.parts):
                if messages.former_call(stored.fields, part, at) == given:
                    yield from _with_call_id(lookup, str(part.get("call_id")), "")


def _pairs(given: str) -> Iterator[tuple[str, str]]:
    """Split `SESSION/ID` at each of its slashes: either part may hold slashes of its own."""
    parts = given.split("/")
    for at in range(1, len(parts)):
        yield "/".join(parts[:at]), "/".join(parts[at:])


def qualified(entry: Entry) -> str:
    """Name a call together with its session, as ids of calls repeat in copies and counters."""
    return f"call:{entry.session_id}/{entry.tool_call_id}"


def addresses(lookup: Lookup, listed: list[Entry]) -> list[str]:
    """Give for each call the shortest id that names it alone."""
    seen = lookup.stands_in(entry.tool_call_id for entry in listed)
    return [
        qualified(entry)
        if seen[entry.tool_call_id] > 1 or _is_other(lookup, entry.tool_call_id)
        else entry.tool_call_id
        for entry in listed
    ]


def _is_other(lookup: Lookup, call: str) -> bool:
    """Tell whether a call's id reads like the id of something else."""
    return bool(
        NODE.fullmatch(call)
        or _CANVAS.fullmatch(call)
        or call.partition(":")[0] in KINDS
        or lookup.is_session(call)
        or lookup.is_task(call)
    )


def _with_call_id(lookup: Lookup, call: str, session: str) -> "Iterator[Found]":
    for path in lookup.with_call(call):
        if session and path != lookup.store.offload(session):
            continue
        for found in lookup.latest(path):
            if found.entry.tool_call_id == call:
                yield found


def _refs(lookup: Lookup, given: str) -> Iterator[Thing]:
    for path in lookup.refs.get(given, lookup.refs.get(given.removeprefix("refs/"), ())):
        relative = lookup.store.relative(path)
        yield Thing("ref", relative, path, entry=_entry_of_ref(lookup, relative))


def _entry_of_ref(lookup: Lookup, relative: str) -> Entry | None:
    """Give the first entry whose result is this ref."""
    for path in lookup.with_ref(relative):
        for found in lookup.standing(path):
            if found.entry.result_ref == relative:
                return found.entry
    return None


# --------------------------------------------------------------------------- sessions, messages, tasks


def _sessions(lookup: Lookup, given: str) -> Iterator[Thing]:
    if lookup.is_session(given):
        yield Thing("session", given, lookup.store.conversation(given))
        return
    for path in lookup.conversations:
        if path.stem == given:
            from memctl.store import messages, sessions

            if not sessions.is_shared(path):
                yield Thing("session", messages.session_of(path), path)
                return
    if not lookup.stand_alone:
        for place in lookup.sessions:
            if place.id == given:
                yield Thing("session", place.id, place.paths[0])


def _begun_sessions(lookup: Lookup, given: str, fewest: int = 4) -> Iterator[Thing]:
    """Give the sessions whose id begins like this, for people who type the first letters; not with too few."""
    if len(given) >= fewest:
        for place in lookup.sessions:
            if place.id.startswith(given):
                yield Thing("session", place.id, place.paths[0])


def _looking_like(lookup: Lookup, given: str) -> Iterator[Thing]:
    """Give the sessions, calls and messages whose ids are printed like this: what cannot be printed never is."""
    from memctl.store import messages

    kind, colon, rest = given.partition(":")
    wanted = rest if colon and kind in KINDS else given
    among = (kind,) if colon and kind in KINDS else KINDS
    for place in lookup.sessions if "session" in among else ():
        if printable(place.id) == wanted:
            yield Thing("session", place.id, place.paths[0])
    bare = wanted.replace("_", "")
    for path in lookup.offloads if "call" in among else ():
        for found in lookup.latest(path):
            entry = found.entry
            named = entry.tool_call_id
            if wanted in (printable(named), printable(f"{entry.session_id}/{named}")) or (
                bare and bare == named.replace("_", "")  # as some providers give ids back (the original)
            ):
                yield Thing("call", qualified(entry), path, found.number, entry)
    for path in lookup.conversations if "message" in among else ():
        for stored in messages.conversation(path):
            session = stored.fields.get("sessionId") or stored.fields.get("sessionKey")
            named = f"{session}/{stored.id}"
            if wanted in (printable(stored.id), printable(named)) and stored.id:
                yield Thing("message", f"message:{named}", path, stored.number, message=stored)


def _messages(lookup: Lookup, given: str) -> Iterator[Thing]:
    found = [*_with_message_id(lookup, given, "")]
    if not found:
        pairs = _pairs(given)
        found = next(filter(None, ([*_with_message_id(lookup, one, session)] for session, one in pairs)), [])
    for path, stored in found:
        short = len(found) == 1 and stored.id == given
        session = stored.fields.get("sessionId") or stored.fields.get("sessionKey")
        named = given if short else f"message:{session}/{stored.id}"
        yield Thing("message", named, path, stored.number, message=stored)


def _with_message_id(lookup: Lookup, message: str, session: str) -> "Iterator[tuple[Path, Stored]]":
    for path in lookup.with_message(message):
        from memctl.store import messages, sessions

        shared = sessions.is_shared(path)
        if session and path != lookup.store.conversation(session) and not shared:
            continue
        for stored in messages.conversation(path):
            named = (stored.fields.get("sessionId"), stored.fields.get("sessionKey"))
            if stored.id == message and (not session or not shared or session in named):
                yield path, stored


def _tasks(lookup: Lookup, given: str) -> Iterator[Thing]:
    if lookup.is_task(given):
        yield Thing("task", given, lookup.store.task(given))


# --------------------------------------------------------------------------- atoms, scenes, persona


def _atoms(lookup: Lookup, given: str) -> Iterator[Thing]:
    """Give the atom of an id, or those whose ids begin like this."""
    if not given.startswith("m_") or len(given) < 4:
        return
    forms = tuple(form.removesuffix(b'"') for form in written(given))
    from memctl.store import atoms

    listed: dict[str, list[FoundAtom]] = {}
    for path in lookup.store.shards():
        data = files.read_bytes(path)
        if any(form in data for form in forms):
            for found in atoms.read(path):
                if found.atom.id.startswith(given):
                    listed.setdefault(found.atom.id, []).append(found)
    for name, versions in listed.items():
        last = versions[-1]
        yield Thing("atom", name, last.path, last.number, atom=atoms.current(versions))


def _scenes(lookup: Lookup, given: str) -> Iterator[Thing]:
    """Give the scene of a path, or of a file's name with or without its ending."""
    for path in lookup.store.scenes():
        relative = lookup.store.relative(path)
        inner = relative.removeprefix("scene_blocks/")
        if given in (relative, inner, inner.removesuffix(".md"), path.name):
            yield Thing("scene", relative, path)


def _persona(lookup: Lookup, given: str) -> Iterator[Thing]:
    if given in ("persona", "persona.md") and lookup.store.persona.is_file():
        yield Thing("persona", "persona.md", lookup.store.persona)


_FINDERS: dict[str, Callable[[Lookup, str], Iterator[Thing]]] = {
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
