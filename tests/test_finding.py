"""Where the memory directory is: the same for commands, hooks and the Tab key."""

import os
from pathlib import Path

import pytest
from running import memctl

from memctl import store
from memctl.cli import completing
from memctl.engine import hooks


def everywhere(folder: Path, given: str | None = None) -> list[str]:
    """Ask the three that look for it from a folder, and give where they say it is."""
    words = ["-C", given, ""] if given else [""]
    found = [store.find(given), completing._home(words), hooks._home(given, {"cwd": str(folder)})]
    return [str(folder / path) if path else "" for path in map(str, found) if path != "None"]


@pytest.mark.parametrize("where", ["", "src", "src/deep"])
@pytest.mark.parametrize("home", ["", "memory", "src", "src/memory"])
def test_all_three_find_the_same(
    where: str, home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "proj"
    (project / "src" / "deep").mkdir(parents=True)
    memctl("-q", "init", project / home)
    folder = project / where
    monkeypatch.chdir(folder)
    monkeypatch.delenv("MEMCTL_DIR", raising=False)

    above = [project / "src", project] if where else [project]
    nearest = next((one for one in above if (one / "memctl.yaml").exists()), folder / "memory")
    found = {os.path.normpath(one) for one in everywhere(folder)}

    assert found == {str(nearest)}
    there = (nearest / "memctl.yaml").exists()
    assert len(everywhere(folder)) == (3 if there else 2)  # a hook is silent where there is none
    memctl("status", code=0 if there else 10)


def test_what_is_named_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here", "named", "given"):
        memctl("-q", "init", tmp_path / name)
    monkeypatch.chdir(tmp_path / "here")
    assert {os.path.normpath(one) for one in everywhere(tmp_path / "here")} == {str(tmp_path / "here")}
    monkeypatch.setenv("MEMCTL_DIR", str(tmp_path / "named"))
    assert set(everywhere(tmp_path / "here")) == {str(tmp_path / "named")}
    assert set(everywhere(tmp_path / "here", str(tmp_path / "given"))) == {str(tmp_path / "given")}


def test_a_hook_looks_from_where_its_agent_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memctl("-q", "init", tmp_path / "proj")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMCTL_DIR", raising=False)
    cwd = str(tmp_path / "proj" / "gone")  # a folder may be removed while its agent runs

    assert hooks._home(None, {"cwd": cwd}) == str(tmp_path / "proj")
    assert hooks._home(None, {}) is None
