"""What a fault of the grammar means to the person who wrote the text: code, place, message, remedy."""

import re
from collections.abc import Callable

from memctl.canvas.chart import MOST_LINKS, Fault
from memctl.canvas.labels import find_extent
from memctl.canvas.source import SPACE, Source, decode_entities

Finding = tuple[int, str, str, str]  # offset in the source's text, code, message, hint

_KEYWORDS = {
    "end": "end",
    "GRAPH": "graph",
    "subgraph": "subgraph",
    "STYLE": "style",
    "CLASS": "class",
    "CLASSDEF": "classDef",
    "LINKSTYLE": "linkStyle",
    "CLICK": "click",
    "INTERPOLATE": "interpolate",
    "HREF": "href",
}
_ARROWS = re.compile(r"-+>>|->|=+>|[→⟶➔➜⇒⟹]|<-(?!-)|--?")
_FORMS = {
    "style": "style A fill:#f9f,stroke:#333",
    "classDef": "classDef name fill:#f9f,stroke:#333",
    "class": "class A,B name",
    "linkStyle": "linkStyle 0 stroke:red",
    "click": 'click A "https://example.org" "tooltip"',
}


def explain_fault(source: Source, fault: Fault) -> Finding:
    """Say what *fault* is; the place is where the writer will look for it."""
    explain = _EXPLAIN.get(fault.what, _other)
    return explain(source, fault)


def _word(source: Source, at: int) -> str:
    """Give the word at *at*, for a message."""
    found = re.match(rf"[^{SPACE}]{{1,20}}", source.text[at : at + 20])
    return decode_entities(found[0]) if found else "the end of the line"


def _first_line(source: Source, fault: Fault) -> Finding:
    line = source.text[: source.text.find("\n")]
    if line.startswith("%%{"):
        return fault.at, "MMD122", "Mermaid reads '%%{' as a directive", "write '%% {' with a space"
    if line.startswith(("```", "~~~")):
        return fault.at, "MMD126", "a code fence is not part of the diagram", "remove the fence lines"
    if line.startswith("<<<<<<<"):
        return _conflict(fault.at)
    message = f"a flowchart begins with 'flowchart TD', not with {_word(source, fault.at)!r}"
    return fault.at, "MMD101", message, "put 'flowchart TD' first"


def _direction(source: Source, fault: Fault) -> Finding:
    at = fault.at
    while source.text[at] in SPACE and at < len(source.text) - 1:
        at += 1
    return at, "MMD102", f"unknown direction {_word(source, at)!r}", "one of TB, TD, BT, LR, RL"


def _after_direction(source: Source, fault: Fault) -> Finding:
    message = f"{_word(source, fault.at)!r} on the line of the direction"
    return fault.at, "MMD103", message, "put it on a line of its own"


def _label(source: Source, fault: Fault) -> Finding:
    text = source.text
    extent = find_extent(text, fault.opened)
    hint = f"write {extent.quoted()}" if extent and len(extent.inner) <= 60 else 'write ["..."]'
    over_lines = text.find("\n", fault.opened, fault.at) >= 0
    rest = text[fault.opened : fault.opened + 4].lstrip("[({/\\|>-")
    if rest.startswith('"`') and fault.found in {"ERROR", "STR", "END", "EOF"}:
        return fault.opened, "MMD108", 'a label that begins with "` is Markdown and must end in `"', hint
    if over_lines and not extent:
        closer = "the quote" if rest.startswith('"') else f"the {text[fault.opened]!r}"
        return (
            fault.opened,
            "MMD106",
            f"{closer} that begins this label is never closed",
            "close it on this line",
        )
    char = text[fault.at : fault.at + 1]
    if fault.found == "STR":
        quote = text.rfind('"', fault.opened, fault.at)
        hint = hint if extent else "write #quot; for a quote"
        return max(quote, fault.opened), "MMD105", "a quote inside a label", hint
    if fault.found in {"NEWLINE", "EOF", "END"}:
        return (
            fault.opened,
            "MMD106",
            f"the {text[fault.opened]!r} that begins this label is never closed",
            hint,
        )
    return fault.at, "MMD104", f"unquoted {decode_entities(char)!r} in a label", hint


def _empty_label(source: Source, fault: Fault) -> Finding:
    extent = find_extent(source.text, fault.opened)
    hint = f'write {extent.opener}" "{extent.closer}' if extent else 'write [" "]'
    return fault.opened, "MMD107", "an empty label", hint


def _edge_label_space(source: Source, fault: Fault) -> Finding:
    del source
    return fault.at, "MMD111", "more than one space after the label of an edge", "leave one space"


def _edge_text(source: Source, fault: Fault) -> Finding:
    del source
    if fault.found in {"EOF", "END"}:
        return fault.opened, "MMD109", "an edge whose text has no arrow after it", 'write -->|"text"|'
    return fault.at, "MMD111", "the text of an edge cannot hold this", 'write -->|"text"|'


def _target(source: Source, fault: Fault) -> Finding:
    if fault.found in _KEYWORDS:
        return _reserved(source, fault)
    if fault.found == "LINK_ID":
        return _at_sign(source, fault)
    if fault.found in {"NEWLINE", "EOF", "END", "SEMI", "SPACE"}:
        return fault.at, "MMD110", "an edge without a node at its end", "name the node after the arrow"
    if fault.found in {"LINK", "START_LINK"}:
        return (
            fault.at,
            "MMD109",
            "two arrows in a row",
            "write one arrow between two nodes, such as A x--x B",
        )
    return fault.at, "MMD110", f"expected a node after the arrow, not {_word(source, fault.at)!r}", ""


def _reserved(source: Source, fault: Fault) -> Finding:
    word = _KEYWORDS[fault.found]
    if word == "end":
        return fault.at, "MMD112", "'end' is a reserved word and cannot name a node", 'write e["end"], or End'
    del source
    return (
        fault.at,
        "MMD112",
        f"{word!r} is a reserved word and cannot name a node",
        f"write {word}_ or another name",
    )


def _at_sign(source: Source, fault: Fault) -> Finding:
    text = source.text
    at = text.find("@", fault.at)
    opened = next((place for place in range(fault.at, at) if text[place] in "[({|"), -1)
    if opened < 0:
        return at, "MMD104", "'@' here is read as the name of an edge", "write the text in quotes"
    extent = find_extent(text, opened)
    hint = f"write {extent.quoted()}" if extent and len(extent.inner) <= 60 else 'write ["..."]'
    return at, "MMD104", "unquoted '@' in a label", hint


def _statement(source: Source, fault: Fault) -> Finding:
    if fault.found == "end":
        return fault.at, "MMD113", "'end' without a subgraph", "remove it"
    if fault.found in _KEYWORDS and fault.found != "HREF":
        return _reserved(source, fault)
    if fault.found == "LINK_ID":
        return _at_sign(source, fault)
    if fault.found in {"LINK", "START_LINK"}:
        if source.text[fault.at : fault.at + 1] == "\n":
            return (
                fault.at,
                "MMD109",
                "'x' or 'o' at the start of a line is read as a part of the arrow",
                "rename it",
            )
        return fault.at, "MMD110", "an arrow without a node before it", "name the node before the arrow"
    if source.text.startswith(("<<<<<<<", "=======", ">>>>>>>"), fault.at):
        return _conflict(fault.at)
    if fault.found == "ERROR":
        return _character(source, fault)
    return fault.at, "MMD199", f"{_word(source, fault.at)!r} cannot begin a statement", ""


def _after_nodes(source: Source, fault: Fault) -> Finding:
    text = source.text
    line = text[fault.at : text.find("\n", fault.at)]
    arrow = _ARROWS.match(line)
    if arrow and fault.found in {"ERROR", "MINUS", "NODE_STRING", "TAGEND", "TAGSTART", "START_LINK"}:
        return fault.at, "MMD109", f"{arrow[0]!r} is not an arrow", "write -->"
    before = text[fault.opened : fault.at]
    if ":" in before[before.rfind(">") :] and any(mark in before for mark in ("--", "==", "-.")):
        return fault.at, "MMD116", "text after an edge", 'write A -->|"text"| B'
    if before.rstrip(SPACE).endswith("-") and line.startswith(">"):
        return fault.at - 1, "MMD109", "'->' is not an arrow", "write -->"
    if fault.found == "ERROR":
        return _character(source, fault)
    if fault.found in _KEYWORDS:
        return _reserved(source, fault)
    if line.startswith("%%"):
        return fault.at, "MMD116", "a comment after a statement", "put the comment on a line of its own"
    message = f"{_word(source, fault.at)!r} after a node without an arrow between"
    return fault.at, "MMD116", message, "write one statement per line"


def _character(source: Source, fault: Fault) -> Finding:
    char = decode_entities(source.text[fault.at : fault.at + 1])
    return fault.at, "MMD117", f"{char!r} is not allowed here", 'put it into a label: id["text"]'


def _subgraph(source: Source, fault: Fault) -> Finding:
    del source
    return fault.opened, "MMD114", "this subgraph is never closed", "write 'end' after its nodes"


def _subgraph_title(source: Source, fault: Fault) -> Finding:
    if fault.found in {"NEWLINE", "SEMI", "EOF", "END"}:
        return fault.opened, "MMD115", "a subgraph without a title", 'write subgraph id["title"]'
    message = f"the title of a subgraph cannot hold {_word(source, fault.at)!r}"
    return fault.at, "MMD115", message, 'write subgraph id["title"]'


def _form(source: Source, fault: Fault) -> Finding:
    del source
    return fault.at, "MMD118", f"not a {fault.what} statement", f"write {_FORMS[fault.what]}"


def _link_number(source: Source, fault: Fault) -> Finding:
    del source
    return (
        fault.opened,
        "MMD119",
        f"there is no edge {fault.text} before this line",
        "edges are counted from 0",
    )


def _shape_data(source: Source, fault: Fault) -> Finding:
    del source
    return fault.opened, "MMD120", f"the data of the node cannot be read: {fault.text}", ""


def _links(source: Source, fault: Fault) -> Finding:
    del source
    return fault.opened, "MMD121", f"more than {MOST_LINKS} edges", "split the diagram"


def _class_name(source: Source, fault: Fault) -> Finding:
    return (
        fault.at,
        "MMD118",
        f"expected the name of a class after ':::', not {_word(source, fault.at)!r}",
        "",
    )


def _ampersand(source: Source, fault: Fault) -> Finding:
    del source
    return fault.opened, "MMD116", "'&' between nodes needs a space on both sides", "write A & B"


def _conflict(at: int) -> Finding:
    return at, "MMD125", "a git conflict marker", "resolve the merge"


def _other(source: Source, fault: Fault) -> Finding:
    return fault.at, "MMD199", f"{_word(source, fault.at)!r} is not allowed here", ""


_EXPLAIN: dict[str, Callable[[Source, Fault], Finding]] = {
    "first line": _first_line,
    "direction": _direction,
    "after direction": _after_direction,
    "statement": _statement,
    "after nodes": _after_nodes,
    "target": _target,
    "edge": _edge_text,
    "edge text": _edge_text,
    "edge label": _label,
    "edge label space": _edge_label_space,
    "label": _label,
    "empty label": _empty_label,
    "class name": _class_name,
    "ampersand": _ampersand,
    "shape data": _shape_data,
    "links": _links,
    "subgraph": _subgraph,
    "subgraph title": _subgraph_title,
    "linkStyle number": _link_number,
    **dict.fromkeys(_FORMS, _form),
}
