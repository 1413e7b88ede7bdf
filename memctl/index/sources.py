"""From the plain files of a memory directory to documents: what each layer's files hold (DESIGN 2).

A *source* is the smallest set of files that must be read together: one conversation, one canvas, all
atoms. A source whose files did not change is not read again.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memctl import files
from memctl.canvas.mmd import parse_canvas
from memctl.index.documents import AFTER, BEFORE, Document, Layer, Speech, speech
from memctl.model import Json, node_id
from memctl.store import Store, entries, messages, number_of
from memctl.store.messages import Stored

_SPOKEN = frozenset(("user", "assistant"))
_SECTION = 1500  # characters of a Markdown file that make one document, from heading to heading
_HEADING = re.compile(r"#{1,6}\s+\S")
_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*-->")
_EVIDENCE = re.compile(r"\bm_[0-9a-f]{12}\b")
_META = re.compile(r"-----META-START-----\n(.*?)\n?-----META-END-----\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """Files that are read together, and how. *name* is the first file's path relative to the scope."""

    name: str
    paths: tuple[Path, ...]
    read: "Callable[[Store, Hidden], Iterator[Document]]"


@dataclass(frozen=True, slots=True)
class Hidden:
    """What no answer may hold: messages that forgotten atoms came from, as (session, message)."""

    messages: frozenset[tuple[str, str]] = frozenset()


def sources(store: Store) -> list[Source]:
    """List everything a scope can be asked about, in order of layer and name."""
    listed = [Source("persona.md", (path,), _markdown(path, "persona")) for path in _persona(store)]
    listed += [Source(store.relative(path), (path,), _markdown(path, "scene")) for path in _scenes(store)]
    shards = _shards(store)
    if shards:
        listed.append(Source("records", tuple(shards), _atoms))
    for paths, reader in (
        (store.canvases(), _canvas),
        (store.offloads(), _entries),
        (store.conversations(), _conversation),
    ):
        listed += [Source(store.relative(path), (path,), _of(reader, path)) for path in paths if _safe(path)]
    return listed


def hidden(store: Store) -> Hidden:
    """Give what must stay out because a person had it forgotten."""
    named = set()
    for atom in _resolved(store):
        if atom.fields.get("status") == "forgotten":
            session = _text(atom.fields, "sessionId") or _text(atom.fields, "sessionKey")
            for source in _texts(atom.fields, "source_message_ids"):
                other, slash, message = source.rpartition("/")
                named.add((other, message) if slash else (session, source))
    return Hidden(frozenset(named))


def _of(
    reader: "Callable[[Store, Hidden, Path], Iterator[Document]]", path: Path
) -> "Callable[[Store, Hidden], Iterator[Document]]":
    return lambda store, hides: reader(store, hides, path)


def _safe(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


# --------------------------------------------------------------------------- L0


def _conversation(store: Store, hides: Hidden, path: Path) -> Iterator[Document]:
    """Give the messages of a file that somebody said, each with its neighbours in its session."""
    said: dict[str, list[tuple[Stored, str]]] = {}
    for stored in messages.read(path):
        session = _text(stored.fields, "sessionId") or _text(stored.fields, "sessionKey") or path.stem
        text = spoken(stored)
        if text and (session, stored.id) not in hides.messages:
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
                time=_time(stored.fields.get("timestamp")),
                role=stored.role,
                before=_before(speeches, at),
                after=tuple(speeches[at + 1 : at + 1 + len(AFTER)]),
            )


def _before(speeches: list[Speech], at: int) -> tuple[Speech, ...]:
    return tuple(speeches[at - back] for back in range(1, len(BEFORE) + 1) if at >= back)


def spoken(stored: Stored) -> str:
    """Give what a person or agent said in a message: its text without noise."""
    if stored.role not in _SPOKEN:
        return ""
    text, pieces, position = stored.content, [], 0
    for _, start, end in stored.marks:
        if isinstance(start, int) and isinstance(end, int) and start >= position:
            pieces.append(text[position:start])
            position = end
    return "".join([*pieces, text[position:]]).strip()


# --------------------------------------------------------------------------- entries and canvases


def _entries(store: Store, _hides: Hidden, path: Path) -> Iterator[Document]:
    relative = store.relative(path)
    session = path.name.removeprefix("offload-").removesuffix(".jsonl")
    for found in entries.latest(path, session):
        entry = found.entry
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
            evidence=tuple(filter(None, (entry.node_id, entry.result_ref))),
        )


def _canvas(store: Store, _hides: Hidden, path: Path) -> Iterator[Document]:
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
        title=canvas.goal,
        text="\n".join(lines),
        path=store.relative(path),
        session=canvas.session,
        time=canvas.updated,
        role=canvas.status,
    )


# --------------------------------------------------------------------------- atoms


@dataclass(frozen=True, slots=True)
class _Line:
    fields: Mapping[str, Json]
    path: Path
    number: int


def _shards(store: Store) -> list[Path]:
    return [path for path in sorted((store.root / "records").glob("*.jsonl")) if _safe(path)]


def _resolved(store: Store) -> list[_Line]:
    """Give each atom once: of several lines the one that DESIGN 2.5 ranks first."""
    best: dict[str, _Line] = {}
    for path in _shards(store):
        for number, line in files.lines_of(path):
            try:
                fields = files.decode(line)
            except ValueError:
                continue
            if isinstance(fields, dict) and isinstance(fields.get("id"), str):
                one = _Line(fields, path, number)
                other = best.get(fields["id"])
                if other is None or _rank(other.fields) < _rank(fields):
                    best[fields["id"]] = one
    return list(best.values())


def _rank(fields: Mapping[str, Json]) -> tuple[bool, int, int, str, bytes]:
    actor = _text(fields, "actor")
    by_hand = fields.get("status") == "forgotten" and actor == "human"
    version = fields.get("version")
    known = {"human": 2, "llm": 1}.get(actor.partition(":")[0], 0)
    number = version if isinstance(version, int) else 1
    return by_hand, known, number, _text(fields, "updatedAt"), files.encode(fields)


def _atoms(store: Store, _hides: Hidden) -> Iterator[Document]:
    """Give the atoms that hold: none superseded, none forgotten."""
    lines = _resolved(store)
    active = [one for one in lines if one.fields.get("status", "active") == "active"]
    replaced = {name for one in active for name in _texts(one.fields, "supersedes")}
    for one in active:
        fields = one.fields
        if fields["id"] in replaced or not _text(fields, "content"):
            continue
        metadata = fields.get("metadata")
        tags = _texts(metadata, "tags") if isinstance(metadata, dict) else ()
        times = _texts(fields, "timestamps")
        yield Document(
            key=f"atom:{fields['id']}",
            id=fields["id"],
            layer="atom",
            text=_text(fields, "content"),
            names=" ".join((_text(fields, "scene_name"), *tags)),
            path=store.relative(one.path),
            line=one.number,
            session=_text(fields, "sessionId") or _text(fields, "sessionKey"),
            time=times[-1] if times else _text(fields, "updatedAt") or _text(fields, "createdAt") or None,
            role=_text(fields, "type"),
            evidence=tuple(_texts(fields, "source_message_ids")),
        )


# --------------------------------------------------------------------------- scenes and persona


def _persona(store: Store) -> list[Path]:
    path = store.root / "persona.md"
    return [path] if _safe(path) else []


def _scenes(store: Store) -> Iterator[Path]:
    for folder, folders, names in os.walk(store.root / "scene_blocks"):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.endswith(".md") and _safe(path):
                yield path


def _markdown(path: Path, layer: Layer) -> "Callable[[Store, Hidden], Iterator[Document]]":
    return lambda store, _hides: _sections(store, path, layer)


def _sections(store: Store, path: Path, layer: Layer) -> Iterator[Document]:
    """Cut a Markdown file at its headings; long sections at blank lines."""
    text = files.read_bytes(path).decode("utf-8", "replace").replace("\r\n", "\n")
    meta = _META.match(text)
    facts = dict(line.partition(":")[::2] for line in meta[1].split("\n") if ":" in line) if meta else {}
    skipped = meta[0].count("\n") if meta else 0
    relative = store.relative(path)
    body = text[meta.end() :] if meta else text
    summary = facts.get("summary", "").strip()
    for number, heading, section in _cut(body.split("\n"), skipped):
        shown = _COMMENT.sub("", section).strip()
        if not shown and not summary:
            continue
        yield Document(
            key=f"{layer}:{relative}:{number}",
            id=relative,
            layer=layer,
            title=heading or path.stem,
            text="\n".join(filter(None, (summary, shown))),
            names=path.stem,
            path=relative,
            line=number,
            time=facts.get("updated", "").strip() or None,
            evidence=tuple(dict.fromkeys(_EVIDENCE.findall(section))),
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


# --------------------------------------------------------------------------- fields


def _text(fields: Mapping[str, Json], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _texts(fields: Mapping[str, Json], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _time(value: Json) -> str | None:
    """Read a time; the original writes milliseconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        seconds = value / 1000 if value > 1e11 else value
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    return value if isinstance(value, str) and value else None
