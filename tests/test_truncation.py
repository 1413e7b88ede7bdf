"""A transcript cut after any byte keeps what stands before the cut: a sample of cuts, all with --long."""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from memctl import readers
from memctl.errors import MemctlError
from memctl.model import Message
from memctl.readers import Source

SAMPLES = sorted(path for path in (Path(__file__).parents[1] / "sample_sessions").iterdir() if path.is_file())


def messages(data: bytes, format_name: str) -> list[Message]:
    """Read what can be read; the only error is our own."""
    found: list[Message] = []
    with suppress(MemctlError):
        found.extend(
            one for one in readers.read(Source.from_bytes(data), format_name) if isinstance(one, Message)
        )
    return found


def check(path: Path, cuts: list[int]) -> None:
    data = path.read_bytes()
    known = readers.detect(Source.from_bytes(data))
    assert known
    whole = messages(data, known.name)
    for cut in cuts:
        part = messages(data[:cut], known.name)
        assert [one.id for one in part] == [one.id for one in whole[: len(part)]], f"{path.name} cut at {cut}"
        if path.suffix == ".jsonl":
            complete = messages(data[: data.rfind(b"\n", 0, cut) + 1], known.name)
            assert len(part) >= len(complete), f"{path.name} cut at {cut}: a whole line was lost"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_some_cuts(path: Path) -> None:
    chance = random.Random(path.name)  # noqa: S311 - a seeded sample, no secret
    size = path.stat().st_size

    check(path, sorted(chance.randrange(size) for _ in range(60)))


@pytest.mark.long
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_cut(path: Path) -> None:
    check(path, list(range(path.stat().st_size)))
