"""memctl in pipes: README's pipelines run, and nothing depends on the terminal, the locale or a home."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from clones import committed, git
from running import PROGRAM, memctl

from memctl.text.widths import display_width

if shutil.which("git") is None or shutil.which("bash") is None:
    pytest.skip("git or bash is not here", allow_module_level=True)

ROOT = Path(__file__).parents[1]
SECTION = (
    (ROOT / "README.md").read_text("utf-8").partition("## Pipelines worth copying")[2].partition("\n## ")[0]
)
BLOCKS = re.findall(r"```sh\n# ([^\n]*)\n(.*?)```", SECTION, re.DOTALL)
PROGRAMS = ("jq", "fzf", "awk", "xargs")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a project with a memory directory and a history, a remote, and a branch that conflicts."""
    project = tmp_path_factory.mktemp("pipes") / "project"
    shutil.copytree(ROOT / "sample_sessions", project / "sample_sessions")
    home = project / "memory"
    memctl("-q", "-C", home, "ingest", project / "sample_sessions")
    memctl("-q", "-C", home, "extract")
    environment = {"GIT_CONFIG_NOSYSTEM": "1", "HOME": str(project.parent)}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@example.org"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        git(project, "init", "-q", "-b", "main")
        committed(project, "base")
        git(project, "branch", "theirs")
        for branch in ("main", "theirs"):
            git(project, "checkout", "-q", branch)
            persona = home / "persona.md"
            persona.write_text(f"Of {branch}.\n\n{persona.read_text('utf-8')}", "utf-8")
            committed(project, branch)
        git(project, "checkout", "-q", "main")
        git(project.parent, "clone", "-q", str(project), "remote")
    return project


@pytest.fixture
def project(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a copy of it, with memctl on the PATH."""
    copy = Path(shutil.copytree(whole, tmp_path / "project"))
    git(copy, "remote", "add", "origin", str(whole.parent / "remote"))
    git(copy, "fetch", "-q", "origin")
    program = tmp_path / "bin" / "memctl"
    program.parent.mkdir()
    quoted = " ".join(f"'{word}'" for word in PROGRAM)
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("FZF_DEFAULT_OPTS", "--filter=token")
    return copy


def shell(project: Path, script: str) -> subprocess.CompletedProcess[bytes]:
    command = ["bash", "-eu", "-o", "pipefail", "-c", script]
    return subprocess.run(command, cwd=project, capture_output=True, check=False, timeout=120)


@pytest.mark.parametrize(("told", "script"), BLOCKS, ids=[told for told, _ in BLOCKS])
def test_a_pipeline_of_the_readme_runs(project: Path, told: str, script: str) -> None:
    missing = [name for name in PROGRAMS if re.search(rf"\b{name}\b", script) and shutil.which(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not here")

    # Typed into a shell that goes on when a command fails, as git does where it stops.
    done = shell(project, f"set +e; {script}" if told.startswith("Merge") else script)

    # `head` ends when it has its lines: what still writes to it is told so (128 + SIGPIPE), or was done before.
    ended = {0, 141} if "| head" in script else {0}
    assert done.returncode in ended, done.stderr.decode()
    silent = ("Cron", "Merge", "CI", "What the memory", "All sessions")
    assert done.stdout or told.startswith(silent)
    if told.startswith("Merge"):
        assert git(project, "status", "--porcelain") == ""
        persona = (project / "memory" / "persona.md").read_text("utf-8")
        assert "Of main." in persona
        assert "Of theirs." in persona
    if told.startswith("CI"):
        assert (project / "check.xml").read_text().startswith("<?xml")


def test_the_readme_has_pipelines() -> None:
    assert len(BLOCKS) >= 10
    assert {name for name in PROGRAMS for _, script in BLOCKS if name in script} == set(PROGRAMS)


@pytest.mark.parametrize(
    "command",
    [
        "grep . --format jsonl",
        "session list",
        "canvas show 8",
        "drill 001-N1",
        "-q check",
        "help grep",
    ],
)
def test_head_ends_a_reading_command_as_any_filter(project: Path, command: str) -> None:
    done = shell(project, f"set +o pipefail; memctl {command} | head -1 > /dev/null; echo ${{PIPESTATUS[0]}}")

    assert done.stderr == b""
    assert done.stdout in (b"0\n", b"141\n")


def test_head_under_pipefail_gives_a_line(project: Path) -> None:
    done = shell(project, "memctl session list | { head -1; cat > /dev/null; }")

    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1)


def test_a_file_may_be_stdin(project: Path) -> None:
    script = """
        cat sample_sessions/codex.jsonl | memctl -q -C other ingest -
        memctl validate - < memory/mmds/001-*.mmd
        memctl canvas list --print number | sed 's/^/00/' | memctl drill - > /dev/null
    """

    done = shell(project, script)

    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("columns", [80, 119, 160])
def test_a_list_of_sessions_fits_a_terminal(
    project: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    whole = shell(project, "unset COLUMNS; memctl session list").stdout.decode()
    monkeypatch.setenv("COLUMNS", str(columns))

    listed = shell(project, "memctl session list").stdout.decode()

    assert [line.split()[0] for line in listed.splitlines()] == [
        line.split()[0] for line in whole.splitlines()
    ]
    assert all(display_width(line) <= columns for line in listed.splitlines())
    assert all(" user " in line for line in whole.splitlines())
    assert (" user " in listed) == (columns > 120)


NARROW = {
    "LC_ALL": "C",
    "LANG": "C",
    "TERM": "dumb",
    "COLUMNS": "40",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}


@pytest.mark.parametrize(
    "command",
    [
        "status",
        "canvas list",
        "canvas show 8",
        "session list",
        "recall 学校 --mode bm25",
        "diff HEAD~1",
        "check",
    ],
)
def test_nothing_depends_on_the_terminal_the_locale_or_a_home(
    project: Path, monkeypatch: pytest.MonkeyPatch, command: str, tmp_path: Path
) -> None:
    wide = shell(project, f"memctl {command}")
    for name, value in NARROW.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    done = shell(project, f"memctl {command}")

    assert done.returncode == wide.returncode == 0, done.stderr.decode()
    text = done.stdout.decode("utf-8")
    assert "\x1b" not in text
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.skipif(shutil.which("env") is None, reason="env is not here")
def test_without_any_environment(project: Path) -> None:
    program = " ".join(f"'{word}'" for word in PROGRAM)

    done = shell(project, f"env -i PYTHONPATH='{ROOT}' PATH=/usr/bin:/bin {program} -C memory status")

    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.startswith(b"memory ")
