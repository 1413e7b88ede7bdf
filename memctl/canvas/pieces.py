"""The pieces of text that nodes are made of: how long, how joined, how plain, and which say little."""

import re

from memctl.summarize.wording import clause

TITLE = 72  # characters of a title; the arrow with the folded ids comes on top
SUMMARY = 300  # characters of a summary where there is room
LONGEST = 420  # ... of one that stands for many nodes, or that tells how it ended
USUAL = 150  # ... where a canvas would be too long otherwise (DESIGN 2.4)
SEPARATOR = " · "  # between the pieces of a title or summary; a semicolon would have to be escaped

AGAIN = "this time "
"""Stands before how a call differs from one that looks the same: worth its words only on the node itself."""
EARLIER = "earlier "
"""Stands before what failed and was overcome since: the latest state is what a node tells first."""

PARTICULAR = re.compile(r"[#$€£¥%\d]|[a-z_][A-Z_]|\w[./]\w|`")
"""What only speaks of something particular: a number, an amount, a name in code, a path."""

_HALF = 44  # characters of a piece below which it is torn
_SPEECH = 70  # ... of the user's words: what they correct stands behind "no, that is wrong"
_KEPT = re.compile(r"(?:then )?user: |closing: ")
_MARKS = re.compile(r"^#+\s+|`+|(?<![\w)\]])\*\*(?=\S)|(?<=\S)\*\*(?![\w(\[])")  # but no power: `x**2`
_SLIP = re.compile(
    r"File has not been|String to replace not found|has been modified since|Could not find the exact text"
    r"|old[_ ]?(?:text|string|str) (?:must|was not|not|did)|matches of the string to replace|must be unique"
)
_ESCAPED = re.compile(r"\\+([.()\[\]{}|+*?^$/\"'-])")  # in patterns that were searched for
_DULL = re.compile(
    r"(?:^|: )\d[\d,]* (?:lines?|files?|entries|matches|bytes)\b|no match|no output|^(?:copied|wrote|ok)\b"
)
# Names so frequent that the folder says which is meant.
_FAMILIAR = frozenset("index main mod lib init __init__ types page route readme package".split())


def plain(text: str) -> str:
    """Take Markdown's marks away and straighten quotes: each would be written as an entity of five signs."""
    return _ESCAPED.sub(r"\1", _MARKS.sub("", text)).replace('"', "'")


def is_dull(text: str) -> bool:
    """Say whether a summary only counts: how many lines, no match, no output. The entries have that."""
    return _DULL.search(text) is not None


def is_slip(text: str) -> bool:
    """Say whether a failure is only a slip of the agent's, which it sets right at once."""
    return _SLIP.search(text) is not None


def says_nothing(text: str) -> bool:
    """Say whether a summary tells no more than that it was done: `edited`."""
    return len(text) <= len("overwritten") and text.isalpha() and text.isascii()


def trimmed(summary: str, limit: int) -> str:
    """Cut a summary to *limit* characters piece by piece, so that none is lost to a long one before it.

    What the user corrected, closing words and causes keep twice as much; the last pieces go first when
    each would be torn.
    """
    if len(summary) <= limit:
        return summary
    pieces = summary.split(SEPARATOR)
    while len(pieces) > 1:
        rooms = _rooms(pieces, limit - len(SEPARATOR) * (len(pieces) - 1))
        if all(room >= min(_least(piece), len(piece)) for room, piece in zip(rooms, pieces, strict=True)):
            return SEPARATOR.join(map(clause, pieces, rooms))
        pieces.pop()
    return clause(pieces[0], limit)


def _least(piece: str) -> int:
    return _SPEECH if _KEPT.match(piece) else _HALF


def _rooms(pieces: list[str], limit: int) -> list[int]:
    """Share *limit* characters among *pieces* by weight; what one does not need goes to the others."""
    weights = [2 if at == 0 or _KEPT.match(piece) else 1 for at, piece in enumerate(pieces)]
    rooms = [0] * len(pieces)
    open_ = sorted(range(len(pieces)), key=lambda at: (len(pieces[at]) / weights[at], at))
    total = sum(weights)
    for at in open_:
        rooms[at] = min(len(pieces[at]), limit * weights[at] // total)
        limit -= rooms[at]
        total -= weights[at]
    return rooms


def last_part(path: str) -> str:
    """Give the last part of a path."""
    return path.rstrip("/").replace("\\", "/").rpartition("/")[2] or path


def short_file(path: str) -> str:
    """Give a file's own name, with its folder when many files are called so (`auth/index.ts`)."""
    if " " in path or "/" not in path:
        return path
    folder, _, name = path.rstrip("/").rpartition("/")
    if folder and name.partition(".")[0].lower() in _FAMILIAR:
        return f"{last_part(folder)}/{name}"
    return name or path


def listed(names: list[str], room: int) -> str:
    """Join as many *names* as fit into *room* characters, at least the first; `+3` counts the others."""
    text = names[0] if names else ""
    for at, name in enumerate(names[1:], 1):
        if len(text) + len(name) + 2 > room - 4:
            return f"{text} +{len(names) - at}"
        text = f"{text}, {name}"
    return text
