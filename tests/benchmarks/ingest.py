"""How long an ingest takes beside `orjson.loads` of the same lines, and how much memory it holds.

`python tests/benchmarks/ingest.py [--megabytes N] [--source FILE]` makes a Claude Code transcript of N
megabytes by repeating the lines of FILE with new ids and a changed byte in every result, and takes it in.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sessions" / "claude_code"


def grown(source: Path, target: Path, size: int) -> None:
    """Write *size* bytes of transcript: the lines of *source* again and again, no two rounds alike."""
    lines = [json.loads(line) for line in source.read_bytes().split(b"\n") if line.strip()]
    written = number = 0
    with target.open("wb") as out:
        while written < size:
            for line in lines:
                written += out.write(orjson.dumps(_renewed(line, number)) + b"\n")
            number += 1


def _renewed(value: Any, number: int) -> Any:
    """Give a line with new ids and a changed byte in its results."""
    line = dict(value)
    for name in ("uuid", "parentUuid", "requestId"):
        if isinstance(line.get(name), str):
            line[name] = f"{line[name]}-{number}"
    message = line.get("message")
    if isinstance(message, dict):
        message = dict(message)
        line["message"] = message
        if isinstance(message.get("id"), str):
            message["id"] = f"{message['id']}-{number}"
        if isinstance(message.get("content"), list):
            message["content"] = [_renewed_block(block, number) for block in message["content"]]
    return line


def _renewed_block(block: Any, number: int) -> Any:
    if not isinstance(block, dict):
        return block
    if block.get("type") == "tool_use":
        return block | {"id": f"{block['id']}-{number}"}
    if block.get("type") == "tool_result":
        content = block.get("content")
        changed = (
            f"{number} {content}"
            if isinstance(content, str)
            else [{"type": "text", "text": str(number)}, *(content or [])]
        )
        return block | {"tool_use_id": f"{block['tool_use_id']}-{number}", "content": changed}
    return block


def reference(path: Path) -> float:
    """Time orjson over the same lines."""
    start = time.perf_counter()
    with path.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    return time.perf_counter() - start


def main() -> None:
    """Print seconds, their ratio, and the peak memory of the ingest."""
    options = argparse.ArgumentParser()
    options.add_argument("--megabytes", type=int, default=100)
    options.add_argument("--source", type=Path, default=SHARED / "cli__89-7eb280e769-12.jsonl")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.jsonl")
        grown(given.source, path, given.megabytes * 1_000_000)
        parsed = min(reference(path) for _ in range(3))
        command = [
            sys.executable,
            "-c",
            "from memctl.cli import main; main()",
            "-C",
            f"{folder}/memory",
            "ingest",
            str(path),
        ]
        start = time.perf_counter()
        child = subprocess.Popen(command)
        _, code, used = os.wait4(child.pid, 0)
        took = time.perf_counter() - start
        print(f"size          {path.stat().st_size / 1e6:8.1f} MB")
        print(f"orjson.loads  {parsed:8.2f} s")
        busy = used.ru_utime + used.ru_stime
        print(f"ingest        {took:8.2f} s   {took / parsed:.1f} times, exit {code}")
        print(f"processor     {busy:8.2f} s   {busy / parsed:.1f} times")
        print(f"peak memory   {used.ru_maxrss / 1024:8.1f} MB")
        start = time.perf_counter()
        subprocess.run(command, check=True)
        print(f"again         {time.perf_counter() - start:8.2f} s")


if __name__ == "__main__":
    main()
