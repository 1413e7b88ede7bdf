"""A directory of the original and transcripts of its sessions come in in any order: one directory, nothing lost."""

import json
import re
import shutil
from itertools import permutations
from pathlib import Path
from typing import Any

import original
import pytest
from original import CALLS, FIRST, RESULTS
from running import entries, memctl, messages, snapshot

STEPS = ("adopt", "begun", "whole")


def transcript(path: Path, *, whole: bool) -> Path:
    """Write the transcript of a session of the original: a call of which it has an entry, and one of its own."""

    def line(number: int, role: str, content: Any) -> str:
        time = f"2026-04-12T13:0{number}:33.500Z"
        head = {
            "type": role,
            "sessionId": FIRST,
            "uuid": f"{FIRST}-u{number}",
            "timestamp": time,
            "cwd": "/w",
        }
        return json.dumps(head | {"message": {"role": role, "content": content}}) + "\n"

    def call(number: int, name: str, tool: str, arguments: dict[str, str], result: str) -> str:
        used = [{"type": "tool_use", "id": name, "name": tool, "input": arguments}]
        came = [{"type": "tool_result", "tool_use_id": name, "content": result}]
        return line(number, "assistant", used) + line(number + 1, "user", came)

    text = line(0, "user", "The auth tokens expire too late. Always answer in German.")
    text += call(1, CALLS[0], "Bash", {"command": "pytest"}, RESULTS[0])
    if whole:
        text += call(3, "toolu_own", "Read", {"file_path": "/w/clock.py"}, "def clock(): ...\n")
        text += line(5, "assistant", [{"type": "text", "text": "clock.py has no zone."}])
    path.write_text(text)
    return path


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Path]:
    """Give what is taken in, by the name of the step."""
    theirs = original.write(tmp_path / "theirs")
    return {
        "adopt": theirs,
        "begun": transcript(tmp_path / "begun.jsonl", whole=False),
        "whole": transcript(tmp_path / "whole.jsonl", whole=True),
    }


def plain(home: Path) -> dict[str, str]:
    """Give a directory's files with each canvas called by its label, as its number depends on the order."""
    labels = {path.name[:3]: path.stem[4:] for path in (home / "mmds").iterdir()}
    pattern = re.compile(rf"(?<![0-9A-Za-z])({'|'.join(labels)})-(?=N[0-9]|{'|'.join(labels.values())})")

    def named(text: str) -> str:
        text = pattern.sub(lambda match: f"<{labels[match[1]]}>", text)
        text = re.sub(r'"body":"[0-9a-f]{8}"', '"body":""', text)  # a hash of what has the numbers
        return re.sub(r'"source":"(?:begun|whole)\.jsonl"', '"source":""', text)

    return {
        named(name): named(data.decode("utf-8", "surrogateescape")) for name, data in snapshot(home).items()
    }


@pytest.mark.parametrize("said", [False, True], ids=["entries alone", "with what was said"])
def test_any_order_gives_one_directory_and_loses_nothing(
    sources: dict[str, Path], tmp_path: Path, *, said: bool
) -> None:
    if not said:
        shutil.rmtree(sources["adopt"] / "conversations")
    found: dict[str, str] = {}
    for order in permutations(STEPS):
        home = tmp_path / "-".join(order)
        for step in order:
            memctl("-q", "-C", home, "ingest", sources[step])
        told = {(entry["tool_call_id"], entry["summary"]) for entry in entries(home)}
        assert {name for name, _ in told} == {*CALLS, "toolu_own"}, order
        for theirs in entries(sources["adopt"]):
            assert (theirs["tool_call_id"], theirs["summary"]) in told, order
            if theirs["node_id"]:
                label = "auth-expiry"
                number = next(path.name[:3] for path in (home / "mmds").glob(f"*-{label}.mmd"))
                node = theirs["node_id"].replace("001", number)
                assert theirs["tool_call_id"] in memctl("-C", home, "drill", node).out, order
        assert memctl("-C", home, "check").out == "", order
        assert len(messages(home)) == len({message["id"] for message in messages(home)})
        found = found or plain(home)
        assert plain(home) == found, order
        for step in STEPS:
            before = snapshot(home)
            memctl("-q", "-C", home, "ingest", sources[step])
            assert snapshot(home) == before, (order, step)


def test_an_export_holds_both_and_comes_back_the_same(sources: dict[str, Path], tmp_path: Path) -> None:
    home, out, again = tmp_path / "memory", tmp_path / "out", tmp_path / "again"
    for step in STEPS:
        memctl("-q", "-C", home, "ingest", sources[step])
    memctl("-C", home, "export", "--tdai", out)
    memctl("-q", "-C", again, "ingest", out)

    def told(folder: Path) -> list[tuple[str, str, str, int]]:
        names = ("tool_call_id", "summary", "node_id", "score")
        return sorted(tuple(map(str, map(entry.get, names))) for entry in entries(folder))  # type: ignore[misc]

    assert told(home) == told(out) == told(again)
    for node in ("001-N1", "001-N2", "002-N1", "002-N2"):
        assert (
            memctl("-C", home, "drill", node).out.split("\n")[0]
            == memctl("-C", again, "drill", node).out.split("\n")[0]
        )
    assert memctl("-C", again, "check").out == ""
    memctl("-q", "-C", again, "ingest", sources["whole"])
    assert memctl("-C", again, "check").out == ""
    assert {(call, summary) for call, summary, *_ in told(home)} <= {
        (call, summary) for call, summary, *_ in told(again)
    }


def test_what_was_adopted_is_healthy_and_the_rules_for_our_own_stand(
    sources: dict[str, Path], samples: Path, tmp_path: Path
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", sources["adopt"], samples)
    memctl("-q", "-C", home, "extract")
    memctl("-q", "-C", home, "compact", "--now", "2026-06-01T00:00:00Z")
    assert memctl("-C", home, "check").out == ""

    def codes() -> set[str]:
        found = memctl("-C", home, "check", "--format", "jsonl", code=1).out
        return {json.loads(line)["code"] for line in found.split("\n") if line}

    mine = next(entry for entry in entries(home) if entry["upto"] and entry["result_ref"])
    ref = home / mine["result_ref"]
    kept = ref.read_bytes()
    ref.write_bytes(b"# Tool Result: exec\n\n**Timestamp:** 2026-04-12T21:00:33Z\n\n---\n\n" + kept[-10:])
    assert codes() == {"CHK305"}
    ref.write_bytes(kept)
    theirs = home / "refs" / original.ref_name(original.TIMES[0])
    kept = theirs.read_bytes()
    theirs.unlink()
    assert codes() == {"CHK301"}
    theirs.write_bytes(kept)
    path = next(path for path in home.glob("offload-*.jsonl") if mine["tool_call_id"] in path.read_text())
    talk = home / "conversations" / path.name.removeprefix("offload-")
    talk.unlink()
    assert "CHK505" in codes()


@pytest.mark.parametrize("name", ["codex.jsonl", "openai_chat.json"], ids=["with times", "without"])
def test_an_export_and_its_transcript_come_in_either_order(samples: Path, tmp_path: Path, name: str) -> None:
    memctl("-q", "-C", tmp_path / "memory", "ingest", samples / name)
    memctl("-C", tmp_path / "memory", "export", "--tdai", tmp_path / "out")
    homes: list[Path] = []
    for order in ((tmp_path / "out", samples / name), (samples / name, tmp_path / "out")):
        homes.append(tmp_path / f"order{len(homes)}")
        for source in order:
            memctl("-q", "-C", homes[-1], "ingest", source)
        assert memctl("-C", homes[-1], "check").out == ""
    assert snapshot(homes[0]) == snapshot(homes[1])
