"""Write L2 and L3 from atoms and canvases; what people wrote stays, versions are kept (DESIGN 2.6, 5)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memctl import files
from memctl.canvas.archiving import standing
from memctl.canvas.mmd import parse_canvas
from memctl.layers import blocks, forgetting, groups, persona as persona_page, scenes as scene_pages
from memctl.layers.kept import kept, marks
from memctl.layers.persona import MOST, persona
from memctl.layers.scenes import Scene, scenes, statement
from memctl.model import Atom, Canvas
from memctl.passes import versions
from memctl.store import Store, atoms as stored, cleared, messages, number_of
from memctl.store.cleared import Cleared


@dataclass
class Written:
    """What a run wrote: names of files new or changed, and of those taken away.

    moved: lines that a person had changed inside memctl's block, by the file below whose block they stand now.
    """

    scenes: int = 0
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pages:
    """L2 and L3 as the rules have them: groups by file name, scenes, the persona's page.

    marks: of all that a page can rest on (`kept.marks`). newest: time of the newest evidence. own: names of
    people's own files.
    """

    groups: dict[str, groups.Group]
    scenes: tuple[Scene, ...]
    persona: str
    marks: dict[str, str]
    newest: str | None
    own: tuple[str, ...]


def write(
    store: Store, batch: files.Batch, atoms: dict[str, Atom], *, l2: bool = True, l3: bool = True
) -> Written:
    """Write scenes and persona, unless nothing changes; the caller commits *batch*.

    The result is a function of the atoms, the canvases and what people and models wrote into these files.
    """
    pages = by_rules(store, atoms)
    found, newest, own = pages.scenes, pages.newest, pages.own
    report = Written()
    report.scenes = len(found)
    if l2:
        for scene in found:
            path = store.scene(scene.name)
            body = kept(_block(path), scene.body, pages.marks)
            _write_page(store, batch, path, scene.meta, body, newest, report)
        _clean(store, batch, {scene.name for scene in found}, newest, report)
        for name in own:
            versions.remember(
                store, batch, store.folder("scene_blocks") / name, newest
            )  # any name a person gives
    if l3:
        body = kept(_block(store.persona), pages.persona, pages.marks, MOST)
        if body or blocks.parse(_text(store.persona) or "").body is not None:
            _write_page(store, batch, store.persona, None, body, newest, report)
    return report


def _write_page(
    store: Store,
    batch: files.Batch,
    path: Path,
    meta: Mapping[str, str] | None,
    body: str,
    newest: str | None,
    report: Written,
) -> None:
    """Write a page; lines that a person changed inside the block move below it, and are counted."""
    existing = _text(path)
    known = known_lines(store, existing)
    if blocks.parse(existing or "").is_edited:
        lines = blocks.changed(existing, body, known).split("\n")
        report.moved[store.relative(path)] = sum(bool(line.strip()) for line in lines)
    put(store, batch, path, blocks.written(existing, meta, body, known), newest, report)


def known_lines(store: Store, existing: str | None) -> frozenset[str]:
    """Give the statements that memctl may have written into a page whose block a person edited."""
    if not blocks.parse(existing or "").is_edited:
        return frozenset()
    told = persona_page.headings() | scene_pages.headings()
    return told | {statement(found.atom) for listed in stored.versions(store).values() for found in listed}


def by_rules(store: Store, atoms: dict[str, Atom]) -> Pages:
    """Give the pages as the rules write them."""
    active = [atom for atom in sorted(atoms.values(), key=lambda one: one.id) if atom.status == "active"]
    drawn = groups.drawn(_canvases(store), forgetting.load(store, atoms.values()))
    projects, gone = _projects(store), cleared.load(store)

    def left(layer: str) -> tuple[list[Atom], list[groups.Group]]:
        known = [atom for atom in active if not _is_gone(atom, gone, layer)]
        tasks = [one for one in drawn if not gone.has(one.canvas.session, layer)]
        return known, groups.grouped(known, tasks, projects)

    grouped = left("l2")[1]
    known, told = left("l3") if gone else (active, grouped)
    own = tuple(_own(store))
    found = tuple(scenes(grouped, own))
    return Pages(
        dict(zip((scene.name for scene in found), grouped, strict=True)),
        found,
        persona(known, told, list(found)),
        marks(active, drawn),
        groups.newest_of(grouped),
        own,
    )


def _is_gone(atom: Atom, gone: Cleared, layer: str) -> bool:
    """Tell whether all of an atom's evidence was cleared in a layer."""
    return bool(gone and atom.sources) and all(
        gone.has(stored.of_session(atom, name)[0], layer) for name in atom.sources
    )


def put(store: Store, batch: files.Batch, path: Path, text: str, newest: str | None, report: Written) -> None:
    """Write a page unless it is so already; what was there is kept as a version."""
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
        name = path.relative_to(store.folder("scene_blocks")).as_posix()
        text = _text(path) or ""
        if name in wanted or blocks.parse(text).body is None:
            continue
        versions.keep(store, batch, path, files.read_bytes(path), newest)
        rest = blocks.without_block(text, known_lines(store, text))
        if rest.strip():
            batch.write(path, [rest.encode("utf-8", "surrogateescape")])
        else:
            files.remove(path)
        report.removed.append(store.relative(path))


def _own(store: Store) -> list[str]:
    """Name the files under scene_blocks/ that are people's own."""
    folder = store.folder("scene_blocks")
    return [
        path.relative_to(folder).as_posix()
        for path in store.scenes()
        if blocks.parse(_text(path) or "").body is None
    ]


def _block(path: Path) -> str | None:
    """Give memctl's block of a file, unless a person edited it."""
    found = blocks.parse(_text(path) or "")
    return None if found.is_edited else found.body


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
