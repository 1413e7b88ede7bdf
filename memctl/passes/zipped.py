"""The files of a zip archive: an export, as it was downloaded."""

import sys
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, cast

from memctl import readers
from memctl.errors import InputError

if TYPE_CHECKING:
    from zipfile import ZipFile

_MEMBER_BYTES = 4 << 30  # of one file in an archive; what claims more is refused


def members(path: str) -> list[str]:
    """List the files of an archive by name; raises OSError or ValueError when it cannot be read."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist()]
            # Not `is_dir`: that looks at the last letter of a name, which may have none.
            return sorted(name for name in names if not name.endswith("/"))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(str(error)) from error


def opened(path: str, member: str, shown: str, state: object) -> readers.Source:
    """Open a file of an archive, shown to people as *shown*; *state* tells one archive at a path from the next.

    Raises InputError when it cannot be unpacked, or claims to be too large, as the bombs do.
    """
    try:
        archive = _archive(path, state)
        _check_claim(archive.getinfo(member).file_size)
        with archive.open(member) as stream:
            return readers.Source.from_stream(cast("BinaryIO", stream), name=shown)
    except _troubles() as error:
        raise InputError(f"{shown}: {error}") from error


def _troubles() -> tuple[type[Exception], ...]:
    """Give what unpacking raises; of a method that not every Python has, once it is loaded."""
    from zipfile import BadZipFile

    lzma = sys.modules.get("lzma")
    of_lzma = (lzma.LZMAError,) if lzma else ()
    return (OSError, EOFError, RuntimeError, ValueError, zlib.error, BadZipFile, *of_lzma)


def _check_claim(size: int) -> None:
    if size > _MEMBER_BYTES:
        raise ValueError(f"claims more than {_MEMBER_BYTES:,} bytes unpacked; unpack it and name the file")


@lru_cache(maxsize=1)  # the list of an archive's files is read once, not once a file
def _archive(path: str, state: object) -> "ZipFile":  # noqa: ARG001 - part of the key
    import zipfile

    return zipfile.ZipFile(path)
