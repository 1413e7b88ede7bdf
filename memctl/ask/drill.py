"""Drill: from an id to what stands below it, and with it the next id to type; or up again."""

from collections.abc import Mapping
from dataclasses import dataclass

from memctl import files
from memctl.ask import find
from memctl.ask.find import Thing
from memctl.canvas.archiving import stated
from memctl.canvas.mmd import write_ranges
from memctl.errors import AmbiguousError, NotFoundError
from memctl.model import Entry, Json, node_id
from memctl.store import Store, entries, messages, sessions
from memctl.store.entries import Found


@dataclass(frozen=True, slots=True)
class Card:
    """What an id names: facts in order, then what is below it (or above, for `up`).

    facts: (label, text). below: rows of (id to drill, what it is). content: text to show in full.
    """

    thing: Thing
    title: str
    facts: tuple[tuple[str, str], ...]
    below: tuple[tuple[str, str], ...] = ()
    content: str = ""


def the_one(store: Store, given: str) -> Thing:
    """Find the one thing that *given* names.

    Raises NotFoundError for none, AmbiguousError with the list for several.
    """
    things = find.find(store, given)
    if not things:
        if why := find.why_cleared(store, given):
            raise NotFoundError(why)
        raise NotFoundError(
            f"nothing here is called {given!r}; `memctl grep {given[:40]}` looks for it in the entries"
        )
    if len(things) > 1:
        ways = "\n".join(f"  memctl drill {quoted(forced(thing))}" for thing in things[:20])
        more = f"\n  ... and {len(things) - 20} more" if len(things) > 20 else ""
        raise AmbiguousError(f"{given!r} names {len(things)} things; take one:\n{ways}{more}")
    return things[0]


def forced(thing: Thing) -> str:
    """Give an id that names this thing alone."""
    if thing.kind == "canvas":
        return f"canvas:{thing.path.stem}"
    if thing.kind == "node":
        return f"node:{thing.path.stem}/{thing.id}"
    if thing.kind == "call" and thing.entry is not None:
        return find.qualified(thing.entry)
    if thing.kind == "message" and thing.message is not None:
        return f"message:{thing.message.fields.get('sessionId')}/{thing.message.id}"
    return thing.id if thing.id.startswith(f"{thing.kind}:") else f"{thing.kind}:{thing.id}"


def card(store: Store, thing: Thing) -> Card:
    """Describe a thing and what is below it."""
    match thing.kind:
        case "node":
            return _node(store, thing)
        case "canvas":
            return _canvas(thing)
        case "call":
            return _call(thing)
        case "ref":
            return _ref(store, thing)
        case "message":
            return _message(thing)
        case "session":
            return _session(store, thing)
        case "task":
            return _task(store, thing)
        case "atom" | "scene" | "persona":
            return _remembered(store, thing)


def above(store: Store, thing: Thing) -> tuple[tuple[str, str], ...]:
    """Give what a thing belongs to: rows of (id to drill, what it is)."""
    if thing.kind == "ref" and thing.entry:
        return ((find.addresses(store, [thing.entry])[0], f"call of {thing.entry.tool}"),)
    if thing.kind == "call" and thing.entry:
        entry = thing.entry
        node = ((entry.node_id, f"node of {entry.mmd or 'a canvas'}"),) if entry.node_id else ()
        return (*node, *(((entry.session_id, "session"),) if entry.session_id else ()))
    if thing.kind == "node" and thing.canvas:
        return ((thing.path.stem, f"canvas: {thing.canvas.goal}"),)
    if thing.kind == "canvas" and thing.canvas:
        from memctl.tasks import listing

        listed = listing.load(store).tasks
        tasks = [
            (f"task:{task.id}", f"task: {task.state}") for task in listed if thing.path.name in task.canvases
        ]
        owner = ((thing.canvas.session, "session"),) if thing.canvas.session else ()
        return (*tasks, *owner)
    if thing.kind in ("atom", "scene", "persona"):
        from memctl.ask import memories

        return memories.above(store, thing)
    if thing.kind == "message" and thing.message:
        from memctl.ask import memories

        session = str(thing.message.fields.get("sessionId"))
        return (*memories.made_of(store, session, thing.message.id), (session, "session"))
    if thing.kind == "session":
        parent = messages.facts(thing.path).get("parent")
        return ((str(parent), "session that started it"),) if parent else ()
    return ()


def raw(store: Store, thing: Thing) -> bytes:
    """Give the exact bytes of the one result that a thing leads to.

    Raises AmbiguousError with the list when it leads to several, NotFoundError when to none.
    """
    if thing.kind == "ref":
        if thing.path.suffix != ".md":
            return files.read_bytes(files.inside(store.root, store.relative(thing.path)))
        from memctl.store import refs

        return refs.body(store.root, store.relative(thing.path))
    if thing.kind == "message" and thing.message:
        return thing.message.content.encode("utf-8", "surrogatepass")
    held = [
        found.entry for found in _entries(store, thing) if found.entry.result_sha256 or found.entry.result_ref
    ]
    if not held:
        raise NotFoundError(f"{thing.id} leads to no result; the transcript has none for it")
    if len(held) > 1:
        ways = "\n".join(f"  memctl drill --raw {quoted(name)}" for name in find.addresses(store, held[:20]))
        more = f"\n  ... and {len(held) - 20} more" if len(held) > 20 else ""
        raise AmbiguousError(f"{thing.id} leads to {len(held)} results; take one:\n{ways}{more}")
    return result_bytes(store, held[0])


def result_bytes(store: Store, entry: Entry) -> bytes:
    """Give the exact bytes of an entry's result."""
    if entry.result is not None or not entry.result_ref:
        return (entry.result or "").encode("utf-8", "surrogatepass")
    from memctl.store import refs

    return refs.body(store.root, entry.result_ref)


def data(store: Store, one: Card) -> Mapping[str, Json]:
    """Give a card as JSON values."""
    thing = one.thing
    found: dict[str, Json] = {"id": thing.id, "kind": thing.kind, "title": one.title}
    found |= {"path": store.relative(thing.path), "line": thing.line or None}
    found["facts"] = dict(one.facts)
    found["below"] = [{"id": below, "what": what} for below, what in one.below]
    if one.content:
        found["content"] = one.content
    if thing.entry is not None:
        found["entry"] = entries.to_fields(thing.entry)
    if thing.message is not None:
        found["message"] = dict(thing.message.fields)
    if thing.atom is not None:
        from memctl.store import atoms

        found["atom"] = atoms.to_fields(thing.atom)
    return found


# --------------------------------------------------------------------------- cards


def _entries(store: Store, thing: Thing) -> list[Found]:
    if thing.entry is not None:
        return [Found(thing.path, thing.line, thing.entry)]
    if thing.kind == "node" and thing.canvas and thing.node:
        return find.entries_of(store, thing.canvas, thing.node)
    if thing.kind == "canvas" and thing.canvas:
        number = thing.canvas.number
        listed = find.session_entries(store, thing.canvas.session)
        return [found for found in listed if find.node_number(found.entry, number) is not None]
    if thing.kind == "session":
        return find.session_entries(store, thing.id)
    return []


def _node(store: Store, thing: Thing) -> Card:
    node, canvas = thing.node, thing.canvas
    assert node is not None, "a node thing has its node"  # noqa: S101 - states an invariant
    assert canvas is not None, "a node thing has its canvas"  # noqa: S101 - states an invariant
    drawn = node_id(canvas.number, node.number)
    listed = find.entries_of(store, canvas, node)
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
    names = find.addresses(store, [found.entry for found in listed])
    below = tuple((name, line_of(found.entry)) for name, found in zip(names, listed, strict=True))
    return Card(thing, title, _said(facts), below)


def _canvas(thing: Thing) -> Card:
    canvas = thing.canvas
    if canvas is None:
        return Card(thing, thing.path.name, (("status", "cannot be read; `memctl validate` says why"),))
    facts = [
        ("goal", canvas.goal),
        ("status", f"{stated(canvas)}, {canvas.progress}% of its nodes done"),
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


def _ref(store: Store, thing: Thing) -> Card:
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
    return Card(thing, thing.id, _said(facts), content=refs.text(store.root, store.relative(thing.path)))


def _message(thing: Thing) -> Card:
    message = thing.message
    assert message is not None, "a message thing has its message"  # noqa: S101 - states an invariant
    fields = message.fields
    facts = [
        ("role", message.role),
        ("session", str(fields.get("sessionId"))),
        ("time", str(fields.get("timestamp") or "")),
        ("noise", ", ".join(str(mark[0]) for mark in message.marks)),
    ]
    below = tuple(
        (str(part["call_id"]), f"{part['type']} {part.get('name') or ''}".strip())
        for part in message.parts
        if "call_id" in part
    )
    thoughts = "\n\n".join(str(part.get("text")) for part in message.parts if part.get("type") == "thinking")
    content = message.content or thoughts
    return Card(thing, f"message {message.seq} of its session", _said(facts), below, content)


def _session(store: Store, thing: Thing) -> Card:
    facts = {} if sessions.is_shared(thing.path) else messages.facts(thing.path)
    names = ("title", "format", "source", "agent", "model", "cwd", "branch", "timestamp", "parent")
    counted = sum(1 for _ in sessions.conversation(store, thing.id))
    listed = find.session_entries(store, thing.id)
    rows = [(name, str(facts[name])) for name in names if facts.get(name)]
    rows += [("messages", str(counted)), ("calls", str(len(listed)))]
    # Canvases of the original name no session; the entries name them.
    drawn = {
        int(head) for found in listed if (head := (found.entry.node_id or "").partition("-N")[0]).isdecimal()
    }
    below = tuple(
        (path.stem, f"{stated(canvas)} {canvas.progress}%  {canvas.goal}")
        for path, canvas in find.canvases(store)
        if canvas.session == thing.id or (not canvas.session and canvas.number in drawn)
    )
    return Card(thing, f"session {thing.id}", tuple(rows), below)


def _task(store: Store, thing: Thing) -> Card:
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
        path = store.root / "mmds" / name
        canvas = find.canvas_at(path) if path in store.canvases() and not path.is_symlink() else None
        if canvas is not None:
            below.append((path.stem, f"{stated(canvas)} {canvas.progress}%  {canvas.goal}"))
    return Card(thing, task.id, _said(facts), tuple(below))


def _remembered(store: Store, thing: Thing) -> Card:
    """Describe an atom, a scene or the persona; the layers are loaded only for them."""
    from memctl.ask import memories

    told = memories.atom_card(store, thing) if thing.kind == "atom" else memories.page_card(store, thing)
    return Card(thing, told.title, _said(told.facts), told.below, told.content)


def line_of(entry: Entry) -> str:
    """Write an entry in one line."""
    return f"{entry.status}  {entry.summary or entry.tool_call}"


def quoted(name: str) -> str:
    """Write an id as a shell takes it."""
    import shlex

    return shlex.quote(name)


def _said(facts: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, text) for label, text in facts if text)
