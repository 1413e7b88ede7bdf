"""The law "ids last": every id that any command prints resolves with `drill`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from running import entries, memctl, messages

COMMAND = re.compile(r"memctl (?:-C (?:'[^\n']*'|\S+) )?drill (?:--raw )?('[^\n]*'|\S+)")


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


def test_many_ids_at_once_find_what_each_finds_alone(home: Path) -> None:
    """Tables are made for many ids; what they find is what a look into every file finds."""
    held = entries(home)
    ids = [f"call:{entry['session_id']}/{entry['tool_call_id']}" for entry in held]
    ids += [entry["tool_call_id"] for entry in held] + [entry["node_id"] for entry in held]
    ids += [entry["result_ref"] for entry in held if entry.get("result_ref")]
    ids += [f"message:{message['sessionId']}/{message['id']}" for message in messages(home)]
    ids += [message["id"] for message in messages(home)] + ["nothing-like-it"]
    ids = list(dict.fromkeys(ids))
    wanted = [found for given in ids for found in answers(home, "--", given)]
    assert answers(home, "-", stdin="\n".join(ids)) == wanted
    assert len(wanted) > len(held)


def answers(home: Path, *given: str, stdin: str = "") -> list[dict[str, Any]]:
    """Give what is found, as JSON lines; what is not found or ambiguous is left out."""
    result = memctl("-C", home, "drill", "--format", "jsonl", *given, stdin=stdin, code=None)
    return [json.loads(line) for line in result.out.splitlines()]


def test_an_escaped_id_is_found_among_many(tmp_path: Path) -> None:
    """Ids that JSON writes with escapes stand in the tables as they are."""
    odd = 'call "x"\\\u00e9\n1'
    call = {"id": odd, "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    talk = [
        {"role": "user", "content": "List it."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": odd, "content": "a.txt"},
    ]
    source = tmp_path / "talk.json"
    source.write_text(json.dumps({"messages": talk}), encoding="utf-8")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    (entry,) = entries(home)
    alone = memctl("-C", home, "drill", "--format", "jsonl", "--", entry["tool_call_id"]).out
    both = memctl("-C", home, "drill", "--format", "jsonl", "--", entry["tool_call_id"], entry["node_id"]).out
    assert both.startswith(alone)


def test_the_words_behind_a_folded_step_are_reached_through_it(samples: Path, tmp_path: Path) -> None:
    """Folding draws no arrow for what the user said on the way; drilling the step shows it, and leads to it."""
    home = tmp_path / "memory"
    memctl("-C", home, "init")
    (home / "memctl.yaml").write_text("format: 1\ncanvas:\n  max_chars: 1000\n", encoding="utf-8")
    memctl("-q", "-C", home, "ingest", samples)
    drawn = "\n".join(path.read_text(encoding="utf-8") for path in (home / "mmds").glob("*.mmd"))
    folded = re.findall(r"\d{3}-N\d+(?=[^\n]*→ \d{3}-N)", drawn)
    assert folded
    shown = [memctl("-C", home, "drill", node).out for node in folded]
    said = [line for out in shown for line in out.split("\n") if "  user: " in line]
    assert said
    for line in said:
        found = COMMAND.search(line)
        assert found
        words = line.partition("  user: ")[2].removesuffix("…")[:30]
        answer = memctl("-C", home, "drill", "--raw", found[1].strip("'")).out
        assert words in " ".join(answer.split())
