"""Mermaid fences in Markdown: where they are, what they hold, and how to put something else there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# A fence may stand in quotes and in list items; its lines then begin with what the first line begins with.
_OPENING = re.compile(
    r"((?:[ \t]{0,12}>)*+(?:[ \t]{0,40}+(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*+[ \t]{0,40})"
    r"(`{3,}|~{3,})[ \t]*([^`\n]*)"
)
_MERMAID = re.compile(r"\{?\.?mermaid\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced Mermaid diagram: the line (from 1) its text begins on, and how much each line is indented."""

    line: int
    text: str
    indents: tuple[int, ...]


def find_fences(markdown: str) -> list[Fence]:
    """Find the Mermaid fences of *markdown*; a fence that is not closed runs to the end."""
    lines = markdown.replace("\r\n", "\n").split("\n")
    found = []
    at = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        at += 1
        if not opening:
            continue
        prefix, fence, info = opening.groups()
        first = at
        texts: list[str] = []
        indents: list[int] = []
        while at < len(lines):
            indent = _indent(lines[at], prefix)
            line = lines[at][indent:]
            at += 1
            if line.lstrip(" \t").startswith(fence) and not line.strip(" \t").strip(fence[0]):
                break
            if ">" in prefix and not lines[at - 1].lstrip(" \t").startswith(">"):
                at -= 1  # the quote ends, and the fence in it
                break
            texts.append(line)
            indents.append(indent)
        if _MERMAID.match(info):
            found.append(Fence(first + 1, "\n".join(texts), tuple(indents)))
    return found


def replace_fences(markdown: str, instead: Sequence[tuple[Fence, str]]) -> str:
    """Put other texts where fences, in their order, have their own.

    Lines keep their indents, new ones take that of the first.
    """
    ending = "\r\n" if "\r\n" in markdown else "\n"
    lines = markdown.replace("\r\n", "\n").split("\n")
    told: list[str] = []
    at = 0
    for fence, text in instead:
        start, end = fence.line - 1, fence.line - 1 + len(fence.indents)
        old = fence.text.split("\n") if fence.indents else []
        prefix = lines[start][: fence.indents[0]] if fence.indents else ""
        kept = dict(zip(old, lines[start:end], strict=True))
        told += lines[at:start]
        told += [kept.get(line, prefix + line) for line in text.split("\n")]
        at = end
    return ending.join(told + lines[at:])


def _indent(line: str, prefix: str) -> int:
    """Count the characters of *line* that stand for *prefix*: its quote signs, and blanks for the rest."""
    at = 0
    for char in prefix:
        if at >= len(line):
            break
        if char == ">":
            quote = line.find(">", at)
            if quote < 0 or line[at:quote].strip(" \t"):
                break
            at = quote + 1
        elif line[at] in " \t":
            at += 1
        elif char not in " \t-*+.)0123456789":
            break
    return at
