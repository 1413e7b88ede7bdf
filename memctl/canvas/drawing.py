"""How a card is told as a node: its title, summary, status and shape."""

import re
from dataclasses import replace

from memctl.canvas.cards import CHANGING, READING, VERIFYING, Card, Fact, last_part
from memctl.model import Node, NodeStatus, Shape
from memctl.text.widths import one_line

TITLE = 72  # characters of a title; the arrow with the folded ids comes on top
SEPARATOR = " · "  # between the pieces of a title or summary; a semicolon would have to be escaped
SUMMARY = 150  # DESIGN 2.4
_SAME = 24  # characters in which two texts begin alike when one repeats the other
_CONCLUSION = 110  # of these for the agent's own sentence, when there are facts beside it
_CORRECTION = 70  # ... and for what the user corrected
_FAMILIAR = frozenset("index main mod lib init __init__ types page route readme package".split())
_MARKS = re.compile(r"^#+\s+|`+|\*\*|__(?=\s|\Z)")
_ESCAPED = re.compile(r"\\+([.()\[\]{}|+*?^$/\"'-])")  # in patterns that were searched for
_COMMANDS = (
    "ls ",
    "find ",
    "tree ",
    "diff ",
    "mv ",
    "cp ",
    "rm ",
    "patch ",
    "sed ",
)  # say themselves what they do
_LINES = re.compile(r"(?:edit|insert)?[ \d:,-]*")
_CHANGED = re.compile(r"(?:^|\()([^\s()]*\w\.[A-Za-z]\w{0,9})(?= [+-]\d|: not )")
_PREFIXES = re.compile(r"^(?:git|gh|jj|hg|svn|glab)\b")


def draw_node(card: Card, *, doing: bool, finished: bool) -> Node:
    """Draw *card*. doing: it is where its task stands; finished: its task has reached its goal."""
    return Node(
        card.number,
        title(card),
        status(card, doing=doing, finished=finished),
        summary(card),
        card.timestamp,
        shape(card),
    )


# --------------------------------------------------------------------------- title


def title(card: Card) -> str:
    """Name what was done and to what: "edit auth.ts", "test pytest -q", "read core.py, models.py"."""
    if card.item is not None:
        return one_line(card.item, TITLE)
    kinds = [kind for kind in card.kinds if kind != "plan"]
    if not kinds:
        return "plan"
    pieces = []
    for kind in kinds:
        targets = [_file(card, target) for target, of in card.targets.items() if of == kind]
        said = _joined(kind, targets)
        name = verb(kind, targets)
        pieces.append(said if said.startswith((name, *_COMMANDS)) else f"{name} {said}".strip())
    return one_line(SEPARATOR.join(pieces), TITLE)


def _file(card: Card, target: str) -> str:
    """Give the file that a change touched where its call names only lines of it (`edit 10:20`)."""
    if names_lines(target):
        found = (_CHANGED.search(fact.text) for fact in card.facts if fact.target == target)
        return next((match[1] for match in found if match), target)
    return target


def names_lines(target: str) -> bool:
    """Say whether a change names only lines of the file that is open."""
    return _LINES.fullmatch(target) is not None


def verb(kind: str, targets: list[str]) -> str:
    """Say what a kind of call does, in front of its target."""
    if kind == "vcs":
        return "" if targets and _PREFIXES.match(targets[0]) else "git"
    if kind == "web":
        return "open" if targets and "/" in targets[0] and " " not in targets[0] else "search web:"
    return {"agent": "agent:", "mcp": "", "other": "", "search": "search", "list": "list"}.get(kind, kind)


def _joined(kind: str, targets: list[str]) -> str:
    if kind in READING or kind in CHANGING:
        names = list(
            dict.fromkeys(name for target in targets for name in map(short_file, target.split(", ")))
        )
    else:
        names = list(map(plain, targets))
    text = names[0] if names else ""
    for at, name in enumerate(names[1:], 1):
        if len(text) + len(name) > TITLE - 14:
            return f"{text} +{len(names) - at}"
        text = f"{text}, {name}"
    return text


def short_file(path: str) -> str:
    """Give a file's own name, with its folder when many files are called so (`auth/index.ts`)."""
    if " " in path or "/" not in path:
        return path
    folder, _, name = path.rstrip("/").rpartition("/")
    return (
        f"{last_part(folder)}/{name}"
        if name.partition(".")[0].lower() in _FAMILIAR and folder
        else name or path
    )


# --------------------------------------------------------------------------- summary


def summary(card: Card) -> str:
    """Say in at most 150 characters what came of it: correction, conclusion, facts."""
    pieces: list[str] = []
    if card.corrections:
        pieces.append(one_line(f"user: {plain(card.corrections[-1])}", _CORRECTION))
    facts = _facts(card)
    concluded = plain(card.conclusion)
    failed = bool(facts) and facts[0].failed
    facts = [replace(fact, text=_without_words(fact.text, card.conclusion)) for fact in facts]
    if concluded and not failed:
        pieces.append(one_line(concluded, _CONCLUSION if facts else SUMMARY))
    for fact in facts:
        _add(pieces, plain(_without_target(fact.text, card)))
    if concluded and failed:
        _add(pieces, concluded)
    return one_line(SEPARATOR.join(pieces), SUMMARY)


def plain(text: str) -> str:
    """Take Markdown's marks away and straighten quotes: each would be written as an entity of five signs."""
    return _ESCAPED.sub(r"\1", _MARKS.sub("", text)).replace('"', "'")


def _facts(card: Card) -> list[Fact]:
    """Order the facts: failures first, then by weight, the latest first."""
    return sorted(card.facts, key=lambda fact: (not fact.failed, -fact.weight, -fact.order))[:3]


def _add(pieces: list[str], text: str) -> None:
    """Add *text* when it says something new and there is room for it to say it."""
    room = SUMMARY - sum(len(piece) + len(SEPARATOR) for piece in pieces)
    if text and room >= 24 and not any(text in piece or piece in text for piece in pieces):
        pieces.append(one_line(text, room))


def _without_words(text: str, conclusion: str) -> str:
    """Drop the agent's words from an entry's summary, where they stand beside its facts."""
    length = next(
        (at for at, (one, other) in enumerate(zip(text, conclusion, strict=False)) if one != other),
        min(len(text), len(conclusion)),
    )
    if length < _SAME and length < len(conclusion):
        return text
    return text[length:].strip(" ().…·;:")


def _without_target(text: str, card: Card) -> str:
    """Drop the target at the front of a summary: the title says it."""
    if len(card.targets) != 1 or card.item is not None:
        return text
    (target,) = card.targets
    match = _CHANGED.match(text)
    if match or text.startswith((f"{target}: ", f"{target} (", f"{target} +", f"{target}:", f"{target} in ")):
        return text[match.end() if match else len(target) :].lstrip(": ") or text
    return text


# --------------------------------------------------------------------------- status and shape


def status(card: Card, *, doing: bool, finished: bool) -> NodeStatus:
    """Say where a node stands: a failure that was never overcome is blocked, a call cut off paused."""
    if card.item is not None and card.state:
        if card.dropped and card.state != "done":
            return "paused"
        if card.state == "doing":
            return "done" if finished else "doing"
        return "done" if card.state == "done" else "todo"
    if card.failing:
        return "blocked"
    if doing:
        return "doing"
    return "paused" if card.pending and not finished else "done"


def shape(card: Card) -> Shape:
    """Choose the shape: what kind of step it was, or what it became (a finding, a dead end)."""
    kind = card.kind
    if card.led_nowhere and (card.failing or kind in CHANGING or kind == "run"):
        return "dead_end"
    if card.stores:
        return "store"
    kinds = card.kinds.keys()
    if kind in CHANGING or (card.item is not None and kinds & CHANGING):
        return "edit"
    if kind in VERIFYING or (card.item is not None and kinds & VERIFYING):
        return "verify"
    if len(card.users) >= 2 and not card.failing:
        return "finding"
    return "run" if kind == "run" else "read"
