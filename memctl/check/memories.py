"""Rules of the layers: persona -> scene -> atom -> message."""

import re
from collections.abc import Iterator
from pathlib import Path

from memctl import files
from memctl.check.codes import found
from memctl.check.survey import Survey
from memctl.errors import MemctlError
from memctl.layers import blocks
from memctl.layers.scenes import evidence_of
from memctl.model import Atom, Problem
from memctl.store import atoms

_AGAIN = "memctl extract rebuilds it"
_THEIRS = re.compile(r"m_[0-9]{12,14}_[0-9a-z]+")  # an atom's id as the original makes it, of a time


def memories(seen: Survey) -> Iterator[Problem]:
    """Follow each atom to its messages, and each statement of memctl's to its atoms and canvases."""
    current = {name: atoms.current(listed) for name, listed in seen.remembered.items()}
    for name, listed in seen.remembered.items():
        yield from _atom(seen, current, current[name], listed[-1])
    store = seen.store
    scenes = [] if store.folder("scene_blocks").is_symlink() else list(store.scenes())
    for path in (*scenes, store.persona):
        if path.is_file() and not path.is_symlink():
            yield from _written(seen, path, current)
    gone = {name for name, atom in current.items() if atom.status == "forgotten" and atom.actor == "human"}
    folder = store.folder("versions")
    earlier = [] if folder.is_symlink() or not gone else sorted(folder.rglob("*.md"))
    for path in (*scenes, store.persona, *earlier) if gone else ():
        if path.is_file() and not path.is_symlink():
            yield from _carried(path, gone, whole=path in earlier)


def _carried(path: Path, gone: set[str], *, whole: bool) -> Iterator[Problem]:
    """Find lines in a person's text (*whole*: anywhere, in an earlier version) that carry a forgotten atom's comment."""
    try:
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
    except MemctlError:
        return  # reported where it is read for its block
    if not any(name in text for name in gone):
        return
    part = blocks.parse(text)
    head = text.count("\n", 0, len(part.meta) + len(part.before)) + 1
    inside = (
        range(head, head + (part.body or "").count("\n") + 1)
        if part.body is not None and not whole
        else range(0)
    )
    for line, words in enumerate(text.split("\n"), 1):
        for name in evidence_of(words) if line not in inside else ():
            if name in gone:
                told = f"atom {name} was forgotten, but this line carries its comment"
                own = "delete the line" if part.body is None else f"memctl atom forget {name} removes it"
                yield found("CHK603", path, line, told, own)


def _atom(seen: Survey, current: dict[str, Atom], atom: Atom, at: atoms.Found) -> Iterator[Problem]:
    # The original clears its conversations away after some days, and keeps the atoms made of them.
    if atom.status != "forgotten" and not seen.foreign and not _THEIRS.fullmatch(atom.id):
        for name in atom.sources:
            session, message = atoms.of_session(atom, name)
            talk = seen.talks.get(session)
            if talk is None or message not in talk.messages:
                told = f"{atom.id} rests on message {message} of session {session}, which is missing"
                yield found("CHK601", at.path, at.number, told, "restore the conversation from git or a copy")
    for other in atom.supersedes:
        if other not in current:
            yield found("CHK605", at.path, at.number, f"{atom.id} supersedes {other}, which is missing")


def _written(seen: Survey, path: Path, current: dict[str, Atom]) -> Iterator[Problem]:
    """Look at the statements in memctl's own block; a person's text is theirs."""
    try:
        text = files.read_bytes(path).decode("utf-8", "surrogateescape")
    except MemctlError as problem:
        yield found("CHK106", path, 1, str(problem))
        return
    part = blocks.parse(text)
    if part.body is None:
        return
    canvases = {drawn.path.stem for drawn in seen.drawn}
    start = text.find(part.body, len(part.meta) + len(part.before))
    first = text.count("\n", 0, start) + 1
    for line, words in enumerate(part.body.split("\n"), first):
        for name in evidence_of(words):
            kind, colon, rest = name.partition(":")
            if colon and kind == "canvas":
                if rest not in canvases:
                    yield found("CHK602", path, line, f"canvas {rest} is missing", _AGAIN)
            elif name not in current:
                yield found("CHK602", path, line, f"atom {name} is missing", _AGAIN)
            elif current[name].status == "forgotten":
                yield found("CHK603", path, line, f"atom {name} was forgotten", _AGAIN)
            elif current[name].status == "superseded":
                yield found("CHK604", path, line, f"atom {name} was superseded", _AGAIN)
        if path == seen.store.persona and "](scene_blocks/" in words:
            name = words.partition("](scene_blocks/")[2].partition(")")[0]
            if not (seen.store.folder("scene_blocks") / name).is_file():
                yield found("CHK606", path, line, f"scene {name} is missing", _AGAIN)
