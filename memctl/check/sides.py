"""Join the two sides of a file that a merge stopped in, without asking which side is ours.

Every function takes the base and both sides and gives the same bytes whichever side is given first: sides are
told apart by what they hold, never by where they came from.
"""

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from memctl import files, git
from memctl.canvas import stating
from memctl.canvas.header import read_header, write_header
from memctl.canvas.mmd import parse_canvas
from memctl.layers import blocks
from memctl.model import Canvas, Edge, Node
from memctl.passes.canvases import by_others, is_a_persons, stamped
from memctl.store import number_of, refs
from memctl.tasks import taskfile
from memctl.tasks.states import merge
from memctl.text.names import short_hash


@dataclass(frozen=True, slots=True)
class Settled:
    """What a file comes to. *beside*: other files to write, by path; *kept*: versions worth keeping."""

    data: bytes
    beside: dict[str, bytes] = field(default_factory=dict)
    kept: tuple[bytes, ...] = ()


_Join = Callable[[Path, str, bytes, bytes, bytes], Settled]


def settled(home: Path, path: str, base: bytes | None, one: bytes | None, other: bytes | None) -> Settled:
    """Make one file of two sides; *path* is relative to its scope, None stands for a side without the file.

    Of a file that one side took away the other side's stays: what is derived of it is tidied afterwards.
    """
    if one is None or other is None or one == other:
        return Settled(one or other or b"")
    if base == one:
        return Settled(other)
    if base == other:
        return Settled(one)
    low, high = sorted((one, other))
    return _join_of(path)(home, path, base or b"", low, high)


def _join_of(path: str) -> _Join:
    if path.endswith(".jsonl"):
        return _lines
    if path.startswith("refs/"):
        return _ref
    if path.startswith("mmds/") and path.endswith(".mmd"):
        return _canvas
    if path.startswith("versions/"):
        return _either
    if path.startswith("tasks/"):
        return _task
    if path == "persona.md" or path.startswith("scene_blocks/"):
        return _written
    return _text


# --------------------------------------------------------------------------- lines, texts, bytes


def _lines(_home: Path, _path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Join records: what either side took out stays out, what either side added is there."""
    before, ones, others = (dict.fromkeys(data.split(b"\n")) for data in (base, low, high))
    gone = {line for line in before if line not in ones or line not in others}
    kept = [line for line in dict.fromkeys((*ones, *others)) if line.strip() and line not in gone]
    return Settled(b"".join(line + b"\n" for line in kept))


def _either(_home: Path, _path: str, _base: bytes, low: bytes, high: bytes) -> Settled:
    return Settled(max(low, high, key=lambda data: (len(data), data)))


def _ref(home: Path, path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Take the side whose bytes are those its header promises."""
    whole = [data for data in (low, high) if _keeps_its_promise(data)]
    return Settled(whole[0]) if len(whole) == 1 else _either(home, path, base, low, high)


def _keeps_its_promise(data: bytes) -> bool:
    promised = refs.promise(data)
    if promised is None:
        return False
    start, size, digest = promised
    body = data[start:]
    return len(body) == size and (not digest or hashlib.sha256(body).hexdigest() == digest)


def _text(home: Path, path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Join texts line by line; of settings that cannot both stand, those of one side do."""
    both = _merged(home, base, low, high, "--union")
    if not path.endswith(".yaml") or _is_yaml(both):
        return Settled(both)
    return Settled(_merged(home, base, low, high, "--ours"), kept=(low, high))


def _is_yaml(data: bytes) -> bool:
    """Tell whether a text is YAML in which no name is given twice."""
    from ruamel.yaml.error import YAMLError

    from memctl.text.plain_yaml import load

    try:
        load(data.decode("utf-8"))
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, ArithmeticError):
        return False
    return True


def _merged(home: Path, base: bytes, low: bytes, high: bytes, how: str) -> bytes:
    """Merge three versions of a text with git: *how* is `--union` (both, one behind the other) or `--ours`."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, data in (("low", low), ("base", base), ("high", high)):
            ended = data if not data or data.endswith(b"\n") else data + b"\n"
            with files.create(Path(folder, name)) as stream:
                stream.write(ended)
            names.append(str(Path(folder, name)))
        return git.run(home, "merge-file", "-p", "-q", how, *names)


# --------------------------------------------------------------------------- tasks


def _task(home: Path, path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Join a task by field: histories joined, the state the last by time (DESIGN 2.7)."""
    found = [task for task in map(taskfile.read, (low, high)) if task is not None]
    if len(found) == 2 and found[0].id == found[1].id:
        return Settled(taskfile.write(merge(*found)))
    return _either(home, path, base, low, high)


# --------------------------------------------------------------------------- canvases


def _canvas(home: Path, path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Join two states of a canvas: the newer stands, with what a person wrote on either.

    Canvases of two sessions both stay; the one that began later gets a name of its own.
    """
    number = number_of(Path(path))
    read = [(data, _read(data, number)) for data in (low, high)]
    sides = [(data, canvas) for data, canvas in read if canvas is not None]
    if len(sides) < 2:
        return Settled(sides[0][0]) if sides else _either(home, path, base, low, high)
    sides.sort(key=lambda side: (side[1].created or "~", side[1].session))
    if sides[0][1].session != sides[1][1].session:
        name = f"{path.removesuffix('.mmd')}~{short_hash(8, sides[1][1].session)}.mmd"
        return Settled(sides[0][0], beside={name: sides[1][0]})
    (older_data, older), (newer_data, newer) = sorted(sides, key=lambda side: (side[1].upto, side[0]))
    was = sorted({str(name) for canvas in (older, newer) for name in canvas.extra.get("was", [])})
    extra = {**newer.extra, **({"was": was} if was else {})}
    hands = [data for data, canvas in sides if by_others(canvas, data)]
    said = [state for data, canvas in sides if (state := stating.edited_to(canvas, _decoded(data)))]
    if not hands and not said:
        return Settled(stamped(replace(newer, extra=extra)).encode() if was else newer_data)
    written = stating.written_as(newer, _decoded(newer_data)) or newer.status
    joined = replace(newer, status=written, extra=extra)
    if hands:
        persons = any(is_a_persons(canvas, data) for data, canvas in sides)
        by = "human" if persons else max(newer.by, older.by)  # of two models' either will do
        joined = replace(_joined(_read(base, number), older, joined), by=by)
    text = stamped(joined)
    if said:  # left as one that somebody wrote into the header, for the pass to say it of the task
        header, _, rows = read_header(text)
        changed = write_header(replace(header, status=max(said)))
        text = "\n".join([changed, *text.split("\n")[rows:]])
    return Settled(text.encode(), kept=tuple(hands) if len(hands) > 1 else (older_data,))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read(data: bytes, number: int) -> Canvas | None:
    return parse_canvas(_decoded(data), number)[0] if data else None


def _joined(base: Canvas | None, older: Canvas, newer: Canvas) -> Canvas:
    """Take the newer canvas, with the nodes that only the older one changed, and the edges of both."""
    before = {node.number: node for node in base.nodes} if base else {}
    theirs = {node.number: node for node in older.nodes}

    def chosen(node: Node) -> Node:
        known, other = before.get(node.number), theirs.get(node.number)
        return other if other is not None and known == node else node

    nodes = tuple(map(chosen, newer.nodes))
    there = {node.number for node in nodes}
    drawn = set(newer.edges)
    old = set(base.edges) if base else set()

    def fits(edge: Edge) -> bool:
        return edge not in drawn and edge not in old and {edge.source, edge.target} <= there

    more = tuple(edge for edge in older.edges if fits(edge))
    changed = base is not None and newer.goal == base.goal
    return replace(
        newer, goal=older.goal if changed else newer.goal, nodes=nodes, edges=(*newer.edges, *more)
    )


# --------------------------------------------------------------------------- scenes and the persona


def _written(home: Path, _path: str, base: bytes, low: bytes, high: bytes) -> Settled:
    """Join what people wrote around memctl's block on both sides; the block itself is written anew."""
    first, one, other = (_parts(data) for data in (base, low, high))
    if one.body is None and other.body is None:
        return Settled(_merged(home, base, low, high, "--union"), kept=(low, high))
    before, after = (
        _merged_text(home, *(getattr(part, name) for part in (first, one, other)))
        for name in ("before", "after")
    )
    moved = "".join(dict.fromkeys(part.body or "" for part in (one, other) if part.is_edited))
    # Of two blocks of memctl's either will do; the greater has a person's META where only one has it.
    ours = max((part for part in (one, other) if part.body is not None), key=_rank)
    text = blocks.assembled(ours, before, moved + after)
    by_hand = any(part.is_edited or part.outside.strip() for part in (one, other))
    return Settled(_encoded(text), kept=(low, high) if by_hand else ())


def _rank(part: blocks.File) -> tuple[bool, str, str]:
    return not blocks.is_our_meta(part.meta), part.meta, part.body or ""


def _parts(data: bytes) -> blocks.File:
    return blocks.parse(data.decode("utf-8", "surrogateescape"))


def _merged_text(home: Path, base: str, one: str, other: str) -> str:
    if other in (one, base):
        return one
    if base == one:
        return other
    low, high = sorted((_encoded(one), _encoded(other)))
    return _merged(home, _encoded(base), low, high, "--union").decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
