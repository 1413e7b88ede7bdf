"""The streams a program is given: closed, broken or full, nothing is lost silently and no work is left half done."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from running import PROGRAM, memctl, snapshot

pytestmark = pytest.mark.home(copy_of="made")


if os.name == "nt" or shutil.which("bash") is None:
    pytest.skip("the streams of POSIX", allow_module_level=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    home = tmp_path_factory.mktemp("streams") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    memctl("-C", home, "task", "create", "Water the plants")
    memctl("-C", home, "graph", "commit", "cat", "likes", "milk")
    return home


def shell(home: Path, command: str, samples: Path) -> subprocess.CompletedProcess[str]:
    """Run `memctl COMMAND` in a shell with its redirections; its own exit code comes back."""
    program = " ".join(f"'{word}'" for word in PROGRAM)
    first, pipe, rest = command.partition(" | ")
    script = (
        f"{program} -C '{home}' {first.replace('SAMPLES', str(samples))}{pipe}{rest}; exit ${{PIPESTATUS[0]}}"
    )
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    "command",
    [
        "ingest -",
        "drill -",
        "validate -",
        "apply atoms",
        "graph commit -",
        "recall --queries -",
        "canvas fmt -",
        "render -",
        "session trace --parse -",
    ],
)
def test_a_closed_stdin_is_a_usage_error_and_changes_nothing(command: str, home: Path, samples: Path) -> None:
    before = snapshot(home)

    done = shell(home, f"{command} <&-", samples)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("memctl: error: standard input is closed")
    assert done.stderr.count("\n") == 1
    assert snapshot(home) == before


@pytest.mark.parametrize("command", ["ingest -", "drill -", "graph commit -"])
def test_a_stdin_that_cannot_be_read_says_so(command: str, home: Path, samples: Path) -> None:
    done = shell(home, f"{command} 0> /dev/null", samples)

    assert done.returncode in (2, 3)
    assert "standard input" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_needs_no_stdin_does_without(home: Path, samples: Path) -> None:
    done = shell(home, "atom list <&-", samples)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "command",
    [
        "ingest SAMPLES/codex.jsonl --again",
        "extract",
        "compact --format json",
        "task list",
        "task create Another",
        "atom list",
        "atom list --format jsonl",
        "trash list --format json",
        "graph recall cat",
        "graph commit dog likes bones",
        "canvas list",
        "canvas fmt - < {home}/mmds/001-*.mmd",
        "index status",
        "status",
        "grep . --format jsonl",
        "--help",
        "ingest --help",
    ],
)
def test_a_reader_who_is_gone_is_141_for_every_command(command: str, home: Path, samples: Path) -> None:
    command = command.replace("{home}", str(home))

    done = shell(home, f"{command} | true", samples)

    assert done.stderr == ""
    assert done.returncode == 141


def test_a_pass_finishes_its_work_when_its_reader_is_gone(tmp_path: Path, samples: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"

    for home, end in ((whole, "> /dev/null"), (broken, "2>&1 | true")):
        for command in ("ingest SAMPLES", "extract", "task create Another --now 2026-03-01T09:00:00Z"):
            done = shell(home, f"{command} {end}", samples)
            assert done.returncode == (0 if home == whole else 141)

    assert snapshot(broken) == snapshot(whole)


@pytest.mark.parametrize("command", ["status", "grep .", "--version", "atom list", "ingest SAMPLES --again"])
@pytest.mark.parametrize("end", [">&-", "> /dev/full", "<&- >&-"])
def test_an_answer_that_cannot_be_written_is_3(command: str, end: str, home: Path, samples: Path) -> None:
    if "full" in end and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")

    done = shell(home, f"{command} {end}", samples)

    assert done.returncode == 3
    reason = "no space left on device" if "full" in end else "standard output is closed"
    assert done.stderr.endswith(f"memctl: error: cannot write the answer: {reason}\n")
    assert done.stderr.count("memctl: error") == 1


def test_with_no_stream_at_all_the_code_tells(home: Path, samples: Path) -> None:
    assert shell(home, "status <&- >&- 2>&-", samples).returncode == 3
    assert shell(home, "grep nothing-is-called-so <&- >&- 2>&-", samples).returncode == 1
    assert shell(home, "hook claude-code <&- >&- 2>&-", samples).returncode == 0


def test_a_closed_stream_gives_its_number_to_no_file(home: Path, samples: Path) -> None:
    before = snapshot(home)

    shell(home, "ingest SAMPLES --again >&- 2>&-", samples)

    assert snapshot(home) == before


def test_notes_that_cannot_be_written_stop_nothing(home: Path, samples: Path) -> None:
    for end in ("2>&-", "2> /dev/full", "2> >(true)"):
        done = shell(home, f"atom list --verbose {end}", samples)

        assert done.returncode == 0
        assert done.stdout


def test_an_empty_path_is_named_as_empty(home: Path) -> None:
    assert "'': no such file" in memctl("-C", home, "ingest", "", code=3).err


@pytest.mark.parametrize(
    "kind", ["session", "call", "node", "canvas", "ref", "atom", "message", "scene", "task"]
)
def test_a_kind_without_an_id_names_nothing(kind: str, home: Path) -> None:
    shard = {"id": "one", "sessionId": f"{kind}:one", "role": "user", "content": "hello"}
    (home / "conversations" / "2026-03-01.jsonl").write_text(json.dumps(shard) + "\n", "utf-8")

    found = memctl("-C", home, "drill", f"{kind}:", code=1)

    assert f"no id or name '{kind}:'" in found.err
