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
        known = usage(store)
        asked = known.get("asked")
        self._asked = {
            one: None for one in (asked if isinstance(asked, list) else ()) if isinstance(one, str)
        }
        self._models: dict[str, dict[str, int]] = known["models"]

    def knows(self, mark: str) -> bool:
        """Tell whether exactly this was asked before."""
        return mark in self._asked

    def settle(self, mark: str) -> None:
        """Remember that this needs no asking."""
        self._asked[mark] = None

    def save(self, model: str, spent: Mapping[str, int]) -> None:
        """Add what a run of a model has come to so far to what all runs before it did."""
        before = self._models.get(model, {})
        total = {name: count + before.get(name, 0) for name, count in spent.items()}
        models = {**self._models, model: total}
        known = {"models": dict(sorted(models.items())), "asked": list(self._asked)[-_REMEMBERED:]}
        files.write_atomic(self._store.home, self._path, [files.encode(known)])


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
