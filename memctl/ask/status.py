"""The state of a memory directory: counts, sizes, tokens, the newest canvases, what to run next."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memctl.ask import canvas_files
from memctl.canvas.mmd import write_canvas
from memctl.errors import MemctlError
from memctl.index import embedders
from memctl.model import Canvas
from memctl.store import Store, entries, messages, sessions
from memctl.text.tokens import count_tokens

_RANK = {"active": 0, "paused": 1, "completed": 2, "cancelled": 2, "archived": 3}


@dataclass(frozen=True, slots=True)
class CanvasLine:
    """One canvas in a list. *nodes* counts folded ones too, *drawn* only those on the picture."""

    id: str
    path: Path
    canvas: Canvas

    @property
    def nodes(self) -> int:
        """Count the nodes, folded ones included."""
        return sum(
            last - first + 1 for node in self.canvas.nodes for first, last in canvas_files.members(node)
        )


@dataclass(frozen=True, slots=True)
class Status:
    """What `memctl status` says. Sizes in bytes; tokens are estimates.

    recall: why recall searches by words alone; empty when by meaning, too.
    """

    sessions: int
    messages: Counter[str]
    calls: int
    by_status: Counter[str]
    canvases: tuple[CanvasLine, ...]
    unreadable: tuple[Path, ...]
    tasks: int
    refs: int
    sizes: dict[str, int]
    result_tokens: int
    canvas_tokens: int
    last_time: str | None
    recall: str = ""


def status(store: Store) -> Status:
    """Look over the whole directory; reads, never writes."""
    counted: Counter[str] = Counter()
    last: str | None = None
    for path in store.conversations():
        for stored in messages.conversation(path):
            counted[stored.role] += 1
            time = stored.fields.get("timestamp")
            if isinstance(time, str) and (last is None or time > last):
                last = time
    by_status: Counter[str] = Counter()
    tokens = calls = 0
    for path in store.offloads():
        for found in entries.latest(path):
            calls += 1
            by_status[found.entry.status] += 1
            tokens += found.entry.result_tokens
    lines, unreadable = listed(store)
    refs = list(store.refs())
    return Status(
        sessions=len(sessions.listed(store)),
        messages=counted,
        calls=calls,
        by_status=by_status,
        canvases=tuple(lines),
        unreadable=tuple(unreadable),
        tasks=len(store.tasks()),
        refs=len(refs),
        sizes={
            "conversations": _size(store.conversations()),
            "entries": _size(store.offloads()),
            "refs": _size(refs),
            "canvases": _size(store.canvases()),
        },
        result_tokens=tokens,
        canvas_tokens=sum(count_tokens(write_canvas(line.canvas)) for line in lines),
        last_time=last,
        recall=embedders.missing(store.config.embedder),
    )


def by_need(lines: Iterable[CanvasLine]) -> list[CanvasLine]:
    """Put canvases in the order in which they may be wanted: open, ended, archived; the newest first."""
    newest = sorted(lines, key=lambda line: line.canvas.updated or "", reverse=True)
    return sorted(newest, key=lambda line: _RANK[line.canvas.status])


def listed(store: Store) -> tuple[list[CanvasLine], list[Path]]:
    """List the canvases by number, and the canvas files that cannot be read."""
    lines, unreadable = [], []
    for path in store.canvases():
        try:
            canvas = canvas_files.canvas_at(path)
        except MemctlError:
            canvas = None
        if canvas is None:
            unreadable.append(path)
        else:
            lines.append(CanvasLine(path.stem, path, canvas))
    return lines, unreadable


def _size(paths: list[Path]) -> int:
    return sum(path.lstat().st_size for path in paths)
