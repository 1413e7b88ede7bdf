"""Canvases as they stand in a directory, and the entries of their nodes."""

import re
from collections.abc import Iterator
from pathlib import Path

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.model import Canvas, Entry, Node
from memctl.store import Store, entries, number_of
from memctl.store.entries import Found

NODE = re.compile(r"(\d{3,9})-N(\d{1,9})")


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


def canvas_entries(store: Store, canvas: Canvas) -> list[Entry]:
    """Give all entries of a canvas, in order."""
    listed = session_entries(store, canvas.session)
    return [found.entry for found in listed if node_number(found.entry, canvas.number) is not None]


def node_number(entry: Entry, canvas: int) -> int | None:
    """Give the number of an entry's node on canvas *canvas*; None when it is on another."""
    found = NODE.fullmatch(entry.node_id or "")
    return int(found[2]) if found and int(found[1]) == canvas else None


def session_entries(store: Store, session: str) -> list[Found]:
    """Give the entries of a session in order."""
    path = store.offload(session)
    if path.is_file() or store.conversation(session).is_file():
        return entries.latest(path, session)
    # The original names its files otherwise, and its canvases name no session.
    listed = [found for one in store.offloads() for found in entries.standing(one)]
    return [found for found in listed if session in ("", found.entry.session_id)]
