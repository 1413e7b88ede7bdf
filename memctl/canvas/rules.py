"""`memctl validate`: what Mermaid would reject in a flowchart, and what it would silently drop.

Codes are stable: MMD1xx are errors (Mermaid refuses the text), MMD2xx warnings (it draws, but not what is
written), MMD3xx notes (not checked). Verdicts are those of Mermaid 11.16 (DESIGN 9), but for what a newer
one may know: a shape's name (MMD209) or a type of diagram (MMD301) that 11.16 refuses is no error here.
YAML is read as YAML 1.2; Mermaid's own reader differs in corners.
"""

import re
from dataclasses import replace
from typing import Literal

from memctl.canvas.chart import MOST_FAULTS
from memctl.canvas.faults import Finding, explain_fault
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.losses import find_losses
from memctl.canvas.markdown import find_fences, replace_fences
from memctl.canvas.repair import fix
from memctl.canvas.shapes import LONGEST_DATA, read_yaml
from memctl.canvas.source import Source, prepare
from memctl.model import Problem

__all__ = ["CODES", "fix", "fix_markdown", "validate", "validate_markdown", "why_left"]

CODES = {
    "MMD101": "no flowchart line",
    "MMD102": "unknown direction",
    "MMD103": "text on the line of the direction",
    "MMD104": "unquoted bracket or @ in a label",
    "MMD105": "quote inside a label",
    "MMD106": "label never closed",
    "MMD107": "empty label",
    "MMD108": "Markdown label not closed",
    "MMD109": "not a Mermaid arrow",
    "MMD110": "edge without a node",
    "MMD111": "text of an edge",
    "MMD112": "reserved word as a name",
    "MMD113": "end without subgraph",
    "MMD114": "subgraph without end",
    "MMD115": "title of a subgraph",
    "MMD116": "text between statements",
    "MMD117": "character outside labels",
    "MMD118": "form of a statement",
    "MMD119": "number of an edge",
    "MMD120": "data of a node",
    "MMD121": "more than 500 edges",
    "MMD122": "header read as a directive",
    "MMD123": "front matter",
    "MMD124": "word of a C4 diagram",
    "MMD125": "conflict marker",
    "MMD126": "code fence",
    "MMD199": "other syntax error",
    "MMD201": "letter read as the end of an arrow",
    "MMD202": "line read as a direction",
    "MMD203": "text dropped as HTML",
    "MMD204": "backslash n breaks the line",
    "MMD205": "second label of a node",
    "MMD206": "over 50,000 characters",
    "MMD207": "label read as a list",
    "MMD208": "empty comment drawn as a node",
    "MMD209": "unknown shape",
    "MMD210": "mismatched halves of an arrow",
    "MMD211": "style of an unknown node",
    "MMD212": "text drawn as a formula",
    "MMD213": "quotes inside a label not drawn",
    "MMD301": "another type of diagram",
    "MMD302": "data too long",
    "MMD303": "stopped after 100 errors",
}
_SEVERITIES: dict[str, Literal["error", "warning", "note"]] = {"1": "error", "2": "warning", "3": "note"}
_WHY_LEFT = dict.fromkeys(("MMD104", "MMD105", "MMD106", "MMD108"), "it is unclear where the label ends")
_WHY_LEFT |= dict.fromkeys(("MMD110", "MMD112"), "you have to choose the name of the node")
_OTHER_TYPES = frozenset(
    """
    C4Context C4Container C4Component C4Dynamic C4Deployment kanban classDiagram classDiagram-v2
    erDiagram gantt info pie requirement requirementDiagram sequenceDiagram stateDiagram stateDiagram-v2
    journey timeline mindmap gitGraph quadrantChart sankey sankey-beta packet packet-beta radar-beta
    block block-beta treeView-beta architecture architecture-beta xychart xychart-beta treemap
    treemap-beta swimlane-beta eventmodeling ishikawa ishikawa-beta venn-beta wardley-beta cynefin-beta
    railroad-beta railroad-ebnf-beta railroad-abnf-beta railroad-peg-beta zenuml
    """.split()
)

_NEWER_TYPE = re.compile(r"[a-z][A-Za-z0-9-]*(?:-beta|Diagram|Chart)")


def validate(text: str, path: str) -> list[Problem]:
    """Check *text* as one Mermaid flowchart; give the problems in the order of the text, *path* in each."""
    source = prepare(text)
    problems = [
        Problem(path, *source.place(at), code, message, _SEVERITIES[code[3]], hint)
        for at, code, message, hint in _findings(source)
    ]
    if source.front:
        problems += _front_matter(*source.front, path)
    return sorted(problems, key=lambda problem: (problem.line, problem.column, problem.code))


def validate_markdown(markdown: str, path: str) -> list[Problem]:
    """Check every Mermaid fence in *markdown*; lines and columns are those of the Markdown."""
    problems = []
    for fence in find_fences(markdown):
        for problem in validate(fence.text, path):
            at = min(problem.line, len(fence.indents)) - 1
            column = problem.column + (fence.indents[at] if fence.indents else 0)
            problems.append(replace(problem, line=problem.line + fence.line - 1, column=column))
    return problems


def fix_markdown(markdown: str) -> str:
    """Make every sure repair in the Mermaid fences of *markdown*."""
    fixed = [(fence, fix(fence.text)) for fence in find_fences(markdown)]
    changed = [(fence, text) for fence, text in fixed if text != fence.text]
    return replace_fences(markdown, changed) if changed else markdown


def why_left(problem: Problem) -> str:
    """Say why `fix` did not repair an error."""
    return _WHY_LEFT.get(problem.code, "the repair would be ambiguous")


def _findings(source: Source) -> list[Finding]:
    if source.kind in _OTHER_TYPES or _NEWER_TYPE.fullmatch(source.kind):
        return [(source.kind_at, "MMD301", f"not checked: {source.kind} is not a flowchart", "")]
    if source.kind == "---":
        message = "front matter that is not closed, or not at the very start"
        return [(source.kind_at, "MMD123", message, "write '---' on a line of its own before and after it")]
    if source.c4_at is not None:
        word = source.text[source.c4_at : source.c4_at + 12].split()[0]
        message = f"Mermaid reads the whole text as a C4 diagram because of the word {word!r}"
        return [(source.c4_at, "MMD124", message, "write #67;4 for C4")]
    chart = parse_flowchart(source)
    found = [explain_fault(source, fault) for fault in chart.faults]
    found += [(at, "MMD302", "not checked: data too long to be read", "") for at in chart.unchecked]
    if len(chart.faults) >= MOST_FAULTS:
        found.append((chart.faults[-1].at, "MMD303", f"stopped after {MOST_FAULTS} errors", ""))
    return found + find_losses(source, chart)


def _front_matter(yaml: str, line: int, path: str) -> list[Problem]:
    if len(yaml) > LONGEST_DATA:
        return [Problem(path, line, 1, "MMD302", "not checked: front matter too long to be read", "note")]
    fault = read_yaml(yaml)[1]
    return (
        [Problem(path, line, 1, "MMD123", f"the front matter is not YAML: {fault}", "error")] if fault else []
    )
