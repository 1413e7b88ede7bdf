"""Named pipes and devices where a file of the directory belongs: refused by name, and nobody waits for their writer."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import entries, memctl

from memctl import files
from memctl.engine import hooks
from memctl.errors import DamagedError, StoreError
from memctl.passes import notes
from memctl.passes.following import follow
from memctl.passes.ingest import ingest
from memctl.readers import open_source
from memctl.store import open_store

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")

PLACES = """
memctl.yaml cleared.jsonl graph.jsonl persona.md .gitignore .gitattributes scene_blocks/x.md conversations/x.jsonl
offload-x.jsonl mmds/009-x.mmd tasks/task-x.yaml refs/2026-01/x.md .memctl/cursors.json
""".split()
COMMANDS = (
    ["check"],
    ["recall", "files"],
    ["ingest", "INPUT"],
    ["compact"],
    ["check", "--fix"],
    ["git", "install"],
)


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Turn waiting for ever into an error: a writer never comes."""

    def give_up(*_: object) -> None:
        raise AssertionError("waits for ever")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _chat(path: Path, name: str) -> Path:
    messages = [
        {"role": "user", "content": f"list the files of {name}"},
        {"role": "assistant", "content": "a.py"},
    ]
    path.write_text(json.dumps({"session_id": name, "messages": messages}))
    return path


@pytest.mark.parametrize("place", PLACES)
def test_no_command_waits_for_a_pipe(place: str, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", _chat(tmp_path / "one.json", "one"))
    path = home / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)

    for number, command in enumerate(COMMANDS):
        given = [
            str(_chat(tmp_path / "two.json", f"two-{number}")) if word == "INPUT" else word
            for word in command
        ]
        found = memctl("-C", home, *given, code=None)
        assert found.code in (0, 1, 2, 3, 10, 11, 12), f"{command}: {found.err}"
        if place == "memctl.yaml" and found.code:
            assert "memctl.yaml" in found.err + found.out


def test_what_is_no_regular_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for read in (
        files.read_bytes,
        lambda path: list(files.lines_of(path)),
        files.last_line,
        files.first_line,
    ):
        with pytest.raises(DamagedError, match="pipe is not a regular file"):
            read(pipe)
    with pytest.raises(DamagedError, match="null is not a regular file"):
        files.read_bytes(Path(os.devnull))
    with pytest.raises(StoreError, match=r"cannot read .*: Is a directory"):
        files.read_bytes(tmp_path)


def test_a_hook_takes_nothing_but_files_with_something_in_them(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    for path in (
        tmp_path / "pipe",
        tmp_path / "empty",
        Path(os.devnull),
        tmp_path,
        Path("/proc/kmsg"),
        Path("\0"),
    ):
        event = json.dumps({"hook_event_name": "Stop", "transcript_path": str(path), "cwd": str(tmp_path)})
        assert hooks.run("claude-code", str(home), event) == 0
        assert notes.left(str(home)) == []


def test_what_became_a_pipe_since_a_hook_noted_it_is_passed_over(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    os.mkfifo(tmp_path / "pipe")
    notes.leave(str(home), str(tmp_path / "pipe"))

    assert not follow(open_store(home), str(tmp_path / "pipe"))
    ingest(open_store(home), [])
    assert notes.left(str(home)) == []
    assert entries(home) == []


def test_a_file_is_read_as_long_as_it_was_when_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "grows.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n')
    source = open_source(path)
    with path.open("a") as stream:
        stream.write('{"c": 3}\n' * 50_000)

    assert [getattr(line, "value", None) for line in source.lines()] == [{"a": 1}, {"b": 2}]
    assert source.head() == ({"a": 1}, {"b": 2})
    assert source.text() == '{"a": 1}\n{"b": 2}\n'
