"""What people do with atoms: forget and correct, for good (DESIGN 5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from memctl import files
from memctl.errors import UsageError
from memctl.layers import forgetting, speech
from memctl.layers.likeness import fingerprint, key
from memctl.model import Atom, Json
from memctl.passes import places, versions
from memctl.passes.canvases import Numbers
from memctl.passes.derive import derive
from memctl.passes.extract import refresh
from memctl.store import Store, atoms, messages
from memctl.store.atoms import Found
from memctl.text.names import normal_time

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Gone:
    """What forgetting an atom did: versions of files cleaned, messages whose words were replaced.

    lines: a person's lines that still carried the atom's comment and went with it, by file.
    """

    atom: str
    versions: int
    purged: int
    lines: Mapping[str, int]


def forget(store: Store, listed: list[Found], now: str, *, purge: bool = False) -> Gone:
    """Replace an atom's content, in every version of it, by fingerprints; the caller holds the lock.

    listed: the atom's versions. now: ISO time. purge: replace the words in the conversations, too. The value
    stays out of scenes, persona and their versions, and of what is extracted later, however it is spelled.
    """
    atom = atoms.current(listed)
    gone = emptied(atom, [atom, *(found.atom for found in listed)], normal_time(now)[0])
    batch = files.Batch(store.home)
    _replace_lines(store, batch, {atom.id: gone})
    purged = _purge(store, batch, gone) if purge else 0
    cleaned = versions.scrub(store, batch, {atom.id})
    lines = scrub_written(store, batch, atom.id)
    batch.commit()
    if purge:
        places.forget(store)
        _draw_again(store, batch, gone)
    _rename_scenes(store, batch, gone)
    refresh(store, batch)
    return Gone(atom.id, cleaned, purged, lines)


def correct(store: Store, atom: Atom, content: str, now: str) -> Atom:
    """Write a person's version of an atom, which no later extraction changes; the caller holds the lock.

    Raises UsageError for an empty content and for a forgotten atom.
    """
    content = " ".join(content.split())
    if not key(content):
        raise UsageError(
            "the correction is empty; write what is true, or forget the atom with `memctl atom forget`"
        )
    if atom.status == "forgotten":
        raise UsageError(f"{atom.id} was forgotten, so there is nothing left to correct")
    made = replace(
        atom,
        content=content,
        actor=HUMAN,
        status="active",
        version=atom.version + 1,
        updated=normal_time(now)[0],
    )
    batch = files.Batch(store.home)
    atoms.append(store, batch, [made])
    batch.commit()
    refresh(store, batch)
    return made


# --------------------------------------------------------------------------- lines


def emptied(atom: Atom, versions: Iterable[Atom], at: str | None) -> Atom:
    """Give the version that says an atom was forgotten: no content, but the fingerprints of all its *versions*."""
    metadata: Mapping[str, Json] = {
        "tags": list(atom.tags),
        "fingerprints": forgetting.marks_of(versions),
    }
    return replace(
        atom,
        content="",
        scene="",
        metadata=metadata,
        actor=HUMAN,
        status="forgotten",
        version=atom.version + 1,
        updated=at,
        extra={},
    )


def _replace_lines(store: Store, batch: files.Batch, changed: Mapping[str, Atom]) -> None:
    """Write one line in the place of all that some atoms have."""
    atoms.replace_lines(store, batch, {name: atoms.to_line(atom) for name, atom in changed.items()})


def _rename_scenes(store: Store, batch: files.Batch, gone: Atom) -> None:
    """Take away the scene names of other atoms that quote what was forgotten."""
    forgotten = forgetting.load(store, [gone])
    named = [
        replace(atom, scene="", version=atom.version + 1)
        for atom in atoms.latest(store).values()
        if atom.scene and atom.status != "forgotten" and forgotten.hides(atom.scene)
    ]
    if named:
        _replace_lines(store, batch, {atom.id: atom for atom in named})
        batch.commit()


def scrub_written(store: Store, batch: files.Batch, name: str) -> dict[str, int]:
    """Take a forgotten atom's statements out of the files themselves, so that no version of them keeps it.

    Gives how many of these lines stood in a person's part, by file.
    """
    quoting: set[str] = set()
    lines: dict[str, int] = {}
    for path in (*store.scenes(), store.persona):
        if path.is_file():
            text = files.read_bytes(path).decode("utf-8", "surrogateescape")
            clean = versions.scrubbed(text, {name})
            if count := versions.resting_outside(text, name):
                lines[store.relative(path)] = count
            if path == store.persona:
                clean = versions.without_quotes(clean, quoting)
            elif clean != text:
                quoting.add(path.relative_to(store.folder("scene_blocks")).as_posix())
            if clean != text:
                batch.write(path, [clean.encode("utf-8", "surrogateescape")])
    return lines


# --------------------------------------------------------------------------- purge


def _fields(line: bytes) -> dict[str, Json]:
    """Read a stored message; empty for what is damaged, which `check` tells."""
    try:
        found = files.decode(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("id"), str) else {}


def _purge(store: Store, batch: files.Batch, gone: Atom) -> int:
    """Replace the forgotten sentences in the conversations; give how many messages changed.

    A black box of three bytes stands for each byte, so that of two versions of a message this one is the
    longer and stays when the transcript is taken in again (DESIGN 2.8).
    """
    marks = set(forgetting.fingerprints(gone))
    wanted: dict[str, set[str]] = {}
    for source in gone.sources:
        session, message = atoms.of_session(gone, source)
        wanted.setdefault(session, set()).add(message)
    count = 0
    for session in sorted(wanted):
        path = store.conversation(session)
        lines: list[bytes] = []
        for line in files.read_bytes(path).split(b"\n") if path.is_file() else ():
            if not line:
                continue
            fields = _fields(line)
            if fields.get("id") in wanted[session]:
                _box(fields, marks)
                for part in fields.get("parts") or ():
                    if isinstance(part, dict) and part.get("type") == "text":
                        part["text"] = _boxed(str(part.get("text") or ""), marks)[0]
                head, seq = messages.record(fields), fields.get("seq")
                line = head.line(seq if isinstance(seq, int) else 0).rstrip(b"\n")  # noqa: PLW2901 - the line as it is now
                count += 1
            lines.append(line + b"\n")
        if lines:
            batch.write(path, lines)
    return count


def _draw_again(store: Store, batch: files.Batch, gone: Atom) -> None:
    """Draw the canvases and tasks of purged sessions from their words as they are now; names never change."""
    numbers = Numbers(store)
    for session in sorted({atoms.of_session(gone, name)[0] for name in gone.sources}):
        if store.conversation(session).is_file():
            derive(store, batch, session, None, numbers)
    batch.commit()


def _box(fields: dict[str, Json], marks: set[str]) -> None:
    """Replace the sentences in a message's content; its noise stays marked where it now stands."""
    fields["content"], moved = _boxed(str(fields.get("content") or ""), marks)
    spans = fields.get("mark")
    if isinstance(spans, list):
        fields["mark"] = [[kind, *(at + _shift(at, moved) for at in ends)] for kind, *ends in spans]


def _shift(at: int, moved: list[tuple[int, int]]) -> int:
    return sum(by for end, by in moved if end <= at)


def _boxed(text: str, marks: set[str]) -> tuple[str, list[tuple[int, int]]]:
    """Give a text with its forgotten sentences replaced, and (old end, characters more) of each."""
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    at = 0
    for sentence in speech.split(text):
        start = text.find(sentence, at)
        if start < 0:
            continue
        end = start + len(sentence)
        box = sentence
        if fingerprint(sentence) in marks:
            box = "█" * len(sentence.encode("utf-8", "surrogatepass"))
            moved.append((end, len(box) - len(sentence)))
        pieces += [text[at:start], box]
        at = end
    return "".join([*pieces, text[at:]]), moved
