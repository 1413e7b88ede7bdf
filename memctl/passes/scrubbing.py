"""Scrubbing: scenes, persona and their versions without what memctl wrote in them (DESIGN 8, `clear`).

All of it is written anew from what is left; a person's own text stays.
"""

from collections.abc import Iterator
from pathlib import Path

from memctl import files
from memctl.layers import blocks
from memctl.layers.scenes import evidence_of
from memctl.store import Store


def changes(store: Store, gone: set[str]) -> dict[Path, bool]:
    """Say which files hold something of what has *gone*, and whether anything is left of them then; reads only.

    The earlier versions are all among them: what a page said of a session it may have said without evidence.
    """
    found = {}
    for path in _pages(store):
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
        clean = _scrubbed(text, gone)
        earlier = "versions" in path.relative_to(store.root).parts[:1]
        if clean != text and (earlier or any(name in text for name in gone)):
            found[path] = bool(clean)
    return found


def scrub(store: Store, batch: files.Batch, gone: set[str]) -> list[str]:
    """Take memctl's part out of scenes, persona and earlier versions; give the names of files that change.

    *gone*: ids as evidence names them (`m_...`, `canvas:...`); lines that end in one go from a person's part,
    too: they were memctl's once. A file of which nothing is left is removed at once, so the caller commits
    *batch* before anything else goes.
    """
    touched = []
    for path in _pages(store):
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
        clean = _scrubbed(text, gone)
        if clean == text:
            continue
        touched.append(store.relative(path))
        if clean:
            batch.write(path, [clean.encode("utf-8", "surrogateescape")])
        else:
            files.remove(path)
            files.drop_empty(path.parent, store.root)
    return touched


def _pages(store: Store) -> Iterator[Path]:
    folder = store.folder("versions")
    versions = [*folder.glob("scene_blocks/**/*.md"), *folder.glob("persona.md/*.md")]
    for path in (*store.scenes(), store.persona, *sorted(versions)):
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
