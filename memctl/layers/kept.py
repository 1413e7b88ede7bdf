"""Pages that a model wrote live on: its lines stay while their evidence says the same (DESIGN 2.6, 11).

A model's block begins with `<!-- by llm:<model> -->`, and each evidence comment carries a mark of what the
evidence said: `<!-- m_1a2b3c4d5e6f #9f2c01ab -->`. A pass drops the lines whose evidence is gone or says
something else, and adds what the rules have to say of everything that no line rests on.
"""

import re
from collections.abc import Iterable, Mapping

from memctl.layers.groups import Drawn
from memctl.layers.scenes import evidence_of
from memctl.model import Atom
from memctl.text.names import short_hash

_BY = re.compile(r"<!-- by (llm:[^<>\n]{1,100}) -->\n")
_MARKED = re.compile(r"<!-- (m_[0-9a-f]{12}|canvas:[^\s<>]{1,200}) #([0-9a-f]{8}) -->")
_LINK = "](scene_blocks/"


def marks(atoms: Iterable[Atom], canvases: Iterable[Drawn]) -> dict[str, str]:
    """Give the mark of everything a page can rest on, by its id: `m_...` or `canvas:<name>`."""
    found = {atom.id: short_hash(8, atom.content) for atom in atoms if atom.status == "active"}
    for one in canvases:
        canvas = one.canvas
        found[f"canvas:{one.name}"] = short_hash(8, one.goal, canvas.status, canvas.progress)
    return found


def by_model(body: str | None) -> str:
    """Give the model that wrote a block (`llm:<model>`), "" for none."""
    found = _BY.match(body or "")
    return found[1] if found else ""


def signed(body: str, actor: str) -> str:
    """Write a model's page as a block."""
    return f"<!-- by {actor} -->\n{body}"


def comment(name: str, known: Mapping[str, str]) -> str:
    """Write the evidence comment of a model's statement."""
    return f"<!-- {name} #{known[name]} -->"


def kept(existing: str | None, body: str, known: Mapping[str, str], room: int = 1 << 30) -> str:
    """Give the page to write: *body* by the rules, or what is left of a model's page with the rest added.

    existing: the block that is there. room: characters without evidence comments and navigation; what does
    not fit is not added.
    """
    actor = by_model(existing)
    if not actor or existing is None:
        return body
    own = existing[_BY.match(existing).end() :]  # type: ignore[union-attr]  # by_model found it
    lines = _tidy(_standing(own.split("\n"), known))
    if not any(map(_rests, lines)):
        return body
    told = {name for one in lines for name in evidence_of(one)}
    page, navigation = _parted(body.rstrip("\n").split("\n"))
    heading = ""
    for one in page:
        if one.startswith("## "):
            heading = one
        elif _rests(one) and not any(name in told for name in evidence_of(one)):
            size = sum(len(_bare(other)) + 1 for other in lines) + len(_bare(one)) + len(heading) + 3
            if size <= room:
                _add(lines, heading, one)
    page = _tidy(lines)
    return signed("\n".join([*page, *(["", *navigation] if navigation else [])]) + "\n", actor)


def bare(body: str) -> str:
    """Give a page without evidence comments and navigation, as its length is counted."""
    return "\n".join(map(_bare, _parted(body.split("\n"))[0])).strip()


def with_navigation(body: str, by_rules: str) -> str:
    """Put the navigation of the page by the rules behind a model's."""
    navigation = _parted(by_rules.rstrip("\n").split("\n"))[1]
    return body.rstrip("\n") + "\n" + ("\n" + "\n".join(navigation) + "\n" if navigation else "")


def _standing(lines: list[str], known: Mapping[str, str]) -> list[str]:
    """Give a model's own lines whose evidence still says the same; what the rules had added is theirs again."""
    page, _ = _parted(lines)
    return [one for one in page if not _rests(one) or _holds(one, known)]


def _holds(line: str, known: Mapping[str, str]) -> bool:
    marked = _MARKED.findall(line)
    return bool(marked) and all(known.get(name) == mark for name, mark in marked)


def _parted(lines: list[str]) -> tuple[list[str], list[str]]:
    """Part a page into what it says and its navigation: the last section, whose lines lead to scenes."""
    first = next((at for at, one in enumerate(lines) if one.startswith("- [") and _LINK in one), len(lines))
    heading = next((at for at in range(first - 1, -1, -1) if lines[at].startswith("## ")), first)
    return (lines[:heading], lines[heading:]) if first < len(lines) else (lines, [])


def _rests(line: str) -> bool:
    return next(evidence_of(line), None) is not None


def _bare(line: str) -> str:
    return line.partition(" <!-- ")[0]


def _add(lines: list[str], heading: str, line: str) -> None:
    """Put a line at the end of its section; a section that is not there is made."""
    if heading not in lines:
        lines += ["", heading, "", line]
        return
    at = lines.index(heading) + 1
    while at < len(lines) and not lines[at].startswith("#"):
        at += 1
    while not lines[at - 1].strip() and lines[at - 1] != heading:
        at -= 1
    lines.insert(at, line)


def _tidy(lines: list[str]) -> list[str]:
    """Drop headings that nothing stands under any more, doubled blank lines and those around."""
    found: list[str] = []
    for at, one in enumerate(lines):
        if one.startswith("## "):
            below = next((other for other in lines[at + 1 :] if other.strip()), "")
            if not below or below.startswith("#"):
                continue
        if one.strip() or (found and found[-1].strip()):
            found.append(one)
    return "\n".join(found).strip("\n").split("\n")
