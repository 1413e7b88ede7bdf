"""Finding by meaning: a faiss index of the vectors of all documents.

Exact up to 50,000 vectors; above that in cells of near ones, of which a search looks at the nearest.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from memctl import files
from memctl.index.documents import AFTER, BEFORE, Document
from memctl.index.embedders import Embedder

FLAT = 50_000  # vectors that are searched one by one (DESIGN 6)
_PROBED = 32  # cells a search looks at
_TRAINED = 64  # vectors for each cell that its centre is learned from
_FILE = "vectors.faiss"


def embed(embedder: Embedder, documents: Sequence[Document]) -> Any:
    """Give a document's vector each, (documents, dimension): a message's leans towards its neighbours'."""
    import numpy as np

    places: dict[str, int] = {}
    for document in documents:
        for text in (_text(document), *(one.text for one in (*document.before, *document.after))):
            places.setdefault(text, len(places))
    rows = embedder.encode(list(places))
    found = np.empty((len(documents), rows.shape[1]), dtype=np.float32)
    for at, document in enumerate(documents):
        row = rows[places[_text(document)]].copy()
        for neighbours, factors in ((document.before, BEFORE), (document.after, AFTER)):
            for neighbour, factor in zip(neighbours, factors, strict=False):
                row += factor * rows[places[neighbour.text]]
        found[at] = row / max(float(np.linalg.norm(row)), 1e-12)
    return found


def _text(document: Document) -> str:
    if document.layer == "entry":  # what a call came to says more than how it was written
        return f"{document.text}. {document.title}"
    return f"{document.title}. {document.text}" if document.title else document.text


def write(folder: Path, numbers: Sequence[int], rows: Any, dropped: Sequence[int], *, fresh: bool) -> None:
    """Add vectors under their documents' numbers and drop others; or write nothing."""
    import faiss
    import numpy as np

    path = folder / _FILE
    there: Any = None if fresh or not path.exists() else faiss.read_index(str(path))
    if there is not None and not len(numbers) and not len(dropped):
        return
    if there is not None and len(dropped):
        there.remove_ids(np.asarray(dropped, dtype=np.int64))
    if there is None:
        there = _flat(rows.shape[1])
    if len(numbers):
        there = _fitting(there, there.ntotal + len(numbers), rows)
        there.add_with_ids(np.ascontiguousarray(rows, dtype=np.float32), np.asarray(numbers, dtype=np.int64))
    files.remove(path)  # it may be a link to the one before, which must stay as it is
    faiss.write_index(there, str(path))


def _flat(dimension: int) -> Any:
    import faiss

    return faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))


def _fitting(there: Any, total: int, rows: Any) -> Any:
    """Give the index to add to: the one there, or one in cells when it would become too large to be flat."""
    import faiss
    import numpy as np

    if total <= FLAT or not isinstance(there, faiss.IndexIDMap2):
        return there
    numbers = faiss.vector_to_array(there.id_map)
    old = there.index.reconstruct_n(0, there.ntotal) if there.ntotal else np.empty((0, there.d), np.float32)
    cells = int(total**0.5)
    sample = np.concatenate([old, rows]) if len(old) else rows
    sample = sample[:: max(1, len(sample) // (cells * _TRAINED))]
    centres: Any = faiss.IndexFlatIP(there.d)
    cut: Any = faiss.IndexIVFFlat(centres, there.d, cells, faiss.METRIC_INNER_PRODUCT)
    centres.this.disown()  # it now belongs to the index
    cut.own_fields = True
    cut.cp.niter, cut.nprobe = 8, _PROBED
    cut.train(np.ascontiguousarray(sample, dtype=np.float32))
    if len(old):
        cut.add_with_ids(old, numbers)
    return cut


class Vectors:
    """An opened index of vectors."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import faiss

        self._faiss = faiss
        path = str(folder / _FILE)
        try:
            self._index: Any = faiss.read_index(path, getattr(faiss, "IO_FLAG_MMAP_IFC", 0))
        except RuntimeError as error:
            raise OSError(f"{path}: {error}") from error

    def search(self, row: Any, most: int, allowed: Iterable[int] | None) -> list[tuple[int, float]]:
        """Give the nearest documents' numbers with their cosine, best first."""
        import numpy as np

        options = {}
        if allowed is not None:
            numbers = np.asarray(sorted(allowed), dtype=np.int64)
            selector = self._faiss.IDSelectorBatch(numbers)
            cells = hasattr(self._index, "nprobe")
            kind: Any = self._faiss.SearchParametersIVF if cells else self._faiss.SearchParameters
            options["params"] = kind(sel=selector, nprobe=self._index.nlist) if cells else kind(sel=selector)
        most = min(most, self._index.ntotal)
        cosines, numbers_found = self._index.search(np.ascontiguousarray(row[None]), most, **options)
        return [
            (int(number), float(cosine))
            for number, cosine in zip(numbers_found[0], cosines[0], strict=True)
            if number >= 0
        ]
