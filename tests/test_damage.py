"""A damaged or hostile directory: nothing outside it is touched, nothing ends in a traceback, good lines stay."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running import PROGRAM, entries, memctl, messages, snapshot

from memctl.engine.ledger import Ledger, usage
from memctl.store import open_store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give a directory with one session."""
    memctl("-q", "-C", tmp_path / "memory", "ingest", chat(tmp_path / "one.json", "one"))
    return tmp_path / "memory"


def chat(path: Path, name: str) -> Path:
    call = {
        "id": f"c-{name}",
        "type": "function",
        "function": {"name": "bash", "arguments": '{"command": "ls"}'},
    }
    listed: list[dict[str, Any]] = [
        {"role": "user", "content": f"list {name}"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c-{name}", "content": "x" * 600},
    ]
    path.write_text(json.dumps(listed))
    return path


def again(home: Path, code: int | None = 0) -> str:
    """Ingest everything once more, forgetting what was seen."""
    (home / ".memctl" / "cursors.json").unlink(missing_ok=True)
    found = memctl(
        "-C", home, "ingest", home.parent / "one.json", chat(home.parent / "two.json", "two"), code=code
    )
    assert found.code != 70
    return found.err


@pytest.mark.parametrize("name", [".memctl", "conversations", "tasks", "mmds", "refs", ".memctl/lock.owner"])
def test_a_link_in_the_directory_is_refused_and_what_it_names_is_untouched(home: Path, name: str) -> None:
    outside = home.parent / "outside"
    if name == ".memctl/lock.owner":
        outside.write_text("precious")
    else:
        (outside / "tmp").mkdir(parents=True)
        (outside / "tmp" / "precious").write_text("precious")
        subprocess.run(["rm", "-rf", str(home / name)], check=True)
    (home / name).symlink_to(outside)
    before = snapshot(outside) if outside.is_dir() else {"": outside.read_bytes()}

    found = memctl("-C", home, "ingest", chat(home.parent / "two.json", "two"), code=12)

    assert "link" in found.err
    assert before == (snapshot(outside) if outside.is_dir() else {"": outside.read_bytes()})


@pytest.mark.parametrize("name", ["tasks/task-e.yaml", "refs/2026-01/a.png", "mmds/009-x.mmd"])
def test_nothing_is_read_through_a_link(home: Path, name: str) -> None:
    secret = home.parent / "secret"
    secret.write_text("root:x:0:0")
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).symlink_to(secret)
    for arguments in (
        ["drill", Path(name).stem],
        ["drill", "--raw", Path(name).name],
        ["canvas", "show", "9"],
    ):
        found = memctl("-C", home, *arguments, code=None)
        assert "root:" not in found.out
        assert found.code in (0, 1, 2, 3, 12)
    memctl("-C", home, "drill", "001-N1")


SPOILED_MESSAGES = [
    b'{"id":"a","sessionId":"s","seq":1,"role":"us',
    b'garbage,"seq":9,"role":"user"}',
    b'{"id":"b","sessionId":"s","seq":' + b"9" * 5000 + b',"role":"user","content":"x"}',
    b'{"id":"d","sessionId":"s","seq":3,"role":"user","content":5}',
    b'{"id":"e","sessionId":"s","seq":3,"role":"user","content":"x","mark":[["a","b","c"],[1,2,3],["x",0.5,2]]}',
    b'{"id":"f","sessionId":"s","seq":3,"role":"user","content":"x","timestamp":["x"],"parts":5}',
    b'{"id":"g","sessionId":"s","seq":0,"role":"session","lines":{"progress":"x"}}',
    b"[" * 100_000,
    b"null",
]


@pytest.mark.parametrize("line", SPOILED_MESSAGES, ids=range(len(SPOILED_MESSAGES)))
def test_a_spoiled_message_line_stops_nothing_and_is_kept_aside_or_in_place(home: Path, line: bytes) -> None:
    (path,) = (home / "conversations").iterdir()
    path.write_bytes(path.read_bytes() + line)

    again(home)

    assert len(list((home / "conversations").iterdir())) == 2
    kept = b"".join(found.read_bytes() for found in home.rglob("*") if found.is_file())
    assert line[:40] in kept or line.startswith((b'{"id":"g"', b'{"id":"f"', b'{"id":"e"', b'{"id":"d"'))
    memctl("-C", home, "session", "list")
    memctl("-C", home, "status")
    listed = memctl("-C", home, "session", "list", "--print", "id").out.split("\n")[:-1]
    told = "".join(memctl("-C", home, "session", "export", session).out for session in listed)
    assert ("list one" in told, "list two" in told, told.count("x" * 600)) == (True, True, 2)


@pytest.mark.parametrize("mmd", ["zzz", "-1", "²", "../../x", "²-x.mmd", "a\0b", "1/../../x.mmd"])
def test_an_entry_with_an_odd_canvas_is_placed_anew(home: Path, mmd: str) -> None:
    (path,) = home.glob("offload-*.jsonl")
    entry = json.loads(path.read_text())
    path.write_text(json.dumps(entry | {"mmd": mmd}) + "\n")

    again(home)

    assert all(found["mmd"].endswith(".mmd") for found in entries(home))
    assert not (home.parent / "x.mmd").exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"result_ref": "../../etc/passwd"}, 12),
        ({"result_ref": "/etc/passwd"}, 12),
        ({"result_ref": "x" * 5000}, 3),
        ({"result_ref": 5, "seq": "x", "summary": None, "score": [], "status": "great"}, 3),
        ({"node_id": "\x1b[31m", "tool": {}, "upto": -1}, 0),
    ],
    ids=range(5),
)
def test_an_entry_of_wrong_types_ends_in_no_traceback(home: Path, change: dict[str, Any], code: int) -> None:
    (path,) = home.glob("offload-*.jsonl")
    path.write_text(json.dumps(json.loads(path.read_text()) | change) + "\n")
    for arguments in (
        ["status"],
        ["grep", "."],
        ["drill", "--raw", "c-one"],
        ["drill", "001-N1"],
        ["canvas", "list"],
    ):
        found = memctl("-C", home, *arguments, code=None)
        assert found.code in (0, 1, 2, 3, 12), found.err
        assert "root:" not in found.out
    exported = memctl("-C", home, "session", "export", entries(home)[0]["session_id"], code=code)
    assert ("x" * 600 in exported.out) == (code == 0), "a list without its result is no answer"
    assert "root:" not in exported.out


def test_a_damaged_conversation_keeps_nothing_from_being_purged(tmp_path: Path) -> None:
    home, source = tmp_path / "memory", tmp_path / "chat.json"
    source.write_text(json.dumps([{"role": "user", "content": "I always prefer pytest over unittest."}]))
    memctl("-q", "-C", home, "ingest", source)
    memctl("-q", "-C", home, "extract")
    (path,) = (home / "conversations").iterdir()
    with path.open("a") as stream:
        stream.write('5\n"x"\n[1]\n{"id":["x"],"seq":"a"}\n{"id":"x","seq":"a"}\ntorn{\n')
    (atom,) = memctl("-C", home, "atom", "list", "--print", "id").out.split()

    memctl("-C", home, "atom", "forget", atom, "--purge")

    assert "unittest" not in path.read_text()
    assert path.read_text().endswith("torn{\n")


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "[]",
        '{"models":[]}',
        '{"models":{"m":5}}',
        '{"models":{"m":{"taken":"x","tokens_in":{}}},"asked":[[1]]}',
    ],
)
def test_a_damaged_ledger_is_no_bug(home: Path, text: str) -> None:
    (home / ".memctl" / "engine.json").write_text(text)

    memctl("-C", home, "status")
    ledger = Ledger(open_store(home))
    ledger.save("m", {"taken": 1})
    assert usage(open_store(home))["models"] == {"m": {"taken": 1}}


def test_a_flipped_byte_in_a_ref_is_said_with_its_path(home: Path) -> None:
    (ref,) = (home / "refs").rglob("*.md")
    data = bytearray(ref.read_bytes())
    data[-1] ^= 1
    ref.write_bytes(data)

    found = memctl("-C", home, "drill", "--raw", "c-one", code=12)

    assert ref.name in found.err
    ref.write_text("# Tool Result: x\n\n- bytes: " + "9" * 5000 + "\n\n---\n\nx")
    assert memctl("-C", home, "drill", "--raw", "c-one", code=None).code in (0, 12)


@pytest.mark.parametrize(
    "text",
    [
        'format: !!int ""',
        'format: !!float ""',
        "format: !!bool x",
        "- a",
        "\x00",
        "ingest: 5",
        "format: true",
        "a: &a [*a]",
    ],
    ids=range(8),
)
def test_odd_settings_are_12(home: Path, text: str) -> None:
    (home / "memctl.yaml").write_text(text + "\n")

    assert memctl("-C", home, "status", code=None).code in (0, 12)


@pytest.mark.parametrize(
    "number", ["0x" + "F" * 6000, "9" * 6000, "-0b" + "1" * 60_000, "[0o" + "7" * 9000 + "]"]
)
def test_a_number_that_cannot_be_written_is_12_with_its_line(home: Path, number: str) -> None:
    for text, line in ((f"format: {number}\n", 1), (f"format: 1\nscope:\n  team: {number}\n", 3)):
        (home / "memctl.yaml").write_text(text)

        found = memctl("-C", home, "status", code=12)

        assert f"memctl.yaml:{line}: not valid YAML: a number of" in found.err
        assert len(found.err) < 500


def test_a_yaml_bomb_fits_in_one_line_of_error(home: Path) -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{one}: &{one} [{', '.join([f'*{other}'] * 9)}]"
        for other, one in zip("abcdefg", "bcdefgh", strict=True)
    ]
    (home / "memctl.yaml").write_text("\n".join([*lines, "ingest: *h", ""]))

    assert len(memctl("-C", home, "status", code=12).err) < 500


@pytest.mark.parametrize("first", ["", " >/dev/full", " >&-"])
def test_an_answer_that_cannot_be_written_is_no_bug(home: Path, first: str) -> None:
    command = " ".join(f"'{word}'" for word in [*PROGRAM, "-C", str(home), "status"])

    done = subprocess.run(["bash", "-c", command + first], capture_output=True, check=False)

    assert done.returncode in ((3,) if first in (" >/dev/full", " >&-") else (0,)), done.stderr


def test_a_folder_that_is_gone_is_no_bug(home: Path) -> None:
    gone = home.parent / "gone"
    gone.mkdir()
    command = " ".join(f"'{word}'" for word in [*PROGRAM, "status"])
    script = f"cd '{gone}' && rmdir '{gone}' && {command}"

    done = subprocess.run(["bash", "-c", script], capture_output=True, check=False)

    assert done.returncode in (3, 10)
    assert b"Traceback" not in done.stderr


def test_ids_that_begin_like_a_kind_or_hide_characters_resolve(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    for number, session in enumerate(["session:abc", "node:001-N1", "a\u200bb", "\u202eabc", "a\x1b[31mb"]):
        source = tmp_path / f"{number}.json"
        source.write_text(
            json.dumps(
                {
                    "session_id": session,
                    "messages": json.loads(chat(tmp_path / "x.json", str(number)).read_text()),
                }
            )
        )
        memctl("-q", "-C", home, "ingest", source)
    printed = memctl("-C", home, "session", "list", "--print", "id").out.split("\n")[:-1]
    for given in printed:
        assert memctl("-C", home, "drill", "--", f"session:{given}", code=None).code == 0, given


def test_a_kind_before_an_id_that_hides_characters_names_one_thing(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    call = {"id": "a\u200bb", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    listed = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a\u200bb", "content": "x"},
    ]
    source = tmp_path / "chat.json"
    source.write_text(json.dumps({"session_id": "a\u200bb", "messages": listed}))
    memctl("-q", "-C", home, "ingest", source)

    for kind in ("session", "call"):
        (line,) = memctl("-C", home, "drill", f"{kind}:ab", "--format", "jsonl").out.split("\n")[:-1]
        assert json.loads(line)["kind"] == kind
    assert (
        "session:ab"
        in memctl("-C", home, "drill", "ab", code=2).err + memctl("-C", home, "drill", "ab", code=2).out
    )


def test_a_huge_number_as_a_time_is_no_time(tmp_path: Path) -> None:
    source = tmp_path / "chat.json"
    source.write_text('[{"role": "user", "content": "x", "timestamp": 1' + "0" * 400 + "}]")

    memctl("-C", tmp_path / "memory", "ingest", source)

    (stored,) = messages(tmp_path / "memory")
    assert (stored["content"], stored["timestamp"]) == ("x", None)


def test_numbers_named_by_entries_are_not_given_again(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "1.json", "1"), chat(tmp_path / "2.json", "2"))
    next(iter((home / "mmds").glob("002-*"))).unlink()
    memctl("-q", "-C", home, "ingest", chat(tmp_path / "3.json", "3"))

    names = sorted(path.name[:3] for path in (home / "mmds").iterdir())

    assert names == ["001", "002", "003"]
    for entry in entries(home):
        memctl("-C", home, "drill", entry["node_id"])


def test_results_before_their_calls_may_be_cut_between(tmp_path: Path) -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "found"}
    call = {"type": "tool_use", "id": "t1", "name": "Glob", "input": {"pattern": "*.py"}}
    lines = [
        {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "go"}},
        {"type": "user", "uuid": "u2", "sessionId": "s", "message": {"role": "user", "content": [result]}},
        {
            "type": "assistant",
            "uuid": "a1",
            "sessionId": "s",
            "message": {"id": "m1", "content": "Found it."},
        },
        {"type": "user", "uuid": "u3", "sessionId": "s", "message": {"role": "user", "content": "and then?"}},
        {"type": "assistant", "uuid": "a2", "sessionId": "s", "message": {"id": "m2", "content": [call]}},
    ]
    source = tmp_path / "odd.jsonl"
    for count in range(1, 6):
        source.write_text("".join(json.dumps(line) + "\n" for line in lines[:count]))
        memctl("-q", "-C", tmp_path / "steps", "ingest", source)
    memctl("-q", "-C", tmp_path / "once", "ingest", source)

    assert snapshot(tmp_path / "once") == snapshot(tmp_path / "steps")
    assert "Glob" in entries(tmp_path / "once")[0]["tool_call"]
