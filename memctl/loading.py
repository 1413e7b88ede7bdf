"""Loading names of a package when they are first asked for (PEP 562): start-up is a feature."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def loads_from(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Give a package its `__getattr__` : each name is loaded when it is first asked for.

    homes: the module of the package that each name is in.
    """

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
