"""The Tab key offers commands, options, values and ids, fast, and nothing it says is ever run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import PROGRAM, memctl, messages

from memctl.cli.app import COMMANDS
from memctl.cli.completing import FILES, offers


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, samples: Path) -> Path:
    home = tmp_path_factory.mktemp("completion") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    return home


def values(*words: str) -> list[str]:
    return [value for value, _ in offers(list(words), len(words) - 1)]


def test_commands_options_and_values(whole: Path) -> None:
    assert values("") == list(COMMANDS)
    assert values("can") == ["canvas"]
    assert values("canvas", "") == ["list", "show", "archive", "reopen", "fmt"]
    assert "--mermaid" in values("canvas", "show", "--")
    assert values("canvas", "list", "--format", "js") == ["json", "jsonl"]
    assert values("canvas", "list", "--format", "=", "te") == ["text"]
    assert values("-C", str(whole), "gre") == ["grep"]
    assert values("ingest", "") == [FILES]
    assert values("status", "") == []
    assert values("nosuch", "") == list(COMMANDS)
    assert values("completion", "") == ["bash", "zsh", "fish"]


def test_ids_of_the_directory(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [path.name.partition("-")[0] for path in sorted((whole / "mmds").iterdir())]
    sessions = {message["sessionId"] for message in messages(whole)}
    tasks = sorted(path.stem for path in (whole / "tasks").iterdir())

    assert values("-C", str(whole), "canvas", "show", "") == numbers
    assert values("canvas", "show", "-C", str(whole), "00") == [
        one for one in numbers if one.startswith("00")
    ]
    assert values("-C", str(whole), "drill", "001-N1")[:2] == ["001-N1", "001-N10"]
    assert set(values("-C", str(whole), "session", "show", "")) == sessions
    assert values("-C", str(whole), "task", "show", "") == tasks
    assert values("-C", str(whole), "task", "set-state", tasks[0], "comp") == ["completed"]
    assert values("-C", str(whole), "task", "set-state", tasks[0], "completed", "") == []
    assert all(value.startswith("m_") for value in values("-C", str(whole), "atom", "show", ""))
    assert {*numbers, *sessions, *tasks} <= set(values("-C", str(whole), "drill", ""))
    monkeypatch.chdir(whole / "mmds")
    assert values("canvas", "show", "") == numbers
    monkeypatch.chdir(whole.parent)
    assert values("render", "00") == [one for one in numbers if one.startswith("00")]


def test_what_is_offered_is_an_id(whole: Path) -> None:
    for words in (("drill", ""), ("canvas", "show", ""), ("session", "show", ""), ("drill", "001-N")):
        for value in values("-C", str(whole), *words):
            memctl("-C", whole, "drill", value)


def test_no_directory_is_no_error(tmp_path: Path) -> None:
    assert values("-C", str(tmp_path / "nowhere"), "canvas", "show", "") == []


def test_the_key_loads_nothing(whole: Path) -> None:
    code = (
        "import sys; sys.argv = ['memctl', '--complete', '5', 'memctl', '-C', sys.argv[1], 'drill', '', '']\n"
        "from memctl.cli import main; main()\n"
        "print(sorted({'typer', 'orjson', 'rich', 'memctl.store', 'memctl.files'} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(whole)], capture_output=True, check=True, text=True
    )

    assert done.stdout.endswith("[]\n"), done.stdout


SHELLS = {
    "bash": 'eval "$(memctl completion bash)"\nCOMP_WORDS=("$@") COMP_CWORD=$(($# - 1))\n_memctl\n'
    'printf "%s\\n" "${COMPREPLY[@]}"',
    "fish": "memctl completion fish | source\ncomplete -C (string join ' ' -- $argv) | cut -f1",
}


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put memctl on the PATH."""
    program = tmp_path / "bin" / "memctl"
    program.parent.mkdir()
    quoted = " ".join(f"'{word}'" for word in PROGRAM)
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(whole: Path, shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")

    def offered(*words: str) -> list[str]:
        command = [shell, "-c", SHELLS[shell], *([shell] if shell == "bash" else []), "memctl", *words]
        done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=tmp_path)
        assert done.stderr == ""
        return done.stdout.split("\n")[:-1]

    assert offered("-C", str(whole), "canvas", "show", "00")[:2] == ["001", "002"]
    assert "001-N1" in offered("-C", str(whole), "drill", "001-N1")
    assert offered("stat") == ["status"]


@pytest.mark.usefixtures("on_path")
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_nothing_that_a_file_says_is_run(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    for folder in ("mmds", "tasks", "conversations"):
        (home / folder).mkdir(exist_ok=True)
    for name in ("$(touch pwned)", "`touch pwned`", "a b", "001-\x1b[31mred", "x;touch pwned"):
        (home / "tasks" / f"{name}.yaml").write_text(f'description: "{name}"\n')
        (home / "mmds" / f"{name}.mmd").write_text("flowchart TD\n")
    (home / "conversations" / "x.jsonl").write_text('{"id":"x","sessionId":"$(touch pwned)"}\n')

    for words in (["drill", ""], ["canvas", "show", ""], ["task", "show", ""]):
        command = ["bash", "-c", SHELLS["bash"], "bash", "memctl", "-C", str(home), *words]
        done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=tmp_path)
        assert "touch" not in done.stdout
        assert "\x1b" not in done.stdout
    assert not (tmp_path / "pwned").exists()


@pytest.mark.usefixtures("on_path")
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_script_is_one(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    script = memctl("completion", shell).out

    subprocess.run([shell, "-n"], input=script, check=True, text=True)
