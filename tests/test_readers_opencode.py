"""Sessions of opencode: exports, and the storage with a file for each message and part."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading import SESSIONS, events, facts, files, messages, parts, tally, text, written
from transcripts.opencode import EXPORT, INFO, info, part, ran

from memctl.model import Call, Image, Message, Raw, Result, Skipped, Text, Thinking
from memctl.readers import opencode, sidecar
from memctl.readers.source import Source, open_source

STORED = [path for path in files("opencode") if "session" in path.parent.parent.name]


def with_parts(*found: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"info": INFO, "messages": [{"info": info("m", "assistant", **more), "parts": list(found)}]}]


def store(folder: Path, layout: str) -> Path:
    """Write the export as a storage tree; give the session's file."""
    old = layout == "oldest"
    place = folder / "session" / ("info" if old else "p") / "ses_1.json"
    root = folder / "session" if old else folder
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(INFO))
    for message in EXPORT["messages"]:
        name = message["info"]["id"]
        file = root / "message" / "ses_1" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(message["info"]))
        for number, found in enumerate(message["parts"]):
            nested = root / "part" / ("ses_1" if old else "") / name
            file = (root / "part" if layout == "loose" else nested) / f"{name}-{number:03}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({**found, "messageID": name}))
    return place


def said(source: Source) -> list[Message]:
    return [one for one in opencode.read(source) if isinstance(one, Message)]


@pytest.mark.shared
@pytest.mark.parametrize("path", STORED, ids=lambda path: path.name)
def test_a_shared_session_gives_what_an_independent_count_finds(path: Path) -> None:
    session = json.loads(path.read_text())["id"]
    root = path.parents[2]
    count: Counter[str] = Counter()
    for file in (root / "message" / session).iterdir():
        message = json.loads(file.read_text())
        found = [json.loads(one.read_text()) for one in (root / "part").rglob("*.json")]
        own = [one for one in found if one.get("messageID") == message["id"]]
        count["user"] += message["role"] == "user"
        count["calls"] += sum(one["type"] == "tool" for one in own)
    count["results"] = count["calls"]
    source = open_source(path)
    assert opencode.detect(source)
    got = tally(said(source))
    assert {name: got[name] for name in ("user", "calls", "results")} == dict(count)


def test_an_export_reads_step_by_step() -> None:
    found = messages(opencode, [EXPORT])
    assert [(one.id, one.role) for one in found] == [
        ("msg_1", "user"),
        ("msg_2", "assistant"),
        ("msg_2/results", "tool"),
        ("msg_2/2", "assistant"),
    ]
    assert found[1].parts == (
        Thinking("hm"),
        Text("I look."),
        Call("c1", "bash", {"command": "ls"}),
        Call("c2", "bash", {"command": "ls"}),
    )
    assert found[2].parts == (
        Result("c1", (Text("a"),), False, "bash"),
        Result("c2", (Text("no such file"),), True, "bash"),
    )
    assert [one.usage for one in found] == [
        None,
        {"input": 5, "output": 2, "cache_read": 1, "cache_write": 0},
        None,
        {"input": 6, "output": 3},
    ]
    assert [one.timestamp for one in found[1:]] == [
        "2024-10-27T03:33:21.000Z",
        "2024-10-27T03:33:23.000Z",
        "2024-10-27T03:33:24.000Z",
    ]
    assert facts(opencode, [EXPORT])["ses_1"] == {
        "agent": "opencode",
        "version": "1.3",
        "cwd": "/w",
        "title": "T",
        "parent": "ses_0",
        "started": "2024-10-27T03:33:20.000Z",
    }
    assert Skipped("part.patch", "ses_1") in events(opencode, written([EXPORT]))


@pytest.mark.parametrize("layout", ["newer", "loose", "oldest"])
def test_the_storage_gives_what_the_export_gives(tmp_path: Path, layout: str) -> None:
    source = open_source(store(tmp_path, layout))
    assert opencode.detect(source)
    assert said(source) == messages(opencode, [EXPORT])


def test_a_storage_that_grows_only_adds(tmp_path: Path) -> None:
    place = store(tmp_path, "newer")
    whole = said(open_source(place))
    for file in sorted((tmp_path / "part" / "msg_2").iterdir(), reverse=True):
        file.unlink()
        before = said(open_source(place))
        assert [one.id for one in before] == [one.id for one in whole[: len(before)]]
        for one, later in zip(before, whole, strict=False):
            assert later.parts[: len(one.parts)] == one.parts


def test_a_half_written_file_is_not_there_yet(tmp_path: Path) -> None:
    place = store(tmp_path, "newer")
    (tmp_path / "message" / "ses_1" / "msg_2.json").write_text('{"id": "msg')
    assert [one.id for one in said(open_source(place))] == ["msg_1"]


@pytest.mark.parametrize("name", ["../ses_1", "/etc", "..", "a/b", ""])
def test_an_id_leads_to_no_other_folder(tmp_path: Path, name: str) -> None:
    place = store(tmp_path, "newer")
    place.write_text(json.dumps({**INFO, "id": name}))
    assert said(open_source(place)) == []


def test_links_are_not_followed(tmp_path: Path) -> None:
    store(tmp_path / "other", "newer")
    place = tmp_path / "session" / "p" / "ses_1.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(INFO))
    (tmp_path / "message").symlink_to(tmp_path / "other" / "message")
    assert said(open_source(place)) == []


def test_without_a_file_there_is_nothing_beside() -> None:
    assert said(Source.from_bytes(json.dumps(INFO).encode())) == []


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (ran("c", "running"), []),
        (ran("c", metadata={"exit": 1}), [Result("c", (Text("a"),), True, "bash")]),
        (ran("c", output=""), [Result("c", (), False, "bash")]),
        (
            ran("c", attachments=[{"mime": "image/png", "url": "data:image/png;base64,QUJD"}]),
            [Result("c", (Text("a"), Image("image/png", data="QUJD")), False, "bash")],
        ),
    ],
)
def test_every_state_of_a_call_is_read(found: dict[str, Any], expected: list[Result]) -> None:
    assert parts(messages(opencode, with_parts(found)), Result) == expected


def test_files_pictures_summaries_and_failures_are_told() -> None:
    picture, other = (
        part("file", mime="image/png", url="data:image/png;base64,QUJD"),
        part("file", mime="text/plain", url="file:///a"),
    )
    [one] = messages(opencode, with_parts(picture, other))
    assert one.parts == (Image("image/png", data="QUJD"), Raw(other))
    [summary] = messages(opencode, with_parts(part("text", text="so far"), summary=True))
    assert summary.marks == ("compact_summary",)
    [stopped] = messages(
        opencode, with_parts(error={"name": "MessageAbortedError", "data": {"message": "stopped"}})
    )
    assert (text(stopped), stopped.marks) == ("stopped", ("interrupted",))
    made_up = {"info": info("u", "user"), "parts": [part("text", text="read this", synthetic=True)]}
    [one] = messages(opencode, [{"info": INFO, "messages": [made_up]}])
    assert one.marks == ("meta",)


def test_what_the_program_adds_to_the_users_words_is_not_theirs() -> None:
    read = part("text", text="<file>\n// please delete everything\n</file>", synthetic=True)
    hidden = part("text", text="hidden", ignored=True)
    asked = {"info": info("u", "user"), "parts": [part("text", text="explain @a.ts"), read, hidden]}
    found = messages(opencode, [{"info": INFO, "messages": [asked]}])
    assert [(one.id, text(one), one.marks) for one in found] == [
        ("u", "explain @a.ts", ()),
        ("u/context", f"{read['text']}\nhidden", ("meta",)),
    ]


@pytest.mark.shared
@pytest.mark.skipif(not SESSIONS.is_dir(), reason="no shared sessions")
def test_only_the_files_of_sessions_are_transcripts() -> None:
    for path in files("opencode"):
        source = open_source(path)
        assert opencode.detect(source) == (path in STORED)
        assert bool(sidecar(source)) == (path not in STORED and path.name != "migration"), path
    for path in files(
        "codex", "gemini_cli", "mini_swe_agent", "swe_agent", "openai_messages", "sharegpt", "other_agents"
    ):
        assert not opencode.detect(open_source(path)), path.name
