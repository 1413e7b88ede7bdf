"""The fence around a memory directory: nothing below it is read, written or removed through a link (DESIGN 10).

A clone can bring a link in the place of any folder. `Store` puts up the fence; the functions of this room look at it.
"""

import os
from pathlib import Path

from memctl.errors import DamagedError

_is_junction = getattr(
    os.path, "isjunction", lambda _path: False
)  # Windows' own links of folders; Python 3.12

_homes: set[str] = set()
_clean: set[str] = set()  # folders found to be reached through no link


def fence(home: Path) -> None:
    """From now on refuse links below *home*; what was looked at before is looked at anew."""
    _clean.clear()
    path = os.path.abspath(home)
    if path not in _homes:
        _homes.update((path, os.path.realpath(path)))  # git names it by its real path


def is_link(path: Path) -> bool:
    """Tell whether *path*, or a folder above it that lies below a fenced one, is a link."""
    return _is_link(str(path)) or _link_above(path) is not None


def refuse_link(path: Path) -> None:
    """Raise DamagedError when *path* or a folder on the way to it is a link: nothing here leads out."""
    if _is_link(str(path)):
        raise _refused(str(path))
    refuse_way(path)


def refuse_way(path: Path) -> None:
    """Raise DamagedError when a folder on the way to *path* is a link; *path* may be one itself."""
    link = _link_above(path)
    if link is not None:
        raise _refused(link)


def _refused(path: str) -> DamagedError:
    return DamagedError(f"{path} is a symbolic link; links inside the memory directory are not followed")


def _link_above(path: Path) -> str | None:
    folder = os.path.dirname(os.path.abspath(path))
    if folder in _clean:
        return None
    home = min((home for home in _homes if folder.startswith(home + os.sep)), key=len, default=None)
    if home is None:
        return None
    place = home
    for part in folder[len(home) + 1 :].split(os.sep):
        place = f"{place}{os.sep}{part}"
        if _is_link(place):
            return place
    _clean.add(folder)
    return None


def _is_link(path: str) -> bool:
    return os.path.islink(path) or _is_junction(path)
