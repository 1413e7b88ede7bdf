"""`--commit` of the passes: one commit of the directory's own paths, whose message says what was learned."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from memctl.cli import output

CommitOption = Annotated[
    bool,
    typer.Option(
        "--commit", help="Commit only the directory's own files to git; the message says what was learned."
    ),
]

_MOST = 60  # lines of a message
_WIDE = 100  # characters of a line


def ready(home: Path, *, wanted: bool) -> None:
    """Raise UsageError before anything is written when a commit is wanted and there is no repository."""
    if wanted:
        from memctl import git

        git.need(home)


def commit_own(home: Path, name: str, wait: float, *, wanted: bool) -> None:
    """Commit what a pass and earlier runs left of the directory's own files, when it is wanted.

    Raises StoreError when git refuses: no identity, a hook, a merge under way; LockedError.
    """
    if not wanted:
        return
    from memctl import files, git

    with files.locked(home, wait):
        made = git.commit(home, _message(home, name)) if git.own_changes(home) else None
    output.note(f"committed {made}" if made else "nothing to commit")


def _message(home: Path, name: str) -> str:
    """Write a commit's message: a line for the log, and what changed below it."""
    from memctl import git
    from memctl.diff import diff
    from memctl.diff.told import headline, lines
    from memctl.store import open_store
    from memctl.text.widths import cut_to_width, printable

    found = diff(open_store(home, output.scope()), "HEAD" if git.has_commit(home) else None)
    told = [cut_to_width(printable(line), _WIDE) for line in lines(found)]
    if len(told) > _MOST:
        told = [*islice(told, _MOST), f"... and {len(told) - _MOST:,} more lines: memctl diff HEAD~ HEAD"]
    return "\n".join([f"memctl {name}: {headline(found)}", "", *told]) + "\n"
