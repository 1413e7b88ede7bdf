"""A running agent for tests: it appends to its transcript and calls the hook after every tool call."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claude_chat import call, line, result
from running import PROGRAM

from memctl import files
from memctl.engine import draining


class Agent:
    """One agent with a transcript of its own, or of several agents together."""

    def __init__(self, home: Path, transcript: Path, session: str) -> None:
        self.home = home
        self.transcript = transcript
        self.session = session
        self.count = 0
        self.took: list[float] = []

    def say(self, *lines: dict[str, Any]) -> None:
        """Write lines of the transcript."""
        with self.transcript.open("ab") as stream:
            stream.write(b"".join(json.dumps(one).encode() + b"\n" for one in lines))

    def work(self, steps: int, body: str = "line\n" * 200) -> None:
        """Make calls, each followed by its hook."""
        for _ in range(steps):
            self.call(1, body)
            self.hook("PostToolUse", tool_name="Bash")

    def call(self, steps: int, body: str) -> None:
        """Make calls that no hook tells of."""
        for _ in range(steps):
            self.count += 1
            name = f"{self.session}-{self.count}"
            command = f"cat src/file_{self.count % 7}.py"
            self.say(
                line("assistant", f"a{name}", [call(name, command=command)], self.session),
                line("user", f"r{name}", [result(name, f"{name}\n{body}")], self.session),
            )

    def hook(self, event: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        """Call the hook as Claude Code does, and time it."""
        given = {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": str(self.transcript.parent),
            "hook_event_name": event,
            **more,
        }
        command = [*PROGRAM, "-C", str(self.home), "hook", "claude-code"]
        began = time.perf_counter()
        done = subprocess.run(command, input=json.dumps(given).encode(), capture_output=True, check=False)
        self.took.append(time.perf_counter() - began)
        return done


@contextlib.contextmanager
def behind(home: Path, linger: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the process behind the hooks; it ends when no hook has called for *linger* seconds."""
    code = f"from memctl.engine.hooks import work; work({str(home)!r})"
    env = {**os.environ, draining.ENVIRONMENT: linger}
    with subprocess.Popen([sys.executable, "-c", code], env=env) as child:
        try:
            yield child
        finally:
            child.kill()


def settled(home: Path, looks: int = 2400) -> bool:
    """Wait until nothing is noted any more and no process is at work."""
    for _ in range(looks):
        if not list((home / ".memctl" / "notes").iterdir()) and files.at_rest(home):
            return True
        time.sleep(0.05)
    return False


def log(home: Path) -> str:
    path = home / ".memctl" / "hook.log"
    return path.read_text() if path.exists() else ""
