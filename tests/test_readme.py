"""The README's tour works word for word, and every command has its place in it.

Each ```console block is run in order, in a copy of the checkout's samples; `--update-expected` writes
what the commands print into the README, to be reviewed as a diff.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memctl.cli.app import COMMANDS
from memctl.readers import FORMATS

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ (.+)\n((?:.*\n)*?)```")


@pytest.mark.skipif(os.name == "nt", reason="the tour is for a POSIX shell")
def test_the_tour_works_word_for_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    shutil.copytree(ROOT / "sample_sessions", tmp_path / "sample_sessions")
    program = tmp_path / "bin" / "memctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from memctl.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    def run(found: re.Match[str]) -> str:
        done = subprocess.run(
            ["bash", "-c", found[1]],
            cwd=tmp_path,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return f"```console\n$ {found[1]}\n{done.stdout.decode()}```"

    text = README.read_text(encoding="utf-8")
    again = BLOCK.sub(run, text)
    if request.config.getoption("--update-expected"):
        README.write_text(again, encoding="utf-8")
        return

    assert len(BLOCK.findall(text)) >= 6
    assert text == again


def test_every_command_has_its_place_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name, command in COMMANDS.items():
        assert f"`memctl {name}" in text, name
        assert command.help


def test_every_format_has_its_place_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for known in FORMATS:
        assert f"`{known.name}`" in text, known.name


def test_the_first_screen_fits_a_terminal() -> None:
    first = README.read_text(encoding="utf-8").partition("## Two minutes")[0]

    assert len(first.split("\n")) <= 24
