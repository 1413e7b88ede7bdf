"""From the plain files of a memory directory to documents: what each layer's files hold (DESIGN 2).

A *source* is the smallest set of files that must be read together: one conversation, one canvas, all
atoms. A source whose files did not change is not read again.
"""

import contextlib
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memctl import files
from memctl.index.documents import AFTER, BEFORE, Document, Layer, Speech, speech
from memctl.model import Atom, node_id
from memctl.store import Store, atoms, entries, messages, number_of, session_of_offload
from memctl.store.fields import text_in, time_in
from memctl.store.messages import Stored
from memctl.text.names import short_hash

if TYPE_CHECKING:  # a recall whose files did not change reads none of them
    from memctl.layers.forgetting import Forgotten

FORGOTTEN_GOAL = "a task whose goal was forgotten"
_SPOKEN = frozenset(("user", "assistant"))
_SECTION = 1500  # characters of a Markdown file that make one document, from heading to heading
_HEADING = re.compile(r"#{1,6}\s+\S")
_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*-->")
_EVIDENCE = re.compile(r"\bm_[0-9a-f]{12}\b")
_META = re.compile(r"-----META-START-----\n(.*?)\n?-----META-END-----\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """Files that are read together, and how. *name* is the first file's path relative to the scope.

    look: what their file system tells of them (size, times, inode); the same look means the same bytes.
    """

    name: str
    paths: tuple[Path, ...]
    look: str
    read: "_Reader"

    @property
    def size(self) -> int:
        """Bytes of its files; what is gone meanwhile has none."""
        total = 0
        for path in self.paths:
            with contextlib.suppress(OSError):
                total += path.stat().st_size
        return total


_Reader = Callable[[Store, "Hidden"], Iterator[Document]]


@dataclass(frozen=True, slots=True)
class Hidden:
    """What no answer may hold. *mark* changes whenever what is forgotten does.

    messages: that forgotten atoms came from, as (session, message). forgotten: tells other text that says it.
    times: of each atom, when it was said last.
    """

    mark: str
    messages: frozenset[tuple[str, str]]
    forgotten: "Forgotten"
    times: Mapping[str, str] = field(default_factory=dict)

    def hides(self, text: str) -> bool:
        """Tell whether a text says what was forgotten."""
        return self.forgotten.echoes(text)

    def shown(self, lines: str) -> str:
        """Give a text without the lines that say what was forgotten."""
        return "\n".join(line for line in lines.split("\n") if not self.hides(line)) if self else lines

    def __bool__(self) -> bool:
        return bool(self.forgotten)


def sources(store: Store) -> list[Source]:
    """List everything a scope can be asked about, in order of layer and name."""
    listed: list[Source] = []

    def one_each(paths: Iterable[Path], reader: "Callable[[Path], _Reader]") -> None:
        listed.extend(
            Source(store.relative(path), (path,), look, reader(path))
            for path, look in ((path, _look(path)) for path in paths)
            if look
        )

    one_each([store.persona], lambda path: _markdown(path, "persona"))
    one_each(store.scenes(), lambda path: _markdown(path, "scene"))
    shards = {path: look for path in store.shards() if (look := _look(path))}
    if shards:
        looks = [(path.name, look) for path, look in shards.items()]
        listed.append(Source("records", tuple(shards), short_hash(16, looks), _atoms))
    one_each(store.canvases(), lambda path: _of(_canvas, path))
    one_each(store.offloads(), lambda path: _of(_entries, path))
    one_each(store.conversations(), lambda path: _of(_conversation, path))
    return listed


def hidden(store: Store) -> Hidden:
    """Give what must stay out because a person had it forgotten."""
    from memctl.layers import forgetting

    known = atoms.latest(store).values()
    gone = sorted((atom for atom in known if atom.status == "forgotten"), key=lambda atom: atom.id)
    named = frozenset(atoms.of_session(atom, source) for atom in gone for source in atom.sources)
    marks = [(atom.id, atom.sources, forgetting.fingerprints(atom)) for atom in gone]
    times = {atom.id: when for atom in known if (when := _said_at(atom))}
    return Hidden(short_hash(16, marks), named, forgetting.load(store, known), times)


def _said_at(atom: Atom) -> str | None:
    return atom.times[-1] if atom.times else atom.updated or atom.created


def _of(reader: "Callable[[Store, Hidden, Path], Iterator[Document]]", path: Path) -> _Reader:
    return lambda store, hides: reader(store, hides, path)


def _look(path: Path) -> str:
    """Write what a file looks like without reading it; empty for what is no file, links too."""
    try:
        status = path.lstat()
    except OSError:
        return ""
    if not stat.S_ISREG(status.st_mode):
        return ""
    return f"{status.st_size:x}.{status.st_mtime_ns:x}.{status.st_ctime_ns:x}.{status.st_ino:x}"


# --------------------------------------------------------------------------- L0


def _conversation(store: Store, hides: Hidden, path: Path) -> Iterator[Document]:
    """Give the messages of a file that somebody said, each with its neighbours in its session."""
    said: dict[str, list[tuple[Stored, str]]] = {}
    for stored in messages.read(path):
        session = text_in(stored.fields, "sessionId") or text_in(stored.fields, "sessionKey") or path.stem
        text = spoken(stored)
        if text and (session, stored.id) not in hides.messages and not hides.hides(text):
            said.setdefault(session, []).append((stored, text))
    relative = store.relative(path)
    for session, listed in said.items():
        listed.sort(key=lambda one: one[0].seq)
        speeches = [speech(text) for _, text in listed]
        for at, (stored, text) in enumerate(listed):
            name = f"message:{session}/{stored.id}"
            yield Document(
                key=name if stored.id else f"{name}{relative}:{stored.number}",
                id=name,
                layer="message",
                text=text,
                path=relative,
                line=stored.number,
                session=session,
                time=time_in(stored.fields, "timestamp"),
                role=stored.role,
                before=_before(speeches, at),
                after=tuple(speeches[at + 1 : at + 1 + len(AFTER)]),
            )


def _before(speeches: list[Speech], at: int) -> tuple[Speech, ...]:
    return tuple(speeches[at - back] for back in range(1, len(BEFORE) + 1) if at >= back)


def spoken(stored: Stored) -> str:
    """Give what a person or agent said in a message: its text without noise."""
    return messages.own_words(stored) if stored.role in _SPOKEN else ""


# --------------------------------------------------------------------------- entries and canvases


def _entries(store: Store, hides: Hidden, path: Path) -> Iterator[Document]:
    relative = store.relative(path)
    session = session_of_offload(path)
    for found in entries.latest(path, session):
        entry = found.entry
        if hides.hides(entry.summary) or hides.hides(entry.tool_call) or hides.hides(entry.result or ""):
            continue
        name = f"call:{entry.session_id}/{entry.tool_call_id}"
        yield Document(
            key=name if entry.tool_call_id else f"{name}{relative}:{found.number}",
            id=name,
            layer="entry",
            title=entry.tool_call,
            text=entry.summary or entry.tool_call,
            names=entry.result or "",
            path=relative,
            line=found.number,
            session=entry.session_id,
            time=entry.timestamp,
            role=entry.status,
            kind=entry.kind,
            evidence=tuple(filter(None, (entry.node_id, entry.result_ref))),
        )


def _canvas(store: Store, hides: Hidden, path: Path) -> Iterator[Document]:
    from memctl.canvas.mmd import parse_canvas

    text = files.read_bytes(path).decode("utf-8", "replace")
    canvas, _ = parse_canvas(text, number_of(path))
    if canvas is None:
        return
    lines = [
        f"{node_id(canvas.number, node.number)} {node.title}: {node.summary}".rstrip(": ")
        for node in canvas.nodes
    ]
    yield Document(
        key=f"canvas:{path.stem}",
        id=f"canvas:{path.stem}",
        layer="canvas",
        title=FORGOTTEN_GOAL if hides.hides(canvas.goal) else canvas.goal,
        text=hides.shown("\n".join(lines)),
        path=store.relative(path),
        session=canvas.session,
        time=canvas.updated,
        role=canvas.status,
    )


# --------------------------------------------------------------------------- atoms


def _atoms(store: Store, hides: Hidden) -> Iterator[Document]:
    """Give the atoms that hold: none superseded, none forgotten."""
    versions = atoms.versions(store)
    current = {name: atoms.current(listed) for name, listed in versions.items()}
    active = [atom for atom in current.values() if atom.status == "active"]
    replaced = {name for atom in active for name in atom.supersedes}
    for atom in active:
        if atom.id in replaced or not atom.content or hides.hides(atom.content):
            continue
        last = versions[atom.id][-1]
        yield Document(
            key=f"atom:{atom.id}",
            id=atom.id,
            layer="atom",
            text=atom.content,
            names=" ".join((atom.scene, *atom.tags)),
            path=store.relative(last.path),
            line=last.number,
            session=atom.session,
            time=_said_at(atom),
            role=atom.type,
            evidence=atom.sources,
            corrects=tuple(_corrected(atom, versions)),
        )


def _corrected(atom: Atom, versions: Mapping[str, list[atoms.Found]]) -> Iterator[tuple[str, str]]:
    """Give the messages whose word does not hold any more: what a person corrected, what was replaced."""
    replaced = [found.atom for name in atom.supersedes for found in versions.get(name, ())]
    if atom.actor == "human":
        replaced += [found.atom for found in versions[atom.id] if found.atom.content != atom.content]
    holding = {
        atoms.of_session(found.atom, source)
        for found in versions[atom.id]
        if found.atom.content == atom.content and found.atom.actor != "human"
        for source in found.atom.sources
    }
    for old in replaced:
        for source in old.sources:
            if (name := atoms.of_session(old, source)) not in holding:
                yield name


# --------------------------------------------------------------------------- scenes and persona


def _markdown(path: Path, layer: Layer) -> _Reader:
    return lambda store, hides: _sections(store, hides, path, layer)


def _sections(store: Store, hides: Hidden, path: Path, layer: Layer) -> Iterator[Document]:
    """Cut a Markdown file at its headings; long sections at blank lines."""
    text = files.read_bytes(path).decode("utf-8", "replace").replace("\r\n", "\n")
    meta = _META.match(text)
    facts = dict(line.partition(":")[::2] for line in meta[1].split("\n") if ":" in line) if meta else {}
    skipped = meta[0].count("\n") if meta else 0
    relative = store.relative(path)
    body = text[meta.end() :] if meta else text
    summary = facts.get("summary", "").strip()
    parts = list(_cut(body.split("\n"), skipped))
    for number, heading, section in parts:
        shown = _COMMENT.sub("", section).strip()
        says = any(line.strip() and not _HEADING.match(line) for line in shown.split("\n"))
        if not says and not summary and (not shown or len(parts) > 1):
            continue  # a bare heading is no memory, unless it is all that a person wrote
        if hides.hides(shown):
            continue
        evidence = tuple(dict.fromkeys(_EVIDENCE.findall(section)))
        said = max((hides.times[name] for name in evidence if name in hides.times), default="")
        yield Document(
            key=f"{layer}:{relative}:{number}",
            id=relative,
            layer=layer,
            title=heading or path.stem,
            text="\n".join(filter(None, (summary, shown))),
            names=path.stem,
            path=relative,
            line=number,
            time=said or facts.get("updated", "").strip() or None,
            evidence=evidence,
        )
        summary = ""


def _cut(lines: list[str], skipped: int) -> Iterator[tuple[int, str, str]]:
    """Give (line number, heading, text) of the sections; fenced code holds no headings."""
    start, heading, size, fenced = 0, "", 0, False
    for at, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        headed = not fenced and _HEADING.match(line)
        if at > start and (headed or (size > _SECTION and not fenced and not line.strip())):
            yield skipped + start + 1, heading, "\n".join(lines[start:at])
            start, size = at, 0
        if headed:
            heading = line.strip("# \t")
        size += len(line) + 1
    yield skipped + start + 1, heading, "\n".join(lines[start:])
