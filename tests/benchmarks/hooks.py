"""200 PostToolUse hooks from four agents at once: how long each keeps its agent waiting, and that none is lost.

`python tests/benchmarks/hooks.py [EVENTS] [AGENTS]`
"""

import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from hooking import Agent  # noqa: E402 - found through the line above
from running import memctl, snapshot  # noqa: E402 - found through the line above
from test_ingest import line  # noqa: E402 - found through the line above


def main(events: int = 200, agents: int = 4) -> None:
    """Run it and print the times, beside that of starting Python."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "memory")
        memctl("-q", "-C", home, "init")
        made = [Agent(home, Path(folder, f"s{at}.jsonl"), f"s{at}") for at in range(agents)]
        for agent in made:
            agent.say(line("user", f"u{agent.session}", "look at all the files", agent.session))
        with ThreadPoolExecutor(agents) as pool:
            list(pool.map(lambda agent: agent.work(events // agents), made))
        took = sorted(time for agent in made for time in agent.took)
        left = list((home / ".memctl" / "notes").iterdir())
        before = snapshot(home)
        memctl("-q", "-C", home, "ingest", *(agent.transcript for agent in made))
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        python = time.perf_counter() - began
        print(f"{len(took)} hooks of {agents} agents: median {statistics.median(took):.3f} s, ", end="")
        print(
            f"95% {took[len(took) * 95 // 100]:.3f} s, longest {took[-1]:.3f} s (python alone {python:.3f} s)"
        )
        print(
            f"notes left {len(left)}; a later ingest changed {'nothing' if snapshot(home) == before else 'BYTES'}"
        )
        log = home / ".memctl" / "hook.log"
        print(log.read_text() if log.exists() else "no trouble")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
