"""The state of a scope's search index: what is in it, with which signals, and how far the files have moved on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memctl.index import embedders, place as places, refresh
from memctl.index.refresh import Drift
from memctl.store import Store


@dataclass(frozen=True, slots=True)
class Index:
    """What `memctl index status` says. built: local time of the last build, "" without an index.

    vectors: whether meaning is searched, too; why: why not. problem: why there is no usable index.
    """

    folder: str
    size: int = 0
    built: str = ""
    documents: Mapping[str, int] = field(default_factory=dict)
    vectors: bool = False
    embedder: str = embedders.NONE
    dimension: int = 0
    why: str = ""
    problem: str = ""
    drift: Drift = field(default_factory=Drift)


def look(store: Store) -> Index:
    """Look at a scope's index; reads, never builds."""
    place = places.place_of(store)
    folder = str(place.folder)
    why = signals_missing(store)
    try:
        manifest = places.read_manifest(place)
    except ValueError as error:
        return Index(folder, why=why, problem=f"damaged, {error}")
    if manifest is None:
        return Index(folder, why=why, problem=place.why)
    made = (place.folder / manifest.folder).stat().st_mtime
    return Index(
        folder=str(place.folder / manifest.folder),
        size=places.size_of(place, manifest),
        built=datetime.fromtimestamp(made, UTC).astimezone().isoformat(" ", "seconds"),
        documents=manifest.documents,
        vectors=manifest.embedder != embedders.NONE and not why,
        embedder=manifest.embedder,
        dimension=manifest.dimension,
        why=why or manifest.why,
        drift=refresh.drift(store, manifest),
    )


def signals_missing(store: Store) -> str:
    """Say why recall would search by words alone; empty when vectors are there, too."""
    return embedders.missing(store.config.embedder)
