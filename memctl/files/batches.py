"""Files of one step, put in place together."""

from collections.abc import Iterable
from pathlib import Path

from memctl.files.paths import open_file, store_error
from memctl.files.writing import create, install, make_durable, sync_folder, temporary


class Batch:
    """Files of one step, written aside and put in place together, in order, by `commit`.

    One flush to disk serves them all: thousands of small files would otherwise wait for the disk
    one by one.
    """

    def __init__(self, home: Path, *, keeps: bool = True) -> None:
        """Begin a batch; with `keeps=False` a commit throws away what was written aside."""
        self.holds = False  # while set, `commit` puts nothing in place yet
        self._home = home
        self._keeps = keeps
        self._waiting: list[tuple[Path, Path]] = []

    def write(self, path: Path, chunks: Iterable[bytes]) -> None:
        """Write *chunks* aside, to become *path* at the next `commit`."""
        temp = temporary(self._home)
        try:
            with create(temp) as stream:
                for chunk in chunks:
                    stream.write(chunk)
        except OSError as error:
            raise store_error("write", path, error) from error
        self._waiting.append((temp, path))

    def drop(self, first: int = 0) -> None:
        """Throw away what was written aside, but for its *first* files."""
        for temp, _ in self._waiting[first:]:
            temp.unlink(missing_ok=True)
        del self._waiting[first:]

    def write_if_changed(self, path: Path, chunks: Iterable[bytes]) -> bool:
        """Write *chunks* unless *path* holds exactly those bytes; say whether it will be written."""
        self.write(path, chunks)
        temp, _ = self._waiting[-1]
        if not _same(temp, path):
            return True
        self._waiting.pop()
        temp.unlink()
        return False

    def __len__(self) -> int:
        return len(self._waiting)

    def commit(self) -> None:
        """Make everything durable, then rename it into place in the order it was written."""
        if self.holds:
            return
        if not self._keeps:
            self.drop()
        if not self._waiting:
            return
        try:
            make_durable([temp for temp, _ in self._waiting])
            for temp, path in self._waiting:
                install(temp, path, durable=False)
            for folder in sorted({path.parent for _, path in self._waiting}):
                sync_folder(folder)
        except OSError as error:
            raise store_error("write", self._waiting[0][1], error) from error
        self._waiting.clear()


def _same(one: Path, other: Path) -> bool:
    """Compare two files byte by byte; a link is never the same."""
    if other.is_symlink() or not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    with open_file(one) as left, open_file(other) as right:
        while (piece := left.read(1 << 20)) == right.read(1 << 20):
            if not piece:
                return True
    return False
