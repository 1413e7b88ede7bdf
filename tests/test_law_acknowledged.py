"""The law "acknowledged is kept": after kill -9 at any moment, the next run completes what is there."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from dying import DIE_AT, DIE_AT_TOUCH
from running import memctl, snapshot

from memctl import files

if not hasattr(signal, "SIGKILL"):
    pytest.skip("there is no kill -9 here", allow_module_level=True)


def test_killed_at_any_moment_the_next_run_completes(samples: Path, tmp_path: Path) -> None:
    """Between two renames too: before any touch of a file."""
    whole, many = tmp_path / "whole", 1_000_000
    ended = _until_touch(whole, many, samples)
    assert ended.returncode == 0
    wanted, touches = snapshot(whole), many - int(ended.stderr.split()[-1])
    chance = random.Random(11)  # noqa: S311 - a seeded sample, no secret
    for left in chance.sample(range(touches), 6):
        home = tmp_path / f"killed{left}"
        assert _until_touch(home, left, samples).returncode == -signal.SIGKILL

        memctl("-q", "-C", home, "ingest", samples)

        assert wanted == snapshot(home), f"killed before touch {left} of {touches}"


def _until_touch(home: Path, left: int, source: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", DIE_AT_TOUCH, str(home), str(left), "-q", "-C", str(home)]
    return subprocess.run([*command, "ingest", str(source)], check=False, capture_output=True)


def test_killed_at_every_rename_the_next_run_completes(samples: Path, tmp_path: Path) -> None:
    """Every step that a kill can separate is a rename: try the kill before each of them."""
    source = min(samples.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    memctl("-q", "-C", tmp_path / "whole", "ingest", source)
    wanted = snapshot(tmp_path / "whole")
    for left in range(200):
        home = tmp_path / f"killed{left}"
        command = [sys.executable, "-c", DIE_AT, str(left), "-q", "-C", str(home), "ingest", str(source)]
        child = subprocess.run(command, check=False, capture_output=True)
        memctl("-q", "-C", home, "ingest", source)

        assert wanted == snapshot(home), f"killed before rename {left}"
        if child.returncode == 0:
            assert left > 3
            return
    pytest.fail("the ingest never came to its end")


def test_a_leftover_of_a_killed_run_is_swept_away(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    left = home / ".memctl" / "tmp" / "4711-0"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"half of a re")

    memctl("-q", "-C", home, "ingest", samples)

    assert not left.exists()


def test_a_second_writer_waits_or_says_who_holds_the_lock(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    with files.locked(home, 0):
        refused = memctl("-C", home, "ingest", samples, "--wait", "0", code=11)

    assert f"process {os.getpid()}" in refused.err
    memctl("-C", home, "ingest", samples, "--wait", "0")
