"""A bug that one file or session meets is said, ends in 70, and stops no other; nothing of it stays half written."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from running import memctl, snapshot

from memctl.model import Event
from memctl.passes import derive, heal
from memctl.readers import Source, openai_chat


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give three chats with a long result each; the last is `worst.json`."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a", "c", "worst"):
        call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}
        chat = {
            "session_id": name,
            "messages": [
                {"role": "user", "content": f"list the files of {name}"},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": f"{name}.py\n" * 400},
            ],
        }
        (folder / f"{name}.json").write_text(json.dumps(chat))
    return folder


def _detecting(monkeypatch: pytest.MonkeyPatch) -> None:
    real = openai_chat.detect

    def detect(source: Source) -> bool:
        if "worst" in source.name:
            raise KeyError("role")
        return real(source)

    monkeypatch.setattr(openai_chat, "detect", detect)


def _reading(monkeypatch: pytest.MonkeyPatch) -> None:
    real = openai_chat.read

    def read(source: Source) -> Iterator[Event]:
        yield from real(source)
        if "worst" in source.name:
            raise KeyError("role")

    monkeypatch.setattr(openai_chat, "read", read)


def _deriving(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = derive.derive

    def deriving(store: Any, batch: Any, session: str, *more: Any) -> Any:
        found = real(store, batch, session, *more)
        if session == "worst":
            raise KeyError("role")
        return found

    monkeypatch.setattr(derive, "derive", deriving)


def _healing(monkeypatch: pytest.MonkeyPatch) -> None:
    def healing(*_: Any) -> list[str]:
        raise KeyError("role")

    monkeypatch.setattr(heal, "heal", healing)


@pytest.mark.parametrize(
    ("breaks", "doing"),
    [(_detecting, "reading it"), (_reading, "reading it"), (_deriving, "summarizing session worst")],
)
def test_a_bug_that_one_file_meets_stops_no_other(
    folder: Path, tmp_path: Path, breaks: Callable[[pytest.MonkeyPatch], None], doing: str
) -> None:
    home = tmp_path / "memory"
    with pytest.MonkeyPatch.context() as patched:
        breaks(patched)
        ran = memctl("-C", home, "ingest", folder, "--format", "jsonl", code=70)
        again = memctl("-C", home, "ingest", folder, code=70)

    rows = {Path(row["path"]).stem: row for row in map(json.loads, ran.out.strip().split("\n"))}
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "a": "taken",
        "c": "taken",
        "worst": "failed",
    }
    assert f"unexpected KeyError while {doing}" in rows["worst"]["reason"]
    assert f"worst.json: unexpected KeyError while {doing}" in ran.err
    assert "Traceback" in ran.err
    assert "internal error in memctl" in ran.err
    assert "internal error in memctl" in again.err, "what failed is tried again"
    assert sorted(path.name for path in home.glob("offload-*")) == ["offload-a.jsonl", "offload-c.jsonl"]
    checked = memctl("-C", home, "check", code=None)
    assert (checked.code, "CHK504" in checked.out) == ((0, False) if doing == "reading it" else (1, True))
    bodies = [path for path in (home / "refs").rglob("*.md") if b"worst.py" in path.read_bytes()]
    assert len(bodies) == (doing != "reading it"), "of a session whose messages are in the ref is there"

    memctl("-q", "-C", home, "ingest", folder)
    memctl("-q", "-C", tmp_path / "whole", "ingest", folder)
    assert snapshot(home) == snapshot(tmp_path / "whole")


def test_a_bug_in_healing_does_not_keep_files_out(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", folder / "a.json", folder / "c.json")
    min((home / "mmds").iterdir()).unlink()
    with pytest.MonkeyPatch.context() as patched:
        _healing(patched)
        assert "KeyError" in memctl("-C", home, "ingest", folder, code=70).err
    assert (home / "offload-worst.jsonl").is_file()

    assert "repaired" in memctl("-C", home, "ingest", folder).out
    memctl("-q", "-C", tmp_path / "whole", "ingest", folder)
    assert snapshot(home) == snapshot(tmp_path / "whole")


def test_a_bug_in_the_file_of_a_context_is_no_empty_file(folder: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        _reading(patched)
        ran = memctl("-C", tmp_path / "memory", "context", folder / "worst.json", code=70)

    assert "internal error in memctl" in ran.err
