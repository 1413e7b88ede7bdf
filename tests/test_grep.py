"""`memctl grep` behaves as grep does, over entries."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from running import PROGRAM, entries, memctl

from memctl.ask.grep import Query, search, text_of
from memctl.store import open_store


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    """Give a directory with all samples."""
    home = tmp_path_factory.mktemp("grep") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    return home


def lines(home: Path, *arguments: str, code: int = 0) -> list[str]:
    return memctl("-C", home, "grep", *arguments, code=code).out.splitlines()


def test_every_line_names_its_file_and_line(home: Path) -> None:
    found = lines(home, ".")
    assert len(found) == len(entries(home))
    for line in found:
        path, number, _ = line.split(":", 2)
        stored = json.loads(Path(path).read_text(encoding="utf-8").split("\n")[int(number) - 1])
        assert stored["summary"] in line


def test_a_node_id_finds_its_calls(home: Path) -> None:
    by_pattern, by_option = lines(home, "001-N1 "), lines(home, "--node", "001-N1")

    assert by_option == by_pattern
    assert by_option


def test_options_are_those_of_grep(home: Path) -> None:
    everything = len(entries(home))
    assert int(lines(home, "-c", ".")[0]) == everything
    assert int(lines(home, "-c", "pytest")[0]) + int(lines(home, "-c", "-v", "pytest")[0]) == everything
    assert lines(home, "PYTEST", code=1) == []
    assert lines(home, "-i", "PYTEST") == lines(home, "pytest")
    assert len(lines(home, "-m", "2", ".")) == 2
    assert lines(home, "-F", "is_expired|", code=0)
    assert len(lines(home, "-F", "(", "-c")) == 1


def test_fields_narrow(home: Path) -> None:
    failed = [entry for entry in entries(home) if entry["status"] == "error"]
    assert len(lines(home, "--status", "error")) == len(failed)
    assert len(lines(home, "--status", "error,missing")) > len(failed)
    assert all(" error " in line for line in lines(home, "--kind", "test", "--status", "error"))
    assert lines(home, "--tool", "bash") == lines(home, "--tool", "Bash")
    assert len(lines(home, "--score", ">=0")) == len(entries(home))
    assert len(lines(home, "--since", "2026-03-03", "--kind", "test")) < len(lines(home, "--kind", "test"))
    assert lines(home, "--session", "5e1f") == lines(
        home, "--session", "5e1f0c7a-93d2-4b68-8c41-2f7d90ab6e13"
    )


def test_json_jsonl_and_fields_say_the_same(home: Path) -> None:
    listed = memctl("-C", home, "grep", "pytest", "--format", "json").data
    records = [json.loads(line) for line in lines(home, "pytest", "--format", "jsonl")]
    fields = [line.split("\t") for line in lines(home, "pytest", "--print", "node_id,status")]

    assert listed == records
    assert [[row["node_id"], row["status"]] for row in listed] == fields


def test_nul_ends_fields(home: Path) -> None:
    printed = memctl("-C", home, "grep", "pytest", "--print", "tool_call_id", "-z").out

    assert printed.endswith("\0")
    assert "\n" not in printed


def test_nodes_pipe_into_drill(home: Path) -> None:
    nodes = memctl("-C", home, "grep", "NameError", "--print", "node_id").out

    assert "NameError" in memctl("-C", home, "drill", "-", stdin=nodes).out


@given(data=st.data(), invert=st.booleans())
def test_the_shortcut_over_bytes_finds_what_a_plain_search_finds(
    home: Path, data: st.DataObject, invert: bool
) -> None:
    store = open_store(home)
    texts = {found.entry.tool_call_id: text_of(found.entry) for found in search(store, Query())}
    text = data.draw(st.sampled_from(sorted(texts.values())))
    start = data.draw(st.integers(0, len(text) - 1))
    needle = text[start : start + data.draw(st.integers(1, 12))]

    found = [found.entry.tool_call_id for found in search(store, Query(needle, fixed=True, invert=invert))]

    assert [key for key, whole in texts.items() if (needle in whole) != invert] == found


def test_head_ends_it_quietly(home: Path) -> None:
    command = " ".join(f"'{word}'" for word in [*PROGRAM, "-C", str(home), "grep", "."])

    done = subprocess.run(["bash", "-c", f"{command} | head -1"], capture_output=True, check=True)

    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


def test_several_numbers_show_several_canvases(home: Path) -> None:
    numbers = memctl("-C", home, "canvas", "list", "--print", "number").out.split()[:2]
    both = memctl("-C", home, "canvas", "show", *numbers).out
    each = [memctl("-C", home, "canvas", "show", number).out for number in numbers]
    assert both == "\n".join(each)
    assert len(memctl("-C", home, "canvas", "show", *numbers, "--format", "jsonl").out.splitlines()) == 2
    memctl("-C", home, "canvas", "show", *numbers, "--format", "json", code=2)
    memctl("-C", home, "canvas", "show", numbers[0], "99999", code=1)
