"""L3: who the user is and how they want to be served, on one page (DESIGN 2.6)."""

import re
from collections.abc import Iterable

from memctl.layers.groups import GENERAL, Group, instant
from memctl.layers.likeness import is_cjk
from memctl.layers.scenes import Scene, ordered, plain, statement, tag_of
from memctl.model import Atom
from memctl.text.numbers import plural
from memctl.text.widths import one_line

MOST = 2000  # characters without evidence comments, before the navigation (DESIGN 2.6)
_PROJECTS = 8
_LINES = 12
_FOCUS = 5
_NEGATIVE = re.compile(
    r"\A(?:please )?(?:never|don't|do not|avoid|stop|no|let's not|under no)\b"
    r"|\A(?:nie|niemals|jamais|nunca|никогда)\b"
    r"|不要|别(?!的|人)|绝不|禁止|切勿|ないで|やめて|하지 ?마|마세요|말 ?것"
)

_HEADINGS = {
    "english": (
        "Persona",
        "Who",
        "How to serve them",
        "What they prefer",
        "Projects",
        "Recent focus",
        "What to avoid",
        "Scenes",
    ),
    "chinese": ("用户画像", "身份", "如何服务", "偏好", "项目", "近期重点", "避免", "场景"),
}


def headings() -> frozenset[str]:
    """Give the headings that the page may have, as lines."""
    return frozenset(
        f"{'##' if at else '#'} {words}" for told in _HEADINGS.values() for at, words in enumerate(told)
    )


def persona(atoms: Iterable[Atom], groups: list[Group], scenes: list[Scene]) -> str:
    """Write the page from the active atoms, and the navigation to the scenes; "" when nothing is known."""
    listed = ordered(atoms)
    if not listed and not groups:
        return ""
    told = _HEADINGS["chinese" if is_cjk("".join(atom.content for atom in listed)) else "english"]
    title, who, serve, prefer, projects, focus, avoid, navigation = told
    rules = [atom for atom in listed if tag_of(atom) == "instruction"]
    negative = [atom for atom in rules if _is_negative(atom)]
    parts = (
        (who, [statement(atom) for atom in listed if tag_of(atom) == "identity"]),
        (serve, [statement(atom) for atom in rules if atom not in negative]),
        (prefer, [statement(atom) for atom in listed if tag_of(atom) == "preference"]),
        (
            avoid,
            [statement(atom) for atom in (*negative, *(one for one in listed if tag_of(one) == "dead_end"))],
        ),
        (projects, [_project(group) for group in groups if group.project][:_PROJECTS]),
        (focus, _focus(listed, groups)),
    )
    lines = [f"# {title}", ""]
    room = MOST - len(lines[0]) - 2
    for heading, statements in parts:
        fitting: list[str] = []
        for line in statements[:_LINES]:
            size = len(line.partition(" <!-- ")[0]) + 1
            if room - size - (0 if fitting else len(heading) + 5) < 0:
                break
            room -= size + (0 if fitting else len(heading) + 5)
            fitting.append(line)
        if fitting:
            lines += [f"## {heading}", "", *fitting, ""]
    if scenes:
        lines += [f"## {navigation}", "", *map(_link, scenes), ""]
    return "\n".join(lines).rstrip() + "\n"


def _is_negative(atom: Atom) -> bool:
    return _NEGATIVE.search(atom.content.lower().replace("’", "'")) is not None


def _project(group: Group) -> str:
    times = group.times
    evidence = " ".join(
        [atom.id for atom in ordered(group.atoms)[:1]] or [f"canvas:{one.name}" for one in group.canvases[:1]]
    )
    count = len(group.canvases)
    told = [f"{count} {plural(count, 'task')}"] if count else []
    told += [f"last {times[-1][:10]}"] if times else []
    return f"- {plain(group.title)}{': ' if told else ''}{', '.join(told)} <!-- {evidence} -->"


def _focus(listed: list[Atom], groups: list[Group]) -> list[str]:
    """Give what was worked on last: the newest tasks and promises."""
    newest = [one for group in groups for one in group.canvases if one.canvas.updated]
    newest.sort(key=lambda one: (instant(one.canvas.updated or ""), one.name), reverse=True)
    found = [f"- {plain(one_line(one.goal, 100))} <!-- canvas:{one.name} -->" for one in newest[:_FOCUS]]
    promised = [atom for atom in listed if tag_of(atom) == "commitment"]
    promised.sort(key=lambda atom: (instant(atom.updated or ""), atom.id), reverse=True)
    return [*map(statement, promised[:_FOCUS]), *found]


def _link(scene: Scene) -> str:
    about = (
        plain(scene.meta["summary"]) if scene.title != GENERAL else plain(one_line(scene.meta["summary"], 80))
    )
    return f"- [{plain(scene.title)}](scene_blocks/{scene.name}) (heat {scene.heat}): {about}"
