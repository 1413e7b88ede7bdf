"""Installing a hook: the agent's settings keep every other byte, and name nothing of this machine."""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from claude_chat import chat
from hooking import log, settled
from running import PROGRAM, memctl

from memctl.engine import installing
from memctl.errors import InputError

OTHERS: dict[str, Any] = {
    "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "prettier --write"}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "say 好"}]}],
    },
    "model": "opus",
}


def test_installing_keeps_everything_else(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    text = json.dumps(OTHERS, indent=4, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    shown = memctl("-C", home, "hook", "install", "claude-code", "--project", "--dry-run").out
    assert path.read_text(encoding="utf-8") == text
    assert "+" in shown
    assert "hook claude-code" in shown

    memctl("-C", home, "hook", "install", "claude-code", "--project")

    settings = json.loads(path.read_text(encoding="utf-8"))
    assert list(settings) == ["permissions", "hooks", "model"]
    assert settings["hooks"]["Notification"] == OTHERS["hooks"]["Notification"]
    assert settings["hooks"]["PostToolUse"][0] == OTHERS["hooks"]["PostToolUse"][0]
    for name in installing.EVENTS:
        (own,) = [
            one for group in settings["hooks"][name] for one in group["hooks"] if "memctl" in one["command"]
        ]
        assert own["command"] == 'memctl -C "$CLAUDE_PROJECT_DIR"/memory hook claude-code'
    after = path.read_text(encoding="utf-8")
    assert "\n    " in after
    assert "好" in after
    assert "already installed" in memctl("-C", home, "hook", "install", "claude-code", "--project").out
    assert path.read_text(encoding="utf-8") == after
    memctl("-q", "-C", tmp_path / "new", "hook", "install", "claude-code", "--project")
    assert path.read_text(encoding="utf-8").count("hook claude-code") == len(installing.EVENTS)
    assert (tmp_path / "new" / "memctl.yaml").is_file()


@pytest.mark.parametrize(
    "text",
    [
        '{"model":"opus","permissions":{"allow":["a","b"]}}',
        '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"model": "opus"\n}\n',
        '{\r\n  "a": [1,\r\n 2.50, 1e3],\r\n  "hooks": {},\r\n  "z": "\\u597d"\r\n}\r\n',
        '{"a": {"hooks": 1}, "hooks": {"Stop": [ ]} , "b":1}',
        "{}",
        "{ }\n",
    ],
)
def test_installing_touches_no_byte_of_anything_else(text: str) -> None:
    after = installing.installed(text, "memctl hook claude-code", "settings.json")

    settings, wanted = json.loads(after), json.loads(text)
    assert set(settings.pop("hooks")) == set(installing.EVENTS)
    wanted.pop("hooks", None)
    assert settings == wanted
    before, _, behind = text.partition('"hooks": {}' if '"hooks": {}' in text else '"hooks": {"Stop": [ ]}')
    if behind:
        assert after.startswith(before)
        assert after.endswith(behind)
    else:
        assert after.startswith(text.rstrip().removesuffix("}").rstrip())
    assert installing.installed(after, "memctl hook claude-code", "settings.json") == after


def test_what_a_team_commits_names_nothing_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    memctl("-q", "-C", "my memory", "hook", "install", "claude-code", "--project")
    text = (here / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    (command,) = {
        one["command"]
        for groups in json.loads(text)["hooks"].values()
        for group in groups
        for one in group["hooks"]
    }
    there = tmp_path / "there"
    here.rename(there)  # a clone on another machine, where `memctl` is found as PATH has it
    (tmp_path / "memctl").write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    (tmp_path / "memctl").chmod(0o755)
    source = chat(tmp_path / "chat.jsonl")
    given = {"hook_event_name": "Stop", "transcript_path": str(source), "cwd": str(tmp_path)}
    found = {"CLAUDE_PROJECT_DIR": str(there), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(
        ["sh", "-c", command], input=json.dumps(given).encode(), env={**os.environ, **found}, check=True
    )

    assert settled(there / "my memory")
    assert (there / "my memory" / "offload-s1.jsonl").is_file()


def test_a_directory_elsewhere_is_for_settings_that_nobody_shares(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    told = memctl("-C", home, "hook", "install", "claude-code", "--project", code=2)
    assert "--local" in told.err
    assert not (tmp_path / "project" / ".claude").exists()

    memctl("-C", home, "hook", "install", "claude-code", "--local")

    assert f"-C {home} hook" in (tmp_path / "project" / ".claude" / "settings.local.json").read_text()


def test_installing_writes_through_a_link_to_the_settings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    (tmp_path / "claude").mkdir()
    (tmp_path / "dotfile.json").write_text("{}")
    (tmp_path / "claude" / "settings.json").symlink_to(tmp_path / "dotfile.json")

    memctl("-C", home, "hook", "install", "claude-code", "--user")

    assert (tmp_path / "claude" / "settings.json").is_symlink()
    assert "hooks" in json.loads((tmp_path / "dotfile.json").read_text())


def test_a_scope_is_refused_by_the_installer_and_harms_no_agent(home: Path, tmp_path: Path) -> None:
    memctl("-C", home, "--team", "x", "hook", "install", "claude-code", "--local", code=2)
    source = chat(tmp_path / "chat.jsonl")
    given = json.dumps({"hook_event_name": "Stop", "transcript_path": str(source)})

    found = memctl("-C", home, "--team", "x", "hook", "claude-code", stdin=given)

    assert (found.out, found.err) == ("", "")
    assert not list(home.rglob("offload-*"))
    assert "--team" in log(home)


def test_installing_for_the_user_makes_the_file(home: Path, tmp_path: Path) -> None:
    memctl("-C", home, "hook", "install", "claude-code", "--user")

    assert set(json.loads((tmp_path / "home" / ".claude" / "settings.json").read_text())["hooks"]) == set(
        installing.EVENTS
    )


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "// note\n{}"])
def test_settings_that_cannot_be_read_are_left_alone(text: str) -> None:
    with pytest.raises(InputError, match="nothing was changed"):
        installing.installed(text, "memctl hook claude-code", "settings.json")


def test_installing_asks_whose_settings(home: Path) -> None:
    memctl("-C", home, "hook", "install", "claude-code", code=2)
    memctl("-C", home, "hook", "install", "codex", "--user", code=2)
