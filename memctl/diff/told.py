"""A diff in words: for a terminal, and for the message of a commit."""

from collections import Counter
from collections.abc import Iterator

from memctl.diff import AtomChange, CanvasChange, Diff, NodeChange
from memctl.text.numbers import how_many

_SIGNS = {"new": "+", "gone": "-", "forgotten": "-", "superseded": "-"}
_MOST_NODES = 12


def lines(found: Diff) -> Iterator[str]:
    """Write a diff, a line a change, under a heading a kind."""
    if found.sessions:
        yield "sessions"
        for session in found.sessions:
            yield f"  {_sign(session.change)} {session.id}  {_messages(session.before, session.after)}"
    if found.canvases:
        yield "canvases"
        for canvas in found.canvases:
            yield from _canvas(canvas)
    if found.atoms:
        yield "atoms"
        for atom in found.atoms:
            yield f"  {_sign(atom.change)} {atom.id}  {_atom(atom)}"
    if found.tasks:
        yield "tasks"
        for task in found.tasks:
            moved = " -> ".join(state for state in (task.before, task.after) if state)
            sign = "+" if task.before is None else "-" if task.after is None else "~"
            yield f"  {sign} {task.id}  {moved}  {_flat(task.description)}"
    if found.files:
        yield "files"
        for file in found.files:
            yield f"  {_sign(file.change)} {file.path}"
    if found.triples:
        yield f"graph: {how_many(found.triples, 'new triple')}"
    if found.refs:
        yield f"refs: {found.refs:,} new"
    if found.others:
        yield f"{how_many(found.others, 'other file')} changed"


def headline(found: Diff) -> str:
    """Say in one line how much was learned."""
    counted = Counter(("session", one.change) for one in found.sessions)
    counted += Counter(("canvas", one.change) for one in found.canvases)
    counted += Counter(("atom", one.change) for one in found.atoms)
    pieces = []
    for noun, plural in (("session", "sessions"), ("canvas", "canvases"), ("atom", "atoms")):
        changes = [(change, count) for (kind, change), count in counted.items() if kind == noun]
        for change, count in sorted(changes, key=lambda one: (one[0] != "new", one[0])):
            pieces.append(f"{count} {change} {noun if count == 1 else plural}")
    moved = len(found.tasks)
    if moved and not found.canvases:
        pieces.append(f"{how_many(moved, 'task')} moved")
    if not pieces and found.files:
        pieces.append(how_many(len(found.files), "file"))
    if not pieces and found.triples:
        pieces.append(how_many(found.triples, "triple"))
    return ", ".join(pieces) or "files tidied"


def _sign(change: str) -> str:
    return _SIGNS.get(change, "~")


def _messages(before: int, after: int) -> str:
    if not before:
        return how_many(after, "message")
    return f"{before:,} -> {how_many(after, 'message')}"


def _canvas(canvas: CanvasChange) -> Iterator[str]:
    status = " -> ".join(dict.fromkeys(one for one in canvas.status if one))
    progress = " -> ".join(dict.fromkeys(f"{one}%" for one in canvas.progress if one is not None))
    yield f"  {_sign(canvas.change)} {canvas.id}  {status}  {progress}  {_flat(canvas.goal)}"
    if canvas.change == "new":
        return
    for node in canvas.nodes[:_MOST_NODES]:
        yield f"      {node.id:<8} {_statuses(node)}  {_flat(node.title)}"
    if len(canvas.nodes) > _MOST_NODES:
        yield f"      ... and {len(canvas.nodes) - _MOST_NODES} more nodes"


def _statuses(node: NodeChange) -> str:
    if node.before is None:
        return f"new, {node.after}"
    return f"{node.before} -> {node.after or 'gone'}"


def _atom(atom: AtomChange) -> str:
    if atom.change == "new":
        return f"{atom.type}: {_flat(atom.content)}"
    words = [atom.change]
    if atom.by:
        words.append(f"by {atom.by}")
    told = f"{atom.before} -> {atom.content}" if atom.before and atom.content else atom.content or atom.before
    return " ".join(words) + (f": {_flat(told)}" if told else "")


def _flat(text: str) -> str:
    """Make a text of a transcript one line."""
    return " ".join(text.split())
