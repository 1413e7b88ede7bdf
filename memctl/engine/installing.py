"""Write memctl's hooks into Claude Code's settings, and touch nothing else in them."""

import difflib
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memctl.errors import InputError, UsageError

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
_OURS = re.compile(r"\bmemctl\b.*\bhook claude-code\b")
_SECONDS = 5  # after which the agent goes on without the hook


def settings_path(whose: str) -> Path:
    """Name Claude Code's settings: of the `project` at hand, its `local` ones, which no team shares, or the `user`'s."""
    if whose == "user":
        return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "settings.json"
    return Path(".claude", "settings.local.json" if whose == "local" else "settings.json")


def installed(text: str, command: str, where: str) -> str:
    """Give settings with the hooks in them; *text* is "" where there are none.

    Hooks of others and every other setting stay, in their order. Raises InputError for what is no JSON object.
    """
    try:
        settings = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise InputError(
            f"{where}: not valid JSON ({error}); nothing was changed, correct it first"
        ) from None
    hooks = settings.setdefault("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict):
        raise InputError(f"{where}: `hooks` must be an object; nothing was changed, correct it first")
    for event in EVENTS:
        groups = hooks.get(event)
        if groups is not None and not isinstance(groups, list):
            raise InputError(f"{where}: hooks.{event} must be a list; nothing was changed, correct it first")
        hooks[event] = _with_ours(groups or [], event, command)
    if text.strip() and json.loads(text) == settings:
        return text
    return (
        _spliced(text, hooks) if text.strip() else json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    )


def _spliced(text: str, hooks: dict[str, Any]) -> str:
    """Put the hooks where they stand in the settings, or behind all else, which stays byte for byte."""
    indent = _indent(text)
    step = indent if isinstance(indent, str) else " " * indent
    value = json.dumps(hooks, indent=indent, ensure_ascii=False).replace("\n", f"\n{step}")
    last = text.index("{") + 1
    for name, start, end in _members(text):
        if name == "hooks":
            return text[:start] + value + text[end:]
        last = end
    comma = "," if text[last - 1] != "{" else ""
    rest = text[last:] if text[last:].startswith(("\n", "\r\n")) else "\n" + text[last:].lstrip()
    return f'{text[:last]}{comma}\n{step}"hooks": {value}{rest}'


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    """Give the names in a JSON object that is known to be valid, each with where its value begins and ends."""
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while text[(at := _skipped(text, at, ","))] != "}":
        name, at = decoder.raw_decode(text, at)
        start = _skipped(text, at, ":")
        _, at = decoder.raw_decode(text, start)
        yield name, start, at


def _skipped(text: str, at: int, sign: str) -> int:
    """Give the place of the next value or name."""
    while text[at] in f" \t\r\n{sign}":
        at += 1
    return at


def diff(before: str, after: str, where: str) -> str:
    """Show a change as a unified diff."""
    lines = difflib.unified_diff(
        before.split("\n"), after.split("\n"), f"{where} (now)", f"{where} (then)", lineterm="", n=2
    )
    return "\n".join(lines)


def command_for(program: str, home: str) -> str:
    """Write the command line that the agent runs on this machine."""
    return f"{shlex.quote(program)} -C {shlex.quote(home)} hook claude-code"


def shared_command(home: str, project: str) -> str:
    """Write the command line for settings that a team commits: nothing in it is of this machine.

    Claude Code names the project's folder in $CLAUDE_PROJECT_DIR. Raises UsageError for a directory elsewhere.
    """
    within = Path(os.path.realpath(home))
    if not within.is_relative_to(os.path.realpath(project)):
        raise UsageError(
            f"{home} is not inside this folder, so shared settings cannot name it; "
            "use --local, or -C with a directory inside the project"
        )
    inside = within.relative_to(os.path.realpath(project)).as_posix()
    return f'memctl -C "$CLAUDE_PROJECT_DIR"/{shlex.quote(inside)} hook claude-code'


def _with_ours(groups: list[Any], event: str, command: str) -> list[Any]:
    """Give an event's groups with our hook in one of them: changed where it is, else added."""
    hook = {"type": "command", "command": command, "timeout": _SECONDS}
    found = False
    kept: list[Any] = []
    for group in groups:
        inner = group.get("hooks") if isinstance(group, dict) else None
        if isinstance(inner, list) and any(map(_is_ours, inner)):
            own = [{**one, **hook} if _is_ours(one) else one for one in inner]
            kept.append({**group, "hooks": own})
            found = True
        else:
            kept.append(group)
    if not found:
        matcher = {"matcher": "*"} if event == "PostToolUse" else {}
        kept.append({**matcher, "hooks": [hook]})
    return kept


def _is_ours(hook: object) -> bool:
    return isinstance(hook, Mapping) and _OURS.search(str(hook.get("command") or "")) is not None


def _indent(text: str) -> int | str:
    """Tell how a file is indented, to write it the same."""
    found = re.search(r"\n([ \t]+)\"", text)
    return found[1] if found and "\t" in found[1] else len(found[1]) if found else 2
