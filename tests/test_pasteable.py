"""What is printed can be pasted: commands lead to the same directory, and places name what stands there."""

import re
import shlex
from pathlib import Path

import pytest
from running import entries, memctl

from memctl.store import messages


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    home = tmp_path_factory.mktemp("pasteable") / "my memory"
    memctl("-q", "-C", home, "ingest", samples)
    return home


def _commands(text: str) -> list[list[str]]:
    """Give the commands that a text names: those that begin a column, and those in backquotes."""
    named = re.findall(r"(?m)(?:^ +|next +|more: |`)(memctl .+?)(?:`|  |$)", text)
    return [shlex.split(command)[1:] for command in named]


@pytest.mark.parametrize(
    "line",
    [
        "status",
        "drill 001-N4",
        "drill --up 001-N4",
        "session show 5e1f0c7a",
        "recall token --mode bm25",
        "task show 001",
    ],
)
def test_the_commands_that_an_answer_names_work_from_anywhere(home: Path, line: str) -> None:
    answer = memctl("-C", home, *line.split(), code=None)
    found = _commands(answer.out + answer.err)

    assert found or line.startswith(("drill --up", "task"))
    for command in found[:3]:
        memctl(*command)


def test_the_scope_is_part_of_a_command(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "--team", "red", "--user", "Ada L", "ingest", samples / "gemini.json")

    answer = memctl("-C", home, "--team", "red", "--user", "Ada L", "status")

    (command,) = _commands(answer.out)
    assert command[:6] == ["-C", str(home), "--team", "red", "--user", "Ada L"]
    memctl(*command)


def test_an_error_names_commands_that_can_be_pasted(home: Path) -> None:
    answer = memctl("-C", home, "drill", "x y z's", code=1)

    (command,) = _commands(answer.err)
    assert command == ["-C", str(home), "grep", "-F", "x y z's"]
    memctl(*command, code=1)


def test_without_an_option_a_command_stays_short(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)

    assert memctl("status").out.rstrip().endswith("next       memctl canvas show 5")


def test_a_path_names_what_stands_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.parent)
    files = sorted(path.relative_to(home.parent) for path in home.rglob("*") if path.is_file())
    kinds = {"mmds": "canvas", "refs": "ref", "conversations": "session"}
    tried = 0
    for path in files:
        kind = kinds.get(path.parts[1], "session" if path.name.startswith("offload-") else "")
        if kind:
            tried += 1
            for given in (path, home.parent / path, path.relative_to(home.name)):
                assert memctl("-C", home, "drill", given, "--format", "json").data["kind"] == kind
    assert tried > 20


def test_a_line_of_grep_names_its_call(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    for line in memctl("grep", ".").out.splitlines()[:10]:
        place, number, _ = line.split(":", 2)
        entry = next(one for one in entries(home) if line.split(" ", 2)[1] in (one["node_id"], "-"))

        shown = memctl("drill", f"{place}:{number}", "--format", "json").data

        assert shown["kind"] == "call"
        assert entry["node_id"] in str(shown)


def test_a_line_of_a_conversation_names_its_message(home: Path) -> None:
    path = min((home / "conversations").glob("*.jsonl"))
    for stored in list(messages.conversation(path))[:5]:
        shown = memctl("-C", home, "drill", f"{path}:{stored.number}", "--format", "json").data
        assert (shown["kind"], stored.id in str(shown)) == ("message", True)


@pytest.mark.parametrize(
    "given", ["/etc/hostname", "../outside.txt", "memctl.yaml:3", "mmds", "x\0y", "a" * 5000]
)
def test_other_places_name_nothing(home: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    (home.parent / "outside.txt").write_text("x", "utf-8")
    monkeypatch.chdir(home)

    memctl("drill", given, code=1)


def test_a_number_is_a_canvas_where_messages_are_numbered_too(tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    turn = '{"id":"%d","role":"%s","content":"%s"}\n'
    chat.write_text(
        "".join(turn % (n, ("assistant", "user")[n % 2], f"word {n}") for n in range(1, 5)), "utf-8"
    )
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", chat, Path(__file__).parents[1] / "sample_sessions" / "gemini.json")

    assert memctl("-C", home, "drill", "1", "--format", "json").data["kind"] == "canvas"


@pytest.mark.parametrize("words", [["memctl-json"], ["memctl-json(5)"], ["json"], ["memctl", "json"]])
def test_a_page_is_found_by_the_name_that_pages_use(words: list[str]) -> None:
    assert "memctl-json" in memctl("help", *words).out


def test_a_missing_page_is_answered_with_those_there_are() -> None:
    assert "directory, engines, formats, json" in memctl("help", "nothing", code=1).err


def test_quiet_passes_say_nothing(tmp_path: Path, samples: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples / "gemini.json")
    for command in (["ingest", samples / "codex.jsonl"], ["extract"], ["compact"]):
        answer = memctl("-q", "-C", home, *command)
        assert (answer.out, answer.err) == ("", "")


def test_what_was_passed_over_is_counted_the_first_time_as_the_second(tmp_path: Path, samples: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "a.json").write_bytes((samples / "gemini.json").read_bytes())
    (folder / "b.jsonl").write_text('{"type":"session_meta","payload":{"id":"x"}}\n', "utf-8")
    (folder / "notes.json").write_text("[1]", "utf-8")

    for _ in range(2):
        assert "2 files skipped" in memctl("-C", tmp_path / "memory", "ingest", folder).out


def test_level_0_is_a_line_for_people_and_an_object_for_programs(home: Path) -> None:
    line = memctl("-C", home, "canvas", "show", "1", "--level", "0").out
    assert line == next(
        one for one in memctl("-C", home, "canvas", "list").out.splitlines(True) if one[:3] == "001"
    )
    assert (
        memctl("-C", home, "canvas", "show", "1", "--level", "0", "--format", "json").data["nodeCount"] == 11
    )
