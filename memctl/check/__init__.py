"""Check: the chain of memory both ways, from the persona down to the bytes of a ref (DESIGN 9).

Nothing here writes but `fix`, which writes only what is derived.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memctl import git
from memctl.check.calls import calls
from memctl.check.canvases import canvases
from memctl.check.codes import chosen, found
from memctl.check.layout import layout
from memctl.check.results import results
from memctl.check.survey import Survey, survey
from memctl.check.tasks import tasks
from memctl.errors import StoreError
from memctl.model import Problem
from memctl.store import Store

_FAMILIES = (canvases, calls, tasks)


def check(
    store: Store,
    *,
    only: tuple[str, ...] = (),
    ignored: tuple[str, ...] = (),
    changed: frozenset[str] | None = None,
    look_for_secrets: bool = False,
) -> list[Problem]:
    """Give what is wrong with a directory, every scope of it, in order of file and line; reads only.

    only, ignored: codes (CHK301), families (CHK3), names (ref-missing). changed: paths relative to the
    directory; only findings in these files, or about them, are given.
    """
    problems = _with_unmerged(store.home, list(layout(store.home)))
    for root in roots(store):
        one = replace(store, root=root)
        seen = survey(one)
        problems += _look(seen, _within(store.home, root, changed), look_for_secrets=look_for_secrets)
    kept = chosen(iter(problems), only, ignored)
    if changed is not None:
        kept = (one for one in kept if _touches(store.home, one, changed))
    return sorted(kept, key=lambda one: (one.path, one.line, one.code, one.message))


def _with_unmerged(home: Path, problems: list[Problem]) -> list[Problem]:
    """Name each file that a stopped merge has not settled, once: it may have no markers, or many."""
    try:
        names = [sides.path for sides in git.unmerged(home) if git.is_own(sides.path)]
    except StoreError:  # no repository, or no git
        return problems
    hint = "memctl check --fix --commit resolves it from both sides and concludes the merge"
    left = dict.fromkeys(str(home / name) for name in names)
    lines = {one.path: one.line for one in problems if one.code == "CHK104"}
    kept = [one for one in problems if one.code != "CHK104" or one.path not in left]
    told = (
        found("CHK105", Path(path), lines.get(path, 1), "a git merge stopped here", hint) for path in left
    )
    return [*kept, *told]


def of_scope(store: Store) -> list[Problem]:
    """Give what is wrong with the files of one scope."""
    return [*layout(store.root), *_look(survey(store), None, look_for_secrets=False)]


def roots(store: Store) -> list[Path]:
    """List the scopes of a directory by their folders: the default one first."""
    found = [store.home]
    scopes = store.scopes
    if scopes.is_dir() and not scopes.is_symlink():
        found += sorted(
            path for path in scopes.glob("*/*/*") if path.is_dir() and not _through_a_link(path, scopes)
        )
    return found if store.root in found else [*found, store.root]


def _through_a_link(path: Path, top: Path) -> bool:
    while path != top:
        if path.is_symlink():
            return True
        path = path.parent
    return False


def _look(seen: Survey, changed: frozenset[str] | None, *, look_for_secrets: bool) -> Iterator[Problem]:
    yield from seen.problems
    yield from results(seen, changed)
    for family in _FAMILIES:
        yield from family(seen)
    if seen.remembered or seen.store.persona.exists() or seen.store.folder("scene_blocks").is_dir():
        from memctl.check.memories import memories  # loads the layers

        yield from memories(seen)
    if look_for_secrets:
        from memctl.check.secrets import secrets  # loads the rules of redaction

        yield from secrets(seen)


def _within(home: Path, root: Path, changed: frozenset[str] | None) -> frozenset[str] | None:
    """Give changed paths as a scope names them."""
    if changed is None or root == home:
        return changed
    prefix = root.relative_to(home).as_posix() + "/"
    return frozenset(name.removeprefix(prefix) for name in changed if name.startswith(prefix))


def _touches(home: Path, problem: Problem, changed: frozenset[str]) -> bool:
    """Tell whether a finding is in a changed file, or about one."""
    names = {_name(home, problem.path), _name(home, problem.other)}
    return bool(names & changed) or any(
        problem.other and one.endswith("/" + problem.other) for one in changed
    )


def _name(home: Path, path: str) -> str:
    try:
        return Path(path).relative_to(home).as_posix()
    except ValueError:
        return path
