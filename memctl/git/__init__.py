"""Git as a program: what changed, what a merge left, and commits of a memory directory's own paths.

Always started without a shell, with names as they are (literal, ended by NUL), so no file name is an option,
a pattern or a command.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memctl.errors import StoreError, UsageError

_KEPT = frozenset(("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_SSL_NO_VERIFY"))
_KEPT_BEGINNINGS = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG", "GIT_TRACE")

_OWN = frozenset(
    (
        *("memctl.yaml", ".gitignore", ".gitattributes", "persona.md", "graph.jsonl", "cleared.jsonl"),
        *("conversations", "refs", "mmds", "records", "scene_blocks", "tasks", "versions", "scopes"),
    )
)

# What git leaves where it has stopped, and the command that goes on from there.
_WAYS = {
    "MERGE_HEAD": "git commit",
    "REBASE_HEAD": "git rebase --continue",
    "CHERRY_PICK_HEAD": "git cherry-pick --continue",
    "REVERT_HEAD": "git revert --continue",
}

_NAMES = ("--name-only", "--no-renames", "--relative", "-z")


def run(home: Path, *arguments: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,)) -> bytes:
    """Run git in *home* and give its stdout; raises StoreError with git's own words when it fails."""
    command = ["git", "--literal-pathspecs", "--no-optional-locks", "-c", "core.quotepath=off", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, a fixed program
            command, cwd=home, input=stdin, capture_output=True, check=False, env=_environment()
        )
    except FileNotFoundError as error:
        raise StoreError("this needs git, which is not installed or not on PATH") from error
    except OSError as error:
        raise StoreError(f"cannot start git in {home}: {error.strerror or error}") from error
    if done.returncode not in codes:
        said = (
            done.stderr.decode("utf-8", "replace").strip() or done.stdout.decode("utf-8", "replace").strip()
        )
        told = said.split("\n")[-1].removeprefix("fatal: ").removeprefix("error: ")
        raise StoreError(f"git {arguments[0]} in {home} failed: {told or f'exit {done.returncode}'}")
    return done.stdout


def _environment() -> dict[str, str]:
    """Give git our environment but for what names another repository, as it is set inside a hook."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}


def _paths(data: bytes) -> Iterator[str]:
    return (os.fsdecode(name) for name in data.split(b"\0") if name)


def _listed(names: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\0" for name in names)


# --------------------------------------------------------------------------- where and what


def top(folder: Path) -> Path | None:
    """Give the work tree that a folder (or the nearest one above that exists) is in; None for none."""
    while not folder.is_dir():
        if folder.parent == folder:
            return None
        folder = folder.parent
    try:
        return Path(os.fsdecode(run(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n")))
    except StoreError:
        return None


def need(home: Path) -> None:
    """Raise UsageError when a directory is in no work tree."""
    if top(home) is None:
        raise UsageError(
            f"{home} is not in a git repository (or git is not installed); run `git init` in it first"
        )


def commit_of(home: Path, revision: str) -> str:
    """Give the commit that a revision names. Raises UsageError when it names none."""
    try:
        found = run(home, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except StoreError:
        need(home)
        raise UsageError(f"{revision!r} does not name a commit of {home}; see `git log`") from None
    return found.decode("ascii").strip()


def has_commit(home: Path) -> bool:
    """Tell whether there is a commit yet."""
    return bool(run(home, "rev-parse", "--verify", "--quiet", "HEAD", codes=(0, 1, 128)).strip())


def changed_since(home: Path, revision: str) -> frozenset[str]:
    """List the files, relative to *home*, that differ from a revision; untracked ones too."""
    commit = commit_of(home, revision)
    told = run(home, "diff", "--name-only", "--no-renames", "--relative", "-z", commit, "--", ".")
    new = run(home, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    return frozenset((*_paths(told), *_paths(new)))


def is_own(name: str) -> bool:
    """Tell whether a path relative to a directory is one of a memory directory's."""
    first = name.partition("/")[0]
    return first in _OWN or (name == first and name.startswith("offload-") and name.endswith(".jsonl"))


# --------------------------------------------------------------------------- reading commits


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The own files of a directory in one commit: objects by path relative to the directory."""

    home: Path
    objects: dict[str, str]

    def read(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Give the bytes of some files, in their order, with one git for all.

        Raises StoreError when the repository lacks one of them.
        """
        wanted = [name for name in names if name in self.objects]
        asked = "".join(self.objects[name] + "\n" for name in wanted).encode("ascii")
        data = run(self.home, "cat-file", "--batch", stdin=asked) if wanted else b""
        at = 0
        for name in wanted:
            end = data.index(b"\n", at)
            told = data[at:end].rsplit(b" ", 1)[1]
            if not told.isdigit():  # "missing"
                raise StoreError(
                    f"git has no object {self.objects[name]} for {self.home / name}: the clone is partial, or damaged; "
                    "`git fetch --refetch` fetches what the remote has, `git fsck` shows what is missing"
                )
            size = int(told)
            yield name, data[end + 1 : end + 1 + size]
            at = end + size + 2


def snapshot(home: Path, revision: str) -> Snapshot:
    """Look at a directory as a commit has it; links and submodules in it are left out."""
    commit = commit_of(home, revision)
    objects = {}
    for line in run(home, "ls-tree", "-r", "-z", commit, "--", ".").split(b"\0"):
        facts, tab, name = line.partition(b"\t")
        if tab and facts.startswith(b"100"):
            path = os.fsdecode(name)
            if is_own(path):
                objects[path] = facts.split(b" ")[2].decode("ascii")
    return Snapshot(home, objects)


# --------------------------------------------------------------------------- a stopped merge


@dataclass(slots=True)
class Sides:
    """A file that a merge stopped in: the objects of its base (stage 1) and its two sides (2, 3)."""

    path: str
    stages: dict[int, str] = field(default_factory=dict)
    modes: dict[int, str] = field(default_factory=dict)


def unmerged(home: Path) -> list[Sides]:
    """List what a stopped merge left in the index, relative to *home*, in order of name."""
    found: dict[str, Sides] = {}
    for line in run(home, "ls-files", "--unmerged", "-z", "--", ".").split(b"\0"):
        facts, tab, name = line.partition(b"\t")
        if tab:
            mode, digest, stage = facts.decode("ascii").split(" ")
            sides = found.setdefault(os.fsdecode(name), Sides(os.fsdecode(name)))
            sides.stages[int(stage)] = digest
            sides.modes[int(stage)] = mode
    return [found[name] for name in sorted(found)]


def blob(home: Path, digest: str) -> bytes:
    """Give the bytes of an object."""
    return run(home, "cat-file", "blob", digest)


def is_merging(home: Path) -> bool:
    """Tell whether a merge, rebase, cherry-pick or revert is under way."""
    return bool(way_on(home))


def way_on(home: Path) -> str:
    """Name the command that ends what git has stopped in; "" when it is in the middle of nothing."""
    return next((way for name, way in _WAYS.items() if _is_there(home, name)), "")


def way_seen(home: Path) -> str:
    """Name that command by looking at files alone: for commands that start no git."""
    for folder in (home.absolute(), *home.absolute().parents):
        place = folder / ".git"
        if place.is_file():  # a work tree beside the repository
            try:
                named = place.read_bytes()[:4096].partition(b"gitdir: ")[2].split(b"\n")[0]
            except OSError:
                return ""
            place = folder / os.fsdecode(named) if named else place
        if place.is_dir():
            return next((way for name, way in _WAYS.items() if (place / name).is_file()), "")
        if place.exists():
            return ""
    return ""


def _is_there(home: Path, name: str) -> bool:
    return bool(run(home, "rev-parse", "--verify", "--quiet", name, codes=(0, 1, 128)))


# --------------------------------------------------------------------------- staging and committing


def own_changes(home: Path) -> list[str]:
    """List the directory's own files of which HEAD, index and files do not all have the same, relative to *home*.

    A file that a merge put into the index alone and that is gone again is one: its removal is to be staged.
    """
    new = run(home, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    unstaged = run(home, "diff", *_NAMES, "--", ".")
    return _own([*_paths(new), *_paths(unstaged), *_staged(home)])


def _staged(home: Path) -> Iterator[str]:
    """List the files that the index has otherwise than HEAD."""
    if has_commit(home):
        return _paths(run(home, "diff", "--cached", *_NAMES, "HEAD", "--", "."))
    return _paths(run(home, "ls-files", "--cached", "-z", "--", "."))


def _own(names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if is_own(name)})


def stage(home: Path, names: Iterable[str]) -> None:
    """Put some files as they are now into the index; those that are gone leave it."""
    there: list[str] = []
    gone: list[str] = []
    for name in names:
        (there if os.path.lexists(home / name) else gone).append(name)
    # What is gone first: a folder may be where a file was. `add -A` knows no file that is in the index alone.
    if gone:
        run(home, "update-index", "--force-remove", "-z", "--stdin", stdin=_listed(gone))
    if there:
        run(home, "add", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=_listed(there))


def commit(home: Path, message: str) -> str | None:
    """Commit the directory's own changes and nothing else; give the commit's short name, None for nothing.

    What is staged of other files stays staged. Raises StoreError when git refuses (a hook, no identity).
    """
    if unmerged(home):
        raise StoreError(f"{home} is in the middle of a merge; run `memctl check --fix --commit`")
    names = own_changes(home)
    if not names:
        return None
    stage(home, names)
    if is_merging(home):  # git makes no partial commit then; the merge's own commit takes it
        raise StoreError(
            f"an operation of git is not finished in {home}; finish it with `{way_on(home)}`, then run this again"
        )
    names = _own(_staged(home))  # git refuses to commit what neither HEAD nor the index knows
    if not names:
        return None
    arguments = ["commit", "--quiet", "--only", "-m", message]
    run(home, *arguments, "--pathspec-from-file=-", "--pathspec-file-nul", stdin=_listed(names))
    return _short_name(home)


def end_merge(home: Path) -> str:
    """Make the commit that ends a stopped merge, with git's own words; give the commit's short name.

    Raises StoreError when files of others are still in conflict, a rebase is under way, or git refuses.
    """
    left = run(home, "diff", "--name-only", "--diff-filter=U", "-z").split(b"\0")[:-1]
    if left:
        more = f" and {len(left) - 1:,} more" if len(left) > 1 else ""
        raise StoreError(
            f"the memory is resolved and staged, but {os.fsdecode(left[0])}{more} is still in conflict; "
            "resolve it, `git add` it, then `git commit`"
        )
    if not _is_there(home, "MERGE_HEAD"):
        raise StoreError(
            f"the memory is resolved and staged; continue with `{way_on(home) or 'git status'}`, which makes the commit"
        )
    run(home, "commit", "--quiet", "--no-edit", "--cleanup=strip")  # git's comment on conflicts is no message
    return _short_name(home)


def _short_name(home: Path) -> str:
    return run(home, "rev-parse", "--short", "HEAD").decode("ascii").strip()
