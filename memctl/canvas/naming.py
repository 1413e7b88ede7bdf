"""The title of a node: what was done and to what, never "tool call 12" (DESIGN 4.2)."""

import re

from memctl.canvas.cards import CHANGING, READING, Card
from memctl.canvas.pieces import SEPARATOR, TITLE, listed, plain, short_file
from memctl.summarize.targets import NAMELESS
from memctl.text.widths import one_line

_COMMANDS = ("ls ", "find ", "mkdir ", "tree ", "diff ", "mv ", "cp ", "rm ", "patch ", "sed ")
_VERSIONING = re.compile(r"(?:git|gh|jj|hg|svn|glab)\b")
_TOOL_NAME = re.compile(r"[a-z]+(?:_[a-z]+)+")
_LINES = re.compile(r"(?:edit|insert)?[ \d:,-]*(?:\d+:\d+ \S+)?")
_CHANGED = re.compile(r"(?:^|[( ])([^\s()]*\w\.[A-Za-z]\w{0,9})(?= [+-]\d|: not )")


def title(card: Card) -> str:
    """Name a node after its plan item, else after its calls: "edit auth.ts", "read core.py, models.py"."""
    if card.item is not None:
        return one_line(plain(card.item), TITLE)
    if nameless(card) and card.about:
        changed = any(fact.text.startswith(f"{card.about} changed") for fact in card.facts)
        return one_line(plain(f"{card.about} changed" if changed else card.about), TITLE)
    if nameless(card) and card.facts:
        return one_line(f"result: {plain(card.facts[-1].text)}", TITLE // 2)
    pieces = []
    for kind in card.kinds:
        if kind != "plan":
            targets = [changed_file(card, target) for target, of in card.targets.items() if of == kind]
            pieces.append(_done_to(kind, targets))
    return one_line(SEPARATOR.join(pieces) or "plan", TITLE)


def nameless(card: Card) -> bool:
    """Say whether a node stands for results alone, whose calls the transcript does not have."""
    return set(card.targets) == {NAMELESS}


def _done_to(kind: str, targets: list[str]) -> str:
    """Say what was done to *targets*; a command that says itself what it does stands alone."""
    if kind in READING | CHANGING:
        names = dict.fromkeys(short_file(name) for target in targets for name in target.split(", "))
        said = listed(list(names), TITLE - 10)
    else:
        said = listed([plain(target) for target in targets], TITLE - 10)
    verb = _verb(kind, said)
    return said if said.startswith((verb, *_COMMANDS)) else f"{verb} {said}".strip()


def _verb(kind: str, said: str) -> str:
    if kind == "vcs":
        return "" if _VERSIONING.match(said) else "git"
    if kind == "web":
        if _TOOL_NAME.fullmatch(said):  # without arguments the tool is all there is to say
            return ""
        return "open" if "/" in said and " " not in said else "search web:"
    return {"agent": "agent:", "mcp": "", "other": ""}.get(kind, kind)


def names_lines(target: str) -> bool:
    """Say whether a change names only lines of the file that is open (`edit 10:20`)."""
    return _LINES.fullmatch(target) is not None


def changed_file(card: Card, target: str) -> str:
    """Give the file that a change touched, from its result where its call names only lines."""
    if names_lines(target):
        found = (_CHANGED.search(fact.text) for fact in card.facts if fact.target == target)
        return next((match[1] for match in found if match), target)
    return target


def without_file(text: str) -> str:
    """Drop the path in front of what a change did to it."""
    match = _CHANGED.match(text)
    return text[match.end() :].lstrip(": ") if match else text
