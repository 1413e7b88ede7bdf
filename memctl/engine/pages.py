"""What scenes and the persona share: a model's Markdown, each statement of it with its evidence (DESIGN 2.6)."""

import re
from collections.abc import Mapping, Sequence

from memctl.engine import answers
from memctl.engine.grounding import share, unfounded
from memctl.engine.prompting import ROOM, Prompt, fenced, line, named
from memctl.errors import RefusedError
from memctl.layers.kept import comment
from memctl.layers.scenes import plain
from memctl.model import Json
from memctl.store import Store
from memctl.text.widths import printable

_COMMENT = re.compile(r"<!--[^<>]{0,400}-->")
_NAME = re.compile(r"m_[0-9a-f]{12}|canvas:[\w.~%-]{1,200}")
_SIGNS = re.compile(r"[\s(\[【（,;，；]*(?:evidence|证据|source)?[:：]?[\s(\[【（,;，；]*\Z", re.IGNORECASE)
_AFTER = re.compile(r"\A[\s)\]】）,;，；.。]*\Z")
_LONGEST = 2_000  # characters of a line, evidence counted
_GROUNDED = 0.35  # part of a statement's words that stand in its evidence; the rest is wording

RULES = """\
Write Markdown: `## ` headings and one statement per line (`- ...`). Every statement ends in its evidence, the ids
of the memories or canvases it rests on, in a comment: `- Releases are on Tuesdays. <!-- m_1a2b3c4d5e6f -->`.
Say nothing that its evidence does not say; join what belongs together; leave out what no longer matters. Use no
links, tags or code blocks."""


def statements(markdown: str, known: Mapping[str, str], shown: Mapping[str, str], room: int) -> list[str]:
    """Check a page and give its lines with marked evidence; raises RefusedError with all that is wrong.

    known: the mark of everything it may rest on. shown: what each of these says. room: characters at most,
    without evidence.
    """
    lines: list[str] = []
    reasons: list[str] = []
    for number, raw in enumerate(printable(markdown).strip().split("\n"), 1):
        text = raw.strip()
        if text.startswith("```"):
            continue
        if len(text) > _LONGEST:
            reasons.append(f"line {number} has {len(text):,} characters; at most {_LONGEST:,}")
            continue
        if text.startswith("# ") or not text:
            lines += [""] if lines and lines[-1] and not text else []
            continue
        if text.startswith("#"):
            lines.append(f"## {plain(text.lstrip('# '))}")
            continue
        names, said = _apart(text)
        unknown = [name for name in names if name not in known]
        evidence = "\n".join(shown.get(name, "") for name in names)
        if unknown:
            reasons.append(f"line {number}: {answers.listed(unknown)} is not evidence this page can rest on")
        elif not names:
            reasons.append(f"line {number} has no evidence: {said[:60]!r}")
        elif (wrong := unfounded(said, evidence)) or share(said, evidence) < _GROUNDED:
            reasons.append(f"line {number} says more than its evidence {' '.join(wrong)}".rstrip())
        else:
            comments = " ".join(comment(name, known) for name in names)
            lines.append(f"- {plain(said)} {comments}")
    if not any(one.startswith("- ") for one in lines) and not reasons:
        reasons.append("the page says nothing")
    size = sum(len(one.partition(" <!-- ")[0]) + 1 for one in lines)
    if size > room:
        reasons.append(f"the page has {size:,} characters without evidence; at most {room:,}")
    if reasons:
        raise RefusedError(reasons[:12])
    return lines


def _apart(text: str) -> tuple[list[str], str]:
    """Part a line into the ids of its evidence, wherever they stand, and what it says."""
    names = list(dict.fromkeys(_NAME.findall(text)))
    said = _COMMENT.sub(" ", text)
    while (found := list(_NAME.finditer(said))) and _AFTER.match(said[found[-1].end() :]):
        said = _SIGNS.sub("", said[: found[-1].start()])
    said = re.sub(r"^(?:[-*+•]|\d{1,2}[.)])\s+", "", said.strip())
    return names, " ".join(said.split())


def prompt(
    store: Store,
    kind: str,
    subject: str,
    task: str,
    records: Sequence[Mapping[str, Json]],
    schema: Mapping[str, Json],
) -> Prompt:
    """Ask for a page; the form shows the id of a memory it may rest on."""
    known = [name for one in records if (name := str(one["id"])).startswith("m_")]
    first = named(known[0]) if known else "m_1a2b3c4d5e6f"
    return Prompt(kind, subject, task.replace("FIRST", first), fenced(store, _in_room(records)), schema)


def _in_room(records: Sequence[Json]) -> list[Json]:
    """Give as many records as one prompt has room for."""
    kept: list[Json] = []
    used = 0
    for record in records:
        used += len(line(record))
        if used > ROOM:
            break
        kept.append(record)
    return kept
