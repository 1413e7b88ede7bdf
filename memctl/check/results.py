"""Rules of results: entry -> ref -> sha256, and back: something points to every ref."""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from memctl.check.codes import found
from memctl.check.survey import Row, Survey
from memctl.model import Problem
from memctl.passes import trash
from memctl.store import refs
from memctl.text.names import short_hash

Changed = frozenset[str] | None  # files to look into, relative to the scope's root; None: all of them

_PICTURE = re.compile(r"-([0-9a-f]{12})\.[0-9]{1,9}\.[a-z]{1,9}\Z")
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ |= getattr(os, "O_NONBLOCK", 0)  # as `files.open_file`, for ten thousand files
_GONE = "restore it from git or a copy, or reread its transcript with memctl ingest --again"
_BAD = "restore it from git or a copy, or delete it and reread its transcript with memctl ingest --again"


def results(seen: Survey, changed: Changed) -> Iterator[Problem]:
    """Compare every ref with what points to it and with its own promise."""
    root = seen.store.root
    there = frozenset(_files(seen.store.folder("refs")))
    away = _away(seen)
    digests: dict[str, str] = {}
    own = frozenset(row.ref for row in seen.rows if not row.theirs)
    for name in sorted(there if changed is None else there & changed):
        yield from _ref(name, f"{root}/{name}", digests, own=name in own, foreign=seen.foreign)
    pointed: set[str] = set()
    for row in seen.rows:
        if row.ref:
            # The original may name a ref by its file alone.
            name = f"refs/{row.ref}" if (seen.foreign or row.theirs) and "/" not in row.ref else row.ref
            pointed.add(name)
            yield from _pointer(row.path, row.number, name, there, away)
            stored = digests.get(name)
            if stored and row.digest and stored != row.digest:
                message = f"the entry says sha256 {row.digest[:12]}…, its ref {stored[:12]}…"
                yield found("CHK306", row.path, row.number, message, other=f"{root}/{row.ref}")
        elif row.result is not None and row.digest:
            yield from _inline(row)
    for talk in seen.talks.values():
        for line, name, message in talk.pictures:
            pointed.add(name)
            yield from _pointer(talk.path, line, name, there, away)
            if message and name in there and (changed is None or name in changed):
                yield from _picture(f"{root}/{name}", name, talk.session, message)
    for name in sorted(there - pointed):
        if _body_of(name) not in pointed:
            hint = "memctl compact moves it to the trash"
            yield found("CHK304", seen.store.at(name), 1, "no entry and no message points to this ref", hint)


def _files(folder: Path) -> Iterator[str]:
    """Give the name, relative to the scope, of every file under refs/, through no link."""
    waiting = [] if folder.is_symlink() or not folder.is_dir() else ["refs"]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(folder.parent / prefix) as listed:
            for entry in listed:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{prefix}/{entry.name}")
                elif not entry.is_symlink():
                    yield f"{prefix}/{entry.name}"


def _body_of(name: str) -> str:
    """Give the ref that a picture stands beside (`<ref>.<n>.png`)."""
    stem, _, number = name.rpartition(".")[0].rpartition(".")
    return stem if number.isdigit() else ""


def _ref(name: str, path: str, digests: dict[str, str], *, own: bool, foreign: bool) -> Iterator[Problem]:
    """Compare a ref's bytes with its header. own: an entry of memctl's names it, so no other header will do."""
    try:
        data = _bytes(path)
    except OSError as problem:
        yield found(
            "CHK106", Path(path), 1, problem.strerror or str(problem), "check its owner and permissions"
        )
        return
    if not name.endswith(".md"):
        return  # a picture: its message names it
    promised = refs.promise(data)
    if promised is None:
        if not foreign and (own or not refs.is_theirs(data)):
            yield found("CHK305", Path(path), 1, "not a ref header", _BAD)
        return
    start, size, digest = promised
    digests[name] = digest
    body = memoryview(data)[start:]
    if len(body) == size and (not digest or hashlib.sha256(body).hexdigest() == digest):
        return
    line = data.count(b"\n", 0, start) + 1
    if len(body) != size:
        message = f"{len(body):,} bytes, but the header says {size:,}"
        yield found("CHK303", Path(path), line, message, _BAD)
    else:
        message = f"the bytes do not match sha256 {digest[:12]}…"
        yield found("CHK302", Path(path), line, message, _BAD)


def _picture(path: str, name: str, session: str, message: str) -> Iterator[Problem]:
    """Compare a message's picture with the hash in its name (`<time>-<hash12>.<n>.png`)."""
    promised = _PICTURE.search(name)
    try:
        data = _bytes(path)
    except OSError:
        return  # named already
    if promised and short_hash(12, session, message, hashlib.sha256(data).hexdigest()) != promised[1]:
        yield found("CHK302", Path(path), 1, f"the bytes do not match {promised[1]} in its name", _BAD)


def _bytes(path: str) -> bytes:
    descriptor = os.open(path, _READ)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        size = status.st_size
        data = os.read(descriptor, size + 1)
        while len(data) < size and (more := os.read(descriptor, size + 1)):
            data += more
        return data
    finally:
        os.close(descriptor)


def _away(seen: Survey) -> Callable[[str], bool]:
    """Make the function that tells refs which compact moved away: in the trash, or where the settings say so.

    The trash is no part of a clone, and may be empty by now.
    """
    if seen.store.config.retention_days:
        return lambda _name: True
    trashed = frozenset(one.path for one in trash.listed(seen.store))
    return lambda name: name in trashed


def _pointer(
    path: Path, line: int, name: str, there: frozenset[str], away: Callable[[str], bool]
) -> Iterator[Problem]:
    if name in there:
        return
    if not safe(name):
        yield found("CHK103", path, line, f"unsafe path {name!r}; it is not followed")
    elif away(name):
        hint = "`memctl trash restore` restores it while it is still in the trash"
        yield found("CHK308", path, line, f"{name} was moved away", hint, other=name)
    else:
        yield found("CHK301", path, line, f"{name} is missing", _GONE, other=name)


def safe(name: str) -> bool:
    """Tell whether a path in a file's text stays inside the directory (as `files.inside` has it)."""
    parts = PurePosixPath(name).parts
    return bool(parts) and ".." not in parts and not name.startswith("/") and not set(name) & set(":\0\\")


def _inline(row: Row) -> Iterator[Problem]:
    """Compare a result that stays in its entry with its sha256."""
    data, _ = refs.encode_text(row.result or "")
    if hashlib.sha256(data).hexdigest() != row.digest:
        message = f"the result in this entry does not match sha256 {row.digest[:12]}…"
        yield found("CHK307", row.path, row.number, message, _BAD)
