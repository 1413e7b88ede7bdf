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
    line = int(match["line"] or 0)
    relative = lookup.store.relative(path)
    folder, slash, name = relative.partition("/")
    match folder:
        case "mmds":
            return f"canvas:{path.stem}"
        case "refs":
            return f"ref:{relative}"
        case "scene_blocks":
            return f"scene:{relative}"
        case "tasks":
            return f"task:{path.stem}"
        case "conversations" if slash:
            return _message_at(path, name, line)
        case _ if relative.startswith("offload-") and not slash:
            return _call_at(path, line)
        case _ if path == lookup.store.persona:
            return "persona:persona"
        case _:
            return ""


def _inside(lookup: Lookup, path: str) -> Path | None:
    """Give the file that a path names, from the current folder or from the scope's, if it is one of the scope's."""
    root = lookup.store.root
    for file in (Path(path).absolute(), root / path):
        try:
            if file.is_file() and file.resolve().is_relative_to(root.resolve()):
                return root / file.resolve().relative_to(root.resolve())
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


def _message_at(path: Path, name: str, line: int) -> str:
    from memctl.store import messages

    if not line:
        return f"session:{messages.session_of(path)}" if name.endswith(".jsonl") else ""
    for stored in messages.conversation(path):
        if stored.number == line:
            return f"message:{messages.session_of(path)}/{stored.id}"
    return ""
