"""How fast recall is: building, many questions in one process, and a cold command beside `import numpy`.

`python tests/benchmarks/recall.py [--atoms N] [--questions N]` makes a directory of N atoms of made-up
sentences: the words of Python's manual, as unevenly used as a language's, and asks it.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = [sys.executable, "-c", "from memctl.cli import main; main()"]


def words(source: random.Random) -> list[str]:
    """Give the English words of Python's own manual, in no order."""
    from pydoc_data.topics import topics

    found = sorted(set(re.findall(r"[a-z]{3,12}", " ".join(topics.values()).lower())))
    source.shuffle(found)
    return found


def sentence(source: random.Random, vocabulary: list[str], length: int) -> str:
    """Draw words as a language does: the n-th is n times as rare as the first."""
    return " ".join(vocabulary[int(len(vocabulary) ** source.random()) - 1] for _ in range(length))


def directory(home: Path, atoms: int, source: random.Random, vocabulary: list[str]) -> None:
    """Write a memory directory of atoms."""
    (home / "records").mkdir(parents=True)
    (home / "memctl.yaml").write_text("format: 1\n")
    with (home / "records" / "2026-01-01.jsonl").open("w", encoding="utf-8") as out:
        for number in range(atoms):
            text = sentence(source, vocabulary, source.randint(8, 24))
            record = {"id": f"m_{number:012x}", "content": text, "type": "work_fact", "priority": 50}
            out.write(json.dumps(record) + "\n")


def run(environment: dict[str, str], *arguments: str) -> tuple[float, float, int]:
    """Run memctl; give its wall and processor seconds and its peak memory in MB."""
    start = time.perf_counter()
    child = subprocess.Popen([*PROGRAM, *arguments], env=environment, stdout=subprocess.DEVNULL)
    _, code, used = os.wait4(child.pid, 0)
    assert code == 0, code
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def stream(environment: dict[str, str], *arguments: str) -> list[float]:
    """Run memctl and give the seconds between the lines it prints."""
    gaps = []
    with subprocess.Popen([*PROGRAM, *arguments], env=environment, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        before = 0.0
        for _ in child.stdout:
            now = time.perf_counter()
            gaps.append(now - before)
            before = now
    return gaps[1:]


def best(command: list[str], environment: dict[str, str], times: int = 7) -> tuple[float, float]:
    """Give the least wall and processor seconds of a command over some runs."""
    walls, busy = [], []
    for _ in range(times):
        start = time.perf_counter()
        child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        _, _, used = os.wait4(child.pid, 0)
        walls.append(time.perf_counter() - start)
        busy.append(used.ru_utime + used.ru_stime)
    return min(walls), min(busy)


def main() -> None:
    """Print what building, asking many and asking cold cost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--atoms", type=int, default=10_000)
    options.add_argument("--questions", type=int, default=200)
    given = options.parse_args()
    source = random.Random(1)  # noqa: S311 - the same directory each time
    vocabulary = words(source)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "memory")
        directory(home, given.atoms, source, vocabulary)
        environment = os.environ | {"MEMCTL_CACHE_DIR": f"{folder}/cache"}
        at = ("-C", str(home))
        wall, busy, memory = run(environment, *at, "index", "build")
        print(
            f"index build of {given.atoms:,} atoms  {wall:.1f} s ({busy:.1f} of processor time), {memory} MB"
        )
        questions = Path(folder, "questions")
        questions.write_text("".join(sentence(source, vocabulary, 8) + "\n" for _ in range(given.questions)))
        for mode in ("hybrid", "bm25"):
            options_of = ("--mode", mode, "--format", "jsonl")
            gaps = sorted(stream(environment, *at, "recall", "--queries", str(questions), *options_of))
            middle, late = gaps[len(gaps) // 2], gaps[int(len(gaps) * 0.95)]
            print(f"a question, --mode {mode:<7} median {1000 * middle:.1f} ms, p95 {1000 * late:.1f} ms")
        reference = best([sys.executable, "-c", "import numpy"], environment)
        print(f"import numpy, cold          {reference[0]:.2f} s ({reference[1]:.2f})")
        for mode in ("hybrid", "bm25"):
            cold = [*PROGRAM, *at, "recall", sentence(source, vocabulary, 8), "--mode", mode]
            wall, busy = best(cold, environment)
            ratios = f"{wall / reference[0]:.1f} x ({busy / reference[1]:.1f} x)"
            print(f"cold, --mode {mode:<7}        {wall:.2f} s ({busy:.2f}): {ratios}")


if __name__ == "__main__":
    main()
