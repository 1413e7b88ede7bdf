"""What a command line names: one session, canvas or page, or an error that says what there is."""

from pathlib import Path

from memctl.ask import canvas_files, drill, naming
from memctl.ask.lookup import Lookup
from memctl.cli import output
from memctl.errors import AmbiguousError, NotFoundError
from memctl.store import Store


def the_session(store: Store, given: str) -> str:
    """Find a session by its id or first letters."""
    try:
        return drill.the_one(Lookup(store), f"session:{given}").id
    except NotFoundError:
        raise NotFoundError(f"no session {given!r}; see `memctl session list`") from None


def the_canvas(store: Store, given: str) -> Path:
    """Find a canvas (`naming.canvases_named`); raises AmbiguousError with the list for several."""
    named = naming.canvases_named(store, given)
    if len(named) == 1:
        return named[0]
    from memctl.ask.status import CanvasLine
    from memctl.cli.status import canvas_line, state_width

    lines = [
        CanvasLine(path.stem, path, canvas) for path in named if (canvas := canvas_files.canvas_at(path))
    ]
    width = state_width(lines[:20])
    ways = "\n".join(f"  {canvas_line(line, 2, width)}" for line in lines[:20])
    raise AmbiguousError(f"{given!r} matches {len(named)} canvases; choose one by its number:\n{ways}")


def the_page(store: Store, given: str) -> Path:
    """Find a file of L2 or L3 (`naming.page_named`)."""
    found = naming.page_named(store, given)
    if found is None:
        scenes = output.shown(store.folder("scene_blocks"))
        raise NotFoundError(f"no scene or persona {given!r}; scenes are under {scenes}")
    return found
