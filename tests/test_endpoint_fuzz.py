"""Any answer of an endpoint: spoiled as it may be, it is no bug."""

import random
import shutil
from pathlib import Path

import pytest
from endpoints import Raw, embed_with, raw, recalled, right
from running import memctl
from serving import configure

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.home(copy_of="remembered")]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Spoil an answer in one to four places."""
    pieces = [
        b"",
        b"\0",
        b"\xff",
        b"[",
        b"{",
        b'"',
        b"null",
        b"-1",
        b"1e999",
        b"\r\n",
        b"9" * 30,
        b"NaN",
        b"\\ud800",
    ]
    spoiled = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(spoiled) + 1)
        end = start + chance.choice([0, 0, 1, 2, 8, 40])
        spoiled[start:end] = chance.choice(
            [*pieces, bytes(spoiled[start:end]) * 3, bytes([chance.randrange(256)])]
        )
    return bytes(spoiled[: chance.randrange(len(spoiled) + 1)] if chance.random() < 0.1 else spoiled)


def test_no_spoiled_answer_at_a_question_is_a_bug(indexed: tuple[Path, Raw]) -> None:
    home, server = indexed
    chance = random.Random(5)  # noqa: S311 - seeded on purpose
    server.answer = lambda asked: mutated(right(asked), chance)
    for _ in range(100):
        assert "damaged" not in recalled(home).err


def test_no_spoiled_answer_while_the_index_is_made_is_a_bug(home: Path) -> None:
    chance = random.Random(6)  # noqa: S311 - seeded on purpose
    with raw(lambda asked: mutated(right(asked), chance)) as server:
        embed_with(home, server.url)
        for _ in range(20):
            memctl("-C", home, "index", "build")


def test_no_spoiled_answer_of_an_engine_is_a_bug(home: Path, tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - seeded on purpose
    with raw(lambda asked: mutated(right(asked), chance)) as server:
        configure(home, server.url, retries=0)
        for number in range(100):
            if len(server.requests) >= 100:
                break
            one = shutil.copytree(home, tmp_path / f"{number}")
            memctl("-q", "-C", one, "extract", "--engine", "llm")
            memctl("-C", one, "check")
        assert len(server.requests) >= 100
