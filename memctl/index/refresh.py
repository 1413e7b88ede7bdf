"""Keep an index up to date with its files: what changed is read again, and a damaged index is rebuilt."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl import __version__, files
from memctl.errors import DamagedError, MemctlError, StoreError
from memctl.index import embedders, place as places
from memctl.index.documents import Document
from memctl.index.embedders import Embedder, EmbedderError
from memctl.index.place import FORMAT, Manifest, Place
from memctl.index.sources import Hidden, Source, hidden, sources
from memctl.store import Store
from memctl.text.names import short_hash

if TYPE_CHECKING:  # start-up is a feature
    from memctl.index.embedding import Embedding

Say = Callable[[str], None]
Step = Callable[[str, int], None]
Progress = Callable[[int], AbstractContextManager[Step]]
"""Shows long work: given the bytes there are, gives what is told each file's name and bytes when it is done."""

_PATIENCE = 2.0  # seconds to wait for another process that refreshes an index which answers anyway
_AGAIN = "`memctl index build` tries again"
_WORN = 0.3  # share of dropped documents from which on an index is packed


@dataclass(frozen=True, slots=True)
class Opened:
    """An index fit to be asked: the folder of its generation, its manifest, and where it lives."""

    place: Place
    folder: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class Drift:
    """How the files differ from what an index was made from: names of sources."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.changed or self.gone)


@contextmanager
def unseen(_total: int) -> Iterator[Step]:
    """Show no progress."""
    yield lambda _what, _size: None


def opened(
    store: Store, say: Say, progress: Progress = unseen, *, afresh: bool = False, wait: float = 600.0
) -> Opened:
    """Open a store's index after bringing it up to its files; *say* is told what a person should know.

    Raises LockedError when another process builds the first one for longer than *wait* seconds.
    """
    place = places.place_of(store)
    try:
        return _opened_at(store, place, say, progress, wait, afresh=afresh)
    except (OSError, StoreError) as error:
        if place.why:
            raise
        place = places.temporary(store, f"{place.folder} cannot be used: {error}")
        return _opened_at(store, place, say, progress, wait, afresh=afresh)


def _opened_at(
    store: Store, place: Place, say: Say, progress: Progress, wait: float, *, afresh: bool
) -> Opened:
    if place.why:
        say(f"{place.why}; the index is built for this run only")
    manifest = _usable(store, place, say)
    now = _signatures(store, manifest)
    if manifest is not None and not afresh and not _due(manifest, now):
        return Opened(place, place.folder / manifest.folder, manifest)
    with _held(place, _PATIENCE if manifest is not None and not afresh else wait, say) as mine:
        if not mine and manifest is not None:
            say("another process is refreshing the index; using the previous version")
            return Opened(place, place.folder / manifest.folder, manifest)
        manifest = None if afresh else _usable(store, place, lambda _text: None)
        now = _signatures(store, manifest)
        if manifest is None or _due(manifest, now):
            manifest = _build(store, place, manifest, now, say, progress)
    return Opened(place, place.folder / manifest.folder, manifest)


def drift(store: Store, manifest: Manifest) -> Drift:
    """Tell how the files differ from what an index was made from."""
    now, then = _signatures(store, manifest), manifest.sources
    return Drift(
        tuple(name for name in now if name not in then),
        tuple(
            name for name, signature in now.items() if name in then and _hash(then[name]) != _hash(signature)
        ),
        tuple(name for name in then if name not in now),
    )


def rebuilt(store: Store, say: Say, progress: Progress, reason: str) -> Opened:
    """Build a store's index anew because it turned out to be damaged, saying so."""
    say(f"the search index was damaged ({reason}); rebuilding it")
    return opened(store, say, progress, afresh=True)


# --------------------------------------------------------------------------- what is due


def _usable(store: Store, place: Place, say: Say) -> Manifest | None:
    """Read the manifest of an index that can still be brought up to date; say why one cannot."""
    try:
        manifest = places.read_manifest(place)
    except ValueError as error:
        say(f"the search index was damaged ({error}); rebuilding it")
        return None
    if manifest is None:
        return None
    if manifest.version != __version__ or manifest.format != FORMAT:
        say("the search index was built by another version of memctl; rebuilding it")
        return None
    if manifest.wanted != (wanted := _wanted(store)[0]):
        say(f"the embedder is now {wanted}, not {manifest.wanted}; rebuilding the index")
        return None
    return manifest


def _wanted(store: Store) -> tuple[str, str]:
    """Give the embedder an index should have now, and why it is none."""
    name = store.config.embedder
    why = embedders.missing(name)
    return (embedders.NONE, why) if why else (name, "")


def _due(manifest: Manifest, now: Mapping[str, str]) -> bool:
    return dict(manifest.sources) != dict(now)


def _signatures(store: Store, manifest: Manifest | None) -> dict[str, str]:
    """Give each source's signature: a hash of its files, and their sizes and times, which spare the hash."""
    known = manifest.sources if manifest is not None else {}
    return {source.name: _signature(source, known.get(source.name, "")) for source in sources(store)}


def _signature(source: Source, known: str) -> str:
    """Write `<hash>:<look>`; the hash is taken again only when the look differs."""
    if known.partition(":")[2] == source.look:
        return known
    digest = hashlib.sha256()
    for path in source.paths:
        try:
            with files.open_file(path) as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except (OSError, MemctlError):  # reading it says what is wrong
            continue
    return f"{digest.hexdigest()[:20]}:{source.look}"


def _hash(signature: str) -> str:
    return signature.partition(":")[0]


class _held:  # noqa: N801 - reads as what it does
    """Hold the lock of an index's folder; entering gives False when another process keeps it too long."""

    def __init__(self, place: Place, wait: float, say: Say) -> None:
        import filelock

        self._lock = filelock.FileLock(place.folder / "lock", mode=files.FILE_MODE)
        self._timeout = filelock.Timeout
        self._wait, self._say = wait, say

    def __enter__(self) -> bool:
        try:
            self._lock.acquire(timeout=min(self._wait, _PATIENCE))
        except self._timeout:
            if self._wait <= _PATIENCE:
                return False
            self._say("another process is building the index; waiting for it")
            try:
                self._lock.acquire(timeout=self._wait)
            except self._timeout:
                raise places.busy(self._wait) from None
        return True

    def __exit__(self, *_error: object) -> None:
        self._lock.release()


# --------------------------------------------------------------------------- building


@dataclass(slots=True)
class _Change:
    """What one build adds and drops, filled while Whoosh takes the documents."""

    store: Store
    hides: Hidden
    next: int
    say: Say
    embedding: "Embedding | None" = None
    dropped: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    why: str = ""


def _build(
    store: Store, place: Place, before: Manifest | None, now: Mapping[str, str], say: Say, progress: Progress
) -> Manifest:
    """Make the next generation: from scratch, or from the one *before* and the sources that changed."""
    from memctl.index import lexical

    hides = hidden(store)
    mark = hides.mark
    wanted, why = _wanted(store)
    embedder, failed = _loaded(wanted, place, say)
    name, why = (embedders.NONE, failed) if failed else (wanted, why)
    if before is not None and before.embedder != name:
        before = None
    then = before.sources if before is not None else {}
    all_again = before is None or before.hidden != mark
    changed = [
        source
        for source in sources(store)
        if all_again or _hash(then.get(source.name, "")) != _hash(now.get(source.name, ""))
    ]
    gone = [source for source in then if source not in now]
    if before is not None and not changed and not gone:  # only times changed
        manifest = replace(before, sources=dict(now))
        places.note(place, manifest)
        return manifest
    folder = places.begin(place, before)
    change = _Change(store, hides, before.next if before else 0, say, _embedding(embedder), why=why)
    try:
        lexicon = lexical.Lexicon(folder) if before is not None else None
        added = list(_plan(change, lexicon, changed, gone)) if lexicon else []
        stream = _numbered(change, added if lexicon else _all(change, changed), changed, progress)
        worn = lexicon is not None and len(change.places) > _WORN * max(lexicon.count, 1)
        lexical.write(
            folder,
            stream,
            change.places,
            fresh=before is None,
            pack=worn or (before is not None and before.hidden != mark),
        )
        there = before.dimension if before else 0
        dimension = _write_vectors(folder, change, there, fresh=before is None)
        known = lexical.Lexicon(folder)
        manifest = Manifest(
            folder=f"g-{short_hash(12, change.next, folder.name)}",
            embedder=embedders.NONE if change.why else name,
            wanted=wanted,
            sources=dict(now),
            documents=_counted(known.layers),
            hidden=mark,
            next=change.next,
            why=change.why,
            dimension=dimension or there,
            root=str(store.root.resolve()),
        )
        manifest = places.publish(place, folder, manifest)
    except BaseException:
        if change.embedding is not None:
            change.embedding.close()
        places.discard(folder)
        raise
    return manifest


def _embedding(embedder: Embedder | None) -> "Embedding | None":
    if embedder is None:
        return None
    from memctl.index.embedding import Embedding

    return Embedding(embedder)


def _loaded(name: str, place: Place, say: Say) -> tuple[Embedder | None, str]:
    if name == embedders.NONE:
        return None, ""
    try:
        return embedders.load(name, place.shared), ""
    except EmbedderError as error:
        why = f"{error}; {_AGAIN}"
        say(embedders.without(why))
        return None, why


def _all(change: _Change, changed: Sequence[Source]) -> Iterator[tuple[str, Document]]:
    for source in changed:
        for document in _read(change, source):
            yield source.name, document


def _plan(
    change: _Change, lexicon: Any, changed: Sequence[Source], gone: Sequence[str]
) -> Iterator[tuple[str, Document]]:
    """Compare the changed sources with what is indexed of them: give the new documents, note the dropped."""
    from memctl.index import lexical

    for name in gone:
        for docnum in lexicon.with_value("source", name):
            old = lexicon.stored(docnum)
            change.dropped.append(old.number)
            change.places.append(lexical.place_in(name, old.key))
    for source in changed:
        known = {
            old.key: old for old in (lexicon.stored(one) for one in lexicon.with_value("source", source.name))
        }
        for document in _read(change, source):
            same = known.pop(document.key, None)
            if same is not None and same.fingerprint == document.fingerprint:
                continue
            if same is not None:
                change.dropped.append(same.number)
                change.places.append(lexical.place_in(source.name, same.key))
            yield source.name, document
        for old in known.values():
            change.dropped.append(old.number)
            change.places.append(lexical.place_in(source.name, old.key))


def _read(change: _Change, source: Source) -> Iterator[Document]:
    """Give a source's documents, each key once; a file that cannot be read is said and left out."""
    seen: set[str] = set()
    try:
        for document in source.read(change.store, change.hides):
            if document.key not in seen:
                seen.add(document.key)
                yield document
    except (DamagedError, StoreError) as error:
        change.say(f"not indexed: {error}")


def _numbered(
    change: _Change,
    added: Iterator[tuple[str, Document]] | Sequence[tuple[str, Document]],
    changed: Sequence[Source],
    progress: Progress,
) -> Iterator[tuple[int, str, Document]]:
    """Give the documents their numbers as Whoosh takes them, and have their vectors made."""
    sizes = {source.name: source.size for source in changed}
    with progress(sum(sizes.values())) as step:
        for name, documents in groupby(added, key=itemgetter(0)):
            for source, document in documents:
                number = change.next
                change.next += 1
                if change.embedding is not None:
                    change.embedding.add(number, document)
                yield number, source, document
            step(name, sizes.pop(name, 0))


def _write_vectors(folder: Path, change: _Change, there: int, *, fresh: bool) -> int:
    """Write the vectors of a change to those of dimension *there*; give theirs, 0 when none were added."""
    if change.embedding is None:
        return 0
    import numpy as np

    from memctl.index import vectors

    try:
        numbers, made = change.embedding.finish()
        rows = np.concatenate(made) if made else np.empty((0, 1), np.float32)
        embedders.fits(rows, there if len(rows) else 0, "the index")
    except EmbedderError as error:
        change.why = f"{error}; {_AGAIN}"
        change.say(embedders.without(change.why))
        return 0
    if len(rows) or (change.dropped and not fresh):
        vectors.write(folder, numbers, rows, change.dropped, fresh=fresh)
    return int(rows.shape[1]) if len(rows) else 0


def _counted(layers: bytes) -> dict[str, int]:
    from memctl.index.documents import LAYERS

    counted = Counter(layers)
    return {layer: counted[number] for number, layer in enumerate(LAYERS)}
