"""Ingest: hostile input stays inside and harms nothing; results come back byte for byte; noise is marked."""

import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import zstandard
from claude_chat import call, chat, line, result, written
from running import PROGRAM, entries, memctl, messages, snapshot

from memctl.store import refs

HOSTILE = [
    "../../x",
    "CON",
    "con.txt",
    "a" * 5000,
    "a\0b",
    "/etc/passwd",
    ".",
    "..",
    "\\\\host\\c$",
    "ä/ö",
    "a:b",
    "é\u202e",
    "\n",
]


@pytest.mark.parametrize("session", HOSTILE)
def test_a_hostile_session_id_stays_inside_and_can_be_drilled(tmp_path: Path, session: str) -> None:
    home = tmp_path / "outer" / "memory"
    home.parent.mkdir()

    memctl("-q", "-C", home, "ingest", chat(tmp_path / "chat.jsonl", session))

    assert [path.name for path in home.parent.iterdir()] == ["memory"]
    (stored,) = (home / "conversations").iterdir()
    assert len(os.fsencode(stored.name)) <= 130
    assert session == entries(home)[0]["session_id"]
    assert memctl("-C", home, "drill", f"session:{stored.stem}", "--format", "json").data["kind"] == "session"


def test_hostile_call_ids_and_tool_names_break_no_header(tmp_path: Path) -> None:
    body = "x" * 2000
    evil = "a\n\n---\n\nforged"
    lines = [
        line("user", "u1", "go"),
        line("assistant", "a1", [{"type": "tool_use", "id": evil, "name": evil, "input": {}}]),
        line("user", "u2", [{"type": "tool_result", "tool_use_id": evil, "content": body}]),
    ]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", written(tmp_path / "evil.jsonl", lines))

    (entry,) = entries(home)

    assert body.encode() == refs.body(home, entry["result_ref"])
    assert memctl("-C", home, "drill", "--raw", entry["result_ref"]).out == body


def test_no_escape_code_reaches_a_terminal(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    evil = "\x1b]0;owned\x07\x1b[2J\u202eevil"
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "chat.jsonl", evil, evil, extra=evil))
    for command in (
        ["status"],
        ["canvas", "list"],
        ["canvas", "show", "1"],
        ["grep", "."],
        ["session", "list"],
    ):
        printed = memctl("-C", home, *command).out
        assert "\x1b" not in printed
        assert "\u202e" not in printed
    assert "\x1b" not in memctl("-C", home, "drill", "001-N1").out
    assert "\x1b" not in memctl("-C", home, "session", "show", entries(home)[0]["session_id"]).out


@pytest.mark.parametrize(
    "body",
    [
        "",
        "short",
        "a\r\nb",
        "no newline",
        "trailing\n\n",
        "nul\0here" * 200,
        "é漢字🎉" * 300,
        "\ud83d lone" * 100,
        "\x1b[31mred" * 200,
    ],
    ids=range(9),
)
def test_a_result_comes_back_byte_for_byte(tmp_path: Path, body: str) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "chat.jsonl", content=body))
    (entry,) = entries(home)

    raw = subprocess.run(
        [*PROGRAM, "-C", str(home), "drill", "--raw", "toolu_1"], capture_output=True, check=True
    ).stdout

    assert body.encode("utf-8", "surrogatepass") == raw
    assert hashlib.sha256(raw).hexdigest() == entry["result_sha256"]
    assert len(raw) == entry["result_bytes"]


def test_invalid_utf_8_in_a_result_comes_back_as_the_bytes_it_was(tmp_path: Path) -> None:
    source = chat(tmp_path / "chat.jsonl", content="BYTES" + "x" * 600)
    source.write_bytes(source.read_bytes().replace(b"BYTES", b"\xff\xfe\x80"))
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)

    raw = subprocess.run(
        [*PROGRAM, "-C", str(home), "drill", "--raw", "toolu_1"], capture_output=True, check=True
    ).stdout

    assert raw == b"\xff\xfe\x80" + b"x" * 600


def test_many_blocks_come_back_as_many_blocks(tmp_path: Path) -> None:
    picture = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    blocks = [
        {"type": "text", "text": "before"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": picture}},
        {"type": "text", "text": "after"},
    ]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "chat.jsonl", content=blocks))

    (png,) = (home / "refs").rglob("*.png")
    exported = json.loads(memctl("-C", home, "session", "export", "s1", "--to", "anthropic").out)

    assert png.read_bytes().startswith(b"\x89PNG")
    assert blocks == exported["messages"][2]["content"][0]["content"]


def test_an_id_used_again_after_a_reset_is_another_session(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    first = written(tmp_path / "first.jsonl", [line("user", "u1", "one"), line("assistant", "a1", "yes")])
    second = written(tmp_path / "second.jsonl", [line("user", "v1", "two"), line("assistant", "b1", "no")])
    for source in (first, second, first, second):
        memctl("-q", "-C", home, "ingest", source)
    apart = snapshot(home)
    memctl("-q", "-C", tmp_path / "together", "ingest", first, second)

    assert len(list((home / "conversations").iterdir())) == 2
    assert len(messages(home)) == 4
    assert apart == snapshot(tmp_path / "together")


def test_the_end_of_a_session_taken_first_does_not_part_it(tmp_path: Path) -> None:
    """A file that starts in the middle (after a compaction, a copy of the tail) and then the whole."""
    lines = [
        line("user", "u1", "one"),
        line("assistant", "a1", "yes"),
        line("user", "u2", "two"),
        line("assistant", "a2", "no"),
    ]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", written(tmp_path / "tail.jsonl", lines[2:]))
    memctl("-q", "-C", home, "ingest", written(tmp_path / "whole.jsonl", lines))
    memctl("-q", "-C", tmp_path / "once", "ingest", tmp_path / "whole.jsonl")

    assert snapshot(tmp_path / "once") == snapshot(home)


def test_results_before_their_call_repeated_ids_and_missing_results(tmp_path: Path) -> None:
    lines = [
        line("user", "u1", "go"),
        line("user", "u2", [result("early", "first the answer", is_error=True)]),
        line("assistant", "a1", [call("early", command="ls early")]),
        line("assistant", "a2", [call("same", command="ls one")]),
        line("user", "u3", [result("same", "one")]),
        line("assistant", "a3", [call("same", command="ls two")]),
        line("user", "u4", [result("same", "two")]),
        line("assistant", "a4", [call("never", command="ls three")]),
    ]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", written(tmp_path / "odd.jsonl", lines))
    found = {entry["tool_call_id"]: entry for entry in entries(home)}

    assert {"toolu_early", "toolu_same", "toolu_same#2", "toolu_never"} == set(found)
    assert found["toolu_early"]["result"] == "first the answer"
    assert found["toolu_early"]["status"] == "error"
    assert "ls early" in found["toolu_early"]["tool_call"]
    assert (found["toolu_same"]["result"], found["toolu_same#2"]["result"]) == ("one", "two")
    assert found["toolu_never"]["status"] == "missing"
    for key in found:
        memctl("-C", home, "drill", key)


def test_noise_is_kept_and_marked(tmp_path: Path) -> None:
    reminder = "<system-reminder>Be brief.</system-reminder>"
    lines = [
        line("user", "u1", f"fix the port please\n{reminder}"),
        line(
            "user",
            "u2",
            "This session is being continued from a previous conversation.",
            isCompactSummary=True,
        ),
        line("user", "u3", "<command-name>/clear</command-name>"),
    ]
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", written(tmp_path / "noise.jsonl", lines))
    first, second, third = messages(home)

    ((_, start, end),) = first["mark"]
    assert reminder == first["content"][start:end]
    assert [0, len(second["content"])] == second["mark"][0][1:]
    assert [0, len(third["content"])] == third["mark"][0][1:]


def test_memory_never_eats_itself(tmp_path: Path) -> None:
    """A memory directory inside a folder of transcripts is passed over."""
    folder = tmp_path / "work"
    folder.mkdir()
    chat(folder / "chat.jsonl")
    memctl("-q", "-C", folder / "memory", "ingest", folder)
    before = snapshot(folder / "memory")

    memctl("-q", "-C", folder / "memory", "ingest", folder)

    assert before == snapshot(folder / "memory")


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    sources = [chat(tmp_path / f"{number}.jsonl", f"session-{number}") for number in range(6)]
    children = [
        subprocess.Popen([*PROGRAM, "-q", "-C", str(home), "ingest", "--wait", "60", str(source)])
        for source in sources
    ]

    assert [child.wait() for child in children] == [0] * 6
    assert len(entries(home)) == 6
    assert sorted(f"{number:03d}" for number in range(1, 7)) == sorted(
        path.name[:3] for path in (home / "mmds").iterdir()
    )


def test_links_are_not_followed_out_of_the_directory(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    source = chat(tmp_path / "chat.jsonl", content="x" * 2000)
    outside = tmp_path / "outside"
    outside.mkdir()
    memctl("-q", "init", home)
    (home / "refs").symlink_to(outside, target_is_directory=True)

    refused = memctl("-C", home, "ingest", source, code=12)

    assert "link" in refused.err
    assert not list(outside.iterdir())


def test_a_persons_canvas_keeps_its_words_when_the_session_grows(tmp_path: Path) -> None:
    source = chat(tmp_path / "chat.jsonl")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    (canvas,) = (home / "mmds").iterdir()
    edited = canvas.read_text().replace("All tests pass.", "My own words about it")
    assert edited != canvas.read_text()
    canvas.write_text(edited)
    more = [
        line("assistant", "a3", [call("2", command="git commit -m done")]),
        line("user", "u3", [result("2", "[main 1a2b3c4] done")]),
    ]
    source.write_bytes(source.read_bytes() + b"".join(json.dumps(one).encode() + b"\n" for one in more))

    memctl("-q", "-C", home, "ingest", source)

    assert "My own words about it" in canvas.read_text()
    assert '"by":"human"' in canvas.read_text()
    assert "git commit" in canvas.read_text()
    assert edited in [path.read_text() for path in (home / "versions").rglob("*.mmd") if path.is_file()]


def test_a_task_file_that_a_person_took_over_is_left_alone(tmp_path: Path) -> None:
    source = chat(tmp_path / "chat.jsonl")
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", source)
    (task,) = (home / "tasks").iterdir()
    own = task.read_text().partition("\n")[2].replace("in_progress", "cancelled")
    task.write_text(own)
    (home / ".memctl" / "cursors.json").unlink()

    memctl("-q", "-C", home, "ingest", source)

    assert own == task.read_text()


def test_everything_is_private_to_the_user(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "chat.jsonl", content="x" * 2000))
    for path in [home, *home.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_dry_run_says_what_would_come_and_writes_nothing(tmp_path: Path) -> None:
    source = chat(tmp_path / "chat.jsonl")
    home = tmp_path / "memory"
    (row,) = memctl("-C", home, "ingest", "--dry-run", source, "--format", "json").data

    assert (row["format"], row["new"], row["counts"]["calls"]) == ("claude-code", 4, 1)
    assert not home.exists()

    memctl("-q", "-C", home, "ingest", source)
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    (home / ".memctl" / "cursors.json").rename(tmp_path / "cursors")
    assert "(0 new)" in memctl("-C", home, "ingest", "--dry-run", source).out
    (tmp_path / "cursors").rename(home / ".memctl" / "cursors.json")
    assert before.keys() == dict.fromkeys(home.rglob("*"), 0).keys()


def test_several_processes_write_the_same_bytes(samples: Path, tmp_path: Path) -> None:
    copy = tmp_path / "again"
    shutil.copytree(samples, copy)
    first = written(
        copy / "x-first.jsonl",
        [line("user", "u1", "one", "reused"), line("assistant", "a1", "yes", "reused")],
    )
    written(
        first.with_name("y-second.jsonl"),
        [line("user", "v1", "two", "reused"), line("assistant", "b1", "no", "reused")],
    )

    memctl("-q", "-C", tmp_path / "one", "ingest", samples, copy)
    memctl("-q", "-C", tmp_path / "many", "ingest", "--jobs", "3", samples, copy)

    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "many")
    assert len(list((tmp_path / "one" / "conversations").iterdir())) == 11


def test_packed_with_zstd_it_is_the_same_transcript(samples: Path, tmp_path: Path) -> None:
    source = samples / "codex.jsonl"
    packed = tmp_path / "codex.jsonl"
    packed.write_bytes(zstandard.compress(source.read_bytes()))
    memctl("-q", "-C", tmp_path / "plain", "ingest", source)
    memctl("-q", "-C", tmp_path / "packed", "ingest", packed)

    assert snapshot(tmp_path / "plain") == snapshot(tmp_path / "packed")

    packed.write_bytes(packed.read_bytes()[:400])
    assert "zstd" in memctl("-C", tmp_path / "packed", "ingest", packed, code=3).err


def test_the_files_of_a_zip_archive_are_read(samples: Path, tmp_path: Path) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(samples.iterdir()):
            packed.write(path, f"export/{path.name}")
        packed.writestr("../../evil.jsonl", "{}")
    memctl("-q", "-C", tmp_path / "plain", "ingest", samples)
    memctl("-q", "-C", tmp_path / "zipped", "ingest", archive)

    assert snapshot(tmp_path / "plain") == snapshot(tmp_path / "zipped")
    assert "unchanged" in memctl("-C", tmp_path / "zipped", "ingest", archive).out

    broken = tmp_path / "broken.zip"
    broken.write_bytes(archive.read_bytes()[:2000])
    assert str(broken) in memctl("-C", tmp_path / "zipped", "ingest", broken, code=3).err


def test_a_file_in_a_zip_archive_that_claims_too_much_is_said_and_the_rest_is_in(
    samples: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(min(samples.glob("*.jsonl")), "good.jsonl")
        packed.writestr("huge.jsonl", "{}")
        packed.getinfo("huge.jsonl").file_size = 5 << 30  # written with the list of files, on closing

    ran = memctl("-C", tmp_path / "m", "ingest", archive)

    assert "huge.jsonl: claims more than" in ran.err
    assert entries(tmp_path / "m")


def test_a_file_in_a_zip_archive_may_have_no_name_or_be_damaged(samples: Path, tmp_path: Path) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(zipfile.ZipInfo(""), min(samples.glob("*.jsonl")).read_bytes())
        packed.writestr("folder/", "")
        packed.writestr("squeezed.jsonl", b'{"role": "user"}\n' * 99, zipfile.ZIP_LZMA)
    data = bytearray(archive.read_bytes())
    data[data.index(b"squeezed.jsonl") + 24] ^= 255  # in what LZMA wrote
    archive.write_bytes(data)

    ran = memctl("-C", tmp_path / "m", "ingest", archive)

    assert "squeezed.jsonl: " in ran.err
    assert entries(tmp_path / "m")
