"""Nodes down a page, each beside its rail: the drawing that every view of a diagram shares.

A line is made of segments (text, style name); the command line gives the names their colours. Style names:
`goal`, `id`, `title`, `summary`, `kind`, `time`, `label` (why an edge is there), `uses`, `note`, `rail`,
`bar`, `bar.rest`, `status.<status of a node or canvas>`, and "" for text without a style.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memctl.canvas.rails import Rail
from memctl.canvas.wrapping import wrap
from memctl.text.widths import display_width

Segment = tuple[str, str]
Line = tuple[Segment, ...]

WIDEST = 120  # a line of text much longer than this is hard to follow with the eye
NARROWEST = 24
_SIGNS = ("┄", "↺", "↓", "+")
_ASCII = str.maketrans("│─├┤┼╮╭┬╯╰┴┄○◐✓‖✗◇●█░↺↓·–…→←", "|-+++..+''+~o>*=!?*#.@v--~><")  # cell for cell


@dataclass(slots=True)
class Item:
    """A node as it will stand on the page.

    tags stand behind the title, tail at the right margin, body under the title, and reasons (why the edges
    to it are there) above it.
    """

    mark: Segment
    name: str
    title: str
    tags: list[Segment] = field(default_factory=list)
    tail: list[Segment] = field(default_factory=list)
    body: list[Segment] = field(default_factory=list)
    reasons: list[Segment] = field(default_factory=list)


def plain(lines: Iterable[Line]) -> str:
    """Give *lines* as text without styles, each line ended by a newline."""
    return "".join("".join(text for text, _style in line).rstrip() + "\n" for line in lines)


def in_ascii(lines: Iterable[Line]) -> list[Line]:
    """Draw *lines* with ASCII only, cell for cell; letters of the texts stay."""
    return [tuple((text.translate(_ASCII), style) for text, style in line) for line in lines]


def most_lanes(width: int) -> int:
    """Give how many rails may stand beside text in *width* cells."""
    return max(2, min(8, width // 12))


def draw_items(items: Sequence[Item], rails: Sequence[Rail], width: int) -> list[Line]:
    """Draw *items* beside their *rails* in *width* cells."""
    gutter = max((max(len(rail.beside), 2 * rail.lane + 1) for rail in rails), default=0) + 2
    lines: list[Line] = []
    for at, (item, rail) in enumerate(zip(items, rails, strict=True)):
        if item.reasons:
            for text, style in item.reasons:
                lines += _paragraph(f"↓ {text}", style, rail.above, gutter, width, 2)
        elif at and not rails[at - 1].connector:
            lines.append((_rail(rail.above, gutter),))
        lines += _head(item, rail, gutter, width)
        for text, style in item.body:
            most = 1 if style == "uses" else 6
            lines += _paragraph(text, style, rail.below, gutter + 2, width, most)
        if rail.connector:
            lines.append((_rail(rail.connector, gutter),))
    return lines


def _rail(cells: str, gutter: int) -> Segment:
    return (cells.ljust(gutter), "rail")


def _paragraph(text: str, style: str, cells: str, gutter: int, width: int, most: int) -> list[Line]:
    """Wrap *text* beside the rail; what begins with a sign hangs from it."""
    hang = 2 if text.startswith(_SIGNS) else 0
    first, *rest = wrap(text, width - gutter - hang, most)
    lines: list[Line] = [(_rail(cells, gutter), (first, style))]
    return [*lines, *((_rail(cells, gutter + hang), (line, style)) for line in rest)]


def _head(item: Item, rail: Rail, gutter: int, width: int) -> list[Line]:
    """Draw a node's own line, with its title over as many as it needs."""
    cells = rail.beside.ljust(gutter)
    at = 2 * rail.lane
    start: list[Segment] = [(cells[:at], "rail"), item.mark, (cells[at + 1 :], "rail")]
    used = gutter
    if item.name:
        start += [(item.name, "id"), ("  ", "")]
        used += display_width(item.name) + 2
    tags = [segment for part in item.tags for segment in (("  ", ""), part)]
    tail = [segment for part in item.tail for segment in (part, ("  ", ""))][:-1]
    below: list[Segment] = []
    if width - used - _size(tags) < 8:
        tags, below = [], item.tags
    room = width - used - _size(tags)
    if room - _size(tail) < 18:
        tail = []
    title = wrap(item.title, max(room - (_size(tail) + 2 if tail else 0), 8), 3)
    first: list[Segment] = [*start, (title[0], "title"), *tags]
    if tail:
        first += [(" " * max(width - _size(first) - _size(tail), 1), ""), *tail]
    lines: list[Line] = [tuple(first)]
    lines += ((_rail(rail.below, used), (line, "title")) for line in title[1:])
    lines += ((_rail(rail.below, used), part) for part in below)
    return lines


def _size(segments: Iterable[Segment]) -> int:
    return sum(display_width(text) for text, _style in segments)
