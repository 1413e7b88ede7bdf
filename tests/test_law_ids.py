"""The law "ids last": every id that any command prints resolves with `drill`."""

import re
from pathlib import Path

import pytest
from running import entries, memctl, messages

COMMAND = re.compile(r"memctl drill (?:--raw )?('[^\n]*'|\S+)")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    """Give a directory with all samples."""
    home = tmp_path_factory.mktemp("ids") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    return home


def resolves(home: Path, given: str) -> None:
    result = memctl("-C", home, "drill", "--", given, code=None)
    assert result.code == 0, f"{given!r}: {result.err}"


def test_ids_of_entries_resolve(home: Path) -> None:
    for entry in entries(home):
        resolves(home, entry["node_id"])
        resolves(home, f"call:{entry['session_id']}/{entry['tool_call_id']}")
        resolves(home, entry["session_id"])
        resolves(home, entry["mmd"])
        if entry.get("result_ref"):
            resolves(home, entry["result_ref"])


def test_ids_of_messages_resolve(home: Path) -> None:
    for message in messages(home):
        resolves(home, f"message:{message['sessionId']}/{message['id']}")


def test_every_command_that_an_answer_proposes_works(home: Path) -> None:
    """Walk down from `canvas list` and `session list`, following every `memctl drill` that is printed."""
    canvases = memctl("-C", home, "canvas", "list", "--print", "id").out.split()
    sessions = memctl("-C", home, "session", "list", "--print", "id").out.split()
    waiting, seen = [*canvases, *sessions], set[str]()
    assert canvases
    assert sessions
    while waiting:
        given = waiting.pop()
        if given in seen:
            continue
        seen.add(given)
        answer = memctl("-C", home, "drill", "--", given)
        waiting += [found.strip("'") for found in COMMAND.findall(answer.out)]
    assert len(seen) > len(entries(home))


def test_ids_survive_growth(samples: Path, tmp_path: Path) -> None:
    """Ids printed while a transcript was short still resolve when it has grown."""
    source = max(samples.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    data = source.read_bytes()
    target = tmp_path / source.name
    printed: set[str] = set()
    for size in (len(data) // 3, len(data) // 2, len(data)):
        target.write_bytes(data[:size])
        memctl("-q", "-C", tmp_path / "memory", "ingest", target)
        for entry in entries(tmp_path / "memory"):
            printed |= {entry["node_id"], entry["tool_call_id"], entry["mmd"]}
            printed |= {entry["result_ref"]} if entry.get("result_ref") else set()
    for given in sorted(printed):
        resolves(tmp_path / "memory", given)
