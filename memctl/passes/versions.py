"""Earlier versions of L2 and L3 files: kept before each change, listed, and restored (DESIGN 2.6)."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from memctl import files
from memctl.errors import AmbiguousError, NotFoundError
from memctl.layers import blocks
from memctl.layers.scenes import evidence_of
from memctl.store import Store
from memctl.text.names import file_time

_SCENE = "](scene_blocks/"
MOST = 20  # machine versions of a file; those by people are all kept


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier version of a file. *by*: `human` when a person changed it, else `memctl`.

    number: 1 is the version before the file as it is now. kept: when it was put aside, by the clock of the disk.
    """

    name: str
    path: Path
    size: int
    by: str
    number: int
    kept: float


def keep(store: Store, batch: files.Batch, path: Path, data: bytes, newest: str | None) -> None:
    """Keep what a file holds before it is changed; machine versions over the limit go, the oldest first.

    *newest*: the time of the newest evidence, for files without a time of their own; no clock is read.
    """
    folder = store.versions(path)
    name = _name(data, newest)
    if any(one.stem.rpartition("-")[2] == name.rpartition("-")[2] for one in _files(folder)):
        return
    batch.write(folder / f"{name}.md", [data])
    machine = [one for one in listed(store, path) if one.by == "memctl"]
    for one in machine[: max(0, len(machine) + 1 - MOST)]:
        files.remove(one.path)


def remember(store: Store, batch: files.Batch, path: Path, newest: str | None) -> None:
    """Keep a person's own file as it is now, unless this version is kept already."""
    keep(store, batch, path, files.read_bytes(path), newest)


def listed(store: Store, path: Path) -> list[Version]:
    """List the versions of a file, oldest first: by the time in the name, then by when they were put aside."""
    found: list[Version] = []
    before = ""
    kept = {one: one.stat() for one in _files(store.versions(path))}
    for one in sorted(kept, key=lambda one: (one.stem.rpartition("-")[0], kept[one].st_mtime_ns, one.name)):
        text = files.read_bytes(one).decode("utf-8", "surrogateescape")
        part = blocks.parse(text)
        outside = part.outside
        by = "human" if part.body is None or part.is_edited or outside.strip() != before.strip() else "memctl"
        before = outside
        number = len(kept) - len(found)
        found.append(Version(one.stem, one, kept[one].st_size, by, number, kept[one].st_mtime))
    return found


def restore(store: Store, batch: files.Batch, path: Path, given: str, newest: str | None) -> Version:
    """Put a version back, byte for byte; what stands there now becomes a version itself.

    *given*: a version's number, its name, or a part of it that names no other. Raises NotFoundError for none,
    AmbiguousError with the list for several.
    """
    known = listed(store, path)
    name = store.relative(path)
    named = [one for one in known if given in (one.name, str(one.number))]
    named = named or [one for one in known if given in one.name]
    if not named:
        raise NotFoundError(f"no version {given!r} of {name}; see `memctl history {name}`")
    if len(named) > 1:
        raise AmbiguousError(
            f"{given!r} matches {len(named)} versions; choose one:\n"
            + "\n".join(f"  {one.number}  {one.name}" for one in reversed(named))
        )
    data = files.read_bytes(named[0].path)
    if path.is_file():
        before = files.read_bytes(path)
        if before != data:
            keep(store, batch, path, before, newest)
    batch.write(path, [data])
    return named[0]


def scrub(store: Store, batch: files.Batch, ids: set[str]) -> int:
    """Take the statements of forgotten atoms out of the versions; give how many files changed."""
    count = 0
    folder = store.folder("versions")
    for path in sorted(one for one in folder.rglob("*.md") if one.is_file() and not one.is_symlink()):
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
        clean = without_quotes(scrubbed(text, ids), None)
        if clean != text:
            batch.write(path, [clean.encode("utf-8", "surrogateescape")])
            count += 1
    return count


def scrubbed(text: str, ids: set[str]) -> str:
    """Give a file without the lines that rest on some atoms, and without a summary that may quote them.

    Lines outside memctl's block that still carry an atom's comment stood inside it once; they go, too.
    """
    part = blocks.parse(text)
    if part.body is None or not any(one in text for one in ids):
        return text

    def without(lines: str) -> str:
        return "\n".join(line for line in lines.split("\n") if ids.isdisjoint(evidence_of(line)))

    meta = blocks.fields(text)
    clean = blocks.resealed(text, without(part.body), without)
    if part.meta and "summary" in meta and any(one in part.body for one in ids):
        shown = {name: "" if name == "summary" else value for name, value in meta.items() if name != "check"}
        clean = blocks.meta_text(shown) + clean[len(part.meta) :]
    return clean


def resting_outside(text: str, name: str) -> int:
    """Count the lines outside memctl's block that carry an atom's comment."""
    part = blocks.parse(text)
    around = part.outside if part.body is not None else ""
    return sum(name in evidence_of(line) for line in around.split("\n")) if name in around else 0


def without_quotes(text: str, scenes: set[str] | None) -> str:
    """Give a persona whose list of scenes does not quote some of them (None: any); their names stay."""
    part = blocks.parse(text)
    if part.body is None or _SCENE not in part.body:
        return text
    lines = []
    for line in part.body.split("\n"):
        name = line.partition(_SCENE)[2].partition(")")[0]
        head, found, _ = (
            line.partition("): ") if name and (scenes is None or name in scenes) else (line, "", "")
        )
        lines.append(f"{head})" if found else line)
    return blocks.resealed(text, "\n".join(lines))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.md") if path.is_file() and not path.is_symlink()]


def _name(data: bytes, newest: str | None) -> str:
    text = data.decode("utf-8", "surrogateescape")
    time = blocks.fields(text).get("updated") or newest
    digest = hashlib.sha256(data).hexdigest()[:8]
    try:
        return f"{file_time(time)}-{digest}" if time else f"undated-{digest}"
    except ValueError:
        return f"undated-{digest}"
