"""Start-up of small commands beside an empty typer app: `python tests/benchmarks/startup.py`."""

import sys
import tempfile
from pathlib import Path

from timing import PROGRAM, side_by_side

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
EMPTY = """\
import typer
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
@app.command()
def one(): pass
@app.command()
def two(): pass
app()
"""


def main() -> None:
    """Print the ratio of processor time for each command."""
    with tempfile.TemporaryDirectory() as folder:
        home = str(Path(folder, "memory"))
        side_by_side([*PROGRAM, "-q", "-C", home, "ingest", str(SAMPLES)], ["true"], runs=1)
        reference = [sys.executable, "-c", EMPTY, "one"]
        for line in ("--version", "grep pytest", "drill 001-N1", "status", "canvas show 1"):
            ratio, ours, other = side_by_side([*PROGRAM, "-C", home, *line.split()], reference, 15)
            print(f"{line:<14} {ratio:5.2f} times   {ours * 1000:6.0f} ms beside {other * 1000:.0f} ms")


if __name__ == "__main__":
    main()
