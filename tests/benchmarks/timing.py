"""Timing of whole processes side by side: what the benchmarks share."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

# Compiled modules are found as after any installation, also where the environment forbids to write them
# beside a checkout.
_COMPILED = tempfile.TemporaryDirectory()
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["PYTHONPYCACHEPREFIX"] = _COMPILED.name

PROGRAM = [sys.executable, "-c", "from memctl.cli import main; main()"]


def processor_seconds(command: Sequence[str]) -> tuple[float, float]:
    """Run a command and give its processor and wall seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    silent = subprocess.DEVNULL
    subprocess.run(command, check=False, stdout=silent, stderr=silent, env=ENVIRONMENT)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def side_by_side(ours: Sequence[str], reference: Sequence[str], runs: int = 9) -> tuple[float, float, float]:
    """Run two commands in turn; give the median ratio of processor time, and both medians in seconds."""
    pairs = [(processor_seconds(ours)[0], processor_seconds(reference)[0]) for _ in range(runs + 1)][1:]
    ratio = statistics.median(one / max(other, 1e-3) for one, other in pairs)
    return ratio, statistics.median(one for one, _ in pairs), statistics.median(other for _, other in pairs)
