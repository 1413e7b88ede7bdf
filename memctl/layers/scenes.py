"""L2: what is known about one project or topic, as Markdown a person would write (DESIGN 2.6)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memctl.layers.groups import GENERAL, Drawn, Group, heat, instant, newest_of
from memctl.layers.likeness import is_cjk
from memctl.model import Atom
from memctl.text.names import label, short_hash
from memctl.text.numbers import plural
from memctl.text.widths import one_line, printable

_LINES = 40  # a section's; what is more is named by number
_CANVASES = 12
_SUMMARY = 160

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("decisions", ("decision", "correction")),
    ("how", ("instruction", "method")),
    ("who", ("identity", "preference")),
    ("facts", ("fact", "artifact")),
    ("events", ("event",)),
    ("views", ("opinion",)),
    ("dead", ("dead_end",)),
    ("open", ("commitment",)),
)
"""The sections of a scene and the tags of the atoms in them."""

_BY_TYPE = {
    "persona": "preference",
    "episodic": "event",
    "instruction": "instruction",
    "work_fact": "fact",
    "work_task": "commitment",
    "work_method": "method",
    "work_artifact": "artifact",
}
_HEADINGS = {
    "english": {
        "state": "Where it stands",
        "decisions": "Decisions and why",
        "how": "How we work here",
        "who": "Who and what they prefer",
        "facts": "Facts",
        "events": "What happened",
        "views": "Views",
        "dead": "Dead ends",
        "open": "Open ends",
        "more": "and {count} more",
        "what": "What is known about {title}: {atoms} in memory, {tasks}.",
    },
    "chinese": {
        "state": "当前状态",
        "decisions": "决定与理由",
        "how": "工作方式",
        "who": "人物与偏好",
        "facts": "事实",
        "events": "发生过的事",
        "views": "看法",
        "dead": "走不通的路",
        "open": "待办",
        "more": "另有 {count} 条",
        "what": "关于{title}：{atoms}，{tasks}。",
    },
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A generated scene: its file's name, title, META fields and Markdown."""

    name: str
    title: str
    meta: Mapping[str, str]
    body: str
    heat: int


def headings() -> frozenset[str]:
    """Give the headings of the sections that a scene may have, as lines."""
    return frozenset(
        f"## {words}" for told in _HEADINGS.values() for words in told.values() if "{" not in words
    )


def tag_of(atom: Atom) -> str:
    """Give what an atom's sentence was: its first tag that a section knows, else what its type says."""
    known = {tag for _, tags in SECTIONS for tag in tags}
    return next((tag for tag in atom.tags if tag in known), _BY_TYPE.get(atom.type, "fact"))


def scenes(groups: list[Group], taken: Iterable[str]) -> list[Scene]:
    """Write the scenes of *groups*. *taken*: names of people's own files, never written over."""
    newest = newest_of(groups)
    names = set(taken)
    found = []
    for group in groups:
        slug = label(group.title)
        name = f"{slug}.md"
        if name in names:
            name = f"{slug}~{short_hash(8, group.title)}.md"
        names.add(name)
        found.append(_scene(group, name, newest))
    return found


def _scene(group: Group, name: str, newest: str | None) -> Scene:
    told = _HEADINGS["chinese" if is_cjk("".join(atom.content for atom in group.atoms)) else "english"]
    times = group.times
    warm = heat(group, newest)
    lines = [f"# {plain(group.title)}", "", _what(group, told), ""]
    lines += _state(group, told)
    for section, tags in SECTIONS:
        atoms = ordered(atom for atom in group.atoms if tag_of(atom) in tags)
        if not atoms:
            continue
        lines += [f"## {told[section]}", ""]
        lines += [statement(atom) for atom in atoms[:_LINES]]
        if len(atoms) > _LINES:
            lines.append(f"- {told['more'].format(count=len(atoms) - _LINES)}")
        lines.append("")
    meta = {
        "created": times[0] if times else "",
        "updated": times[-1] if times else "",
        "summary": _summary(group),
        "heat": str(warm),
    }
    return Scene(name, group.title, meta, "\n".join(lines).rstrip() + "\n", warm)


def _what(group: Group, told: Mapping[str, str]) -> str:
    said, done = len(group.atoms), len(group.canvases)
    atoms, tasks = f"{said} {plural(said, 'statement')}", f"{done} {plural(done, 'task')}"
    title = f"`{plain(group.title)}`" if group.project else plain(group.title)
    if told is _HEADINGS["chinese"]:
        atoms, tasks = f"{len(group.atoms)} 条记忆", f"{len(group.canvases)} 个任务"
    elif group.title == GENERAL:
        title = "everything that belongs to no project"
    return told["what"].format(title=title, atoms=atoms, tasks=tasks)


def _state(group: Group, told: Mapping[str, str]) -> list[str]:
    """List the newest tasks: what was wanted, how far it is."""
    if not group.canvases:
        return []
    newest = sorted(
        group.canvases, key=lambda one: (instant(one.canvas.updated or ""), one.name), reverse=True
    )
    lines = [f"## {told['state']}", ""]
    lines += [_task(one) for one in newest[:_CANVASES]]
    if len(newest) > _CANVASES:
        lines.append(f"- {told['more'].format(count=len(newest) - _CANVASES)}")
    return [*lines, ""]


def _task(one: Drawn) -> str:
    day = f", {one.canvas.updated[:10]}" if one.canvas.updated else ""
    return (
        f"- {plain(one.goal)} ({one.canvas.status}, {one.canvas.progress}%{day}) <!-- canvas:{one.name} -->"
    )


def _summary(group: Group) -> str:
    """Say in a line what a scene holds: its weightiest statement, else its newest goal."""
    best = ordered(group.atoms)
    if best:
        return one_line(printable(best[0].content), _SUMMARY)
    newest = max(group.canvases, key=lambda one: (instant(one.canvas.updated or ""), one.name), default=None)
    return one_line(printable(newest.goal), _SUMMARY) if newest else ""


def ordered(atoms: Iterable[Atom]) -> list[Atom]:
    """Order statements: absolute rules first, then by priority, evidence, newness and id."""

    def weight(atom: Atom) -> tuple[int, int, float, str]:
        priority = 101 if atom.priority < 0 else atom.priority
        return (
            -priority,
            -len(atom.sources),
            -instant(atom.updated or "").timestamp() if atom.updated else 0.0,
            atom.id,
        )

    return sorted(atoms, key=weight)


def statement(atom: Atom) -> str:
    """Write an atom as a line that ends in its evidence; a date where it is not in the words themselves."""
    start, end = atom.metadata.get("activity_start_time"), atom.metadata.get("activity_end_time")
    day = ""
    if isinstance(start, str) and start not in atom.content:
        day = f" ({end if atom.type == 'work_task' and isinstance(end, str) else start})"
    elif atom.type == "episodic" and atom.created and atom.created[:10] not in atom.content and not start:
        day = f" ({atom.created[:10]})"
    return f"- {plain(atom.content)}{day} <!-- {atom.id} -->"


def plain(text: str) -> str:
    """Write a text on one line of Markdown: tags and comments shown, not obeyed."""
    line = " ".join(printable(text).split())
    return line.replace("&lt;", "&amp;lt;").replace("<", "&lt;").replace("-->", "--&gt;")


def evidence_of(line: str) -> Iterator[str]:
    """Give the ids in the evidence comments of a line: atoms `m_...`, canvases `canvas:...`, scenes."""
    rest = line
    while (start := rest.find("<!-- ")) >= 0:
        end = rest.find(" -->", start)
        if end < 0:
            return
        yield from (word for word in rest[start + 5 : end].split() if word.startswith(("m_", "canvas:")))
        rest = rest[end + 4 :]
