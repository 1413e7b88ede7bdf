"""Open a transcript's bytes as UTF-8, however they are packed: gzip, UTF-16, a byte order mark."""

import codecs
import gzip
import io
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO, cast

from memctl.errors import InputError

__all__ = ["GZIP_DAMAGE", "Opener", "decoded", "shared_reader"]

Opener = Callable[[], BinaryIO]

GZIP_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)
"""What reading a damaged gzip file raises, at any time."""

_ZSTD = b"\x28\xb5\x2f"  # and \xfd; the first three tell it from any text
_BUFFER = 1 << 16
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@contextmanager
def decoded(opener: Opener) -> Iterator[tuple[BinaryIO, int]]:
    """Open bytes as UTF-8; give the stream and the offset at which its text begins.

    Raises:
        OSError: they cannot be opened.
        InputError: they are packed with zstd and damaged, or the extra `zstd` is not installed.

    """
    with ExitStack() as stack:
        stream = stack.enter_context(opener())
        start = _first_bytes(stream)
        if start.startswith(b"\x1f\x8b"):
            stream = stack.enter_context(cast("BinaryIO", gzip.GzipFile(fileobj=stream)))
            start = _first_bytes(stream)
        elif start.startswith(_ZSTD):
            stream = stack.enter_context(_unpacked(stream))
            start = _first_bytes(stream)
        if start == codecs.BOM_UTF8:
            yield stream, stream.seek(len(start))
        elif start[:2] in _UTF16:
            stream.seek(2)
            recoded = _Recoded(stream, _UTF16[start[:2]])
            yield stack.enter_context(cast("BinaryIO", io.BufferedReader(recoded, _BUFFER))), 0
        else:
            yield stream, 0


def _unpacked(stream: BinaryIO) -> BinaryIO:
    """Unpack a zstd stream into an unnamed file, since its reader cannot go back."""
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "packed with zstd: pip install 'memctl[zstd]' reads it, or unpack it first"
        ) from None
    spool = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - the caller closes it
    try:
        zstandard.ZstdDecompressor().copy_stream(stream, spool)
    except zstandard.ZstdError as error:
        spool.close()
        raise InputError(f"damaged zstd: {error}") from error
    spool.seek(0)
    return spool


def shared_reader(file: BinaryIO) -> BinaryIO:
    """Make a reader with a position of its own in a file that several read."""
    return cast("BinaryIO", io.BufferedReader(_Window(file), _BUFFER))


class _Window(io.RawIOBase):
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._file.seek(self._position)
        self._position = self._file.seek(offset, whence)
        return self._position

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # Buffer is Python 3.12's
        self._file.seek(self._position)
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)


class _Recoded(io.RawIOBase):
    """UTF-16 as UTF-8; half a character at the end is not there yet."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        self._pending = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # Buffer is Python 3.12's
        while not self._pending:
            data = self._stream.read(len(buffer))
            if not data:
                return 0
            self._pending = memoryview(self._decoder.decode(data).encode("utf-8", "surrogatepass"))
        taken = self._pending[: len(buffer)]
        self._pending = self._pending[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _first_bytes(stream: BinaryIO) -> bytes:
    try:
        return stream.read(3)
    except GZIP_DAMAGE:
        return b""
    finally:
        stream.seek(0)
