"""Reading time over sizes: `python tests/benchmarks/slope.py` shows that it grows with the size and no faster.

Each sample is repeated to a size and four times the size; the ratio of processor time should be near 4.
"""

import time
from pathlib import Path

from memctl import readers
from memctl.readers import Source

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
SMALL = 1_000_000


def read(data: bytes) -> float:
    """Give the processor seconds that reading takes."""
    start = time.process_time()
    for _ in readers.read(Source.from_bytes(data)):
        pass
    return time.process_time() - start


def main() -> None:
    """Print seconds at two sizes, their ratio, and the same for damaged bytes."""
    for path in sorted(SAMPLES.glob("*.jsonl")):
        line = path.read_bytes()
        for name, unit in ((path.name, line), (f"{path.name}, damaged", line.replace(b'","', b'"x"', 40))):
            times = SMALL // len(unit) + 1
            once, four = read(unit * times), read(unit * times * 4)
            print(f"{name:<28} {once:6.2f} s  {four:6.2f} s  {four / once:4.1f} times for 4 times the size")


if __name__ == "__main__":
    main()
