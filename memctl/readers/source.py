"""A transcript as bytes turned into lines, a document or a text, whatever its encoding.

The source knows no format: it answers what shape the bytes have, what stands first, and gives the
values one by one with flat memory (FORMATS 0).
"""

import io
import json
import os
import re
import stat
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO, Literal, cast

from memctl.errors import InputError
from memctl.model import Damage, Json
from memctl.readers.lines import Line, decode, encode, parse, parse_line, parse_sequence
from memctl.readers.streams import Opener, Trouble, bounded_reader, decoded, shared_reader

__all__ = ["Line", "Shape", "Source", "Unreadable", "open_source"]

Shape = Literal["jsonl", "json", "text", "binary", "empty"]

HEAD_BYTES = 1 << 20  # what is looked at to know a shape or a format
HEAD_OBJECTS = 20
LINE_BYTES = 100 << 20  # a longer line is damage (DESIGN 4)
DOCUMENT_BYTES = 1 << 30  # a longer document is not taken into memory
SPOOL_BYTES = 16 << 20  # of a pipe, held in memory; the rest goes to disk

_BLANK = b" \t\r\n\0\x1e"
_TOO_LONG = f"a line of more than {LINE_BYTES >> 20} MB"
_DOCUMENT_START = re.compile(rb'\{\s*["}]|\[\s*[\[{"\]]')
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b"))


class Unreadable(InputError):  # noqa: N818 (it says what the source is)
    """A source that should be one JSON value and is not; *line* and *column* count from 1."""

    def __init__(self, name: str, reason: str, *, line: int = 1, column: int = 1, offset: int = 0) -> None:
        super().__init__(f"{name}:{line}:{column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column
        self.offset = offset


class Source:
    """Where a transcript comes from: a file, bytes, or a stream that can be read once.

    name: as shown to people. size: bytes as stored (of a stream: as received).
    path: of the file, for a session that is kept in several (`beside`); None for bytes and streams.
    unfinished: after `lines` has ended, the offset of a last line that is not there yet, else None.
    trouble: why an "empty" source is, when it is a packed file that is damaged from its beginning.
    Offsets count bytes of the decoded source: for a plain UTF-8 file they are those of the file.
    """

    def __init__(self, name: str, size: int, opener: Opener) -> None:
        self.name = name
        self.size = size
        self.path: Path | None = None
        self.unfinished: int | None = None
        self.trouble = ""
        self._opener = opener

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str = "-") -> "Source":
        """Read from memory."""
        return cls(name, len(data), lambda: io.BytesIO(data))

    @classmethod
    def from_stream(cls, stream: BinaryIO, *, name: str = "-") -> "Source":
        """Read a pipe to its end, into memory or an unnamed file, so that it can be read again."""
        data = stream.read(SPOOL_BYTES)
        if len(data) < SPOOL_BYTES:
            return cls.from_bytes(data, name=name)
        spool = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 (lives as long as the source)
        while data:
            spool.write(data)
            data = stream.read(SPOOL_BYTES)
        source = cls(name, spool.tell(), lambda: shared_reader(spool))
        weakref.finalize(source, spool.close)
        return source

    def beside(self, up: int, *folders: str) -> Iterator["Source"]:
        """Give the files of a folder near this file, in order of name; none when it is not there.

        The folder is found from the one *up* levels above this file's own. Links are not followed, and
        a name that leads elsewhere finds nothing: names may come from a transcript.
        """
        if self.path is None or up >= len(self.path.parents):
            return
        place = self.path.parents[up]
        for folder in folders:
            place /= folder
            if Path(folder).name != folder or folder == ".." or place.is_symlink():
                return
        if not place.is_dir():
            return
        with os.scandir(place) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        for name in names:
            yield open_source(place / name)

    @cached_property
    def shape(self) -> Shape:
        """What the bytes look like, decided from their beginning (FORMATS 0)."""
        with self._open() as (stream, _, trouble):
            head = _read_head(stream)
        content = head.strip(_BLANK)
        if not content:
            self.trouble = trouble()
            return "empty"
        good, sampled = _sample(content, whole=len(head) < HEAD_BYTES)
        if sampled > 1 and good * 2 >= sampled:
            return "jsonl"
        if _DOCUMENT_START.match(content):
            return "json"
        controls = len(content) - len(content.translate(None, _CONTROLS))
        return "binary" if b"\0" in content or controls * 10 > len(content) else "text"

    def head(self) -> tuple[Json, ...]:
        """Give the first objects (or lists) of a jsonl source, or the document of a json source.

        About the first `HEAD_OBJECTS` or `HEAD_BYTES`, but always the first object when there is one.
        Empty for every other shape and for a document that cannot be read.
        """
        return self._head

    @cached_property
    def _head(self) -> tuple[Json, ...]:
        if self.shape == "json":
            try:
                return (self.document(),)
            except Unreadable:
                return ()
        if self.shape != "jsonl":
            return ()
        found: list[Json] = []
        unfinished = self.unfinished
        for item in self._physical_lines():
            if len(found) >= HEAD_OBJECTS or item.offset > (HEAD_BYTES if found else LINE_BYTES):
                break
            if isinstance(item, Line) and isinstance(item.value, dict | list):
                found.append(item.value)
        self.unfinished = unfinished
        return tuple(found)

    def opening(self) -> str:
        """Give the first `HEAD_BYTES` or so of a text, to know its format by; nothing of other shapes."""
        return self._opening

    @cached_property
    def _opening(self) -> str:
        if self.shape != "text":
            return ""
        with self._open() as (stream, _, _):
            return decode(_read_head(stream)).replace("\r\n", "\n")

    def text_lines(self) -> Iterator[Line | Damage]:
        """Give the lines of a text as strings, without their ends (a CR belongs to the end).

        Memory stays flat. A line of more than `LINE_BYTES` gives a `Damage` and reading goes on.
        """
        number = 0
        with self._open() as (stream, start, trouble):
            offset = start
            while True:
                data = stream.readline(LINE_BYTES)
                number += 1
                if not data.rstrip(b"\0"):
                    if problem := trouble():
                        yield Damage(number, offset, problem)
                    return
                if len(data) == LINE_BYTES and not data.endswith(b"\n"):
                    yield Damage(number, offset, _TOO_LONG, data[:HEAD_BYTES])
                    offset += len(data) + _skip_line(stream, blank=False)[0]
                    continue
                yield Line(number, offset, decode(data).rstrip("\0").removesuffix("\n").removesuffix("\r"))
                offset += len(data)

    def lines(self) -> Iterator[Line | Damage]:
        """Give the values line by line; of a document that is a list, its items (numbered from 1).

        Memory stays flat for a jsonl source. A bad line gives a `Damage` and reading goes on. A last
        line without its newline that does not parse is not there yet: see `unfinished`.
        """
        self.unfinished = None
        if self.shape != "json":
            yield from self._physical_lines()
            return
        try:
            document = self.document()
        except Unreadable as error:
            if error.line == 1 and b"\n" not in self._read_all():
                self.unfinished = 0
            else:
                yield Damage(error.line, error.offset, error.reason)
            return
        items = document if isinstance(document, list) else [document]
        for number, value in enumerate(items, 1):
            yield Line(number, 0, value)

    def lines_from(self, offset: int, number: int) -> Iterator[Line | Damage]:
        """Give the lines of a jsonl source behind its first *number* lines, which end at *offset*."""
        self.unfinished = None
        with self._open() as (stream, _, trouble):
            yield from self._lines_in(stream, stream.seek(offset), number, trouble)

    def document(self) -> Json:
        """Read the whole source as one JSON value; values one after the other give their list.

        Raises:
            Unreadable: it is not JSON, is nested too deep, or is over `DOCUMENT_BYTES`.

        """
        return self._document

    @cached_property
    def _document(self) -> Json:
        with self._open() as (stream, _, trouble):
            data = self._whole(stream).strip(_BLANK)
        try:
            return parse(data)
        except json.JSONDecodeError as error:
            if problem := trouble():
                raise Unreadable(self.name, problem) from None
            if error.msg == "Extra data":
                values = _all_of(error.doc)
                if values:
                    return values
            offset = len(encode(error.doc[: error.pos]))
            reason = f"not JSON: {error.msg}"
            raise Unreadable(
                self.name, reason, line=error.lineno, column=error.colno, offset=offset
            ) from None
        except ValueError as error:
            raise Unreadable(self.name, str(error)) from None

    def text(self) -> str:
        """Read the whole source as text, decoded so that every byte can be had back."""
        return decode(self._read_all().rstrip(b"\0"))

    def _read_all(self) -> bytes:
        with self._open() as (stream, _, _):
            return self._whole(stream)

    def _whole(self, stream: BinaryIO) -> bytes:
        data = stream.read(DOCUMENT_BYTES + 1)
        if len(data) > DOCUMENT_BYTES:
            raise Unreadable(self.name, f"one document of more than {DOCUMENT_BYTES >> 20} MB")
        return data

    def _physical_lines(self) -> Iterator[Line | Damage]:
        self.unfinished = None
        with self._open() as (stream, start, trouble):
            yield from self._lines_in(stream, start, 0, trouble)

    def _lines_in(
        self, stream: BinaryIO, offset: int, number: int, trouble: Trouble
    ) -> Iterator[Line | Damage]:
        """Give the lines from where a stream stands, which is at *offset*, behind *number* lines."""
        while True:
            data = stream.readline(LINE_BYTES)
            if not data:
                if problem := trouble():
                    yield Damage(number + 1, offset, problem)
                return
            number += 1
            if data.isspace():  # a million of them are no work
                offset += len(data)
                continue
            if len(data) == LINE_BYTES and not data.endswith(b"\n"):
                rest, blank = _skip_line(stream, blank=not data.strip(_BLANK))
                if not blank:
                    yield Damage(number, offset, _TOO_LONG, data[:HEAD_BYTES])
                offset += len(data) + rest
                continue
            try:
                yield Line(number, offset, parse(data))
            except ValueError:
                for item in parse_line(data, number, offset):
                    if isinstance(item, Damage) and not data.endswith(b"\n"):
                        self.unfinished = item.offset
                    else:
                        yield item
            offset += len(data)

    @contextmanager
    def _open(self) -> Iterator[tuple[BinaryIO, int, Trouble]]:
        try:
            with decoded(self._opener) as opened:
                yield opened
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}") from None


def open_source(path: str | os.PathLike[str], *, name: str | None = None) -> Source:
    """Open a file (or a pipe, which is read to its end); of a file what it has now, not what is written on.

    Raises:
        InputError: it is missing, a directory, or cannot be read.

    """
    shown = name if name is not None else os.fspath(path)
    try:
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"{shown}: is a directory")
        if not stat.S_ISREG(status.st_mode):
            with Path(path).open("rb") as stream:
                return Source.from_stream(stream, name=shown)
        with Path(path).open("rb"):
            pass  # say now that it cannot be read, not in the middle of a run
    except OSError as error:
        raise InputError(f"{shown}: {error.strerror or error}") from None
    source = Source(shown, status.st_size, partial(bounded_reader, Path(path), status.st_size))
    source.path = Path(path).absolute()
    return source


def _read_head(stream: BinaryIO) -> bytes:
    """Read about `HEAD_BYTES`, past blank beginnings, and to the end of the first line."""
    head = b""
    while True:
        data = stream.read(HEAD_BYTES)
        head = head.lstrip(_BLANK) + data
        if len(data) < HEAD_BYTES or head.strip(_BLANK):
            break
    if b"\n" not in head and len(head) >= HEAD_BYTES:
        head += stream.readline(LINE_BYTES)
        head += stream.read(HEAD_BYTES)
    return head


def _sample(content: bytes, *, whole: bool) -> tuple[int, int]:
    """Count the lines at the beginning that are an object or a list, and all lines looked at."""
    good = sampled = position = 0
    while position < len(content) and sampled < HEAD_OBJECTS:
        end = content.find(b"\n", position)
        if end < 0:
            end = len(content)
            if sampled and not whole:
                break  # cut by us
        line = content[position:end].strip(_BLANK)
        if line:
            sampled += 1
            # Not indented: a printed document has lines that are objects, too.
            flush = content[position : position + 1] in b"{[\0"
            good += flush and line.startswith((b"{", b"[")) and _is_json(line)
        position = end + 1
    return good, sampled


def _is_json(line: bytes) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _all_of(text: str) -> list[Json] | None:
    try:
        return [value for _, _, value in parse_sequence(text)]
    except ValueError:
        return None


def _skip_line(stream: BinaryIO, *, blank: bool) -> tuple[int, bool]:
    """Read to the end of a line that is too long; its length and whether all of it is blank."""
    skipped = 0
    while True:
        data = stream.readline(HEAD_BYTES)
        skipped += len(data)
        blank = blank and not data.strip(_BLANK)
        if not data or data.endswith(b"\n"):
            return skipped, blank
