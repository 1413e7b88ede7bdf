"""The memory directory: where it is, what lies where in it, and how it is opened or made.

Only this room knows paths. A `Store` is opened at the root of one scope, so nothing can cross.
"""

import fnmatch
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from memctl import config, files, finding
from memctl.config import Config, Scope
from memctl.errors import DamagedError, NoDirectoryError
from memctl.text.names import safe_name, short_hash

SCOPES = "scopes"

GIT_IGNORE = """\
# memctl's own: lock, cursors, quarantine, trash
.memctl/
"""

# In this order, since the last match wins: bytes are kept as they are, JSONL files merge by union
# (the next pass writes them clean), refs are neither diffed nor merged.
GIT_ATTRIBUTES = """\
* -text
*.jsonl merge=union
**/refs/** -text -diff -merge
"""

# What makes a folder a memory directory.
_MADE = {config.FILE_NAME: config.TEMPLATE, ".gitignore": GIT_IGNORE, ".gitattributes": GIT_ATTRIBUTES}

_WAIT = 10.0  # seconds for another process that is just making it (DESIGN 3)

# Makes no folder a place of other things: a fresh repository, or another memctl that is just making it.
_OF_NO_ONE = frozenset((".git", files.PRIVATE, ".gitignore", ".gitattributes"))

Folder = Literal["conversations", "mmds", "records", "refs", "scene_blocks", "tasks", "versions"]
FOLDERS: tuple[Folder, ...] = get_args(Folder)

# What is listed without being read first, too: a link here would lead a listing astray.
_LISTED = (*FOLDERS, "versions/mmds", "versions/persona.md", "versions/scene_blocks")
_LISTED_PRIVATE = ("trash", "quarantine", "notes", "tmp")

# What the original's offload plugin and layers leave behind: a directory with any of these opens as it is.
_MARKS_OF_THE_ORIGINAL = (
    "mmds",
    "refs",
    "conversations",
    "records",
    "scene_blocks",
    "persona.md",
    "state.json",
)


SHARD = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.jsonl")  # the original's conversations of one day


@dataclass(frozen=True, slots=True)
class Store:
    """An opened memory directory: *home* holds memctl.yaml and .memctl, *root* one scope's files.

    keeps: False for a rehearsal (`rehearsal`), which writes everything aside and keeps nothing of it.
    """

    home: Path
    root: Path
    config: Config
    keeps: bool = True

    def __post_init__(self) -> None:
        """Have links refused from now on wherever files of this directory are read or written."""
        files.fence(self.home)

    def batch(self) -> files.Batch:
        """Begin a batch of files that are put in place together."""
        return files.Batch(self.home, keeps=self.keeps)

    @property
    def settings(self) -> Path:
        """The settings file."""
        return settings_of(self.home)

    @property
    def scopes(self) -> Path:
        """The folder that holds every scope but the default one."""
        return self.home / SCOPES

    @property
    def scope_path(self) -> str:
        """The way from home to root: "." for the default scope, and in a rehearsal, whose home stands aside."""
        return self.root.relative_to(self.home).as_posix() if self.keeps else "."

    def folder(self, name: Folder) -> Path:
        """Name a folder of this scope."""
        return self.root / name

    def at(self, relative: str) -> Path:
        """Name a file of this scope as its files name it (`relative`); what others wrote goes to `files.inside`."""
        return self.root / relative

    def at_home(self, relative: str) -> Path:
        """Name a file of any scope by its path from home, as git does."""
        return self.home / relative

    def conversation(self, session: str) -> Path:
        """Name the L0 file of a session."""
        return self.folder("conversations") / f"{safe_name(session)}.jsonl"

    def offload(self, session: str) -> Path:
        """Name the entries file of a session."""
        return self.root / f"offload-{safe_name(session)}.jsonl"

    def canvas(self, file_name: str) -> Path:
        """Name a canvas file, refusing a name that would leave mmds/."""
        return files.inside(self.root, f"mmds/{file_name}")

    def task(self, task_id: str) -> Path:
        """Name a task file."""
        return self.folder("tasks") / f"{safe_name(task_id)}.yaml"

    def records(self, day: str | None) -> Path:
        """Name the shard of atoms first said on a day (`2026-04-12`); without one, the undated shard."""
        return self.folder("records") / f"{safe_name(day) if day else 'undated'}.jsonl"

    def shards(self) -> list[Path]:
        """List the shards of atoms by name."""
        return _listed(self.folder("records"), "*.jsonl")

    def scene(self, name: str) -> Path:
        """Name a scene file, refusing a name that would leave scene_blocks/."""
        return files.inside(self.root, f"scene_blocks/{name}")

    def scenes(self) -> Iterator[Path]:
        """Give every Markdown file under scene_blocks/, people's own in subfolders too, in order of name."""
        for folder, folders, names in os.walk(self.folder("scene_blocks")):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if name.endswith(".md") and not path.is_symlink():
                    yield path

    @property
    def persona(self) -> Path:
        """The L3 file."""
        return self.root / "persona.md"

    @property
    def graph(self) -> Path:
        """The file of triples."""
        return self.root / "graph.jsonl"

    @property
    def cleared(self) -> Path:
        """The file of what was cleared on request."""
        return self.root / "cleared.jsonl"

    def versions(self, path: Path) -> Path:
        """Name the folder that holds the earlier versions of a file of this scope."""
        return self.folder("versions") / self.relative(path)

    def private(self, *names: str) -> Path:
        """Name a file of .memctl, the part that git ignores."""
        return self.home.joinpath(files.PRIVATE, *names)

    def private_of_scope(self, name: str) -> Path:
        """Name a file of .memctl that each scope has one of: `plan`, and `plan-<hash16 of the scope>` beside it."""
        stem, dot, ending = name.partition(".")
        where = "" if self.scope_path == "." else f"-{short_hash(16, self.scope_path)}"
        return self.private(f"{stem}{where}{dot}{ending}")

    def conversations(self) -> list[Path]:
        """List the L0 files by name."""
        return _listed(self.folder("conversations"), "*.jsonl")

    def offloads(self) -> list[Path]:
        """List the entries files by name."""
        return _listed(self.root, "offload-*.jsonl")

    def parts_sessions(self) -> bool:
        """Tell whether every session has a conversation of its own, looking at names only."""
        names = {path.name for path in self.conversations()}
        return not any(map(SHARD.fullmatch, names)) and all(
            f"{session_of_offload(path)}.jsonl" in names for path in self.offloads()
        )

    def canvases(self) -> list[Path]:
        """List the canvas files by number."""
        return sorted(_listed(self.folder("mmds"), "*.mmd"), key=lambda path: (number_of(path), path.name))

    def tasks(self) -> list[Path]:
        """List the task files by name."""
        return _listed(self.folder("tasks"), "*.yaml")

    def refs(self) -> Iterator[Path]:
        """Give every ref and picture, in order of name."""
        for folder, folders, names in os.walk(self.folder("refs")):
            folders.sort()
            for name in sorted(names):
                yield Path(folder, name)

    def relative(self, path: Path) -> str:
        """Write a path of this scope as its files name it: relative, with forward slashes."""
        text, root = str(path), str(self.root)
        if text.startswith(root + os.sep):  # thousands of them are written at a time
            return text[len(root) + 1 :].replace(os.sep, "/")
        return path.relative_to(self.root).as_posix()


def session_of_offload(path: Path) -> str:
    """Read out of the name of an entries file which session it is of, as file names spell it."""
    return path.name.removeprefix("offload-").removesuffix(".jsonl")


def number_of(path: Path) -> int:
    """Read the NNN of a canvas's file name; 0 when it has none."""
    head = path.name.partition("-")[0].partition(".")[0]
    return int(head) if head.isascii() and head.isdigit() and len(head) <= 9 else 0


def settings_of(home: Path) -> Path:
    """Name the settings file of what may be a memory directory."""
    return home / config.FILE_NAME


def folder_of(home: Path, name: Folder) -> Path:
    """Name a folder of what may be a memory directory, in its default scope."""
    return home / name


def find(given: str | None) -> Path:
    """Find the memory directory: *given* (-C), $MEMCTL_DIR, the nearest memctl.yaml upwards, ./memory."""
    return Path(finding.find(given))


def is_directory(home: Path) -> bool:
    """Tell whether *home* holds a memory directory, ours or the original's."""
    if settings_of(home).is_file():
        return True
    if not home.is_dir():
        return False
    return any((home / name).exists() for name in _MARKS_OF_THE_ORIGINAL) or bool(
        _listed(home, "offload-*.jsonl")
    )


Named = tuple[str | None, str | None, str | None]  # team, agent, user; None is as the settings say


def is_theirs(folder: Path) -> bool:
    """Tell a directory of the original: one that memctl did not make, with files of its plugin or layers."""
    if settings_of(folder).exists():
        return False
    shards = ("conversations/", "records/")
    return (
        bool(_listed(folder, "offload-*.jsonl"))
        or (folder / "sessions-registry.json").is_file()
        or ((folder / "state.json").is_file() and (folder / "mmds").is_dir())
        or (folder / "scene_blocks").is_dir()
        or any(_listed(folder / name, "[0-9]*-[0-9]*-[0-9]*.jsonl") for name in shards)
    )


def open_store(home: Path, named: Named = (None, None, None)) -> Store:
    """Open an existing memory directory for reading or writing, at the root of one scope.

    named: whose memory it is, where the settings are not to decide. Raises NoDirectoryError when there is
    none, DamagedError for a bad or newer settings file.
    """
    if not is_directory(home):
        if home.is_file():
            raise NoDirectoryError(f"{home} is a file, not a memory directory; name a folder with -C DIR")
        raise NoDirectoryError(
            f"no memory directory at {home}; "
            f"create one with `memctl -C {home} ingest PATH` or `memctl -C {home} init`"
        )
    settings = _scoped(config.load(settings_of(home)), named)
    store = Store(home, _scope_root(home, settings.scope), settings)
    for path in (*map(store.private, _LISTED_PRIVATE), *(store.root / name for name in _LISTED)):
        files.refuse_link(path)
    return store


def open_damaged(home: Path) -> Store:
    """Open a directory to look for what is wrong with it: bad settings and links are no error here.

    Raises NoDirectoryError when there is none.
    """
    try:
        return open_store(home)
    except DamagedError:
        return Store(home, home, Config())


def refuse_others(home: Path) -> None:
    """Raise NoDirectoryError when *home* is a file or holds other things than a memory directory."""
    if home.is_file():
        raise NoDirectoryError(f"{home} is a file; name a folder for the memory directory with -C DIR")
    # Listed first: another process may be making the directory between the two looks.
    others = home.is_dir() and any(path.name not in _OF_NO_ONE for path in home.iterdir())
    if others and not is_directory(home):
        raise NoDirectoryError(
            f"{home} is neither empty nor a memory directory; `memctl -C {home} init` makes it one"
        )


def missing(home: Path) -> list[str]:
    """List the settings and git files that *home* lacks."""
    return [name for name in _MADE if not (home / name).exists()]


def create(home: Path, *, among_others: bool = False) -> bool:
    """Write what makes a folder a memory directory, keeping what is there; say whether anything was new.

    among_others: the folder may hold other things. Raises NoDirectoryError for one that may not, LockedError.
    """
    if not among_others:
        refuse_others(home)
    if not missing(home):
        return False
    with files.locked(home, _WAIT):
        return bool(initialise(home))


def initialise(home: Path) -> list[str]:
    """Write the settings and git files that are missing in *home*, and list them; the caller holds the lock."""
    new = missing(home)
    for name in new:
        files.write_atomic(home, home / name, [_MADE[name].encode()])
    return new


def unmake(home: Path, new: list[str]) -> bool:
    """Take back a directory that `initialise` has just made and nothing came into; tell whether it did.

    new: what `initialise` listed. Nothing but what a fruitless pass leaves is removed: a directory that anybody
    has put anything into, or that has a line in quarantine, stays. The caller holds the lock.
    """
    if new != list(_MADE) or set(os.listdir(home)) != {*_MADE, files.PRIVATE}:
        return False
    cursors = []
    for path in (home / files.PRIVATE).iterdir():
        if path.name.startswith("cursors"):
            cursors.append(path)
        elif path.name not in (*files.OF_THE_LOCK, "tmp"):
            return False
    if any(files.read_bytes(home / name) != _MADE[name].encode() for name in new):
        return False
    for path in (*cursors, *(home / name for name in reversed(new))):
        files.remove(path)
    files.clear_temporary(home)
    files.forsake(home, held=True)
    return True


def rehearsal(home: Path, aside: Path, named: Named = (None, None, None)) -> Store:
    """Open a directory, which need not be there yet, for a run whose files all stay in the folder *aside*."""
    settings = _scoped(config.load(settings_of(home)), named)
    return Store(aside, _scope_root(home, settings.scope), settings, keeps=False)


def _scoped(settings: Config, named: Named) -> Config:
    known = settings.scope
    parts = (known.team, known.agent, known.user)
    wanted = Scope(*(given if given is not None else part for given, part in zip(named, parts, strict=True)))
    return settings if wanted == known else replace(settings, scope=wanted)


def _scope_root(home: Path, scope: Scope) -> Path:
    if scope == Scope():
        return home
    # safe_name never gives a leading "~", so an unnamed part meets no named one.
    names = (safe_name(part) if part else "~any" for part in (scope.team, scope.agent, scope.user))
    return home.joinpath(SCOPES, *names)


def _listed(folder: Path, pattern: str) -> list[Path]:
    try:
        with os.scandir(folder) as listing:
            names = [entry.name for entry in listing if entry.is_file() or entry.is_symlink()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(fnmatch.filter(names, pattern))]
