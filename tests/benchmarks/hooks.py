"""200 PostToolUse hooks from four agents at once: how long each keeps its agent waiting, and that none is lost.

`python tests/benchmarks/hooks.py [EVENTS] [AGENTS]`, or with `--grown MB` one event after the other of a transcript
that has grown that large.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from claude_chat import line  # noqa: E402 - found through the line above
from hooking import Agent, settled  # noqa: E402 - found through the line above
from running import memctl, snapshot  # noqa: E402 - found through the line above

_CALLS = 40  # of a turn; then the user asks for something else


def main(events: int = 200, agents: int = 4) -> None:
    """Run it and print the times, beside that of starting Python."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = begun(folder)
        made = [Agent(home, Path(folder, f"s{at}.jsonl"), f"s{at}") for at in range(agents)]
        for agent in made:
            agent.say(line("user", f"u{agent.session}", "look at all the files", agent.session))
        with ThreadPoolExecutor(agents) as pool:
            list(pool.map(lambda agent: agent.work(events // agents), made))
        left = len(list((home / ".memctl" / "notes").iterdir()))
        told(f"{events} hooks of {agents} agents", [took for agent in made for took in agent.took])
        began = time.perf_counter()
        assert settled(home)
        print(f"notes left by the last hook {left}, {time.perf_counter() - began:.1f} s later none; ", end="")
        ending(home, folder, made)


def grown(megabytes: int, events: int = 20) -> None:
    """Grow one transcript, let a pass take it in, and print what further events take."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = begun(folder)
        agent = Agent(home, Path(folder, "s.jsonl"), "s")
        turn = 0
        while not agent.transcript.exists() or agent.transcript.stat().st_size < megabytes << 20:
            turn += 1
            agent.say(line("user", f"u{turn}", f"look at part {turn} of the files", "s"))
            agent.call(_CALLS, "line of a file that says something\n" * 350)
        agent.hook("Stop")
        assert settled(home, 20_000)
        agent.took.clear()
        agent.work(events)
        told(f"{events} hooks at {megabytes} MB", agent.took)
        began = time.perf_counter()
        assert settled(home, 20_000)
        print(f"nothing left {time.perf_counter() - began:.1f} s later; ", end="")
        ending(home, folder, [agent])


def begun(folder: str) -> Path:
    """Make a directory, and a cache of its own."""
    os.environ |= {"MEMCTL_CACHE_DIR": str(Path(folder, "cache")), "MEMCTL_HOOK_LINGER": "10"}
    memctl("-q", "-C", Path(folder, "memory"), "init")
    return Path(folder, "memory")


def told(what: str, took: list[float]) -> None:
    """Print times, beside that of starting Python."""
    took = sorted(took)
    alone = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        alone.append(time.perf_counter() - began)
    python = statistics.median(alone)
    median = statistics.median(took)
    print(f"{what}: median {median:.3f} s ({median / python:.1f} x python alone), ", end="")
    print(f"95% {took[len(took) * 95 // 100]:.3f} s, longest {took[-1]:.3f} s")


def ending(home: Path, folder: str, made: list[Agent]) -> None:
    """Say whether a later ingest of the same transcripts, under other names, changes anything."""
    before = snapshot(home)
    copies = Path(folder, "copies")
    copies.mkdir()
    for agent in made:
        (copies / agent.transcript.name).write_bytes(agent.transcript.read_bytes())
    memctl("-q", "-C", home, "ingest", copies)
    print(f"a later ingest changed {'nothing' if snapshot(home) == before else 'BYTES'}")
    log = home / ".memctl" / "hook.log"
    print(log.read_text() if log.exists() else "no trouble")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--grown"]:
        grown(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
