"""`memctl clear`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from memctl import files, git
from memctl.cli import output
from memctl.cli.app import typer_app
from memctl.cli.named import the_session
from memctl.errors import ExitCode, UsageError
from memctl.model import Json
from memctl.passes import clear as passes
from memctl.passes.wiping import Work
from memctl.store import Store
from memctl.store.cleared import LAYERS
from memctl.text.numbers import how_many

app = typer_app()

EXAMPLES = (
    ("memctl clear --session 4f79a5ed --dry-run", "List what a session has left in the directory."),
    ("memctl clear --session 4f79a5ed --yes", "Delete a session permanently, without asking."),
    ("memctl clear --layer l3", "Delete the persona; it is rebuilt only from what comes later."),
    ("memctl clear --yes", "Delete everything in this scope."),
)


@app.command()
def clear(
    sessions: Annotated[
        list[str] | None,
        typer.Option(
            "--session", metavar="ID", help="Only this session (and those of its subagents); may be repeated."
        ),
    ] = None,
    layer: Annotated[
        str,
        typer.Option(
            "--layer",
            metavar="LAYER,...",
            help="l0 (conversations, entries, refs, canvases), l1, l2, l3, tasks, graph; all by default.",
        ),
    ] = "all",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be deleted; write nothing.")
    ] = False,
    yes: output.YesOption = False,
    now: output.NowOption = "",
    wait: output.WaitOption = 10.0,
    form: output.FormatOption = output.Format.TEXT,
) -> None:
    """Delete the content of sessions, layers or this whole scope permanently; ids, ownership and settings stay.

    The content also disappears from earlier versions, trash, quarantine, cursors and the search index. What came
    only from a cleared session goes; what other sessions also say stays. An earlier version of a scene or of the
    persona changes only when its evidence names something that is deleted, or nothing that is still known: then what
    memctl wrote in it goes, and what a person wrote stays. Hashes in cleared.jsonl make sure that
    neither an ingest nor a git merge brings it back; only `memctl ingest --again` does. The history of a git
    repository still holds it.
    """
    output.settings.format = form
    store = output.store()
    layers = _layers(layer)
    named = [the_session(store, given) for given in sessions or ()]
    with files.locked(store.home, wait):
        wanted = passes.request(store, named, layers, output.now(now))
        work = passes.plan(store, wanted)
        rows = [*_rows(store, work)]
        what = how_many(len(wanted.sessions), "session")
        told = f"{what if named else f'all of {output.shown(store.root)}'} ({', '.join(layers)})"
        if not dry_run:
            if not output.confirmed(f"Permanently delete {told}: {len(rows):,} files?", yes=yes):
                output.note("nothing was deleted")
                output.finish(ExitCode.NO)
            passes.clear(store, wanted)
    if dry_run or form is not output.Format.TEXT:
        output.answer("cleared", rows, text=_line)
    else:
        output.write(f"cleared {told}: {_many(rows, 'drop')} deleted, {_many(rows, 'rewrite')} rewritten")
    _warn_of_git(store, work)


def _layers(given: str) -> tuple[str, ...]:
    words = [word.strip().lower() for word in given.split(",") if word.strip()]
    if unknown := [word for word in words if word not in (*LAYERS, "all")]:
        raise UsageError(f"--layer: no layer {unknown[0]!r}; choose from {', '.join(LAYERS)}, all")
    return tuple(one for one in LAYERS if one in words or "all" in words or not words)


def _rows(store: Store, work: Work) -> list[dict[str, Json]]:
    touched = passes.touched(store, work).items()
    return [{"do": do, "path": output.shown(path), "bytes": path.lstat().st_size} for path, do in touched]


def _line(row: Mapping[str, Json]) -> str:
    return f"{row['do']:<7}  {row['path']}"


def _many(rows: list[dict[str, Json]], do: str) -> str:
    return how_many(sum(row["do"] == do for row in rows), "file")


def _warn_of_git(store: Store, work: Work) -> None:
    """Say that git still has what was wiped, and how it is taken out of there."""
    top = git.top(store.home)
    if top is None:
        return
    place = Path(store.home.resolve()).relative_to(top.resolve()).as_posix()
    paths = sorted({_tracked(store, path) for path in (*work.dropped, *work.tasks)} | {"records", "versions"})
    prefix = "" if place == "." else f"{place}/"
    listed = " ".join(f"--path {prefix}{path}" for path in paths if path)
    output.note(
        "git history still holds what was cleared. Commit, back up what stays, then rewrite the history: "
        f"`git -C {output.shown(top)} filter-repo --invert-paths {listed}`; other clones keep it until "
        "they do the same"
    )


def _tracked(store: Store, path: Path) -> str:
    """Name the file or, where many lie together, the folder that the history has of it."""
    parts = path.relative_to(store.home).parts
    if parts[0] == files.PRIVATE:
        return ""
    many = "refs" in parts or "versions" in parts or "scene_blocks" in parts
    return "/".join(parts[:-1] if many else parts)
