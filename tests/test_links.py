"""Any folder of a memory directory may have come in as a link: nothing outside is read, written or removed."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import memctl

from memctl.passes import notes

NOW = ["--now", "2031-01-01T00:00:00Z"]
SCOPE = ["--team", "t", "--agent", "a", "--user", "u"]
COMMANDS = [
    *(["ingest", "SOURCE"], ["extract"], ["check", "--fix"], ["compact", *NOW], ["trash", "empty", "--yes"]),
    *(
        ["clear", "--session", "chat-1", "--yes"],
        ["clear", "--layer", "l3", "--yes"],
        ["clear", "--yes"],
    ),
    *(["atom", "forget", "ATOM", "--purge"], ["revert", "persona.md", "1"], ["trash", "restore", "REF"]),
    *(["canvas", "fmt", "1"], ["check"], ["trash", "list"], ["history", "persona.md"], ["grep", "precious"]),
]
MORE = [
    *(["init"], ["git", "install"], ["atom", "correct", "ATOM", "Use tabs from now on."], ["drill", "REF"]),
    *(["clear", "--layer", layer, "--yes"] for layer in ("l0", "l1", "l2", "tasks", "graph")),
    *(["revert", "SCENE", "1"], ["task", "create", "Write notes"], ["task", "set-state", "TASK", "paused"]),
    *(["graph", "commit", "-s", "a", "-r", "knows", "-o", "b"], ["graph", "purge", "shop"], ["status"]),
    *(["canvas", "archive", "1"], ["apply", "canvas", "1"], ["diff"], ["export", "--tdai", "OUT"]),
    ["session", "list"],
]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    """Give a directory that has every folder: versions, scopes, trash, quarantine and notes of hooks, too."""
    home = tmp_path_factory.mktemp("links") / "memory"
    for scope in ([], SCOPE):
        _fill(home, samples, scope)
    folder = home / ".memctl" / "notes"
    folder.mkdir()
    (folder / "00000000000000000001-1").write_text(str(samples / "gemini.json"))
    (home / ".memctl" / "costs").mkdir()
    return home


def _fill(home: Path, samples: Path, scope: list[str]) -> None:
    root = home / "scopes/t/a/u" if scope else home
    source = home.parent / "chat.json"
    grown = home.parent / "grown.jsonl"
    lines = (samples / "claude_code.jsonl").read_bytes().split(b"\n")
    grown.write_bytes(b"\n".join(lines[: len(lines) // 2]))
    memctl("-q", "-C", home, "ingest", grown, *scope)
    for canvas in root.glob("mmds/*.mmd"):
        canvas.write_text(canvas.read_text().replace("summary: ", "summary: by hand "))
    grown.write_bytes(b"\n".join(lines))
    for words in ("I prefer spaces over tabs.", "I prefer tabs. The shop is called Ava's."):
        talk = [{"role": "user", "content": words}, {"role": "assistant", "content": "Noted."}]
        source.write_text(json.dumps({"session_id": f"chat-{len(words) % 2 + 1}", "messages": talk}))
        named = [grown, samples / "gemini.json", samples / "awkward.jsonl"]
        memctl("-q", "-C", home, "ingest", source, *named, *scope)
        memctl("-q", "-C", home, "extract", *scope)
        for page in (*root.glob("scene_blocks/*.md"), root / "persona.md"):
            page.write_text(page.read_text() + "\nA person wrote this.\n")
        memctl("-q", "-C", home, "extract", *scope)
        memctl("-q", "-C", home, "revert", "persona.md", "1", *scope, code=None)
    stray = next(root.glob("refs/*/*.md"))
    shutil.copy(stray, stray.with_name(f"9{stray.name}"))
    memctl("-q", "-C", home, "compact", *NOW, *scope)


def folders(home: Path) -> list[str]:
    """List all folders of a directory."""
    return sorted(
        os.path.relpath(os.path.join(place, name), home)
        for place, names, _ in os.walk(home)
        for name in names
    )


def everything(folder: Path) -> dict[str, bytes | None]:
    """Give every file and folder below one."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def _words(home: Path, command: list[str], aside: Path) -> Iterator[str]:
    """Name things that are there where a command says that it wants one."""
    source = aside / "new.json"
    source.write_text(json.dumps([{"role": "user", "content": "I use Rust for the parser."}]))
    shards = (path.read_text().split("\n")[0] for path in sorted(home.glob("records/*")))
    things = {
        "SOURCE": str(source),
        "ATOM": next((json.loads(line)["id"] for line in shards), "x"),
        "SCENE": next((path.name for path in sorted(home.glob("scene_blocks/*.md"))), "x"),
        "REF": next((path.stem for path in sorted(home.glob("refs/*/*.md"))), "x"),
        "TASK": next((path.stem for path in sorted(home.glob("tasks/*"))), "x"),
        "OUT": str(aside / "export"),
    }
    yield from (things.get(word, word) for word in command)


def _linked(full: Path, home: Path, name: str, outside: Path) -> Path:
    """Give a fresh copy of the directory with one folder a link."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(full, home)
    shutil.rmtree(home / name)
    (home / name).symlink_to(outside)
    return home


def test_the_directory_has_every_folder(full: Path) -> None:
    own = {"conversations", "mmds", "records", "refs", "scene_blocks", "tasks", "versions"}
    own |= {f"versions/{name}" for name in ("mmds", "persona.md", "scene_blocks")}
    private = {f".memctl/{name}" for name in ("trash", "quarantine", "notes")}

    assert {*own, *(f"scopes/t/a/u/{name}" for name in own), *private} <= set(folders(full))


def test_no_command_goes_through_a_folder_that_is_a_link(
    full: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    every = pytestconfig.getoption("--long")
    seen = set()
    for number, name in enumerate(folders(full)):
        kind = name.removeprefix("scopes/t/a/u/").rstrip("0123456789-TZ")
        if kind in seen and not every:
            continue  # one month of refs, one page's versions, one scope is like another
        seen.add(kind)
        outside = tmp_path / f"outside-{number}"
        shutil.move(shutil.copytree(full, tmp_path / "copy") / name, outside)
        shutil.rmtree(tmp_path / "copy")
        (outside / "precious").write_text("precious")
        before = everything(outside)
        scope = SCOPE if name.startswith("scopes") else []
        home = _linked(full, tmp_path / "memory", name, outside)
        whole = everything(home)
        for command in (*COMMANDS, *(MORE if every else ())):
            shutil.rmtree(tmp_path / "aside", ignore_errors=True)
            (tmp_path / "aside").mkdir()
            root = home / "scopes/t/a/u" if scope else home
            given = list(_words(root, command, tmp_path / "aside"))
            if command[0] not in ("init", "check", "git"):
                given += scope

            found = memctl("-C", home, *given, code=None)

            assert everything(outside) == before, (name, given)
            assert "precious" not in found.out.replace("matching 'precious'", ""), (name, given)
            if command == ["check"]:
                assert (found.code, f"/{name}:1:1: CHK102" in found.out) == (1, True), (name, found)
            if everything(home) != whole:
                home = _linked(full, home, name, outside)


def test_a_hook_notes_no_cost_through_a_link(tmp_path: Path) -> None:
    home, outside = tmp_path / "memory", tmp_path / "outside"
    memctl("-q", "-C", home, "init")
    outside.mkdir()
    (home / ".memctl").mkdir(exist_ok=True)
    notes.remember_cost(str(home), "chat.jsonl", 9.0)
    (cost,) = (home / ".memctl" / "costs").iterdir()
    shutil.move(cost, outside)
    (home / ".memctl" / "costs").rmdir()
    (home / ".memctl" / "costs").symlink_to(outside)

    for seconds in (0.0, 9.0):
        with pytest.raises(OSError, match="link"):
            notes.remember_cost(str(home), "chat.jsonl", seconds)

    assert (outside / cost.name).is_file()
