"""Running memctl in tests: in this process, as a real program, and looking at the directory it leaves."""

import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memctl.cli.app import run

PROGRAM = [sys.executable, "-c", "from memctl.cli import main; main()"]


@dataclass(frozen=True)
class Result:
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The data of the JSON document on stdout."""
        document = json.loads(self.out)
        assert document["schema_version"] == 1
        return document["data"]


class _Stream(io.TextIOWrapper):
    """A stand-in for stdout that takes text and bytes."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n")

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8", "surrogateescape")


def memctl(*arguments: str | Path, code: int | None = 0, stdin: str = "") -> Result:
    """Run a command line in this process and check its exit code; None takes any but 70, which tells of a bug."""
    out, err = _Stream(), _Stream()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            ended = run([str(argument) for argument in arguments])
    finally:
        sys.stdin = before
    result = Result(ended, out.text(), err.text())
    as_said = ended != 70 if code is None else ended == code
    assert as_said, f"exit {ended}, not {code}\n{result.out}\n{result.err}"
    return result


def process(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run memctl as a process of its own."""
    command: Sequence[str] = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120, cwd=cwd)


def snapshot(home: Path) -> dict[str, bytes]:
    """Give every byte of a memory directory but its private part."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and ".memctl" not in path.parts and ".git" not in path.parts
    }


def entries(home: Path) -> list[dict[str, Any]]:
    """Give all entries of a memory directory."""
    return [json.loads(line) for path in sorted(home.glob("offload-*.jsonl")) for line in _lines(path)]


def messages(home: Path) -> list[dict[str, Any]]:
    """Give all L0 lines of a memory directory but the session lines."""
    found = [
        json.loads(line) for path in sorted((home / "conversations").glob("*.jsonl")) for line in _lines(path)
    ]
    return [message for message in found if message["role"] != "session"]


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().split(b"\n") if line]


def numberless(directory: dict[str, bytes]) -> dict[str, bytes]:
    """Give a directory without the numbers of its canvases."""
    number = re.compile(rb"\b\d{3}-(?=N\d|[a-z])")
    replaced = {
        number.sub(b"", name.encode()).decode(): number.sub(b"", data) for name, data in directory.items()
    }
    hashed = re.compile(rb'"body":"[0-9a-f]{8}"')  # of the canvas's text, numbers included
    return {name: hashed.sub(b"", data) for name, data in replaced.items()}
