"""Clones of a memory directory: real git, which a module that imports this needs."""

import shutil
import subprocess
from pathlib import Path

import pytest
from running import memctl, snapshot

if shutil.which("git") is None:
    pytest.skip("git is not here", allow_module_level=True)


def git(home: Path, *arguments: str, code: int | None = 0) -> str:
    done = subprocess.run(["git", *arguments], cwd=home, capture_output=True, check=False, text=True)
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done.stdout


def committed(home: Path, message: str) -> None:
    git(home, "add", "-A")
    git(home, "commit", "-q", "-m", message)


def clones(tmp_path: Path, base: Path) -> tuple[Path, Path]:
    """Make a directory with one session, and two clones of it."""
    origin = tmp_path / "origin"
    memctl("-q", "-C", origin, "ingest", base)
    git(origin, "init", "-q", "-b", "main")
    committed(origin, "base")
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(origin), name)
    return tmp_path / "ours", tmp_path / "theirs"


def committed_tree(home: Path) -> dict[str, bytes]:
    """Give what a clone of a directory that is a repository has; nothing of it is left to commit."""
    assert git(home, "status", "--porcelain") == ""
    clone = home.parent / f"clone-of-{home.name}"
    git(home.parent, "clone", "-q", str(home), clone.name)
    memctl("-q", "-C", clone, "check", "--strict")
    return snapshot(clone)
