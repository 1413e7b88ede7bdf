"""Numbers of any size on the command line: an answer or a usage error, never a bug."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running import memctl

from memctl.cli.app import COMMANDS, command
from memctl.files import decode, encode

HUGE = ("99999999999999999999", "9" * 5000, "0")
# What else a command with a number needs; one that is not here is given the number alone.
WORDS = {
    "recall": ["token"],
    "grep": ["."],
    "graph recall": ["cat"],
    "ingest": ["SAMPLE", "--dry-run"],
    "canvas show": ["8"],
    "render": ["8"],
    "trash empty": ["--yes"],
    "prompt": ["atoms"],
}


def numbers() -> Iterator[tuple[str, str]]:
    """Give every option that takes a number: its command and its name."""
    for name in COMMANDS:
        for words, found in below(name, command().get_command(None, name)):
            for parameter in found.params:
                if parameter.type.name.startswith(("int", "float")):
                    yield words, parameter.opts[-1]


def below(words: str, found: Any) -> Iterator[tuple[str, Any]]:
    commands = getattr(found, "commands", {})
    if not commands:
        yield words, found
    for name, one in commands.items():
        yield from below(f"{words} {name}", one)


OPTIONS = list(numbers())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    made = tmp_path_factory.mktemp("numbers") / "memory"
    memctl("-q", "-C", made, "ingest", samples)
    memctl("-q", "-C", made, "graph", "commit", "cat", "likes", "milk")
    return made


def test_the_options_that_take_numbers_are_found() -> None:
    assert {("recall", "--most"), ("grep", "--max-count"), ("graph recall", "--depth")} <= set(OPTIONS)
    assert len(OPTIONS) > 30


@pytest.mark.parametrize(("words", "option"), [one for one in OPTIONS if one[1] != "--wait"])
def test_a_number_of_any_size_is_no_bug(words: str, option: str, home: Path, samples: Path) -> None:
    sample = str(samples / "codex.jsonl")
    rest = [sample if word == "SAMPLE" else word for word in WORDS.get(words, [])]
    for number in HUGE:
        found = memctl("-C", home, *words.split(), *rest, f"{option}={number}", code=None)

        assert found.code in (0, 1, 2, 3), found.err


def test_as_many_as_there_are_is_what_more_gives(home: Path) -> None:
    for words in (["recall", "token", "-k"], ["grep", ".", "-m"]):
        many = memctl("-C", home, *words, "100000")

        assert memctl("-C", home, *words, HUGE[0]).out == many.out


@pytest.mark.parametrize("number", [HUGE[0], HUGE[1], "²"])
@pytest.mark.parametrize("words", ["canvas show {}", "drill {}-N1", "drill {}", "grep . --node {}-N1"])
def test_a_number_within_an_id_is_no_bug(words: str, number: str, home: Path) -> None:
    assert memctl("-C", home, *words.format(number).split(), code=None).code in (1, 2)


@pytest.mark.parametrize("columns", [HUGE[0], HUGE[1], "²", "-1", "0", "x"])
def test_columns_of_any_size_are_no_bug(columns: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    memctl("-C", home, "status")


@pytest.mark.parametrize("since", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_are_days(since: str, home: Path) -> None:
    for words in (["recall", "token"], ["grep", "."]):
        memctl("-C", home, *words, "--since", since, code=0 if since < "2" else 1)


def test_a_node_of_any_number_in_a_file_is_no_bug(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    path = max(home.glob("offload-*.jsonl"), key=lambda one: one.stat().st_size)
    lines = path.read_bytes().split(b"\n")
    first = decode(lines[0])
    assert isinstance(first, dict)
    session, node = str(first["session_id"]), str(first["node_id"])
    for huge in (f"{node}{'9' * 5000}", f"{'9' * 5000}-N1"):
        path.write_bytes(b"\n".join([encode({**first, "node_id": huge}), *lines[1:]]))
        for words in (["drill", session], ["drill", node], ["render", node[:3], "--to", "html"], ["check"]):
            assert memctl("-C", home, *words, code=None).code in (0, 1)
    memctl("-C", home, "clear", "--session", session, "--yes")
    assert not path.exists()
