"""Rules of the directory itself: its settings, links, files that cannot be read, conflict markers."""

import os
from collections.abc import Iterator
from pathlib import Path

from memctl import config, files
from memctl.check.codes import found
from memctl.check.survey import CONFLICT
from memctl.errors import MemctlError
from memctl.model import Problem
from memctl.store import settings_of
from memctl.text.numbers import whole

_PLAIN = frozenset(("refs", "versions"))  # what stands there is whatever it was
_TEXTS = (".jsonl", ".mmd", ".yaml", ".yml", ".md", ".json")
_NAMES = (".gitignore", ".gitattributes")


def layout(home: Path) -> Iterator[Problem]:
    """Look at every file and folder once, through no link."""
    yield from _folder(home, home, plain=False)
    settings = settings_of(home)
    if settings.is_file() and not settings.is_symlink():
        yield from _settings(settings)
    elif not settings.exists():
        hint = f"memctl -C {home} init creates it; until then the directory can be read as it is"
        yield found("CHK107", settings, 1, "a TencentDB Agent Memory directory without memctl.yaml", hint)


def _folder(home: Path, folder: Path, *, plain: bool) -> Iterator[Problem]:
    """Look into a folder; *plain* ones hold bytes that may be anything."""
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as problem:
        yield found("CHK106", folder, 1, problem.strerror or str(problem), "check its owner and permissions")
        return
    for entry in entries:
        if entry.is_symlink():
            yield _link(Path(entry.path))
        elif entry.is_dir(follow_symlinks=False):
            if folder == home and entry.name == files.PRIVATE:
                yield from _private(Path(entry.path))
            elif folder != home or entry.name != ".git":
                yield from _folder(home, Path(entry.path), plain=plain or entry.name in _PLAIN)
        elif not plain and (entry.name.endswith(_TEXTS) or entry.name in _NAMES):
            yield from _conflicts(Path(entry.path))


def _link(path: Path) -> Problem:
    hint = "replace it with the file itself; links are not followed"
    return found("CHK102", path, 1, f"a symbolic link to {os.readlink(path)}", hint)


def _private(folder: Path) -> Iterator[Problem]:
    """Look for links where memctl keeps things of its own; what else is there is nobody's business."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (
            _link(path) for name in sorted((*folders, *names)) if (path := Path(place, name)).is_symlink()
        )


def _conflicts(path: Path) -> Iterator[Problem]:
    if path.is_symlink():
        return
    try:
        data = files.read_bytes(path)
    except MemctlError as problem:
        yield found("CHK106", path, 1, str(problem), "check its owner and permissions")
        return
    if b"<<<<<<<" not in data and b">>>>>>>" not in data:
        return
    match = CONFLICT.search(data)
    if match:
        line = data.count(b"\n", 0, match.start()) + 1
        hint = "memctl check --fix resolves derived files; resolve what people wrote by hand"
        yield found("CHK104", path, line, "a git conflict marker", hint)


def _settings(path: Path) -> Iterator[Problem]:
    try:
        config.load(path)
    except MemctlError as problem:
        text = str(problem)
        line = _line_of(path, text)
        yield found("CHK101", path, line, text.removeprefix(f"{path}:{line}: ").removeprefix(f"{path}: "))


def _line_of(path: Path, message: str) -> int:
    """Find the line a message about the settings speaks of."""
    head = message.removeprefix(f"{path}:").partition(":")[0]
    if head.isdecimal():
        return whole(head)
    words = message.removeprefix(f"{path}: ").replace("`", " ").split()
    name = words[0].rpartition(".")[2] if words else ""
    try:
        lines = files.read_bytes(path).decode("utf-8", "replace").split("\n")
    except MemctlError:  # which is what the message says
        return 1
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if name and stripped.startswith(f"{name}:"):
            return number
    for number, line in enumerate(lines, 1):
        if line.startswith("format:"):
            return number
    return 1
