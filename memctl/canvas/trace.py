"""A session's calls as a Mermaid diagram, one step per call, and the calls read back from it (DESIGN 9).

Each step is drawn short; the call itself stands whole in a comment above it, `%% {json}`, which Mermaid reads
over and does not count. So a diagram can be drawn, and nothing of the calls is lost.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from memctl.canvas.chart import MOST_LINKS
from memctl.canvas.escape import escape_text, normalise_label
from memctl.canvas.header import comment_line
from memctl.canvas.mmd import BRACKETS
from memctl.canvas.pictures import COLOURS
from memctl.errors import InputError
from memctl.files import decode
from memctl.model import Json, NodeStatus, Shape
from memctl.text.widths import one_line

Type = Literal["state", "flowchart"]
Record = Mapping[str, Json]

FIELDS = ("seq", "tool_call_id", "tool", "arguments", "kind", "status", "timestamp", "node_id", "summary")
MOST_CHARACTERS = 50_000  # Mermaid's maxTextSize, which a diagram cannot raise; comments do not count

_AIM = 48_000
_TITLE = 60
_FOUND = 90  # characters of what a call came to
_LEAST = 12
_STATUS: dict[str, NodeStatus] = {"ok": "done", "error": "blocked", "missing": "paused"}
_SHAPES: dict[str, Shape] = {
    "edit": "edit",
    "write": "edit",
    "test": "verify",
    "build": "verify",
    "run": "run",
    "agent": "run",
    "mcp": "run",
    "vcs": "store",
}
_MARK = "%% {"


def write_trace(calls: Sequence[Record], session: str, form: Type) -> str:
    """Write *calls* as a state diagram or flowchart; labels shrink so that Mermaid draws a long session too.

    A call is a mapping with `FIELDS`, and `target`: what it is about, for its label.
    """
    drawing = _draw(calls, form, 1.0)
    for share in (0.6, 0.35, 0.2, 0.1):
        if drawn_size(drawing) <= _AIM:
            break
        drawing = _draw(calls, form, share)
    head = comment_line({"trace": form, "session": session, "calls": len(calls)})
    return "\n".join([head, *drawing]) + "\n"


def drawn_size(lines: Sequence[str]) -> int:
    """Count the characters of *lines* that Mermaid counts: all but comments."""
    return sum(len(line) + 1 for line in lines if not line.startswith(_MARK))


def parse_trace(text: str) -> list[dict[str, Json]]:
    """Read the calls back from a trace, in order, whatever its drawing has become.

    Raises InputError with the line for a call that cannot be read, and for a text that is no trace.
    """
    calls: list[dict[str, Json]] = []
    traced = False
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare.startswith(_MARK):
            continue
        try:
            values = decode(bare[3:].encode("utf-8", "surrogateescape"))
        except ValueError as error:
            raise InputError(
                f"line {number}: this call is damaged ({error}); write the trace again"
            ) from None
        if isinstance(values, dict) and "trace" in values:
            traced = True
        elif isinstance(values, dict) and "tool_call_id" in values:
            calls.append(values)
    if not traced and not calls:
        raise InputError("not a trace; `memctl session trace SESSION` writes one")
    return calls


# --------------------------------------------------------------------------- drawing


def _draw(calls: Sequence[Record], form: Type, share: float) -> list[str]:
    lines = list((_state if form == "state" else _flowchart)(calls, share))
    for status in ("done", "blocked", "paused"):
        names = [f"c{at}" for at, call in enumerate(calls, 1) if _status_of(call) == status]
        if names and status != "done":
            fill, border, colour = COLOURS[status]
            lines.append(f"classDef {status} fill:{fill},stroke:{border},color:{colour}")
            lines.append(f"class {','.join(names)} {status}")
    return lines


def _state(calls: Sequence[Record], share: float) -> Iterator[str]:
    yield "stateDiagram-v2"
    before = "[*]"
    for at, call in enumerate(calls, 1):
        yield _kept(call)
        yield f'state "{_label(call, share, _without_markdown)}" as c{at}'
        yield f"{before} --> c{at}"
        before = f"c{at}"
    yield f"{before} --> [*]"


def _flowchart(calls: Sequence[Record], share: float) -> Iterator[str]:
    """Draw a chain of calls; where it has too many links for Mermaid, a chain of groups of calls."""
    yield "flowchart TD"
    size = -(-len(calls) // MOST_LINKS)
    for start in range(0, len(calls), size or 1):
        if size > 1:
            yield f'subgraph g{start + 1}["{start + 1} to {min(start + size, len(calls))}"]'
        for at, call in enumerate(calls[start : start + size], start + 1):
            yield _kept(call)
            opening, closing = BRACKETS[_SHAPES.get(str(call.get("kind")), "read")]
            yield f'c{at}{opening}"{_label(call, share, str)}"{closing}'
        if size > 1:
            yield "end"
        if start:
            yield f"g{start + 1 - size} --> g{start + 1}" if size > 1 else f"c{start} --> c{start + 1}"


def _kept(call: Record) -> str:
    return comment_line({name: call.get(name) for name in FIELDS})


def _label(call: Record, share: float, escape: Callable[[str], str]) -> str:
    """Write what a call is, and what it came to: `Bash pytest -q<br/>error: 2 failed`."""
    target = normalise_label(str(call.get("target") or "")).replace("\n", " ")
    found = normalise_label(str(call.get("summary") or "")).replace("\n", " ").removeprefix(f"{target}: ")
    title = one_line(f"{call.get('tool')} {target}", max(_LEAST, int(_TITLE * share)))
    said = one_line(f"{call.get('status')}: {found}", max(_LEAST, int(_FOUND * share)))
    return "<br/>".join(escape(escape_text(normalise_label(text))) for text in (title, said))


def _without_markdown(label: str) -> str:
    """Escape what a state's label would take for Markdown: `__init__` is drawn bold without a word.

    With a `<br/>` in it, Mermaid decodes entities before it reads Markdown, so the sign needs its backslash.
    """
    return label.replace("_", "#92;#95;").replace("*", "#92;#42;")


def _status_of(call: Record) -> NodeStatus:
    return _STATUS.get(str(call.get("status")), "done")
