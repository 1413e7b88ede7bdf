"""Cards: what an id names, its facts, and what is below it, with the next id to type."""

from typing import NamedTuple

from memctl import files
from memctl.ask import canvas_files, find
from memctl.ask.find import Thing
from memctl.ask.lookup import Lookup
from memctl.canvas.nodetext import write_ranges
from memctl.model import Canvas, Entry, Node, node_id, node_of
from memctl.store.entries import Found


class Card(NamedTuple):
    """What an id names: facts in order, then what is below it (or above, for `up`).

    facts: (label, text). below: rows of (id to drill, what it is). content: text to show in full.
    """

    thing: Thing
    title: str
    facts: tuple[tuple[str, str], ...]
    below: tuple[tuple[str, str], ...] = ()
    content: str = ""


def card(lookup: Lookup, thing: Thing) -> Card:
    """Describe a thing and what is below it."""
    match thing.kind:
        case "node":
            return _node(lookup, thing)
        case "canvas":
            return _canvas(thing)
        case "call":
            return _call(thing)
        case "ref":
            return _ref(lookup, thing)
        case "message":
            return _message(thing)
        case "session":
            return _session(lookup, thing)
        case "task":
            return _task(lookup, thing)
        case "atom" | "scene" | "persona":
            return _remembered(lookup, thing)


def entries_below(lookup: Lookup, thing: Thing) -> list[Found]:
    """Give the entries that a thing leads to."""
    if thing.entry is not None:
        return [Found(thing.path, thing.line, thing.entry)]
    if thing.kind == "node" and thing.canvas and thing.node:
        return _entries_of(lookup, thing.canvas, thing.node)
    if thing.kind == "canvas" and thing.canvas:
        placed = lookup.placed_entries(thing.canvas.session)
        return [found for _, found in placed.get(thing.canvas.number, ())]
    if thing.kind == "session":
        return lookup.session_entries(thing.id)
    return []


def _entries_of(lookup: Lookup, canvas: Canvas, node: Node) -> list[Found]:
    """Give the entries of a node, those of the nodes folded into it included."""
    ranges = canvas_files.members(node)
    return [
        found
        for number, found in lookup.placed_entries(canvas.session).get(canvas.number, ())
        if any(first <= number <= last for first, last in ranges)
    ]


def _node(lookup: Lookup, thing: Thing) -> Card:
    node, canvas = thing.node, thing.canvas
    assert node is not None, "a node thing has its node"  # noqa: S101 - states an invariant
    assert canvas is not None, "a node thing has its canvas"  # noqa: S101 - states an invariant
    drawn = node_id(canvas.number, node.number)
    listed = _entries_of(lookup, canvas, node)
    goal = ("canvas", f"{thing.path.stem}  {canvas.goal}")
    if thing.id != drawn:  # folded into another: its own entries, and where it is drawn
        listed = [found for found in listed if found.entry.node_id == thing.id]
        title = f"{thing.id}  folded into {drawn}"
        facts = [("drawn as", f"{drawn}  {node.title}"), goal]
    else:
        title = f"{thing.id}  {node.title}"
        facts = [("status", node.status), ("summary", node.summary), ("time", node.timestamp or ""), goal]
        if node.folded:
            facts.append(
                (
                    "stands for",
                    f"{node_id(canvas.number, node.number)} and {write_ranges(canvas.number, node.folded)}",
                )
            )
    names = find.addresses(lookup, [found.entry for found in listed])
    below = [(name, line_of(found.entry)) for name, found in zip(names, listed, strict=True)]
    if thing.id != drawn or node.folded:  # else the arrows have the user's words
        below = _with_prompts(lookup, canvas.session, listed, below)
    return Card(thing, title, _said(facts), tuple(below))


def _with_prompts(
    lookup: Lookup, session: str, listed: list[Found], below: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Put the user's words before the rows of the calls that they led to: folding draws no arrow for them."""
    told: list[tuple[str, str]] = []
    waiting = lookup.prompts(session)
    at = 0
    for found, row in zip(listed, below, strict=True):
        new = at
        while new < len(waiting) and waiting[new][0] < found.entry.upto:
            new += 1
        told += [
            (name, f"user: {words}") for _, name, words in waiting[at if told else max(new - 1, 0) : new]
        ]
        at = new
        told.append(row)
    return told


def _canvas(thing: Thing) -> Card:
    canvas = thing.canvas
    if canvas is None:
        return Card(thing, thing.path.name, (("status", "cannot be read; `memctl validate` says why"),))
    facts = [
        ("goal", canvas.goal),
        ("status", f"{_stated(canvas)}, {canvas.progress}% of its nodes done"),
        ("time", " to ".join(time for time in (canvas.created, canvas.updated) if time)),
        ("session", canvas.session),
    ]
    below = tuple(
        (node_id(canvas.number, node.number), f"{node.status}  {node.title}: {node.summary}")
        for node in canvas.nodes
    )
    return Card(thing, thing.path.stem, _said(facts), below)


def _call(thing: Thing) -> Card:
    entry = thing.entry
    assert entry is not None, "a call thing has its entry"  # noqa: S101 - states an invariant
    facts = [
        ("call", entry.tool_call),
        ("summary", entry.summary),
        ("status", f"{entry.status}, {entry.kind}, score {entry.score}"),
        ("node", entry.node_id or ""),
        ("session", entry.session_id),
        ("time", entry.timestamp or ""),
    ]
    below: tuple[tuple[str, str], ...] = ()
    content = ""
    if entry.result_ref:
        below = ((entry.result_ref, f"{entry.result_bytes} bytes, about {entry.result_tokens} tokens"),)
    elif entry.result is not None:
        facts.append(("result", f"{entry.result_bytes} bytes"))
        content = entry.result
    else:
        facts.append(("result", "not in the transcript"))
    return Card(thing, f"{entry.tool_call_id}  {entry.tool}", _said(facts), below, content)


def _ref(lookup: Lookup, thing: Thing) -> Card:
    if thing.path.suffix != ".md":
        return Card(thing, thing.id, (("picture", f"{thing.path.lstat().st_size} bytes"),))
    from memctl.store import refs

    facts = []
    if thing.entry:
        facts = [
            ("call", thing.entry.tool_call),
            ("summary", thing.entry.summary),
            ("node", thing.entry.node_id or ""),
        ]
    return Card(
        thing, thing.id, _said(facts), content=refs.text(lookup.store.root, lookup.store.relative(thing.path))
    )


def _message(thing: Thing) -> Card:
    message = thing.message
    assert message is not None, "a message thing has its message"  # noqa: S101 - states an invariant
    fields = message.fields
    facts = [
        ("role", message.role),
        ("session", str(fields.get("sessionId"))),
        ("time", str(fields.get("timestamp") or "")),
        ("noise", ", ".join(mark.kind for mark in message.marks)),
    ]
    below = tuple(
        (str(part["call_id"]), f"{part['type']} {part.get('name') or ''}".strip())
        for part in message.parts
        if "call_id" in part
    )
    thoughts = "\n\n".join(str(part.get("text")) for part in message.parts if part.get("type") == "thinking")
    content = message.content or thoughts
    return Card(thing, f"message {message.seq} of its session", _said(facts), below, content)


def _session(lookup: Lookup, thing: Thing) -> Card:
    from memctl.store import messages, sessions

    facts = {} if sessions.is_shared(thing.path) else messages.facts(thing.path)
    names = ("title", "format", "source", "agent", "model", "cwd", "branch", "timestamp", "parent")
    counted = sum(1 for _ in sessions.conversation(lookup.store, thing.id))
    listed = lookup.session_entries(thing.id)
    rows = [(name, str(facts[name])) for name in names if facts.get(name)]
    rows += [("messages", str(counted)), ("calls", str(len(listed)))]
    # Canvases of the original name no session; the entries name them.
    drawn = {placed[0] for found in listed if (placed := node_of(found.entry.node_id))}
    below = tuple(
        (path.stem, f"{_stated(canvas)} {canvas.progress}%  {canvas.goal}")
        for path, canvas in canvas_files.canvases(lookup.store)
        if canvas.session == thing.id or (not canvas.session and canvas.number in drawn)
    )
    return Card(thing, f"session {thing.id}", tuple(rows), below)


def _task(lookup: Lookup, thing: Thing) -> Card:
    from memctl.tasks import listing

    task = listing.at(thing.path)
    if task is None:
        text = files.read_bytes(thing.path).decode("utf-8", "replace")
        return Card(thing, thing.id, (("status", "cannot be read as a task"),), content=text)
    if task.deleted:
        return Card(thing, f"{task.id}  deleted {task.deleted}", ())
    history = [f"{change.state} {change.at or ''} {change.by}".strip() for change in task.history]
    facts = [
        ("state", task.state),
        ("about", task.description),
        ("part of", task.parent or ""),
        ("after", task.previous or ""),
        ("info", ", ".join(task.info_nodes)),
        ("history", "; ".join(history)),
    ]
    below = []
    for name in task.canvases:
        path = lookup.store.folder("mmds") / name
        canvas = lookup.canvas_at(path) if path in lookup.store.canvases() and not path.is_symlink() else None
        if canvas is not None:
            below.append((path.stem, f"{_stated(canvas)} {canvas.progress}%  {canvas.goal}"))
    return Card(thing, task.id, _said(facts), tuple(below))


def _remembered(lookup: Lookup, thing: Thing) -> Card:
    """Describe an atom, a scene or the persona; the layers are loaded only for them."""
    from memctl.ask import memories

    told = (
        memories.atom_card(lookup.store, thing)
        if thing.kind == "atom"
        else memories.page_card(lookup.store, thing)
    )
    return Card(thing, told.title, _said(told.facts), told.below, told.content)


def line_of(entry: Entry) -> str:
    """Write an entry in one line."""
    return f"{entry.status}  {entry.summary or entry.tool_call}"


def _stated(canvas: Canvas) -> str:
    from memctl.canvas.archiving import stated

    return stated(canvas)


def _said(facts: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, text) for label, text in facts if text)
