"""Frozen: what is known in the middle of a session, as bytes that are stored and loaded again.

The bytes are a pickle, which is many times as fast as anything that builds the same objects by hand. They stand in
the user's own cache directory, never in a memory directory, which may come from anywhere; and whatever they say,
nothing is made of them but the plain values named here, so that nothing in them can run.
"""

import importlib
import io
import pickle
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

# The modules whose classes may stand in frozen bytes: values without behaviour when they are made.
_MODULES = frozenset(
    f"memctl.{name}"
    for name in (
        "canvas.attempts",
        "canvas.cards",
        "canvas.grow",
        "canvas.growing",
        "canvas.judge",
        "canvas.plans",
        "canvas.subjects",
        "model.calls",
        "model.transcripts",
        "model.values",
        "passes.calls",
        "passes.closing",
        "passes.drafting",
        "passes.following",
        "passes.intake",
        "passes.places",
        "passes.recording",
        "passes.settled",
        "readers.claude_sessions",
        "readers.claude_thread",
    )
)
_CONTAINERS = {kind.__name__: kind for kind in (Counter, OrderedDict, defaultdict, deque)}

_Value = TypeVar("_Value")


class NotFrozenError(ValueError):
    """Bytes that hold something else than was frozen."""


def frozen(value: object, aside: Mapping[type, str] | None = None) -> bytes:
    """Put a value into bytes. aside: kinds of objects that are left out, with the name they are asked for by."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    if aside:
        pickler.dispatch_table = {kind: _left_out(name) for kind, name in aside.items()}
    pickler.dump(value)
    return stream.getvalue()


def thawed(
    data: bytes, kind: type[_Value], aside: Mapping[str, Callable[[], object]] | None = None
) -> _Value:
    """Take a value out of bytes; what was left out is made by the functions of *aside*.

    Raises NotFrozenError for bytes that are damaged or hold anything else.
    """
    try:
        value = _Unpickler(io.BytesIO(data), aside or {}).load()
    except Exception as error:  # damaged bytes may raise anything
        raise NotFrozenError(str(error)) from error
    if type(value) is not kind:
        raise NotFrozenError(f"a {type(value).__name__} where a {kind.__name__} should be")
    return value


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, aside: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(stream)
        self._aside = aside

    def find_class(self, module: str, name: str) -> Any:
        """Give one of the classes that may be made, or a function of *aside*; nothing else."""
        if module == __name__ and name == "given":
            return self._given
        if module == "collections" and name in _CONTAINERS:
            return _CONTAINERS[name]
        if module in _MODULES and "." not in name:
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise NotFrozenError(f"{module}.{name} has no place here")

    def _given(self, name: str) -> object:
        return self._aside[name]()


def given(name: str) -> object:
    """Stand for what was left out; only a reader of frozen bytes can give it."""
    raise NotFrozenError(f"{name} was left out")


def _left_out(name: str) -> Callable[[object], tuple[Callable[[str], object], tuple[str]]]:
    return lambda _: (given, (name,))
