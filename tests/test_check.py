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
from damages import (
    DAMAGES,
    Planted,
    changed_result_in_an_entry,
    cut_ref,
    dropped_conversation,
    dropped_ref,
    edge_to_nowhere,
    first,
    flipped_byte_in_a_ref,
    lines,
    row_of_ref,
    write,
)
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


@pytest.mark.parametrize(
    "damage",
    [dropped_ref, flipped_byte_in_a_ref, cut_ref, changed_result_in_an_entry, dropped_conversation],
    ids=lambda one: one.__name__,
)
def test_what_is_advised_brings_back_what_was_lost(
    home: Path, samples: Path, damage: Callable[[Path], Planted]
) -> None:
    before = snapshot(home)
    code, path, line = damage(home)
    told = "".join(row for row in memctl("-C", home, "check", code=1).out.split("\n") if f" {code} " in row)
    if "delete it" in told and path.suffix == ".jsonl":
        write(path, [row for number, row in enumerate(lines(path), 1) if number != line])
    elif "delete it" in told:
        path.unlink()

    memctl("-q", "-C", home, "ingest", samples, *(["--again"] if "ingest --again" in told else []))

    assert snapshot(home) == before


def test_what_retention_moved_away_does_not_come_back(home: Path, samples: Path) -> None:
    ref = home / row_of_ref(home)[2]
    ref.unlink()
    with (home / "memctl.yaml").open("a") as stream:
        stream.write("compact:\n  retention_days: 30\n")

    memctl("-q", "-C", home, "ingest", samples, "--again")

    assert not ref.exists()
    assert "CHK308" in memctl("-C", home, "check", "--verbose").out


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
    """Guard the guards: the damages need something to damage."""
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
