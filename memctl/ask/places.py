"""Places as memctl prints them, `memory/mmds/001-fix.mmd` or `offload-s.jsonl:12`: the ids of what stands there."""

import re
from pathlib import Path

from memctl.ask.lookup import Lookup
from memctl.store import entries

_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>[0-9]{1,9}):?)?", re.DOTALL)


def id_at(lookup: Lookup, given: str) -> str:
    """Give the id of what stands at a place: a path from the current folder or the scope's, and a line.

    "" where nothing of this scope stands there. Without a line, a file of entries or messages is its session.
    """
    match = _PLACE.fullmatch(given)
    path = _inside(lookup, match["path"]) if match else None
    if match is None or path is None:
        return ""
    line, store = int(match["line"] or 0), lookup.store
    relative = store.relative(path)
    kinds = {
        store.folder("mmds"): f"canvas:{path.stem}",
        store.folder("scene_blocks"): f"scene:{relative}",
        store.folder("tasks"): f"task:{path.stem}",
        store.persona.parent: "persona:persona" if path == store.persona else "",
    }
    if path.is_relative_to(store.folder("refs")):
        return f"ref:{relative}"
    if path.parent == store.folder("conversations"):
        return _message_at(path, line)
    return _call_at(path, line) if path in lookup.offloads else kinds.get(path.parent, "")


def _inside(lookup: Lookup, path: str) -> Path | None:
    """Give the file that a path names, from the current folder or from the scope's, if it is one of the scope's."""
    store = lookup.store
    for file in (Path(path).absolute(), store.at(path)):
        try:
            if file.is_file() and file.resolve().is_relative_to(store.root.resolve()):
                return store.at(file.resolve().relative_to(store.root.resolve()).as_posix())
        except (OSError, ValueError):  # too long, or with a NUL
            continue
    return None


def _call_at(path: Path, line: int) -> str:
    session = ""
    for found in entries.standing(path):
        session = session or found.entry.session_id
        if found.number == line:
            return f"call:{found.entry.session_id}/{found.entry.tool_call_id}"
    return f"session:{session}" if session and not line else ""


def _message_at(path: Path, line: int) -> str:
    from memctl.store import messages

    if not line:
        return f"session:{messages.session_of(path)}"
    for stored in messages.conversation(path):
        if stored.number == line:
            return f"message:{messages.session_of(path)}/{stored.id}"
    return ""
