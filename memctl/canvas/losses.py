"""What Mermaid accepts but then draws with words or lines missing (DESIGN 9)."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches

from memctl.canvas.chart import Flowchart, Label
from memctl.canvas.faults import Finding
from memctl.canvas.shapes import SHAPES
from memctl.canvas.source import SPACE, Source

_LONGEST = 50_000  # Mermaid's maxTextSize
# Tags that are drawn as formatting; Mermaid's sanitiser drops others and keeps what stands between them.
_HTML = frozenset(
    """
    a abbr b big blockquote br center code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img
    ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td th thead
    tr tt u ul var wbr
    """.split()
)
_TAG = re.compile(r"<(?:!--[^>]*|[/?]?([A-Za-z][A-Za-z0-9]*)[^<>]*)>")
_LIST = re.compile(r"(?:[0-9]{1,9}[.)]|[-*+])[ ]")
_FORMULA = re.compile(r"\$\$[^$]+\$\$")
_WHOLE_DIRECTION = re.compile(rf"[{SPACE}]*direction[{SPACE}]+(?:TB|BT|RL|LR|TD)[{SPACE};]*\Z")


def find_losses(source: Source, chart: Flowchart) -> list[Finding]:
    """Give a warning for each part of *source* that would not be drawn as written."""
    return [finding for rule in _RULES for finding in rule(source, chart)]


def _glued_heads(source: Source, chart: Flowchart) -> Iterator[Finding]:
    for link in chart.links:
        if link.head not in {"circle", "cross"}:
            continue
        end = source.text.find(link.target, link.at)
        sign = "o" if link.head == "circle" else "x"
        arrow = source.text[link.at : end].strip(SPACE)
        if end > 0 and source.text[end - 1] == sign and arrow.endswith(sign) and "|" not in arrow:
            message = (
                f"the {sign!r} is read as the end of the arrow (a {link.head}), not as a letter of the node"
            )
            yield end - 1, "MMD201", message, f"write a space: {arrow[:-1]} {sign}{link.target}"


def _swallowed_lines(source: Source, chart: Flowchart) -> Iterator[Finding]:
    for kind, start, end in chart.lines:
        if not _WHOLE_DIRECTION.match(source.text[start:end]):
            at = source.text.find("direction", start)
            yield at, "MMD202", f"the whole line is read as '{kind}' and not drawn", "write #100;irection"


def _labels(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del source
    for label in chart.labels:
        for rule in (_lost_tags, _broken_lines, _list_sign, _formula, _lost_quotes):
            found = rule(label)
            if found:
                yield label.at, *found


def _lost_tags(label: Label) -> tuple[str, str, str] | None:
    if label.text.count("<") == label.text.count("<br/>"):
        return None
    lost = [tag[0] for tag in _TAG.finditer(label.text) if not tag[1] or tag[1].lower() not in _HTML]
    if not lost:
        return None
    return (
        "MMD203",
        f"{lost[0]!r} in the label of {_owner(label)} is read as HTML and dropped",
        "write #lt; for <",
    )


def _broken_lines(label: Label) -> tuple[str, str, str] | None:
    at = label.text.find("\\n")
    if at < 0:
        return None
    return (
        "MMD204",
        f"'\\n' in the label of {_owner(label)} breaks the line",
        "write <br/> for a line break, #92; for \\",
    )


def _list_sign(label: Label) -> tuple[str, str, str] | None:
    found = _LIST.match(label.text)
    if not found:
        return None
    message = f"a label that begins with {found[0]!r}: Mermaid may draw 'Unsupported markdown: list'"
    sign = found[0].rstrip()[-1]
    return "MMD207", message, f"write #{ord(sign)}; for {sign!r}"


def _formula(label: Label) -> tuple[str, str, str] | None:
    found = _FORMULA.search(label.text)
    return ("MMD212", f"{found[0][:40]!r} is drawn as a formula", "write #36;#36; for $$") if found else None


def _lost_quotes(label: Label) -> tuple[str, str, str] | None:
    if label.kind != "mixed":
        return None
    return (
        "MMD213",
        f"the quotes inside the label of {_owner(label)} are not drawn",
        "write #quot; for a quote",
    )


def _owner(label: Label) -> str:
    return {"edge": "an edge"}.get(label.owner, label.owner)


def _second_labels(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del source
    first: dict[str, Label] = {}
    for label in chart.labels:
        if not label.owner.startswith("node "):
            continue
        known = first.setdefault(label.owner, label)
        if known.text != label.text:
            message = f"a second label for {label.owner}: the first, {known.text[:30]!r}, is not drawn"
            yield label.at, "MMD205", message, "give one of them another id"
            first[label.owner] = label


def _too_long(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del chart
    if len(source.original) > _LONGEST:
        message = f"{len(source.original):,} characters: over {_LONGEST:,} Mermaid draws only a notice"
        yield 0, "MMD206", message, "split the diagram"


def _bare_comments(source: Source, chart: Flowchart) -> Iterator[Finding]:
    vertex = chart.vertices.get("%%")
    if vertex:
        yield (
            vertex.at,
            "MMD208",
            "'%%' without text is drawn as a node",
            "write something after it, or remove it",
        )
    del source


def _unknown_shapes(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del source
    for shape, at in chart.shapes:
        if shape not in SHAPES:
            near = get_close_matches(shape[:40], sorted(SHAPES), 1)
            yield (
                at,
                "MMD209",
                f"Mermaid 11.16 has no shape {shape!r}",
                f"did you mean {near[0]!r}?" if near else "",
            )


def _mismatched_links(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del source
    for link in chart.links:
        if link.stroke == "invalid":
            yield (
                link.at,
                "MMD210",
                "the two halves of this arrow do not match; it is drawn as a plain line",
                "",
            )


def _styled_strangers(source: Source, chart: Flowchart) -> Iterator[Finding]:
    del source
    for name, at in chart.styled:
        vertex = chart.vertices.get(name)
        if vertex and vertex.at == at and name not in {group.id for group in chart.groups}:
            yield (
                at,
                "MMD211",
                f"there is no node {name!r}: the style line draws one",
                "name a node of the diagram",
            )


_RULES: tuple[Callable[[Source, Flowchart], Iterator[Finding]], ...] = (
    _glued_heads,
    _swallowed_lines,
    _labels,
    _second_labels,
    _too_long,
    _bare_comments,
    _unknown_shapes,
    _mismatched_links,
    _styled_strangers,
)
