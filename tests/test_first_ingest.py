"""The first ingest: processes that make one memory directory at once, and what is left of one that found nothing."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

import filelock
import pytest
from claude_chat import chat
from running import entries, memctl, process

from memctl import files
from memctl.errors import LockedError
from memctl.passes import ingest as passes


def meeting(monkeypatch: pytest.MonkeyPatch, *others: list[str | Path]) -> None:
    """Let other processes run to their end just before the next run in this one has the lock."""
    real = files.locked
    waiting = list(others)

    def locked(home: Path, wait: float) -> contextlib.AbstractContextManager[None]:
        while waiting:
            process(*waiting.pop(0))
        return real(home, wait)

    monkeypatch.setattr(files, "locked", locked)


def test_a_first_ingest_that_finds_nothing_takes_nothing_of_another_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, source = tmp_path / "memory", chat(tmp_path / "chat.jsonl")
    (tmp_path / "notes.txt").write_text("no transcript\n")
    meeting(monkeypatch, ["-C", home, "ingest", source])

    memctl("-C", home, "ingest", tmp_path / "notes.txt", code=3)

    assert len(entries(home)) == 1
    memctl("-C", home, "check")


def test_a_first_ingest_that_finds_nothing_leaves_what_others_put_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, source = tmp_path / "memory", tmp_path / "notes.txt"
    source.write_text("no transcript\n")
    real = passes.ingest

    def ingest(*given: Any, **named: Any) -> Any:
        report = real(*given, **named)
        (home / "scene_blocks").mkdir()
        (home / "scene_blocks" / "mine.md").write_text("# mine\n")
        return report

    monkeypatch.setattr(passes, "ingest", ingest)
    memctl("-C", home, "ingest", source, code=3)

    assert (home / "scene_blocks" / "mine.md").read_text() == "# mine\n"
    assert (home / "memctl.yaml").is_file()


def test_a_first_ingest_that_finds_nothing_leaves_nothing(tmp_path: Path) -> None:
    home, source = tmp_path / "memory", tmp_path / "notes.txt"
    source.write_text("no transcript\n")

    memctl("-C", home, "ingest", source, code=3)

    assert not home.exists()


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_lock_that_was_taken_away_with_its_directory_is_looked_for_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "memory"
    real = filelock.FileLock.acquire
    times = 0

    def acquire(lock: filelock.BaseFileLock, timeout: float) -> object:
        nonlocal times
        times += 1
        held = real(lock, timeout=timeout)
        if times == 1:  # who held it before removed it between our opening it and our locking it
            files.forsake(home, held=True)
        return held

    monkeypatch.setattr(filelock.FileLock, "acquire", acquire)
    with files.locked(home, 0), pytest.raises(LockedError), files.locked(home, 0):
        pass
    assert times == 3


def test_making_the_directory_waits_for_who_clears_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, source = tmp_path / "memory", chat(tmp_path / "chat.jsonl")
    real = files.install

    def install(temp: Path, path: Path, **named: bool) -> None:
        if path.name == "memctl.yaml":
            process("-q", "-C", home, "ingest", source, "--wait", "0")
        real(temp, path, **named)

    monkeypatch.setattr("memctl.files.writing.install", install)
    memctl("-C", home, "ingest", source)
    assert len(entries(home)) == 1
    shutil.rmtree(home)
    memctl("-C", home, "init")
    assert (home / "memctl.yaml").is_file()
