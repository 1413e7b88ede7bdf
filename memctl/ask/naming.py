"""What a command line names in its own words: canvases, pages of L2 and L3, the session of a file."""

from pathlib import Path

from memctl.ask import canvas_files, find
from memctl.ask.lookup import Lookup
from memctl.errors import NotFoundError
from memctl.store import Store, messages


def canvases_named(store: Store, given: str) -> list[Path]:
    """Find canvases by number, file name, node id, or the words of a goal; a number is never words.

    Several where they fit equally well. Raises NotFoundError for none.
    """
    named = {thing.path for thing in find.find(Lookup(store), given) if thing.kind in ("canvas", "node")}
    here = Path(given)
    if not named and here.suffix == ".mmd" and here.is_file():
        return [here]
    if not named and find.is_number(given):
        raise NotFoundError(
            find.why_cleared(store, given) or f"no canvas {given!r}; see `memctl canvas list`"
        )
    found = sorted(named) or _with_words(store, given)
    if not found:
        raise NotFoundError(f"no canvas {given!r}; see `memctl canvas list`")
    return found


def _with_words(store: Store, given: str) -> list[Path]:
    """Give the canvases that hold most of the words, the goal counting double; ties are all given."""
    words = [word for word in given.lower().split() if word]
    scores: dict[Path, int] = {}
    for path, canvas in canvas_files.canvases(store):
        goal = canvas.goal.lower()
        rest = " ".join(f"{node.title} {node.summary}" for node in canvas.nodes).lower()
        scores[path] = sum(2 * (word in goal) + (word in rest) for word in words)
    best = max(scores.values(), default=0)
    return sorted(path for path, score in scores.items() if score == best and best > 0)


def page_named(store: Store, given: str) -> Path | None:
    """Find an L2 or L3 file by its path, from here or in the directory, or by a scene's name; None for none.

    One that is gone but has versions is found, too.
    """
    here = Path(given)
    known = [*store.scenes(), store.persona]
    if here.is_file():
        for path in known:
            if path.is_file() and path.samefile(here):
                return path
    name = given.replace("\\", "/").removeprefix("./")
    for path in known:
        if path.exists() and name in (store.relative(path), path.name, path.stem):
            return path
    folder = store.folder("versions")
    for one in sorted(one for one in folder.rglob("*.md") if one.is_file()):
        original = one.parent.relative_to(folder).as_posix()
        if name in (original, one.parent.name, one.parent.name.removesuffix(".md")):
            return store.at(original)
    return None


def main_session(store: Store, sessions: list[str]) -> str | None:
    """Give the session of a file that no other session of it started; None where several stand alone."""
    main = [one for one in sessions if messages.facts(store.conversation(one)).get("parent") not in sessions]
    return main[0] if len(main) == 1 else None
