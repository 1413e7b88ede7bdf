"""Archive and reopen: a canvas is put aside or taken up again, in its own file and nowhere else.

The state of its task is the canvas's status before, so the task's file stays as it is.
"""

from pathlib import Path

from memctl import files
from memctl.canvas import archiving
from memctl.errors import InputError
from memctl.store import Store
from memctl.tasks import listing, taskfile


def archive(store: Store, batch: files.Batch, path: Path) -> bool:
    """Archive a canvas when *batch* is committed; say whether it was not yet.

    Raises InputError for a header that is missing or damaged.
    """
    return _write(store, batch, path, archiving.archived)


def reopen(store: Store, batch: files.Batch, path: Path) -> bool:
    """Give a canvas the status back that it had before it was archived; say whether it was.

    Raises InputError for a header that is missing or damaged.
    """
    changed = _write(store, batch, path, archiving.reopened)
    for at in store.tasks() if changed else ():
        task = listing.at(at)
        if task is not None and task.derived and path.name in task.canvases:
            batch.write_if_changed(at, [taskfile.write(task)])  # no longer brief
    return changed


def _write(store: Store, batch: files.Batch, path: Path, change: archiving.Change) -> bool:
    text = files.read_bytes(path).decode("utf-8", "surrogateescape")
    try:
        new = change(text)
    except ValueError as error:
        name = store.relative(path)
        raise InputError(f"{name}: {error}; `memctl canvas fmt` writes one, then try again") from None
    if new == text:
        return False
    batch.write(path, [new.encode("utf-8", "surrogateescape")])
    return True
