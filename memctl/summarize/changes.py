"""What an edit changes: lines added and taken away, and the part that tells them apart."""

import re
from dataclasses import dataclass

from memctl.summarize.contents import definitions
from memctl.summarize.outcomes import telling
from memctl.summarize.wording import clip, joined

_LONGEST = 100_000  # characters of each side of an edit that are compared
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Change:
    """One edit: the lines it takes away and those it adds, without the lines that both sides share."""

    taken: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def size(self) -> str:
        """Its size: `+4 -1`."""
        return f"+{len(self.added)} -{len(self.taken)}"


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
    taken = [line.strip() for line in changed.taken if telling(line)]
    added = [line.strip() for line in changed.added if telling(line)]
    if len(taken) == 1 and len(added) == 1:
        return replaced(taken[0], added[0], room)
    defined = [name for name in definitions("\n".join(changed.added)) if name not in "\n".join(changed.taken)]
    removed = [name for name in definitions("\n".join(changed.taken)) if name not in "\n".join(changed.added)]
    if defined and removed:
        return clip(f"{joined(removed, room // 2)} → {joined(defined, room // 2 - 3)}", room)
    if defined:
        return clip(f"adds {joined(defined, room - 5)}", room)
    if removed and len(added) <= 1:
        return clip(f"removes {joined(removed, room - 8)}", room)
    fresh = [line for line in added if line not in taken]
    gone = [line for line in taken if line not in added]
    if fresh and gone:
        return replaced(_best(gone), _best(fresh), room)
    if fresh:
        return clip(f"adds {_best(fresh)}", room)
    if gone:
        return clip(f"removes {_best(gone)}", room)
    return "white space only" if changed.added or changed.taken else "no change"


def _best(lines: list[str]) -> str:
    """Return the line that says most: the first code line that is no comment or import, else the first."""
    code = [
        line
        for line in lines
        if not line.startswith(("//", "#", "*", "/*", "import ", "from ", '"""', "--")) and len(line) > 3
    ]
    return (code or lines)[0]


def replaced(old: str, new: str, room: int) -> str:
    """Write `old → new` with only the words that differ and one around them, when the lines are long."""
    half = (room - 3) // 2
    if len(old) + len(new) + 3 <= min(room, 90):
        return f"{old} → {new}"
    before, after = _TOKEN.findall(old[:2000]), _TOKEN.findall(new[:2000])
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    start, end = max(0, start - 4), max(0, end - 3)
    gone, fresh = (
        "".join(before[start : len(before) - end]).strip(),
        "".join(after[start : len(after) - end]).strip(),
    )
    if len(gone) + len(fresh) > len(old) + len(new) - 10:
        gone, fresh = old, new
    return f"{clip(gone, max(half, room - 3 - len(fresh)))} → {clip(fresh, max(half, room - 3 - len(gone)))}"
