"""Which files an ingest looks at: closed folders are said, deep ones walked, unchanged ones need no lock."""

import errno
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import memctl, snapshot

from memctl import files


def chat(path: Path, text: str) -> Path:
    path.write_text(json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "yes"}]))
    return path


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that may not be read, beside one that may; root, who runs CI, is never refused."""
    folder = tmp_path / "sessions" / "closed"
    folder.mkdir(parents=True)
    chat(tmp_path / "sessions" / "open.json", "hello")
    scandir = os.scandir

    def refusing(path: str) -> Iterator[os.DirEntry[str]]:
        if str(path) == str(folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    return folder


def test_a_folder_that_may_not_be_read_is_said_and_the_rest_is_in(closed: Path, tmp_path: Path) -> None:
    found = memctl("-C", tmp_path / "memory", "ingest", closed.parent)

    assert f"{closed}: permission denied" in found.err
    assert found.out.startswith("1 session from 1 file")


def test_a_named_folder_that_may_not_be_read_is_an_error(closed: Path, tmp_path: Path) -> None:
    found = memctl("-C", tmp_path / "memory", "ingest", closed, code=3)

    assert f"{closed}: permission denied" in found.err
    assert not (tmp_path / "memory").exists()


def test_a_missing_file_keeps_none_of_the_others_out(tmp_path: Path) -> None:
    good = chat(tmp_path / "chat.json", "hello")

    found = memctl("-C", tmp_path / "memory", "ingest", tmp_path / "gone.json", "", good, code=3)

    assert f"{tmp_path / 'gone.json'}: no such file" in found.err
    assert "'': no such file" in found.err
    assert found.out.startswith("1 session from 1 file")


def test_a_zip_archive_of_many_files_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(50):
            archive.writestr(f"{number}.json", json.dumps([{"role": "user", "content": f"hello {number}"}]))
    opened = []
    whole = zipfile.ZipFile

    def counting(path: str) -> zipfile.ZipFile:
        opened.append(path)
        return whole(path)

    monkeypatch.setattr(zipfile, "ZipFile", counting)
    found = memctl("-C", tmp_path / "memory", "ingest", tmp_path / "many.zip")

    assert found.out.startswith("50 sessions from 50 files")
    assert len(opened) <= 2  # once to list, once to read


def test_folders_deeper_than_python_calls_itself_are_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    depth = 1_100
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    chat(Path("chat.json"), "from far below")
    os.chdir(tmp_path)

    found = memctl("-C", "memory", "ingest", "d")

    assert found.out.startswith("1 session from 1 file")
    os.chdir("d" + "/d" * (depth - 1))  # taken down from below: what pytest cleans up with calls itself
    Path("chat.json").unlink()
    for _ in range(depth):
        os.chdir("..")
        Path("d").rmdir()


def test_what_is_unchanged_is_said_without_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, source = tmp_path / "memory", chat(tmp_path / "chat.json", "hello")
    memctl("-q", "-C", home, "ingest", source)
    before = snapshot(home)

    def refused(*_arguments: object) -> None:
        raise AssertionError("nothing is to be written")

    monkeypatch.setattr(files, "locked", refused)
    assert memctl("-C", home, "ingest", source).out == "nothing new; 1 file unchanged\n"
    assert snapshot(home) == before


def test_what_was_lost_since_is_put_right_though_no_file_changed(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    before = snapshot(home)
    next((home / "mmds").iterdir()).unlink()

    memctl("-q", "-C", home, "ingest", samples)

    assert snapshot(home) == before
