"""The rooms, in order: a room may import itself and the rooms before it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from memctl.store import Folder

PACKAGE = Path(__file__).parents[1] / "memctl"
ROOMS = [
    *(
        "loading",
        "errors",
        "finding",
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
WRITES_ITSELF = {  # beside the room `files`, each with why
    "engine/hooks.py": "a hook has an agent waiting: it leaves its note before anything else is loaded",
    "passes/notes.py": "the same",
}
KNOWS_PATHS = {  # beside the room `store`, each with why
    "cli/completing.py": "the Tab key waits for no store; it looks at names and the heads of files",
    "cli/ingest.py": "asks for the settings of a directory that it has not made yet",
    "git/__init__.py": "lists what a commit may take along, as git spells it",
    "passes/sources.py": "keeps a path as the user wrote it",
    "tdai/export.py": "writes a directory of the original, not of ours",
}
PLACES = {*get_args(Folder), "scopes", "persona.md", "graph.jsonl", "cleared.jsonl", "memctl.yaml"}
CLI_ONLY = {"typer", "rich"}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[:2] != "__")


_OS_WRITES = set(
    "remove unlink rename renames replace rmdir removedirs mkdir makedirs link symlink chmod truncate utime".split()
)
_SHUTIL_WRITES = set("rmtree move copy copy2 copyfile copytree copymode chown".split())
_PATH_WRITES = set(
    "unlink rename rmdir mkdir touch chmod symlink_to hardlink_to write_text write_bytes".split()
)


@cache
def tree(path: Path) -> ast.Module:
    """Parse a file once for all rules."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """Give every absolute module name that a file imports, at any depth of nesting."""
    here = path.relative_to(PACKAGE.parent).with_suffix("").parts
    found: set[str] = set()
    for node in ast.walk(tree(path)):
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


# --------------------------------------------------------------------------- who writes


def writes(parsed: ast.AST) -> Iterator[int]:
    """Give the lines that write, move or remove a file without the room `files`."""
    for node in ast.walk(parsed):
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "shutil"):
            names = {alias.name for alias in node.names}
            if names & (_OS_WRITES if node.module == "os" else _SHUTIL_WRITES):
                yield node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            known = {"os": _OS_WRITES, "shutil": _SHUTIL_WRITES}.get(node.value.id, ())
            if node.attr in known:
                yield node.lineno
        if isinstance(node, ast.Call) and _opens_or_writes(node):
            yield node.lineno


def _opens_or_writes(call: ast.Call) -> bool:
    name, owner = ast.unparse(call.func).rpartition(".")[::2][::-1]
    words = {
        one.value for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }
    if name == "open" and owner == "os":
        flags = ast.unparse(call.args[1])
        return any(
            flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT")
        ) and "devnull" not in ast.unparse(call)
    if name == "open":
        return any(
            len(word) <= 3 and set(word) & set("wax+") and set(word) <= set("wax+rbt") for word in words
        )
    if owner in ("os", "shutil", "files", "output", ""):  # `output` writes to the process's own streams
        return False
    return name in _PATH_WRITES or (name == "replace" and len(call.args) == 1 and not call.keywords)


def test_only_files_writes() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): list(writes(tree(path))) for path in FILES}
    writing = {name: lines for name, lines in found.items() if lines and not name.startswith("files/")}

    assert set(writing) == set(WRITES_ITSELF), writing


@pytest.mark.parametrize(
    "line",
    [
        "path.unlink()",
        "self.path.unlink(missing_ok=True)",
        "os.replace(a, b)",
        "a.replace(b)",
        "atexit.register(shutil.rmtree, a)",
        "from shutil import rmtree",
        "open(path, 'w' if new else 'a')",
        "path.open('r+b')",
        "os.open(path, os.O_RDWR | os.O_CREAT)",
        "(folder / 'a').write_text('')",
    ],
)
def test_the_rule_sees_what_writes(line: str) -> None:
    assert list(writes(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    ["text.replace('a', 'b')", "open(path, 'rb')", "path.open()", "files.remove(path)", "replace(one, a=1)"],
)
def test_the_rule_lets_pass_what_only_reads(line: str) -> None:
    assert not list(writes(ast.parse(line)))


# --------------------------------------------------------------------------- who knows paths


def places(parsed: ast.AST) -> Iterator[int]:
    """Give the lines that put a path of a memory directory together without the room `store`."""
    for node in ast.walk(parsed):
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                if ast.unparse(left).endswith((".root", ".home")) or _is_place(right):
                    yield node.lineno
            case ast.Call(func=function, args=[_, *rest]) if ast.unparse(function) in (
                "Path",
                "os.path.join",
            ):
                if any(map(_is_place, rest)):
                    yield node.lineno
            case ast.JoinedStr(values=[ast.Constant(value="offload-"), *_]):
                yield node.lineno
            case ast.Call(
                func=ast.Attribute(attr="removeprefix" | "startswith"), args=[ast.Constant("offload-")]
            ):
                yield node.lineno


def _is_place(node: ast.AST) -> bool:
    constant = isinstance(node, ast.Constant) and node.value in PLACES
    return constant or ast.unparse(node) == "config.FILE_NAME"


def test_only_store_knows_paths() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): list(places(tree(path))) for path in FILES}
    knowing = {name: lines for name, lines in found.items() if lines and not name.startswith("store/")}

    assert set(knowing) == set(KNOWS_PATHS), knowing


@pytest.mark.parametrize(
    "line",
    [
        "store.root / name",
        "self._store.home / name / 'a'",
        "folder / 'mmds'",
        "os.path.join(home, 'memctl.yaml')",
        "Path(home, 'tasks', name)",
        "home / config.FILE_NAME",
        "f'offload-{session}.jsonl'",
        "path.stem.removeprefix('offload-')",
    ],
)
def test_the_rule_sees_who_knows_paths(line: str) -> None:
    assert list(places(ast.parse(line)))
