"""A second ingest of many unchanged files beside `find` over them: `python tests/benchmarks/unchanged.py`."""

import tempfile
from pathlib import Path

from timing import PROGRAM, side_by_side

SAMPLE = Path(__file__).resolve().parents[2] / "sample_sessions" / "claude_code.jsonl"
FILES = 1_000


def main() -> None:
    """Print the ratio of processor time of a second ingest to `find` and a start."""
    text = SAMPLE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "sessions")
        source.mkdir()
        for number in range(FILES):
            name = f"5e1f0c7a-93d2-4b68-8c41-{number:012d}"
            renamed = text.replace("5e1f0c7a-93d2-4b68-8c41-2f7d90ab6e13", name)
            (source / f"{name}.jsonl").write_text(renamed, encoding="utf-8")
        ingest = [*PROGRAM, "-q", "-C", f"{folder}/memory", "ingest", str(source)]
        side_by_side(ingest, ["true"], runs=1)
        find = f"find {source} -type f -printf '%s %T@\n' >/dev/null"
        reference = ["sh", "-c", f"{find}; exec {PROGRAM[0]} -c 'import typer'"]
        ratio, ours, other = side_by_side(ingest, reference, runs=5)
        print(f"{FILES} unchanged  {ratio:.2f} times   {ours * 1000:.0f} ms beside {other * 1000:.0f} ms")


if __name__ == "__main__":
    main()
