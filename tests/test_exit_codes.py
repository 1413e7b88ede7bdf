"""Every exit code can be reached, is documented and means one thing; errors say what to do."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import PROGRAM, memctl, process, snapshot

from memctl import files
from memctl.errors import ExitCode

README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """Give a small transcript with one call."""
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    messages = [
        {"role": "user", "content": "list the files"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "a.py\nb.py"},
        {"role": "assistant", "content": "There are two."},
    ]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(messages))
    return path


@pytest.fixture
def home(tmp_path: Path, chat: Path) -> Path:
    """Give a directory with that transcript."""
    memctl("-q", "-C", tmp_path / "memory", "ingest", chat)
    return tmp_path / "memory"


def test_every_code_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for code in ExitCode:
        assert f"| {int(code)} |" in text, code.name


def test_no_is_1(home: Path) -> None:
    memctl("-C", home, "grep", "nowhere to be found", code=1)
    memctl("-C", home, "drill", "nothing", code=1)


def test_usage_is_2(home: Path) -> None:
    assert "Usage" in memctl(code=2).err
    memctl("nosuchcommand", code=2)
    memctl("-C", home, "grep", "(", code=2)
    memctl("-C", home, "grep", code=2)
    memctl("-C", home, "grep", "ls", "--print", "nosuchfield", code=2)
    memctl("-C", home, "drill", "--raw", "1", "2", code=2)


def test_an_error_names_what_was_meant(home: Path) -> None:
    assert "did you mean 'status'?" in memctl("-C", home, "statsu", code=2).err
    assert "did you mean" not in memctl("-C", home, "xyzzy", code=2).err
    for command in ("clear", "extract"):
        assert "use --session ID" in memctl("-C", home, command, "9265dc4e", code=2).err
    assert "--session" not in memctl("-C", home, "status", "9265dc4e", code=2).err


def test_a_named_file_that_gives_nothing_is_3(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 20)
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"shopping": ["milk"]}')
    for path in (empty, binary, unknown):
        found = memctl("-C", tmp_path / "memory", "ingest", path, code=3)
        assert str(path) in found.err
    assert "no such file" in memctl("-C", tmp_path / "memory", "ingest", tmp_path / "gone", code=3).err


def test_a_found_file_that_gives_nothing_is_0(tmp_path: Path, chat: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.txt").write_text("milk")
    (folder / "chat.json").write_bytes(chat.read_bytes())

    found = memctl("-C", tmp_path / "memory", "ingest", "--verbose", folder)

    assert "notes.txt" in found.err


def test_a_folder_without_transcripts_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert str(folder) in memctl("-C", tmp_path / "memory", "ingest", folder, code=3).err

    (folder / "milk.txt").write_text("milk")
    assert "no transcript under" in memctl("-C", tmp_path / "memory", "ingest", folder, code=3).err


def test_no_directory_is_10(tmp_path: Path) -> None:
    found = memctl("-C", tmp_path / "gone", "status", code=10)

    assert "ingest" in found.err


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path, chat: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("\\end")

    memctl("-C", other, "ingest", chat, code=10)

    assert [path.name for path in other.iterdir()] == ["thesis.tex"]


def test_locked_is_11(home: Path, chat: Path) -> None:
    with files.locked(home, 0):
        memctl("-C", home, "ingest", "--wait", "0", chat, code=11)


def test_damaged_or_newer_is_12(home: Path) -> None:
    settings = home / "memctl.yaml"
    settings.write_text("format: 99\n")
    assert "newer" in memctl("-C", home, "status", code=12).err
    settings.write_text("a: [\n")
    assert f"{settings}:2" in memctl("-C", home, "status", code=12).err
    settings.write_text("canvas:\n  max_chars: many\n")
    assert "canvas.max_chars" in memctl("-C", home, "status", code=12).err


def test_a_bug_is_70_never_1(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_store: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("memctl.cli.status.look", broken)

    assert "internal error" in memctl("-C", home, "status", code=70).err


def test_an_interrupt_is_130(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_store: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("memctl.cli.status.look", interrupted)

    memctl("-C", home, "status", code=130)


@pytest.mark.skipif(os.name == "nt", reason="no SIGPIPE there")
def test_a_reading_command_dies_of_a_broken_pipe_like_any_filter(home: Path) -> None:
    command = " ".join(f"'{word}'" for word in [*PROGRAM, "-C", str(home), "session", "show"])
    script = (
        f"{command} $(ls {home}/conversations | sed s/.jsonl//) | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    )

    done = subprocess.run(["bash", "-c", script], capture_output=True, check=False)

    assert done.stdout.strip() in (b"141", b"0")
    assert done.stderr == b""


def test_errors_are_json_where_the_answer_is(tmp_path: Path) -> None:
    found = memctl("-C", tmp_path / "gone", "status", "--format", "json", code=10)

    document = json.loads(found.err)
    assert document["kind"] == "error"
    assert document["data"]["code"] == 10
    assert found.out == ""


def test_a_read_only_directory_says_so(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = tmp_path / "more.json"
    more.write_text(json.dumps([{"role": "user", "content": "another"}]))

    def refused(*_arguments: object, **_named: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))  # root, who runs CI, is never refused

    monkeypatch.setattr(os, "fdopen", refused)
    found = memctl("-C", home, "ingest", more, code=3)

    assert "permission denied" in found.err
    assert str(home) in found.err


def test_a_full_disk_harms_nothing_stored(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(home)
    more = tmp_path / "more.json"
    more.write_text(
        json.dumps([{"role": "user", "content": "another"}, {"role": "assistant", "content": "yes"}])
    )

    def full(*_arguments: object, **_named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", full)
    found = memctl("-C", home, "ingest", more, code=3)
    monkeypatch.undo()

    assert "disk is full" in found.err
    assert before == snapshot(home)
    memctl("-q", "-C", home, "ingest", more)
    assert set(before) < set(snapshot(home))


def test_one_bad_file_does_not_keep_the_good_ones_out(tmp_path: Path, chat: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")

    found = memctl("-C", tmp_path / "memory", "ingest", bad, chat, code=3)

    assert str(bad) in found.err
    assert "1 session" in found.out


def test_the_real_program_knows_its_version_and_speaks_utf_8_in_any_locale(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "POSIX")
    monkeypatch.setenv("PYTHONUTF8", "0")

    assert process("--version").stdout.startswith(b"memctl ")
    assert process("-C", home, "canvas", "show", "1").returncode == 0


def test_an_end_of_file_inside_is_a_bug_and_no_interrupt(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer takes any EOFError for a terminal's end; one from a damaged file must not end in silence."""

    def ended(*_arguments: object, **_named: object) -> None:
        raise EOFError("no data left")

    monkeypatch.setattr("memctl.cli.status.look", ended)
    assert "EOFError" in memctl("-C", home, "status", code=ExitCode.BUG).err


@pytest.mark.parametrize("code", [0, 1, "no such model"])
def test_an_exit_of_a_library_is_a_bug_and_no_broken_pipe(
    code: object, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_arguments: object, **_named: object) -> None:
        sys.exit(code)  # type: ignore[arg-type]  # as libraries do

    monkeypatch.setattr("memctl.cli.status.look", ended)
    assert "SystemExit" in memctl("-C", home, "status", code=ExitCode.BUG).err


def test_a_pipe_that_breaks_elsewhere_is_no_reader_who_has_gone(home: Path) -> None:
    program = (
        "import errno, os\n"
        "from memctl.cli import main, status\n"
        "def look(*_):\n"
        "    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))\n"
        "status.look = look\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "-C", str(home), "status"], capture_output=True, check=False
    )

    assert done.returncode == ExitCode.BUG, done.stderr
