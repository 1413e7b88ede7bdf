"""`memctl validate`: what Mermaid would say to a flowchart, and what it would draw without a part of it.

Codes are stable: MMD1xx are errors (Mermaid refuses the text), MMD2xx warnings (it draws, but not what is
written), MMD3xx notes (not checked). Verdicts are those of Mermaid 11.16 (DESIGN 9).
"""

import re
from dataclasses import replace
from typing import Literal

from memctl.canvas.chart import MOST_FAULTS
from memctl.canvas.faults import Finding, explain_fault
from memctl.canvas.flowchart import parse_flowchart
from memctl.canvas.losses import find_losses
from memctl.canvas.markdown import find_fences, replace_fence
from memctl.canvas.repair import fix
from memctl.canvas.shapes import read_yaml
from memctl.canvas.source import Source, prepare
from memctl.model import Problem

__all__ = ["fences", "fix", "fix_markdown", "validate", "validate_markdown"]

_SEVERITIES: dict[str, Literal["error", "warning", "note"]] = {"1": "error", "2": "warning", "3": "note"}
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
    for fence in reversed(find_fences(markdown)):
        fixed = fix(fence.text)
        if fixed != fence.text:
            markdown = replace_fence(markdown, fence, fixed)
    return markdown


def fences(markdown: str) -> list[tuple[int, str]]:
    """Give the Mermaid fences of *markdown*: the line (from 1) each text begins on, and the text."""
    return [(fence.line, fence.text) for fence in find_fences(markdown)]


def _findings(source: Source) -> list[Finding]:
    if source.kind in _OTHER_TYPES or _NEWER_TYPE.fullmatch(source.kind):
        return [(source.kind_at, "MMD301", f"not checked: {source.kind} is not a flowchart", "")]
    if source.kind == "---":
        message = "front matter that is not closed, or not at the very start"
        return [(source.kind_at, "MMD123", message, "write '---' on a line of its own before and after it")]
    if source.c4_at is not None:
        word = source.text[source.c4_at : source.c4_at + 12].split()[0]
        message = f"Mermaid takes the whole text for a C4 diagram because of the word {word!r}"
        return [(source.c4_at, "MMD124", message, "write #67;4 for C4")]
    chart = parse_flowchart(source)
    found = [explain_fault(source, fault) for fault in chart.faults]
    if len(chart.faults) >= MOST_FAULTS:
        found.append((chart.faults[-1].at, "MMD303", f"stopped after {MOST_FAULTS} errors", ""))
    return found + find_losses(source, chart)


def _front_matter(yaml: str, line: int, path: str) -> list[Problem]:
    fault = read_yaml(yaml)[1]
    return (
        [Problem(path, line, 1, "MMD123", f"the front matter is not YAML: {fault}", "error")] if fault else []
    )
