"""How summaries are worded: one plain line, cut at a word, short paths, counted nouns."""

import re
from collections.abc import Callable, Iterable

from memctl.summarize.patterns import regex
from memctl.text.numbers import how_many
from memctl.text.widths import one_line, printable

LIMIT = 200  # characters of a summary (DESIGN 2.3)
TARGET_LIMIT = 80  # a target is part of a node's title
_LEAST_WHOLE, _LEAST_TORN = 0.72, 0.4  # parts of the room that must be filled
_CLAUSE = regex(
    r"[.;!?](?= )|,(?= )| [—–-](?= )| (?=\()|[，。；！？]"
    r"| (?=(?:because|since|but|so that|which|although|while)\b)"
)
_TORN = regex(
    r"\b(?:not|no|never|\w+n't|cannot|because|since|so|but|only|unless|without|if|is|are|was|were|has|have"
    r"|the|a|an|to|of)…$"
)
_SCHEME = regex(r"[a-z][a-z0-9+.-]*://(?:[^/@\s]*@)?(?:www\.)?", re.IGNORECASE)


def clip(text: str, limit: int = LIMIT) -> str:
    """Make *text* one plain line of at most *limit* characters, cut at a word where one ends near."""
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # what most texts are, and what the functions below would return
    if limit < 1:
        return ""
    # Eight times the limit is enough for it once blanks are joined; more would cost time for nothing.
    return one_line(printable(text[: limit * 8]), limit)


def clause(text: str, limit: int = LIMIT) -> str:
    """Make *text* one plain line of at most *limit* characters, cut where a clause ends if one ends late enough.

    A line that would end in "not" or "because" is cut before the clause that these begin.
    """
    line = clip(text, limit)
    if not line.endswith("…") or text.rstrip().endswith("…"):
        return line
    torn = _TORN.search(line) is not None
    least = int(limit * (_LEAST_TORN if torn else _LEAST_WHOLE))
    ends = [match.start() for match in _CLAUSE.finditer(line, least, len(line) - 1)]
    return f"{line[: ends[-1]].rstrip(' ,;:')}…" if ends else line


def joined(
    items: Iterable[str],
    limit: int,
    separator: str = ", ",
    *,
    rest: bool = True,
    write: Callable[[str], str] = str,
) -> str:
    """Join as many *items*, each as *write* writes it, as fit into *limit* characters.

    ` +N` says how many were left out (with *rest*).
    """
    listed = list(items)
    text = clip(write(listed[0]), limit) if listed else ""
    for position, item in enumerate(listed[1:], 1):
        left = len(listed) - position
        longer = f"{text}{separator}{write(item)}"
        if len(longer) + (len(f" +{left - 1}") if rest and left > 1 else 0) > limit:
            return f"{text[: limit - len(f' +{left}')]} +{left}" if rest else text
        text = longer
    return text


def lead(subject: str, said: str, limit: int = LIMIT) -> str:
    """Write `subject: said`, the subject cut to at most half of *limit*."""
    subject = clip(subject, limit // 2)
    return clip(f"{subject}: {said}" if subject and said else subject or said, limit)


_FOLDER = 40  # characters of a folder's name that still tells where a file is


def short_path(path: str, parts: int = 2) -> str:
    """Shorten a path to its last *parts*: `/a/b/src/auth.py` is `src/auth.py`."""
    path = path[-1000:].strip("\"'` ")
    if "\\" in path:
        path = path.replace("\\", "/")
    pieces = path.rstrip("/").removeprefix("./").rsplit("/", parts)[-parts:]
    kept = [piece for piece in pieces if piece not in ("", ".")]
    if len(kept) > 1 and len(kept[0]) > _FOLDER:
        del kept[0]  # a whole path made into one name says less than the file's own
    return clip("/".join(kept) or path or ".", TARGET_LIMIT)


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return short_path(path, 1)


def short_address(address: str) -> str:
    """Shorten an address to its host and path, without scheme, user, query and fragment."""
    rest = address.strip()[:2000]
    if scheme := _SCHEME.match(rest):
        rest = rest[scheme.end() :]
    for mark in "?#":
        rest = rest.partition(mark)[0]
    return clip(rest.rstrip("/"), TARGET_LIMIT)


def size(number: int) -> str:
    """Write a number of characters for people: `812 characters`, `14k characters`."""
    if number < 10_000:
        return how_many(number, "character")
    return f"{number // 1000:,}k characters"
