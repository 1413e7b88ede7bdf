"""A node as the text of its label, and back: title, status, summary and time, one per line (DESIGN 2.4)."""

import re
from collections.abc import Iterator

from memctl.canvas.escape import escape_first, escape_label, escape_text, normalise_label, unescape_label
from memctl.model import Node, NodeStatus, Shape

NODE_STATUSES: dict[str, NodeStatus] = {
    "todo": "todo",
    "doing": "doing",
    "done": "done",
    "paused": "paused",
    "blocked": "blocked",
    # what models write instead
    "pending": "todo",
    "planned": "todo",
    "in_progress": "doing",
    "active": "doing",
    "completed": "done",
    "complete": "done",
    "failed": "blocked",
    "error": "blocked",
    "cancelled": "paused",
}
ID = r"(?:[0-9]{1,9}-)?N[0-9]{1,9}"

_MARKER = re.compile(r"\s*(status|summary|timestamp)\s*[:：]\s*(.*)", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<br[ \t]{0,9}/?>|\n", re.IGNORECASE)
_ARROW = re.compile(rf"(?:^|\s)→ ?({ID}(?:\.\.{ID})?(?:, ?{ID}(?:\.\.{ID})?)*)$")
_LOOKS_LIKE_ARROW = re.compile(rf"→(?= ?{ID})")


def one_line(text: str) -> str:
    """Normalise *text* as a label of one line."""
    return normalise_label(text).replace("\n", " ")


def write_node_text(canvas: int, node: Node) -> str:
    """Write the label of *node*, escaped, its lines joined by `<br/>`; what is empty is left out."""
    title = _LOOKS_LIKE_ARROW.sub("#8594;", _unmarked(escape_label(one_line(node.title))))
    if node.folded:
        title = f"{title} → {write_ranges(canvas, node.folded)}"
    lines = [title, f"status: {node.status}"]
    if summary := normalise_label(node.summary):
        first, *others = summary.split("\n")
        lines += [f"summary: {escape_text(first)}", *(_unmarked(escape_text(line)) for line in others)]
    if timestamp := one_line(node.timestamp or ""):
        lines.append(f"Timestamp: {escape_text(timestamp)}")
    return "<br/>".join(lines)


def write_ranges(canvas: int, ranges: tuple[tuple[int, int], ...]) -> str:
    """Write closed ranges of node numbers: `003-N2..N3,N60`."""
    parts = [f"N{first}" if first == last else f"N{first}..N{last}" for first, last in ranges]
    return f"{canvas:03d}-" + ",".join(parts)


def read_node_text(number: int, shape: Shape, label: str, canvas: int) -> tuple[Node, str]:
    """Read a raw label as node *number* of *canvas*; also give its status word when nobody knows it."""
    fields: dict[str, list[str]] = {"title": [], "status": [], "summary": [], "timestamp": []}
    for name, line in _label_lines(label):
        fields[name].append(line)
    title, folded = _read_title(fields["title"], canvas)
    word = unescape_label("".join(fields["status"][:1])).lower()
    node = Node(
        number,
        one_line(title),
        NODE_STATUSES.get(word, "doing" if word else "todo"),
        unescape_label("\n".join(fields["summary"])),
        one_line(unescape_label(" ".join(fields["timestamp"]))) or None,
        shape,
        folded,
    )
    return node, "" if word in NODE_STATUSES else word


def node_number(name: str, canvas: int) -> int | None:
    """Read `003-N4` or `N4` as a node number of *canvas*; None for another canvas's node or another name."""
    if not re.fullmatch(ID, name):
        return None
    owner, _, number = name.rpartition("-")
    return int(number[1:]) if not owner or int(owner) == canvas else None


def _unmarked(line: str) -> str:
    """Write an escaped line so that it is never read as a `status:`, `summary:` or `Timestamp:` line."""
    return escape_first(line) if _MARKER.match(line) else line


def _label_lines(label: str) -> Iterator[tuple[str, str]]:
    """Give each line of a raw label with the field it belongs to.

    Markers are looked for before entities are decoded, so an escaped `#115;tatus:` is text.
    """
    field = "title"
    for line in _BREAK.split(label):
        if found := _MARKER.fullmatch(line):
            field = found[1].lower()
            yield field, found[2]
            field = "summary"  # what stands below a status or a time belongs to the summary
        else:
            yield field, line


def _read_title(lines: list[str], canvas: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    raw = " ".join(line.strip() for line in lines).strip()
    found = _ARROW.search(raw)
    if not found:
        return unescape_label(raw), ()
    ranges = []
    for part in found[1].split(","):
        ends = [node_number(end.strip(), canvas) for end in part.split("..")]
        numbers = sorted(end for end in ends if end is not None)
        if len(numbers) < len(ends):
            return unescape_label(raw), ()
        ranges.append((numbers[0], numbers[-1]))
    return unescape_label(raw[: found.start()]), tuple(ranges)
