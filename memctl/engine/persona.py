"""L3: a model writes who the user is and how they want to be served, on one page (DESIGN 2.6)."""

from collections.abc import Mapping

from memctl import files
from memctl.engine import answers, pages
from memctl.engine.kinds import TEXT, Applied, Kind, schema
from memctl.engine.prompting import Prompt
from memctl.engine.scene import of_atom, of_canvas, told
from memctl.layers import blocks
from memctl.layers.groups import instant
from memctl.layers.kept import kept, signed, with_navigation
from memctl.layers.persona import MOST
from memctl.layers.scenes import ordered
from memctl.model import Json
from memctl.passes import layers
from memctl.store import Store, atoms

_FOCUS = 12  # newest tasks that a persona may speak of

_TASK = f"""\
You write one page about the user of an AI agent, which every later session begins with: who they are, how they
want to be served, what they prefer, their projects, what they work on now, what to avoid. {pages.RULES}
At most {MOST:,} characters without the comments: what matters in every session, and nothing else.

Form: {{"markdown":"## Who\\n\\n- <statement> <!-- FIRST -->"}}"""

SCHEMA = schema("persona", {"markdown": TEXT})


def prompts(store: Store, _subject: str = "") -> list[Prompt]:
    """Ask for the persona, when anything is known of the user."""
    records = _records(layers.by_rules(store, atoms.latest(store)), store)
    if not any(str(one["id"]).startswith("m_") for one in records):
        return []
    return [pages.prompt(store, "persona", "", _TASK, records, SCHEMA)]


def apply(store: Store, _subject: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Write the persona as a model words it; what there is room for and it leaves out, the rules add."""
    found = layers.by_rules(store, atoms.latest(store))
    shown = {str(one["id"]): told(one) for one in _records(found, store)}
    known = {one: mark for one, mark in found.marks.items() if one in shown}
    markdown = answers.text(answers.field(answer, "markdown", "content", "persona"))
    title = found.persona.partition("\n")[0]
    lines = pages.statements(markdown, known, shown, MOST - len(title) - 2)
    body = with_navigation("\n".join([title, "", *lines]), found.persona)
    body = kept(signed(body, f"llm:{model}"), found.persona, found.marks, MOST)
    existing = (
        files.read_bytes(store.persona).decode("utf-8", "surrogateescape")
        if store.persona.is_file()
        else None
    )
    batch = files.Batch(store.home)
    text = blocks.written(existing, None, body, layers.known_lines(store, existing))
    layers.put(store, batch, store.persona, text, found.newest, layers.Written())
    batch.commit()
    count = sum(one.startswith("- ") for one in lines)
    return Applied(f"persona.md: {count} statements", {"persona": 1})


def _records(found: layers.Pages, store: Store) -> list[dict[str, Json]]:
    listed = ordered(atom for atom in atoms.latest(store).values() if atom.status == "active")
    drawn = [one for group in found.groups.values() for one in group.canvases]
    drawn.sort(key=lambda one: (instant(one.canvas.updated or ""), one.name), reverse=True)
    return [*map(of_atom, listed), *map(of_canvas, drawn[:_FOCUS])]


KIND = Kind("Write who the user is, on one page.", "", ("markdown", "content"), SCHEMA, prompts, apply)
