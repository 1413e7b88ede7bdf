"""`memctl validate`: lines that editors parse, fences in Markdown, GitHub annotations, exit codes, --fix."""

import json
from pathlib import Path

import pytest
from running import memctl

GOOD = 'flowchart TD\nA["f(x) ok"] --> B\n'
BAD = "flowchart TD\nA[f(x) bad]\n"


def test_good_is_0_and_bad_is_1_with_path_line_and_column(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.mmd", tmp_path / "bad.mmd"
    good.write_text(GOOD)
    bad.write_text(BAD)

    assert memctl("validate", good).out == ""
    printed = memctl("validate", good, bad, code=1).out
    assert printed.startswith(f"{bad}:2:")
    assert "MMD1" in printed


def test_standard_input_is_validated() -> None:
    assert memctl("validate", "-", stdin=GOOD).out == ""
    assert "-:2:" in memctl("validate", "-", stdin=BAD, code=1).out


def test_fences_in_markdown_are_found_at_their_own_lines(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n```mermaid\n{BAD}```\n\n```mermaid\n{GOOD}```\n")

    printed = memctl("validate", page, code=1).out

    assert printed.startswith(f"{page}:5:")
    assert printed.count("MMD1") == 1


def test_json_and_github_say_the_same(tmp_path: Path) -> None:
    bad = tmp_path / "bad, with: signs.mmd"
    bad.write_text(BAD)

    (problem,) = memctl("validate", "--format", "json", bad, code=1).data
    annotation = memctl("validate", "--format", "github", bad, code=1).out
    (record,) = map(json.loads, memctl("validate", "--format", "jsonl", bad, code=1).out.splitlines())

    assert problem == record
    assert annotation.startswith("::error file=")
    assert "bad%2C with%3A signs.mmd,line=2," in annotation
    assert f"title={problem['code']}::" in annotation


def test_fix_repairs_what_is_sure_and_the_rest_is_reported(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mmd"
    bad.write_text(BAD)

    memctl("validate", "--fix", bad)

    assert memctl("validate", bad).out == ""
    assert "f(x) bad" in bad.read_text()


def test_warnings_count_only_with_strict(tmp_path: Path) -> None:
    lossy = tmp_path / "lossy.mmd"
    lossy.write_text('flowchart TD\nA["first"]\nA["second"]\n')

    assert "warning" in memctl("validate", lossy).out
    memctl("validate", "--strict", lossy, code=1)


def test_without_files_every_canvas_of_the_directory_is_validated(samples: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "ingest", samples)

    memctl("-C", home, "validate", "--strict")
    next(iter((home / "mmds").iterdir())).write_text(BAD)
    memctl("-C", home, "validate", code=1)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert "gone.mmd" in memctl("validate", tmp_path / "gone.mmd", code=3).err


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"", b"\x00" * 1000, "流程图 TD".encode()])
def test_any_bytes_get_an_answer(tmp_path: Path, data: bytes) -> None:
    odd = tmp_path / "odd.mmd"
    odd.write_bytes(data)

    assert memctl("validate", odd, code=None).code in (0, 1)


def test_fix_repairs_markdown_and_says_why_an_error_is_left(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    fence = "- so:\n\n  ```mermaid\n  flowchart TD\n  a[{}] --> b\n  ```\n"
    page.write_text(fence.format("foo (bar)"))

    found = memctl("validate", page, code=1)
    assert found.out.split(": ")[0] == f"{page}:5:9"
    assert "1 checked: 1 error, 0 warnings" in found.err
    assert memctl("validate", "--fix", page).out == ""
    assert page.read_text() == fence.format('"foo (bar)"')

    bad = tmp_path / "b.mmd"
    bad.write_text("flowchart TD\na[x(y] --> c] --> b\nb --> end\n")
    label, name = memctl("validate", "--fix", bad, code=1).out.splitlines()
    assert label.endswith("(not repaired: it is unclear where the label ends)")
    assert name.endswith("(not repaired: you have to choose the name of the node)")
    assert "not repaired" not in memctl("validate", bad, code=1).out
