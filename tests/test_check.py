"""`memctl check` names each planted damage with its file and line, and finds nothing where nothing is wrong."""

import base64
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from running import entries, memctl, snapshot

from memctl.check.codes import RULES
from memctl.text.redaction import redact


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    """Give a healthy directory, ingested and extracted; tests work on copies of it."""
    home = tmp_path_factory.mktemp("check") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    return home


@pytest.fixture
def home(whole: Path, tmp_path: Path) -> Path:
    """Give a copy of the healthy directory."""
    return Path(shutil.copytree(whole, tmp_path / "memory", symlinks=True))


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def write(path: Path, rows: list[bytes]) -> None:
    path.write_bytes(b"".join(row + b"\n" for row in rows))


def first(home: Path, pattern: str) -> Path:
    return min(home.glob(pattern))


def row_of_ref(home: Path) -> tuple[Path, int, str]:
    """Give the file, line and ref of the first entry that has a ref."""
    for path in sorted(home.glob("offload-*.jsonl")):
        for number, line in enumerate(lines(path), 1):
            if ref := json.loads(line)["result_ref"]:
                return path, number, ref
    raise AssertionError("no entry has a ref")


Planted = tuple[str, Path, int]  # code, file, line


# --------------------------------------------------------------------------- damages


def flipped_byte_in_a_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    return "CHK302", path, bytes(data).partition(b"\n---\n\n")[0].count(b"\n") + 4


def cut_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    return "CHK303", path, data.partition(b"\n---\n\n")[0].count(b"\n") + 4


def dropped_ref(home: Path) -> Planted:
    path, number, ref = row_of_ref(home)
    (home / ref).unlink()
    return "CHK301", path, number


def changed_result_in_an_entry(home: Path) -> Planted:
    for path in sorted(home.glob("offload-*.jsonl")):
        rows = lines(path)
        for at, line in enumerate(rows):
            fields = json.loads(line)
            if fields.get("result"):
                rows[at] = json.dumps({**fields, "result": fields["result"] + "!"}).encode()
                write(path, rows)
                return "CHK307", path, at + 1
    raise AssertionError("no entry keeps its result")


def cut_line_of_an_entry(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    rows[1] = rows[1][:-20]
    write(path, rows)
    return "CHK201", path, 2


def cut_line_of_a_message(home: Path) -> Planted:
    path = first(home, "conversations/*.jsonl")
    rows = lines(path)
    rows[-1] = rows[-1][: len(rows[-1]) // 2]
    path.write_bytes(b"\n".join(rows))
    return "CHK201", path, len(rows)


def cut_line_of_an_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    write(path, [*rows, b"no JSON"])
    return "CHK201", path, len(rows) + 1


def duplicate_call(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[0]])
    return "CHK202", path, len(rows) + 1


def duplicate_message(home: Path) -> Planted:
    path = first(home, "conversations/*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[2]])
    return "CHK202", path, len(rows) + 1


def duplicate_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    write(path, [*rows, rows[0]])
    return "CHK202", path, len(rows) + 1


def duplicate_node(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    write(path, [*rows[:4], rows[2], *rows[4:]])
    return "CHK404", path, 5


def duplicate_task(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    copy = path.with_name("zz-copy.yaml")
    shutil.copy(path, copy)
    return "CHK202", copy, next(at for at, line in enumerate(lines(copy), 1) if line.startswith(b"task_id"))


def node_without_entry(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    extra = b'001-N99["guess<br/>status: done<br/>summary: nobody did this"]'
    write(path, [*rows[:3], extra, *rows[3:]])
    return "CHK403", path, 4


def entry_to_a_missing_node(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[1])
    fields["node_id"] = fields["node_id"].partition("-")[0] + "-N77"
    rows[1] = json.dumps(fields).encode()
    write(path, rows)
    return "CHK501", path, 2


def dropped_canvas(home: Path) -> Planted:
    path, number, _ = row_of_ref(home)
    (home / "mmds" / json.loads(lines(path)[number - 1])["mmd"]).unlink()
    return "CHK502", path, number


def dropped_entry(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    call = json.loads(rows.pop(0))["tool_call_id"]
    write(path, rows)
    talk = home / "conversations" / path.name.removeprefix("offload-")
    return "CHK504", talk, next(at for at, line in enumerate(lines(talk), 1) if call.encode() in line)


def dropped_conversation(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    (home / "conversations" / path.name.removeprefix("offload-")).unlink()
    return "CHK505", path, 1


def edge_to_nowhere(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    write(path, [*rows, b"001-N1 --> 001-N88"])
    return "CHK405", path, len(rows) + 1


def orphan_evidence_of_an_atom(home: Path) -> Planted:
    path = first(home, "records/*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[0])
    fields["source_message_ids"] = ["nobody-said-this"]
    rows[0] = json.dumps(fields).encode()
    write(path, rows)
    return "CHK601", path, 1


def orphan_evidence_of_a_statement(home: Path) -> Planted:
    path = home / "persona.md"
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if b"<!-- m_" in row)
    rows[at] = re.sub(rb"m_[0-9a-f]{12}", b"m_000000000000", rows[at])
    write(path, rows)
    return "CHK602", path, at + 1


def orphan_evidence_of_a_scene(home: Path) -> Planted:
    path = first(home, "scene_blocks/*.md")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if b"<!-- canvas:" in row or b"<!-- m_" in row)
    rows[at] = re.sub(rb"canvas:[^ ]+|m_[0-9a-f]{12}", b"canvas:099-nowhere", rows[at])
    write(path, rows)
    return "CHK602", path, at + 1


def canvas_that_mermaid_rejects(home: Path) -> Planted:
    path = first(home, "mmds/*.mmd")
    rows = lines(path)
    rows[2] = b"001-N1[read (this] or that]"
    write(path, rows)
    return "CHK401", path, 3


def clashing_numbers(home: Path) -> Planted:
    path = sorted((home / "mmds").iterdir())[1]
    clash = path.with_name("001-" + path.name.partition("-")[2])
    path.rename(clash)
    return "CHK407", max(home.glob("mmds/001-*"), key=lambda one: one.name), 1


def future_format(home: Path) -> Planted:
    path = home / "memctl.yaml"
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"format:"))
    rows[at] = b"format: 99"
    write(path, rows)
    return "CHK101", path, at + 1


def settings_that_are_no_yaml(home: Path) -> Planted:
    path = home / "memctl.yaml"
    rows = lines(path)
    write(path, [*rows, b"more: less: no"])
    return "CHK101", path, len(rows) + 1


def unsafe_ref(home: Path) -> Planted:
    path, number, ref = row_of_ref(home)
    rows = lines(path)
    rows[number - 1] = rows[number - 1].replace(ref.encode(), b"../../etc/passwd")
    write(path, rows)
    return "CHK103", path, number


def unsafe_canvas(home: Path) -> Planted:
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[0])
    rows[0] = json.dumps({**fields, "mmd": "../" + fields["mmd"]}).encode()
    write(path, rows)
    return "CHK103", path, 1


def unsafe_canvas_of_a_task(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"canvases"))
    rows[at] = b'canvases: ["/etc/passwd"]'
    write(path, rows)
    return "CHK103", path, at + 1


def task_of_a_missing_canvas(home: Path) -> Planted:
    path = first(home, "tasks/*.yaml")
    rows = lines(path)
    at = next(number for number, row in enumerate(rows) if row.startswith(b"canvases"))
    rows[at] = b'canvases: ["099-nowhere.mmd"]'
    write(path, rows)
    return "CHK702", path, at + 1


def link(home: Path) -> Planted:
    path = home / "scene_blocks" / "linked.md"
    path.symlink_to("/etc/passwd")
    return "CHK102", path, 1


def linked_ref(home: Path) -> Planted:
    path = home / row_of_ref(home)[2]
    path.unlink()
    path.symlink_to("/etc/passwd")
    return "CHK102", path, 1


def linked_folder(home: Path) -> Planted:
    (home / "mmds").rename(home.parent / "elsewhere")
    (home / "mmds").symlink_to(home.parent / "elsewhere")
    return "CHK102", home / "mmds", 1


DAMAGES = [
    *(flipped_byte_in_a_ref, cut_ref, dropped_ref, changed_result_in_an_entry),
    *(cut_line_of_an_entry, cut_line_of_a_message, cut_line_of_an_atom),
    *(duplicate_call, duplicate_message, duplicate_atom, duplicate_node, duplicate_task),
    *(node_without_entry, entry_to_a_missing_node, dropped_canvas, dropped_entry, dropped_conversation),
    *(edge_to_nowhere, canvas_that_mermaid_rejects, clashing_numbers),
    *(orphan_evidence_of_an_atom, orphan_evidence_of_a_statement, orphan_evidence_of_a_scene),
    *(unsafe_ref, unsafe_canvas, unsafe_canvas_of_a_task, task_of_a_missing_canvas),
    *(link, linked_ref, linked_folder, future_format, settings_that_are_no_yaml),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_a_planted_damage_is_named_with_its_file_and_line(
    home: Path, damage: Callable[[Path], Planted]
) -> None:
    code, path, line = damage(home)
    before = snapshot(home)

    found = memctl("-C", home, "check", code=1)

    where = f"{os.path.relpath(path)}:{line}:"
    hits = [row for row in found.out.split("\n") if row.startswith(where) and f" {code} " in row]
    assert hits, f"{where} {code} is not in\n{found.out}"
    assert snapshot(home) == before  # it only reads


MARKED = {
    "conversations": "conversations/*.jsonl",
    "entries": "offload-*.jsonl",
    "records": "records/*.jsonl",
    "canvas": "mmds/*.mmd",
    "task": "tasks/*.yaml",
    "scene": "scene_blocks/*.md",
    "persona": "persona.md",
    "settings": "memctl.yaml",
    "attributes": ".gitattributes",
}


@pytest.mark.parametrize("pattern", MARKED.values(), ids=MARKED)
def test_a_conflict_marker_is_named_in_each_type_of_file(home: Path, pattern: str) -> None:
    path = first(home, pattern)
    rows = lines(path)
    both = [b"<<<<<<< HEAD", rows[-1], b"=======", rows[-1], b">>>>>>> theirs"]
    write(path, [*rows[:-1], *both])

    found = memctl("-C", home, "check", code=1)

    assert f"{os.path.relpath(path)}:{len(rows)}:1: CHK104 " in found.out


def test_a_healthy_directory_has_no_finding(home: Path) -> None:
    assert memctl("-C", home, "check", "--strict", "--secrets", "--verbose").out == ""


def test_what_a_person_adds_is_no_damage(home: Path) -> None:
    (home / "scene_blocks" / "run").mkdir()
    (home / "scene_blocks" / "run" / "book.md").write_text(
        "# Runbook\n\nA heading\n=======\n\n<!-- m_x -->\n"
    )
    with (home / "persona.md").open("a") as stream:
        stream.write("\nI write here myself.\n")
    (home / "notes.txt").write_text("<<<<<<< not one of memctl's files\n")

    assert memctl("-C", home, "check", "--strict").out == ""


def test_real_transcripts_make_a_healthy_directory(shared: Path, tmp_path: Path) -> None:
    smallest = sorted(
        (path for path in shared.rglob("*") if path.is_file()), key=lambda one: one.stat().st_size
    )
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", *smallest[:60], code=None)
    memctl("-q", "-C", home, "extract")

    assert memctl("-C", home, "check", "--strict").out == ""


def test_an_empty_directory_is_healthy(tmp_path: Path) -> None:
    memctl("-q", "-C", tmp_path / "memory", "init")

    assert memctl("-C", tmp_path / "memory", "check", "--strict").out == ""


def test_every_scope_is_checked(home: Path) -> None:
    folder = home / "scopes" / "team" / "agent" / "user"
    folder.mkdir(parents=True)
    (folder / "offload-x.jsonl").write_text('{"torn\n')

    assert "scopes/team/agent/user/offload-x.jsonl:1:1: CHK201" in memctl("-C", home, "check", code=1).out


# --------------------------------------------------------------------------- which findings


def test_rules_are_chosen_by_code_family_and_name(home: Path) -> None:
    flipped_byte_in_a_ref(home)
    edge_to_nowhere(home)

    def codes(*options: str, code: int = 1) -> set[str]:
        data = memctl("-C", home, "check", "--format", "json", *options, code=code).data
        return {problem["code"] for problem in data}

    assert codes("--rule", "CHK302") == codes("--rule", "ref-changed") == {"CHK302"}
    assert codes("--rule", "CHK3,CHK4") >= {"CHK302", "CHK405"}
    assert "CHK302" not in codes("--ignore", "CHK3xx")
    assert codes("--rule", "CHK1", code=0) == set()
    memctl("-C", home, "check", "--rule", "CHK999", code=2)


def test_warnings_exit_0_unless_strict(home: Path) -> None:
    path = first(home, "offload-*.jsonl")
    path.write_bytes(path.read_bytes()[:-1])

    assert "CHK205 warning:" in memctl("-C", home, "check").out
    memctl("-C", home, "check", "--strict", code=1)


def test_a_ref_that_nothing_points_to_is_a_note_on_request(home: Path) -> None:
    path = home / row_of_ref(home)[2]
    shutil.copy(path, path.with_name("copy.md"))

    found = memctl("-C", home, "check", "--strict")
    assert found.out == ""
    assert "1 note (--verbose shows them)" in found.err
    assert "copy.md:1:1: CHK304 note:" in memctl("-C", home, "check", "--verbose").out


def test_a_picture_is_compared_with_the_hash_in_its_name_and_missed(tmp_path: Path) -> None:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\nno more of it").decode()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    said = [
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, image]},
        {"role": "assistant", "content": "A picture."},
    ]
    source, home = tmp_path / "said.json", tmp_path / "memory"
    source.write_text(json.dumps(said))
    memctl("-q", "-C", home, "ingest", source)
    memctl("-C", home, "check", "--strict")
    [path] = home.rglob("*.png")

    path.write_bytes(path.read_bytes().replace(b"more", b"less"))
    assert f"{os.path.relpath(path)}:1:1: CHK302" in memctl("-C", home, "check", code=1).out

    path.unlink()
    [talk] = (home / "conversations").iterdir()
    assert f"{os.path.relpath(talk)}:2:1: CHK301" in memctl("-C", home, "check", code=1).out


def test_secrets_are_named_and_not_shown(home: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    assert redact(secret)[1]
    path = home / "scene_blocks" / "mine.md"
    path.write_text(f"# Mine\n\ntoken {secret}\n")

    memctl("-C", home, "check")
    found = memctl("-C", home, "check", "--secrets", code=1)

    assert f"{os.path.relpath(path)}:3:1: CHK801" in found.out
    assert secret not in found.out + found.err


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
def test_changed_looks_at_what_differs_from_a_commit(home: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=home, check=True, capture_output=True)

    edge_to_nowhere(home)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "base")
    assert memctl("-C", home, "check", "--changed", "HEAD").out == ""

    ref = flipped_byte_in_a_ref(home)[1]
    found = memctl("-C", home, "check", "--changed", "HEAD", code=1)
    assert [row.partition(":")[0] for row in found.out.split("\n") if row] == [os.path.relpath(ref)]

    ref.unlink()  # the broken link is in a file that did not change
    assert "CHK301" in memctl("-C", home, "check", "--changed", "HEAD", code=1).out
    memctl("-C", home, "check", "--changed", "nowhere", code=2)
    memctl("-C", home, "check", "--changed", "--output=x", code=2)


# --------------------------------------------------------------------------- formats


def test_json_is_one_document_and_jsonl_a_line_a_finding(home: Path) -> None:
    _, path, line = flipped_byte_in_a_ref(home)

    document = json.loads(memctl("-C", home, "check", "--format", "json", code=1).out)
    assert (document["schema_version"], document["kind"]) == (1, "problems")
    [finding] = document["data"]
    assert (finding["path"], finding["line"], finding["severity"]) == (os.path.relpath(path), line, "error")
    assert json.loads(memctl("-C", home, "check", "--format", "jsonl", code=1).out) == finding


def test_sarif_has_what_its_schema_wants(home: Path) -> None:
    _, path, line = flipped_byte_in_a_ref(home)

    log = json.loads(memctl("-C", home, "check", "--format", "sarif", code=1).out)

    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    [result] = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "CHK302"
    assert result["level"] in ("error", "warning", "note")
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": line, "startColumn": 1}
    assert place["artifactLocation"]["uri"].endswith(path.name)
    assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", place["artifactLocation"]["uri"])  # a URI reference


def test_junit_is_xml_whatever_a_file_says(home: Path) -> None:
    edge_to_nowhere(home)
    path = first(home, "offload-*.jsonl")
    rows = lines(path)
    fields = json.loads(rows[0])
    fields["node_id"] = "\x00\x1b<&]]>'\""
    write(path, [json.dumps(fields).encode(), *rows[1:]])

    suites = ET.fromstring(memctl("-C", home, "check", "--format", "junit", code=1).out)  # noqa: S314 - our own

    (suite,) = suites
    assert [child.tag for child in suite if child.tag != "testcase"] == [
        "properties",
        "system-out",
        "system-err",
    ]
    cases = suite.findall("testcase")
    assert len(cases) == len(RULES) == int(suite.get("tests", "0"))
    failed = [case for case in cases if case.find("failure") is not None]
    assert len(failed) == int(suite.get("failures", "0")) > 1
    assert any(case.get("name") == "CHK405 edge-to-nowhere" for case in failed)


def test_github_lines_are_workflow_commands(home: Path) -> None:
    path = home / "scene_blocks" / "a,b:c%.md"
    path.symlink_to("/nowhere")

    out = memctl("-C", home, "check", "--format", "github", code=1).out

    assert out.startswith("::error file=")
    assert "a%2Cb%3Ac%25.md,line=1,col=1,title=CHK102::" in out
    assert out.count("\n") == 1


def test_every_rule_is_in_the_man_page() -> None:
    page = (Path(__file__).parents[1] / "man" / "memctl-check.1").read_text("utf-8")

    assert [code for code in RULES if f"\\fB{code}\\fR" not in page] == []


def test_entries_of_the_samples_have_refs(home: Path) -> None:
    """Guard the guards: the damages above need something to damage."""
    assert sum(bool(entry["result_ref"]) for entry in entries(home)) > 2
    assert len(list((home / "mmds").iterdir())) > 2


def test_the_hooks_for_pre_commit_are_commands_that_run(home: Path) -> None:
    text = (Path(__file__).parents[1] / ".pre-commit-hooks.yaml").read_text("utf-8")
    hooks = YAML(typ="safe").load(text)
    assert [hook["id"] for hook in hooks] == ["memctl-check", "memctl-secrets", "memctl-validate"]

    names = [path.relative_to(home).as_posix() for path in home.rglob("*.*") if path.is_file()]
    checked = re.compile(hooks[0]["files"])
    for name in names:
        known = name.startswith(".") or bool(checked.search(f"memory/{name}"))
        assert known, name
    for hook in hooks[:2]:
        assert hook["pass_filenames"] is False
        assert hook["entry"].startswith("memctl check --changed HEAD")
