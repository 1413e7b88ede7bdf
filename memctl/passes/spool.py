"""A spool: records by key, in memory while few and in a temporary file beyond, so memory stays flat."""

import io
from array import array
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO

from memctl import files

_IN_MEMORY = 1 << 18  # bytes; most sessions are smaller, and a file for each would cost more than it saves


def key_of(text: str) -> int:
    """Hash an id to 64 bits: a key that costs a quarter of the text's memory."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class Spool:
    """Byte records in order of first arrival; a record given again under its key replaces the first."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._stream: IO[bytes] = io.BytesIO()
        self._path: Path | None = None
        self._slots: dict[int, int] = {}
        self._offsets = array("Q")
        self._lengths = array("Q")
        self._end = 0

    def __len__(self) -> int:
        return len(self._offsets)

    def __contains__(self, key: int) -> bool:
        return key in self._slots

    def put(self, key: int, data: bytes) -> None:
        """Append a record, or replace the one of this key in its place."""
        if self._path is None and self._end + len(data) > _IN_MEMORY:
            self._roll()
        slot = self._slots.get(key)
        if slot is None:
            self._slots[key] = len(self._offsets)
            self._offsets.append(self._end)
            self._lengths.append(len(data))
        else:
            self._offsets[slot] = self._end
            self._lengths[slot] = len(data)
        self._opened().write(data)
        self._end += len(data)

    def get(self, key: int) -> bytes | None:
        """Give the record of a key; None when there is none."""
        slot = self._slots.get(key)
        if slot is None:
            return None
        stream = self._opened()
        stream.seek(self._offsets[slot])
        data = stream.read(self._lengths[slot])
        stream.seek(self._end)
        return data

    def keys(self) -> list[int]:
        """List the keys in order of first arrival."""
        return list(self._slots)

    def records(self) -> Iterator[bytes]:
        """Give all records in order."""
        return (self.get(key) or b"" for key in self._slots)

    def __getstate__(self) -> dict[str, object]:
        """Travel to another process: the file stays where it is, what is in memory goes along."""
        state = self.__dict__.copy()
        if self._path is not None:
            self._stream.close()
        state["_stream"] = self._stream.getvalue() if isinstance(self._stream, io.BytesIO) else None
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        """Arrive from another process."""
        held = state.pop("_stream")
        self.__dict__.update(state)
        self._stream = io.BytesIO(held if isinstance(held, bytes) else b"")
        self._stream.seek(self._end)
        if self._path is not None:
            self._stream.close()

    def rest(self) -> None:
        """Let go of the open file until the next use: thousands of sessions may wait at once."""
        if self._path is not None:
            self._stream.close()

    def close(self) -> None:
        """Drop the records and their file."""
        self._slots.clear()
        self._offsets, self._lengths = array("Q"), array("Q")
        self._stream.close()
        if self._path is not None:
            files.remove(self._path)

    def _roll(self) -> None:
        held = self._stream.read() if self._stream.seek(0) == 0 else b""
        self._path = files.temporary(self._home)
        self._stream = files.create(self._path)
        self._stream.write(held)

    def _opened(self) -> IO[bytes]:
        if self._stream.closed and self._path is not None:
            self._stream = files.reopen(self._path)
            self._stream.seek(self._end)
        return self._stream
