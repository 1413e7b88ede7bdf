"""`check --fix`: resolve what a merge stopped in, and rebuild derived files.

Conversations, atoms and what people wrote are the truth; nothing of them is thrown away. It does not matter
which of two clones merged the other: both come to the same bytes.
"""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from memctl import config, files, git
from memctl.canvas import rules
from memctl.canvas.header import read_header
from memctl.check import of_scope, roots
from memctl.check.sides import settled
from memctl.errors import MemctlError
from memctl.layers import blocks
from memctl.passes import canvases, versions, wiping
from memctl.passes.derive import derive
from memctl.passes.extract import refresh
from memctl.passes.heal import heal
from memctl.passes.settling import settle, silence
from memctl.store import Folder, Store, entries, messages, open_store
from memctl.tasks import listing, taskfile

# Findings in a session's files that deriving it again puts right.
_OF_A_SESSION = (
    *("CHK104", "CHK201", "CHK202", "CHK205", "CHK401", "CHK402", "CHK403", "CHK404", "CHK405", "CHK406"),
    *("CHK408", "CHK409", "CHK411", "CHK501", "CHK502", "CHK504", "CHK701", "CHK702", "CHK703"),
)
_WRITTEN: tuple[Folder, ...] = ("conversations", "mmds", "tasks", "records")


@dataclass(slots=True)
class Fixed:
    """What was done, and what is left to do in git.

    settled: files that a merge had stopped in. healed: sessions drawn again. moved: (former numbers, path) of
    canvases that gave way. staged: files put into the index of a merge under way. left: files that are not
    committed now and that this has written, or may have.
    """

    settled: list[str] = field(default_factory=list)
    healed: list[str] = field(default_factory=list)
    moved: list[tuple[str, Path]] = field(default_factory=list)
    staged: int = 0
    left: int = 0


def fix(store: Store) -> Fixed:
    """Settle a stopped merge and write what is derived anew; the caller holds the lock.

    *store* may be one of bad settings: the merge may have stopped in them. Raises DamagedError when they
    cannot be read or are a newer memctl's, StoreError when the directory cannot be written or git fails.
    """
    done = Fixed()
    tracked = git.top(store.home) is not None
    dirty = git.own_changes(store.home) if tracked else []
    drawn = _former_numbers(store)
    merging = sorted(_unmerged(store), key=lambda sides: sides.path != config.FILE_NAME)
    for at, sides in enumerate(merging):
        if at or sides.path != config.FILE_NAME:
            store = open_store(store.home)  # a newer memctl's directory is nothing to write into
        _settle(store, sides)
        done.settled.append(sides.path)
    store = open_store(store.home)
    for root in roots(store):
        _derive_again(replace(store, root=root), done)
    done.moved = _moved(store, drawn)
    if tracked:
        names = git.own_changes(store.home)
        if merging or git.is_merging(store.home):
            names = sorted({*names, *done.settled})
            git.stage(store.home, names)
            done.staged = len(names)
        elif names != dirty or done.moved or done.healed:
            done.left = len(names)
    return done


def _former_numbers(store: Store) -> dict[Path, list[str] | None]:
    """Give the former numbers of each canvas; None for one that git left in conflict."""
    found: dict[Path, list[str] | None] = {}
    for root in roots(store):
        for path in replace(store, root=root).canvases():
            data = b"" if path.is_symlink() else files.read_bytes(path)
            was = read_header(data.decode("utf-8", "replace"))[0].extra.get("was", [])
            numbers = [str(number) for number in was] if isinstance(was, list) else [str(was)]
            found[path] = None if b"\n>>>>>>> " in data else numbers
    return found


def _moved(store: Store, before: dict[Path, list[str] | None]) -> list[tuple[str, Path]]:
    """List the canvases that have a former number which they had not before."""
    found = []
    for path, was in _former_numbers(store).items():
        known = before.get(path, [])
        if was and known is not None:
            found += [(number, path) for number in was if number not in known][-1:]
    return found


def _unmerged(store: Store) -> list[git.Sides]:
    """List what a merge left of the directory's own files; nothing where there is no git."""
    if git.top(store.home) is None:
        return []
    return [sides for sides in git.unmerged(store.home) if git.is_own(sides.path)]


# --------------------------------------------------------------------------- a stopped merge


def _settle(store: Store, sides: git.Sides) -> None:
    """Write one file from its two sides."""
    scope, relative = _scope_of(sides.path)
    # A link that came in with a merge is never followed: its text is no side.
    base, one, other = (
        git.blob(store.home, sides.stages[stage]) if sides.modes.get(stage, "").startswith("100") else None
        for stage in (1, 2, 3)
    )
    path = files.inside(store.home, sides.path) if not store.at_home(sides.path).is_symlink() else None
    if path is None:
        path = store.at_home(sides.path)
        files.remove(path)
    if one is None and other is None:
        files.remove(path)
        return
    found = settled(store.home, relative, base, one, other)
    for name, data in found.beside.items():
        files.write_atomic(store.home, files.inside(store.home, scope + name), [data])
    _keep(replace(store, root=store.at_home(scope)), relative, found.kept)
    files.write_atomic(store.home, path, [found.data])


def _scope_of(path: str) -> tuple[str, str]:
    """Split a path into its scope's folder ("" or "scopes/a/b/c/") and the path there."""
    parts = path.split("/")
    if parts[0] == "scopes" and len(parts) > 4:
        return "/".join(parts[:4]) + "/", "/".join(parts[4:])
    return "", path


def inside_scope(path: str) -> str:
    """Give a path of a repository as the scope of memory that it is in names it."""
    parts = path.split("/")
    for at in range(len(parts)):
        rest = "/".join(parts[at:])
        if git.is_own(rest):
            return _scope_of(rest)[1]
    return path


def _keep(store: Store, relative: str, kept: tuple[bytes, ...]) -> None:
    """Keep the sides that a person had a hand in as earlier versions."""
    batch = store.batch()
    path = store.at(relative)
    for data in kept:
        if relative.startswith("mmds/"):
            canvases.keep_version(store, batch, path.name, data)
        elif relative == "persona.md" or relative.startswith("scene_blocks/"):
            versions.keep(store, batch, path, data, None)
        else:
            digest = hashlib.sha256(data).hexdigest()[:8]
            batch.write(store.versions(path) / f"{digest}{path.suffix}", [data])
        batch.commit()


# --------------------------------------------------------------------------- derived files


def _derive_again(store: Store, done: Fixed) -> None:
    """Put the derived files of one scope right."""
    if any(store.folder(name).is_symlink() for name in _WRITTEN):
        return  # nothing is written through a link; `check` names it
    wiping.apply(store, thorough=True)
    written = _has_layers(store)
    _repair_theirs(store)
    settle(store)
    wiping.apply(store, thorough=True)
    numbers = canvases.Numbers(store)
    done.healed += [name for name in heal(store, numbers) if name not in done.healed]
    batch = store.batch()
    for session in _with_findings(store):
        if derive(store, batch, session, None, numbers).changed and session not in done.healed:
            done.healed.append(session)
        batch.commit()
    _drop_lost_canvases(store, batch)
    if written:
        refresh(store, batch)
    silence(store)


def _repair_theirs(store: Store) -> None:
    """Have Mermaid take the canvases of the original, whose header it rejects; the version before is kept."""
    batch = store.batch()
    for path in store.canvases():
        before = b"" if path.is_symlink() else files.read_bytes(path)
        text = before.decode("utf-8", "surrogateescape")
        if text.lstrip().startswith("%%{") and not read_header(text)[0].session:
            canvases.keep_version(store, batch, path.name, before)
            batch.write_if_changed(path, [rules.fix(text).encode("utf-8", "surrogateescape")])
    batch.commit()


def _with_findings(store: Store) -> list[str]:
    """List the sessions whose entries, canvases or tasks are not as they should be."""
    named = {Path(one.path) for one in of_scope(store) if one.code in _OF_A_SESSION}
    if not named:
        return []
    tasks = any(path.parent.name == "tasks" for path in named)
    found = []
    for path in store.conversations():
        if path.is_symlink():
            continue
        session = messages.session_of(path)
        offload = store.offload(session)
        drawn = (
            {store.folder("mmds") / name for name in entries.canvas_names(offload)}
            if offload.is_file()
            else set()
        )
        if tasks or named & {path, offload, *drawn}:
            found.append(session)
    return found


def _drop_lost_canvases(store: Store, batch: files.Batch) -> None:
    """Take canvases that are nowhere out of the tasks that rules write; a person's task is theirs."""
    there = {path.name for path in store.canvases()}
    for path in store.tasks():
        task = listing.at(path)
        if task is not None and task.derived and not there.issuperset(task.canvases):
            kept = tuple(name for name in task.canvases if name in there)
            batch.write(path, [taskfile.write(replace(task, canvases=kept))])
    batch.commit()


def _has_layers(store: Store) -> bool:
    """Tell whether memctl wrote scenes or a persona here."""
    for path in (store.persona, *store.scenes()):
        try:
            text = files.read_bytes(path) if path.is_file() else b""
        except MemctlError:
            continue
        if b"<!-- memctl:" in text and blocks.END.encode() in text:
            return True
    return False
