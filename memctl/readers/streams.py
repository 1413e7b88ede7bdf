"""Open a transcript's bytes as UTF-8, however they are packed: gzip, UTF-16, a byte order mark."""

import codecs
import io
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from memctl.errors import InputError

__all__ = ["Opener", "bounded_reader", "decoded", "shared_reader"]

Opener = Callable[[], BinaryIO]
Trouble = Callable[[], str]  # why what was read so far is not all there should be; "" when it is

_START = 4  # bytes that tell how the rest is packed
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f"  # and \xfd; the first three tell it from any text
_BUFFER = 1 << 16
_GZIP_ONLY = 31  # zlib's word for a gzip header of any window
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@contextmanager
def decoded(opener: Opener) -> Iterator[tuple[BinaryIO, int, Trouble]]:
    """Open bytes as UTF-8; give the stream, the offset at which its text begins, and what ails it.

    A damaged gzip file ends where the damage begins: what stands before it can be read.

    Raises:
        OSError: they cannot be opened.
        InputError: they are packed with zstd and damaged, or the extra `zstd` is not installed.

    """
    with ExitStack() as stack:
        stream = stack.enter_context(opener())
        trouble: Trouble = str
        start = _first_bytes(stream)
        if start.startswith(_GZIP):
            inflated = _Inflated(stream)
            trouble = lambda: inflated.damage  # noqa: E731 - asked for when all is read
            stream = stack.enter_context(cast("BinaryIO", io.BufferedReader(inflated, _BUFFER)))
            start = _first_bytes(stream)
        elif start.startswith(_ZSTD):
            stream = stack.enter_context(_unpacked(stream))
            start = _first_bytes(stream)
        if start.startswith(codecs.BOM_UTF8):
            yield stream, stream.seek(len(codecs.BOM_UTF8)), trouble
        elif encoding := _utf16(start):
            stream.seek(2 if start[:2] in _UTF16 else 0)
            recoded = _Recoded(stream, encoding)
            yield stack.enter_context(cast("BinaryIO", io.BufferedReader(recoded, _BUFFER))), 0, trouble
        else:
            yield stream, 0, trouble


def _utf16(start: bytes) -> str:
    """Tell UTF-16 by its mark, or, without one, by two ASCII characters; "" for anything else."""
    if start[:2] in _UTF16:
        return _UTF16[start[:2]]
    for encoding, text, zeros in (
        ("utf-16-le", start[0::2], start[1::2]),
        ("utf-16-be", start[1::2], start[0::2]),
    ):
        if (
            len(start) == _START
            and zeros == b"\0\0"
            and text.strip(b"\r\n\t").isascii()
            and b"\0" not in text
        ):
            return encoding
    return ""


def _unpacked(stream: BinaryIO) -> BinaryIO:
    """Unpack a zstd stream into an unnamed file, since its reader cannot go back."""
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "compressed with zstd: install 'memctl[zstd]' with pip to read it, or unpack it first"
        ) from None
    spool = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - the caller closes it
    try:
        zstandard.ZstdDecompressor().copy_stream(stream, spool)
    except zstandard.ZstdError as error:
        spool.close()
        raise InputError(f"damaged zstd: {error}") from error
    spool.seek(0)
    return spool


def bounded_reader(path: Path, size: int) -> BinaryIO:
    """Open a file for its first *size* bytes: what is written on meanwhile, or never ends, is not read."""
    return cast("BinaryIO", io.BufferedReader(_Beginning(path.open("rb", buffering=0), size), _BUFFER))


class _Beginning(io.RawIOBase):
    def __init__(self, file: io.FileIO, size: int) -> None:
        self._file = file
        self._size = size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            return self._file.seek(max(0, self._size + offset))
        return self._file.seek(offset, whence)

    def readinto(self, buffer: "memoryview") -> int | None:  # type: ignore[override]  # Buffer is Python 3.12's
        left = max(0, self._size - self._file.tell())
        return self._file.readinto(memoryview(buffer)[:left]) if left else 0


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


class _Inflated(io.RawIOBase):
    """A gzip file unpacked, up to the first damage; *damage* says what that was."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._begin()

    def _begin(self) -> None:
        self._stream.seek(0)
        self._inflater = zlib.decompressobj(wbits=_GZIP_ONLY)
        self._packed = b""
        self._position = 0
        self.damage = ""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_CUR:
            offset += self._position
        elif whence != os.SEEK_SET:
            raise io.UnsupportedOperation("a gzip file has no known end")
        if offset < self._position:
            self._begin()
        while self._position < offset and self.readinto(
            memoryview(bytearray(min(_BUFFER, offset - self._position)))
        ):
            pass
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # Buffer is Python 3.12's
        data = b""
        while not data and not self.damage:
            self._packed = self._packed or self._stream.read(_BUFFER)
            if self._inflater.eof and not self._next_member():
                break
            try:
                data = self._inflater.decompress(self._packed, len(buffer))
            except zlib.error as error:
                self.damage = f"damaged gzip: {error}"
                break
            if not (data or self._packed or self._inflater.eof):
                self.damage = "damaged gzip: it ends too early"
            self._packed = self._inflater.unconsumed_tail or self._inflater.unused_data
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _next_member(self) -> bool:
        """Go on behind the end of a member, past padding; False at the end of the file, or of what is gzip."""
        while not (packed := self._packed.lstrip(b"\0")):
            self._packed = self._stream.read(_BUFFER)
            if not self._packed:
                return False
        self._packed = packed if len(packed) > 1 else packed + self._stream.read(_BUFFER)
        if not self._packed.startswith(_GZIP):
            self.damage = "damaged gzip: unexpected data after its end"
            return False
        self._inflater = zlib.decompressobj(wbits=_GZIP_ONLY)
        return True


def _first_bytes(stream: BinaryIO) -> bytes:
    start = stream.read(_START)
    stream.seek(0)
    return start
