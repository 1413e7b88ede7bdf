"""Scrubbing: scenes, persona and their versions without what memctl wrote in them (DESIGN 8, `clear`).

All of it is written anew from what is left; a person's own text stays.
"""

from collections.abc import Iterator
from pathlib import Path

from memctl import files
from memctl.layers import blocks
from memctl.layers.scenes import evidence_of
from memctl.passes import versions
from memctl.store import Store, atoms


def changes(store: Store, gone: set[str]) -> dict[Path, bool]:
    """Say which files hold something of what has *gone*, and whether anything is left of them then; reads only."""
    found = {}
    for path, text, clean in _cleaned(store, gone):
        if any(name in text for name in gone) or _is_version(store, path):
            found[path] = bool(clean)
    return found


def scrub(store: Store, batch: files.Batch, gone: set[str]) -> list[str]:
    """Take memctl's part out of scenes, persona and the versions that tell of what has *gone*; give their names.

    *gone*: ids as evidence names them (`m_...`, `canvas:...`); lines that end in one go from a person's part,
    too: they were memctl's once. A file of which nothing is left is removed at once, so the caller commits
    *batch* before anything else goes.
    """
    touched = []
    for path, _, clean in _cleaned(store, gone):
        touched.append(store.relative(path))
        if clean:
            batch.write(path, [clean.encode("utf-8", "surrogateescape")])
        else:
            files.remove(path)
            files.drop_empty(path.parent, store.root)
    return touched


def _cleaned(store: Store, gone: set[str]) -> Iterator[tuple[Path, str, str]]:
    """Give the files that change, each with its text and what is left of it.

    An earlier version changes when it names what has gone, or rests on nothing that is known any more, so that
    it cannot be told of whom it speaks; a persona's also loses what it quotes of such a scene.
    """
    pages = [(path, files.read_bytes(path).decode("utf-8", "surrogateescape")) for path in _pages(store)]
    known = _known(store) if any(_is_version(store, path) for path, _ in pages) else set()
    tells = {path for path, text in pages if _tells_of(text, gone, known)}
    scenes = {_page_of(store, path).removeprefix("scene_blocks/") for path in tells}
    for path, text in pages:
        if path in tells or not _is_version(store, path):
            clean = _scrubbed(text, gone)
        else:
            clean = versions.without_quotes(text, scenes)
        if clean != text:
            yield path, text, clean


def _tells_of(text: str, gone: set[str], known: set[str]) -> bool:
    """Tell whether memctl's part of a page names what has gone, or nothing that is known."""
    named = {name for line in text.split("\n") for name in evidence_of(line)}
    body = blocks.parse(text).body
    return bool(named & gone) or (body is not None and bool(body.strip()) and not named & known)


def _known(store: Store) -> set[str]:
    """Give what evidence can name: the atoms and canvases that there are, or whose ids stayed."""
    drawn = {f"canvas:{path.stem}" for path in store.canvases()}
    return {*atoms.versions(store), *drawn}


def _is_version(store: Store, path: Path) -> bool:
    return store.relative(path).startswith("versions/")


def _page_of(store: Store, path: Path) -> str:
    """Name the page that a file is, or is an earlier version of."""
    name = store.relative(path)
    return name.removeprefix("versions/").rpartition("/")[0] if _is_version(store, path) else name


def _pages(store: Store) -> Iterator[Path]:
    folder = store.folder("versions")
    earlier = [*folder.glob("scene_blocks/**/*.md"), *folder.glob("persona.md/*.md")]
    for path in (*store.scenes(), store.persona, *sorted(earlier)):
        if path.is_file() and not path.is_symlink():
            yield path


def _scrubbed(text: str, gone: set[str]) -> str:
    """Give what a person wrote in a file, with an empty block where memctl's stood; "" when there is none."""
    part = blocks.parse(text)
    if part.body is None:
        return _without(text, gone)
    outside = blocks.without_block(blocks.resealed(text, ""))
    before = _without(outside[: len(outside) - len(part.after)], gone)
    moved = _without(part.body, gone) if part.is_edited else ""
    after = _without(part.after, gone)
    if not (before + moved + after).strip():
        return ""
    return before + blocks.written(None, None, "") + moved + after


def _without(text: str, gone: set[str]) -> str:
    """Leave out the lines that end in evidence that has gone."""
    return "\n".join(line for line in text.split("\n") if not gone.intersection(evidence_of(line)))
