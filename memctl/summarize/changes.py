"""What an edit changes: lines added and taken away, and the part that tells them apart."""

from dataclasses import dataclass

from memctl.summarize.definitions import definitions
from memctl.summarize.outcomes import telling
from memctl.summarize.patterns import regex
from memctl.summarize.wording import clip, joined

_LONGEST = 100_000  # characters of each side of an edit that are compared
_COMPARED = 8  # lines of each side that are compared with each other
_ALIKE = 0.34  # share of words in common from which a line counts as the other, changed
_SHORTEST = 30  # characters of a replaced part
_LIGHT = ("//", "#", "*", "/*", "import ", "from ", '"', '"""', "--", "<!--")
_LINE, _MOST_LINES = 90, 400  # characters of one line of several, lines that are looked at
_TELLING_LINE = 6
_NEXT, _WITH = " / ", ": "
_NUMBER = regex(r"(?<![\w.])(?:0x[0-9a-fA-F]+|\d{2,})\b")
_QUOTED = regex(r"[\"'][^\"'\n]{3,}[\"']")
_NAMED_VALUE = regex(
    r"(?:(?:const|let|var|export|final|static|self\.)[ .]?)?[\w.\[\]\"']{1,60}(?: ?: ?\w[\w\[\], ]{0,40})? ?[+|]?= ?\S"
)
_FRAME = regex(
    r"(?:try|else|finally|except\b[^:]{0,60}|pass|break|continue|while True|if __name__ ?==[^:]{0,40}):?$"
)
_WORD = regex(r"\w+")
_TOKEN = regex(
    r"\w+(?:[.-]\w+)*|\s+|//+|:=|=>|->|==+|&&|\|\||[^\w\s]"
)  # a dotted name is one, and an operator
_OPEN, _CLOSE = "([{", ")]}"
_CLOSERS = 4  # pieces behind a cut that are taken with it when they close what it opened
_GIVEN = frozenset([":=", "=", "=>", "->"])  # no part begins with one
_BACK = 2  # pieces before it: the name that it gives a value
_BROKEN_START = regex(r"[^\w\s(\[{\"'`@#/$<*.&~!^+-]|\(\)")  # what no expression begins with
_BROKEN_END = regex(r"(?:[(\[{=,|&+*/<-]|:=|=>|->)\s*\Z")


@dataclass(frozen=True, slots=True)
class Change:
    """One edit: the lines it takes away and those it adds, without the lines that both sides share."""

    taken: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def size(self) -> str:
        """Its size: `+4 -1`."""
        return f"+{len(self.added)} -{len(self.taken)}"

    @property
    def telling(self) -> bool:
        """Whether it says more than that white space differs, or a letter."""
        return any(len(line.strip()) >= _TELLING_LINE for line in (*self.added, *self.taken))


def change(old: str, new: str) -> Change:
    """Compare the two sides of an edit by the lines they share at their beginning and end."""
    before, after = old[:_LONGEST].split("\n") if old else [], new[:_LONGEST].split("\n") if new else []
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Change(tuple(before[start : len(before) - end]), tuple(after[start : len(after) - end]))


def patch_change(lines: list[str]) -> Change:
    """Read the `+` and `-` lines of a patch."""
    added = tuple(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++"))
    taken = tuple(line[1:] for line in lines if line.startswith("-") and not line.startswith("---"))
    return Change(taken, added)


def told(changed: Change, room: int) -> str:
    """Say what a change does in at most *room* characters: what becomes what, or what is added or removed."""
    taken = [" ".join(line.split()) for line in changed.taken if telling(line)]
    added = [" ".join(line.split()) for line in changed.added if telling(line)]
    before, after = set(taken), set(added)
    gone, fresh = (
        [line for line in taken if line not in after],
        [line for line in added if line not in before],
    )
    if not gone and not fresh:
        return "white space only" if changed.added or changed.taken else "no change"
    defined, removed = _defined(fresh, gone), _defined(gone, fresh)
    if defined and removed:
        return clip(f"{joined(removed, room // 2)} → {joined(defined, room // 2 - 3)}", room)
    if defined:
        return _with_lines(
            f"adds {joined(defined, room - 5)}", [line for line in fresh if not definitions(line)], room
        )
    if removed and len(fresh) <= 1:
        return clip(f"removes {joined(removed, room - 8)}", room)
    if gone and fresh:
        old, new, alike = _nearest(gone[:_COMPARED], fresh[:_COMPARED])
        if alike >= _ALIKE or len(gone) == len(fresh) == 1:
            return replaced(old, new, room)
        said = f"adds {essential(fresh, room * 2 // 3)}"
        return (
            f"{said}; removes {clip(_best(gone), room - len(said) - 10)}" if len(said) < room - 25 else said
        )
    return clip(f"adds {essential(fresh, room - 5)}" if fresh else f"removes {_best(gone)}", room)


def essential(lines: list[str], room: int) -> str:
    """Give the lines that say most of a text, in order: those with values, calls and results of their own."""
    if len(lines) < 2:
        return clip(lines[0], room) if lines else ""
    shown = lines[:_MOST_LINES]
    ranked = sorted(range(len(shown)), key=lambda at: (-_saying(shown[at]), at))
    chosen: dict[int, str] = {}
    left = room
    for at in ranked:
        line = clip(shown[at], _LINE)
        if line in chosen.values() or (chosen and (len(line) > left or _saying(line) < 0)):
            continue
        chosen[at] = clip(line, left)
        left -= len(chosen[at]) + len(_NEXT)
        if left < _SHORTEST // 2:
            break
    return clip(_NEXT.join(chosen[at] for at in sorted(chosen)), room)


def _saying(line: str) -> int:
    """Say how much a line of code tells: numbers, quoted text and assignments more than its frame."""
    if line.startswith(_LIGHT) or len(line) < 4:
        return -2
    worth = 2 * (_NUMBER.search(line) is not None) + (_QUOTED.search(line) is not None)
    worth += 2 * (_NAMED_VALUE.match(line) is not None) + ("(" in line)
    return worth - 2 * (_FRAME.match(line) is not None)


def _with_lines(said: str, lines: list[str], room: int) -> str:
    """Put the line that says most behind what is *said*, where there is room for it."""
    left = room - len(said) - len(_WITH)
    best = max(lines, key=_saying, default="")
    if left < len(clip(best, _LINE)) or _saying(best) <= 1:
        return clip(said, room)
    return f"{said}{_WITH}{clip(best, _LINE)}"


def _defined(lines: list[str], others: list[str]) -> list[str]:
    """Return the names that *lines* define and *others* do not mention."""
    mentioned = "\n".join(others)
    return [name for name in definitions("\n".join(lines)) if name not in mentioned]


def _nearest(gone: list[str], fresh: list[str]) -> tuple[str, str, float]:
    """Return the old and the new line that share most of their words, and how much they share (0 to 1)."""
    best = (_best(gone), _best(fresh), 0.0)
    for old in gone:
        words = set(_WORD.findall(old[:500]))
        for new in fresh:
            others = set(_WORD.findall(new[:500]))
            alike = len(words & others) / max(1, len(words | others))
            if alike > best[2]:
                best = (old, new, alike)
    return best


def _best(lines: list[str]) -> str:
    """Return the line that says most: the first code line that is no comment or import, else the first."""
    return next((line for line in lines if not line.startswith(_LIGHT) and len(line) > 3), lines[0])


def _opens(tokens: list[str]) -> bool:
    """Say whether a bracket that is opened among *tokens* is not closed there."""
    return sum((token in _OPEN) - (token in _CLOSE) for token in tokens) > 0


def _cut(part: str, *, before: bool, behind: bool) -> str:
    """Mark a part of a line where it was cut in the middle of an expression."""
    torn = behind and (_opens(list(part)) or _BROKEN_END.search(part) is not None)
    start = "…" if before and part and _BROKEN_START.match(part) else ""
    return f"{start}{part.rstrip(', ')}…" if torn else f"{start}{part}"


def replaced(old: str, new: str, room: int) -> str:
    """Write `old → new`; of long lines only the words that differ, with a few around them."""
    half = (room - 3) // 2
    if len(old) + len(new) + 3 > min(room, 90):
        before, after = _TOKEN.findall(old[:2000]), _TOKEN.findall(new[:2000])
        shortest = min(len(before), len(after))
        start = end = 0
        while start < shortest and before[start] == after[start]:
            start += 1
        while end < shortest - start and before[-1 - end] == after[-1 - end]:
            end += 1
        start = max(0, start - 4)
        first = start + (start < shortest and before[start].isspace())
        if first < shortest and before[first] in _GIVEN:
            start = max(0, start - _BACK)
        length = len("".join(after[start : len(after) - end]))
        while end and length < _SHORTEST:  # `[ ] Add → [x] Add` says little without what follows
            end -= 1
            length += len(after[-1 - end])
        for _ in range(_CLOSERS):  # `int(x.total( → round(x.total(` is torn
            rest = after[len(after) - end :]
            sides = before[start : len(before) - end], after[start : len(after) - end]
            if not rest or rest[0][0] not in _CLOSE or not any(map(_opens, sides)):
                break
            end -= 1
        old, new = (
            _cut("".join(side[start : len(side) - end]).strip(), before=start > 0, behind=end > 0)
            for side in (before, after)
        )
    return f"{clip(old, max(half, room - 3 - len(new)))} → {clip(new, max(half, room - 3 - len(old)))}"
