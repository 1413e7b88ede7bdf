"""Group atoms and canvases by project and topic: each group becomes a scene (DESIGN 5, L2)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from memctl.layers.forgetting import Forgotten
from memctl.layers.likeness import overlap, words
from memctl.model import Atom, Canvas
from memctl.text.names import normal_time
from memctl.text.widths import one_line, printable

MOST = 15  # generated scenes (DESIGN 2.6)
_TOPIC = 3  # atoms that make a conversation's topic a scene of its own
_HALF_LIFE = 30.0  # days after which evidence weighs half
GENERAL = "General"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A canvas as scenes tell of it: its file's name, the canvas, and a goal that holds nothing forgotten."""

    name: str
    canvas: Canvas
    goal: str


@dataclass(frozen=True, slots=True)
class Group:
    """What belongs together. *project*: whether it is one, or a topic of conversations."""

    title: str
    project: bool
    atoms: tuple[Atom, ...]
    canvases: tuple[Drawn, ...]

    @property
    def times(self) -> list[str]:
        """The times of all evidence, oldest first."""
        found = [time for atom in self.atoms for time in atom.times]
        found += [time for one in self.canvases for time in (one.canvas.created, one.canvas.updated) if time]
        return sorted(found, key=instant)


def project_of(facts: Mapping[str, object]) -> str:
    """Name the project of a session: the folder where it ran; work trees belong to their repository."""
    parts = [part for part in str(facts.get("cwd") or "").replace("\\", "/").split("/") if part]
    for at, part in enumerate(parts):
        if part in (".worktrees", "worktrees", ".git", ".claude") and at:
            return _named(parts[at - 1])
    if (
        len(parts) < 2
        or (len(parts) == 2 and parts[0] in ("Users", "home"))
        or parts[0] in ("tmp", "private")
    ):
        return ""
    return _named(parts[-1])


def _named(part: str) -> str:
    return one_line(printable(part), 60)


def grouped(atoms: Iterable[Atom], canvases: Iterable[Drawn], projects: Mapping[str, str]) -> list[Group]:
    """Group what is active; at most 15 groups, the warmest first. *projects*: of each session.

    Projects come from where sessions ran; what has none is grouped by the topic of its conversation, and the
    rest is general. Over 15, the coldest is merged into its nearest.
    """
    by_project: defaultdict[str, list[Atom]] = defaultdict(list)
    loose: list[Atom] = []
    for atom in atoms:
        project = str(atom.metadata.get("project") or "")
        if project:
            by_project[project].append(atom)
        else:
            loose.append(atom)
    drawn: defaultdict[str, list[Drawn]] = defaultdict(list)
    for one in canvases:
        drawn[projects.get(one.canvas.session, "")].append(one)
    names = sorted({*by_project, *(name for name in drawn if name)})
    groups = [Group(name, True, tuple(by_project[name]), tuple(drawn[name])) for name in names]
    groups += _topics(loose, drawn[""])
    return _at_most(groups)


def _topics(loose: list[Atom], drawn: list[Drawn]) -> list[Group]:
    scenes = Counter(atom.scene for atom in loose if atom.scene)
    told = sorted(name for name, count in scenes.items() if count >= _TOPIC)
    found = [Group(name, False, tuple(atom for atom in loose if atom.scene == name), ()) for name in told]
    rest = tuple(atom for atom in loose if atom.scene not in told)
    if rest or drawn:
        found.append(Group(GENERAL, False, rest, tuple(drawn)))
    return found


def _at_most(groups: list[Group]) -> list[Group]:
    newest = newest_of(groups)
    while len(groups) > MOST:
        groups = sorted(groups, key=lambda one: (-heat(one, newest), one.title))
        coldest = groups.pop()
        near = max(groups, key=lambda one: (overlap(_words(one), _words(coldest)), one.title))
        at = groups.index(near)
        groups[at] = Group(
            near.title, near.project, (*near.atoms, *coldest.atoms), (*near.canvases, *coldest.canvases)
        )
    return sorted(groups, key=lambda one: (-heat(one, newest), -_last(one), one.title))


def _last(group: Group) -> float:
    times = group.times
    return instant(times[-1]).timestamp() if times else 0.0


def _words(group: Group) -> set[str]:
    found = set(words(group.title))
    for atom in group.atoms:
        found.update(words(atom.content))
    for one in group.canvases[:20]:
        found.update(words(one.goal))
    return found


def newest_of(groups: Iterable[Group]) -> str | None:
    """Give the time of the newest evidence of all."""
    return max((time for group in groups for time in group.times), key=instant, default=None)


def heat(group: Group, newest: str | None) -> int:
    """Say how alive a group is from its evidence: how much, on how many days, how near to the newest."""
    count = sum(len(atom.sources) for atom in group.atoms) + 2 * len(group.canvases)
    times = group.times
    days = {time[:10] for time in times}
    if not times or newest is None:
        return max(1, count)
    age = (instant(newest) - instant(times[-1])).total_seconds() / 86400
    weight: float = 0.5 ** (age / _HALF_LIFE)
    return max(1, round((count + 2 * len(days)) * weight))


def instant(time: str) -> datetime:
    """Read a time for comparing; what is none comes first."""
    try:
        return datetime.fromisoformat(normal_time(time)[0])
    except ValueError:
        return datetime.fromisoformat("0001-01-01T00:00:00+00:00")


def drawn(canvases: Iterable[tuple[str, Canvas]], forgotten: Forgotten) -> list[Drawn]:
    """Prepare canvases for scenes; one whose goal quotes what was forgotten says so instead."""
    return [
        Drawn(
            name, canvas, "a task whose goal was forgotten" if forgotten.hides(canvas.goal) else canvas.goal
        )
        for name, canvas in canvases
    ]
