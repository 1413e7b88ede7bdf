"""Write L2 and L3 from atoms and canvases; what people wrote stays, versions are kept (DESIGN 2.6, 5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memctl import files
from memctl.canvas.archiving import standing
from memctl.canvas.mmd import parse_canvas
from memctl.layers import blocks, forgetting, groups
from memctl.layers.persona import persona
from memctl.layers.scenes import scenes
from memctl.model import Atom, Canvas
from memctl.passes import versions
from memctl.store import Store, messages, number_of


@dataclass
class Written:
    """What a run wrote: names of files new or changed, and of those taken away."""

    scenes: int = 0
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


def write(
    store: Store, batch: files.Batch, atoms: dict[str, Atom], *, l2: bool = True, l3: bool = True
) -> Written:
    """Write scenes and persona, unless nothing changes; the caller commits *batch*.

    The result is a function of the atoms, the canvases and what people wrote into these files.
    """
    active = [atom for atom in sorted(atoms.values(), key=lambda one: one.id) if atom.status == "active"]
    forgotten = forgetting.load(store, atoms.values())
    drawn = groups.drawn(_canvases(store), forgotten)
    projects = _projects(store)
    grouped = groups.grouped(active, drawn, projects)
    newest = groups.newest_of(grouped)
    report = Written()
    own = _own(store)
    found = scenes(grouped, own)
    report.scenes = len(found)
    if l2:
        for scene in found:
            path = store.scene(scene.name)
            _put(store, batch, path, blocks.written(_text(path), scene.meta, scene.body), newest, report)
        _clean(store, batch, {scene.name for scene in found}, newest, report)
        for name in own:
            versions.remember(store, batch, store.scene(name), newest)
    if l3:
        body = persona(active, grouped, found)
        existing = _text(store.persona)
        if body or (existing is not None and blocks.parse(existing).body is not None):
            _put(store, batch, store.persona, blocks.written(existing, None, body), newest, report)
    return report


def _put(
    store: Store, batch: files.Batch, path: Path, text: str, newest: str | None, report: Written
) -> None:
    data = text.encode("utf-8", "surrogateescape")
    before = files.read_bytes(path) if path.is_file() else None
    if before == data:
        return
    if before is not None:
        versions.keep(store, batch, path, before, newest)
    batch.write(path, [data])
    report.changed.append(store.relative(path))


def _clean(store: Store, batch: files.Batch, wanted: set[str], newest: str | None, report: Written) -> None:
    """Take memctl's own part out of the scenes that are no more; a file with a person's text stays."""
    for path in list(store.scenes()):
        name = path.relative_to(store.root / "scene_blocks").as_posix()
        text = _text(path) or ""
        if name in wanted or blocks.parse(text).body is None:
            continue
        versions.keep(store, batch, path, files.read_bytes(path), newest)
        rest = blocks.without_block(text)
        if rest.strip():
            batch.write(path, [rest.encode("utf-8", "surrogateescape")])
        else:
            path.unlink()
        report.removed.append(store.relative(path))


def _own(store: Store) -> list[str]:
    """Name the files under scene_blocks/ that are people's own."""
    folder = store.root / "scene_blocks"
    return [
        path.relative_to(folder).as_posix()
        for path in store.scenes()
        if blocks.parse(_text(path) or "").body is None
    ]


def _text(path: Path) -> str | None:
    return files.read_bytes(path).decode("utf-8", "surrogateescape") if path.is_file() else None


def _canvases(store: Store) -> Iterator[tuple[str, Canvas]]:
    for path in store.canvases():
        text = files.read_bytes(path).decode("utf-8", "replace")
        canvas = parse_canvas(text, number_of(path))[0]
        if canvas is not None:
            yield path.stem, standing(canvas)


def _projects(store: Store) -> dict[str, str]:
    found = {}
    for path in store.conversations():
        facts = messages.facts(path)
        project = groups.project_of(facts)
        if project:
            found[str(facts.get("sessionId"))] = project
    return found
