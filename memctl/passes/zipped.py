"""The files of a zip archive: an export, as it was downloaded."""

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
            return sorted(info.filename for info in archive.infolist() if not info.is_dir())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(str(error)) from error


def opened(path: str, member: str, shown: str, state: object) -> readers.Source:
    """Open a file of an archive, shown to people as *shown*; *state* tells one archive at a path from the next.

    Raises InputError when it cannot be unpacked, or claims to be too large, as the bombs do.
    """
    import zipfile

    try:
        archive = _archive(path, state)
        _check_claim(archive.getinfo(member).file_size)
        with archive.open(member) as stream:
            return readers.Source.from_stream(cast("BinaryIO", stream), name=shown)
    except (OSError, RuntimeError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(f"{shown}: {error}") from error


def _check_claim(size: int) -> None:
    if size > _MEMBER_BYTES:
        raise ValueError(f"claims more than {_MEMBER_BYTES:,} bytes unpacked; unpack it and name the file")


@lru_cache(maxsize=1)  # the list of an archive's files is read once, not once a file
def _archive(path: str, state: object) -> "ZipFile":  # noqa: ARG001 - part of the key
    import zipfile

    return zipfile.ZipFile(path)
