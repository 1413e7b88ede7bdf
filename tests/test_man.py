"""The man pages are those of the commands: none stale, missing or orphaned, and clean roff."""

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

MAN = Path(__file__).parents[1] / "man"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build", MAN / "build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_those_of_the_commands(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    code = build.main(["--check"])

    assert code == 0, capsys.readouterr().out


def test_every_option_of_every_command_is_in_its_page(build: ModuleType) -> None:
    pages = dict(build.pages())
    assert len(pages) > 10
    for name, text in pages.items():
        if name.endswith(".5"):
            continue
        assert ".SH OPTIONS" in text, name
        assert r"\fB\-C\fR" in text, name
    assert r"\fB\-\-fixed\-strings\fR" in pages["memctl-grep.1"]


def test_a_stale_page_is_noticed(build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in MAN.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    monkeypatch.setattr(build, "HERE", tmp_path)
    assert build.main(["--check"]) == 0

    (tmp_path / "memctl-grep.1").write_text("old")
    assert build.main(["--check"]) == 1
    assert build.main([]) == 0
    (tmp_path / "memctl-gone.1").write_text("orphan")
    assert build.main(["--check"]) == 1


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_groff_has_nothing_to_say() -> None:
    for page in sorted(MAN.glob("*.[157]")):
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", str(page)], capture_output=True, check=True)
        assert done.stderr == b"", page.name
