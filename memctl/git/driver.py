"""The merge driver of `memctl git install`: a convenience for one clone; correctness never depends on it.

It is named in the repository's own config and in .git/info/attributes, so nothing of it is committed.
"""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from memctl import files, git
from memctl.errors import StoreError

NAME = "memctl"
ARGUMENTS = "git merge-driver %O %A %B %P"
_BEGIN, _END = "# begin memctl", "# end memctl"
_OF_A_SCOPE = ("mmds/*.mmd", "tasks/*.yaml", "scene_blocks/**/*.md", "persona.md")
_PATTERNS = (*_OF_A_SCOPE, "memctl.yaml", *(f"scopes/*/*/*/{one}" for one in _OF_A_SCOPE))


@dataclass(frozen=True, slots=True)
class Plan:
    """What installing writes: settings of the repository, and lines of its attributes file."""

    config: tuple[tuple[str, str], ...]
    attributes: Path
    lines: tuple[str, ...]


def plan(home: Path, program: str) -> Plan:
    """Say what installing would write; *program* is the path of memctl. Raises UsageError outside a repository."""
    git.need(home)
    settings = (
        (f"merge.{NAME}.name", "memctl: canvases, tasks, scenes, persona"),
        (f"merge.{NAME}.driver", f"{_quoted(program)} {ARGUMENTS}"),
    )
    told = os.fsdecode(git.run(home, "rev-parse", "--git-path", "info/attributes").removesuffix(b"\n"))
    prefix = os.fsdecode(git.run(home, "rev-parse", "--show-prefix").removesuffix(b"\n"))
    lines = tuple(f"{_pattern(f'/{prefix}{one}', prefix)} merge={NAME}" for one in _PATTERNS)
    return Plan(settings, home / told, lines)


def install(home: Path, program: str) -> Plan:
    """Write the driver into the repository's config and attributes; again changes nothing."""
    wanted = plan(home, program)
    for name, value in wanted.config:
        git.run(home, "config", "--local", name, value)
    _write(wanted.attributes, [*_others(wanted), _BEGIN, *wanted.lines, _END])
    return wanted


def remove(home: Path, program: str) -> Plan:
    """Take the driver out again, for this directory; the config goes with the last one."""
    wanted = plan(home, program)
    left = _others(wanted)
    _write(wanted.attributes, left)
    if not any(f"merge={NAME}" in line for line in left):
        git.run(home, "config", "--local", "--remove-section", f"merge.{NAME}", codes=(0, 1, 5, 128))
    return wanted


def _quoted(program: str) -> str:
    """Write a path for the shell that git starts a driver in; % begins what git fills in."""
    return shlex.quote(program.replace(os.sep, "/")).replace("%", "%%")


def _others(wanted: Plan) -> list[str]:
    """Give the lines of the attributes file that are not this directory's."""
    try:
        with files.open_file(wanted.attributes) as stream:
            text = stream.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read {wanted.attributes}: {error.strerror or error}") from error
    lines = [line for line in text.removesuffix("\n").split("\n") if line not in wanted.lines]
    kept: list[str] = []
    for line in lines:
        if line == _END and kept and kept[-1] == _BEGIN:
            kept.pop()
        else:
            kept.append(line)
    return [line for line in kept if line or len(kept) > 1]


def _write(path: Path, lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    if not path.exists() and not data:
        return
    files.make_folder(path.parent, private=False)
    if not path.exists() or files.read_bytes(path) != data:
        files.write_beside(path, data)


def _pattern(pattern: str, prefix: str) -> str:
    """Write a pattern of an attributes file; what is a sign of patterns in a folder's name is escaped."""
    escaped = "".join(f"\\{char}" if char in "*?[\\" else char for char in prefix)
    whole = "/" + escaped + pattern.removeprefix(f"/{prefix}")
    if not any(char.isspace() or char == '"' or not char.isprintable() for char in whole):
        return whole
    octal = (
        char
        if char.isprintable() and char not in '"\\'
        else "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
        for char in whole
    )
    return f'"{"".join(octal)}"'
