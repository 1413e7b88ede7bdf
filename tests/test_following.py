"""Following: a transcript taken in from the place reached equals one taken in whole, and what is kept of it is safe."""

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from claude_chat import call, line, result, written
from running import memctl, messages, snapshot

from memctl import files
from memctl.index.place import place_of
from memctl.model import Damage
from memctl.passes import closing, following, frozen, places as places_of
from memctl.passes.closing import Closing
from memctl.passes.listing import fingerprint
from memctl.passes.places import Place
from memctl.passes.sources import Cursors
from memctl.readers.source import Line, Source
from memctl.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    memctl("-q", "-C", tmp_path / "memory", "init")
    return open_store(tmp_path / "memory")


def places(store: Store) -> list[Path]:
    return sorted(place_of(store).folder.glob("followed-*"))


def grow(store: Store, target: Path, data: bytes, cuts: list[int]) -> None:
    """Write ever more of a transcript, and follow it each time."""
    for cut in [*cuts, len(data)]:
        with target.open("ab") as stream:
            stream.write(data[stream.tell() : cut])
        with files.locked(store.home, 1):
            following.follow(store, str(target))


def conversation(store: Store) -> bytes:
    (path,) = store.conversations()
    return path.read_bytes()


def whole(folder: Path, target: Path) -> dict[str, bytes]:
    memctl("-q", "-C", folder, "ingest", target)
    return snapshot(folder)


def cuts_of(data: bytes, number: int) -> list[int]:
    chance = random.Random(number)  # noqa: S311 - a seeded sample, no secret
    return sorted(chance.randrange(1, len(data)) for _ in range(number))


def test_a_transcript_followed_in_steps_equals_it_taken_whole(
    store: Store, samples: Path, tmp_path: Path
) -> None:
    source = samples / "claude_code.jsonl"
    target = tmp_path / source.name
    data = source.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]

    grow(store, target, data, sorted({*ends, *cuts_of(data, 40)}))

    followed = snapshot(store.root)
    assert followed == whole(tmp_path / "once", target)
    (place,) = places(store)
    assert frozen.thawed(place.read_bytes(), Place).offset == ends[-1]
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(data)
    memctl("-q", "-C", store.home, "ingest", copy)
    assert snapshot(store.root) == followed


def test_real_transcripts_followed_in_steps_equal_them_taken_whole(shared: Path, tmp_path: Path) -> None:
    folder = shared / "claude_code"
    sources = [*folder.glob("growing_session/*.jsonl"), folder / "cli__37-995ebed6e4-2.jsonl"]
    sources += (shared / "derived_edge_cases").glob("claude_*.jsonl")
    for number, source in enumerate(sorted(sources)):
        data = source.read_bytes()
        if not data:
            continue
        home, target = tmp_path / f"steps{number}", tmp_path / source.name
        memctl("-q", "-C", home, "init")

        grow(open_store(home), target, data, cuts_of(data, 6))

        if snapshot(home).keys() != {".gitattributes", ".gitignore", "memctl.yaml"}:
            assert snapshot(home) == whole(tmp_path / f"once{number}", target), source.name


def work(at: int, command: str, body: Any, session: str = "s1", **more: Any) -> list[dict[str, Any]]:
    """Write a call and its result."""
    return [
        line("assistant", f"{session}-a{at}", [call(f"{session}-{at}", command=command)], session),
        line("user", f"{session}-r{at}", [result(f"{session}-{at}", body, **more)], session),
    ]


PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
SAID = [
    line("user", "u1", "Fix the parser: it drops the last line of a file."),
    *work(1, "cat parser.py", "def parse(text):\n" * 90),
    *work(2, "frob parser.py", "it is what it is", is_error=True),
    line("assistant", "a3", [{"type": "text", "text": "The parser drops it in parse()."}]),
    line("user", "v1", "What is in the changelog?", "s2"),
    *work(1, "cat CHANGELOG.md", "entry\n" * 200, "s2"),
    *work(4, "pytest -q", "1 failed\nE   AssertionError: last line\n", is_error=True),
    {
        "type": "queue-operation",
        "operation": "enqueue",
        "content": "and be quick",
        "timestamp": "2026-03-01T08:00:00Z",
        "sessionId": "s1",
    },
    *work(5, "cat parser.py", "def parse(text):\n" * 90),
    line("assistant", "a6", [call("p1", command="ls a"), call("p2", command="ls b")]),
    line("user", "r6", [result("p2", "b.py", is_error=True)]),
    line("user", "r7", [result("p1", "a.py")]),
    *work(
        6, "plot", [{"type": "text", "text": "the plot"}, PICTURE, {"type": "text", "text": "caption\n" * 90}]
    ),
    *work(61, "plot again", [PICTURE]),
    *work(62, "odd", "\ud83d half a pair\n" * 60),
    *work(63, "nothing", ""),
    line("user", "u2", "Now write a tutorial about colours for the website, in French."),
    *work(7, "cat website/colours.md", "les couleurs\n" * 90),
    line("assistant", "a8", [{"type": "text", "text": "Written."}, call("q1", command="git push")]),
    line("user", "u3", "Back to the parser: is the last line there now?"),
    *work(9, "pytest -q", "3 passed"),
    line("assistant", "a9", [{"type": "text", "text": "Yes, all pass."}]),
    line("user", "v2", "Thanks.", "s2"),
]


OTHER = [
    line("user", "w1", "What is the weather like?", "s0"),
    *work(1, "curl wttr.in", "rain", "s0"),
]


def test_a_transcript_followed_line_by_line_equals_passes_over_it(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "session.jsonl"
    memctl("-q", "-C", store.home, "ingest", written(tmp_path / "other.jsonl", OTHER))
    passed = Path(shutil.copytree(store.home, tmp_path / "passed"))
    for end in range(2, len(SAID) + 1):
        data = b"".join(json.dumps(one).encode() + b"\n" for one in SAID[:end])
        grow(store, target, data, [])

        assert snapshot(store.root) == whole(passed, target), SAID[end - 1]
        assert places(store)
    assert Cursors(store).whole == fingerprint(store)  # the next pass need not look at everything


def test_a_session_that_another_transcript_tells_of_too_is_followed_as_well(
    store: Store, tmp_path: Path
) -> None:
    target = tmp_path / "session.jsonl"
    other = [*SAID[:3], line("user", "x1", "And look at the lexer, too."), *work(99, "ls", "a.py")]
    memctl("-q", "-C", store.home, "ingest", written(tmp_path / "other.jsonl", other))
    passed = Path(shutil.copytree(store.home, tmp_path / "passed"))
    for end in range(1, 10):
        data = b"".join(json.dumps(one).encode() + b"\n" for one in SAID[:end])
        grow(store, target, data, [])

        assert snapshot(store.root) == whole(passed, target), SAID[end - 1]


def test_only_what_is_new_is_read(
    store: Store, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "session.jsonl"
    data = (samples / "claude_code.jsonl").read_bytes()
    at = data.rindex(b"\n", 0, len(data) - 1) + 1
    grow(store, target, data[:at], [])
    read: list[tuple[int, int]] = []
    lines_from = Source.lines_from

    def noted(self: Source, offset: int, number: int) -> Iterator[Line | Damage]:
        read.append((offset, number))
        return lines_from(self, offset, number)

    monkeypatch.setattr(Source, "lines_from", noted)
    grow(store, target, data, [])

    assert read == [(at, data[:at].count(b"\n"))]


def test_a_session_that_begins_with_a_call_is_followed_too(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "session.jsonl"
    lines = [
        one
        for at in range(4)
        for one in (
            line("assistant", f"a{at}", [call(f"t{at}", command=f"cat {at}.py")]),
            line("user", f"r{at}", [result(f"t{at}", f"{at}\n" * 900)]),
        )
    ]
    data = b"".join(json.dumps(one).encode() + b"\n" for one in lines)
    for end in [at + 1 for at, byte in enumerate(data) if byte == 10][1:]:
        grow(store, target, data[:end], [])
        assert places(store), end

    assert snapshot(store.root) == whole(tmp_path / "once", target)


@pytest.mark.parametrize(
    "what", ["conversation", "a word", "entries", "transcript", "rewritten", "settings", "place"]
)
def test_what_has_changed_meanwhile_is_read_from_the_start(
    what: str, store: Store, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "session.jsonl"
    data = (samples / "claude_code.jsonl").read_bytes()
    half = data.index(b"\n", len(data) // 2) + 1
    if what == "transcript":
        monkeypatch.setattr(places_of, "_COMPARED", 20)  # the change stands far before the place
    grow(store, target, data[:half], [])
    (place,) = places(store)
    if what == "conversation":
        (path,) = store.conversations()
        path.write_bytes(path.read_bytes()[:-300])  # an older checkout
    elif what == "a word":
        (path,) = store.conversations()
        path.write_bytes(path.read_bytes().replace(b"every now", b"Every now"))
    elif what == "entries":
        (path,) = store.offloads()
        path.unlink()
    elif what == "transcript":
        copy = tmp_path / "other"
        copy.write_bytes(data[:half].replace(b"every now", b"every won"))
        copy.replace(target)
    elif what == "rewritten":
        with target.open("r+b") as stream:
            stream.write(data[:half].replace(b"every now", b"every won"))
    elif what == "settings":
        (store.home / "memctl.yaml").write_text("format: 1\ningest:\n  inline_bytes: 20\n")
    else:
        place.write_bytes(place.read_bytes()[:-100])

    shutil.copytree(store.home, tmp_path / "passed")
    grow(open_store(store.home), target, data, [])

    assert snapshot(store.root) == whole(tmp_path / "passed", target)
    assert (b"every won" in conversation(store)) == (what in ("transcript", "rewritten"))
    assert b"Every now" not in conversation(store)


def test_what_is_kept_holds_no_secret_and_goes_with_what_is_cleared(store: Store, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    lines = [
        line("user", "u1", f"use {secret} to push"),
        line(
            "assistant",
            "a1",
            [{"type": "text", "text": f"I use {secret}."}, call("t1", command=f"x {secret}")],
        ),
        line("user", "r1", [result("t1", f"pushed with {secret}\n" * 40)]),
        line("assistant", "a2", [{"type": "text", "text": f"Pushed with {secret}."}]),
    ]
    data = b"".join(json.dumps(one).encode() + b"\n" for one in lines)
    grow(store, tmp_path / "session.jsonl", data, [data.index(b"\n") + 1, data.rindex(b"\n", 0, -1) + 1])

    assert places(store)
    for path in (*places(store), *(one for one in store.home.rglob("*") if one.is_file())):
        assert secret.encode() not in path.read_bytes(), path
    memctl("-q", "-C", store.home, "clear", "--session", "s1", "--yes")
    assert not places(store)


WAITING: dict[str, list[dict[str, Any]]] = {
    "queued": [*SAID[:2], {"type": "queue-operation", "operation": "enqueue", "content": "use SECRET"}],
    "title": [*SAID[:2], {"type": "summary", "summary": "Push with SECRET", "leafUuid": "elsewhere"}],
    "of no session": [line("assistant", f"a{at}", "I use SECRET.", "") for at in range(3)],
}


@pytest.mark.parametrize("lines", WAITING.values(), ids=WAITING)
def test_what_waits_in_the_middle_of_a_transcript_keeps_no_secret(
    lines: list[dict[str, Any]], store: Store, tmp_path: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    data = b"".join(json.dumps(one).encode() + b"\n" for one in lines).replace(b"SECRET", secret.encode())

    grow(store, tmp_path / "session.jsonl", data, [])

    assert all(secret.encode() not in path.read_bytes() for path in places(store))


def test_what_has_to_be_wiped_is_left_to_a_pass(store: Store, samples: Path) -> None:
    (store.home / ".memctl" / "plan").write_text("{}")
    with files.locked(store.home, 1):
        assert not following.follow(store, str(samples / "claude_code.jsonl"))
        (store.home / ".memctl" / "plan").unlink()
        (store.home / "cleared.jsonl").write_text("")
        assert not following.follow(store, str(samples / "claude_code.jsonl"))
        (store.home / "cleared.jsonl").unlink()
        assert following.follow(store, str(samples / "claude_code.jsonl"))


def test_of_the_places_the_newest_are_kept_and_a_newer_memctl_takes_none(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places_of, "_MOST", 2)
    for at in range(4):
        said = [line("user", f"u{at}", "look", f"s{at}"), *work(1, "ls", "a.py", f"s{at}")]
        grow(store, tmp_path / f"{at}.jsonl", written(tmp_path / "data", said).read_bytes(), [])

    assert len(places(store)) == 2
    assert places_of.load(store, str(tmp_path / "3.jsonl"))
    monkeypatch.setattr(places_of, "__version__", "99")
    assert not places_of.load(store, str(tmp_path / "3.jsonl"))


def test_frozen_bytes_make_nothing_but_plain_values(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "made"),)

    class Foreign:
        def __reduce__(self) -> tuple[Any, ...]:
            return subprocess.Popen, (["mkdir", str(tmp_path / "made")],)

    class Function:
        def __reduce__(self) -> tuple[Any, ...]:
            return closing.close, ((),)

    with pytest.raises(frozen.NotFrozenError, match=r"closing\.close has no place here"):
        frozen.thawed(pickle.dumps(Function()), Closing)
    hostile = [pickle.dumps(made()) for made in (Hostile, Foreign)]
    for data in (*hostile, pickle.dumps(Closing), pickle.dumps(open), b"", b"\x80\x05."):
        with pytest.raises(frozen.NotFrozenError):
            frozen.thawed(data, Closing)
    assert not (tmp_path / "made").exists()
    assert frozen.thawed(frozen.frozen(Closing()), Closing).last == 0


FOLLOW = """
import sys
from pathlib import Path
from memctl import files
from memctl.passes.following import follow
from memctl.store import open_store
store = open_store(Path(sys.argv[1]))
with files.locked(store.home, 1):
    assert follow(store, sys.argv[2])
"""


def test_a_line_written_twice_is_known_for_that_by_the_next_process(store: Store, tmp_path: Path) -> None:
    """What a thread has said is kept between two processes, whatever their hashes are."""
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
    }
    lines = [
        line("user", "u1", [{"type": "text", "text": "look"}, picture, {"type": "odd", "of": 1}]),
        line("assistant", "a1", [{"type": "text", "text": "I look."}, call("1", command="ls")]),
        line("user", "u2", [result("1", "a.py")]),
    ]
    other = line("user", "u1", "look again")
    target = tmp_path / "session.jsonl"
    for seed, more in (("1", lines), ("2", [*lines, other])):
        with target.open("ab") as stream:
            stream.write(b"".join(json.dumps(one).encode() + b"\n" for one in more))
        command = [sys.executable, "-c", FOLLOW, str(store.home), str(target)]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        assert places(store)

    assert [one["role"] for one in messages(store.home)] == ["user", "assistant", "tool", "user"]
    assert snapshot(store.home) == whole(tmp_path / "whole", target)
