"""A context is a list that the APIs accept, and fits its window."""

import random
from math import inf
from pathlib import Path

import pytest
from contexts import WINDOWS, check, made, says_something
from running import memctl

from memctl.store import messages as stored_messages, open_store


def seeded(number: int) -> random.Random:
    """Give the same choices on every machine."""
    return random.Random(number)  # noqa: S311 - a sample, no secret


def sessions(home: Path) -> list[str]:
    """Give the ids of the sessions of a directory."""
    return memctl("-C", home, "session", "list", "--print", "id").out.split("\n")[:-1]


@pytest.mark.parametrize("window", WINDOWS)
def test_prefixes_of_a_session_give_valid_lists_that_fit(long_home: Path, window: int) -> None:
    store = open_store(long_home)
    for seq in seeded(window).sample(range(1, 326), 4):
        check(store, made(store, "long", window, str(seq)), window)


def test_the_sample_sessions_give_valid_lists(ingested: Path) -> None:
    store = open_store(ingested)
    for session in sessions(ingested):
        for window in (4_000, 64_000):
            check(store, made(store, session, window), window)


def shared_files(shared: Path) -> list[Path]:
    """Give the real transcripts that are not too long for a test."""
    return [
        path
        for path in sorted(shared.rglob("*"))
        if path.is_file()
        and 2_000 < path.stat().st_size < 600_000
        and path.suffix in (".jsonl", ".json", ".traj")
    ]


def test_real_sessions_give_valid_lists(shared: Path, tmp_path: Path) -> None:
    chance = seeded(7)
    check_files(chance.sample(shared_files(shared), 8), tmp_path, chance, windows=2, prefixes=2)


@pytest.mark.long
def test_every_real_session_gives_valid_lists(shared: Path, tmp_path: Path) -> None:
    files = [path for path in sorted(shared.rglob("*")) if path.is_file() and path.suffix != ".md"]
    check_files(files, tmp_path, seeded(11), windows=len(WINDOWS), prefixes=4)


def check_files(
    files: list[Path], folder: Path, chance: random.Random, *, windows: int, prefixes: int
) -> None:
    """Take files in and check prefixes of their sessions under windows."""
    home = folder / "memory"
    memctl("-C", home, "ingest", *files, "-q", code=None)
    store = open_store(home)
    for session in sessions(home):
        listed = list(stored_messages.read(store.conversation(session)))
        first = min((stored.seq for stored in listed if says_something(stored)), default=inf)
        seqs = [stored.seq for stored in listed if stored.seq >= first]
        for seq in [*chance.sample(seqs, min(prefixes, len(seqs))), seqs[-1]] if seqs else ():
            for window in chance.sample(WINDOWS, windows):
                check(store, made(store, session, window, str(seq)), window)
