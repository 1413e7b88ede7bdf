"""The README's recipe for merging commits a whole memory: whoever merged whom, whether git stopped or not.

What counts is what is committed, so each test looks at a clone of it.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import original
import pytest
from clones import clones, committed, git
from running import PROGRAM, memctl, snapshot

if shutil.which("bash") is None:
    pytest.skip("bash is not here", allow_module_level=True)

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
[RECIPE] = re.findall(r"```sh\n(git merge theirs[^\n]*)\n```", README)


def program(folder: Path) -> Path:
    """Write a program memctl that runs this checkout."""
    path = folder / "memctl"
    folder.mkdir(parents=True, exist_ok=True)
    quoted = " ".join(f"'{word}'" for word in PROGRAM)
    path.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec {quoted} \"$@\"\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put memctl on the PATH."""
    folder = program(tmp_path / "bin").parent
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def sides(tmp_path: Path, samples: Path, *, learned: bool) -> tuple[Path, Path]:
    """Make two clones of a project, in which two canvases share the number 002.

    learned: both have extracted, so that git stops in the persona.
    """
    base = tmp_path / "base"

    def take(project: Path, *names: str) -> None:
        home = project / "memory"
        memctl("-q", "-C", home, "ingest", *[samples / name for name in names])
        if learned:
            memctl("-q", "-C", home, "extract")

    take(base, "codex.jsonl")
    git(base, "init", "-q", "-b", "main")
    committed(base, "base")
    for name in ("one", "other"):
        git(tmp_path, "clone", "-q", str(base), name)
    one, other = tmp_path / "one", tmp_path / "other"
    take(one, "claude_code.jsonl")
    take(other, "anthropic.json", "gemini.json")
    for project in (one, other):
        committed(project, project.name)
    for here, there in ((one, other), (other, one)):
        git(here, "fetch", "-q", str(there), "main:theirs")
    return one, other


def whole(project: Path, tmp_path: Path) -> dict[str, bytes]:
    """Check that nothing is uncommitted, and that a clone of what is committed is the same and whole."""
    assert git(project, "status", "--porcelain") == ""
    clone = tmp_path / f"clone-of-{project.name}"
    git(tmp_path, "clone", "-q", str(project), clone.name)
    memctl("-q", "-C", clone / "memory", "check", "--strict")
    assert snapshot(clone) == snapshot(project)
    return snapshot(clone)


def shell(project: Path, script: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", script]
    return subprocess.run(command, cwd=project, capture_output=True, check=False, timeout=120, text=True)


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("driver", [False, True], ids=["no driver", "driver"])
@pytest.mark.parametrize("learned", [False, True], ids=["numbers alone", "persona, too"])
def test_the_recipe_commits_a_whole_memory_either_way(
    tmp_path: Path, samples: Path, *, learned: bool, driver: bool
) -> None:
    stopped = []
    found = []
    for project in sides(tmp_path, samples, learned=learned):
        if driver:
            memctl("-q", "-C", project / "memory", "git", "install")

        done = shell(project, RECIPE)

        stopped.append("CONFLICT" in done.stdout)
        assert done.returncode == 0, done.stderr
        assert "canvas 002 was renumbered to 00" in done.stderr
        assert "committed" in done.stderr
        found.append(whole(project, tmp_path))
        parents = git(project, "rev-list", "--merges", "--parents", "-1", "HEAD").split()
        assert len(parents) == 3, "it is a merge"
        assert "Conflicts" not in git(project, "log", "--format=%B", "-2")
    assert stopped == [learned and not driver] * 2
    assert found[0] == found[1]
    numbers = [name.partition("mmds/")[2][:3] for name in found[0] if "mmds/" in name]
    assert len(set(numbers)) == len(numbers) > 3


@pytest.mark.parametrize("learned", [False, True], ids=["numbers alone", "persona, too"])
def test_what_fix_stages_of_a_merge_is_what_is_there(tmp_path: Path, samples: Path, *, learned: bool) -> None:
    found = []
    for project in sides(tmp_path, samples, learned=learned):
        git(project, "merge", "-q", "--no-commit", "theirs", code=None)

        told = memctl("-C", project / "memory", "check", "--fix", "--strict").err

        assert "canvas 002 was renumbered to 00" in told
        assert "conclude the merge with `git commit`" in told
        git(project, "diff", "--exit-code")
        git(project, "commit", "-q", "--no-edit")
        found.append(whole(project, tmp_path))
    assert found[0] == found[1]


def test_without_commit_it_says_what_is_left_to_commit(tmp_path: Path, samples: Path) -> None:
    project, _ = sides(tmp_path, samples, learned=False)
    home = project / "memory"
    git(project, "merge", "-q", "--no-edit", "theirs")

    told = memctl("-C", home, "check", "--fix").err

    assert re.search(r"canvas 002 was renumbered to 00\d \(.*\.mmd\); the old number still works\n", told)
    assert re.search(r"\d+ files to commit; run `memctl -C \S+ check --fix --commit`\n", told)
    memctl("-q", "-C", home, "check", "--fix", "--commit")
    whole(project, tmp_path)
    before = git(project, "rev-parse", "HEAD")
    assert "nothing to commit" in memctl("-C", home, "check", "--fix", "--commit").err
    assert git(project, "rev-parse", "HEAD") == before
    assert "to commit" not in memctl("-C", home, "check", "--fix").err


def test_conflicts_of_others_are_theirs_and_memory_is_settled(tmp_path: Path, samples: Path) -> None:
    for project in sides(tmp_path, samples, learned=True):
        for branch, text in (("main", "one\n"), ("theirs", "two\n")):
            git(project, "checkout", "-q", branch)
            (project / "code.py").write_text(text)
            committed(project, branch)
        git(project, "checkout", "-q", "main")
        git(project, "merge", "-q", "theirs", code=1)

        told = memctl("-C", project / "memory", "check", "--fix", "--commit", code=None)

        assert told.code not in (0, 1)
        assert "code.py is still in conflict" in told.err
        assert git(project, "diff", "--name-only", "--diff-filter=U") == "code.py\n"
        (project / "code.py").write_text("both\n")
        git(project, "add", "code.py")
        memctl("-q", "-C", project / "memory", "check", "--fix", "--commit")
        whole(project, tmp_path)


def test_with_errors_left_nothing_is_committed(tmp_path: Path, samples: Path) -> None:
    project, _ = sides(tmp_path, samples, learned=False)
    home = project / "memory"
    next((home / "refs").rglob("*.md")).unlink()
    before = git(project, "rev-parse", "HEAD")

    told = memctl("-C", home, "check", "--fix", "--commit", code=1)

    assert "nothing was committed" in told.err
    assert git(project, "rev-parse", "HEAD") == before


def test_commit_without_fix_is_refused(tmp_path: Path, samples: Path) -> None:
    project, _ = sides(tmp_path, samples, learned=False)

    assert "--fix" in memctl("-C", project / "memory", "check", "--commit", code=2).err


def test_a_file_that_was_staged_and_is_gone_leaves_the_index(tmp_path: Path, samples: Path) -> None:
    ours, _ = clones(tmp_path, samples / "codex.jsonl")
    path = ours / "scene_blocks" / "gone.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("# Gone\n")
    git(ours, "add", "-A")
    path.unlink()

    told = memctl("-C", ours, "ingest", samples / "codex.jsonl", "--commit").err

    assert "nothing to commit" in told
    assert git(ours, "status", "--porcelain") == ""


@pytest.mark.parametrize("folder", ["bin", "my 100% bin", "it's"])
def test_git_finds_the_driver_without_a_path_to_it(
    tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    project, _ = sides(tmp_path, samples, learned=True)
    there = program(tmp_path / folder).parent
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
        memctl("-q", "-C", project / "memory", "git", "install")

    git(project, "merge", "-q", "--no-edit", "theirs")

    memctl("-q", "-C", project / "memory", "check", "--fix", "--commit")
    whole(project, tmp_path)


def test_where_git_stopped_every_message_names_the_way_on(tmp_path: Path, samples: Path) -> None:
    project, _ = sides(tmp_path, samples, learned=True)
    home = project / "memory"
    git(project, "merge", "-q", "theirs", code=1)
    unmerged = git(project, "diff", "--name-only", "--diff-filter=U").split("\n")[:-1]
    line = (home / "persona.md").read_text("utf-8").split("\n").index("<<<<<<< HEAD") + 1

    found = memctl("-C", home, "check", "--rule", "unmerged", "--format", "json", code=1).data

    assert [os.path.relpath(one["path"], project) for one in found] == unmerged
    assert [one["line"] for one in found if one["path"].endswith("persona.md")] == [line]
    told = memctl("-C", home, "check", code=1)
    assert "CHK104" not in told.out, "a file is named once"
    assert f"a merge has stopped in 1 file: `memctl -C {home} check --fix --commit`" in told.err
    assert memctl("-C", home, "status").out.endswith(f"next       memctl -C {home} check --fix --commit\n")
    refused = memctl("-C", home, "ingest", samples / "awkward.jsonl", "--commit", code=3).err
    assert f"run `memctl -C {home} check --fix --commit`" in refused

    memctl("-q", "-C", home, "check", "--fix", "--commit")

    assert memctl("-C", home, "check").out == ""
    assert "canvas show" in memctl("-C", home, "status").out


def test_a_rebase_goes_on_as_the_messages_say(tmp_path: Path, samples: Path) -> None:
    project, _ = sides(tmp_path, samples, learned=True)
    home = project / "memory"
    git(project, "rebase", "-q", "theirs", code=1)

    told = memctl("-C", home, "check", "--fix").err
    assert "; continue with `git rebase --continue`" in told
    refused = memctl("-C", home, "check", "--fix", "--commit", code=3).err
    assert "continue with `git rebase --continue`" in refused
    git(project, "-c", "core.editor=true", "rebase", "--continue")

    whole(project, tmp_path)


def test_a_canvas_of_the_original_that_gives_way_takes_its_entries_along(
    tmp_path: Path, samples: Path
) -> None:
    theirs = original.write(tmp_path / "theirs")
    base = tmp_path / "base"
    memctl("-q", "-C", base / "memory", "init")
    git(base, "init", "-q", "-b", "main")
    committed(base, "base")
    for name, source in (("one", theirs), ("other", samples / "claude_code.jsonl")):
        git(tmp_path, "clone", "-q", str(base), name)
        memctl("-q", "-C", tmp_path / name / "memory", "ingest", source)
        committed(tmp_path / name, name)
    found = []
    for here, there in (("one", "other"), ("other", "one")):
        project = Path(shutil.copytree(tmp_path / here, tmp_path / f"{here}-merged"))
        git(project, "pull", "-q", "--no-rebase", "--no-edit", str(tmp_path / there), "main")

        told = memctl("-C", project / "memory", "check", "--fix", "--commit").err

        assert "canvas 001 was renumbered to 002 " in told
        found.append(whole(project, tmp_path))
        card = memctl("-C", project / "memory", "drill", "002-N1").out
        assert "pytest" in card
        assert original.CALLS[0] in card
    assert found[0] == found[1]
