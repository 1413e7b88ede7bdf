"""Git around a memory directory: commits of its own paths, what memory learned, the comfort driver."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from clones import committed, git
from running import PROGRAM, memctl, snapshot

from memctl import git as git_module

if shutil.which("git") is None:
    pytest.skip("git is not here", allow_module_level=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Give a repository with a file of somebody else's."""
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    (repo / "code.py").write_text("print()\n")
    committed(repo, "code")
    return repo


# --------------------------------------------------------------------------- --commit


def test_commit_takes_the_directorys_own_paths_and_nothing_else(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    (repo / "code.py").write_text("print(1)\n")
    (repo / "staged.txt").write_text("staged\n")
    git(repo, "add", "staged.txt")
    home.mkdir()

    memctl("-q", "-C", home, "init")
    (home / "notes.txt").write_text("a person's own\n")
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")

    names = git(repo, "show", "--name-only", "--format=", "HEAD").split("\n")[:-1]
    assert names
    assert all(name.startswith("memory/") for name in names)
    assert "memory/notes.txt" not in names
    assert git(repo, "status", "--porcelain").split("\n")[:-1] == [
        " M code.py",
        "A  staged.txt",
        "?? memory/notes.txt",
    ]


def test_a_directory_that_is_the_repository_itself(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    home.mkdir()
    git(home, "init", "-q", "-b", "main")

    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    memctl("-q", "-C", home, "extract", "--commit")

    assert git(home, "status", "--porcelain") == ""
    assert git(home, "log", "--format=%s").split("\n")[:2][-1] == "memctl ingest: 1 new session, 1 new canvas"


def test_the_message_says_what_was_learned(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "claude_code.jsonl", "--commit")
    memctl("-q", "-C", home, "extract", "--commit")

    message = git(repo, "log", "-1", "--format=%B")
    assert re.match(r"memctl extract: \d+ new atoms?\n\n", message)
    assert "A token is expired at its deadline" in message


def test_nothing_new_is_no_commit(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    before = git(repo, "rev-parse", "HEAD")

    assert "nothing to commit" in memctl("-C", home, "ingest", samples / "codex.jsonl", "--commit").err
    assert git(repo, "rev-parse", "HEAD") == before


def test_what_compact_takes_away_leaves_the_commit_too(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    orphan = home / "refs" / "2026-03" / "2026-03-01T00-00-00Z-0123456789ab.md"
    orphan.parent.mkdir(parents=True, exist_ok=True)
    orphan.write_bytes(b"# Tool Result: x\n\n- bytes: 1\n\n---\n\na")
    committed(repo, "a ref that nobody names")

    memctl("-q", "-C", home, "compact", "--commit")

    assert not orphan.exists()
    assert git(repo, "status", "--porcelain") == ""


def test_commit_needs_a_repository_before_anything_is_written(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"

    assert "git init" in memctl("-C", home, "ingest", samples / "codex.jsonl", "--commit", code=2).err

    assert not home.exists()


def test_a_hook_that_refuses_is_named_and_what_is_stored_stays(repo: Path, samples: Path) -> None:
    hook = repo / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not on a Friday >&2\nexit 1\n")
    hook.chmod(0o755)

    found = memctl("-C", repo / "memory", "ingest", samples / "codex.jsonl", "--commit", code=3)

    assert "not on a Friday" in found.err
    assert list((repo / "memory" / "conversations").iterdir())


HOSTILE = ["--output=x", ":(top)*", "a b", "$(touch pwned)", "new\nline", "*.py", "日本"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_names(repo: Path, samples: Path, name: str) -> None:
    home = repo / name
    scene = home / "scene_blocks" / f"{name}.md"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    scene.parent.mkdir(exist_ok=True)
    scene.write_text("mine\n")

    memctl("-q", "-C", home, "extract", "--commit")
    memctl("-C", home, "diff", "HEAD~1")
    memctl("-C", home, "check", "--changed", "HEAD~1")
    memctl("-q", "-C", home, "git", "install")

    assert git(repo, "status", "--porcelain") == ""
    assert not (repo / "pwned").exists()
    assert (repo / "code.py").read_text() == "print()\n"
    for file in ("mmds/001-a.mmd", "scopes/red/~any/kim/mmds/001-a.mmd", "scopes/a/b/c/persona.md"):
        told = git(repo, "check-attr", "-z", "merge", "--", f"{name}/{file}")
        assert told.split("\0")[2] == "memctl"


def test_inside_a_hook_of_another_repository_ours_is_used(
    repo: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "no-index"))

    memctl("-q", "-C", repo / "memory", "ingest", samples / "codex.jsonl", "--commit")


# --------------------------------------------------------------------------- diff


def test_diff_tells_sessions_nodes_atoms_and_tasks(repo: Path, samples: Path, tmp_path: Path) -> None:
    home = repo / "memory"
    data = (samples / "claude_code.jsonl").read_bytes()
    part = tmp_path / "claude_code.jsonl"
    part.write_bytes(b"\n".join(data.split(b"\n")[:10]) + b"\n")
    memctl("-q", "-C", home, "ingest", part, "--commit")
    assert memctl("-C", home, "diff", "--exit-code").out == ""
    part.write_bytes(data)
    memctl("-q", "-C", home, "ingest", part)
    memctl("-q", "-C", home, "extract")

    found = memctl("-C", home, "diff", "--exit-code", "--format", "json", code=1).data

    [session] = found["sessions"]
    assert session["change"] == "grown"
    assert 0 < session["before"] < session["after"]
    canvas = found["canvases"][0]
    assert (canvas["id"], canvas["change"]) == ("001", "changed")
    assert any(node["before"] is None and node["after"] for node in canvas["nodes"])
    atom = found["atoms"][0]
    assert (atom["change"], atom["id"][:2]) == ("new", "m_")
    assert {file["path"] for file in found["files"]} >= {"persona.md"}
    text = memctl("-C", home, "diff").out
    assert "  ~ 001  " in text
    assert f"  + {atom['id']}  " in text
    rows = [json.loads(row) for row in memctl("-C", home, "diff", "--format", "jsonl").out.split("\n") if row]
    assert list(dict.fromkeys(row["of"] for row in rows))[:3] == ["session", "canvas", "atom"]

    committed(repo, "now")
    assert memctl("-C", home, "diff", "HEAD~1", "HEAD", "--format", "json").data == found
    for span in ("HEAD~1..HEAD", "HEAD~1.."):
        assert memctl("-C", home, "diff", span, "--format", "json").data == found
    assert memctl("-C", home, "diff", "HEAD", "HEAD").out == ""


def test_diff_tells_corrections_and_never_what_was_forgotten(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "claude_code.jsonl")
    memctl("-q", "-C", home, "extract", "--commit")
    atom = memctl("-C", home, "atom", "list", "--format", "json").data[0]
    memctl(
        "-q", "-C", home, "atom", "correct", atom["id"], "It never expires.", "--now", "2026-05-01T10:00:00Z"
    )
    committed(repo, "corrected")

    [changed] = memctl("-C", home, "diff", "HEAD~1", "HEAD", "--format", "json").data["atoms"]
    assert (changed["change"], changed["content"]) == ("corrected", "It never expires.")
    assert changed["before"] == atom["content"]

    memctl("-q", "-C", home, "atom", "forget", atom["id"], "--now", "2026-05-02T10:00:00Z")
    for revisions in ([], ["HEAD~1", "HEAD"], ["HEAD~2"]):
        for form in ("text", "json"):
            out = memctl("-C", home, "diff", *revisions, "--format", form).out
            assert "never expires" not in out
            assert atom["content"] not in out
    assert f"- {atom['id']}  forgotten" in memctl("-C", home, "diff").out


def test_diff_of_what_is_no_revision_is_2(repo: Path) -> None:
    memctl("-q", "-C", repo / "memory", "init")
    for revision in ("nowhere", "--output=x"):
        memctl("-C", repo / "memory", "diff", "--", revision, code=2)
    memctl("-C", repo / "memory", "diff", "HEAD", "HEAD", "HEAD", code=2)


def test_diff_outside_a_repository_is_2(tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "memory", "init")

    assert "git init" in memctl("-C", tmp_path / "memory", "diff", code=2).err


# --------------------------------------------------------------------------- porcelain


def test_porcelain_is_for_scripts(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)

    out = memctl("-C", home, "status", "--porcelain").out
    rows = [row.split("\t") for row in out.split("\n")[:-1]]
    facts = {row[0]: row[1] for row in rows if row[0] != "canvas"}
    data = memctl("-C", home, "status", "--format", "json").data
    assert rows[0] == ["version", "1"]
    assert int(facts["sessions"]) == data["sessions"]
    assert int(facts["calls_by_status.error"]) == data["calls_by_status"]["error"]
    canvases = [row for row in rows if row[0] == "canvas"]
    assert [int(row[1]) for row in canvases] == [canvas["number"] for canvas in data["canvases"]]
    assert {len(row) for row in canvases} == {8}
    assert memctl("-C", home, "status", "--porcelain", "-z").out == out.replace("\n", "\0")


# --------------------------------------------------------------------------- the driver


def test_install_writes_nothing_that_is_committed_and_goes_again(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    attributes = repo / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("*.png binary\n")
    before = (snapshot(repo), (repo / ".git" / "config").read_text())

    memctl("-C", home, "git", "install", "--dry-run")
    assert attributes.read_text() == "*.png binary\n"
    memctl("-C", home, "git", "install")
    once = attributes.read_text()
    memctl("-C", home, "git", "install")

    assert attributes.read_text() == once
    assert git(repo, "status", "--porcelain") == ""
    memctl("-C", home, "git", "install", "--remove")
    assert attributes.read_text() == "*.png binary\n"
    assert (snapshot(repo), (repo / ".git" / "config").read_text()) == before


def test_with_the_driver_git_does_not_stop(
    tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "memctl"
    program.parent.mkdir()
    quoted = " ".join(f"'{word}'" for word in PROGRAM)
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    origin = tmp_path / "origin"
    memctl("-q", "-C", origin, "ingest", samples / "claude_code.jsonl")
    git(origin, "init", "-q", "-b", "main")
    committed(origin, "base")
    for name, seconds in (("ours", "10"), ("theirs", "20")):
        git(tmp_path, "clone", "-q", str(origin), name)
        [task] = (tmp_path / name / "tasks").iterdir()
        state = {"ours": "paused", "theirs": "cancelled"}[name]
        now = f"2026-05-01T10:00:{seconds}Z"
        memctl("-q", "-C", tmp_path / name, "task", "set-state", task.stem, state, "--now", now)
        committed(tmp_path / name, name)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    memctl("-q", "-C", ours, "git", "install")

    pulled = subprocess.run(
        ["git", "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main"],
        cwd=ours,
        capture_output=True,
        check=False,
        text=True,
    )

    assert pulled.returncode == 0, pulled.stdout + pulled.stderr
    memctl("-q", "-C", ours, "check", "--fix", "--strict")
    [task] = (ours / "tasks").iterdir()
    assert "state: cancelled" in task.read_text("utf-8")
    assert "paused" in task.read_text("utf-8")


def test_an_object_that_the_clone_lacks_is_named(repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    name = next(path for path in home.glob("mmds/*.mmd")).relative_to(repo).as_posix()
    digest = git(repo, "rev-parse", f"HEAD:{name}").strip()
    (repo / ".git" / "objects" / digest[:2] / digest[2:]).unlink()

    told = memctl("-C", home, "diff", "HEAD~", "HEAD", code=3).err

    assert digest in told
    assert name in told
    assert "git fetch --refetch" in told


@pytest.mark.parametrize("how", ["merge", "rebase", "cherry-pick", "revert"])
def test_status_sees_whatever_git_has_stopped_in(how: str, repo: Path, samples: Path) -> None:
    home = repo / "memory"
    memctl("-q", "-C", home, "ingest", samples / "codex.jsonl", "--commit")
    code = repo / "code.py"
    git(repo, "checkout", "-q", "-b", "theirs")
    code.write_text("print('theirs')\n")
    committed(repo, "theirs")
    git(repo, "checkout", "-q", "main")
    code.write_text("print('ours')\n")
    committed(repo, "ours")
    code.write_text("print('ours, again')\n")
    committed(repo, "again")
    assert git_module.way_seen(home) == git_module.way_on(home) == ""

    git(repo, how, *(["--no-edit", "HEAD~"] if how == "revert" else ["theirs"]), code=1)

    way = "git commit" if how == "merge" else f"git {how} --continue"
    assert git_module.way_seen(home) == git_module.way_on(home) == way
    told = memctl("-C", home, "status").out
    assert (
        f"next       memctl -C {home} check --fix {'--commit' if how == 'merge' else f'&& {way}'}\n" in told
    )
    git(repo, how, "--abort")
    assert "check --fix" not in memctl("-C", home, "status").out


def test_status_sees_a_stop_in_a_work_tree_of_its_own(repo: Path, samples: Path) -> None:
    memctl("-q", "-C", repo / "memory", "ingest", samples / "codex.jsonl", "--commit")
    git(repo, "worktree", "add", "-q", "-b", "theirs", "../beside", "HEAD~")
    beside = repo.parent / "beside"
    (beside / "code.py").write_text("print('theirs')\n")
    committed(beside, "theirs")
    (repo / "code.py").write_text("print('ours')\n")
    committed(repo, "ours")

    git(beside, "rebase", "-q", "main", code=1)

    assert git_module.way_seen(beside / "memory") == "git rebase --continue"
    assert git_module.way_seen(repo / "memory") == ""
