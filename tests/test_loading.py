"""Names that are loaded when they are first asked for: what types see and what runs agree."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "memctl"
LAZY = sorted(
    path for path in PACKAGE.rglob("__init__.py") if "loads_from(__name__" in path.read_text(encoding="utf-8")
)


def typed(path: Path) -> Iterator[tuple[str, str]]:
    """Give the names that a package imports for types only, each with the module of the package it is in."""
    for block in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for line in block.body:
                assert isinstance(line, ast.ImportFrom)
                for alias in line.names:
                    assert alias.asname == alias.name, f"{alias.name} is not exported"
                    yield alias.name, str(line.module).rpartition(".")[2]


def test_there_are_packages_that_load_late() -> None:
    assert {path.parent.name for path in LAZY} >= {"files", "model", "summarize"}


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_what_types_see_is_what_is_loaded(path: Path) -> None:
    package = importlib.import_module(f"memctl.{path.parent.name}")

    assert dict(typed(path)) == package._HOMES


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_every_name_that_is_loaded_late_is_there(path: Path) -> None:
    package = importlib.import_module(f"memctl.{path.parent.name}")

    for name in package._HOMES:
        assert getattr(package, name) is not None
