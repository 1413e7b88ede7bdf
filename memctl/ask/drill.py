"""Drill: from an id to what is below it, with the next id to type, or back up."""

from collections.abc import Mapping

from memctl import files
from memctl.ask import find
from memctl.ask.cards import Card, entries_below
from memctl.ask.find import Thing
from memctl.ask.lookup import Lookup
from memctl.errors import AmbiguousError, NotFoundError
from memctl.model import Entry, Json
from memctl.store import Store, entries
from memctl.text.names import quoted


def the_one(lookup: Lookup, given: str) -> Thing:
    """Find the one thing that *given* names.

    Raises NotFoundError for none, AmbiguousError with the list for several.
    """
    things = find.find(lookup, given)
    if not things:
        from memctl.ask import places  # most ids are found without

        place = places.id_at(lookup, given)
        things = find.find(lookup, place) if place else []
    if len(things) > 1 and given.isdigit():  # messages may be numbered, too
        things = [thing for thing in things if thing.kind == "canvas"] or things
    if not things:
        if why := find.why_cleared(lookup.store, given):
            raise NotFoundError(why)
        raise NotFoundError(
            f"no id or name {given!r} here; `memctl grep -F {quoted(given[:200])}` searches the entries for it"
        )
    if len(things) > 1:
        ways = "\n".join(f"  memctl drill {quoted(forced(thing))}" for thing in things[:20])
        more = f"\n  ... and {len(things) - 20} more" if len(things) > 20 else ""
        raise AmbiguousError(f"{given!r} matches {len(things)} things; choose one:\n{ways}{more}")
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


def above(lookup: Lookup, thing: Thing) -> tuple[tuple[str, str], ...]:
    """Give what a thing belongs to: rows of (id to drill, what it is)."""
    if thing.kind == "ref" and thing.entry:
        return ((find.addresses(lookup, [thing.entry])[0], f"call of {thing.entry.tool}"),)
    if thing.kind == "call" and thing.entry:
        entry = thing.entry
        node = ((entry.node_id, f"node of {entry.mmd or 'a canvas'}"),) if entry.node_id else ()
        return (*node, *(((entry.session_id, "session"),) if entry.session_id else ()))
    if thing.kind == "node" and thing.canvas:
        return ((thing.path.stem, f"canvas: {thing.canvas.goal}"),)
    if thing.kind == "canvas" and thing.canvas:
        from memctl.tasks import listing

        listed = listing.load(lookup.store).tasks
        tasks = [
            (f"task:{task.id}", f"task: {task.state}") for task in listed if thing.path.name in task.canvases
        ]
        owner = ((thing.canvas.session, "session"),) if thing.canvas.session else ()
        return (*tasks, *owner)
    if thing.kind in ("atom", "scene", "persona"):
        from memctl.ask import memories

        return memories.above(lookup.store, thing)
    if thing.kind == "message" and thing.message:
        from memctl.ask import memories

        session = str(thing.message.fields.get("sessionId"))
        return (*memories.made_of(lookup.store, session, thing.message.id), (session, "session"))
    if thing.kind == "session":
        from memctl.store import messages

        parent = messages.facts(thing.path).get("parent")
        return ((str(parent), "session that started it"),) if parent else ()
    return ()


def raw(lookup: Lookup, thing: Thing) -> bytes:
    """Give the exact bytes of the one result that a thing leads to.

    Raises AmbiguousError with the list when it leads to several, NotFoundError when to none.
    """
    if thing.kind == "ref":
        root, relative = lookup.store.root, lookup.store.relative(thing.path)
        if thing.path.suffix != ".md":
            return files.read_bytes(files.inside(root, relative))
        from memctl.store import refs

        return refs.body(root, relative)
    if thing.kind == "message" and thing.message:
        return thing.message.content.encode("utf-8", "surrogatepass")
    held = [
        found.entry
        for found in entries_below(lookup, thing)
        if found.entry.result_sha256 or found.entry.result_ref
    ]
    if not held:
        raise NotFoundError(f"{thing.id} leads to no result: the transcript has none")
    if len(held) > 1:
        ways = "\n".join(f"  memctl drill --raw {quoted(name)}" for name in find.addresses(lookup, held[:20]))
        more = f"\n  ... and {len(held) - 20} more" if len(held) > 20 else ""
        raise AmbiguousError(f"{thing.id} leads to {len(held)} results; choose one:\n{ways}{more}")
    return result_bytes(lookup.store, held[0])


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
