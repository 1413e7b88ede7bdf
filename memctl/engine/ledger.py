"""What models were asked in a directory and what it cost: a private file, for `status` and for not asking twice."""

import contextlib
from collections.abc import Mapping

from memctl import files
from memctl.model import Json
from memctl.store import Store

_MEMORY = "engine.json"
_REMEMBERED = 5_000  # questions


class Ledger:
    """What was asked before, by hash, and what all runs cost; losing it costs money and nothing else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.private(_MEMORY)
        self._asked = dict.fromkeys(_asked(usage(store)))
        self._settled: dict[str, None] = {}  # since then
        self._saved: dict[str, int] = {}  # of what this run has come to

    def knows(self, mark: str) -> bool:
        """Tell whether exactly this was asked before."""
        return mark in self._asked or mark in self._settled

    def settle(self, mark: str) -> None:
        """Remember that this needs no asking."""
        self._settled[mark] = None

    def save(self, model: str, spent: Mapping[str, int]) -> None:
        """Add what a run of a model has come to so far to what all other runs have; the caller holds the lock.

        Others may have saved theirs since this one began, so the file is read again.
        """
        known = usage(self._store)
        before = known["models"].get(model, {})
        total = {
            name: before.get(name, 0) + count - self._saved.get(name, 0) for name, count in spent.items()
        }
        models = {**known["models"], model: total}
        asked = list(dict.fromkeys([*_asked(known), *self._settled]))[-_REMEMBERED:]
        whole = {"models": dict(sorted(models.items())), "asked": asked}
        files.write_atomic(self._store.home, self._path, [files.encode(whole)])
        self._saved = dict(spent)


def _asked(known: Mapping[str, Json]) -> list[str]:
    asked = known.get("asked")
    return [one for one in (asked if isinstance(asked, list) else ()) if isinstance(one, str)]


def usage(store: Store) -> dict[str, Json]:
    """Give what models were asked in this directory and what it cost: `models` by name, whole numbers each."""
    path = store.private(_MEMORY)
    known: Json = None
    if path.is_file():
        with contextlib.suppress(ValueError):
            known = files.decode(files.read_bytes(path))
    known = known if isinstance(known, dict) else {}
    models = known.get("models")
    counted = {
        name: {what: count for what, count in spent.items() if isinstance(count, int)}
        for name, spent in (models.items() if isinstance(models, dict) else ())
        if isinstance(spent, dict)
    }
    return {**known, "models": counted}
