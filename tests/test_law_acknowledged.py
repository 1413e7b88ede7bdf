"""The law "acknowledged is kept": after kill -9 at any moment, the next run completes what is there."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dying import DIE_AT
from running import PROGRAM, memctl, snapshot

from memctl import files

if not hasattr(signal, "SIGKILL"):
    pytest.skip("there is no kill -9 here", allow_module_level=True)


def test_killed_at_any_moment_the_next_run_completes(samples: Path, tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "whole", "ingest", samples)
    wanted = snapshot(tmp_path / "whole")
    chance = random.Random(11)  # noqa: S311 - a seeded sample, no secret
    for number in range(6):
        home = tmp_path / f"killed{number}"
        child = subprocess.Popen([*PROGRAM, "-q", "-C", str(home), "ingest", str(samples)])
        time.sleep(chance.uniform(0.1, 0.9))
        child.send_signal(signal.SIGKILL)
        child.wait()

        memctl("-q", "-C", home, "ingest", samples)

        assert wanted == snapshot(home), f"run {number}"


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
