"""L2 of the layers: a model writes what is known about one project or topic (DESIGN 2.6)."""

from collections.abc import Mapping

from memctl import files
from memctl.engine import answers, pages
from memctl.engine.kinds import TEXT, Applied, Kind, schema
from memctl.engine.prompting import Prompt
from memctl.errors import NotFoundError
from memctl.layers import blocks
from memctl.layers.groups import Drawn, Group
from memctl.layers.kept import kept, signed
from memctl.layers.scenes import ordered, plain, tag_of
from memctl.model import Atom, Json
from memctl.passes import layers
from memctl.store import Store, atoms

ROOM = 6_000  # characters of a scene, evidence not counted

_TASK = f"""\
You keep the page on one project or topic in the memory of an AI agent's user: what this is, where it stands,
decisions and why, how we work here, facts, dead ends, open ends. Someone who reads it tomorrow must be able to
go on. {pages.RULES} At most {ROOM:,} characters.

Form: {{"markdown":"## Decisions and why\\n\\n- <statement> <!-- FIRST -->"}}"""

SCHEMA = schema("scene", {"markdown": TEXT})


def prompts(store: Store, name: str) -> list[Prompt]:
    """Ask about one scene: its memories and tasks."""
    group = _group(layers.by_rules(store, atoms.latest(store)), name)
    return [pages.prompt(store, "scene", name, _TASK, _records(group), SCHEMA)]


def apply(store: Store, name: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Write a scene as a model words it; what it leaves out, the rules add."""
    found = layers.by_rules(store, atoms.latest(store))
    group = _group(found, name)
    shown = {str(one["id"]): told(one) for one in _records(group)}
    known = {one: mark for one, mark in found.marks.items() if one in shown}
    markdown = answers.text(answers.field(answer, "markdown", "content", "scene"))
    lines = pages.statements(markdown, known, shown, ROOM)
    scene = next(one for one in found.scenes if one.name == name)
    body = "\n".join([f"# {plain(group.title)}", "", *lines]).rstrip() + "\n"
    body = kept(signed(body, f"llm:{model}"), scene.body, found.marks)
    path = store.scene(name)
    existing = files.read_bytes(path).decode("utf-8", "surrogateescape") if path.is_file() else None
    batch = files.Batch(store.home)
    layers.put(
        store,
        batch,
        path,
        blocks.written(existing, scene.meta, body, layers.known_lines(store, existing)),
        found.newest,
        layers.Written(),
    )
    batch.commit()
    count = sum(one.startswith("- ") for one in lines)
    return Applied(f"scene_blocks/{name}: {count} statements", {"scenes": 1})


def names(store: Store) -> list[str]:
    """List the scenes that memctl writes."""
    return [scene.name for scene in layers.by_rules(store, atoms.latest(store)).scenes]


def _group(found: layers.Pages, name: str) -> Group:
    group = found.groups.get(name)
    if group is None:
        raise NotFoundError(f"no scene {name!r}; existing scenes: {', '.join(found.groups) or 'none yet'}")
    return group


def _records(group: Group) -> list[dict[str, Json]]:
    return [*map(of_atom, ordered(group.atoms)), *map(of_canvas, group.canvases)]


def of_atom(atom: Atom) -> dict[str, Json]:
    """Describe a memory for a prompt."""
    return {"id": atom.id, "is": tag_of(atom), "content": atom.content, "said": (atom.updated or "")[:10]}


def of_canvas(one: Drawn) -> dict[str, Json]:
    """Describe a task for a prompt."""
    canvas = one.canvas
    state = f"{canvas.status}, {canvas.progress}%"
    return {
        "id": f"canvas:{one.name}",
        "is": "task",
        "content": one.goal,
        "state": state,
        "said": canvas.updated,
    }


def told(record: Mapping[str, Json]) -> str:
    """Give all that a record says, for checking what rests on it."""
    return "\n".join(str(value) for value in record.values())


KIND = Kind(
    "Write what is known of one project or topic.", "scene", ("markdown", "content"), SCHEMA, prompts, apply
)
