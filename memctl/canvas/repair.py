"""`memctl validate --fix`: the unambiguous repairs of a broken flowchart.

An edit is sure when the place has one reading: a label whose end is plain goes into quotes, an arrow of
another language becomes Mermaid's, the original's header becomes a comment. The result never has more errors.
"""

import re
from collections.abc import Callable, Iterator

from memctl.canvas.chart import MOST_FAULTS, Fault, Flowchart
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.labels import find_extent, quote_inner
from memctl.canvas.source import SPACE, Source, prepare

Edit = tuple[int, int, str]  # from, to, what stands there instead; in the original

_MOST_ROUNDS = 30
_MOST_READ = 40_000_000  # characters that the faults of one round may read: each to the end of the text
_LONGEST_LINE = 1_000  # longer ones are left alone
_ARROW = re.compile(r"(?:-+>>|->|=>|→|⟶|➔|➜|⇒|⟹)(?=[ \t]*[^ \t\n|])")
_EDGE_WITH_TEXT = re.compile(
    r"""([^\n]*?(?:-->|---|-\.->|-\.-|==>|===))[ \t]*([A-Za-z0-9_.-]+(?:[(\[{][^\n:"]*[)\]}])?)"""
    r"""[ \t]*:[ \t]*([^\n;]*[^\n; ])[ \t]*;?"""
)
_TRAILING_COMMENT = re.compile(r"([ \t]*)([^\n]*?)[ \t]*(%%[^\n]*)")
_HEADER = re.compile(r"%%(\{[^\n]*\})[ \t]*%%[ \t]*(?=\n|\Z)")
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^\n]*(?:\n|\Z)")


def fix(text: str) -> str:
    """Give *text* with every sure repair made; the same text when there is none."""
    best = text.replace("\r\n", "\n").replace("\r", "\n")
    source = prepare(best)
    most = max(MOST_FAULTS, _MOST_READ // (len(best) + 1))
    chart = parse_flowchart(source, most)
    for _round in range(_MOST_ROUNDS):
        changed = _apply(source.original, _edits(source, chart))
        if changed == source.original:
            break
        source = prepare(changed)
        repaired = parse_flowchart(source, most)
        if len(repaired.faults) > len(chart.faults):
            break
        best, chart = changed, repaired
    if best == text.replace("\r\n", "\n").replace("\r", "\n"):
        return text
    return best.replace("\n", "\r\n") if "\r\n" in text else best


def _apply(text: str, edits: list[Edit]) -> str:
    """Make *edits*; of two that touch, the first in the text counts."""
    chosen: list[Edit] = []
    for edit in sorted(set(edits)):
        if not chosen or edit[0] >= chosen[-1][1]:
            chosen.append(edit)
    pieces: list[str] = []
    at = 0
    for start, end, instead in chosen:
        pieces += (text[at:start], instead)
        at = end
    return "".join((*pieces, text[at:]))


def _edits(source: Source, chart: Flowchart) -> list[Edit]:
    edits = [edit for fault in chart.faults for edit in _FIXES.get(fault.what, _nothing)(source, fault)]
    return edits + list(_escaped_directions(source, chart)) + list(_empty_comments(source, chart))


def _nothing(source: Source, fault: Fault) -> Iterator[Edit]:
    del source, fault
    yield from ()


def _line(source: Source, at: int) -> tuple[int, int]:
    """Give where the line of the original around *at* begins and ends."""
    text = source.original
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def _first_line(source: Source, fault: Fault) -> Iterator[Edit]:
    text = source.original
    begin = source.origin(fault.at)
    if found := _HEADER.match(text, begin):
        yield begin, found.end(), f"%% {found[1]}"
    elif found := _FENCE_LINE.match(text, begin):
        yield begin, found.end(), ""
        last = text.rstrip(SPACE).rfind("\n") + 1
        if closing := _FENCE_LINE.match(text, last):
            yield last, closing.end(), ""
    elif source.kind.lower() in {"flowchart", "graph"}:
        start = text.find(source.kind)
        yield start, start + len(source.kind), source.kind.lower()
    elif text.strip() and not parse_flowchart(prepare("flowchart TD\n" + text)).faults:
        yield begin, begin, "flowchart TD\n"


def _direction(source: Source, fault: Fault) -> Iterator[Edit]:
    found = re.compile(rf"[{SPACE}]*(lr|rl|tb|bt|td)\b", re.IGNORECASE).match(
        source.original, source.origin(fault.at)
    )
    if found:
        yield *found.span(1), found[1].upper()


def _label(source: Source, fault: Fault) -> Iterator[Edit]:
    text = source.original
    opened = source.origin(fault.opened)
    if text[opened - 1 : opened + 1] == "->":
        yield from _arrow(source, opened - 1)
        return
    extent = find_extent(text, opened)
    if extent:
        yield extent.start, extent.end, extent.quoted()


def _arrow(source: Source, at: int) -> Iterator[Edit]:
    found = _ARROW.match(source.original, at)
    if found:
        before = " " if source.original[at - 1 : at] not in {"", " ", "\t"} else ""
        after = " " if source.original[found.end()] not in " \t" else ""
        yield at, found.end(), f"{before}-->{after}"


def _after_nodes(source: Source, fault: Fault) -> Iterator[Edit]:
    text = source.original
    at = source.origin(fault.at)
    start, end = _line(source, at)
    if edits := list(_arrow(source, at)):
        yield from edits
    elif end - start > _LONGEST_LINE:
        return
    elif text.startswith("%%", at) and (found := _TRAILING_COMMENT.fullmatch(text, start, end)):
        yield start, end, f"{found[1]}{found[3]}\n{found[1]}{found[2]}"
    elif found := _EDGE_WITH_TEXT.fullmatch(text, start, end):
        yield start, end, f'{found[1]}|"{quote_inner(found[3])}"| {found[2]}'


def _at_sign(source: Source, fault: Fault) -> Iterator[Edit]:
    if fault.found != "LINK_ID":
        return
    text = source.original
    begin = source.origin(fault.at)
    sign = text.find("@", begin)
    opened = next((at for at in range(begin, sign) if text[at] in "[({|"), -1)
    if opened < 0 and text[begin - 1 : begin] and text[begin - 1] in "[({|":
        opened = begin - 1
    extent = find_extent(text, opened) if opened >= 0 else None
    if extent:
        yield extent.start, extent.end, extent.quoted()


def _space(source: Source, fault: Fault) -> Iterator[Edit]:
    begin = source.origin(fault.at)
    end = begin
    while source.original[end : end + 1] in {" ", "\t"}:
        end += 1
    yield begin, end, " "


def _one_space_each(source: Source, fault: Fault) -> Iterator[Edit]:
    """Bring a statement such as `class A  b ` to one space between its words and none after them."""
    start, end = _line(source, source.origin(fault.opened))
    if end - start > _LONGEST_LINE:
        return
    line = source.original[start:end]
    body = line.strip()
    tidy = line[: len(line) - len(line.lstrip())] + re.sub(
        r"[ \t]+(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)", " ", body
    )
    if tidy != line:
        yield start, end, tidy


def _escaped_directions(source: Source, chart: Flowchart) -> Iterator[Edit]:
    for _kind, start, _end in chart.lines:
        begin, end = _line(source, source.origin(start) + (source.text[start] == "\n"))
        line = source.original[begin:end]
        at = line.find("direction")
        if at >= 0 and line[:at].count('"') % 2:
            yield begin + at, begin + at + 1, "#100;"


def _empty_comments(source: Source, chart: Flowchart) -> Iterator[Edit]:
    if "%%" in chart.vertices:
        for found in re.finditer(r"(?m)^[ \t]*%%[ \t]*(?:\n|\Z)", source.original):
            yield *found.span(), ""


_FIXES: dict[str, Callable[[Source, Fault], Iterator[Edit]]] = {
    "first line": _first_line,
    "direction": _direction,
    "label": _label,
    "empty label": _label,
    "edge label": _label,
    "edge label space": _space,
    "after nodes": _after_nodes,
    "statement": _at_sign,
    "target": _at_sign,
    "class": _one_space_each,
    "click": _one_space_each,
    "classDef": _one_space_each,
    "style": _one_space_each,
    "linkStyle": _one_space_each,
}
