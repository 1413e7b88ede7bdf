"""The rooms, in order: a room may import itself and the rooms before it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "memctl"
ROOMS = [
    *(
        "loading",
        "errors",
        "endpoint",
        "text",
        "model",
        "files",
        "config",
        "store",
        "git",
        "readers",
        "summarize",
        "offload",
    ),
    *("canvas", "layers", "tasks", "graph", "index", "ask", "context", "passes", "check", "diff"),
    *("tdai", "engine", "schemas", "cli"),
]
CLI_ONLY = {"typer", "rich"}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[:2] != "__")


def imports(path: Path) -> set[str]:
    """Give every absolute module name that a file imports, at any depth of nesting."""
    here = path.relative_to(PACKAGE.parent).with_suffix("").parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = list(here[: len(here) - node.level]) if node.level else []
            base += node.module.split(".") if node.module else []
            found |= {".".join([*base, alias.name]) for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_earlier_rooms(path: Path) -> None:
    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    rank = ROOMS.index(room)  # a new room must be given its place here
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "memctl" and rest and rest.split(".")[0] != "__version__":
            other = rest.split(".")[0]
            assert other == room or ROOMS.index(other) < rank, f"{room} must not import {name}"
        assert room == "cli" or top not in CLI_ONLY, f"{room} must not import {top}"


def test_the_rule_sees_imports() -> None:
    """Guard the guard: a checker that reads nothing passes everything."""
    seen = {name.split(".")[1] for path in FILES for name in imports(path) if name.startswith("memctl.")}

    assert {"errors", "model", "files", "store", "readers", "passes", "ask"} <= seen


def test_the_rule_sees_an_import_inside_a_function() -> None:
    assert "rich.console.Console" in imports(PACKAGE / "cli" / "output.py")
